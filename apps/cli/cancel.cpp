// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/cancel.hpp"

#include <unistd.h>

#include <string_view>

#include "apps/cli/commands.hpp"

namespace slipstick::internal::cli {
namespace {

// What the handlers touch.
std::atomic<bool> cancelled{false};
std::atomic<const std::string*> report{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const std::string*>::is_always_lock_free,
              "a signal handler may touch nothing else");

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

extern "C" void end_at_once(int) {
  write_all(STDERR_FILENO, "slipstick: cancelled before the solve began\n");
  write_all(STDOUT_FILENO, *report.load());
  _exit(exit_not_solved);
}

extern "C" void raise_flag(int) {
  cancelled.store(true, std::memory_order_relaxed);
}

struct sigaction calling(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  return action;
}

}  // namespace

CancelOnSignal::CancelOnSignal(std::string early_report) : early_report_(std::move(early_report)) {
  cancelled.store(false);
  report.store(&early_report_);
  const struct sigaction action = calling(end_at_once, 0);
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &terminate_before_);
}

void CancelOnSignal::arm() {
  // Back to the default once delivered: the second signal ends the program.
  const struct sigaction action = calling(raise_flag, SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

CancelOnSignal::~CancelOnSignal() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
}

const std::atomic<bool>& CancelOnSignal::flag() const {
  return cancelled;
}

}  // namespace slipstick::internal::cli
