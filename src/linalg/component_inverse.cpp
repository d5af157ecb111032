// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/component_inverse.hpp"

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cassert>
#include <numeric>

#include "slipstick/base/error.hpp"

namespace slipstick {
namespace {

constexpr Index largest_dense = 12;  // two rigid bodies that share a block

int find_root(std::vector<int>& parent, int row) {
  while (parent[row] != row) row = parent[row] = parent[parent[row]];
  return row;
}

}  // namespace

struct ComponentInverse::Factor {
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt;
};

ComponentInverse::~ComponentInverse() = default;
ComponentInverse::ComponentInverse(ComponentInverse&&) noexcept = default;
ComponentInverse& ComponentInverse::operator=(ComponentInverse&&) noexcept = default;

ComponentInverse::ComponentInverse(const CsrMatrix& m) {
  if (m.rows() != m.cols())
    fail("only a square matrix has an inverse, not one of {} x {}", m.rows(), m.cols());
  const int n = static_cast<int>(m.rows());

  // The roots are the lowest rows, so components are numbered in the order of their first rows.
  std::vector<int> parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), 0);
  for (int i = 0; i < n; ++i) {
    for (CsrMatrix::InnerIterator it(m, i); it; ++it) {
      if (it.value() == 0.0) continue;
      const int a = find_root(parent, i);
      const int b = find_root(parent, static_cast<int>(it.col()));
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  component_.resize(static_cast<std::size_t>(n));
  position_.resize(static_cast<std::size_t>(n));
  std::vector<int> size;
  for (int i = 0; i < n; ++i) {
    const int root = find_root(parent, i);
    if (root == i) {
      component_[i] = static_cast<int>(size.size());
      size.push_back(0);
    } else {
      component_[i] = component_[root];
    }
    position_[i] = size[component_[i]]++;
  }
  start_.assign(size.size() + 1, 0);
  std::partial_sum(size.begin(), size.end(), start_.begin() + 1);
  order_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) order_[start_[component_[i]] + position_[i]] = i;

  inverse_.resize(size.size());
  factor_.resize(size.size());
  for (Index c = 0; c < components() && !singular_; ++c) invert_component(m, c);
}

void ComponentInverse::invert_component(const CsrMatrix& m, Index component) {
  const Index size = start_[component + 1] - start_[component];
  const int* rows_of_component = order_.data() + start_[component];
  if (size <= largest_dense) {
    DenseMatrix block = DenseMatrix::Zero(size, size);
    for (Index k = 0; k < size; ++k) {
      for (CsrMatrix::InnerIterator it(m, rows_of_component[k]); it; ++it) {
        if (it.value() != 0.0) block(k, position_[it.col()]) = it.value();
      }
    }
    inverse_[component] = block.partialPivLu().inverse();
    singular_ = !inverse_[component].allFinite();
    return;
  }
  const CsrMatrix block = principal_submatrix(m, {rows_of_component, static_cast<std::size_t>(size)});
  factor_[component] = std::make_unique<Factor>();
  auto& ldlt = factor_[component]->ldlt;
  ldlt.compute(block);
  singular_ = ldlt.info() != Eigen::Success || !ldlt.vectorD().allFinite();
}

void ComponentInverse::solve_component(Index component, VectorView x) const {
  if (factor_[component]) {
    x = factor_[component]->ldlt.solve(x);
  } else {
    x = inverse_[component] * x;
  }
}

void ComponentInverse::solve(VectorView x) const {
  assert(x.size() == rows() && !singular_);
  Vector part;
  for (Index c = 0; c < components(); ++c) {
    part.resize(start_[c + 1] - start_[c]);
    for (Index k = 0; k < part.size(); ++k) part[k] = x[order_[start_[c] + k]];
    solve_component(c, part);
    for (Index k = 0; k < part.size(); ++k) x[order_[start_[c] + k]] = part[k];
  }
}

Vector ComponentInverse::congruence_diagonal(const CsrMatrix& h) const {
  assert(h.rows() == rows() && !singular_);
  const CsrMatrix columns = h.transpose();
  Vector diagonal = Vector::Zero(h.cols());
  std::vector<std::pair<int, double>> entries;  // of one column: row and value, sorted by component
  Vector right, solution;
  for (Index j = 0; j < h.cols(); ++j) {
    entries.clear();
    for (CsrMatrix::InnerIterator it(columns, j); it; ++it)
      entries.emplace_back(static_cast<int>(it.col()), it.value());
    std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
      return std::pair(component_[a.first], a.first) < std::pair(component_[b.first], b.first);
    });
    for (std::size_t first = 0; first < entries.size();) {
      const int c = component_[entries[first].first];
      right.setZero(start_[c + 1] - start_[c]);
      for (; first < entries.size() && component_[entries[first].first] == c; ++first)
        right[position_[entries[first].first]] = entries[first].second;
      solution = right;
      solve_component(c, solution);
      diagonal[j] += right.dot(solution);
    }
  }
  return diagonal;
}

}  // namespace slipstick
