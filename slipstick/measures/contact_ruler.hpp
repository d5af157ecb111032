// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/component_inverse.hpp"
#include "slipstick/measures/contact_error.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// Norms over rows. Velocities u are as they are, without a shift.
struct ContactNorms {
  double scaled = Measures::undefined;       ///< the numerator of the ruler, see ContactRuler
  double natural_map = Measures::undefined;  ///< ||r - P(r - u^)||: the De Saxce error
  double impulses = Measures::undefined, velocities = Measures::undefined;  ///< ||r||, ||u||
};

/// The bounds of a problem under the law box_once: its own, or else those of an answer. Throws Error if there
/// are none.
const Vector& friction_bounds(const auto& problem, const Vector& of_answer) {
  const Vector& bounds = problem.friction_bounds.size() > 0 ? problem.friction_bounds : of_answer;
  if (bounds.size() != problem.mu.size())
    fail("the law box-once needs bounds of friction for {} contacts, not for {}", problem.mu.size(),
         bounds.size());
  return bounds;
}

/// The ruler of contact problems, prepared once so that judging an iterate costs O(contacts) and allocates
/// nothing.
///
/// Per contact: d is the mean diagonal of its block of W (1 if that is not positive). u^ is the velocity of
/// the law. Without friction u^ = u, and mu = 0. Under the convex law u^ = u. Under Coulomb's law u^ is u
/// shifted by mu ||u_T|| along the normal (De Saxce). The error is e = r - P(r - u^ / d) with P the
/// projection on the cone. For diamonds and boxes, e_N = r_N - max(0, r_N - u_N / d), e_T = r_T - P(r_T - u_T
/// / d). P is then the projection on the set of radius mu max(0, r_N), or of the given radius. The ruler
/// gives ||(d_i e_i)|| / ||q||, with 0/0 = 0.
///
/// Joints, limits and motors may have other units than contacts. For such a row d is its diagonal entry of W,
/// and P the projection on its bounds. If there is one, every row of the problem weighs 1 / sqrt(d_i):
/// ||(sqrt(d_i) e_i)|| / ||(q_i / sqrt(d_i))||. Another unit of a row or of length does not change that.
///
/// The global form is judged as its local form, W = H' M^-1 H + C, without assembling it. d is the exact
/// diagonal of W, q = H' M^-1 f + w.
class ContactRuler {
 public:
  /// `bounds` of friction are for the law box_once, if the problem has none.
  void prepare(const LocalContactProblem& problem, FrictionLaw law, const Vector& bounds = {});
  /// `inverse` is the inverse of M. If M is singular, the scaled natural map is NaN. `diagonal` is the
  /// diagonal of W. It is computed if it is not given.
  void prepare(const GlobalContactProblem& problem, FrictionLaw law, const ComponentInverse& inverse,
               const Vector* diagonal = nullptr, const Vector& bounds = {});

  /// All contacts. All are NaN if r or u is not finite there.
  ContactNorms norms(const Vector& r, const Vector& u) const;
  /// All rows of joints, likewise.
  ContactNorms joint_norms(const Vector& r, const Vector& u) const;
  /// The scaled natural map and the published De Saxce error of the local form. The second is the norm of the
  /// natural map, relative to the largest of ||q||, ||r|| and ||u|| of contacts. Both stay undefined if a
  /// number is not finite.
  void judge(const Vector& r, const Vector& u, Measures& measures) const;
  /// weight ||d e||^2 of one contact.
  double squared_error(Index contact, const Vector& r, const Vector& u) const;
  /// ||d e|| of one contact.
  double contact_error(Index contact, double d, const Vector& r, const Vector& u) const;

  /// The d of each contact, and of each row of a joint.
  const Vector& scale() const { return scale_; }
  const Vector& joint_scale() const { return joint_scale_; }
  /// The weight of a contact in the squares of the ruler: 1, or 1 / d if there are joints.
  double weight(Index contact) const { return joint_scale_.size() > 0 ? 1.0 / scale_[contact] : 1.0; }
  /// q of the global form. Empty if M is singular.
  const Vector& load() const { return load_; }
  /// ||q||
  double norm() const { return norm_; }
  /// The denominator of the ruler for any vector of velocities, of q that of its definition.
  double weighted_norm(ConstVectorView u) const;
  double weighted_norm() const { return weighted_norm_; }

 private:
  void set_law(const auto& problem, FrictionLaw law, const Vector& bounds);
  void set_scale();
  void set_norms(const Vector& q);
  template <int dimension>
  ContactErrors squares(const Vector& r, const Vector& u) const;
  double tangent_error(double radius, double d, ConstVectorView r, ConstVectorView u) const;

  int dimension_ = 3;
  FrictionLaw law_ = FrictionLaw::none;
  Vector mu_;                     // of the cones in force
  Vector bounds_;                 // given ones of friction
  std::optional<Operator> seen_;  // the W that the scale is of
  Vector scale_, joint_scale_;
  Vector lower_, upper_;         // of the rows of joints
  Vector diagonal_;              // of W
  Vector load_, free_velocity_;  // of the global form: q, and M^-1 f
  double norm_ = 0.0, weighted_norm_ = 0.0;
  mutable Vector error_ = Vector::Zero(2);  // scratch: tangents of one contact
  mutable Vector scaled_errors_, errors_;   // scratch: for each contact
};

}  // namespace slipstick::internal
