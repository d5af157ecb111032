// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/scaled_island.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {

void ScaledIsland::prepare(const ContactBlocks& blocks, const Island& island, Unit unit) {
  blocks_ = &blocks;
  island_ = island;
  dimension_ = blocks.dimension();
  contacts_.assign(static_cast<std::size_t>(island.contacts()), {});
  double sum = 0.0;
  for (int i = 0; i < island.contacts(); ++i) {
    Contact& contact = contacts_[static_cast<std::size_t>(i)];
    const double mu = blocks.mu(island.begin + i);
    contact.normal = 1.0 / std::sqrt(blocks.scale(island.begin + i));
    if (unit == Unit::tangent && mu > 0.0) contact.normal /= mu;
    contact.tangent = mu * contact.normal;
    contact.size = mu > 0.0 ? dimension_ : 1;
    for (int a = 0; a < contact.size; ++a) {
      const double load = (a == 0 ? contact.normal : contact.tangent) * blocks.q(island.begin + i)[a];
      sum += load * load;
    }
  }
  list_rows();
  for (const Row& row : rows_) sum += std::pow(row.scale * blocks.q(row.node)[row.row], 2);
  unit_ = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, contacts_.size() + rows_.size())));
  if (!(unit_ > 0.0 && std::isfinite(unit_))) unit_ = 1.0;
  for (Row& row : rows_) {
    row.lower /= unit_ * row.scale;
    row.upper /= unit_ * row.scale;
  }
}

void ScaledIsland::list_rows() {
  rows_.clear();
  for (int i = island_.joints; i < island_.end; ++i) {
    const std::size_t first = rows_.size();
    for (int a = 0; a < dimension_; ++a) {
      const double lower = blocks_->lower(i, a), upper = blocks_->upper(i, a);
      if (!(lower < upper)) continue;
      rows_.push_back({i, a, 1.0 / std::sqrt(blocks_->row_scale(i, a)), lower, upper,
                       static_cast<int>(rows_.size() - first), 0});
    }
    for (std::size_t k = first; k < rows_.size(); ++k)
      rows_[k].count = static_cast<int>(rows_.size() - first);
  }
}

void ScaledIsland::resize(Values& values) const {
  values.contacts.resize(contacts_.size());
  values.rows.resize(static_cast<Index>(rows_.size()));
}

void ScaledIsland::set_impulses(const Values& x, Vector& r) const {
  double* to = r.data() + static_cast<Index>(dimension_) * island_.begin;
  for (std::size_t i = 0; i < contacts_.size(); ++i, to += dimension_) {
    const Contact& contact = contacts_[i];
    to[0] = unit_ * contact.normal * x.contacts[i][0];
    for (int a = 1; a < dimension_; ++a)
      to[a] = a < contact.size ? unit_ * contact.tangent * x.contacts[i][a] : 0.0;
  }
  for (int i = island_.joints; i < island_.end; ++i)
    for (int a = 0; a < dimension_; ++a)
      r[static_cast<Index>(dimension_) * i + a] = blocks_->clamp(i, a, 0.0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    r[index(row)] = blocks_->clamp(row.node, row.row, unit_ * row.scale * x.rows[static_cast<Index>(k)]);
  }
}

void ScaledIsland::read_impulses(const Vector& r, Values& x) const {
  resize(x);
  const double* from = r.data() + static_cast<Index>(dimension_) * island_.begin;
  for (std::size_t i = 0; i < contacts_.size(); ++i, from += dimension_) {
    const Contact& contact = contacts_[i];
    x.contacts[i].setZero();
    for (int a = 0; a < contact.size; ++a)
      x.contacts[i][a] = from[a] / (unit_ * (a == 0 ? contact.normal : contact.tangent));
  }
  for (std::size_t k = 0; k < rows_.size(); ++k)
    x.rows[static_cast<Index>(k)] = r[index(rows_[k])] / (unit_ * rows_[k].scale);
}

void ScaledIsland::read_velocities(const Vector& u, Values& y) const {
  resize(y);
  const double* from = u.data() + static_cast<Index>(dimension_) * island_.begin;
  for (std::size_t i = 0; i < contacts_.size(); ++i, from += dimension_) {
    const Contact& contact = contacts_[i];
    y.contacts[i].setZero();
    for (int a = 0; a < contact.size; ++a)
      y.contacts[i][a] = (a == 0 ? contact.normal : contact.tangent) * from[a] / unit_;
  }
  for (std::size_t k = 0; k < rows_.size(); ++k)
    y.rows[static_cast<Index>(k)] = rows_[k].scale * u[index(rows_[k])] / unit_;
}

ScaledIsland::Distance ScaledIsland::distance(const Values& x, const Values& z) const {
  Distance sum;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ConePoint target = x.contacts[i] - z.contacts[i];
    sum.map += (x.contacts[i] - smoothed_projection(target, 0.0)).squaredNorm();
    sum.size += target.squaredNorm();
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double own = x.rows[static_cast<Index>(k)], target = own - z.rows[static_cast<Index>(k)];
    sum.map += std::pow(own - std::clamp(target, rows_[k].lower, rows_[k].upper), 2);
    sum.size += target * target;
  }
  return sum;
}

}  // namespace slipstick::internal
