// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/sparsity_pattern.hpp"

namespace slipstick::internal {

enum class LuOrdering {
  automatic,  ///< amd if the pattern is nearly symmetric with a nearly full diagonal, otherwise colamd
  amd,        ///< minimum degree of A + A'; the fill is small while the pivots stay on the diagonal
  colamd,     ///< minimum degree of A A' (rows of A); does not depend on the choice of pivots
};

struct SparseLuSettings {
  LuOrdering ordering = LuOrdering::automatic;
  /// The diagonal entry is the pivot if its size is at least this share of the largest candidate's; (0, 1], 1
  /// is partial pivoting.
  double pivot_threshold = 0.1;
};

/// Sparse LU of a square matrix with threshold partial pivoting. It is left-looking, with a depth-first
/// search for each column's pattern (Gilbert and Peierls 1988). It works on the columns of A', which are the
/// rows of A as they are stored. P A' Q = L U, with L unit lower triangular.
///
/// The ordering Q is computed once per pattern. Storage only grows: after the first factorizations, the same
/// pattern allocates nothing.
class SparseLu {
 public:
  explicit SparseLu(const SparseLuSettings& settings = {}) : settings_(settings) {}

  /// Returns false if a row of A depends linearly on others (see singular_row) or a value is not finite. The
  /// factor must not be used then.
  bool factorize(const CsrMatrix& a);

  Index rows() const { return n_; }
  /// Number of entries of L and U, both with their diagonals.
  Index nonzeros() const { return static_cast<Index>(l_count_ + u_count_); }
  /// A row without a pivot, or -1 if there is none.
  Index singular_row() const { return singular_row_; }
  /// An estimate of 1 / (||A||_1 ||A^-1||_1). It is 0 if A is singular.
  double rcond() const;

  /// x <- A^-1 x
  void solve(VectorView x) const;
  /// x <- A'^-1 x
  void solve_transposed(VectorView x) const;
  /// One step of iterative refinement: x <- x + A^-1 (b - A x). A must be the factorized matrix.
  void refine(const CsrMatrix& a, ConstVectorView b, VectorView x) const;

 private:
  void analyze(const CsrMatrix& a);
  int reach(const CsrMatrix& a, int row, int step);
  bool eliminate(const CsrMatrix& a, int row, int step);
  void number_lower_rows();

  SparseLuSettings settings_;
  int n_ = 0;
  int singular_row_ = -1;
  double norm_ = 0.0;  // ||A||_1

  SparsityPattern pattern_;  // the pattern of order_
  std::vector<int> order_;   // Q: step k eliminates column order_[k] of A'

  // Columns of L (unit diagonal first) and of U (diagonal last); l_start_ and u_start_ have n + 1 entries.
  std::vector<int> l_start_, l_rows_, u_start_, u_rows_;
  std::vector<double> l_values_, u_values_;
  std::size_t l_count_ = 0;
  std::size_t u_count_ = 0;
  std::vector<int> pivot_step_;  // the step that chose each row of A', -1 before

  // Scratch of one column: values, its pattern in topological order, the stack of the search.
  std::vector<double> column_;
  std::vector<int> topological_, stack_, stack_position_, visited_;
  mutable Vector work_, estimate_, sign_;
};

}  // namespace slipstick::internal
