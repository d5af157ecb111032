// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/admm.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/problems/cone_lanes.hpp"

namespace slipstick {
namespace {

// Iterations without a fall of the error by a tenth that count as stalled.
constexpr int admm_patience = 2000;
// Iterations after which the error is computed at the latest, and near the solution.
constexpr int test_interval = 10, warm_test_interval = 4;
// Share of R_kk that is added to bilateral rows.
constexpr double row_share = 1e-6;
// Steps of Lanczos' method, and what the penalty is kept within.
constexpr int lanczos_steps = 12;
constexpr double largest_change = 16.0;
// Times the penalty in the plane, where cones have no curvature.
constexpr double in_plane = 2.5;
// A fall of the residuals between two looks that leaves the penalty as it is.
constexpr double quick_fall = 0.1;
// Correlation of changes that makes a curvature.
constexpr double least_correlation = 0.2;

// The curvature of changes of a variable and of its multiplier (Xu et al. 2017, eq. 25), 0 where they do not
// correlate: of the two steps of Barzilai and Borwein the shorter one, or a mixture.
double curvature(double variable, double mixed, double multiplier) {
  if (!(mixed > least_correlation * std::sqrt(variable) * std::sqrt(multiplier))) return 0.0;
  const double steepest = multiplier / mixed, minimal = mixed / variable;
  return 2.0 * minimal > steepest ? minimal : steepest - 0.5 * minimal;
}

}  // namespace

Admm::Admm(const AdmmSettings& settings, const Patience& admm_patience, SharedSystem system)
    : settings_(settings), patience_(admm_patience), shared_(std::move(system)), system_(*shared_) {
  if (!(settings.relaxation > 0.0 && settings.relaxation < 2.0))
    fail("admm needs a relaxation between 0 and 2 (exclusive), not {}", settings.relaxation);
  if (!(settings.penalty > 0.0)) fail("admm needs a positive penalty, not {}", settings.penalty);
}

void Admm::run(const Run& run) {
  if (run.blocks.dimension() == 3) {
    run_in<3>(run);
  } else {
    run_in<2>(run);
  }
}

template <int d>
void Admm::run_in(const Run& run) {
  start<d>(run);
  double least = std::numeric_limits<double>::infinity(), mark = least;
  int since_test = 0, since_mark = 0, since_balance = 0, wait = settings_.interval;
  Residuals residuals;
  Outlook outlook;
  bool factorized = false;
  for (;;) {
    if (since_test == 0 || since_test >= (run.warm ? warm_test_interval : test_interval) ||
        residuals.change <= run.target.change) {
      since_test = 0;
      const double last = error(run);
      if (last < least) {
        least = last;
        copy_piece(run, z_, l_, run.r, run.l);
      }
      if (last < 0.9 * mark) {
        mark = last;
        since_mark = 0;
      }
      outlook.tested(run.monitor.iterations(), last);
      if (since_mark > admm_patience) run.monitor.stop(Status::stalled);
      if (last > 1.0 && gives_up(run, outlook)) run.monitor.stop(Status::iteration_limit);
      if (run.monitor.finished(last, piece_of(run, z_))) break;
    } else if (run.monitor.interrupted(residuals.change / run.target.change, piece_of(run, z_))) {
      break;
    }
    ++since_test;
    ++since_mark;
    if (++since_balance > wait) {
      since_balance = 0;
      if (change_penalty(run, residuals)) {
        factorized = false;
        wait *= 2;
      }
    }
    if (!factorized && !(factorized = factorize<d>(run))) {
      run.monitor.stop(Status::numerical_error);
      continue;
    }
    solve_motion<d>(run);
    residuals = project<d>(run);
  }
  penalties_[static_cast<std::size_t>(run.piece.begin)] = {run.blocks.version(), rho_};
}

// z from r, and the multiplier of its velocities.
template <int d>
void Admm::start(const Run& run) {
  for (Vector* vector : {&z_, &y_, &u_}) vector->resize(run.r.size());
  for (Vector* vector : {&l_, &residual_, &diagonal_}) vector->resize(run.l.size());
  for (Point* point : {&point_, &kept_})
    for (Vector* vector : {&point->r, &point->z, &point->first, &point->second}) vector->resize(run.r.size());
  fresh_ = true;
  last_change_ = 0.0;
  copy_piece(run, run.r, run.l, z_, l_);
  for (int k = run.piece.first_row; k < run.piece.last_row; ++k) diagonal_[k] = entry(run.blocks.R(), k, k);
  for (int i = run.piece.begin; i < run.piece.end; ++i)
    project_on_cone<d>(run.blocks.mu(i), z_.data() + static_cast<Index>(d) * i,
                       z_.data() + static_cast<Index>(d) * i);
  rho_ = start_penalty(run);
  run.blocks.velocities(run.piece, z_, l_, u_, residual_);
  for (int i = run.piece.begin; i < run.piece.end; ++i) {
    const double* u = u_.data() + static_cast<Index>(d) * i;
    double* y = y_.data() + static_cast<Index>(d) * i;
    // What z keeps of it: u^ in the dual cone.
    double shifted[d], projected[d];
    for (int a = 0; a < d; ++a) shifted[a] = -u[a];
    shifted[0] -= run.blocks.mu(i) * sliding_speed<d>(u);
    project_on_cone<d>(run.blocks.mu(i), shifted, projected);
    for (int a = 0; a < d; ++a) y[a] = (shifted[a] - projected[a]) / (rho_ * run.blocks.scale(i));
  }
  system_.prepare(run.blocks, run.piece);
}

// Newton's method is cheaper than what lies ahead.
bool Admm::gives_up(const Run& run, const Outlook& outlook) {
  return patience_.ends(run.monitor.iterations(), outlook, run.piece.contacts(),
                        [&] { return system_.cost() / system_.solve_cost(); });
}

template <int d>
bool Admm::factorize(const Run& run) {
  for (int i = run.piece.begin; i < run.piece.end; ++i) {
    ContactUnknowns& unknowns = system_.unknowns(i);
    unknowns.size = d;
    unknowns.plain = true;
    for (int a = 0; a < d; ++a) unknowns.added[a] = rho_ * run.blocks.scale(i);
  }
  for (int k = run.piece.first_row; k < run.piece.last_row; ++k)
    system_.row_shift(k) = diagonal_[k] > 0.0 ? row_share * diagonal_[k] : 1.0;
  ++run.counts.factorizations;
  proven_ = false;
  if (!system_.factorize()) return false;
  motion_.resize(std::max<Index>(motion_.size(), system_.rows()));
  return true;
}

// motion_ <- r and l. A row that nothing moves keeps its l.
template <int d>
void Admm::solve_motion(const Run& run) {
  for (int i = run.piece.begin; i < run.piece.end; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double weight = rho_ * run.blocks.scale(i);
    double* right = motion_.data() + system_.offset(i);
    for (int a = 0; a < d; ++a) right[a] = weight * (z_[first + a] - y_[first + a]) - run.blocks.q(i)[a];
    right[0] -= run.blocks.mu(i) * weight * sliding_speed<d>(y_.data() + first);
  }
  for (int k = run.piece.first_row; k < run.piece.last_row; ++k)
    motion_[system_.row_offset(k)] =
        diagonal_[k] > 0.0 ? row_share * diagonal_[k] * l_[k] - run.blocks.s()[k] : l_[k];
  if (proven_) {
    system_.solve_once(motion_.head(system_.rows()));
  } else {
    system_.solve(motion_.head(system_.rows()), 0);
    proven_ = true;
  }
  for (int k = run.piece.first_row; k < run.piece.last_row; ++k) l_[k] = motion_[system_.row_offset(k)];
}

// z and y from motion_.
template <int d>
Admm::Residuals Admm::project(const Run& run) {
  double primal = 0.0, dual = 0.0, change = 0.0;
  for (int i = run.piece.begin; i < run.piece.end; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double scale = run.blocks.scale(i);
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
    project_on_cone<d>(run.blocks.mu(i), sum, z);
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

// Near the solution of a problem with the same matrix the penalty that it ended with.
double Admm::start_penalty(const Run& run) {
  const auto contacts = static_cast<std::size_t>(run.blocks.contacts());
  if (penalties_.size() <= contacts) penalties_.resize(contacts + 1);
  const Penalty& last = penalties_[static_cast<std::size_t>(run.piece.begin)];
  if (run.warm && last.version == run.blocks.version()) return last.rho;
  return settings_.penalty * (run.blocks.dimension() == 2 ? in_plane : 1.0) * spectral_start(run);
}

// sqrt(a b) of the spectrum of D^-1/2 W D^-1/2 as Lanczos' method sees it from the load.
double Admm::spectral_start(const Run& run) {
  using Tridiagonal = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, lanczos_steps, lanczos_steps>;
  const Index d = run.blocks.dimension();
  const Index first = d * run.piece.begin, rows = d * run.piece.contacts();
  auto now = point_.r.segment(first, rows), last = point_.z.segment(first, rows);
  auto next = u_.segment(first, rows);
  const auto divide_by_root = [&](auto&& v) {
    for (int i = run.piece.begin; i < run.piece.end; ++i)
      v.segment(d * (i - run.piece.begin), d) /= std::sqrt(run.blocks.scale(i));
  };
  for (int i = run.piece.begin; i < run.piece.end; ++i)
    for (Index a = 0; a < d; ++a) now[d * (i - run.piece.begin) + a] = run.blocks.q(i)[a];
  divide_by_root(now);
  const double norm = now.norm();
  if (!(norm > 0.0 && std::isfinite(norm))) return 1.0;
  now /= norm;
  last.setZero();
  Tridiagonal t = Tridiagonal::Zero(lanczos_steps, lanczos_steps);
  double beta = 0.0;
  Index steps = 0;
  while (steps < std::min<Index>(lanczos_steps, rows)) {
    // next = D^-1/2 W D^-1/2 now - beta last
    kept_.r.segment(first, rows) = now;
    divide_by_root(kept_.r.segment(first, rows));
    multiply(run, kept_.r, u_);
    divide_by_root(next);
    next -= beta * last;
    const double alpha = next.dot(now);
    next -= alpha * now;
    t(steps, steps) = alpha;
    ++steps;
    beta = next.norm();
    if (!(beta > 1e-8 * std::abs(t(0, 0))) || steps == lanczos_steps) break;
    t(steps, steps - 1) = t(steps - 1, steps) = beta;
    last = now;
    now = next / beta;
  }
  if (steps < lanczos_steps && steps > 0) t.conservativeResize(steps, steps);
  const Eigen::SelfAdjointEigenSolver<Tridiagonal> spectrum(t, Eigen::EigenvaluesOnly);
  const double high = spectrum.eigenvalues()[steps - 1];
  const double low = std::max(spectrum.eigenvalues()[0], 1e-6 * high);
  const double root = std::sqrt(low * high);
  return root > 0.0 && std::isfinite(root) ? root : 1.0;
}

// Whether rho changes.
bool Admm::change_penalty(const Run& run, const Residuals& residuals) {
  const bool quick = residuals.change <= quick_fall * last_change_;
  last_change_ = residuals.change;
  if (quick) return false;
  double wanted = rho_;
  if (settings_.rule == PenaltyRule::balance) wanted = balanced_penalty(residuals);
  if (settings_.rule == PenaltyRule::spectral) wanted = spectral_penalty(run);
  const double factor =
      std::exp2(std::round(std::log2(std::clamp(wanted / rho_, 1.0 / largest_change, largest_change))));
  if (factor == 1.0 || !std::isfinite(factor)) return false;
  rho_ *= factor;
  const Index d = run.blocks.dimension();
  y_.segment(d * run.piece.begin, d * run.piece.contacts()) /= factor;
  return true;
}

double Admm::balanced_penalty(const Residuals& residuals) const {
  if (!(residuals.primal > 0.0 && residuals.dual > 0.0)) return rho_;
  const double ratio = residuals.primal / residuals.dual;
  const bool balanced = ratio < settings_.balance && 1.0 / ratio < settings_.balance;
  return balanced ? rho_ : rho_ * std::sqrt(ratio);
}

double Admm::spectral_penalty(const Run& run) {
  double wanted = rho_;
  if (!fresh_) {
    double rr = 0.0, rf = 0.0, ff = 0.0, zz = 0.0, zs = 0.0, ss = 0.0;
    const Index d = run.blocks.dimension();
    for (Index i = d * run.piece.begin; i < d * run.piece.end; ++i) {
      // The first half's multiplier falls as r grows, the second's grows with z.
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

// u = W r of the piece.
void Admm::multiply(const Run& run, const Vector& r, Vector& u) {
  l_zero_.setZero(run.l.size());
  run.blocks.velocities(run.piece, r, l_zero_, u, residual_);
  ++run.counts.products;
  const Index d = run.blocks.dimension();
  for (int i = run.piece.begin; i < run.piece.end; ++i)
    for (Index a = 0; a < d; ++a) u[d * i + a] -= run.blocks.q(i)[a];
}

double Admm::error(const Run& run) {
  run.blocks.velocities(run.piece, z_, l_, u_, residual_);
  ++run.counts.products;
  return relative_error(run, z_, u_, residual_);
}

}  // namespace slipstick
