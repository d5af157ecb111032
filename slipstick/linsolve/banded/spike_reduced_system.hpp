// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linsolve/dense/dense_lu.hpp"

namespace slipstick::internal {

/// The rows of SPIKE's S x = g next to the cuts (Melanz 2015). With t and b for the first and the last k rows
/// of partition i,
///
///     x_i^t + W_i^t x_(i-1)^b + V_i^t x_(i+1)^t = g_i^t
///     x_i^b + W_i^b x_(i-1)^b + V_i^b x_(i+1)^t = g_i^b.
///
/// At the cut between two neighbours l and r the unknowns x_l^b and x_r^t meet in
///
///     [ I      V_l^b ] [x_l^b]   [g_l^b - W_l^b x_(l-1)^b]
///     [ W_r^t  I     ] [x_r^t] = [g_r^t - V_r^t x_(r+1)^t].
///
/// Truncated: the second terms on the right are dropped, and the P - 1 cuts are independent systems of 2 k
/// rows. If A is diagonally dominant, these terms decay away from the diagonal.
///
/// Full: the solution of the two equations is g'' - Y_W x_(l-1)^b - Y_V x_(r+1)^t. In the equations of x_l^t
/// and x_r^b it leaves equations of the same form, for l and r merged into one partition. Neighbours are
/// merged in pairs, level by level, in a binary tree. The right-hand sides go up the tree and the solution
/// comes down. This is exact for any number of partitions.
class SpikeReducedSystem {
 public:
  /// Tips of the spikes of a partition or of merged partitions, k x k. Tips that do not exist (W of the first
  /// partition, V of the last) are not read. Nor are the unused tips (the top of the first, the bottom of the
  /// last).
  struct Tips {
    DenseMatrix W_top, W_bottom, V_top, V_bottom;
  };

  /// Call it before a factorization: it sets the sizes only. Allocates nothing for the same sizes as before.
  void reset(int partitions, Index half_bandwidth, bool truncated);
  /// The caller fills the tips of every partition. Truncated: V_bottom and W_top only.
  Tips& tips(int partition) { return segments_[static_cast<std::size_t>(partition)].tips; }
  /// Returns the number of cuts with a singular system, which was shifted, or -1 if values are not finite.
  int factorize(int threads);

  /// g_i^t and g_i^b. The caller fills them before solve. Parts for unused tips are not read.
  Vector& top(int partition) { return segments_[static_cast<std::size_t>(partition)].top; }
  Vector& bottom(int partition) { return segments_[static_cast<std::size_t>(partition)].bottom; }
  /// This costs O(P k^2) flops, too few for threads.
  void solve();
  /// After solve: x_i^b and x_(i+1)^t at the cut after partition i.
  auto bottom_before_cut(int i) const { return cuts_.col(i).head(k_); }
  auto top_after_cut(int i) const { return cuts_.col(i).tail(k_); }

 private:
  struct Segment {
    int first = 0, last = 0;  // range of partitions
    Tips tips;
    Vector top, bottom;  // g
  };
  struct Merge {
    int left = 0, right = 0, result = -1;  // segments; result is -1 if truncated
    int cut = 0;
    int previous_cut = -1, next_cut = -1;  // cuts around the two segments, -1 if there is none
    DenseMatrix system;
    DenseLu lu;
    DenseMatrix Y_W, Y_V;  // 2 k x k
    bool shifted = false;
    bool finite = true;

    bool has_previous() const { return previous_cut >= 0; }
    bool has_next() const { return next_cut >= 0; }
  };

  void pair_neighbours();
  void build_tree();
  int add_segment(int first, int last);
  Merge& add_merge(int left, int right);
  void factorize_cut(Merge& merge);
  void merge_tips(Merge& merge);
  void climb(Merge& merge);
  void descend(const Merge& merge);

  int partitions_ = 0;
  Index k_ = 0;
  bool truncated_ = false;
  std::vector<Segment> segments_;  // the partitions, then the merged ones
  std::vector<Merge> merges_;      // level by level
  std::vector<int> level_start_;   // in merges_
  DenseMatrix cuts_;               // 2 k x (P - 1)
};

}  // namespace slipstick::internal
