// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/interruption.hpp"

#include <algorithm>

namespace slipstick::internal {
namespace {

constexpr double longest = 1e9;  // seconds; a longer limit is none

}  // namespace

Interruption::Interruption(double seconds, const Observer* observer, double stride)
    : outer_(state_.current), observer_(observer), stride_(stride) {
  if (outer_ != nullptr) {
    stride_ = std::min(stride_, outer_->stride_);
    deadline_ = outer_->deadline_;
    for (const Interruption* level = outer_; level != nullptr; level = level->outer_)
      if (level->observer_ == observer_) observer_ = nullptr;
  }
  if (seconds < longest) {
    const auto duration = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    deadline_ = std::min(deadline_, Clock::now() + duration);
  }
  const bool has_own = observer_ != nullptr || seconds < longest || stride < usual_stride;
  if (has_own) state_.current = this;
  state_.until_look = std::min(state_.until_look, stride_);
}

Interruption::~Interruption() {
  state_.current = outer_;
}

double Interruption::seconds_left() {
  const Interruption* now = state_.current;
  if (now == nullptr || now->deadline_ == Clock::time_point::max())
    return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(now->deadline_ - Clock::now()).count();
}

bool Interruption::is_cancelled() {
  for (const Interruption* level = state_.current; level != nullptr; level = level->outer_)
    if (level->observer_ != nullptr && level->observer_->cancelled()) return true;
  return false;
}

void Interruption::look() const {
  if (is_cancelled()) throw Interrupted{Status::cancelled};
  if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_)
    throw Interrupted{Status::time_limit};
}

}  // namespace slipstick::internal
