// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/extragradient.hpp"

#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/problems/cone_lanes.hpp"

namespace slipstick::internal {
namespace {

// The method stalls if the error does not fall by a tenth in this many iterations.
constexpr int extragradient_stall_limit = 5000;

}  // namespace

Extragradient::Extragradient(const ExtragradientSettings& settings) : settings_(settings) {
  if (!(settings.lower < settings.upper))
    fail("eg needs lower < upper, not {} and {}", settings.lower, settings.upper);
}

void Extragradient::run(const Context& context) {
  if (context.blocks.dimension() == 3) {
    run_in<3>(context);
  } else {
    run_in<2>(context);
  }
}

template <int d>
void Extragradient::run_in(const Context& context) {
  prepare(context);
  double rho = 1.0, least = std::numeric_limits<double>::infinity(), mark = least;
  int since_mark = 0;
  for (;;) {
    const double error = evaluate(context, now_, true);
    if (error < least) {
      least = error;
      copy_island(context, now_.r, context.r);
    }
    ++since_mark;
    if (error < 0.9 * mark) {
      mark = error;
      since_mark = 0;
    }
    if (since_mark > extragradient_stall_limit || rho < 1e-12) context.monitor.stop(Status::stalled);
    if (context.monitor.finished(error, island_of(context, now_.r))) break;

    double ratio = 0.0;
    for (;;) {
      step<d>(context, rho, now_, now_, middle_);
      evaluate(context, middle_, false);
      ratio = rho * change_ratio(context, now_, middle_);
      if (!(ratio > settings_.upper) || rho < 1e-12) break;
      rho *= settings_.shrink * std::min(1.0, settings_.upper / ratio);
    }
    step<d>(context, rho, now_, middle_, now_);
    if (ratio < settings_.lower) rho /= settings_.shrink;
  }
}

void Extragradient::prepare(const Context& context) {
  for (Point* point : {&now_, &middle_}) {
    point->r.resize(context.r.size());
    point->F.resize(context.r.size());
  }
  copy_island(context, context.r, now_.r);
}

// Computes F of a point. If `with_error`, also computes the error, from u before the shift.
double Extragradient::evaluate(const Context& context, Point& point, bool with_error) {
  context.blocks.velocities(context.island, point.r, point.F);
  ++context.counts.products;
  const double error = with_error ? relative_error(context, point.r, point.F) : 0.0;
  const int d = context.blocks.dimension();
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    double* u = point.F.data() + static_cast<Index>(d) * i;
    u[0] += context.blocks.mu(i) * (d == 3 ? sliding_speed<3>(u) : sliding_speed<2>(u));
  }
  return error;
}

// to <- P(from - rho D^-1 F(slope))
template <int d>
void Extragradient::step(const Context& context, double rho, const Point& from, const Point& slope,
                         Point& to) const {
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double length = rho / context.blocks.scale(i);
    double x[d];
    for (int a = 0; a < d; ++a) x[a] = from.r[first + a] - length * slope.F[first + a];
    project_on_cone<d>(context.blocks.mu(i), x, to.r.data() + first);
  }
  for (int i = context.island.joints; i < context.island.end; ++i) {
    for (int a = 0; a < d; ++a) {
      const Index row = static_cast<Index>(d) * i + a;
      to.r[row] =
          context.blocks.clamp(i, a, from.r[row] - rho / context.blocks.row_scale(i, a) * slope.F[row]);
    }
  }
}

// ||F(a) - F(b)|| / ||a - b|| in the norms of D^-1 and D.
double Extragradient::change_ratio(const Context& context, const Point& a, const Point& b) const {
  const int d = context.blocks.dimension();
  double slopes = 0.0, points = 0.0;
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    const Index first = static_cast<Index>(d) * i;
    const double scale = context.blocks.scale(i);
    slopes += (a.F.segment(first, d) - b.F.segment(first, d)).squaredNorm() / scale;
    points += (a.r.segment(first, d) - b.r.segment(first, d)).squaredNorm() * scale;
  }
  for (int i = context.island.joints; i < context.island.end; ++i) {
    for (int k = 0; k < d; ++k) {
      const Index row = static_cast<Index>(d) * i + k;
      const double slope = a.F[row] - b.F[row], point = a.r[row] - b.r[row];
      slopes += slope * slope / context.blocks.row_scale(i, k);
      points += point * point * context.blocks.row_scale(i, k);
    }
  }
  return slopes == 0.0 ? 0.0 : std::sqrt(slopes / points);
}

}  // namespace slipstick::internal
