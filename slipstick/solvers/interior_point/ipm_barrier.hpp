// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// The self-dual side of an interior point method: slacks s, multipliers z and Nesterov-Todd scalings F of
/// the unknowns y (see ConeUnknowns). A cone has s = y, an unknown with one bound too, one with two bounds
/// also s = width - y, a second nonnegative slack of the same row; free rows have none.
///
/// In the spectral frame F = Q diag(l) Q' of the cones, barrier terms are diagonal: the squares of terms()
/// are the l^2, those of a row's two slacks added.
class IpmBarrier {
 public:
  void prepare(const Problem& problem, const Vector& d);
  const ConeUnknowns& unknowns() const { return unknowns_; }
  /// Slacks, a cone counting once.
  Index degree() const { return static_cast<Index>(cones_.size() + bounds_.size()); }
  /// Slacks s from y, moved inside by a hundred times `margin` at least, and multipliers z of size `margin`;
  /// y becomes what s says.
  void start(double margin, Vector& y);
  /// Slacks and multipliers from a point y near the solution with the gradient g: those of the central path
  /// that come nearest, s - z = y - g (see smoothed_projection), at the tau of nearby_gap(). y becomes what s
  /// says.
  void start_near(const Vector& g, Vector& y);
  /// x from y, fixed rows included.
  void to_rows(const Vector& y, Vector& x) const;
  /// g -= z
  void subtract_multipliers(Vector& g) const;
  double multiplier_norm() const;

  /// sum s'z
  double gap() const;
  const BarrierTerms& terms() const { return terms_; }

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
    ConeUnknowns::Block block = {};
    ConePoint z = ConePoint::Zero();
    NesterovTodd scaling = {};
    ConePoint target = ConePoint::Zero();  // t, the right side divided by lambda
    ConePoint ds = ConePoint::Zero();      // F ds
    ConePoint dz = ConePoint::Zero();      // F^-1 dz
    ConePoint kept_target = ConePoint::Zero(), kept_ds = ConePoint::Zero(), kept_dz = ConePoint::Zero();
  };
  struct Bound {
    int unknown = 0;
    double sign = 1.0;  // of y in s
    double s = 0.0, z = 0.0;
    double factor = 1.0;  // F
    double lambda = 0.0;
    double target = 0.0;
    double ds = 0.0, dz = 0.0;  // scaled
    double kept_target = 0.0, kept_ds = 0.0, kept_dz = 0.0;
  };
  void refresh();

  ConeUnknowns unknowns_;
  std::vector<Cone> cones_;
  std::vector<Bound> bounds_;
  BarrierTerms terms_;
};

}  // namespace slipstick::internal
