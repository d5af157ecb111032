// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/problems/barrier.hpp"

namespace slipstick::internal {

/// The unknowns y of an interior point method for cones, bounds and free rows, scaled so that every cone is
/// self-dual and the mean diagonals of the blocks of A are 1:
///
///     x_i = offset_i + scale_i y_i
///
/// - a friction cone: scale = d^-1/2 (1, mu, mu); the cone of mu = 0 has its normal row alone;
/// - a row with a lower bound: offset = lower, scale = d^-1/2, y >= 0; with an upper one only, scale < 0;
/// - a row with both: 0 <= y <= width = (upper - lower) / scale;
/// - free rows have no bound, fixed rows are no unknowns.
///
/// d is the mean diagonal of a block of A (the ruler's).
class ConeUnknowns {
 public:
  /// A run of unknowns that a cone ties together, or one unknown.
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
  /// (upper - lower) / scale of an unknown with two bounds, else 0.
  double width(Index unknown) const { return width_[unknown]; }

  /// y from x, not moved inside.
  void to_unknowns(const Vector& x, Vector& y) const;
  /// x from y, fixed rows included.
  void to_rows(const Vector& y, Vector& x) const;
  /// Moves an unknown to at least `margin` from its bounds, or between the two; its distance to the one of
  /// the sign.
  double move_inside(Index unknown, double sign, double margin, Vector& y) const;
  /// The tau of the central path to start from where y with the gradient g is near the solution: the mean
  /// square of its natural map y - P(y - g) over cones and bounds. Of the order of its products would be
  /// safer where it is far, but that takes twice the iterations where it is not.
  double nearby_gap(const Vector& y, const Vector& g) const;
  /// The bounds of that path at tau: set(k, slack) for each, and y becomes what the slacks say.
  template <class Set>
  void move_bounds_near(const Vector& g, double tau, Vector& y, const Set& set) const {
    double t = 0.0;  // y - g of a row, which its bounds have in common; that from below comes first
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

  /// The part of a vector that belongs to a cone; rows that it lacks are zeros.
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
  Vector fixed_;  // of every row
};

/// A barrier's Hessian in its spectral frame, block by block: Q diag(squares) Q' with the Q of every cone.
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
