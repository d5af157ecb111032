// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "cancel.hpp"

namespace slipstick::cli {
namespace {

std::atomic<bool> cancelled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch nothing else");

extern "C" void cancel(int) {
  cancelled.store(true, std::memory_order_relaxed);
}

}  // namespace

CancelOnSignal::CancelOnSignal() {
  cancelled.store(false, std::memory_order_relaxed);
  struct sigaction action {};
  action.sa_handler = cancel;
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // back to the default once delivered: the second one ends us
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &terminate_before_);
}

CancelOnSignal::~CancelOnSignal() {
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
}

const std::atomic<bool>& CancelOnSignal::flag() const {
  return cancelled;
}

}  // namespace slipstick::cli
