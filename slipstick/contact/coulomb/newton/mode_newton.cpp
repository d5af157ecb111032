// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/mode_newton.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr int mode_refinements = 3;
constexpr double mode_residual = 1e-12;
// A contact slides straight on if ||y_T|| / x_N is larger, because its impulse cannot turn it.
constexpr double largest_curvature = 1e12;

}  // namespace

double ModeNewton::start(const CoulombMethod::Context& context, const ScaledIsland& scaled, const Vector& r) {
  for (Vector* vector : {&r_, &u_, &right_side_}) vector->resize(r.size());
  modes_.resize(scaled.contacts().size());
  row_places_.resize(scaled.rows().size());
  scaled.read_impulses(r, x_);
  return evaluate(context, scaled);
}

double ModeNewton::evaluate(const CoulombMethod::Context& context, const ScaledIsland& scaled) {
  scaled.set_impulses(x_, r_);
  context.blocks.velocities(context.island, r_, u_);
  ++context.counts.products;
  scaled.read_velocities(u_, y_);
  return relative_error(context, r_, u_);
}

double ModeNewton::step(const CoulombMethod::Context& context, const ScaledIsland& scaled, double delta) {
  // What a mode prescribes of x is set at once. The unknowns do the rest.
  for (std::size_t i = 0; i < modes_.size(); ++i) choose_mode(scaled, i, delta, context.blocks.has_boxes());
  choose_rows(scaled, delta);
  const double error = evaluate(context, scaled);
  if (!system_.factorize()) return system_.rows() == 0 ? error : infinity;
  ++context.counts.factorizations;
  const int begin = scaled.island().begin;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    double* to = right_side_.data() + system_.offset(begin + static_cast<int>(i));
    const Mode& mode = modes_[i];
    for (int c = 0; c < mode.size; ++c) to[c] = -column(scaled, i, c, false).dot(y_.contacts[i]);
    if (mode.slides && !mode.boxed && mode.size == 2)
      to[1] -= mode.curvature * column(scaled, i, 1, false).dot(x_.contacts[i]);
  }
  const auto place = [&](std::size_t k) { return system_.offset(scaled.rows()[k].node) + row_places_[k]; };
  for (std::size_t k = 0; k < row_places_.size(); ++k)
    if (row_places_[k] >= 0) right_side_[place(k)] = -y_.rows[static_cast<Index>(k)];
  auto right_side = right_side_.head(system_.rows());
  system_.solve_refined(right_side, mode_residual, mode_refinements);
  if (!right_side.allFinite()) return infinity;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const double* v = right_side_.data() + system_.offset(begin + static_cast<int>(i));
    for (int c = 0; c < modes_[i].size; ++c) x_.contacts[i] += v[c] * column(scaled, i, c, true);
  }
  for (std::size_t k = 0; k < row_places_.size(); ++k)
    if (row_places_[k] >= 0) x_.rows[static_cast<Index>(k)] += right_side_[place(k)];
  return evaluate(context, scaled);
}

// Column c of the unknowns or of the equations of a contact, before D.
ConePoint ModeNewton::column(const ScaledIsland& scaled, std::size_t i, int c, bool right) const {
  const Mode& mode = modes_[i];
  if (!mode.slides) return ConePoint::Unit(c);
  if (mode.boxed) {
    ConePoint column = c == 0 ? cone_identity() : ConePoint::Zero();
    for (const int a : {0, 1}) {
      if (mode.places[a] == c) column[a + 1] = 1.0;
      if (mode.places[a] < 0 && c == 0 && right) column[a + 1] = mode.along[a];
    }
    return column;
  }
  if (c == 1) return {0.0, -mode.along[1], mode.along[0]};
  if (!right) return cone_identity();
  return {1.0, -mode.along[0], scaled.dimension() == 3 ? -mode.along[1] : 0.0};
}

void ModeNewton::choose_mode(const ScaledIsland& scaled, std::size_t i, double delta, bool boxes) {
  const ScaledIsland::Contact& scale = scaled.contacts()[i];
  const ConePoint& y = y_.contacts[i];
  ConePoint& x = x_.contacts[i];
  Mode& mode = modes_[i];
  mode.boxed = boxes && scale.size == 3;
  const double speed = std::hypot(y[1], y[2]);
  const double normal = x[0] - y[0] - speed, tangent = std::hypot(x[1] - y[1], x[2] - y[2]);
  mode.slides = false;
  ContactUnknowns& own = system_.unknowns(scaled.island().begin + static_cast<int>(i));
  std::fill_n(own.added, 3, delta);
  if (mode.boxed) {
    choose_box(i);
  } else if (scale.size == 1 ? normal > 0.0 : tangent <= normal) {
    mode.size = scale.size;
  } else if (scale.size == 1 || tangent <= -normal) {
    mode.size = 0;
    x.setZero();
  } else {
    mode.slides = true;
    mode.size = 1;
    for (int a : {0, 1}) mode.along[a] = speed > 0.0 ? y[a + 1] / speed : (a == 0 ? 1.0 : 0.0);
    const double across = mode.along[0] * x[2] - mode.along[1] * x[1];
    for (int a : {0, 1}) x[a + 1] = -x[0] * mode.along[a];
    mode.curvature = speed / std::max(x[0], 1e-300);
    if (scaled.dimension() == 3 && mode.curvature < largest_curvature) {
      mode.size = 2;
      own.added[1] = std::max(mode.curvature, delta);
      x[1] -= across * mode.along[1];
      x[2] += across * mode.along[0];
    }
  }
  own.size = mode.size;
  own.plain = false;
  scaled.set_left(scale, own, [&](int a, int c) { return column(scaled, i, c, false)[a]; });
  scaled.set_right(scale, own, [&](int a, int c) { return column(scaled, i, c, true)[a]; });
}

void ModeNewton::choose_box(std::size_t i) {
  const ConePoint& y = y_.contacts[i];
  ConePoint& x = x_.contacts[i];
  Mode& mode = modes_[i];
  mode.size = 0;
  if (!(x[0] - y[0] > 0.0)) {
    x.setZero();
    return;
  }
  mode.size = 1;
  for (const int a : {0, 1}) {
    const double moved = x[a + 1] - y[a + 1];
    mode.places[a] = std::abs(moved) <= x[0] ? mode.size++ : -1;
    if (mode.places[a] >= 0) continue;
    mode.slides = true;
    mode.along[a] = std::copysign(1.0, moved);
    x[a + 1] = x[0] * mode.along[a];
  }
}

void ModeNewton::choose_rows(const ScaledIsland& scaled, double delta) {
  const Island& island = scaled.island();
  for (int i = island.joints; i < island.end; ++i) system_.unknowns(i).size = 0;
  for (std::size_t k = 0; k < row_places_.size(); ++k) {
    const ScaledIsland::Row& row = scaled.rows()[k];
    double& x = x_.rows[static_cast<Index>(k)];
    const double moved = x - y_.rows[static_cast<Index>(k)];
    const bool inside = row.lower < moved && moved < row.upper;
    row_places_[k] = inside ? system_.unknowns(row.node).size++ : -1;
    if (!inside) x = std::clamp(moved, row.lower, row.upper);
  }
  for (std::size_t k = 0; k < row_places_.size(); ++k) {
    if (row_places_[k] < 0) continue;
    const ScaledIsland::Row& row = scaled.rows()[k];
    ContactUnknowns& own = system_.unknowns(row.node);
    if (row_places_[k] == 0) {
      own.plain = false;
      std::fill_n(own.left, 9, 0.0);
      std::fill_n(own.right, 9, 0.0);
    }
    scaled.set_row(row, row_places_[k], 1.0, own);
    own.added[row_places_[k]] = delta;
  }
}

}  // namespace slipstick::internal
