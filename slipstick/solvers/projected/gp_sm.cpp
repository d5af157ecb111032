// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/gp_sm.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/row_entries.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"
#include "slipstick/solvers/common/rounding.hpp"
#include "slipstick/solvers/sweeps/free_rows.hpp"

namespace slipstick::internal {
namespace {

constexpr int stall_limit = 3000;            // Cauchy points without a better iterate: no more progress
constexpr int stall_limit_in_rounding = 20;  // the same if the error may be only rounding
constexpr double flatness = 1e-14;           // d'Ad <= flatness d'Dd counts as no curvature
constexpr double noise = 1e-14;              // a gradient below this share of b is rounding
constexpr double sufficient = 0.1;           // share of the linear decrease that a search must keep
constexpr int most_halvings = 60;
constexpr double face_accuracy = 0.5;  // share of the tolerance

// True if single rows cost no more than their share of a product.
template <class Storage>
inline constexpr bool has_fast_rows = !ThroughBodies<Storage> && !std::is_same_v<Storage, DenseMatrix>;

// Visits column i of a symmetric matrix in the order of the storage.
template <class Storage, class Visit>
void for_each_in_column(const Storage& a, Index i, const Visit& visit) {
  if constexpr (std::is_same_v<Storage, DenseMatrix>) {
    for (Index j = 0; j < a.rows(); ++j) visit(j, a(j, i));
  } else {
    for_row(a, i, visit);
  }
}

double clamp(double value, double low, double high) {
  return std::min(std::max(value, low), high);
}

}  // namespace

GpSm::GpSm(const GpSmSettings& settings) : settings_(settings) {
  if (!(settings_.reduction > 0.0 && settings_.reduction < 1.0))
    fail("gp-sm needs a reduction between 0 and 1 (exclusive), not {}", settings_.reduction);
}

std::string GpSm::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, "gp-sm", {.sets = Needs::bounds, .symmetry = true});
}

void GpSm::run(const Run& run) {
  constexpr int default_max_iterations = 1'000'000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  begin(run, monitor);
  for (int since_best = 0;; ++since_best) {
    run.gradient(run.result.x, gradient_);
    const double error = run.ruler(run.result.x, gradient_);
    if (error < best_.error()) since_best = 0;
    best_.offer(error, run.result.x);
    if (since_best > stall_limit ||
        (since_best > stall_limit_in_rounding && is_rounding(run.ruler, run.result.x, error)))
      monitor.stop(Status::stalled);
    if (monitor.finished(error, run.result.x)) break;

    if (!find_cauchy_point(run) || !minimize_on_face(run, monitor)) monitor.stop(Status::unbounded);
  }
  run.result.counts.products += static_cast<std::int64_t>(partial_products_);
  if (!best_.empty()) run.result.x = best_.x();
  run.finish(monitor);
}

void GpSm::begin(const Run& run, Monitor& monitor) {
  const Problem& problem = run.problem;
  const Index n = problem.b.size();
  run.start();
  for (Vector* v :
       {&inverse_scale_, &gradient_, &direction_, &product_, &residual_, &target_, &change_, &since_})
    v->resize(n);
  breakpoints_.reserve(static_cast<std::size_t>(n));
  free_rows_.reserve(static_cast<std::size_t>(n));
  free_rows_.clear();
  best_.reset(n);
  partial_products_ = 0.0;

  problem.A.diagonal(product_);
  const Index hopeless =
      place_empty_rows(problem, product_, run.settings.tolerance * run.ruler.norm(), run.result.x);
  if (hopeless >= 0) {
    monitor.stop(Status::unbounded);
    run.result.message = explain_empty_row(problem, hopeless);
  }
  load_ = 0.0;
  for (Index i = 0; i < n; ++i) {
    const bool empty = product_[i] == 0.0 && is_empty_row(problem.A, i);
    inverse_scale_[i] = empty ? 0.0 : 1.0 / run.ruler.scale()[i];
    const double size = std::abs(problem.b[i]) + run.ruler.scale()[i] * std::abs(run.result.x[i]);
    load_ += size * size / run.ruler.scale()[i];
  }
}

// The step at which row i meets its bound.
double GpSm::step_to_bound(const Run& run, Index i, double direction) const {
  if (direction == 0.0) return infinity;
  const double bound = direction > 0.0 ? run.problem.K.upper()[i] : run.problem.K.lower()[i];
  return std::max(0.0, (bound - run.result.x[i]) / direction);
}

bool GpSm::is_noise(double slope) const {
  return std::abs(slope) <= noise * noise * load_;
}

// x <- x^c, with its gradient. Returns false if the path descends without end.
bool GpSm::find_cauchy_point(const Run& run) {
  double slope = 0.0;
  breakpoints_.clear();
  for (Index i = 0; i < gradient_.size(); ++i) {
    direction_[i] = -inverse_scale_[i] * gradient_[i];
    const double t = step_to_bound(run, i, direction_[i]);
    if (t == 0.0) direction_[i] = 0.0;
    if (t > 0.0 && t < infinity) breakpoints_.emplace_back(t, static_cast<int>(i));
    slope += gradient_[i] * direction_[i];
  }
  if (slope == 0.0) return true;
  run.multiply(direction_, product_);
  return run.problem.A.visit([&](const auto& a) {
    if constexpr (!ThroughBodies<std::decay_t<decltype(a)>>) {
      return walk_to_cauchy_point(a, run, slope);
    } else {
      return search_cauchy_point(run, slope);
    }
  });
}

// Goes from breakpoint to breakpoint. d is the direction of the current segment. slope and curvature are
// those of phi along d. A (x(t) - x) is summed row by row, only in rows in which A d changes.
template <class Storage>
bool GpSm::walk_to_cauchy_point(const Storage& a, const Run& run, double slope) {
  Vector& x = run.result.x;
  double curvature = direction_.dot(product_);
  double size = -slope;  // d'Dd
  const double start_size = size;
  double t = 0.0;
  change_.setZero();
  since_.setZero();
  std::make_heap(breakpoints_.begin(), breakpoints_.end(), std::greater<>());
  while (slope < 0.0) {
    const double next = breakpoints_.empty() ? infinity : breakpoints_.front().first;
    const double step = curvature > flatness * size ? -slope / curvature : infinity;
    if (t + step <= next) {
      // There is no bound ahead, and the curvature is at the level of rounding.
      if (step == infinity) {
        if (size <= flatness * start_size || is_noise(slope)) break;
        return false;
      }
      t += step;
      break;
    }
    std::pop_heap(breakpoints_.begin(), breakpoints_.end(), std::greater<>());
    const Index i = breakpoints_.back().second;
    breakpoints_.pop_back();
    slope += (next - t) * curvature;
    t = next;

    // From here on row i stays at its bound.
    const double d = direction_[i];
    x[i] = d > 0.0 ? run.problem.K.upper()[i] : run.problem.K.lower()[i];
    direction_[i] = 0.0;
    slope -= (gradient_[i] + change_[i] + (t - since_[i]) * product_[i]) * d;
    size -= run.ruler.scale()[i] * d * d;
    curvature -= d * product_[i];
    for_each_in_column(a, i, [&](Index j, double value) {
      change_[j] += (t - since_[j]) * product_[j];
      since_[j] = t;
      product_[j] -= value * d;
    });
    curvature -= d * product_[i];
  }
  for (Index i = 0; i < x.size(); ++i) {
    if (direction_[i] != 0.0)
      x[i] = clamp(x[i] + t * direction_[i], run.problem.K.lower()[i], run.problem.K.upper()[i]);
    gradient_[i] += change_[i] + (t - since_[i]) * product_[i];
  }
  return true;
}

// Halves t, from the minimizer along the unprojected direction, until phi has fallen enough.
bool GpSm::search_cauchy_point(const Run& run, double slope) {
  Vector& x = run.result.x;
  const double curvature = direction_.dot(product_);
  double t = -slope / curvature;
  if (!(curvature > -flatness * slope)) {
    t = breakpoints_.empty() ? infinity : std::max_element(breakpoints_.begin(), breakpoints_.end())->first;
    if (t == infinity) return is_noise(slope);
  }
  for (int k = 0; k < most_halvings; ++k, t *= 0.5) {
    target_ = x + t * direction_;
    run.problem.K.project(target_);
    residual_ = target_ - x;
    run.multiply(residual_, product_);
    const double linear = gradient_.dot(residual_);
    if (linear + 0.5 * residual_.dot(product_) > sufficient * linear) continue;
    x = target_;
    gradient_ += product_;
    break;
  }
  return true;
}

// Conjugate gradients from x^c on its free rows, then a search back into K. Returns false if phi falls
// without end.
bool GpSm::minimize_on_face(const Run& run, Monitor& monitor) {
  const Vector& scale = run.ruler.scale();
  const bool changed = list_free_rows(run.problem.K, inverse_scale_, run.result.x, free_rows_);
  const Index active = run.result.x.size() - static_cast<Index>(free_rows_.size());
  direction_.setZero();
  target_ = run.result.x;
  double squared = 0.0, rho = 0.0;
  for (const int i : free_rows_) {
    residual_[i] = -gradient_[i];
    direction_[i] = inverse_scale_[i] * residual_[i];
    squared += residual_[i] * residual_[i];
    rho += residual_[i] * direction_[i];
  }
  // The same face again is probably the face of the solution, so it is solved accurately.
  const double goal = std::max((changed ? settings_.reduction : noise) * std::sqrt(squared),
                               face_accuracy * run.settings.tolerance * run.ruler.norm());
  Index steps_left = 10 * static_cast<Index>(free_rows_.size()) + 50;
  bool moved = false;
  while (std::sqrt(squared) > goal && steps_left-- > 0 &&
         !monitor.interrupted(std::sqrt(squared) / run.ruler.norm(), run.result.x, active)) {
    multiply_free_rows(run, direction_, product_);
    double curvature = 0.0, size = 0.0;
    for (const int i : free_rows_) {
      curvature += direction_[i] * product_[i];
      size += scale[i] * direction_[i] * direction_[i];
    }
    double step = rho / curvature;
    const bool flat = !(curvature > flatness * size);
    if (flat) {
      // A flat direction leads to a bound or falls without end. After other steps the next Cauchy point finds
      // the bound.
      step = infinity;
      for (const int i : free_rows_) step = std::min(step, step_to_bound(run, i, direction_[i]));
      if (step == infinity && !is_noise(rho)) return false;
      if (step == infinity || moved) break;
    }
    moved = true;
    squared = 0.0;
    double rho_next = 0.0;
    for (const int i : free_rows_) {
      target_[i] += step * direction_[i];
      residual_[i] -= step * product_[i];
      squared += residual_[i] * residual_[i];
      rho_next += residual_[i] * inverse_scale_[i] * residual_[i];
    }
    if (flat) {
      put_at_bounds(run, step);
      break;
    }
    for (const int i : free_rows_)
      direction_[i] = inverse_scale_[i] * residual_[i] + (rho_next / rho) * direction_[i];
    rho = rho_next;
  }
  if (moved) search_towards_target(run);
  return true;
}

// Puts the rows that the step takes to a bound exactly on that bound.
void GpSm::put_at_bounds(const Run& run, double step) {
  for (const int i : free_rows_) {
    if (step_to_bound(run, i, direction_[i]) > step) continue;
    target_[i] = direction_[i] > 0.0 ? run.problem.K.upper()[i] : run.problem.K.lower()[i];
  }
}

// x <- P(x + t (target - x)) with the first t = 1, 1/2, 1/4, ... for which phi has fallen.
void GpSm::search_towards_target(const Run& run) {
  Vector& x = run.result.x;
  const auto lower = run.problem.K.lower();
  const auto upper = run.problem.K.upper();
  const bool inside = std::all_of(free_rows_.begin(), free_rows_.end(),
                                  [&](int i) { return target_[i] >= lower[i] && target_[i] <= upper[i]; });
  double t = 1.0;
  for (int k = 0; k < most_halvings && !inside; ++k, t *= 0.5) {
    for (const int i : free_rows_)
      direction_[i] = clamp(x[i] + t * (target_[i] - x[i]), lower[i], upper[i]) - x[i];
    multiply_free_rows(run, direction_, product_);
    double linear = 0.0, quadratic = 0.0;
    for (const int i : free_rows_) {
      linear += gradient_[i] * direction_[i];
      quadratic += direction_[i] * product_[i];
    }
    if (linear + 0.5 * quadratic <= sufficient * linear) break;
  }
  for (const int i : free_rows_) {
    const double next = t == 1.0 ? target_[i] : x[i] + t * (target_[i] - x[i]);
    x[i] = clamp(next, lower[i], upper[i]);
  }
}

// y = A x, at least on the free rows. x is zero elsewhere.
void GpSm::multiply_free_rows(const Run& run, const Vector& x, Vector& y) {
  run.problem.A.visit([&](const auto& a) {
    if constexpr (has_fast_rows<std::decay_t<decltype(a)>>) {
      const SweepRows rows(a, x, y);
      parallel_for(static_cast<Index>(free_rows_.size()), run.settings.threads, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) y[free_rows_[k]] = rows.product(free_rows_[k]);
      });
      partial_products_ += static_cast<double>(free_rows_.size()) / static_cast<double>(x.size());
    } else {
      run.problem.A.multiply(x, y, run.settings.threads);
      partial_products_ += 1.0;
    }
  });
}

}  // namespace slipstick::internal
