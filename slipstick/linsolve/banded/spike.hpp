// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linsolve/banded/band_lu.hpp"
#include "slipstick/linsolve/banded/general_band.hpp"
#include "slipstick/linsolve/banded/spike_reduced_system.hpp"

namespace slipstick::internal {

struct SpikeSettings {
  /// Number of partitions P: [0, inf). 0 means one per thread. There are fewer if a partition would be
  /// shorter than 2 k.
  int partitions = 0;
  /// Truncated (Melanz 2015): keeps only the tips of the spikes next to the neighbour, so that the reduced
  /// system is block diagonal. It is exact for one or two partitions. Otherwise it is a preconditioner whose
  /// quality depends on the diagonal dominance of A. False is the full, exact method.
  bool truncated = false;
  /// A pivot is boosted if its size is at most this share of the largest entry of its row or its column; [0,
  /// 1). 0 means the square root of the rounding unit of the factors.
  double pivot_threshold = 0.0;
  /// Length of the first and the last partition relative to the others; [1, inf). End partitions have one
  /// neighbour. A substitution passes over them once instead of twice. The factorization passes over them
  /// once instead of twice (truncated) or four times (full).
  double end_weight = 2.0;
  /// The matrix is symmetric, which saves half of the factorization. This is not checked.
  bool symmetric = false;
  int threads = 1;  ///< >= 1; the result depends on the partitions, not on the threads
};

/// SPIKE (Sameh and Kuck 1978; Polizzi and Sameh 2006; the form of Melanz 2015) for a banded A x = b. It is a
/// divide-and-conquer method with independent partitions.
///
/// A is cut into P diagonal blocks A_i. B_i couples the last k rows of partition i to the first k unknowns of
/// i + 1. C_i couples its first k rows to the last k unknowns of i - 1. With D = diag(A_i),
///
///     A = D S,  D g = b,  S x = g,  A_i [W_i | V_i] = [C_i 0; 0 0; 0 B_i]
///
/// S is the identity with the spikes V_i and W_i, of k columns each, to the right and left of its diagonal
/// blocks. The rows of S x = g next to the cuts are the reduced system (see SpikeReducedSystem). Its
/// solution, the tips x_i^t and x_i^b, gives the other unknowns by P independent solves
///
///     A_i x_i = b_i - [0; 0; B_i x_(i+1)^t] - [C_i x_(i-1)^b; 0; 0],
///
/// so that only the tips of the spikes are stored. The blocks are factorized as L U without pivoting. U L
/// factors give the top tips of W_i as cheaply as L U factors give the bottom tips of V_i. The first
/// partition needs only L U, the last one only U L. With P = 2 the cost is that of one L U factorization,
/// half of it in each partition.
///
/// Flops of the factorization per row: 2 k^2 in the end partitions, 4 k^2 (truncated) or 8 k^2 (full) in the
/// others. Flops of a substitution per row: 4 k in the end partitions, 8 k in the others. The reduced system
/// adds O(P k^3) and O(P k^2). It is always solved in double precision.
///
/// Scalar is the precision of the factors: double, or float for a preconditioner of half the size. Vectors
/// outside are double. The storage is kept: a second factorization of the same sizes and every later solve
/// allocate nothing.
template <class Scalar>
class Spike {
 public:
  /// Returns false if a factor overflowed. The factor must not be used then. Throws Error for bad settings
  /// and for entries that are not finite.
  bool factorize(const GeneralBand& a, const SpikeSettings& settings);
  /// Takes the entries of the sparse matrix with |i - j| <= half_bandwidth and leaves out the others.
  bool factorize(const CsrMatrix& a, Index half_bandwidth, const SpikeSettings& settings);

  Index rows() const { return rows_; }
  Index half_bandwidth() const { return k_; }
  int partitions() const { return static_cast<int>(start_.size()) - 1; }
  /// The first row of every partition, then rows().
  const std::vector<Index>& partition_start() const { return start_; }
  /// Number of boosted pivots of all factors.
  Index boosted_pivots() const { return boosted_pivots_; }

  /// x <- A^-1 x. The result is approximate if the method is truncated or a pivot is boosted.
  void solve(VectorView x) const;

 private:
  using Matrix = typename BandLu<Scalar>::Matrix;
  struct Partition {
    BandLu<Scalar> lu;  // factor of A_i; in the last of several partitions, of the reversed A_i
    Matrix next;        // B_i
    Matrix previous;    // C_i
    Index boosted = 0;
    Index bad_row = -1;  // a row near an entry that is not finite
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

/// A direct solver with iterative refinement: x <- x + M^-1 (b - A x) from x = M^-1 b, with the factors M of
/// `spike`. It makes at most `max_steps` steps and stops if a step does not at least halve the residual.
/// `residual` ends as b - A x.
template <class Scalar>
RefinementOutcome solve_refined(const Spike<Scalar>& spike, const GeneralBand& a, ConstVectorView b,
                                Vector& x, Vector& residual, int max_steps, int threads = 1);

}  // namespace slipstick::internal
