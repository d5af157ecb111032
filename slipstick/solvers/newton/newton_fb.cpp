// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/newton/newton_fb.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/base/random.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

constexpr double sufficient_decrease = 1e-4;  // sigma of the Armijo rule
// An error below this makes a guess of the active set worthwhile.
constexpr double near = 1e-1;

// phi(a, b) with its partial derivatives.
struct Fischer {
  double value, by_a, by_b;
};

Fischer fischer(double a, double b) {
  const double radius = std::hypot(a, b);
  if (radius == 0.0) {
    // Any point of the generalized gradient is allowed. This one treats both arguments alike.
    constexpr double slope = 1.0 - 1.0 / std::numbers::sqrt2;
    return {0.0, slope, slope};
  }
  // Avoids cancellation if both are positive.
  const double value = a + b > 0.0 ? 2.0 * a * b / (a + b + radius) : a + b - radius;
  return {value, 1.0 - a / radius, 1.0 - b / radius};
}

Fischer penalized(double a, double b, double weight) {
  Fischer f = fischer(a, b);
  f.value *= weight;
  f.by_a *= weight;
  f.by_b *= weight;
  if (a > 0.0 && b > 0.0) {
    f.value += (1.0 - weight) * a * b;
    f.by_a += (1.0 - weight) * b;
    f.by_b += (1.0 - weight) * a;
  }
  return f;
}

}  // namespace

std::string NewtonFb::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, "newton-fb", {.sets = Needs::bounds});
}

void NewtonFb::run(const Run& run) {
  prepare(run);
  Monitor monitor(run.settings, 1000, run.observer);
  monitor.guard([&] {
    int attempt = 0;
    evaluate(run);
    for (;;) {
      const double error = polish(run, judge(run));
      if (monitor.finished(error, projected_)) break;
      if (!stalls() && ((find_newton_direction(run) && search_line(run, 1e-4)) ||
                        (find_damped_direction(run) && search_line(run, 1e-10)))) {
        continue;
      }
      if (++attempt > settings_.restarts) {
        monitor.stop(Status::stalled);
        break;
      }
      restart(run, attempt);
      evaluate(run);
    }
  });
  run.result.x = best_.x();
  run.finish(monitor);
}

void NewtonFb::prepare(const Run& run) {
  run.start();
  const Index n = run.problem.b.size();
  x_ = start_ = run.result.x;
  for (Vector* vector : {&w_, &phi_, &s_, &t_, &gradient_, &step_, &right_side_, &projected_w_}) {
    vector->resize(n);
  }
  norm_ = run.ruler.norm() > 0.0 ? run.ruler.norm() : 1.0;
  system_.prepare(run.problem.A);
  best_.reset(n);
  merits_.resize(static_cast<std::size_t>(settings_.memory));
  places_.resize(static_cast<std::size_t>(n));
  tried_places_.clear();
  forget_merits();
  weight_ = settings_.weight;
}

// Computes Phi, the merit, and s, t of the Jacobian at x_.
void NewtonFb::evaluate(const Run& run) {
  const Vector& d = run.ruler.scale();
  const auto lower = run.problem.K.lower(), upper = run.problem.K.upper();
  run.gradient(x_, w_);
  for (Index i = 0; i < x_.size(); ++i) {
    const double w = w_[i] / norm_;
    const double above = d[i] * (x_[i] - lower[i]) / norm_;
    const double below = d[i] * (upper[i] - x_[i]) / norm_;
    if (lower[i] == upper[i]) {
      phi_[i] = above;
      s_[i] = d[i];
      t_[i] = 0.0;
    } else if (lower[i] == -infinity && upper[i] == infinity) {
      phi_[i] = w;
      s_[i] = 0.0;
      t_[i] = 1.0;
    } else if (upper[i] == infinity) {
      const Fischer f = penalized(above, w, weight_);
      phi_[i] = f.value;
      s_[i] = f.by_a * d[i];
      t_[i] = f.by_b;
    } else if (lower[i] == -infinity) {
      const Fischer f = penalized(below, -w, weight_);
      phi_[i] = -f.value;
      s_[i] = f.by_a * d[i];
      t_[i] = f.by_b;
    } else {
      const Fischer inner = fischer(below, -w);
      const Fischer outer = penalized(above, -inner.value, weight_);
      phi_[i] = outer.value;
      s_[i] = (outer.by_a + outer.by_b * inner.by_a) * d[i];
      t_[i] = outer.by_b * inner.by_b;
    }
  }
  merit_ = 0.5 * phi_.squaredNorm();
}

// The scaled natural map of the iterate's projection on K.
double NewtonFb::judge(const Run& run) {
  projected_ = x_;
  run.problem.K.project(projected_);
  run.gradient(projected_, projected_w_);
  const double error = run.ruler(projected_, projected_w_);
  best_.offer(error, projected_);
  return error;
}

// Near a solution: guesses the active set from the natural map and solves it exactly, once for each new
// guess.
double NewtonFb::polish(const Run& run, double error) {
  if (!(error < near) || error == 0.0) return error;
  for (Index i = 0; i < x_.size(); ++i) {
    const double target = projected_[i] - projected_w_[i] / run.ruler.scale()[i];
    places_[static_cast<std::size_t>(i)] = target <= run.problem.K.lower()[i]   ? Place::at_lower
                                           : target >= run.problem.K.upper()[i] ? Place::at_upper
                                                                                : Place::between;
  }
  if (places_ == tried_places_ && error > 1e-3 * tried_error_) return error;
  tried_places_ = places_;
  tried_error_ = error;
  const double polished = polish_(run.problem, run.ruler, system_, places_, error, projected_);
  ++run.result.counts.factorizations;
  best_.offer(polished, projected_);
  return polished;
}

// Solves J p = -Phi. Returns false if J is singular or p does not descend.
bool NewtonFb::find_newton_direction(const Run& run) {
  ++run.result.counts.factorizations;
  return system_.factorize(s_, t_) && solve_for_step() && slope_ <= -merit_;
}

// Solves (J'J + mu C^-2) p = -J'Phi, with more damping until p descends. The least damping is at the level of
// rounding. A principal submatrix of a singular A can have singular values of any size, and more damping
// would suppress the smallest.
bool NewtonFb::find_damped_direction(const Run& run) {
  for (double mu = std::clamp(2.0 * merit_, 1e-16, 1e-4); mu < 1e3; mu *= 1e4) {
    ++run.result.counts.factorizations;
    if (system_.factorize_damped(s_, t_, mu) && solve_for_step() && slope_ < 0.0) return true;
  }
  return false;
}

// Computes step_ and slope_ with the present factorization. Returns false if a value is not finite.
bool NewtonFb::solve_for_step() {
  right_side_ = -norm_ * phi_;
  system_.solve(right_side_, step_);
  system_.multiply_transposed(s_, t_, phi_, gradient_);
  slope_ = gradient_.dot(step_) / norm_;
  return step_.allFinite() && std::isfinite(slope_);
}

// Armijo rule, which halves the step down to `smallest`. If no step is good enough, x_ is unchanged and the
// result is false. The rule is nonmonotone only while the merit improves every few iterations. Otherwise the
// method could cycle.
bool NewtonFb::search_line(const Run& run, double smallest) {
  merits_[merit_count_++ % merits_.size()] = merit_;
  since_least_ = merit_ < 0.9 * least_merit_ ? 0 : since_least_ + 1;
  least_merit_ = std::min(least_merit_, merit_);
  const auto known = static_cast<Index>(std::min(merit_count_, merits_.size()));
  const double reference =
      since_least_ > 4 ? merit_ : *std::max_element(merits_.begin(), merits_.begin() + known);
  x_before_ = x_;
  for (double length = 1.0; length >= smallest; length *= 0.5) {
    x_ = x_before_ + length * step_;
    evaluate(run);
    if (merit_ <= reference + sufficient_decrease * length * slope_) return true;
  }
  x_ = x_before_;
  evaluate(run);
  return false;
}

// The method stalls if the merit does not halve within 20 iterations.
bool NewtonFb::stalls() {
  if (++since_checkpoint_ < 20) return false;
  since_checkpoint_ = 0;
  const bool stalled = merit_ > 0.5 * checkpoint_;
  checkpoint_ = merit_;
  return stalled;
}

void NewtonFb::forget_merits() {
  merit_count_ = 0;
  least_merit_ = infinity;
  since_least_ = 0;
  since_checkpoint_ = 0;
  checkpoint_ = infinity;
}

// Perturbs the start and the best iterate in turn, over several magnitudes. The plain and the penalized
// function alternate.
void NewtonFb::restart(const Run& run, int attempt) {
  Random random(static_cast<std::uint64_t>(attempt));
  const double amplitude = std::pow(10.0, attempt % 5 - 2);
  const double size = norm_ / std::sqrt(static_cast<double>(std::max<Index>(1, x_.size())));
  x_ = attempt % 2 == 1 && !best_.empty() ? best_.x() : start_;
  for (Index i = 0; i < x_.size(); ++i) {
    x_[i] += amplitude * random.uniform(-1.0, 1.0) * (std::abs(x_[i]) + size / run.ruler.scale()[i]);
  }
  run.problem.K.project(x_);
  weight_ = attempt % 4 < 2 ? settings_.weight : 1.0;
  forget_merits();
}

}  // namespace slipstick::internal
