// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/incomplete/column_cholesky.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// The entries that an incomplete Cholesky factorization keeps, and its reaction to a pivot that is not
/// positive.
enum class IncompleteVariant {
  shifted,        ///< the pattern of A; restarts with a larger shift of the whole diagonal (Ho 4.1.2)
  partial_shift,  ///< the pattern of A; shifts only the columns that contributed to the pivot (Ho 4.1.4)
  imaginary,      ///< the pattern of A; continues with an imaginary column (Ho 4.1.5, Alg. 6)
  threshold,      ///< entries that are large enough, ICT (Ho 4.1.3, Alg. 5); shifts as `shifted`
};

struct IncompleteCholeskySettings {
  IncompleteVariant variant = IncompleteVariant::shifted;
  IncompleteScaling scaling = IncompleteScaling::none;
  /// Share of the dropped fill that is moved to the diagonal, [0, 1]. 0 is IC(0). 1 is MIC(0), which keeps
  /// the row sums (UIC survey 3.3.6). 0.97 is the usual compromise for pressure problems. Ho has 0. Only the
  /// shifted and the imaginary variant use it.
  double compensation = 0.97;
  /// A pivot below this share of its diagonal entry is a breakdown, [0, 1). Ho: 0. The imaginary variant does
  /// not use it.
  double smallest_pivot = 1e-2;
  /// First shift of the diagonal after a breakdown, relative to the unit above; > 0. Each further breakdown
  /// makes it four times larger.
  double shift = 1e-3;
  /// For the partial_shift variant, > 0. Each shift of column i adds 2^p times this value, with p the number
  /// of its earlier shifts. Ho: 1e-4.
  double partial_shift = 1e-4;
  /// For the imaginary variant, (0, 1). A pivot below this share of its diagonal entry is set to that share,
  /// with the same sign. Ho has no such floor, but a pivot that is accidentally near zero makes huge entries.
  double imaginary_floor = 1e-8;
  /// For the threshold variant, >= 0. Entries of column i below this share of a norm are dropped. The norm is
  /// that of column i of A, on and below the diagonal. Ho: 1e-5.
  double drop_tolerance = 1e-3;
  /// For the threshold variant: the number of entries below the diagonal that stay in a column, the largest
  /// ones. 0: all.
  Index most_entries = 0;
};

/// L L' ~ A_RR of the symmetric A, for a set of rows R. The other rows of L are diagonal.
///
/// Variants on the pattern of A are right-looking. Column k of L is divided by its pivot, then its outer
/// product is subtracted from the existing entries. A product without an entry is multiplied by the
/// compensation and subtracted from the two diagonal entries that it couples. The cost is O(sum over columns
/// of (entries below the diagonal)^2). The threshold and the partial_shift variant are left-looking, see
/// column_cholesky.hpp.
///
/// Imaginary columns (Alg. 6): if a pivot d is negative, L_kk = sqrt(-d) and the column is imaginary. Its
/// outer product enters with the other sign. L is stored real, and the preconditioner is the positive
/// definite L L'. The Hermitian product with the imaginary columns gives the same matrix. The signs of Alg. 7
/// would give a matrix that is not symmetric.
///
/// L is stored by columns, so that the forward substitution scatters and the backward substitution gathers.
/// The storage is kept: a factorization with no more entries than before allocates nothing.
class IncompleteCholesky {
 public:
  /// Factors the rows with wanted[row] != 0. If `wanted` is empty, factors all rows.
  void factor(const CsrView& a, std::span<const char> wanted, const IncompleteCholeskySettings& settings);
  Index rows() const { return static_cast<Index>(l_.pivot.size()); }
  /// Entries of L below the diagonal.
  Index entries() const { return static_cast<Index>(l_.below.size()); }
  /// The largest relative shift of the diagonal.
  double shift() const { return shift_; }
  /// Number of pivots that were too small or not positive, over all attempts. In the imaginary variant: the
  /// number of imaginary columns.
  Index breakdowns() const { return breakdowns_; }
  /// Pivots of the imaginary variant below the floor.
  Index floored() const { return floored_; }

  /// Takes the rows `rows` (ascending) of another factor and renumbers them: row k stands for rows[k], and
  /// place[rows[k]] is k. All other rows have a negative place and are masked out.
  void take_rows(const IncompleteCholesky& whole, std::span<const int> rows, std::span<const int> place);
  /// Allocates for a factor of that size, so that later calls with smaller sizes allocate nothing.
  void reserve(Index rows, Index entries);

  /// Updates the factor for a row that is masked out of all later solves. Masking alone removes the row's
  /// column l from L, and so removes l l' from L L'. This function adds l l' again on the pattern of L, like
  /// a rank-one update. With a complete factor and the tolerance 0, the result is the exact Cholesky factor
  /// without the row. It never breaks down. The update goes along the columns until a pivot would change by
  /// less than tolerance^2, relatively. If the row comes back, a new factor is necessary.
  void downdate(Index row, double tolerance = 1e-2);

  /// z <- (L L')^-1 z on the rows with free[row] != 0. The other rows are masked out of L, and their z
  /// becomes 0. Free rows that were not factored are divided by their diagonal entry. The map is symmetric
  /// positive definite on the free rows.
  void solve(std::span<const char> free, double* z) const;
  /// z <- (L L')^-1 z over all rows, without a mask.
  void solve(VectorView z) const;

 private:
  void load(const CsrView& a, std::span<const char> wanted, IncompleteScaling scaling);
  bool factor_pattern(const IncompleteCholeskySettings& settings);
  void scale_matrix();
  void unscale_factor();

  LowerColumns a_;
  LowerColumns l_;
  std::vector<double> unit_;   // unit of the shift of each row
  std::vector<double> scale_;  // s_k
  ColumnCholesky left_looking_;
  std::vector<double> update_;  // the column that a downdate puts back
  std::vector<char> state_;     // states of the rows of update_, and of the removed rows
  std::vector<int> pending_;    // heap of the rows that wait
  double shift_ = 0.0;
  Index breakdowns_ = 0;
  Index floored_ = 0;
};

}  // namespace slipstick::internal
