// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/error.hpp"
#include "slipstick/linalg/sparsity_pattern.hpp"
#include "slipstick/linsolve/banded/drop_off.hpp"
#include "slipstick/linsolve/banded/matching.hpp"
#include "slipstick/linsolve/banded/spike.hpp"

namespace slipstick::internal {

struct BandedPreconditionerSettings {
  /// Move large entries to the diagonal by a permutation of the rows, and scale, before anything else (as the
  /// paper does). Without it a symmetric matrix stays symmetric, as CG and MINRES need it.
  bool match = true;
  /// Match anew for every factorization; otherwise rows and scales found first are kept as long as the
  /// pattern stays.
  bool rematch = true;
  /// Cuthill-McKee (paper: always); off for matrices that are banded as they are.
  bool reorder = true;
  /// What may be dropped far from the diagonal. The factors of n rows have about 2 k n numbers, and making
  /// them costs 2 k^2 n flops. A bound that cuts off large entries may leave something worse than nothing:
  /// look at dropped().
  DropOffSettings drop_off = {.share = 0.0, .max_half_bandwidth = 1000};
  /// Share of the sizes of a row's dropped entries that is added to the size of its diagonal entry; [0, 1],
  /// paper: 0. With 1 and no matching a positive definite A gives a positive definite M, however much is
  /// dropped.
  double compensation = 0.0;
  /// Factors in single precision: half the memory and traffic, a relative error of about 1e-6 at best.
  bool single_precision = false;
  /// Paper: truncated, a partition per block of the device.
  SpikeSettings spike = {.truncated = true};
};

/// The preconditioner of Melanz 2015 for a sparse A, symmetric or not: reorder it to a banded matrix with a
/// diagonal as heavy as possible, drop small entries far from it, and apply SPIKE to what is left.
///
///     R A S scaled, Q R A S with ones on the diagonal,  C = P (Q R A S) P' banded,  C' = C within its band,
///     M^-1 = S P' C'^-1 P Q R
///
/// with the matching's row permutation Q and scales R, S (DiagonalMatching), the order P of narrow_order
/// on the pattern of Q A + A'Q', and C'^-1 by Spike. With the full method and nothing dropped
/// M^-1 = A^-1.
///
/// For CG and MINRES, M must be symmetric: no matching, and the full method or at most two partitions.
class BandedPreconditioner {
 public:
  explicit BandedPreconditioner(const BandedPreconditionerSettings& settings = {}) : settings_(settings) {}

  /// The order and the map of the entries are reused where the pattern of A and the matching are those of the
  /// last call, which then allocates nothing as long as the bandwidth stays. Returns false where a factor
  /// overflowed; throws Error for a matrix that is not square and compressed, or with entries that are not
  /// finite.
  bool factorize(const CsrMatrix& a);
  /// z = M^-1 r
  void solve(ConstVectorView r, VectorView z) const;

  Index rows() const { return static_cast<Index>(row_.size()); }
  Index half_bandwidth() const { return band_.half_bandwidth; }
  /// ||what lies outside of the band||_F / ||C||_F
  double dropped() const { return band_.dropped; }
  int partitions() const;
  Index boosted_pivots() const;
  /// Rows that could be matched with a nonzero entry; rows() without matching.
  Index structural_rank() const { return structural_rank_; }
  /// How often the order had to be found.
  int analyses() const { return analyses_; }

 private:
  void analyze(const CsrMatrix& a);
  void load(const CsrMatrix& a);
  void compensate();

  BandedPreconditionerSettings settings_;
  DiagonalMatching matching_;
  Index structural_rank_ = 0;
  int analyses_ = 0;

  // What the order was found for.
  SparsityPattern pattern_;
  std::vector<int> matched_row_;  // of a column

  std::vector<int> row_, column_;    // of A, for a row and column of C
  Vector row_scale_, column_scale_;  // in the order of C
  CsrMatrix reordered_;              // C
  std::vector<int> source_;          // its entries' positions in A
  std::vector<double> squares_;
  DropOff band_;
  Spike<double> double_;
  Spike<float> single_;
  mutable Vector work_;
};

}  // namespace slipstick::internal
