// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/problems/barrier.hpp"
#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// The self-dual side of an interior point method: the unknowns y of a problem, scaled so that every set is a
/// self-dual cone, with their slacks s, multipliers z and Nesterov-Todd scalings F.
///
///     x_i = offset_i + scale_i y_i
///
/// - a friction cone: scale = d^-1/2 (1, mu, mu); the cone of mu = 0 has its normal row alone;
/// - a row with a lower bound: offset = lower, scale = d^-1/2, s = y; with an upper one only, scale < 0;
/// - a row with both: also s = (upper - lower) / scale - y, a second nonnegative slack of the same row;
/// - free rows have no slack, fixed rows are no unknowns.
///
/// d is the mean diagonal of a block of A (the ruler's). In the spectral frame F = Q diag(l) Q' of the cones,
/// barrier terms are diagonal: squares() are the l^2, those of a row's two slacks added.
class IpmBarrier {
 public:
  /// A run of unknowns that a cone ties together, or one unknown.
  struct Block {
    int start;
    int size;
    bool operator==(const Block&) const = default;
  };

  void prepare(const Problem& problem, const Vector& d);
  Index unknowns() const { return static_cast<Index>(rows_.size()); }
  /// Slacks, a cone counting once.
  Index degree() const { return static_cast<Index>(cones_.size() + bounds_.size()); }
  std::span<const Block> blocks() const { return blocks_; }
  /// The row of each unknown.
  std::span<const int> rows() const { return rows_; }
  const Vector& scale() const { return scale_; }
  /// Whether the row of the unknown is bounded from both sides.
  bool is_bounded(Index unknown) const { return width_[unknown] > 0.0; }

  /// Slacks s from y, moved inside by a hundred times `margin` at least, and multipliers z of size `margin`;
  /// y becomes what s says.
  void start(double margin, Vector& y);
  /// y from x, not moved inside.
  void to_unknowns(const Vector& x, Vector& y) const;
  /// x from y, fixed rows included.
  void to_rows(const Vector& y, Vector& x) const;
  /// g -= z
  void subtract_multipliers(Vector& g) const;
  double multiplier_norm() const;

  /// sum s'z
  double gap() const;
  const Vector& squares() const { return squares_; }
  /// v <- Q'v
  void to_frame(Vector& v) const;
  /// v <- Q v
  void from_frame(Vector& v) const;
  /// Q of a block of 2 or 3 rows.
  const Eigen::Matrix3d& frame(std::size_t cone) const { return cones_[cone].frame; }

  /// The target of the affine direction: s o z = 0.
  void aim_at_zero();
  /// That of the corrector: s o z = sigma tau e, less the affine direction's second-order term.
  void aim_at_path(double sigma);
  /// Corrects the target so that a step of the given length would end near s o z = sigma tau e (Gondzio
  /// 1996): the eigenvalues that this length would leave outside [0.1, 10] sigma tau are moved to that
  /// interval.
  void aim_at_neighbourhood(double sigma, double step);
  /// Keeps the target and the direction, and takes them back.
  void keep_direction();
  void restore_direction();
  /// v += l Q't, the targets' share of the right side, in the frame.
  void add_targets(Vector& v) const;
  /// The direction of the slacks and multipliers from that of the unknowns in the frame.
  void set_direction(const Vector& frame_direction);
  /// The largest step that keeps all slacks and multipliers in their cones.
  double max_step() const;
  /// The gap after a step.
  double gap_after(double step) const;
  /// y, s, z and the scalings after a step; false where they are not inside their cones any more.
  bool step(double length, const Vector& direction, Vector& y);

 private:
  struct Cone {
    int start = 0;
    int size = 0;
    ConePoint z = ConePoint::Zero();
    NesterovTodd scaling = {};
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  // Q
    ConePoint target = ConePoint::Zero();                 // t, the right side divided by lambda
    ConePoint ds = ConePoint::Zero();                     // F ds
    ConePoint dz = ConePoint::Zero();                     // F^-1 dz
    ConePoint kept_target = ConePoint::Zero(), kept_ds = ConePoint::Zero(), kept_dz = ConePoint::Zero();
  };
  struct Bound {
    int row = 0;
    double sign = 1.0;  // of y in s
    double s = 0.0, z = 0.0;
    double factor = 1.0;  // F
    double lambda = 0.0;
    double target = 0.0;
    double ds = 0.0, dz = 0.0;  // scaled
    double kept_target = 0.0, kept_ds = 0.0, kept_dz = 0.0;
  };
  void add_rows(const ProductSet& K, const SetBlock& block, const Vector& d);
  void add_cone(const SetBlock& block, const Vector& d);
  void add_unknown(Index row, double offset, double scale, double width);
  void refresh();
  static ConePoint segment(const Vector& v, const Cone& cone);
  static void set_segment(Vector& v, const Cone& cone, const ConePoint& value);

  std::vector<Block> blocks_;
  std::vector<int> rows_;
  std::vector<Cone> cones_;
  std::vector<Bound> bounds_;
  Vector offset_, scale_;
  Vector width_;    // (upper - lower) / scale of rows with two bounds, else 0
  Vector fixed_;    // of every row
  Vector squares_;  // in the frame
};

}  // namespace slipstick
