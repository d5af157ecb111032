// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

#include <atomic>
#include <string>

namespace slipstick::internal::cli {

/// While it lives, Ctrl-C (SIGINT) and SIGTERM end a command in an orderly way. Before arm() there is nothing
/// to save: the program ends at once, with exit_not_solved. After arm() the first signal raises a flag, so
/// that the solve can end and write its best answer. The second one ends the program. Only one object may
/// live at a time.
class CancelOnSignal {
 public:
  /// `early_report` goes to the standard output if the program ends before arm().
  explicit CancelOnSignal(std::string early_report);
  ~CancelOnSignal();
  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;

  void arm();
  const std::atomic<bool>& flag() const;
  bool raised() const { return flag().load(std::memory_order_relaxed); }

 private:
  std::string early_report_;
  struct sigaction interrupt_before_ {};
  struct sigaction terminate_before_ {};
};

}  // namespace slipstick::internal::cli
