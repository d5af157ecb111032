// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick {

/// How an incomplete Cholesky factorization on the pattern of A treats what falls outside the pattern.
struct IncompleteCholeskySettings {
  /// Share of the dropped fill that is moved to the diagonal: 0 is IC(0), 1 is MIC(0), which keeps the row
  /// sums (UIC survey 3.3.6). 0.97 is the customary compromise for pressure problems.
  double compensation = 0.97;
  /// A pivot below this share of its diagonal entry is a breakdown.
  double smallest_pivot = 1e-2;
  /// First shift of the diagonal, relative, after a breakdown; each further breakdown makes it four times
  /// larger.
  double shift = 1e-3;
};

/// L L' ~ A_RR on the pattern of the symmetric A, for a set of rows R; the other rows of L are diagonal.
///
/// Right-looking: column k of L is divided by its pivot, then its outer product is subtracted from the
/// entries that exist, and what hits no entry is subtracted, times the compensation, from the two diagonals
/// it couples. Costs O(sum over columns of (entries below the diagonal)^2). Stored by columns, so that the
/// forward substitution scatters and the backward one gathers. Keeps its storage: a factorization of no more
/// entries than before allocates nothing.
class IncompleteCholesky {
 public:
  /// Factors the rows for which wanted[row] holds (all where it is empty). Breakdowns shift the diagonal and
  /// start again.
  void factor(const CsrView& a, std::span<const char> wanted, const IncompleteCholeskySettings& settings);
  Index rows() const { return static_cast<Index>(pivot_.size()); }
  /// The relative shift of the diagonal that was needed.
  double shift() const { return shift_; }

  /// The rows `rows` (ascending) of another factor, renumbered: entry k stands for rows[k], and
  /// place[rows[k]] is k. Rows that are not among them have a negative place and are masked out.
  void take_rows(const IncompleteCholesky& whole, std::span<const int> rows, std::span<const int> place);
  /// Storage for a factor of that size, so that later calls with less allocate nothing.
  void reserve(Index rows, Index entries);

  /// z <- (L L')^-1 z on the rows with free[row], the others masked out of L: there z becomes 0. Free rows
  /// that were not factored are divided by their diagonal entry. Symmetric positive definite on the free
  /// rows.
  void solve(std::span<const char> free, double* z) const;
  /// z <- (L L')^-1 z over all rows, none masked.
  void solve(VectorView z) const;

 private:
  bool try_factor(const IncompleteCholeskySettings& settings);

  std::vector<int> start_;        // column starts
  std::vector<int> below_;        // rows below the diagonal, ascending
  std::vector<double> original_;  // entries of A below the diagonal
  std::vector<double> diagonal_;  // of A
  std::vector<double> entry_;     // of L below the diagonal
  std::vector<double> pivot_;     // 1 / L_kk
  double shift_ = 0.0;
};

}  // namespace slipstick
