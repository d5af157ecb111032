// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/sparsity_pattern.hpp"
#include "slipstick/linsolve/sparse/left_looking.hpp"
#include "slipstick/linsolve/sparse/panel_analysis.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// P A P' = L S L' of a sparse symmetric matrix without pivoting, with given signs S = diag(+-1). With all
/// signs +1 it is the Cholesky factorization of a positive definite matrix. A quasi-definite matrix [H, B';
/// B, -C], with H and C positive definite, has a factor for every ordering (Vanderbei 1995).
///
/// The method is supernodal and left-looking (Ng and Peyton 1993): columns of L with the same pattern are one
/// dense panel. Nearly all the work is dense products. A full matrix is a single panel.
///
/// The symbolic part is kept while the pattern stays the same. Then factorizing and solving again allocate
/// nothing.
class SparseCholesky {
 public:
  /// No ordering: minimum degree, or METIS's dissection if a factorization costs more than finding it, and if
  /// it saves a fifth of the operations. Throws Error if the build does not have the ordering.
  explicit SparseCholesky(std::optional<Ordering> ordering = Ordering::amd);
  /// Orders and allocates for the pattern of a lower triangle (columns <= row, the diagonal stored), if it
  /// differs from the last pattern. Throws Error for an entry above the diagonal or a missing diagonal entry.
  void analyze(const CsrMatrix& lower);
  /// `signs` are the signs of S in the order of the rows of A. If empty, all are +1. Returns false if a pivot
  /// has the wrong sign or is not finite. The factor must not be used then.
  bool factorize(const CsrMatrix& lower, std::span<const signed char> signs = {});
  /// Pivots that rounding made too small or gave the wrong sign are replaced: those up to `least`, but above
  /// -`rounding`. The factor is then that of a matrix with other diagonal entries there. By default no pivot
  /// is replaced.
  struct Repair {
    double least = 0.0;
    double rounding = 0.0;
    double pivot = 0.0;
  };
  void set_repair(const Repair& repair) { repair_ = repair; }
  /// x <- A^-1 x
  void solve(VectorView x) const;
  /// The two halves: x <- L^-1 P x, in the order of the steps, and x <- P' L^-T S x.
  void solve_lower(VectorView x) const;
  void solve_upper(VectorView x) const;
  /// The signs of S, by step.
  std::span<const signed char> signs() const { return signs_; }

  Index rows() const { return n_; }
  /// Number of stored entries of L, with the zeros of the panels.
  Index nonzeros() const { return static_cast<Index>(value_start_.empty() ? 0 : value_start_.back()); }
  /// Approximate number of multiplications and additions of one factorization.
  double flops() const { return flops_; }

 private:
  std::optional<Ordering> ordering_;
  friend class FreeSetCholesky;  // changes single rows of a factor
  using Panel = PanelAnalysis::Panel;
  void choose_order(const CsrMatrix& lower);
  void lay_out();
  void find_places(const CsrMatrix& lower);
  void subtract_descendant(int panel, int descendant, int begin, int end);
  bool factorize_panel(int panel);
  void forward() const;
  void backward() const;

  int n_ = 0;
  Repair repair_;
  double flops_ = 0.0;
  SparsityPattern pattern_;
  PanelAnalysis symbolic_;
  std::vector<std::ptrdiff_t> value_start_;  // start of each panel's values, column by column, and the end
  std::vector<std::ptrdiff_t> place_;        // position of each entry of A among the values
  std::vector<double> values_;
  std::vector<signed char> signs_;  // by step
  // Columns that are known to be columns of the identity, and the number of other columns in each panel. Idle
  // columns are skipped.
  std::vector<char> idle_;
  std::vector<int> busy_;

  LeftLooking left_looking_;
  std::vector<int> local_row_;  // place of a step among the rows of the current panel
  std::vector<double> transposed_, tile_;
  mutable Vector work_, below_;
};

}  // namespace slipstick::internal
