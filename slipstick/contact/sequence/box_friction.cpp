// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/box_friction.hpp"

#include <algorithm>

#include "slipstick/contact/sequence/inner_solve.hpp"

namespace slipstick::internal {

void BoxFriction::run(const Run& run) {
  constexpr int default_max_iterations = 20000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  iterate_.prepare(run.problem, law());
  boxed_.A = iterate_.A();
  boxed_.b = iterate_.b();
  boxed_.K.clear();
  for (const SetBlock& block : iterate_.blocks()) {
    if (block.kind == SetKind::cone) {
      boxed_.K.append_nonnegative(1, Role::normal);
      for (Index k = 1; k < block.size; ++k) boxed_.K.append_interval(-1.0, 1.0, Role::friction);
    } else {
      boxed_.K.append_rows(iterate_.cones(), block);
    }
  }
  start_.x.setZero(boxed_.b.size());
  if (run.warm_start != nullptr) iterate_.start(run.warm_start->x, start_.x);
  best_.reset(boxed_.b.size());
  radii_.setZero(static_cast<Index>(iterate_.tangents().size()));
  Progress progress;
  for (;;) {
    const double error = iterate_.error(start_.x, run.settings.threads);
    best_.offer(error, start_.x);
    if (progress.stalled(best_.error())) monitor.stop(Status::stalled);
    if (monitor.finished(error, start_.x)) break;
    iterate_.follow(start_.x, progress.relaxation(), radii_);
    set_bounds();
    boxed_.b = iterate_.b();
    const double target = iterate_.norm() * std::max(0.1 * run.settings.tolerance, 0.01 * error);
    if (solve_inner(*solver_, boxed_, target, run.settings, start_, inner_, run.result, monitor))
      start_.x = inner_.x;
  }
  iterate_.expand(best_.x(), run.result.r);
  run.result.status = monitor.status();
  run.result.counts.iterations = monitor.iterations();
}

void BoxFriction::set_bounds() {
  for (std::size_t t = 0; t < iterate_.tangents().size(); ++t) {
    const auto& [normal, start, size, mu] = iterate_.tangents()[t];
    const double radius = radii_[static_cast<Index>(t)];
    for (Index k = 0; k < size; ++k) boxed_.K.set_bounds(start + k, -radius, radius);
  }
}

}  // namespace slipstick::internal
