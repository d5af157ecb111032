// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include "slipstick/base/timer.hpp"
#include "slipstick/settings.hpp"

namespace slipstick::internal::cli {

/// A line on stderr about a solve that takes long, rewritten in place and cleared at the end. Prints nothing
/// if stderr is not a terminal.
class Progress : public Observer {
 public:
  /// `label` says what is being solved.
  explicit Progress(std::string label) : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) == 1) {}
  ~Progress() override {
    if (shown_at_ > 0.0) std::fputs("\r\x1b[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool observe(const Iteration& iteration) override {
    if (!terminal_) return true;
    const double now = timer_.seconds();
    if (now < patience || now < shown_at_ + pause) return true;
    shown_at_ = now;
    fmt::print(stderr, "\r{}: iteration {}, error {:.2e}, {:.1f} s\x1b[K", label_, iteration.number,
               iteration.error, now);
    std::fflush(stderr);
    return true;
  }

 private:
  static constexpr double patience = 2.0;  // s before the first line
  static constexpr double pause = 0.2;     // s between lines

  std::string label_;
  bool terminal_;
  Timer timer_;
  double shown_at_ = 0.0;
};

}  // namespace slipstick::internal::cli
