// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/interior_point.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/measures/certificate.hpp"

namespace slipstick::internal {
namespace {

// Impulses of contacts reach the mass ratio times the number of bodies, in units of the load. Larger
// solutions are not accepted.
constexpr double largest_solution = 1e9;

}  // namespace

void InteriorPoint::run(const Run& run) {
  Monitor monitor(run.settings, default_max_iterations(), run.observer);
  if (judge_start(run, monitor)) {
    run.finish(monitor);
    return;
  }
  monitor.guard([&] {
    const bool near = run.warm_start != nullptr;
    start(run, near);
    follow_path(run, monitor);
    if (near && monitor.status() == Status::stalled) {
      monitor.stop(Status::not_run);
      start(run, false);
      follow_path(run, monitor);
    }
  });
  run.result.x = best_.x();
  run.finish(monitor);
}

double InteriorPoint::judge(const Run& run, const Vector& x) {
  run.gradient(x, w_);
  return run.ruler(x, w_);
}

bool InteriorPoint::judge_start(const Run& run, Monitor& monitor) {
  const Index n = run.problem.b.size();
  run.start();
  w_.resize(n);
  product_.resize(n);
  best_.reset(n);
  x_ = run.result.x;
  const double error = judge(run, x_);
  best_.offer(error, x_);
  return error <= monitor.tolerance() && monitor.finished(error, x_);
}

void InteriorPoint::find_margin(const Run& run, const ConeUnknowns& unknowns, Index degree, Vector& y) {
  gradient_.resize(unknowns.size());
  unknowns.gather(w_, gradient_);
  start_gradient_ = gradient_;
  margin_ = gradient_.norm() / std::sqrt(static_cast<double>(std::max<Index>(1, degree)));
  if (!(margin_ > 0.0)) margin_ = 1.0;
  y.setZero();
  unknowns.to_rows(y, product_);
  unknowns.to_unknowns(x_, y);
  x_.swap(product_);
  judge(run, x_);
  unknowns.gather(w_, gradient_);
}

// Checks whether d = y in K has b'd < 0 and a very small A d. A solution x has d'(A x + b) >= 0, so ||x|| >=
// -b'd / ||A d||.
bool InteriorPoint::is_unbounded(const Run& run, const ConeUnknowns& unknowns, const Vector& y) {
  const double load = gradient_.norm();
  if (!(y.norm() > largest_solution * load)) return false;
  unknowns.scatter(y, x_);
  double slope = 0.0;
  for (Index k = 0; k < y.size(); ++k) {
    if (unknowns.width(k) > 0.0) {
      x_[unknowns.rows()[k]] = 0.0;
    } else {
      slope += gradient_[k] * y[k];
    }
  }
  if (!(slope < 0.0)) return false;
  run.multiply(x_, product_);
  double squared = 0.0;
  for (Index k = 0; k < y.size(); ++k)
    squared += std::pow(unknowns.scale()[k] * product_[unknowns.rows()[k]], 2);
  if (!(-slope > largest_solution * load * std::sqrt(squared))) return false;
  if (unboundedness_defect(run.problem, x_) <= certain_defect) run.result.ray = x_;
  return true;
}

}  // namespace slipstick::internal
