// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <atomic>

namespace slipstick::cli {

/// While it lives, the first Ctrl-C (SIGINT) or SIGTERM raises a flag instead of ending the program, so that
/// a solve can end with what it has; the second one of its kind ends the program. One at a time.
class CancelOnSignal {
 public:
  CancelOnSignal();
  ~CancelOnSignal();
  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;

  const std::atomic<bool>& flag() const;
  bool raised() const { return flag().load(std::memory_order_relaxed); }

 private:
  struct sigaction interrupt_before_ {};
  struct sigaction terminate_before_ {};
};

}  // namespace slipstick::cli
