// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/coulomb_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

// Added to the diagonal of the rows of joints, which may depend on each other. Their d is 1 here.
constexpr double joint_shift = 1e-9;

}  // namespace

void CoulombPath::start(const CoulombMethod::Context& context) {
  system_.prepare(context.blocks, context.island, context.threads);
  // With Unit::normal, packings take twice as many steps and files somewhat fewer.
  scaled_.prepare(context.blocks, context.island, ScaledIsland::Unit::tangent);
  contacts_.assign(scaled_.contacts().size(), {});
  rows_.assign(scaled_.rows().size(), {});
  scaled_.resize(x_);
  for (Vector* vector : {&r_, &u_, &right_side_}) vector->resize(context.r.size());
  list_bounds();
  cones_.assign(contacts_.size() + bounds_.size(), {cone_identity(), cone_identity(), {}});
  targets_.resize(cones_.size());
  row_x_.setZero(static_cast<Index>(rows_.size()));
  put_rows(1.0);
}

void CoulombPath::list_bounds() {
  bounds_.clear();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (scaled_.rows()[k].has_lower()) bounds_.push_back({k, 1.0});
    if (scaled_.rows()[k].has_upper()) bounds_.push_back({k, -1.0});
  }
}

// Calls visit(bound, its cone).
void CoulombPath::for_bounds(const auto& visit) const {
  for (std::size_t k = 0; k < bounds_.size(); ++k) visit(bounds_[k], contacts_.size() + k);
}

// Rows with bounds have x - (z_lower - z_upper) in row_x_. Replaces it by x of the path's point, and sets the
// cones of the bounds.
void CoulombPath::put_rows(double tau) {
  for_bounds([&](const Bound& bound, std::size_t i) {
    const ScaledIsland::Row& row = scaled_.rows()[bound.row];
    const double y = row.slack(bound.sign > 0.0 ? 0 : 1, row_x_[static_cast<Index>(bound.row)], tau);
    cones_[i].x = y * cone_identity();
    cones_[i].z = tau / y * cone_identity();
    cones_[i].scaling = NesterovTodd::scaling_from(cones_[i].x, cones_[i].z);
  });
  for_bounds([&](const Bound& bound, std::size_t i) {
    const ScaledIsland::Row& row = scaled_.rows()[bound.row];
    row_x_[static_cast<Index>(bound.row)] =
        bound.sign > 0.0 ? row.lower + cones_[i].x[0] : row.upper - cones_[i].x[0];
  });
}

void CoulombPath::start_near(const CoulombMethod::Context& context) {
  start(context);
  context.blocks.velocities(context.island, context.r, u_);
  ++context.counts.products;
  const auto shift = [](const ConePoint& y) { return std::hypot(y[1], y[2]); };
  const ScaledIsland::Distance distance = scaled_.read_start(context.r, u_, shift, x_, y_);
  const double tau = std::max(distance.map, 1e-20 * distance.size) / std::max(1, cones());
  for (int i = 0; i < contacts(); ++i) targets_[i] = x_.contacts[i] - y_.contacts[i];
  row_x_ = x_.rows;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const ScaledIsland::Row& row = scaled_.rows()[k];
    const auto at = static_cast<Index>(k);
    if (row.has_lower() || row.has_upper()) row_x_[at] -= y_.rows[at];
  }
  for (int i = 0; i < contacts(); ++i) {
    Cone& cone = cones_[i];
    cone.x = smoothed_projection(targets_[i], tau);
    cone.z = cone.x - targets_[i];
    cone.scaling = NesterovTodd::scaling_from(cone.x, cone.z);
  }
  put_rows(tau);
}

double CoulombPath::gap() const {
  double sum = 0.0;
  for (const Cone& cone : cones_) sum += cone.scaling.lambda().squaredNorm();
  return sum / std::max(1, cones());
}

double CoulombPath::set_residual(const CoulombMethod::Context& context, double smoothing, bool exact) {
  const double share = exact ? smoothing * smoothing : 0.0;  // share of det z in the derivative of s^2
  for (int i = 0; i < contacts(); ++i) x_.contacts[i] = cones_[i].x;
  x_.rows = row_x_;
  scaled_.set_impulses(x_, r_);
  context.blocks.velocities(context.island, r_, u_);
  ++context.counts.products;
  scaled_.read_velocities(u_, y_);
  for (int i = 0; i < contacts(); ++i) {
    Contact& contact = contacts_[i];
    const ConePoint& z = cones_[i].z;
    const double squared = z[1] * z[1] + z[2] * z[2];
    const double s = std::sqrt(squared + smoothing * smoothing * std::max(0.0, cone_determinant(z)));
    for (int a = 0; a < 2; ++a) contact.slope[a] = s > 0.0 ? (1.0 - share) * z[a + 1] / s : 0.0;
    contact.rest = s > 0.0 ? 1.0 - share * z[0] / s : 1.0;
    contact.residual = z - y_.contacts[i];
    contact.residual[0] -= s;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k].residual = -y_.rows[static_cast<Index>(k)];
  for_bounds(
      [&](const Bound& bound, std::size_t i) { rows_[bound.row].residual += bound.sign * cones_[i].z[0]; });
  return relative_error(context, r_, u_);
}

double CoulombPath::residual_norm() const {
  double sum = 0.0;
  for (const Contact& contact : contacts_) sum += contact.residual.squaredNorm();
  for (const Row& row : rows_) sum += row.residual * row.residual;
  return std::sqrt(sum);
}

bool CoulombPath::factorize(const CoulombMethod::Context& context, double shift) {
  for (int i = 0; i < contacts(); ++i) set_unknowns(i, shift);
  set_row_unknowns();
  ++context.counts.factorizations;
  return system_.factorize();
}

// r = D Q (y / divisor) and the rows (D G^-T Q / divisor)' u, plus (L^2 + shift) / divisor^2.
void CoulombPath::set_unknowns(int i, double shift) {
  Contact& contact = contacts_[i];
  const ScaledIsland::Contact& scale = scaled_.contacts()[static_cast<std::size_t>(i)];
  const NesterovTodd& scaling = cones_[i].scaling;
  contact.values = scaling.values();
  contact.frame = scaling.frame();
  if (scale.size == 1) {
    contact.values[0] = scaling.beta();
    contact.frame.setIdentity();
  }
  ContactUnknowns& own = system_.unknowns(scaled_.island().begin + i);
  own.size = scale.size;
  own.plain = false;
  for (int c = 0; c < own.size; ++c) {
    const double square = contact.values[c] * contact.values[c];
    contact.divisor[c] = std::sqrt(1.0 + square);
    own.added[c] = (square + shift) / (1.0 + square);
  }
  const auto& Q = contact.frame;
  scaled_.set_right(scale, own, [&](int a, int c) { return Q(a, c) / contact.divisor[c]; });
  // G^-T = [1 / rest, 0; slope / rest, 1]
  scaled_.set_left(scale, own, [&](int a, int c) {
    const double normal = Q(0, c) / contact.rest;
    return (a == 0 ? normal : Q(a, c) + contact.slope[a - 1] * normal) / contact.divisor[c];
  });
}

void CoulombPath::set_row_unknowns() {
  for (Row& row : rows_) row.squared = 0.0;
  for_bounds([&](const Bound& bound, std::size_t i) {
    const double beta = cones_[i].scaling.beta();
    rows_[bound.row].squared += beta * beta;
  });
  scaled_.clear_rows([&](int node) -> ContactUnknowns& { return system_.unknowns(node); });
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const ScaledIsland::Row& row = scaled_.rows()[k];
    rows_[k].divisor = std::sqrt(1.0 + rows_[k].squared);
    ContactUnknowns& own = system_.unknowns(row.node);
    scaled_.set_row(row, row.place, rows_[k].divisor, own);
    own.added[row.place] = (rows_[k].squared + joint_shift) / (1.0 + rows_[k].squared);
  }
}

bool CoulombPath::solve_targets(double share, Direction& direction) {
  const auto count = cones_.size();
  for (auto* part : {&direction.x, &direction.z, &direction.scaled_x, &direction.scaled_z})
    part->resize(count);
  direction.rows.resize(row_x_.size());
  auto right_side = right_side_.head(system_.rows());
  for (int i = 0; i < contacts(); ++i) {
    const Contact& contact = contacts_[i];
    ConePoint residual = contact.residual;
    residual[0] += contact.slope[0] * residual[1] + contact.slope[1] * residual[2];
    residual[0] /= contact.rest;
    double* to = right_side.data() + offset(i);
    for (int c = 0; c < scaled_.contacts()[i].size; ++c) {
      to[c] = (share * contact.frame.col(c).dot(residual) +
               contact.values[c] * contact.frame.col(c).dot(targets_[i])) /
              contact.divisor[c];
    }
  }
  const auto row_offset = [&](std::size_t k) { return offset(scaled_.rows()[k]); };
  for (std::size_t k = 0; k < rows_.size(); ++k) right_side[row_offset(k)] = share * rows_[k].residual;
  for_bounds([&](const Bound& bound, std::size_t i) {
    right_side[row_offset(bound.row)] += bound.sign * cones_[i].scaling.beta() * targets_[i][0];
  });
  for (std::size_t k = 0; k < rows_.size(); ++k) right_side[row_offset(k)] /= rows_[k].divisor;
  system_.solve(right_side, 1);
  if (!right_side.allFinite()) return false;
  for (int i = 0; i < contacts(); ++i) {
    const Contact& contact = contacts_[i];
    const int size = scaled_.contacts()[i].size;
    const double* y = right_side.data() + offset(i);
    ConePoint dx = ConePoint::Zero(), scaled = ConePoint::Zero();
    for (int c = 0; c < size; ++c) {
      const double v = y[c] / contact.divisor[c];
      dx += v * contact.frame.col(c);
      scaled += contact.values[c] * v * contact.frame.col(c);
    }
    for (int a = size; a < 3; ++a) dx[a] = scaled[a] = 0.0;
    direction.x[i] = dx;
    direction.scaled_x[i] = scaled;
    direction.scaled_z[i] = targets_[i] - scaled;
    direction.z[i] = cones_[i].scaling.apply(direction.scaled_z[i]);
  }
  for (std::size_t k = 0; k < rows_.size(); ++k)
    direction.rows[static_cast<Index>(k)] = right_side[row_offset(k)] / rows_[k].divisor;
  for_bounds([&](const Bound& bound, std::size_t i) {
    direction.x[i] = bound.sign * direction.rows[static_cast<Index>(bound.row)] * cone_identity();
    direction.scaled_x[i] = cones_[i].scaling.apply(direction.x[i]);
    direction.scaled_z[i] = targets_[i] - direction.scaled_x[i];
    direction.z[i] = cones_[i].scaling.apply(direction.scaled_z[i]);
  });
  return true;
}

double CoulombPath::max_step(const Direction& direction) const {
  double step = std::numeric_limits<double>::infinity();
  for (int i = 0; i < cones(); ++i) {
    const ConePoint& lambda = cones_[i].scaling.lambda();
    step = std::min({step, internal::max_step(lambda, direction.scaled_x[i]),
                     internal::max_step(lambda, direction.scaled_z[i])});
  }
  return step;
}

double CoulombPath::gap_after(const Direction& direction, double step) const {
  double sum = 0.0;
  for (int i = 0; i < cones(); ++i) {
    const ConePoint& lambda = cones_[i].scaling.lambda();
    sum += (lambda + step * direction.scaled_x[i]).dot(lambda + step * direction.scaled_z[i]);
  }
  return sum / std::max(1, cones());
}

bool CoulombPath::stays_central(const Direction& direction, double step, double share) const {
  const double least = share * gap_after(direction, step);
  for (int i = 0; i < cones(); ++i) {
    const ConePoint& lambda = cones_[i].scaling.lambda();
    const double det_x = cone_determinant(lambda + step * direction.scaled_x[i]);
    const double det_z = cone_determinant(lambda + step * direction.scaled_z[i]);
    if (!(det_x > 0.0 && det_z > 0.0 && std::sqrt(det_x) * std::sqrt(det_z) >= least)) return false;
  }
  return true;
}

void CoulombPath::step(const Direction& direction, double length) {
  for (int i = 0; i < cones(); ++i) {
    Cone& cone = cones_[i];
    const ConePoint lambda = cone.scaling.lambda();
    cone.x += length * direction.x[i];
    cone.z += length * direction.z[i];
    cone.scaling.update(lambda + length * direction.scaled_x[i], lambda + length * direction.scaled_z[i]);
  }
  row_x_ += length * direction.rows;
}

void CoulombPath::scale(Direction& direction, double factor) const {
  for (auto* part : {&direction.x, &direction.z, &direction.scaled_x, &direction.scaled_z})
    for (ConePoint& point : *part) point *= factor;
  direction.rows *= factor;
}

void CoulombPath::add(const Direction& direction, double factor, Direction& to) const {
  for (std::size_t i = 0; i < to.x.size(); ++i) {
    to.x[i] += factor * direction.x[i];
    to.z[i] += factor * direction.z[i];
    to.scaled_x[i] += factor * direction.scaled_x[i];
    to.scaled_z[i] += factor * direction.scaled_z[i];
  }
  to.rows += factor * direction.rows;
}

void CoulombPath::keep(std::vector<Cone>& cones, Vector& rows) const {
  cones = cones_;
  rows = row_x_;
}

void CoulombPath::restore(const std::vector<Cone>& cones, const Vector& rows) {
  cones_ = cones;
  row_x_ = rows;
}

}  // namespace slipstick::internal
