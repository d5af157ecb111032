// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/spike.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

void check(const SpikeSettings& settings) {
  if (settings.partitions < 0) fail("SPIKE needs partitions >= 0, not {}", settings.partitions);
  if (settings.threads < 1) fail("SPIKE needs threads >= 1, not {}", settings.threads);
  if (!(settings.pivot_threshold >= 0.0 && settings.pivot_threshold < 1.0)) {
    fail("SPIKE's pivot threshold must be in [0, 1), not {}", settings.pivot_threshold);
  }
  if (!(settings.end_weight >= 1.0 && settings.end_weight <= 1e6)) {
    fail("SPIKE's weight of the end partitions must be in [1, 1e6], not {}", settings.end_weight);
  }
}

// Calls visit(row, column, values, count) for the entries of rows [begin, end) within the band. The `count`
// values go from that row down. The order of the calls suits the storage.
struct BandEntries {
  const GeneralBand& a;
  Index half_bandwidth;
  template <class Visit>
  void for_each(Index begin, Index end, const Visit& visit) const {
    const Index last = std::min(a.rows(), end + half_bandwidth);
    for (Index j = std::max<Index>(0, begin - half_bandwidth); j < last; ++j) {
      const Index top = std::max(begin, j - half_bandwidth);
      const Index count = std::min(end, j + half_bandwidth + 1) - top;
      visit(top, j, &a.columns()(a.half_bandwidth() + top - j, j), count);
    }
  }
};

struct SparseEntries {
  const CsrMatrix& a;
  Index half_bandwidth;
  template <class Visit>
  void for_each(Index begin, Index end, const Visit& visit) const {
    for (Index i = begin; i < end; ++i) {
      for (int p = a.outerIndexPtr()[i]; p < a.outerIndexPtr()[i + 1]; ++p) {
        const Index j = a.innerIndexPtr()[p];
        if (std::abs(i - j) <= half_bandwidth) visit(i, j, a.valuePtr() + p, Index{1});
      }
    }
  }
};

// y -= C v, with v in double precision.
template <class Matrix, class Tip, class Scalar>
void subtract_coupling(const Matrix& c, const Tip& v, Scalar* y) {
  for (Index j = 0; j < c.cols(); ++j) {
    const Scalar factor = static_cast<Scalar>(-v[j]);
    for (Index i = 0; i < c.rows(); ++i) y[i] = multiply_add(c(i, j), factor, y[i]);
  }
}

}  // namespace

template <class Scalar>
bool Spike<Scalar>::factorize(const GeneralBand& a, const SpikeSettings& settings) {
  const Index k = std::min(a.half_bandwidth(), std::max<Index>(0, a.rows() - 1));
  return factorize_entries(BandEntries{a, k}, k, settings);
}

template <class Scalar>
bool Spike<Scalar>::factorize(const CsrMatrix& a, Index half_bandwidth, const SpikeSettings& settings) {
  if (a.rows() != a.cols()) fail("SPIKE needs a square matrix, not {} x {}", a.rows(), a.cols());
  if (!a.isCompressed()) fail("SPIKE needs a compressed matrix");
  if (half_bandwidth < 0) fail("SPIKE needs a half-bandwidth >= 0, not {}", half_bandwidth);
  const Index k = std::min(half_bandwidth, std::max<Index>(0, a.rows() - 1));
  return factorize_entries(SparseEntries{a, k}, k, settings);
}

template <class Scalar>
template <class Entries>
bool Spike<Scalar>::factorize_entries(const Entries& matrix, Index half_bandwidth,
                                      const SpikeSettings& settings) {
  check(settings);
  threads_ = settings.threads;
  threshold_ = settings.pivot_threshold > 0.0 ? static_cast<Scalar>(settings.pivot_threshold)
                                              : std::sqrt(std::numeric_limits<Scalar>::epsilon());
  cut(matrix.a.rows(), half_bandwidth, settings);
  reduced_.reset(partitions(), k_, settings.truncated);

  for_partitions([&](int i, int thread) {
    Partition& partition = partitions_[static_cast<std::size_t>(i)];
    Scratch& scratch = scratch_[static_cast<std::size_t>(thread)];
    load(matrix, i, is_reversed(i), partition.lu, partition);
    partition.boosted = partition.lu.factorize(threshold_, settings.symmetric);
    partition.finite = partition.lu.finite();
    if (!last(i)) find_right_spike(partition, i, scratch);
    if (first(i)) return;
    if (last(i)) {
      find_left_spike(partition, partition.lu, i, scratch);
    } else {
      load(matrix, i, true, scratch.reversed, partition);
      partition.boosted += scratch.reversed.factorize(threshold_, settings.symmetric);
      find_left_spike(partition, scratch.reversed, i, scratch);
    }
  });

  boosted_pivots_ = 0;
  bool finite = true;
  for (const Partition& partition : partitions_) {
    if (partition.bad_row >= 0) fail("SPIKE: an entry near row {} is not finite", partition.bad_row);
    boosted_pivots_ += partition.boosted;
    finite = finite && partition.finite;
  }
  const int shifted = finite ? reduced_.factorize(threads_) : -1;
  boosted_pivots_ += std::max(0, shifted);
  return shifted >= 0;
}

// Makes the requested number of partitions, but none shorter than two half-bandwidths: its tips must not
// overlap.
template <class Scalar>
void Spike<Scalar>::cut(Index rows, Index half_bandwidth, const SpikeSettings& settings) {
  rows_ = rows;
  k_ = half_bandwidth;
  truncated_ = settings.truncated;
  const Index shortest = 2 * k_;
  Index count = settings.partitions > 0 ? settings.partitions : settings.threads;
  count = k_ == 0 ? 1 : std::max<Index>(1, std::min(count, rows / shortest));
  for (bool fits = false; !fits; --count) {
    // The two end partitions together are as long as 2 end_weight other partitions.
    const double length =
        static_cast<double>(rows) / (static_cast<double>(count) - 2.0 + 2.0 * settings.end_weight);
    start_.assign(static_cast<std::size_t>(count) + 1, 0);
    for (Index i = 1; i < count; ++i) {
      const double start = length * (settings.end_weight + static_cast<double>(i - 1));
      start_[static_cast<std::size_t>(i)] = static_cast<Index>(start);
    }
    start_.back() = rows;
    fits = true;
    for (int i = 0; i < partitions() && count > 1; ++i) fits = fits && size(i) >= shortest;
  }
  partitions_.resize(start_.size() - 1);
  scratch_.resize(static_cast<std::size_t>(threads_));
  right_.resize(rows);
  solution_.resize(rows);
}

// Loads A_i (in reverse order if `reversed`) and its couplings B_i and C_i. Works chunk by chunk, so that a
// chunk of the storage is cleared and filled while it is in the cache.
template <class Scalar>
template <class Entries>
void Spike<Scalar>::load(const Entries& matrix, int i, bool reversed, BandLu<Scalar>& lu,
                         Partition& partition) {
  const Index begin = start_[static_cast<std::size_t>(i)];
  const Index end = start_[static_cast<std::size_t>(i) + 1];
  partition.bad_row = -1;
  if (!last(i)) partition.next.setZero(k_, k_);
  if (!first(i)) partition.previous.setZero(k_, k_);
  lu.resize(end - begin, k_);
  Index cleared = begin;
  for (Index chunk = begin; chunk < end; chunk += 256) {
    const Index chunk_end = std::min(end, chunk + 256);
    const Index reached = std::min(end, chunk_end + k_);
    reversed ? lu.clear(end - reached, end - cleared) : lu.clear(cleared - begin, reached - begin);
    cleared = reached;
    matrix.for_each(chunk, chunk_end, [&](Index r, Index c, const double* values, Index count) {
      if (!Eigen::Map<const Vector>(values, count).allFinite()) partition.bad_row = r;
      Scalar* to = nullptr;
      if (c >= end) {
        to = &partition.next(r - (end - k_), c - end);
      } else if (c < begin) {
        to = &partition.previous(r - begin, c - (begin - k_));
      } else if (reversed) {
        to = &lu.at(end - 1 - r, end - 1 - c);
        for (Index t = 0; t < count; ++t) to[-t] = static_cast<Scalar>(values[t]);
        return;
      } else {
        to = &lu.at(r - begin, c - begin);
      }
      for (Index t = 0; t < count; ++t) to[t] = static_cast<Scalar>(values[t]);
    });
  }
}

// Computes the tips of V_i from A_i = L U. Only the full method, in a partition with two neighbours, needs
// the far tip.
template <class Scalar>
void Spike<Scalar>::find_right_spike(const Partition& partition, int i, Scratch& scratch) {
  SpikeReducedSystem::Tips& tips = reduced_.tips(i);
  partition.lu.bottom_tip(partition.next, scratch.tip);
  tips.V_bottom = scratch.tip.template cast<double>();
  if (truncated_ || first(i)) return;
  partition.lu.top_tip(partition.next, scratch.tip, scratch.window);
  tips.V_top = scratch.tip.template cast<double>();
}

// Computes the tips of W_i from the reversed A_i. Its spike is W_i upside down.
template <class Scalar>
void Spike<Scalar>::find_left_spike(const Partition& partition, const BandLu<Scalar>& reversed, int i,
                                    Scratch& scratch) {
  SpikeReducedSystem::Tips& tips = reduced_.tips(i);
  scratch.flipped = partition.previous.colwise().reverse();
  reversed.bottom_tip(scratch.flipped, scratch.tip);
  tips.W_top = scratch.tip.colwise().reverse().template cast<double>();
  if (truncated_ || last(i)) return;
  reversed.top_tip(scratch.flipped, scratch.tip, scratch.window);
  tips.W_bottom = scratch.tip.colwise().reverse().template cast<double>();
}

template <class Scalar>
void Spike<Scalar>::solve(VectorView x) const {
  assert(x.size() == rows_);
  scale_ = 1.0;
  if constexpr (std::is_same_v<Scalar, float>) {
    // The right-hand side may exceed the range of single precision.
    const double largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
    if (largest > 0.0 && std::isfinite(largest)) scale_ = largest;
  }
  if (partitions() == 1) {
    right_ = (x / scale_).template cast<Scalar>();
    partitions_[0].lu.solve(right_.data());
    x = scale_ * right_.template cast<double>();
    return;
  }
  for_partitions([&](int i, int) { find_tips(i, x); });
  reduced_.solve();
  for_partitions([&](int i, int) { finish_partition(i, x); });
}

// Computes the tips of g_i = A_i^-1 b_i. In an end partition the near tip needs only the forward substitution
// and k rows of the backward substitution.
template <class Scalar>
void Spike<Scalar>::find_tips(int i, ConstVectorView x) const {
  const Partition& partition = partitions_[static_cast<std::size_t>(i)];
  const Index begin = start_[static_cast<std::size_t>(i)];
  const Index count = size(i);
  auto y = right_.segment(begin, count);
  auto g = solution_.segment(begin, count);
  const auto b = x.segment(begin, count);
  if (is_reversed(i)) {
    y = (b.reverse() / scale_).template cast<Scalar>();
  } else {
    y = (b / scale_).template cast<Scalar>();
  }
  if (first(i) || last(i)) {
    partition.lu.forward(y.data());
    g.tail(k_) = y.tail(k_);
    partition.lu.backward(g.data(), count - k_);
    if (first(i)) {
      reduced_.bottom(i) = g.tail(k_).template cast<double>();
    } else {
      reduced_.top(i) = g.tail(k_).reverse().template cast<double>();
    }
  } else {
    g = y;
    partition.lu.solve(g.data());
    reduced_.top(i) = g.head(k_).template cast<double>();
    reduced_.bottom(i) = g.tail(k_).template cast<double>();
  }
}

// A_i x_i = b_i - [0; 0; B_i x_(i+1)^t] - [C_i x_(i-1)^b; 0; 0]
template <class Scalar>
void Spike<Scalar>::finish_partition(int i, VectorView x) const {
  const Partition& partition = partitions_[static_cast<std::size_t>(i)];
  const Index begin = start_[static_cast<std::size_t>(i)];
  const Index count = size(i);
  auto y = right_.segment(begin, count);
  auto change = solution_.segment(begin, count);
  if (first(i) || last(i)) {
    // y = L^-1 b_i is known. Only the last k rows change, and L^-1 keeps it so.
    change.tail(k_).setZero();
    if (first(i)) {
      subtract_coupling(partition.next, reduced_.top_after_cut(i), change.data() + count - k_);
    } else {
      subtract_coupling(partition.previous, reduced_.bottom_before_cut(i - 1), change.data() + count - k_);
      change.tail(k_).reverseInPlace();
    }
    partition.lu.forward(change.data(), count - k_);
    y.tail(k_) += change.tail(k_);
    partition.lu.backward(y.data());
  } else {
    subtract_coupling(partition.previous, reduced_.bottom_before_cut(i - 1), y.data());
    subtract_coupling(partition.next, reduced_.top_after_cut(i), y.data() + count - k_);
    partition.lu.solve(y.data());
  }
  if (is_reversed(i)) {
    x.segment(begin, count) = scale_ * y.reverse().template cast<double>();
  } else {
    x.segment(begin, count) = scale_ * y.template cast<double>();
  }
}

// Calls body(partition, thread). Each thread gets contiguous partitions.
template <class Scalar>
template <class Body>
void Spike<Scalar>::for_partitions(const Body& body) const {
  const Index threads = std::min(threads_, partitions());
  parallel_for(threads, static_cast<int>(threads), [&](Index from, Index to) {
    for (Index thread = from; thread < to; ++thread) {
      const Index end = partitions() * (thread + 1) / threads;
      for (Index i = partitions() * thread / threads; i < end; ++i) {
        body(static_cast<int>(i), static_cast<int>(thread));
      }
    }
  });
}

template class Spike<double>;
template class Spike<float>;

template <class Scalar>
RefinementOutcome solve_refined(const Spike<Scalar>& spike, const GeneralBand& a, ConstVectorView b,
                                Vector& x, Vector& residual, int max_steps, int threads) {
  const auto find_residual = [&] {
    a.multiply(x, residual, threads);
    residual = b - residual;
    return residual.norm();
  };
  residual.resize(b.size());
  x = b;
  spike.solve(x);
  RefinementOutcome outcome;
  outcome.residual = find_residual();
  while (outcome.steps < max_steps && outcome.residual > 0.0) {
    const double before = outcome.residual;
    spike.solve(residual);
    x += residual;
    outcome.residual = find_residual();
    ++outcome.steps;
    if (!(outcome.residual < 0.5 * before)) break;
  }
  return outcome;
}

template RefinementOutcome solve_refined(const Spike<double>&, const GeneralBand&, ConstVectorView, Vector&,
                                         Vector&, int, int);
template RefinementOutcome solve_refined(const Spike<float>&, const GeneralBand&, ConstVectorView, Vector&,
                                         Vector&, int, int);

}  // namespace slipstick::internal
