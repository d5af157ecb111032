// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "slipstick/linalg/packed_matrix.hpp"
#include "slipstick/linsolve/dense/dense_ldl.hpp"
#include "slipstick/solve/options.hpp"
#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/common/place.hpp"
#include "slipstick/solvers/pivoting/pivot_limits.hpp"
#include "slipstick/solvers/pivoting/sweep_pivoting.hpp"
#include "slipstick/solvers/pivoting/tiny_pivoting.hpp"

namespace slipstick {

struct DensePivotingSettings {
  /// Largest problem taken: the matrix is copied into a dense array.
  int max_rows = 1000;
  /// Block pivots in a row that may fail to leave fewer wrong rows than ever before; then single pivots until
  /// they do. [0, 1000]; Judice and Pires take 10
  int patience = 3;

  static constexpr auto fields = std::tuple{
      Field{"max_rows", &DensePivotingSettings::max_rows, 1.0, 20000.0, "largest problem taken, in unknowns"},
      Field{"patience", &DensePivotingSettings::patience, 0.0, 1000.0, "block pivots without progress"}};
};

/// Block principal pivoting (Judice and Pires 1994; Ho 2022, Alg. 1) for boxed problems in dense arrays. A
/// set F of rows is free and the others tight at a bound; A_FF x_F = -b_F - A_FT x_T gives x, and w = A x +
/// b. All rows of F beyond a bound become tight and all tight rows whose w has the wrong sign free, or, after
/// `patience` sets without progress, the first of them alone, which ends where A is a P-matrix (Murty 1974).
///
/// Up to TinyPivoting::most_rows rows A may be any matrix: the sets' inverses are kept while A is the same,
/// so that another b costs a few small products. Where pivots lead nowhere and no more than six rows have a
/// bound, one each, all sets are tried. Up to SweepPivoting::most_rows rows A may be nonsymmetric, and one
/// set follows from the other. Else A must be symmetric positive definite, and each set is one factorization.
/// Singular sets are left to other methods (bpp has a proximal term, tableau lexicographic rules).
///
/// The first set is that of the warm start, else every row that may be is tight. One iteration is one set.
/// Above most_rows rows what is wrong by less than a hundredth of the tolerance does not count, as long as
/// the answer is judged to be solved.
class DensePivoting : public Solver {
 public:
  explicit DensePivoting(const DensePivotingSettings& settings = {}) : settings_(settings) {}
  std::string explain_unsupported(const Problem& problem) const override;

 protected:
  void run(const Run& run) override;

 private:
  using End = PivotEnd;

  template <class Pivoting>
  class Watch;
  void run_packed(const Run& run, PivotLimits& limits);
  void finish(const Run& run, End end, PivotLimits& limits);
  void prepare(const Run& run);
  void load(const Problem& problem, const Ruler& ruler);
  bool has_same_bounds(const ProductSet& K) const;
  End pivot(const Run& run, PivotLimits& limits);
  bool solve_set();
  void add_columns(const int* columns, Index count, double* y) const;
  void find_wrong_rows();
  void move(int row);
  void put(Index row, Place place);
  void recover(const ProductSet& K, Vector& x) const;
  double judge(const Run& run);

  DensePivotingSettings settings_;
  PackedProblem packed_;
  TinyPivoting tiny_;
  SweepPivoting sweeps_;

  // Of the matrix and the bounds. Vectors are padded as the columns of the matrix.
  PackedMatrix matrix_;
  Vector lower_, upper_;  // as in K
  Vector origin_, base_;  // x where every row that may be is tight, and A times it
  Vector inverse_scale_;  // 1 / d
  std::vector<int> movable_rows_;
  bool has_origin_ = false;

  // Of the set: y is x - origin in its rows and w in the others, right between low and high.
  std::vector<Place> places_;
  Vector low_, high_, grace_;
  Vector q_, y_, shifted_, z_;
  double slack_ = 0.0;
  std::vector<int> wrong_, free_rows_;
  DenseLdl factor_;
  Vector w_;
};

}  // namespace slipstick
