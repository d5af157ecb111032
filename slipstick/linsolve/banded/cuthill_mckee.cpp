// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/cuthill_mckee.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/neighbour_graph.hpp"

namespace slipstick::internal {
namespace {

class CuthillMckee {
 public:
  explicit CuthillMckee(const NeighbourGraph& graph)
      : graph_(graph), mark_(graph.start.size() - 1, unseen), numbered_(mark_.size(), 0) {}

  // Starts from the vertices before `first`. A component without such a vertex starts from a
  // pseudo-peripheral vertex.
  void number(int first, std::vector<int>& order) {
    const auto n = static_cast<int>(mark_.size());
    std::fill(numbered_.begin(), numbered_.end(), 0);
    std::fill_n(numbered_.begin(), first, 1);
    order.resize(static_cast<std::size_t>(first));
    std::iota(order.begin(), order.end(), 0);
    number_neighbours(0, order);
    for (int v = first; v < n; ++v) {
      if (numbered_[v] != 0) continue;
      const std::size_t start = order.size();
      order.push_back(pseudo_peripheral(v));
      numbered_[order.back()] = 1;
      number_neighbours(start, order);
    }
  }

  // The work to eliminate the band with its local width in each row.
  double work(const std::vector<int>& order) {
    for (std::size_t i = 0; i < order.size(); ++i) mark_[order[i]] = static_cast<int>(i);
    double sum = 0.0;
    int reached = 0;
    for (int i = 0; i < static_cast<int>(order.size()); ++i) {
      for (const int w : graph_.of(order[i])) reached = std::max(reached, mark_[w]);
      count_work(4.0 * graph_.degree(order[i]));
      const double width = std::max(0, reached - i);
      sum += width * width;
    }
    std::fill(mark_.begin(), mark_.end(), unseen);
    return sum;
  }

 private:
  static constexpr int unseen = -1;

  // Finds the levels of the component of `root` and returns their number. level_ holds the vertices, one
  // level after another.
  int build_levels(int root) {
    for (const int v : level_) mark_[v] = unseen;
    level_.assign(1, root);
    mark_[root] = 0;
    for (std::size_t k = 0; k < level_.size(); ++k) {
      const int v = level_[k];
      count_work(4.0 * graph_.degree(v));
      for (const int w : graph_.of(v)) {
        if (mark_[w] != unseen) continue;
        mark_[w] = mark_[v] + 1;
        level_.push_back(w);
      }
    }
    return mark_[level_.back()] + 1;
  }

  int pseudo_peripheral(int v) {
    level_.clear();
    build_levels(v);
    int root = v;
    for (const int w : level_) {
      if (by_degree(w, root)) root = w;
    }
    int height = build_levels(root);
    while (true) {
      int far = level_.back();
      for (std::size_t k = level_.size(); k-- > 0 && mark_[level_[k]] == height - 1;) {
        if (by_degree(level_[k], far)) far = level_[k];
      }
      const int next_height = build_levels(far);
      if (next_height <= height) break;
      root = far;
      height = next_height;
    }
    for (const int w : level_) mark_[w] = unseen;
    return root;
  }

  // Numbers breadth first, from the vertices of the order at `start` and after it.
  void number_neighbours(std::size_t start, std::vector<int>& order) {
    for (std::size_t k = start; k < order.size(); ++k) {
      const std::size_t first = order.size();
      count_work(10.0 * graph_.degree(order[k]));
      for (const int w : graph_.of(order[k])) {
        if (numbered_[w] != 0) continue;
        numbered_[w] = 1;
        order.push_back(w);
      }
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                [this](int x, int y) { return by_degree(x, y); });
    }
  }

  bool by_degree(int x, int y) const {
    const int dx = graph_.degree(x), dy = graph_.degree(y);
    return dx < dy || (dx == dy && x < y);
  }

  const NeighbourGraph& graph_;
  std::vector<int> mark_;  // level of a vertex in the current search
  std::vector<char> numbered_;
  std::vector<int> level_;
};

}  // namespace

std::vector<int> reverse_cuthill_mckee(const CsrMatrix& a) {
  if (a.rows() != a.cols()) fail("an ordering needs a square matrix, not {} x {}", a.rows(), a.cols());
  const NeighbourGraph graph = neighbour_graph(a);
  std::vector<int> order;
  CuthillMckee(graph).number(0, order);
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> narrow_order(const CsrMatrix& a) {
  if (a.rows() != a.cols()) fail("an ordering needs a square matrix, not {} x {}", a.rows(), a.cols());
  const NeighbourGraph graph = neighbour_graph(a);
  CuthillMckee numbering(graph);
  std::vector<int> best, order;
  numbering.number(0, best);
  double least = numbering.work(best);
  for (int first = 1; first <= a.rows() / 4; first *= 2) {
    numbering.number(first, order);
    const double work = numbering.work(order);
    if (work < least) {
      least = work;
      best.swap(order);
    }
  }
  std::reverse(best.begin(), best.end());
  return best;
}

Index half_bandwidth(const CsrMatrix& a, const std::vector<int>& order) {
  assert(static_cast<Index>(order.size()) == a.rows());
  std::vector<Index> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<Index>(i);
  Index width = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      width = std::max(width, std::abs(position[i] - position[it.col()]));
    }
  }
  return width;
}

}  // namespace slipstick::internal
