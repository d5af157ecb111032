// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/admm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/contact/cone_projection.hpp"

namespace slipstick {
namespace {

// Iterations without a fall of the error by a tenth that count as stalled.
constexpr int patience = 2000;
// Iterations after which the error is computed at the latest.
constexpr int test_interval = 10;
// Share of R_kk that is added to bilateral rows.
constexpr double row_share = 1e-6;

}  // namespace

Admm::Admm(const AdmmSettings& settings) : settings_(settings) {
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
  bool factorized = false;
  for (;;) {
    if (since_test == 0 || since_test >= test_interval || residuals.change <= run.target.change()) {
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
      if (since_mark > patience) run.monitor.stop(Status::stalled);
      if (run.monitor.finished(last, piece_of(run, z_))) break;
    } else if (run.monitor.interrupted(residuals.change / run.target.change(), piece_of(run, z_))) {
      break;
    }
    ++since_test;
    ++since_mark;
    if (++since_balance > wait && balance(run, residuals)) {
      factorized = false;
      since_balance = 0;
      wait *= 2;
    }
    if (!factorized && !(factorized = factorize<d>(run))) {
      run.monitor.stop(Status::numerical_error);
      continue;
    }
    solve_motion<d>(run);
    residuals = project<d>(run);
  }
}

// z from r, and the multiplier of its velocities.
template <int d>
void Admm::start(const Run& run) {
  for (Vector* vector : {&z_, &y_, &u_}) vector->resize(run.r.size());
  for (Vector* vector : {&l_, &residual_, &diagonal_}) vector->resize(run.l.size());
  copy_piece(run, run.r, run.l, z_, l_);
  for (int k = run.piece.first_row; k < run.piece.last_row; ++k) diagonal_[k] = entry(run.blocks.R(), k, k);
  rho_ = settings_.penalty;
  for (int i = run.piece.begin; i < run.piece.end; ++i)
    project_on_cone<d>(run.blocks.mu(i), z_.data() + static_cast<Index>(d) * i,
                       z_.data() + static_cast<Index>(d) * i);
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
  system_.solve(motion_.head(system_.rows()), 0);
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
    project_on_cone<d>(run.blocks.mu(i), sum, z);
    double apart = 0.0, moved = 0.0;
    for (int a = 0; a < d; ++a) {
      y[a] = sum[a] - z[a];
      apart += (r[a] - z[a]) * (r[a] - z[a]);
      moved += rho_ * rho_ * (z[a] - before[a]) * (z[a] - before[a]);
    }
    primal += scale * apart;
    dual += scale * moved;
    change += scale * scale * (apart + moved);
  }
  return {std::sqrt(primal), std::sqrt(dual), std::sqrt(change)};
}

// Whether rho changes.
bool Admm::balance(const Run& run, const Residuals& residuals) {
  if (settings_.balance == 0.0 || !(residuals.primal > 0.0 && residuals.dual > 0.0)) return false;
  const double ratio = residuals.primal / residuals.dual;
  if (ratio < settings_.balance && 1.0 / ratio < settings_.balance) return false;
  constexpr double most = 16.0;
  const double factor =
      std::exp2(std::round(0.5 * std::log2(std::clamp(ratio, 1.0 / (most * most), most * most))));
  if (factor == 1.0) return false;
  rho_ *= factor;
  const Index d = run.blocks.dimension();
  y_.segment(d * run.piece.begin, d * run.piece.contacts()) /= factor;
  return true;
}

double Admm::error(const Run& run) {
  run.blocks.velocities(run.piece, z_, l_, u_, residual_);
  ++run.counts.products;
  return relative_error(run, z_, u_, residual_);
}

}  // namespace slipstick
