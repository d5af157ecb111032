// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"
#include "slipstick/contact/coulomb/contact_unknowns.hpp"
#include "slipstick/problems/barrier.hpp"

namespace slipstick::internal {

/// An island in the scale of an interior point method. All cones are the self-dual one, ||x_T|| <= x_N:
///     r = c D x,  y = D u / c,  D = diag(1, mu, mu) / sqrt(d) or D = diag(1 / mu, 1, 1) / sqrt(d).
/// The rows of joints have D = 1 / sqrt(d). c is the root mean square of D q over contacts and rows. If mu =
/// 0, only the normal is an unknown. Rows with equal bounds are no unknowns.
class ScaledIsland {
 public:
  struct Contact {
    int size = 3;  ///< unknowns: 1, 2 or 3
    double normal = 1.0, tangent = 1.0;
  };
  /// A row of a joint, limit or motor, with the bounds of x. `place` is its place among the `count` rows of
  /// its node that are unknowns.
  struct Row {
    int node, row;
    double scale;
    double lower, upper;
    int place, count;
    bool has_lower() const { return lower > -infinity; }
    bool has_upper() const { return upper < infinity; }
    /// The distance from the lower (side 0) or upper bound (1) at the point of a path with x - z = target.
    double slack(int side, double target, double tau) const {
      const double width = has_lower() && has_upper() ? upper - lower : 0.0;
      return smoothed_projection(side == 0 ? target - lower : upper - target, width, tau);
    }
  };
  /// x of contacts and rows.
  struct Values {
    std::vector<ConePoint> contacts;
    Vector rows;
  };

  /// How far a start is from a solution: the squares of the natural map x - P(x - z) and of x - z, summed
  /// over contacts and rows. The first is about the square of what has changed since it was a solution.
  struct Distance {
    double map = 0.0, size = 0.0;
  };

  /// The part of a contact in which D is 1 / sqrt(d).
  enum class Unit { normal, tangent };
  /// Call it first. `blocks` must outlive its use.
  void prepare(const ContactBlocks& blocks, const Island& island, Unit unit);
  int dimension() const { return dimension_; }
  const Island& island() const { return island_; }
  const std::vector<Contact>& contacts() const { return contacts_; }
  const std::vector<Row>& rows() const { return rows_; }
  /// The row of `r` or `u` of a joint's row.
  Index index(const Row& row) const { return static_cast<Index>(dimension_) * row.node + row.row; }

  /// r of the island from x, inside its bounds, with the rows that are no unknowns.
  void set_impulses(const Values& x, Vector& r) const;
  void read_impulses(const Vector& r, Values& x) const;
  void read_velocities(const Vector& u, Values& y) const;
  void resize(Values& values) const;
  /// Reads a start: x from r, and z from u, with shift(y) added to the normal velocity of every contact.
  Distance read_start(const Vector& r, const Vector& u, const auto& shift, Values& x, Values& z) const {
    read_impulses(r, x);
    read_velocities(u, z);
    for (ConePoint& own : z.contacts) own[0] += shift(own);
    return distance(x, z);
  }

  /// Sets the columns of `right` to c D times columns of x, and those of `left` to D / c times columns of y,
  /// given by entry(row, column). With c, the products of ContactSystem have the magnitude of q.
  void set_right(const Contact& contact, ContactUnknowns& unknowns, const auto& entry) const {
    set_columns(contact, unknowns.size, unit_, unknowns.right, entry);
  }
  void set_left(const Contact& contact, ContactUnknowns& unknowns, const auto& entry) const {
    set_columns(contact, unknowns.size, 1.0 / unit_, unknowns.left, entry);
  }
  /// Clears the unknowns of joints. unknowns(node) are those of a node.
  void clear_rows(const auto& unknowns) const {
    for (int i = island_.joints; i < island_.end; ++i) unknowns(i).size = 0;
    for (const Row& row : rows_) {
      ContactUnknowns& own = unknowns(row.node);
      if (row.place > 0) continue;
      own.size = row.count;
      own.plain = false;
      std::fill_n(own.left, 9, 0.0);
      std::fill_n(own.right, 9, 0.0);
    }
  }
  /// The same as for contacts, with x and y divided by a number. `place` is its place among the unknowns of
  /// its node.
  void set_row(const Row& row, int place, double divisor, ContactUnknowns& unknowns) const {
    unknowns.right[unknowns.size * row.row + place] = unit_ * row.scale / divisor;
    unknowns.left[unknowns.size * row.row + place] = row.scale / (unit_ * divisor);
  }

 private:
  void list_rows();
  Distance distance(const Values& x, const Values& z) const;
  void set_columns(const Contact& contact, int size, double factor, double* to, const auto& entry) const {
    for (int a = 0; a < dimension_; ++a) {
      const double d = factor * (a == 0 ? contact.normal : contact.tangent);
      for (int c = 0; c < size; ++c) to[size * a + c] = a < contact.size ? d * entry(a, c) : 0.0;
    }
  }

  const ContactBlocks* blocks_ = nullptr;
  Island island_{};
  int dimension_ = 3;
  double unit_ = 1.0;  // c
  std::vector<Contact> contacts_;
  std::vector<Row> rows_;
};

}  // namespace slipstick::internal
