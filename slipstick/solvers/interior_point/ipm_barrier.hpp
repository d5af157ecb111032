// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

namespace slipstick::internal {

/// The self-dual side of an interior point method: slacks s, multipliers z and Nesterov-Todd scalings F of
/// the unknowns y (see ConeUnknowns). A cone and an unknown with one bound have s = y. An unknown with two
/// bounds also has a second nonnegative slack s = width - y. Free rows have no slack.
///
/// In the spectral frame F = Q diag(l) Q' of the cones, barrier terms are diagonal. The squares of terms()
/// are the l^2. A row with two slacks has the sum of both.
class IpmBarrier {
 public:
  void prepare(const Problem& problem, const Vector& d);
  const ConeUnknowns& unknowns() const { return unknowns_; }
  /// Number of slacks. A cone counts once.
  Index degree() const { return static_cast<Index>(cones_.size() + bounds_.size()); }
  /// Sets the slacks s from y, moved inside by at least a hundred times `margin`, and multipliers z of size
  /// `margin`. y is set from s.
  void start(double margin, Vector& y);
  /// Sets slacks and multipliers from a point y near the solution with the gradient g. It takes the nearest
  /// point of the central path, s - z = y - g (see smoothed_projection), at the tau of nearby_gap(). y is set
  /// from s.
  void start_near(const Vector& g, Vector& y);
  /// x from y, with the fixed rows.
  void to_rows(const Vector& y, Vector& x) const;
  /// g -= z
  void subtract_multipliers(Vector& g) const;
  double multiplier_norm() const;

  /// sum s'z
  double gap() const;
  const BarrierTerms& terms() const { return terms_; }

  /// The target of the affine direction: s o z = 0.
  void aim_at_zero();
  /// The target of the corrector: s o z = sigma tau e, less the second-order term of the affine direction.
  void aim_at_path(double sigma);
  /// Corrects the target so that a step of the given length would end near s o z = sigma tau e (Gondzio
  /// 1996). Eigenvalues that this step would leave outside [0.1, 10] sigma tau are moved to that interval.
  void aim_at_neighbourhood(double sigma, double step);
  /// Keep the target and the direction, and restore them.
  void keep_direction();
  void restore_direction();
  /// v += l Q't, the contribution of the targets to the right side, in the frame.
  void add_targets(Vector& v) const;
  /// Computes the direction of the slacks and multipliers from the direction of the unknowns in the frame.
  void set_direction(const Vector& frame_direction);
  /// The largest step that keeps all slacks and multipliers in their cones.
  double max_step() const;
  /// The gap after a step.
  double gap_after(double step) const;
  /// Computes y, s, z and the scalings after a step. Returns false if they are no longer inside their cones.
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
    double sign = 1.0;  // sign of y in s
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
