// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linsolve/banded/banded_preconditioner.hpp"
#include "slipstick/linsolve/krylov/bicgstab.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solvers/interior_point/body_matrix.hpp"
#include "slipstick/solvers/interior_point/ipm_system.hpp"

namespace slipstick::internal {

/// The systems (T + diag(l^2)) v = r of the primal-dual interior point method in the frame of BarrierMatrix,
/// solved in one of three ways. BiCGStab multiplies by A in its given storage, which may be matrix-free, and
/// by the barrier's blocks. Its SPIKE preconditioner (Melanz 2015) uses a matrix scaled to a unit diagonal,
/// in an order that is found once per pattern. If A is a body graph that suits (see BodyMatrix), it is the
/// matrix on the bodies. Otherwise, or if too many digits are lost, it is the assembled matrix on the
/// contacts.
class PdipSystem {
 public:
  PdipSystem(PdipDirection direction, const KrylovSettings& krylov,
             const BandedPreconditionerSettings& preconditioner)
      : direction_(direction), preconditioner_(preconditioner), on_bodies_preconditioner_(preconditioner) {
    static_cast<KrylovSettings&>(krylov_) = krylov;
  }
  virtual ~PdipSystem() = default;

  void prepare(const Operator& A, const ConeUnknowns& unknowns);
  /// Returns false if there is no factor: A is not positive semidefinite, or a value is not finite.
  bool update(const BarrierTerms& terms);
  /// BiCGStab also ends if the residual is at most `floor`. Returns the number of products with A.
  Index solve(const Operator& A, const ConeUnknowns& unknowns, const BarrierTerms& terms,
              const Vector& right_side, double floor, int threads, Vector& v);
  /// Counted since prepare().
  Index factorizations() const { return factorizations_; }

 protected:
  /// What BiCGStab solves: (T + diag(l^2)) v = right side.
  struct Equation {
    const Operator& A;
    const ConeUnknowns& unknowns;
    const BarrierTerms& terms;
    const Vector& right_side;
    int threads;
  };
  /// Factorizes the preconditioner's matrix: the one on the bodies, or the one on the contacts.
  virtual bool factorize_preconditioner(const CsrMatrix& matrix, const BarrierTerms& terms);
  /// Runs BiCGStab from the given v, and adds to `products`.
  virtual KrylovOutcome iterate(const Equation& equation, const BicgstabSettings& settings, Vector& v,
                                Index& products);

  bool on_bodies() const { return on_bodies_; }
  BandedPreconditioner& preconditioner() { return on_bodies_ ? on_bodies_preconditioner_ : preconditioner_; }
  const BandedPreconditioner& preconditioner() const {
    return on_bodies_ ? on_bodies_preconditioner_ : preconditioner_;
  }
  const BodyMatrix& bodies() const { return bodies_; }
  const BarrierMatrix& contacts() const { return contacts_; }
  /// Counts the patterns and constant parts of the matrices.
  int version() const { return version_; }

 private:
  void prepare_contacts(const Operator& A, const ConeUnknowns& unknowns);
  void find_full_pattern();
  bool factorize_contacts(const BarrierTerms& terms);

  PdipDirection direction_;
  BicgstabSettings krylov_;
  IpmSystem cholesky_;
  bool on_bodies_ = false;  // SPIKE factorizes the matrix on the bodies
  BodyMatrix bodies_;
  BarrierMatrix contacts_;
  CsrMatrix full_;  // both triangles of the scaled matrix on the contacts
  bool has_full_pattern_ = false;
  std::vector<int> source_;  // position of each entry in the lower triangle
  BandedPreconditioner preconditioner_, on_bodies_preconditioner_;
  int version_ = 0;
  Index factorizations_ = 0;
  Bicgstab bicgstab_;
  Vector x_, product_, scaled_;
};

}  // namespace slipstick::internal
