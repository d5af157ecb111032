// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {

/// Cancels at its `last` look and counts the looks. While it lives, every piece of work that is counted
/// looks.
class CancelAtLook : public Observer {
 public:
  explicit CancelAtLook(int last) : last_(last), every_piece_(1e300, nullptr, 1.0) {}
  bool observe(const Iteration& /*iteration*/) override { return true; }
  bool cancelled() const override { return ++looks_ >= last_; }
  int looks() const { return looks_; }
  bool fired() const { return looks_ >= last_; }

 private:
  int last_;
  mutable std::atomic<int> looks_ = 0;
  Interruption every_piece_;
};

}  // namespace slipstick::internal
