// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/measures/contact_ruler.hpp"

namespace slipstick::internal {

/// The common part of methods that bound friction by their present normal impulses. It has the unknowns x of
/// the impulse problem, and the error of x under a law. Contacts without friction keep their normal row, and
/// the rows of joints come last.
///
/// A diamond |a| + |b| <= R is a square with its corners on the axes. In axes that are turned by 45 degrees
/// it is the box |a'|, |b'| <= R / sqrt 2. Under that law x has the turned axes, so that its sets are boxes.
class FrictionIterate {
 public:
  /// The tangents of a contact: rows [start, start + size) of x, after its normal row.
  struct Tangents {
    Index normal;
    Index start;
    Index size;
    double mu;
  };

  /// Keeps a pointer to the problem. `keeps_bodies`: turned axes do not assemble a matrix J M^-1 J' + C.
  void prepare(const LocalContactProblem& problem, FrictionLaw law, bool keeps_bodies = false);

  const Operator& A() const { return A_; }
  /// If the problem's matrix is not symmetric, A is its symmetric part. The skew part is then in b, so that A
  /// x + b is the velocity at the x of the last error() call.
  const Vector& b() const { return b_; }
  /// Cones, normals without friction (nonnegative), and joints, limits and motors (bilateral).
  std::span<const SetBlock> blocks() const { return impulses_.problem.K.blocks(); }
  const ProductSet& cones() const { return impulses_.problem.K; }
  const std::vector<Tangents>& tangents() const { return tangents_; }
  /// ||u_T|| at the x of the last error() call.
  double sliding_speed(const Tangents& tangents) const;
  /// ||q||
  double norm() const { return ruler_.norm(); }

  /// x of r.
  void start(const Vector& r, Vector& x) const;
  /// Bounds of friction: moves `radii`, one for every contact with tangents, towards the radii of x by the
  /// given share. The radii of x are mu r_N. Under the law of diamonds they are those of the boxes.
  void follow(const Vector& x, double share, Vector& radii) const;
  /// The error of x under the law (contact_error). It takes one or two products.
  double error(const Vector& x, int threads);
  /// r of x.
  void expand(const Vector& x, Vector& r) const;

 private:
  void turn_axes();
  bool turn_jacobian();
  void turn(Vector& x) const;

  const LocalContactProblem* problem_ = nullptr;
  FrictionLaw law_ = FrictionLaw::coulomb;
  std::vector<int> scratch_;
  SymmetrizedProblem symmetrized_;
  ImpulseProblem impulses_;
  bool turned_ = false;
  bool skew_ = false;  // the problem's matrix is not symmetric
  Operator A_;
  Vector b_;
  CsrBuilder builder_;
  Assembler assembler_;
  CsrMatrix turning_, turned_columns_;  // Q, A Q
  StoragePool<CsrMatrix> matrices_;     // Q A Q
  ContactRuler ruler_;
  std::vector<Tangents> tangents_;
  Vector r_, u_, product_;
  mutable Vector turned_x_;
};

}  // namespace slipstick::internal
