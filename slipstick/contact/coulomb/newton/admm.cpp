// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/admm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/problems/cone_lanes.hpp"

namespace slipstick::internal {
namespace {

// The method stalls if the error does not fall by a tenth in this many iterations.
constexpr int admm_stall_limit = 2000;
// Largest number of iterations between two error tests, in general and near the solution.
constexpr int test_interval = 10, warm_test_interval = 4;
// Weight of the row of a joint without bounds, relative to its d.
constexpr double free_share = 1e-6;
// Steps of Lanczos' method, and the largest factor of one change of the penalty.
constexpr int lanczos_steps = 12;
constexpr double largest_change = 16.0;
// Factor of the penalty in the plane, because cones have no curvature there.
constexpr double in_plane = 2.5;
// If the residuals fall to this share between two checks, the penalty stays.
constexpr double quick_fall = 0.1;
// Least correlation of changes that gives a curvature.
constexpr double least_correlation = 0.2;

// The curvature from the changes of a variable and of its multiplier (Xu et al. 2017, eq. 25). It is 0 if
// they do not correlate. Otherwise it is the shorter of the two steps of Barzilai and Borwein, or a mixture.
double curvature(double variable, double mixed, double multiplier) {
  if (!(mixed > least_correlation * std::sqrt(variable) * std::sqrt(multiplier))) return 0.0;
  const double steepest = multiplier / mixed, minimal = mixed / variable;
  return 2.0 * minimal > steepest ? minimal : steepest - 0.5 * minimal;
}

}  // namespace

Admm::Admm(const AdmmSettings& settings, const SwitchToNewton& switch_to_newton, SharedSystem system)
    : settings_(settings),
      switch_to_newton_(switch_to_newton),
      shared_(std::move(system)),
      system_(*shared_) {
  if (!(settings.relaxation > 0.0 && settings.relaxation < 2.0))
    fail("admm needs a relaxation between 0 and 2 (exclusive), not {}", settings.relaxation);
  if (!(settings.penalty > 0.0)) fail("admm needs a positive penalty, not {}", settings.penalty);
}

void Admm::run(const Context& context) {
  if (context.blocks.dimension() == 3) {
    run_in<3>(context);
  } else {
    run_in<2>(context);
  }
}

template <int d>
void Admm::run_in(const Context& context) {
  start<d>(context);
  double least = std::numeric_limits<double>::infinity(), mark = least;
  int since_test = 0, since_mark = 0, since_balance = 0, wait = settings_.interval;
  Residuals residuals;
  IterationForecast forecast;
  bool factorized = false;
  for (;;) {
    if (since_test == 0 || since_test >= (context.warm ? warm_test_interval : test_interval) ||
        residuals.change <= context.target.change) {
      since_test = 0;
      const double last = error(context);
      if (last < least) {
        least = last;
        copy_island(context, z_, context.r);
      }
      if (last < 0.9 * mark) {
        mark = last;
        since_mark = 0;
      }
      forecast.tested(context.monitor.iterations(), last);
      if (since_mark > admm_stall_limit) context.monitor.stop(Status::stalled);
      if (last > 1.0 && gives_up(context, forecast)) context.monitor.stop(Status::iteration_limit);
      if (context.monitor.finished(last, island_of(context, z_))) break;
    } else if (context.monitor.interrupted(residuals.change / context.target.change,
                                           island_of(context, z_))) {
      break;
    }
    ++since_test;
    ++since_mark;
    if (++since_balance > wait) {
      since_balance = 0;
      if (change_penalty(context, residuals)) {
        factorized = false;
        wait *= 2;
      }
    }
    if (!factorized && !(factorized = factorize<d>(context))) {
      context.monitor.stop(Status::numerical_error);
      continue;
    }
    solve_motion<d>(context);
    residuals = project<d>(context);
  }
}

// Sets z from r, and the multiplier from its velocities.
template <int d>
void Admm::start(const Context& context) {
  for (Vector* vector : {&z_, &y_, &u_}) vector->resize(context.r.size());
  for (Point* point : {&point_, &kept_})
    for (Vector* vector : {&point->r, &point->z, &point->first, &point->second})
      vector->resize(context.r.size());
  fresh_ = true;
  last_change_ = 0.0;
  copy_island(context, context.r, z_);
  for (int i = context.island.begin; i < context.island.joints; ++i)
    project_on_cone<d>(context.blocks.mu(i), z_.data() + static_cast<Index>(d) * i,
                       z_.data() + static_cast<Index>(d) * i);
  for (int i = context.island.joints; i < context.island.end; ++i)
    for (int a = 0; a < d; ++a) z_[d * i + a] = context.blocks.clamp(i, a, z_[d * i + a]);
  rho_ = start_penalty(context);
  context.blocks.velocities(context.island, z_, u_);
  for (int i = context.island.joints; i < context.island.end; ++i) {
    for (int a = 0; a < d; ++a) {
      const Index row = static_cast<Index>(d) * i + a;
      const double weight = row_weight(context, i, a);
      // The part of u that a bound may have.
      const double x = z_[row] - u_[row] / weight;
      y_[row] = x - context.blocks.clamp(i, a, x);
    }
  }
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    const double* u = u_.data() + static_cast<Index>(d) * i;
    double* y = y_.data() + static_cast<Index>(d) * i;
    // The part of u^ in the dual cone.
    double shifted[d], projected[d];
    for (int a = 0; a < d; ++a) shifted[a] = -u[a];
    shifted[0] -= context.blocks.mu(i) * sliding_speed<d>(u);
    project_on_cone<d>(context.blocks.mu(i), shifted, projected);
    for (int a = 0; a < d; ++a) y[a] = (shifted[a] - projected[a]) / (rho_ * context.blocks.scale(i));
  }
  system_.prepare(context.blocks, context.island, context.threads);
}

// True if Newton's method is cheaper than the predicted iterations.
bool Admm::gives_up(const Context& context, const IterationForecast& forecast) {
  return switch_to_newton_.is_due(context.monitor.iterations(), forecast, context.island.nodes(),
                                  [&] { return system_.cost() / system_.solve_cost(); });
}

template <int d>
bool Admm::factorize(const Context& context) {
  for (int i = context.island.begin; i < context.island.end; ++i) {
    ContactUnknowns& unknowns = system_.unknowns(i);
    unknowns.size = d;
    unknowns.plain = true;
    for (int a = 0; a < d; ++a)
      unknowns.added[a] =
          i < context.island.joints ? rho_ * context.blocks.scale(i) : row_weight(context, i, a);
  }
  ++context.counts.factorizations;
  proven_ = false;
  if (!system_.factorize()) return false;
  motion_.resize(std::max<Index>(motion_.size(), system_.rows()));
  return true;
}

// The weight of (r - z) in the row of a joint.
double Admm::row_weight(const Context& context, int i, int a) const {
  return (context.blocks.is_free(i, a) ? free_share : rho_) * context.blocks.row_scale(i, a);
}

// Computes motion_ <- r.
template <int d>
void Admm::solve_motion(const Context& context) {
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double weight = rho_ * context.blocks.scale(i);
    double* right = motion_.data() + system_.offset(i);
    for (int a = 0; a < d; ++a) right[a] = weight * (z_[first + a] - y_[first + a]) - context.blocks.q(i)[a];
    right[0] -= context.blocks.mu(i) * weight * sliding_speed<d>(y_.data() + first);
  }
  for (int i = context.island.joints; i < context.island.end; ++i) {
    double* right = motion_.data() + system_.offset(i);
    for (int a = 0; a < d; ++a)
      right[a] = row_weight(context, i, a) * (z_[d * i + a] - y_[d * i + a]) - context.blocks.q(i)[a];
  }
  if (proven_) {
    system_.solve_once(motion_.head(system_.rows()));
  } else {
    system_.solve(motion_.head(system_.rows()), 0);
    proven_ = true;
  }
}

// Computes z and y from motion_.
template <int d>
Admm::Residuals Admm::project(const Context& context) {
  double primal = 0.0, dual = 0.0, change = 0.0;
  for (int i = context.island.joints; i < context.island.end; ++i) {
    const double* r = motion_.data() + system_.offset(i);
    for (int a = 0; a < d; ++a) {
      const Index row = static_cast<Index>(d) * i + a;
      const double scale = context.blocks.row_scale(i, a), root = std::sqrt(scale), before = z_[row];
      const double relaxation = context.blocks.is_free(i, a) ? 1.0 : settings_.relaxation;
      const double sum = relaxation * r[a] + (1.0 - relaxation) * before + y_[row];
      const double first = root * rho_ * (y_[row] + r[a] - before);
      z_[row] = context.blocks.clamp(i, a, sum);
      y_[row] = sum - z_[row];
      // Rows without bounds have nothing to do with rho.
      const double share = context.blocks.is_free(i, a) ? 0.0 : 1.0;
      point_.r[row] = share * root * r[a];
      point_.first[row] = share * first;
      point_.z[row] = share * root * z_[row];
      point_.second[row] = share * root * rho_ * y_[row];
      if (share == 0.0) continue;
      const double apart = (r[a] - z_[row]) * (r[a] - z_[row]);
      const double moved = rho_ * rho_ * (z_[row] - before) * (z_[row] - before);
      primal += scale * apart;
      dual += scale * moved;
      change += scale * scale * (apart + moved);
    }
  }
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double scale = context.blocks.scale(i);
    const double* r = motion_.data() + system_.offset(i);
    double* z = z_.data() + first;
    double* y = y_.data() + first;
    double sum[d], before[d];
    for (int a = 0; a < d; ++a) {
      before[a] = z[a];
      sum[a] = settings_.relaxation * r[a] + (1.0 - settings_.relaxation) * z[a] + y[a];
    }
    const double root = std::sqrt(scale);
    for (int a = 0; a < d; ++a) {
      point_.r[first + a] = root * r[a];
      point_.first[first + a] = root * rho_ * (y[a] + r[a] - before[a]);
    }
    project_on_cone<d>(context.blocks.mu(i), sum, z);
    double apart = 0.0, moved = 0.0;
    for (int a = 0; a < d; ++a) {
      y[a] = sum[a] - z[a];
      point_.z[first + a] = root * z[a];
      point_.second[first + a] = root * rho_ * y[a];
      apart += (r[a] - z[a]) * (r[a] - z[a]);
      moved += rho_ * rho_ * (z[a] - before[a]) * (z[a] - before[a]);
    }
    primal += scale * apart;
    dual += scale * moved;
    change += scale * scale * (apart + moved);
  }
  return {std::sqrt(primal), std::sqrt(dual), std::sqrt(change)};
}

double Admm::start_penalty(const Context& context) {
  return settings_.penalty * (context.blocks.dimension() == 2 ? in_plane : 1.0) * spectral_start(context);
}

// sqrt(a b) of the spectrum of D^-1/2 W D^-1/2, estimated by Lanczos' method from the load.
double Admm::spectral_start(const Context& context) {
  const Index d = context.blocks.dimension();
  const Index first = d * context.island.begin, rows = d * context.island.nodes();
  auto now = point_.r.segment(first, rows), last = point_.z.segment(first, rows);
  auto next = u_.segment(first, rows);
  const auto divide_by_root = [&](auto&& v) {
    for (int i = context.island.begin; i < context.island.joints; ++i)
      v.segment(d * (i - context.island.begin), d) /= std::sqrt(context.blocks.scale(i));
    for (int i = context.island.joints; i < context.island.end; ++i)
      for (int a = 0; a < d; ++a)
        v[d * (i - context.island.begin) + a] /= std::sqrt(context.blocks.row_scale(i, a));
  };
  for (int i = context.island.begin; i < context.island.end; ++i)
    for (Index a = 0; a < d; ++a) now[d * (i - context.island.begin) + a] = context.blocks.q(i)[a];
  divide_by_root(now);
  const double norm = now.norm();
  if (!(norm > 0.0 && std::isfinite(norm))) return 1.0;
  now /= norm;
  last.setZero();
  Eigen::Matrix<double, lanczos_steps, 1> diagonal, below;
  double beta = 0.0;
  Index steps = 0;
  while (steps < std::min<Index>(lanczos_steps, rows)) {
    // next = D^-1/2 W D^-1/2 now - beta last
    kept_.r.segment(first, rows) = now;
    divide_by_root(kept_.r.segment(first, rows));
    multiply(context, kept_.r, u_);
    divide_by_root(next);
    next -= beta * last;
    const double alpha = next.dot(now);
    next -= alpha * now;
    diagonal[steps] = alpha;
    ++steps;
    beta = next.norm();
    if (!(beta > 1e-8 * std::abs(diagonal[0])) || steps == lanczos_steps) break;
    below[steps - 1] = beta;
    last = now;
    now = next / beta;
  }
  const SpectrumEnds ends = tridiagonal_spectrum(diagonal.head(steps), below.head(steps - 1));
  const double root = std::sqrt(std::max(ends.smallest, 1e-6 * ends.largest) * ends.largest);
  return root > 0.0 && std::isfinite(root) ? root : 1.0;
}

// Changes rho by the rule. Returns true if rho has changed.
bool Admm::change_penalty(const Context& context, const Residuals& residuals) {
  const bool quick = residuals.change <= quick_fall * last_change_;
  last_change_ = residuals.change;
  if (quick) return false;
  double wanted = rho_;
  if (settings_.rule == PenaltyRule::balance) wanted = balanced_penalty(residuals);
  if (settings_.rule == PenaltyRule::spectral) wanted = spectral_penalty(context);
  const double factor =
      std::exp2(std::round(std::log2(std::clamp(wanted / rho_, 1.0 / largest_change, largest_change))));
  if (factor == 1.0 || !std::isfinite(factor)) return false;
  rho_ *= factor;
  island_of(context, y_) /= factor;
  return true;
}

double Admm::balanced_penalty(const Residuals& residuals) const {
  if (!(residuals.primal > 0.0 && residuals.dual > 0.0)) return rho_;
  const double ratio = residuals.primal / residuals.dual;
  const bool balanced = ratio < settings_.balance && 1.0 / ratio < settings_.balance;
  return balanced ? rho_ : rho_ * std::sqrt(ratio);
}

double Admm::spectral_penalty(const Context& context) {
  double wanted = rho_;
  if (!fresh_) {
    double rr = 0.0, rf = 0.0, ff = 0.0, zz = 0.0, zs = 0.0, ss = 0.0;
    const Index d = context.blocks.dimension();
    for (Index i = d * context.island.begin; i < d * context.island.end; ++i) {
      // The multiplier of the first half falls as r grows. The multiplier of the second half grows with z.
      const double r = point_.r[i] - kept_.r[i], f = kept_.first[i] - point_.first[i];
      const double z = point_.z[i] - kept_.z[i], s = point_.second[i] - kept_.second[i];
      rr += r * r, rf += r * f, ff += f * f;
      zz += z * z, zs += z * s, ss += s * s;
    }
    const double motion = curvature(rr, rf, ff), cones = curvature(zz, zs, ss);
    if (motion > 0.0 && cones > 0.0) {
      wanted = std::sqrt(motion * cones);
    } else if (motion > 0.0 || cones > 0.0) {
      wanted = std::max(motion, cones);
    }
  }
  fresh_ = false;
  std::swap(point_, kept_);
  return wanted;
}

// u = W r of the island.
void Admm::multiply(const Context& context, const Vector& r, Vector& u) {
  context.blocks.velocities(context.island, r, u);
  ++context.counts.products;
  const Index d = context.blocks.dimension();
  for (int i = context.island.begin; i < context.island.end; ++i)
    for (Index a = 0; a < d; ++a) u[d * i + a] -= context.blocks.q(i)[a];
}

double Admm::error(const Context& context) {
  context.blocks.velocities(context.island, z_, u_);
  ++context.counts.products;
  return relative_error(context, z_, u_);
}

}  // namespace slipstick::internal
