// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linsolve/dense/dense_ldl.hpp"
#include "slipstick/methods.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/active_set.hpp"

namespace slipstick::internal {

/// Block principal pivoting (Judice and Pires 1994; Ho 2022, Alg. 1) for boxed problems with a symmetric
/// positive definite A in dense arrays. The rows of a set F are free. The other rows are tight at a bound.
/// A_FF x_F = -b_F - A_FT x_T gives x, and w = A x + b. All rows of F beyond a bound become tight. All tight
/// rows whose w has the wrong sign become free. After `stall_limit` sets without progress only the first of
/// these rows changes. For a P-matrix this ends (Murty 1974).
///
/// The first set comes from the natural map at the warm start or at P_K(0). One iteration is one set, solved
/// by one factorization. Singular sets are left to other methods: bpp has a proximal term, lemke has
/// lexicographic rules.
class DensePivoting : public Solver {
 public:
  explicit DensePivoting(const DensePivotingSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  bool pivot(const Vector& x);
  bool solve_set(const Vector& b, Vector& x);
  Index update_free_rows();
  void set_w(const Vector& b, const Vector& x);
  void add_free_columns(const Vector& x);

  DensePivotingSettings settings_;
  ActiveSet set_;
  Index least_violations_ = 0;
  int stalled_pivots_ = 0;
  const DenseMatrix* A_ = nullptr;  // of the current solve
  DenseMatrix copy_;                // of A, if its storage is not dense
  Vector w_;
  std::vector<int> free_rows_;  // in the order of the factor
  DenseLdl factor_;
};

}  // namespace slipstick::internal
