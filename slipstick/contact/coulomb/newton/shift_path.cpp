// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/shift_path.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

// Refinements of a direction, until the residual is below this share of the right side.
constexpr int most_refinements = 3;
constexpr double small_residual = 1e-12;

// Products x o z between these multiples of tau are left alone by recentre().
constexpr double least_product = 0.1, largest_product = 10.0;

// A solution has a start of its own: the limit of rounding.
constexpr double least_start_tau = 1e-14;

// The sign of dx in the slack of a bound.
constexpr double bound_sign[2] = {1.0, -1.0};

}  // namespace

template <class Barrier>
void ShiftPath<Barrier>::prepare(const CoulombMethod::Context& context, double delta) {
  delta_ = delta;
  system_.prepare(context.blocks, context.island, context.threads);
  scaled_.prepare(context.blocks, context.island, ScaledIsland::Unit::normal);
  contacts_.assign(scaled_.contacts().size(), {});
  row_targets_.assign(scaled_.rows().size(), {});
  for (ScaledIsland::Values* values : {&x_, &y_, &last_y_}) scaled_.resize(*values);
  for (Vector* vector : {&r_, &u_, &right_side_}) vector->resize(context.r.size());
}

template <class Barrier>
double ShiftPath<Barrier>::start(const CoulombMethod::Context& context) {
  point_.cones.assign(scaled_.contacts().size(), {});
  for (std::size_t i = 0; i < point_.cones.size(); ++i)
    point_.cones[i].barrier.start(scaled_.contacts()[i].size);
  point_.rows.assign(scaled_.rows().size(), {});
  for (std::size_t k = 0; k < point_.rows.size(); ++k) {
    const ScaledIsland::Row& row = scaled_.rows()[k];
    typename Point::Row& own = point_.rows[k];
    const double middle = row.upper - row.lower < 2.0 ? 0.5 * (row.lower + row.upper)
                                                      : std::clamp(0.0, row.lower + 1.0, row.upper - 1.0);
    own.x = middle;
    if (row.has_lower()) own.slack[0] = middle - row.lower;
    if (row.has_upper()) own.slack[1] = row.upper - middle;
    for (int side : {0, 1}) own.z[side] = own.slack[side] > 0.0 ? 1.0 / own.slack[side] : 0.0;
  }
  return evaluate(context);
}

template <class Barrier>
double ShiftPath<Barrier>::start_near(const CoulombMethod::Context& context) {
  start(context);
  context.blocks.velocities(context.island, context.r, u_);
  ++context.counts.products;
  const auto shift = [](const ConePoint& y) { return Barrier::shift(y, 0.0).rho; };
  const ScaledIsland::Distance distance = scaled_.read_start(context.r, u_, shift, x_, y_);
  const double tau = std::clamp(distance.map * per_member(), least_start_tau, 1.0);
  for (std::size_t i = 0; i < point_.cones.size(); ++i) {
    typename Point::Cone& cone = point_.cones[i];
    cone.x = x_.contacts[i];
    cone.z = y_.contacts[i];
    cone.s = shift(cone.z);
  }
  for (typename Point::Cone& cone : point_.cones) cone.barrier.start_near(tau, cone.x, cone.z);
  for (std::size_t k = 0; k < point_.rows.size(); ++k) {
    const ScaledIsland::Row& row = scaled_.rows()[k];
    typename Point::Row& own = point_.rows[k];
    own.x = x_.rows[static_cast<Index>(k)];
    const double target = own.x - y_.rows[static_cast<Index>(k)];
    if (row.has_lower()) own.slack[0] = row.slack(0, target, tau);
    if (row.has_upper()) own.slack[1] = row.slack(1, target, tau);
    if (row.has_upper()) own.x = row.upper - own.slack[1];
    if (row.has_lower()) own.x = row.lower + own.slack[0];
    for (const int side : {0, 1}) own.z[side] = own.slack[side] > 0.0 ? tau / own.slack[side] : 0.0;
  }
  return tau;
}

template <class Barrier>
double ShiftPath<Barrier>::restart(const CoulombMethod::Context& context, const Point& from) {
  point_ = from;
  return evaluate(context);
}

// r, y and the error of the point.
template <class Barrier>
double ShiftPath<Barrier>::evaluate(const CoulombMethod::Context& context) {
  for (std::size_t i = 0; i < point_.cones.size(); ++i) x_.contacts[i] = point_.cones[i].x;
  for (std::size_t k = 0; k < point_.rows.size(); ++k) x_.rows[static_cast<Index>(k)] = point_.rows[k].x;
  scaled_.set_impulses(x_, r_);
  context.blocks.velocities(context.island, r_, u_);
  ++context.counts.products;
  scaled_.read_velocities(u_, y_);
  return relative_error(context, r_, u_);
}

template <class Barrier>
double ShiftPath<Barrier>::per_member() const {
  return 1.0 / static_cast<double>(std::max<std::size_t>(1, contacts_.size() + row_targets_.size()));
}

template <class Barrier>
double ShiftPath<Barrier>::residual() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ConePoint residual = y_.contacts[i] - point_.cones[i].z;
    residual[0] += point_.cones[i].s;
    for (int a = 0; a < scaled_.contacts()[i].size; ++a) sum += residual[a] * residual[a];
  }
  for (std::size_t k = 0; k < point_.rows.size(); ++k) sum += row_gap(k) * row_gap(k);
  return std::sqrt(sum * per_member());
}

// y - z_l + z_u
template <class Barrier>
double ShiftPath<Barrier>::row_gap(std::size_t k) const {
  return y_.rows[static_cast<Index>(k)] - point_.rows[k].z[0] + point_.rows[k].z[1];
}

template <class Barrier>
double ShiftPath<Barrier>::shift_gap() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const double gap = contacts_[i].shift.rho - point_.cones[i].s;
    sum += gap * gap;
  }
  return std::sqrt(sum * per_member());
}

template <class Barrier>
double ShiftPath<Barrier>::gap() const {
  double sum = 0.0;
  std::size_t members = Barrier::members * point_.cones.size();
  for (const typename Point::Cone& cone : point_.cones) sum += cone.barrier.lambda().squaredNorm();
  for (const typename Point::Row& row : point_.rows) {
    for (const int side : {0, 1}) {
      sum += row.slack[side] * row.z[side];
      members += row.slack[side] > 0.0;
    }
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, members));
}

template <class Barrier>
void ShiftPath<Barrier>::set_shift(double eps) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) contacts_[i].shift = Barrier::shift(y_.contacts[i], eps);
}

template <class Barrier>
bool ShiftPath<Barrier>::factorize(const CoulombMethod::Context& context, double kappa) {
  kappa_ = kappa;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    const typename Point::Cone& cone = point_.cones[i];
    contact.residual = y_.contacts[i] - cone.z;
    contact.residual[0] += cone.s + kappa * (contact.shift.rho - cone.s);
    for (int a = scaled_.contacts()[i].size; a < 3; ++a) contact.residual[a] = 0.0;
    set_unknowns(i);
  }
  set_row_unknowns();
  ++context.counts.factorizations;
  return system_.factorize(kappa == 0.0);
}

// r = D Q (v / divisor), the rows (D G' Q / divisor)' u, and (L^2 + delta) / divisor^2 on the diagonal.
template <class Barrier>
void ShiftPath<Barrier>::set_unknowns(std::size_t i) {
  Contact& contact = contacts_[i];
  const ScaledIsland::Contact& scale = scaled_.contacts()[i];
  point_.cones[i].barrier.factorize(scale.size, contact.left, contact.values, contact.frame);
  ContactUnknowns& own = system_.unknowns(scaled_.island().begin + static_cast<int>(i));
  own.size = scale.size;
  own.plain = false;
  for (int c = 0; c < own.size; ++c) {
    const double square = contact.values[c] * contact.values[c];
    contact.divisor[c] = std::sqrt(1.0 + square);
    own.added[c] = (square + delta_) / (1.0 + square);
  }
  const auto& Q = contact.frame;
  scaled_.set_right(scale, own, [&](int a, int c) { return Q(a, c) / contact.divisor[c]; });
  scaled_.set_left(scale, own, [&](int a, int c) {
    const double turned = a == 0 ? Q(0, c) : Q(a, c) + kappa_ * contact.shift.slope[a - 1] * Q(0, c);
    return turned / contact.divisor[c];
  });
}

template <class Barrier>
void ShiftPath<Barrier>::set_row_unknowns() {
  scaled_.clear_rows([&](int node) -> ContactUnknowns& { return system_.unknowns(node); });
  for (std::size_t k = 0; k < row_targets_.size(); ++k) {
    const ScaledIsland::Row& row = scaled_.rows()[k];
    ContactUnknowns& own = system_.unknowns(row.node);
    double square = 0.0;
    for (const int side : {0, 1})
      if (point_.rows[k].slack[side] > 0.0) square += point_.rows[k].z[side] / point_.rows[k].slack[side];
    const double divisor = row_targets_[k].divisor = std::sqrt(1.0 + square);
    scaled_.set_row(row, row.place, divisor, own);
    own.added[row.place] = (square + delta_) / (1.0 + square);
  }
}

template <class Barrier>
bool ShiftPath<Barrier>::solve(double tau, const Direction* first, double share, Direction& direction) {
  aim(tau, first, share);
  return solve_targets(direction);
}

template <class Barrier>
bool ShiftPath<Barrier>::recentre(double tau, const Direction& from, double length, Direction& direction) {
  aim_recentred(tau, from, length);
  return solve_targets(direction);
}

template <class Barrier>
bool ShiftPath<Barrier>::solve_targets(Direction& direction) {
  set_right_side();
  auto right_side = right_side_.head(system_.rows());
  system_.solve_refined(right_side, small_residual, most_refinements);
  if (!right_side.allFinite()) return false;
  read_direction(direction);
  return true;
}

template <class Barrier>
void ShiftPath<Barrier>::aim(double tau, const Direction* first, double share) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Scaled& lambda = point_.cones[i].barrier.lambda();
    Scaled product = tau * Barrier::identity() - Barrier::product(lambda, lambda);
    if (first != nullptr) product -= share * Barrier::product(first->scaled_x[i], first->scaled_z[i]);
    set_target(i, product);
  }
  for (std::size_t k = 0; k < row_targets_.size(); ++k) {
    const typename Point::Row& row = point_.rows[k];
    for (const int side : {0, 1}) {
      const double second =
          first != nullptr ? share * bound_sign[side] * first->rows[k].x * first->rows[k].z[side] : 0.0;
      set_target(k, side, tau - row.slack[side] * row.z[side] - second);
    }
  }
}

template <class Barrier>
void ShiftPath<Barrier>::aim_recentred(double tau, const Direction& from, double length) {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Scaled& lambda = point_.cones[i].barrier.lambda();
    const Scaled x = lambda + length * from.scaled_x[i], z = lambda + length * from.scaled_z[i];
    set_target(i, from.target[i] + Barrier::change_of_product(Barrier::product(x, z), least_product * tau,
                                                              largest_product * tau));
  }
  for (std::size_t k = 0; k < row_targets_.size(); ++k) {
    const typename Point::Row& row = point_.rows[k];
    const typename Direction::Row& change = from.rows[k];
    for (const int side : {0, 1}) {
      const double product =
          (row.slack[side] + length * bound_sign[side] * change.x) * (row.z[side] + length * change.z[side]);
      set_target(
          k, side,
          change.target[side] + ConeBarrier::change_of_product({product, 0.0, 0.0}, least_product * tau,
                                                               largest_product * tau)[0]);
    }
  }
}

template <class Barrier>
void ShiftPath<Barrier>::set_target(std::size_t i, const Scaled& product) {
  contacts_[i].product = product;
  contacts_[i].target = Barrier::divide(point_.cones[i].barrier.lambda(), product);
}

template <class Barrier>
void ShiftPath<Barrier>::set_target(std::size_t k, int side, double product) {
  const double slack = point_.rows[k].slack[side];
  row_targets_[k].product[side] = product;
  row_targets_[k].t[side] = slack > 0.0 ? product / slack : 0.0;
}

template <class Barrier>
void ShiftPath<Barrier>::set_right_side() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    double* to = right_side_.data() + offset(i);
    for (int c = 0; c < scaled_.contacts()[i].size; ++c) {
      const auto column = contact.frame.col(c);
      to[c] = (contact.values[c] * contact.left.col(c).dot(contact.target) - column.dot(contact.residual)) /
              contact.divisor[c];
    }
  }
  for (std::size_t k = 0; k < row_targets_.size(); ++k) {
    const RowTargets& row = row_targets_[k];
    right_side_[offset(scaled_.rows()[k])] = (row.t[0] - row.t[1] - row_gap(k)) / row.divisor;
  }
}

template <class Barrier>
void ShiftPath<Barrier>::read_direction(Direction& direction) const {
  direction.x.resize(contacts_.size());
  for (auto* part : {&direction.scaled_x, &direction.scaled_z, &direction.target})
    part->resize(contacts_.size());
  direction.rows.resize(row_targets_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const double* v = right_side_.data() + offset(i);
    ConePoint dx = ConePoint::Zero();
    Scaled scaled = Scaled::Zero();
    for (int c = 0; c < scaled_.contacts()[i].size; ++c) {
      const double along = v[c] / contact.divisor[c];
      dx += along * contact.frame.col(c);
      scaled += contact.values[c] * along * contact.left.col(c);
    }
    for (int a = scaled_.contacts()[i].size; a < 3; ++a) dx[a] = 0.0;
    direction.x[i] = dx;
    direction.scaled_x[i] = scaled;
    direction.scaled_z[i] = contact.target - scaled;
    direction.target[i] = contact.product;
  }
  for (std::size_t k = 0; k < row_targets_.size(); ++k) {
    const typename Point::Row& row = point_.rows[k];
    typename Direction::Row& to = direction.rows[k];
    to.x = right_side_[offset(scaled_.rows()[k])] / row_targets_[k].divisor;
    for (const int side : {0, 1}) {
      to.target[side] = row_targets_[k].product[side];
      to.z[side] = row.slack[side] > 0.0
                       ? row_targets_[k].t[side] - bound_sign[side] * row.z[side] / row.slack[side] * to.x
                       : 0.0;
    }
  }
}

template <class Barrier>
double ShiftPath<Barrier>::max_step(const Direction& direction) const {
  double step = infinity;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Scaled& lambda = point_.cones[i].barrier.lambda();
    step = std::min({step, Barrier::max_step(lambda, direction.scaled_x[i]),
                     Barrier::max_step(lambda, direction.scaled_z[i])});
  }
  for (std::size_t k = 0; k < row_targets_.size(); ++k) {
    const typename Point::Row& row = point_.rows[k];
    for (const int side : {0, 1}) {
      if (!(row.slack[side] > 0.0)) continue;
      const double slack = bound_sign[side] * direction.rows[k].x;
      if (slack < 0.0) step = std::min(step, -row.slack[side] / slack);
      if (direction.rows[k].z[side] < 0.0) step = std::min(step, -row.z[side] / direction.rows[k].z[side]);
    }
  }
  return step;
}

template <class Barrier>
double ShiftPath<Barrier>::step(const CoulombMethod::Context& context, const Direction& direction,
                                double length) {
  bool inside = true;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    typename Point::Cone& cone = point_.cones[i];
    const Scaled lambda = cone.barrier.lambda();
    cone.x += length * direction.x[i];
    cone.z += length * cone.barrier.unscaled_z(direction.scaled_z[i]);
    const Scaled x = lambda + length * direction.scaled_x[i], z = lambda + length * direction.scaled_z[i];
    inside = inside && cone.barrier.update(x, z);
  }
  for (std::size_t k = 0; k < row_targets_.size(); ++k) {
    typename Point::Row& row = point_.rows[k];
    row.x += length * direction.rows[k].x;
    for (const int side : {0, 1}) {
      if (!(row.slack[side] > 0.0)) continue;
      row.slack[side] += length * bound_sign[side] * direction.rows[k].x;
      row.z[side] += length * direction.rows[k].z[side];
      inside = inside && row.slack[side] > 0.0 && row.z[side] > 0.0;
    }
  }
  if (!inside) return infinity;
  std::swap(y_, last_y_);
  const double error = evaluate(context);
  // s + length kappa (rho - s + grad rho' A dx), where length A dx is the change of y.
  for (std::size_t i = 0; i < contacts_.size() && kappa_ > 0.0; ++i) {
    const Contact& contact = contacts_[i];
    double& s = point_.cones[i].s;
    const ConePoint change = y_.contacts[i] - last_y_.contacts[i];
    s += kappa_ * (length * (contact.shift.rho - s) + contact.shift.slope[0] * change[1] +
                   contact.shift.slope[1] * change[2]);
    s = std::max(0.0, s);
  }
  return error;
}

template class ShiftPath<ConeBarrier>;
template class ShiftPath<PyramidBarrier>;

}  // namespace slipstick::internal
