// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/error.hpp"
#include "slipstick/linsolve/banded/band_lu.hpp"
#include "slipstick/linsolve/banded/general_band.hpp"
#include "slipstick/linsolve/banded/spike_reduced_system.hpp"

namespace slipstick::internal {

struct SpikeSettings {
  /// Partitions P: [0, inf), 0 stands for one per thread. Fewer are made where one would be shorter than 2 k.
  int partitions = 0;
  /// Truncated (Melanz 2015): of the spikes only the tips next to the neighbour are kept, which makes the
  /// reduced system block diagonal. Exact for one or two partitions, else only as good as A is diagonally
  /// dominant: a preconditioner. False is the full, exact method.
  bool truncated = false;
  /// A pivot is boosted where its size is at most this share of the largest entry of its row or its column;
  /// [0, 1). 0 stands for the square root of the rounding unit of the factors.
  double pivot_threshold = 0.0;
  /// Length of the first and the last partition against that of the others; [1, inf). They have one
  /// neighbour: a substitution goes over them once instead of twice, the factorization once instead of twice
  /// (truncated) or four times (full).
  double end_weight = 2.0;
  /// The matrix is symmetric, which saves half of the factorization. Not checked.
  bool symmetric = false;
  int threads = 1;  ///< >= 1; the bits depend on the partitions, not on the threads
};

/// SPIKE (Sameh and Kuck 1978; Polizzi and Sameh 2006; the form of Melanz 2015) for a banded A x = b: a
/// divide-and-conquer method whose partitions are independent.
///
/// A is cut into P diagonal blocks A_i, with B_i coupling the last k rows of partition i to the first k
/// unknowns of i + 1, and C_i its first k rows to the last k unknowns of i - 1. With D = diag(A_i),
///
///     A = D S,  D g = b,  S x = g,  A_i [W_i | V_i] = [C_i 0; 0 0; 0 B_i]
///
/// where S is the identity with the spikes V_i and W_i of k columns to the right and left of its diagonal
/// blocks. The rows of S x = g next to the cuts are the reduced system (see SpikeReducedSystem).
/// Its solution, the tips x_i^t and x_i^b, gives the rest by P independent solves
///
///     A_i x_i = b_i - [0; 0; B_i x_(i+1)^t] - [C_i x_(i-1)^b; 0; 0],
///
/// so that of the spikes nothing but the tips is ever stored. The blocks are factorized without pivoting, as
/// L U; U L factors give the top tips of W_i as cheaply as L U factors give the bottom tips of V_i. The first
/// partition needs L U alone, the last one U L alone: with P = 2 everything costs what one L U factorization
/// costs, half of it in each partition.
///
/// Flops: factorization 2 k^2 per row of the end partitions, 4 k^2 (truncated) or 8 k^2 (full) elsewhere;
/// substitution 4 k per row of the end partitions, 8 k elsewhere; and O(P k^3), O(P k^2) for the reduced
/// system, which is always solved in double precision.
///
/// Scalar is the precision of the factors (double, or float for a preconditioner of half the size); vectors
/// outside are double. Keeps its storage: a second factorization of the same sizes and every later solve
/// allocate nothing.
template <class Scalar>
class Spike {
 public:
  /// Returns false where a factor overflowed; it must not be used then. Throws Error for bad settings and
  /// for entries that are not finite.
  bool factorize(const GeneralBand& a, const SpikeSettings& settings);
  /// The entries of the sparse matrix with |i - j| <= half_bandwidth; the others are left out.
  bool factorize(const CsrMatrix& a, Index half_bandwidth, const SpikeSettings& settings);

  Index rows() const { return rows_; }
  Index half_bandwidth() const { return k_; }
  int partitions() const { return static_cast<int>(start_.size()) - 1; }
  /// The first row of every partition, and rows().
  const std::vector<Index>& partition_start() const { return start_; }
  /// Pivots that were too small and were replaced, all factors together.
  Index boosted_pivots() const { return boosted_pivots_; }

  /// x <- A^-1 x, approximately where truncated or boosted.
  void solve(VectorView x) const;

 private:
  using Matrix = typename BandLu<Scalar>::Matrix;
  struct Partition {
    BandLu<Scalar> lu;  // of A_i; of the reversed A_i in the last one of several partitions
    Matrix next;        // B_i
    Matrix previous;    // C_i
    Index boosted = 0;
    Index bad_row = -1;  // near an entry that is not finite
    bool finite = true;
  };
  struct Scratch {
    BandLu<Scalar> reversed;
    Matrix flipped;
    Matrix tip;
    Matrix window;
  };

  template <class Entries>
  bool factorize_entries(const Entries& matrix, Index half_bandwidth, const SpikeSettings& settings);
  void cut(Index rows, Index half_bandwidth, const SpikeSettings& settings);
  template <class Entries>
  void load(const Entries& matrix, int i, bool reversed, BandLu<Scalar>& lu, Partition& partition);
  void find_right_spike(const Partition& partition, int i, Scratch& scratch);
  void find_left_spike(const Partition& partition, const BandLu<Scalar>& reversed, int i, Scratch& scratch);

  bool first(int i) const { return i == 0; }
  bool last(int i) const { return i == partitions() - 1; }
  bool is_reversed(int i) const { return last(i) && !first(i); }
  Index size(int i) const {
    return start_[static_cast<std::size_t>(i) + 1] - start_[static_cast<std::size_t>(i)];
  }
  void find_tips(int i, ConstVectorView x) const;
  void finish_partition(int i, VectorView x) const;
  template <class Body>
  void for_partitions(const Body& body) const;

  Index rows_ = 0;
  Index k_ = 0;
  int threads_ = 1;
  bool truncated_ = false;
  Scalar threshold_ = 0;
  Index boosted_pivots_ = 0;
  std::vector<Index> start_ = {0, 0};
  std::vector<Partition> partitions_;
  std::vector<Scratch> scratch_;  // one per thread
  mutable SpikeReducedSystem reduced_;
  mutable Eigen::Matrix<Scalar, Eigen::Dynamic, 1> right_, solution_;
  mutable double scale_ = 1.0;
};

extern template class Spike<double>;
extern template class Spike<float>;

struct RefinementOutcome {
  int steps = 0;
  double residual = 0.0;  ///< ||b - A x||
};

/// A direct solver with iterative refinement: x <- x + M^-1 (b - A x) with the factors M of `spike`, from
/// x = M^-1 b, as long as the residual at least halves and at most `max_steps` times. `residual` ends as
/// b - A x.
template <class Scalar>
RefinementOutcome solve_refined(const Spike<Scalar>& spike, const GeneralBand& a, ConstVectorView b,
                                Vector& x, Vector& residual, int max_steps, int threads = 1);

}  // namespace slipstick::internal
