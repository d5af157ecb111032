// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "slipstick/base/timer.hpp"
#include "slipstick/run.hpp"
#include "slipstick/settings.hpp"

namespace slipstick::internal::cli {

/// A line on stderr about work that takes long, rewritten in place and cleared at the end. Prints nothing
/// if stderr is not a terminal.
class ProgressLine {
 public:
  ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (shown_at_ > 0.0) std::fputs("\r\x1b[K", stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  double seconds() const { return timer_.seconds(); }
  /// Shows text() if it is time for a line.
  template <class Text>
  void show(Text&& text) {
    if (!terminal_) return;
    const double now = timer_.seconds();
    if (now < patience || now < shown_at_ + pause) return;
    shown_at_ = now;
    fmt::print(stderr, "\r{}, {:.1f} s\x1b[K", text(), now);
    std::fflush(stderr);
  }

 private:
  static constexpr double patience = 2.0;  // s before the first line
  static constexpr double pause = 0.2;     // s between lines

  bool terminal_;
  Timer timer_;
  double shown_at_ = 0.0;
};

/// The iterations of a solve.
class Progress : public Observer {
 public:
  /// `label` says what is being solved.
  explicit Progress(std::string label) : label_(std::move(label)) {}

  bool observe(const Iteration& iteration) override {
    line_.show([&] {
      return fmt::format("{}: iteration {}, error {:.2e}", label_, iteration.number, iteration.error);
    });
    return true;
  }
  bool reads_iterate() const override { return false; }

 private:
  std::string label_;
  ProgressLine line_;
};

/// The steps of a simulation.
class StepProgress {
 public:
  StepProgress(std::string label, double duration) : label_(std::move(label)), duration_(duration) {}

  void show(const StepRecord& step) {
    ++steps_;
    worst_ = std::max(worst_, step.error);
    line_.show([&] {
      return fmt::format(
          "{}: {:.3g} of {:g} s, {:.3g} steps/s, {} contacts, {} islands, {} iterations, worst error {:.1e}",
          label_, step.time, duration_, static_cast<double>(steps_) / line_.seconds(), step.contacts,
          step.islands, step.iterations, worst_);
    });
  }

 private:
  std::string label_;
  double duration_;
  std::int64_t steps_ = 0;
  double worst_ = 0.0;
  ProgressLine line_;
};

}  // namespace slipstick::internal::cli
