// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/incomplete/column_cholesky.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// What an incomplete Cholesky factorization keeps, and what it does where a pivot is not positive.
enum class IncompleteVariant {
  shifted,        ///< the pattern of A; starts again with a larger shift of the whole diagonal (Ho 4.1.2)
  partial_shift,  ///< the pattern of A; shifts the columns that made the pivot what it is (Ho 4.1.4)
  imaginary,      ///< the pattern of A; goes on with an imaginary column (Ho 4.1.5, Alg. 6)
  threshold,      ///< entries that are large enough, ICT (Ho 4.1.3, Alg. 5); shifts as `shifted`
};

struct IncompleteCholeskySettings {
  IncompleteVariant variant = IncompleteVariant::shifted;
  IncompleteScaling scaling = IncompleteScaling::none;
  /// Share of the dropped fill that is moved to the diagonal, [0, 1]: 0 is IC(0), 1 is MIC(0), which keeps
  /// the row sums (UIC survey 3.3.6). 0.97 is the customary compromise for pressure problems; Ho has 0. Of
  /// the shifted and the imaginary variant.
  double compensation = 0.97;
  /// A pivot below this share of its diagonal entry is a breakdown, [0, 1). Ho: 0. Not of the imaginary
  /// variant.
  double smallest_pivot = 1e-2;
  /// First shift of the diagonal, relative to the unit above, after a breakdown; each further breakdown makes
  /// it four times larger. > 0.
  double shift = 1e-3;
  /// Of the partial shift: column i is shifted by 2^p times this, with p the times it was shifted before;
  /// > 0. Ho: 1e-4.
  double partial_shift = 1e-4;
  /// Of the imaginary variant: a pivot whose size is below this share of its diagonal entry is put there, its
  /// sign kept, (0, 1). Ho has none; a pivot that happens to be near zero makes entries that only rounding
  /// bounds.
  double imaginary_floor = 1e-8;
  /// Of the threshold: entries of column i below this share of the norm of its part of A on and below the
  /// diagonal are dropped, >= 0. Ho: 1e-5.
  double drop_tolerance = 1e-3;
  /// Of the threshold: so many entries below the diagonal of a column stay, the largest ones; 0: all.
  Index most_entries = 0;
};

/// L L' ~ A_RR of the symmetric A, for a set of rows R; the other rows of L are diagonal.
///
/// On the pattern of A, right-looking: column k of L is divided by its pivot, then its outer product is
/// subtracted from the entries that exist, and what hits no entry is subtracted, times the compensation, from
/// the two diagonals it couples. Costs O(sum over columns of (entries below the diagonal)^2). The threshold
/// and the partial shift are left-looking, see column_cholesky.hpp.
///
/// Imaginary columns (Alg. 6): where a pivot d is negative, L_kk = sqrt(-d) and the column is imaginary, its
/// outer product enters with the other sign. L is stored real, and the preconditioner is the positive
/// definite L L', which is what the Hermitian product with the imaginary columns gives; the signs of Alg. 7
/// would give a matrix that is not symmetric.
///
/// Stored by columns, so that the forward substitution scatters and the backward one gathers. Keeps its
/// storage: a factorization of no more entries than before allocates nothing.
class IncompleteCholesky {
 public:
  /// Factors the rows for which wanted[row] holds (all where it is empty).
  void factor(const CsrView& a, std::span<const char> wanted, const IncompleteCholeskySettings& settings);
  Index rows() const { return static_cast<Index>(l_.pivot.size()); }
  /// Entries of L below the diagonal.
  Index entries() const { return static_cast<Index>(l_.below.size()); }
  /// The largest relative shift of the diagonal that was needed.
  double shift() const { return shift_; }
  /// Pivots that were not positive (or too small), over all attempts: with the imaginary variant, columns
  /// that are imaginary.
  Index breakdowns() const { return breakdowns_; }
  /// Pivots of the imaginary variant below the floor.
  Index floored() const { return floored_; }

  /// The rows `rows` (ascending) of another factor, renumbered: entry k stands for rows[k], and
  /// place[rows[k]] is k. Rows that are not among them have a negative place and are masked out.
  void take_rows(const IncompleteCholesky& whole, std::span<const int> rows, std::span<const int> place);
  /// Storage for a factor of that size, so that later calls with less allocate nothing.
  void reserve(Index rows, Index entries);

  /// Prepares for a row that is masked out of all solves from now on. Masking alone takes the row's column l
  /// out of L, and with it l l' out of what the factor stands for; here l l' is put back on the pattern of L,
  /// as a rank-one update does: with a complete factor and the tolerance 0 the rest is Cholesky's factor
  /// without the row. It never breaks down. Goes down the tree of columns until a pivot would change by less
  /// than tolerance^2, relatively. A row that comes back needs a new factor.
  void downdate(Index row, double tolerance = 1e-2);

  /// z <- (L L')^-1 z on the rows with free[row], the others masked out of L: there z becomes 0. Free rows
  /// that were not factored are divided by their diagonal entry. Symmetric positive definite on the free
  /// rows.
  void solve(std::span<const char> free, double* z) const;
  /// z <- (L L')^-1 z over all rows, none masked.
  void solve(VectorView z) const;

 private:
  void load(const CsrView& a, std::span<const char> wanted, IncompleteScaling scaling);
  bool factor_pattern(const IncompleteCholeskySettings& settings);
  void scale_matrix();
  void unscale_factor();

  LowerColumns a_;
  LowerColumns l_;
  std::vector<double> unit_;   // of the shifts
  std::vector<double> scale_;  // s_k
  ColumnCholesky left_looking_;
  std::vector<double> update_;  // the column that a downdate puts back
  std::vector<char> state_;     // of its rows, and of those that were removed
  std::vector<int> pending_;    // a heap of rows
  double shift_ = 0.0;
  Index breakdowns_ = 0;
  Index floored_ = 0;
};

}  // namespace slipstick::internal
