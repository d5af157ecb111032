// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/spike_reduced_system.hpp"

#include <cmath>
#include <limits>

#include "slipstick/base/interruption.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/subtract_product.hpp"

namespace slipstick::internal {
namespace {

// c -= a b without the buffers of a general product. b may be some rows of a larger matrix.
void subtract(const DenseMatrix& a, const Eigen::Ref<const DenseMatrix>& b, DenseMatrix& c) {
  subtract_product<double>(c.rows(), c.cols(), b.rows(), {a.data(), a.rows()}, {b.data(), b.outerStride()},
                           {c.data(), c.rows()});
}

void solve_columns(const DenseLu& lu, DenseMatrix& x) {
  for (Index j = 0; j < x.cols(); ++j) {
    count_work(2.0 * static_cast<double>(x.rows() * x.rows()));
    lu.solve(x.col(j));
  }
}

}  // namespace

void SpikeReducedSystem::reset(int partitions, Index half_bandwidth, bool truncated) {
  if (partitions == partitions_ && half_bandwidth == k_ && truncated == truncated_) return;
  partitions_ = partitions;
  k_ = half_bandwidth;
  truncated_ = truncated;
  segments_.clear();
  merges_.clear();
  level_start_.assign(1, 0);
  cuts_.setZero(2 * k_, partitions - 1);
  for (int i = 0; i < partitions; ++i) add_segment(i, i);
  truncated ? pair_neighbours() : build_tree();
}

void SpikeReducedSystem::pair_neighbours() {
  for (int i = 0; i + 1 < partitions_; ++i) add_merge(i, i + 1);
  level_start_.push_back(static_cast<int>(merges_.size()));
}

void SpikeReducedSystem::build_tree() {
  std::vector<int> level;
  for (int i = 0; i < partitions_; ++i) level.push_back(i);
  while (level.size() > 1) {
    std::vector<int> above;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      Merge& merge = add_merge(level[i], level[i + 1]);
      merge.result = add_segment(segments_[merge.left].first, segments_[merge.right].last);
      above.push_back(merge.result);
    }
    if (level.size() % 2 == 1) above.push_back(level.back());
    level.swap(above);
    level_start_.push_back(static_cast<int>(merges_.size()));
  }
}

int SpikeReducedSystem::add_segment(int first, int last) {
  Segment& segment = segments_.emplace_back();
  segment.first = first;
  segment.last = last;
  const bool previous = first > 0;
  const bool next = last + 1 < partitions_;
  if (previous) segment.tips.W_top.setZero(k_, k_);
  if (next) segment.tips.V_bottom.setZero(k_, k_);
  if (previous && next && !truncated_) {
    segment.tips.W_bottom.setZero(k_, k_);
    segment.tips.V_top.setZero(k_, k_);
  }
  if (previous) segment.top.setZero(k_);
  if (next) segment.bottom.setZero(k_);
  return static_cast<int>(segments_.size()) - 1;
}

SpikeReducedSystem::Merge& SpikeReducedSystem::add_merge(int left, int right) {
  Merge& merge = merges_.emplace_back();
  merge.left = left;
  merge.right = right;
  merge.cut = segments_[left].last;
  merge.previous_cut = segments_[left].first - 1;
  merge.next_cut = segments_[right].last + 1 < partitions_ ? segments_[right].last : -1;
  if (truncated_) merge.previous_cut = merge.next_cut = -1;
  merge.system.setIdentity(2 * k_, 2 * k_);
  if (merge.has_previous()) merge.Y_W.setZero(2 * k_, k_);
  if (merge.has_next()) merge.Y_V.setZero(2 * k_, k_);
  return merge;
}

int SpikeReducedSystem::factorize(int threads) {
  for (std::size_t level = 0; level + 1 < level_start_.size(); ++level) {
    const Index begin = level_start_[level];
    parallel_for(level_start_[level + 1] - begin, threads, [&](Index from, Index to) {
      for (Index m = begin + from; m < begin + to; ++m) {
        Merge& merge = merges_[static_cast<std::size_t>(m)];
        factorize_cut(merge);
        if (merge.finite && !truncated_) merge_tips(merge);
      }
    });
  }
  int shifted = 0;
  for (const Merge& merge : merges_) {
    if (!merge.finite) return -1;
    shifted += merge.shifted ? 1 : 0;
  }
  return shifted;
}

void SpikeReducedSystem::factorize_cut(Merge& merge) {
  DenseMatrix& system = merge.system;
  system.setIdentity();
  system.topRightCorner(k_, k_) = segments_[merge.left].tips.V_bottom;
  system.bottomLeftCorner(k_, k_) = segments_[merge.right].tips.W_top;
  merge.finite = system.allFinite();
  merge.shifted = false;
  if (!merge.finite || merge.lu.factorize(system)) return;
  merge.shifted = true;
  const double largest = system.cwiseAbs().maxCoeff();
  system.diagonal().array() += std::sqrt(std::numeric_limits<double>::epsilon()) * largest;
  merge.finite = merge.lu.factorize(system);
}

// Y_W = K^-1 [W_l^b; 0] and Y_V = K^-1 [0; V_r^t], then the spikes of l and r merged into one partition.
void SpikeReducedSystem::merge_tips(Merge& merge) {
  const Tips& left = segments_[merge.left].tips;
  const Tips& right = segments_[merge.right].tips;
  Tips& result = segments_[merge.result].tips;
  if (merge.has_previous()) {
    merge.Y_W.topRows(k_) = left.W_bottom;
    merge.Y_W.bottomRows(k_).setZero();
    solve_columns(merge.lu, merge.Y_W);
    result.W_top = left.W_top;
    subtract(left.V_top, merge.Y_W.bottomRows(k_), result.W_top);
  }
  if (merge.has_next()) {
    merge.Y_V.topRows(k_).setZero();
    merge.Y_V.bottomRows(k_) = right.V_top;
    solve_columns(merge.lu, merge.Y_V);
    result.V_bottom = right.V_bottom;
    subtract(right.W_bottom, merge.Y_V.topRows(k_), result.V_bottom);
  }
  if (merge.has_previous() && merge.has_next()) {
    result.V_top.setZero();
    subtract(left.V_top, merge.Y_V.bottomRows(k_), result.V_top);
    result.W_bottom.setZero();
    subtract(right.W_bottom, merge.Y_W.topRows(k_), result.W_bottom);
  }
}

void SpikeReducedSystem::solve() {
  for (Merge& merge : merges_) climb(merge);
  for (std::size_t m = merges_.size(); m-- > 0;) descend(merges_[m]);
}

// Computes the unknowns at the cut for zero unknowns of the neighbours, and the right-hand sides of the
// merged partition.
void SpikeReducedSystem::climb(Merge& merge) {
  const Segment& left = segments_[merge.left];
  const Segment& right = segments_[merge.right];
  auto cut = cuts_.col(merge.cut);
  cut.head(k_) = left.bottom;
  cut.tail(k_) = right.top;
  merge.lu.solve(cut);
  if (merge.has_previous()) {
    Vector& top = segments_[merge.result].top;
    top = left.top;
    top.noalias() -= left.tips.V_top * cut.tail(k_);
  }
  if (merge.has_next()) {
    Vector& bottom = segments_[merge.result].bottom;
    bottom = right.bottom;
    bottom.noalias() -= right.tips.W_bottom * cut.head(k_);
  }
}

// Adds the contribution of the neighbours' unknowns, which are known now.
void SpikeReducedSystem::descend(const Merge& merge) {
  auto cut = cuts_.col(merge.cut);
  if (merge.has_previous()) cut.noalias() -= merge.Y_W * cuts_.col(merge.previous_cut).head(k_);
  if (merge.has_next()) cut.noalias() -= merge.Y_V * cuts_.col(merge.next_cut).tail(k_);
}

}  // namespace slipstick::internal
