// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/problems/barrier.hpp"

namespace slipstick::internal {

/// The unknowns y of an interior point method for cones, bounds and free rows. They are scaled so that every
/// cone is self-dual and the mean diagonals of the blocks of A are 1:
///
///     x_i = offset_i + scale_i y_i
///
/// - a friction cone: scale = d^-1/2 (1, mu, mu); a cone with mu = 0 has only its normal row;
/// - a row with a lower bound: offset = lower, scale = d^-1/2, y >= 0; with only an upper bound, scale < 0;
/// - a row with both: 0 <= y <= width = (upper - lower) / scale;
/// - free rows have no bound, fixed rows are not unknowns.
///
/// d is the mean diagonal of a block of A, as in the ruler.
class ConeUnknowns {
 public:
  /// Consecutive unknowns of one cone, or one unknown.
  struct Block {
    int start;
    int size;
    bool operator==(const Block&) const = default;
  };
  /// y >= 0 (sign 1) or y <= width (sign -1).
  struct Bound {
    int unknown;
    double sign;
  };

  void prepare(const Problem& problem, const Vector& d);
  Index size() const { return static_cast<Index>(rows_.size()); }
  std::span<const Block> blocks() const { return blocks_; }
  /// The blocks of more than one unknown, in the same order.
  std::span<const Block> cones() const { return cones_; }
  std::span<const Bound> bounds() const { return bounds_; }
  /// The row of each unknown.
  std::span<const int> rows() const { return rows_; }
  const Vector& scale() const { return scale_; }
  /// (upper - lower) / scale of an unknown with two bounds, otherwise 0.
  double width(Index unknown) const { return width_[unknown]; }

  /// y from x. It is not moved inside the bounds.
  void to_unknowns(const Vector& x, Vector& y) const;
  /// x from y, with the fixed rows.
  void to_rows(const Vector& y, Vector& x) const;
  /// Moves an unknown to at least `margin` from its bounds, or to the middle between them. Returns its
  /// distance to the bound with the given sign.
  double move_inside(Index unknown, double sign, double margin, Vector& y) const;
  /// The first tau of the central path if y with the gradient g is near the solution. It is the mean square
  /// of the natural map y - P(y - g) over cones and bounds. Far from the solution a tau of the order of the
  /// products would be safer. Near the solution it would take twice the iterations.
  double nearby_gap(const Vector& y, const Vector& g) const;
  /// Moves the bounds to that path at tau: calls set(k, slack) for each, and sets y from the slacks.
  template <class Set>
  void move_bounds_near(const Vector& g, double tau, Vector& y, const Set& set) const {
    double t = 0.0;  // y - g of a row, the same for both of its bounds; the lower bound comes first
    for (std::size_t k = 0; k < bounds_.size(); ++k) {
      const auto [unknown, sign] = bounds_[k];
      const double width = width_[unknown];
      if (sign > 0.0) {
        t = y[unknown] - g[unknown];
        y[unknown] = smoothed_projection(t, width, tau);
        set(k, y[unknown]);
      } else {
        set(k, smoothed_projection(width - t, width, tau));
      }
    }
  }
  /// The x of an unknown that is `slack` below its upper bound.
  double below_upper(Index unknown, double slack) const {
    return offset_[unknown] + scale_[unknown] * width_[unknown] - scale_[unknown] * slack;
  }
  /// g = S w on the unknowns.
  void gather(const Vector& w, Vector& g) const;
  /// x = S y on the rows of the unknowns, 0 elsewhere.
  void scatter(const Vector& y, Vector& x) const;

  /// The entries of a vector that belong to a cone. Missing rows are zero.
  static ConePoint segment(const Vector& v, const Block& cone) {
    return {v[cone.start], v[cone.start + 1], cone.size > 2 ? v[cone.start + 2] : 0.0};
  }
  static void set_segment(Vector& v, const Block& cone, const ConePoint& value) {
    for (int k = 0; k < cone.size; ++k) v[cone.start + k] = value[k];
  }

 private:
  void add_rows(const ProductSet& K, const SetBlock& block, const Vector& d);
  void add_cone(const SetBlock& block, const Vector& d);
  void add_unknown(Index row, double offset, double scale, double width);

  std::vector<Block> blocks_, cones_;
  std::vector<Bound> bounds_;
  std::vector<int> rows_;
  Vector offset_, scale_, width_;
  Vector fixed_;  // values of the fixed rows, for every row
};

/// The longest step along which a positive value stays at least zero.
inline double bound_step(double value, double direction) {
  return direction < 0.0 ? -value / direction : infinity;
}

/// The Hessian of a barrier in its spectral frame, block by block: Q diag(squares) Q', with one Q per cone.
struct BarrierTerms {
  std::vector<Eigen::Matrix3d> frames;
  Vector squares;

  void resize(const ConeUnknowns& unknowns);
  /// v <- Q'v
  void to_frame(const ConeUnknowns& unknowns, Vector& v) const;
  /// v <- Q v
  void from_frame(const ConeUnknowns& unknowns, Vector& v) const;
};

}  // namespace slipstick::internal
