// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/extragradient.hpp"

#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/problems/cone_lanes.hpp"

namespace slipstick {
namespace {

// Iterations without a fall of the error by a tenth that count as stalled.
constexpr int extragradient_patience = 5000;

}  // namespace

Extragradient::Extragradient(const ExtragradientSettings& settings) : settings_(settings) {
  if (!(settings.lower < settings.upper))
    fail("eg needs lower < upper, not {} and {}", settings.lower, settings.upper);
}

void Extragradient::run(const Run& run) {
  if (run.blocks.dimension() == 3) {
    run_in<3>(run);
  } else {
    run_in<2>(run);
  }
}

template <int d>
void Extragradient::run_in(const Run& run) {
  prepare(run);
  double rho = 1.0, least = std::numeric_limits<double>::infinity(), mark = least;
  int since_mark = 0;
  for (;;) {
    const double error = evaluate(run, now_, true);
    if (error < least) {
      least = error;
      copy_piece(run, now_.r, now_.l, run.r, run.l);
    }
    ++since_mark;
    if (error < 0.9 * mark) {
      mark = error;
      since_mark = 0;
    }
    if (since_mark > extragradient_patience || rho < 1e-12) run.monitor.stop(Status::stalled);
    if (run.monitor.finished(error, piece_of(run, now_.r))) break;

    double ratio = 0.0;
    for (;;) {
      step<d>(run, rho, now_, now_, middle_);
      evaluate(run, middle_, false);
      ratio = rho * change_ratio(run, now_, middle_);
      if (!(ratio > settings_.upper) || rho < 1e-12) break;
      rho *= settings_.shrink * std::min(1.0, settings_.upper / ratio);
    }
    step<d>(run, rho, now_, middle_, now_);
    if (ratio < settings_.lower) rho /= settings_.shrink;
  }
}

void Extragradient::prepare(const Run& run) {
  for (Point* point : {&now_, &middle_}) {
    point->r.resize(run.r.size());
    point->l.resize(run.l.size());
    point->F.resize(run.r.size());
    point->residual.resize(run.l.size());
  }
  copy_piece(run, run.r, run.l, now_.r, now_.l);
  diagonal_.resize(run.l.size());
  for (int k = run.piece.first_row; k < run.piece.last_row; ++k) diagonal_[k] = entry(run.blocks.R(), k, k);
}

// F of a point; the error, where it is asked for, from u before the shift.
double Extragradient::evaluate(const Run& run, Point& point, bool with_error) {
  run.blocks.velocities(run.piece, point.r, point.l, point.F, point.residual);
  ++run.counts.products;
  const double error = with_error ? relative_error(run, point.r, point.F, point.residual) : 0.0;
  const int d = run.blocks.dimension();
  for (int i = run.piece.begin; i < run.piece.end; ++i) {
    double* u = point.F.data() + static_cast<Index>(d) * i;
    u[0] += run.blocks.mu(i) * (d == 3 ? sliding_speed<3>(u) : sliding_speed<2>(u));
  }
  return error;
}

// to <- P(from - rho D^-1 F(slope))
template <int d>
void Extragradient::step(const Run& run, double rho, const Point& from, const Point& slope, Point& to) const {
  for (int i = run.piece.begin; i < run.piece.end; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double length = rho / run.blocks.scale(i);
    double x[d];
    for (int a = 0; a < d; ++a) x[a] = from.r[first + a] - length * slope.F[first + a];
    project_on_cone<d>(run.blocks.mu(i), x, to.r.data() + first);
  }
  for (int k = run.piece.first_row; k < run.piece.last_row; ++k)
    to.l[k] = from.l[k] - (diagonal_[k] > 0.0 ? rho / diagonal_[k] * slope.residual[k] : 0.0);
}

// ||F(a) - F(b)|| / ||a - b|| in the norms of D^-1 and D.
double Extragradient::change_ratio(const Run& run, const Point& a, const Point& b) const {
  const int d = run.blocks.dimension();
  double slopes = 0.0, points = 0.0;
  for (int i = run.piece.begin; i < run.piece.end; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double scale = run.blocks.scale(i);
    slopes += (a.F.segment(first, d) - b.F.segment(first, d)).squaredNorm() / scale;
    points += (a.r.segment(first, d) - b.r.segment(first, d)).squaredNorm() * scale;
  }
  for (int k = run.piece.first_row; k < run.piece.last_row; ++k) {
    if (!(diagonal_[k] > 0.0)) continue;
    const double slope = a.residual[k] - b.residual[k], point = a.l[k] - b.l[k];
    slopes += slope * slope / diagonal_[k];
    points += point * point * diagonal_[k];
  }
  return slopes == 0.0 ? 0.0 : std::sqrt(slopes / points);
}

}  // namespace slipstick
