// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problem.hpp"

#include <algorithm>
#include <cassert>

#include "slipstick/base/error.hpp"
#include "slipstick/problems/sets.hpp"

namespace slipstick {
using namespace internal;

std::string_view name(SetKind kind) {
  constexpr std::string_view names[] = {"free", "nonnegative", "interval", "cone", "diamond", "disk"};
  return names[static_cast<int>(kind)];
}

std::string_view name(Role role) {
  constexpr std::string_view names[] = {"plain", "normal", "friction", "bilateral"};
  return names[static_cast<int>(role)];
}

ProductSet ProductSet::free(Index rows) {
  ProductSet set;
  set.append_free(rows);
  return set;
}

ProductSet ProductSet::nonnegative(Index rows) {
  ProductSet set;
  set.append_nonnegative(rows);
  return set;
}

ProductSet ProductSet::box(const Vector& lower, const Vector& upper) {
  ProductSet set;
  set.append_box(lower, upper);
  return set;
}

ProductSet ProductSet::cones(const Vector& mu, int dimension) {
  ProductSet set;
  for (const double coefficient : mu) set.append_cone(coefficient, dimension);
  return set;
}

void ProductSet::append(SetKind kind, Role role, Index rows, double parameter, double lower, double upper) {
  if (rows == 0) return;
  is_box_ = is_box_ && has_independent_rows(kind);
  const Index start = this->rows();
  lower_.resize(static_cast<std::size_t>(start + rows), lower);
  upper_.resize(static_cast<std::size_t>(start + rows), upper);
  if (!blocks_.empty() && has_independent_rows(kind) && blocks_.back().kind == kind &&
      blocks_.back().role == role) {
    blocks_.back().size += rows;
    return;
  }
  blocks_.push_back({kind, role, start, rows, parameter});
}

void ProductSet::clear() {
  blocks_.clear();
  lower_.clear();
  upper_.clear();
  is_box_ = true;
}

void ProductSet::append_free(Index rows, Role role) {
  append(SetKind::free, role, rows, 0.0, -infinity, infinity);
}

void ProductSet::append_nonnegative(Index rows, Role role) {
  append(SetKind::nonnegative, role, rows, 0.0, 0.0, infinity);
}

void ProductSet::append_interval(double lower, double upper, Role role) {
  if (lower == -infinity && upper == infinity) return append_free(1, role);
  if (lower == 0.0 && upper == infinity) return append_nonnegative(1, role);
  append(SetKind::interval, role, 1, 0.0, lower, upper);
}

void ProductSet::append_box(const Vector& lower, const Vector& upper) {
  if (lower.size() != upper.size()) fail("{} lower and {} upper bounds", lower.size(), upper.size());
  for (Index i = 0; i < lower.size(); ++i) {
    if (!(lower[i] <= upper[i]))
      fail("row {}: lower bound {} is not below the upper bound {}", i, lower[i], upper[i]);
    append_interval(lower[i], upper[i]);
  }
}

void ProductSet::append_rows(const ProductSet& from, const SetBlock& block) {
  for (Index i = block.start; i < block.start + block.size; ++i)
    append_interval(from.lower_[i], from.upper_[i], block.role);
}

void ProductSet::append_cone(double mu, int dimension) {
  if (dimension != 2 && dimension != 3) fail("a friction cone has 2 or 3 rows, not {}", dimension);
  append(SetKind::cone, Role::normal, dimension, mu, -infinity, infinity);
}

void ProductSet::append_diamond(double radius, int dimension, Role role) {
  append(SetKind::diamond, role, dimension, radius, -infinity, infinity);
}

void ProductSet::append_disk(double radius, int dimension, Role role) {
  append(SetKind::disk, role, dimension, radius, -infinity, infinity);
}

void ProductSet::set_radius(std::size_t block, double radius) {
  SetBlock& set = blocks_[block];
  assert(set.kind == SetKind::diamond || set.kind == SetKind::disk);
  if (!(radius >= 0.0)) fail("the radius of a {} must be >= 0, not {}", name(set.kind), radius);
  set.parameter = radius;
}

void ProductSet::set_bounds(Index row, double lower, double upper) {
  if (!(lower <= upper)) fail("row {}: lower bound {} is not below the upper bound {}", row, lower, upper);
  lower_[static_cast<std::size_t>(row)] = lower;
  upper_[static_cast<std::size_t>(row)] = upper;
}

bool ProductSet::is_nonnegative_orthant() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const SetBlock& block) { return block.kind == SetKind::nonnegative; });
}

void ProductSet::project(VectorView x) const {
  if (is_box_) {
    x = x.cwiseMax(lower()).cwiseMin(upper());
    return;
  }
  for (const SetBlock& block : blocks_) internal::project(*this, block, x.segment(block.start, block.size));
}

void ProductSet::restrict_to(std::span<const int> rows, ProductSet& result) const {
  result.clear();
  std::size_t k = 0;
  for (const SetBlock& block : blocks_) {
    const std::size_t first = k;
    while (k < rows.size() && rows[k] < block.start + block.size) ++k;
    if (k == first) continue;
    if (has_independent_rows(block)) {
      for (std::size_t i = first; i < k; ++i)
        result.append_interval(lower_[rows[i]], upper_[rows[i]], block.role);
    } else if (static_cast<Index>(k - first) == block.size) {
      result.append(block.kind, block.role, block.size, block.parameter, -infinity, infinity);
    } else {
      fail("rows {} to {} form a {} and cannot be parted", block.start, block.start + block.size - 1,
           name(block.kind));
    }
  }
}

}  // namespace slipstick
