// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/desaxce.hpp"

#include <algorithm>

#include "slipstick/contact/sequence/inner_solve.hpp"

namespace slipstick::internal {
namespace {

constexpr double tolerated_growth = 10.0;  // largest growth of the best error by an accelerated step

}  // namespace

void Desaxce::run(const Run& run) {
  constexpr int default_max_iterations = 2000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  Progress progress;
  iterate_.prepare(run.problem, law());
  const auto contacts = static_cast<Index>(iterate_.tangents().size());
  convex_ = {.A = iterate_.A(), .b = iterate_.b(), .K = iterate_.cones()};
  start_.x.setZero(convex_.b.size());
  if (run.warm_start != nullptr) iterate_.start(run.warm_start->x, start_.x);
  best_.reset(convex_.b.size());
  shift_.setZero(contacts);
  image_.resize(contacts);
  anderson_.reset(contacts, settings_.memory);
  for (;;) {
    const double error = iterate_.error(start_.x, run.settings.threads);
    const bool accelerated_too_far = error > tolerated_growth * best_.error();
    best_.offer(error, start_.x);
    if (progress.stalled(best_.error())) monitor.stop(Status::stalled);
    if (monitor.finished(error, start_.x)) break;

    for (Index i = 0; i < contacts; ++i) {
      const auto& tangents = iterate_.tangents()[static_cast<std::size_t>(i)];
      image_[i] = tangents.mu * iterate_.sliding_speed(tangents);
    }
    if (monitor.iterations() == 1) {
      shift_ = image_;  // the shift of the start
    } else if (accelerated_too_far || progress.relaxation() < 1.0) {
      anderson_.reset(contacts, settings_.memory);
      shift_ += progress.relaxation() * (image_ - shift_);
    } else {
      anderson_.step(image_, shift_);
      shift_ = shift_.cwiseMax(0.0);
    }
    convex_.b = iterate_.b();
    for (Index i = 0; i < contacts; ++i)
      convex_.b[iterate_.tangents()[static_cast<std::size_t>(i)].normal] += shift_[i];

    const double target = iterate_.norm() * std::max(0.1 * run.settings.tolerance, 0.01 * error);
    if (solve_inner(*solver_, convex_, target, run.settings, start_, inner_, run.result, monitor))
      start_.x = inner_.x;
  }
  iterate_.expand(best_.x(), run.result.r);
  run.result.status = monitor.status();
  run.result.counts.iterations = monitor.iterations();
}

}  // namespace slipstick::internal
