// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/measures/contact_ruler.hpp"

namespace slipstick::internal {

/// What methods share that bound friction by the normal impulses they have: the unknowns x of the impulse
/// problem (contacts without friction keep their normal row, bilateral rows come last), and the error of x
/// under a law.
///
/// A diamond |a| + |b| <= R is a square with its corners on the axes: in axes that are turned by 45 degrees
/// it is the box |a'|, |b'| <= R / sqrt 2. Under that law x has the turned axes, so that its sets are boxes.
class FrictionIterate {
 public:
  /// The tangents of a contact: rows [start, start + size) of x, next to the normal one.
  struct Tangents {
    Index normal;
    Index start;
    Index size;
    double mu;
  };

  /// Keeps a pointer to the problem.
  void prepare(const LocalContactProblem& problem, FrictionLaw law);

  const Operator& A() const { return A_; }
  /// A is the symmetric part where the problem's matrix is not symmetric; the rest is in b then, such that A
  /// x
  /// + b is the velocity at the x that error() has seen last.
  const Vector& b() const { return b_; }
  /// Cones, normals without friction (nonnegative) and bilateral rows (free).
  std::span<const SetBlock> blocks() const { return impulses_.problem.K.blocks(); }
  const ProductSet& cones() const { return impulses_.problem.K; }
  const std::vector<Tangents>& tangents() const { return tangents_; }
  /// ||u_T|| at the x that error() has seen last.
  double sliding_speed(const Tangents& tangents) const;
  /// ||(q, s)||
  double norm() const { return ruler_.norm(); }

  /// x of r, with l = 0.
  void start(const Vector& r, Vector& x) const;
  /// Bounds of friction: moves `radii`, one for every contact with tangents, towards those of x by the given
  /// share. They are mu r_N, that of the boxes under the law of diamonds.
  void follow(const Vector& x, double share, Vector& radii) const;
  /// The error of x under the law (contact_error); one product, or two.
  double error(const Vector& x, int threads);
  /// r and l of x.
  void expand(const Vector& x, Vector& r, Vector& l) const;

 private:
  void turn_axes();
  void turn(Vector& x) const;

  const LocalContactProblem* problem_ = nullptr;
  FrictionLaw law_ = FrictionLaw::coulomb;
  ImpulseProblem impulses_;
  bool turned_ = false;
  bool skew_ = false;  // the problem's matrix is not symmetric
  Operator A_;
  Vector b_;
  ContactRuler ruler_;
  std::vector<Tangents> tangents_;
  Index bilateral_ = 0;
  Vector r_, u_, l_, residual_, product_;
  mutable Vector turned_x_;
};

}  // namespace slipstick::internal
