// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/sparsity_pattern.hpp"
#include "slipstick/linsolve/banded/drop_off.hpp"
#include "slipstick/linsolve/banded/matching.hpp"
#include "slipstick/linsolve/banded/spike.hpp"

namespace slipstick::internal {

struct BandedPreconditionerSettings {
  /// Move large entries to the diagonal by a permutation of the rows, and scale, before anything else (as the
  /// paper does). Without matching a symmetric matrix stays symmetric, which CG and MINRES need.
  bool match = true;
  /// Match again for every factorization. Otherwise the first rows and scales are kept while the pattern
  /// stays the same.
  bool rematch = true;
  /// Order by Cuthill-McKee (the paper: always). Turn it off for a matrix that is already banded.
  bool reorder = true;
  /// Limits for the entries that may be dropped far from the diagonal. The factors of n rows have about 2 k n
  /// numbers and cost 2 k^2 n flops. If the bound cuts off large entries, the result may be worse than no
  /// preconditioner: check dropped().
  DropOffSettings drop_off = {.share = 0.0, .max_half_bandwidth = 1000};
  /// Share of the sum of a row's dropped entries (absolute values) that is added to its diagonal entry; [0,
  /// 1], paper: 0. With 1 and without matching, a positive definite A gives a positive definite M for any
  /// dropped entries.
  double compensation = 0.0;
  /// Factors in single precision: half the memory and traffic, but a relative error of at least about 1e-6.
  bool single_precision = false;
  /// The paper: truncated, with one partition per block of the device.
  SpikeSettings spike = {.truncated = true};
};

/// The preconditioner of Melanz 2015 for a sparse A, symmetric or not. It reorders A to a banded matrix with
/// large diagonal entries, drops small entries far from the diagonal, and applies SPIKE.
///
///     R A S scaled, Q R A S with ones on the diagonal,  C = P (Q R A S) P' banded,  C' = C within its band,
///     M^-1 = S P' C'^-1 P Q R
///
/// Q is the matching's row permutation, R and S are its scales (DiagonalMatching). P is the order of
/// narrow_order on the pattern of Q A + A'Q'. Spike applies C'^-1. With the full method and without dropped
/// entries, M^-1 = A^-1.
///
/// CG and MINRES need a symmetric M: no matching, and either the full method or at most two partitions.
class BandedPreconditioner {
 public:
  explicit BandedPreconditioner(const BandedPreconditionerSettings& settings = {}) : settings_(settings) {}

  /// The order and the map of the entries are reused if the pattern of A and the matching did not change.
  /// Then nothing is allocated while the bandwidth stays the same. Returns false if a factor overflowed.
  /// Throws Error if the matrix is not square or not compressed, or has entries that are not finite.
  bool factorize(const CsrMatrix& a);
  /// Everything but the factorization: finds C and its band. Another SPIKE may factorize them.
  void arrange(const CsrMatrix& a);
  /// z = M^-1 r
  void solve(ConstVectorView r, VectorView z) const;

  Index rows() const { return static_cast<Index>(row_.size()); }
  Index half_bandwidth() const { return band_.half_bandwidth; }
  /// ||entries outside the band||_F / ||C||_F
  double dropped() const { return band_.dropped; }
  int partitions() const;
  Index boosted_pivots() const;
  /// Rows matched with a nonzero entry. Without matching: rows().
  Index structural_rank() const { return structural_rank_; }
  /// How often the order was computed.
  int analyses() const { return analyses_; }
  /// C, with the entries that the band leaves out, and the column of A that became each of its columns.
  const CsrMatrix& arranged() const { return reordered_; }
  const std::vector<int>& column_order() const { return column_; }

 private:
  void analyze(const CsrMatrix& a);
  void load(const CsrMatrix& a);
  void compensate();

  BandedPreconditionerSettings settings_;
  DiagonalMatching matching_;
  Index structural_rank_ = 0;
  int analyses_ = 0;
  bool analyzed_ = false;  // the pattern, completely

  // The pattern that the order was found for.
  SparsityPattern pattern_;
  std::vector<int> matched_row_;  // the row of A that is matched with each column

  std::vector<int> row_, column_;    // row and column of A for each row and column of C
  Vector row_scale_, column_scale_;  // in the order of C
  CsrMatrix reordered_;              // C
  std::vector<int> source_;          // position in A of each entry of C
  std::vector<double> squares_;
  DropOff band_;
  Spike<double> double_;
  Spike<float> single_;
  mutable Vector work_;
};

}  // namespace slipstick::internal
