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
  const ContactBlocks& blocks = context.blocks;
  island_ = context.island;
  dimension_ = blocks.dimension();
  system_.prepare(blocks, island_);
  const auto count = static_cast<std::size_t>(island_.contacts());
  contacts_.assign(count, {});
  double sum = 0.0;
  for (int i = 0; i < contacts(); ++i) {
    Contact& contact = contacts_[i];
    const double mu = blocks.mu(island_.begin + i);
    contact.tangent = 1.0 / std::sqrt(blocks.scale(island_.begin + i));
    contact.normal = mu > 0.0 ? contact.tangent / mu : contact.tangent;
    contact.size = mu > 0.0 ? dimension_ : 1;
    const double* q = blocks.q(island_.begin + i);
    sum += contact.normal * q[0] * contact.normal * q[0];
    for (int a = 1; a < contact.size; ++a) sum += contact.tangent * q[a] * contact.tangent * q[a];
  }
  list_rows(blocks);
  for (const JointRow& row : joint_rows_) {
    const double load = row.scale * blocks.q(row.node)[row.row];
    sum += load * load;
  }
  unit_ = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, count + joint_rows_.size())));
  if (!(unit_ > 0.0 && std::isfinite(unit_))) unit_ = 1.0;
  for (Vector* vector : {&r_, &u_, &right_side_}) vector->resize(context.r.size());
  list_bounds();
  cones_.assign(count + bounds_.size(), {cone_identity(), cone_identity(), {}});
  targets_.resize(cones_.size());
  rows_.setZero(static_cast<Index>(joint_rows_.size()));
  put_rows(1.0);
}

// Lists the rows of joints that are unknowns.
void CoulombPath::list_rows(const ContactBlocks& blocks) {
  joint_rows_.clear();
  for (int i = island_.joints; i < island_.end; ++i) {
    for (int a = 0; a < dimension_; ++a) {
      const double lower = blocks.lower(i, a), upper = blocks.upper(i, a);
      if (lower < upper) joint_rows_.push_back({i, a, 1.0 / std::sqrt(blocks.row_scale(i, a)), lower, upper});
    }
  }
}

// Lists the bounds, in units of x.
void CoulombPath::list_bounds() {
  bounds_.clear();
  for (std::size_t k = 0; k < joint_rows_.size(); ++k) {
    JointRow& row = joint_rows_[k];
    row.lower /= unit_ * row.scale;
    row.upper /= unit_ * row.scale;
    if (row.lower > -infinity) bounds_.push_back({static_cast<Index>(k), 1.0});
    if (row.upper < infinity) bounds_.push_back({static_cast<Index>(k), -1.0});
  }
}

// Calls visit(bound, its row, its cone).
void CoulombPath::for_bounds(const auto& visit) {
  for (std::size_t k = 0; k < bounds_.size(); ++k)
    visit(bounds_[k], joint_rows_[static_cast<std::size_t>(bounds_[k].row)], contacts_.size() + k);
}

// Rows with bounds have x - (z_lower - z_upper) in rows_. Replaces it by x of the path's point, and sets the
// cones of the bounds.
void CoulombPath::put_rows(double tau) {
  for_bounds([&](const Bound& bound, const JointRow& row, std::size_t i) {
    const bool both = row.lower > -infinity && row.upper < infinity;
    const double wanted = rows_[bound.row];
    const double y = smoothed_projection(bound.sign > 0.0 ? wanted - row.lower : row.upper - wanted,
                                         both ? row.upper - row.lower : 0.0, tau);
    cones_[i].x = y * cone_identity();
    cones_[i].z = tau / y * cone_identity();
    cones_[i].scaling = NesterovTodd::scaling_from(cones_[i].x, cones_[i].z);
  });
  for_bounds([&](const Bound& bound, const JointRow& row, std::size_t i) {
    rows_[bound.row] = bound.sign > 0.0 ? row.lower + cones_[i].x[0] : row.upper - cones_[i].x[0];
  });
}

void CoulombPath::start_near(const CoulombMethod::Context& context) {
  start(context);
  context.blocks.velocities(island_, context.r, u_);
  ++context.counts.products;
  double error = 0.0, size = 0.0;
  for (int i = 0; i < contacts(); ++i) {
    const Contact& contact = contacts_[i];
    const Index first = static_cast<Index>(dimension_) * (island_.begin + i);
    ConePoint x = ConePoint::Zero(), z = ConePoint::Zero();
    for (int a = 0; a < contact.size; ++a) {
      const double unit = unit_ * (a == 0 ? contact.normal : contact.tangent);
      x[a] = context.r[first + a] / unit;
      z[a] = (a == 0 ? contact.normal : contact.tangent) * u_[first + a] / unit_;
    }
    z[0] += std::hypot(z[1], z[2]);
    targets_[i] = x - z;
    error += (x - smoothed_projection(targets_[i], 0.0)).squaredNorm();
    size += targets_[i].squaredNorm();
  }
  for (std::size_t k = 0; k < joint_rows_.size(); ++k) {
    const JointRow& row = joint_rows_[k];
    const double x = context.r[place(row)] / (unit_ * row.scale);
    double& wanted = rows_[static_cast<Index>(k)];
    wanted = x;
    if (!row.has_bounds()) continue;
    wanted -= row.scale * u_[place(row)] / unit_;
    const double apart = x - std::clamp(wanted, row.lower, row.upper);
    error += apart * apart;
    size += wanted * wanted;
  }
  const double tau = std::max(error, 1e-20 * size) / std::max(1, cones());
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
  for (int i = 0; i < contacts(); ++i) {
    const Contact& contact = contacts_[i];
    double* r = r_.data() + static_cast<Index>(dimension_) * (island_.begin + i);
    r[0] = unit_ * contact.normal * cones_[i].x[0];
    for (int a = 1; a < dimension_; ++a)
      r[a] = a < contact.size ? unit_ * contact.tangent * cones_[i].x[a] : 0.0;
  }
  for (int i = island_.joints; i < island_.end; ++i)
    for (int a = 0; a < dimension_; ++a)
      r_[static_cast<Index>(dimension_) * i + a] = context.blocks.clamp(i, a, 0.0);
  for (std::size_t k = 0; k < joint_rows_.size(); ++k) {
    const JointRow& row = joint_rows_[k];
    r_[place(row)] =
        context.blocks.clamp(row.node, row.row, unit_ * row.scale * rows_[static_cast<Index>(k)]);
  }
  context.blocks.velocities(island_, r_, u_);
  ++context.counts.products;
  for (int i = 0; i < contacts(); ++i) {
    Contact& contact = contacts_[i];
    const ConePoint& z = cones_[i].z;
    const double* u = u_.data() + static_cast<Index>(dimension_) * (island_.begin + i);
    const double squared = z[1] * z[1] + z[2] * z[2];
    const double s = std::sqrt(squared + smoothing * smoothing * std::max(0.0, cone_determinant(z)));
    for (int a = 0; a < 2; ++a) contact.slope[a] = s > 0.0 ? (1.0 - share) * z[a + 1] / s : 0.0;
    contact.rest = s > 0.0 ? 1.0 - share * z[0] / s : 1.0;
    contact.residual = z;
    contact.residual[0] -= contact.normal * u[0] / unit_ + s;
    for (int a = 1; a < contact.size; ++a) contact.residual[a] -= contact.tangent * u[a] / unit_;
  }
  for (JointRow& row : joint_rows_) row.residual = -row.scale * u_[place(row)] / unit_;
  for_bounds(
      [&](const Bound& bound, JointRow& row, std::size_t i) { row.residual += bound.sign * cones_[i].z[0]; });
  return relative_error(context, r_, u_);
}

double CoulombPath::residual_norm() const {
  double sum = 0.0;
  for (const Contact& contact : contacts_) sum += contact.residual.squaredNorm();
  for (const JointRow& row : joint_rows_) sum += row.residual * row.residual;
  return std::sqrt(sum);
}

bool CoulombPath::factorize(const CoulombMethod::Context& context, double shift) {
  for (int i = 0; i < contacts(); ++i) set_unknowns(i, dimension_, shift);
  for (JointRow& row : joint_rows_) row.squared = 0.0;
  for_bounds([&](const Bound&, JointRow& row, std::size_t i) {
    const double beta = cones_[i].scaling.beta();
    row.squared += beta * beta;
  });
  for (int i = island_.joints; i < island_.end; ++i) system_.unknowns(i).size = 0;
  for (const JointRow& row : joint_rows_) ++system_.unknowns(row.node).size;
  int column = 0;
  for (std::size_t k = 0; k < joint_rows_.size(); ++k) {
    JointRow& row = joint_rows_[k];
    row.divisor = std::sqrt(1.0 + row.squared);
    ContactUnknowns& own = system_.unknowns(row.node);
    column = k > 0 && joint_rows_[k - 1].node == row.node ? column + 1 : 0;
    if (column == 0) {
      own.plain = false;
      std::fill_n(own.left, 9, 0.0);
      std::fill_n(own.right, 9, 0.0);
    }
    own.left[own.size * row.row + column] = own.right[own.size * row.row + column] = row.scale / row.divisor;
    own.added[column] = (row.squared + joint_shift) / row.divisor / row.divisor;
  }
  ++context.counts.factorizations;
  return system_.factorize();
}

// r = D Q (y / divisor) and the rows (D G^-T Q / divisor)' u, plus (L^2 + shift) / divisor^2.
void CoulombPath::set_unknowns(int i, int dimension, double shift) {
  Contact& contact = contacts_[i];
  const NesterovTodd& scaling = cones_[i].scaling;
  const int size = contact.size;
  contact.values = scaling.values();
  contact.frame = scaling.frame();
  if (size == 1) {
    contact.values[0] = scaling.beta();
    contact.frame.setIdentity();
  }
  ContactUnknowns& own = system_.unknowns(island_.begin + i);
  own.size = size;
  own.plain = false;
  std::fill_n(own.left, 9, 0.0);
  std::fill_n(own.right, 9, 0.0);
  for (int c = 0; c < size; ++c) {
    const double value = contact.values[c];
    contact.divisor[c] = std::sqrt(1.0 + value * value);
    const double inverse = 1.0 / contact.divisor[c];
    for (int a = 0; a < std::min(size, dimension); ++a) {
      const double d = a == 0 ? contact.normal : contact.tangent;
      own.right[size * a + c] = d * contact.frame(a, c) * inverse;
      // G^-T = [1 / rest, 0; slope / rest, 1]
      const double normal = contact.frame(0, c) / contact.rest;
      const double turned = a == 0 ? normal : contact.frame(a, c) + contact.slope[a - 1] * normal;
      own.left[size * a + c] = d * turned * inverse;
    }
    own.added[c] = value * inverse * (value * inverse) + shift * inverse * inverse;
  }
}

// Calls visit(row, its number, its row in the system).
void CoulombPath::for_joint_rows(const auto& visit) const {
  Index in_node = 0;
  for (std::size_t k = 0; k < joint_rows_.size(); ++k) {
    in_node = k > 0 && joint_rows_[k - 1].node == joint_rows_[k].node ? in_node + 1 : 0;
    visit(joint_rows_[k], static_cast<Index>(k), system_.offset(joint_rows_[k].node) + in_node);
  }
}

bool CoulombPath::solve_targets(double share, Direction& direction) {
  const auto count = cones_.size();
  for (auto* part : {&direction.x, &direction.z, &direction.scaled_x, &direction.scaled_z})
    part->resize(count);
  direction.rows.resize(rows_.size());
  auto right_side = right_side_.head(system_.rows());
  for (int i = 0; i < contacts(); ++i) {
    const Contact& contact = contacts_[i];
    ConePoint residual = contact.residual;
    residual[0] += contact.slope[0] * residual[1] + contact.slope[1] * residual[2];
    residual[0] /= contact.rest;
    double* to = right_side.data() + system_.offset(island_.begin + i);
    for (int c = 0; c < contact.size; ++c) {
      to[c] = (share * contact.frame.col(c).dot(residual) +
               contact.values[c] * contact.frame.col(c).dot(targets_[i])) /
              contact.divisor[c];
    }
  }
  for_joint_rows([&](const JointRow& row, Index k, Index) { direction.rows[k] = share * row.residual; });
  for_bounds([&](const Bound& bound, const JointRow&, std::size_t i) {
    direction.rows[bound.row] += bound.sign * cones_[i].scaling.beta() * targets_[i][0];
  });
  for_joint_rows([&](const JointRow& row, Index k, Index offset) {
    right_side[offset] = direction.rows[k] / row.divisor;
  });
  system_.solve(right_side, 1);
  if (!right_side.allFinite()) return false;
  for (int i = 0; i < contacts(); ++i) {
    const Contact& contact = contacts_[i];
    const double* y = right_side.data() + system_.offset(island_.begin + i);
    ConePoint dx = ConePoint::Zero(), scaled = ConePoint::Zero();
    for (int c = 0; c < contact.size; ++c) {
      const double v = y[c] / contact.divisor[c];
      dx += v * contact.frame.col(c);
      scaled += contact.values[c] * v * contact.frame.col(c);
    }
    for (int a = contact.size; a < 3; ++a) dx[a] = scaled[a] = 0.0;
    direction.x[i] = dx;
    direction.scaled_x[i] = scaled;
    direction.scaled_z[i] = targets_[i] - scaled;
    direction.z[i] = cones_[i].scaling.apply(direction.scaled_z[i]);
  }
  for_joint_rows([&](const JointRow& row, Index k, Index offset) {
    direction.rows[k] = right_side[offset] / row.divisor;
  });
  for_bounds([&](const Bound& bound, const JointRow&, std::size_t i) {
    direction.x[i] = bound.sign * direction.rows[bound.row] * cone_identity();
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
  rows_ += length * direction.rows;
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
  rows = rows_;
}

void CoulombPath::restore(const std::vector<Cone>& cones, const Vector& rows) {
  cones_ = cones;
  rows_ = rows;
}

}  // namespace slipstick::internal
