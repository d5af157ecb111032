// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/component_inverse.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/linalg/sparsity_pattern.hpp"

namespace slipstick::internal {
namespace {

using SmallBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_small, largest_small>;

// The first row at which elimination finds a pivot that is not positive, or -1 if there is none.
Index first_indefinite(SmallBlock a) {
  for (Index k = 0; k < a.rows(); ++k) {
    if (!(a(k, k) > 0.0)) return k;
    for (Index i = k + 1; i < a.rows(); ++i)
      a.row(i).tail(a.cols() - k) -= a(i, k) / a(k, k) * a.row(k).tail(a.cols() - k);
  }
  return -1;
}

}  // namespace

// P M P' = L D L'
struct ComponentInverse::Factor {
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt;
  Vector pivots;            // D
  CsrMatrix matrix;         // M
  SparsityPattern pattern;  // of M, as analyzed
  // P M^-1 P' in L's pattern and on the diagonal.
  struct Inverse {
    std::vector<double> below, diagonal;
  };

  Inverse selected_inverse() const;
  std::optional<double> congruence(const Inverse& inverse, std::span<const std::pair<int, double>> h) const;
  int step(int position) const {
    const auto& order = ldlt.permutationP().indices();
    return order.size() > 0 ? order[position] : position;
  }
};

// Takahashi, Fagan and Chen (1973), from the last column to the first. R are the rows of column j below the
// diagonal. Z(R, j) = -Z(R, R) L(R, j) and Z(j, j) = 1 / D(j) - L(R, j)' Z(R, j). All of Z(R, R) is known
// then.
ComponentInverse::Factor::Inverse ComponentInverse::Factor::selected_inverse() const {
  const auto& l = ldlt.matrixL().nestedExpression();
  const int n = static_cast<int>(l.rows());
  const int* start = l.outerIndexPtr();
  const int* rows = l.innerIndexPtr();
  Inverse z{std::vector<double>(static_cast<std::size_t>(l.nonZeros())), std::vector<double>(n)};
  std::vector<int> place(static_cast<std::size_t>(n), -1);  // place of a row in the current column
  std::vector<double> sums;
  for (int j = n - 1; j >= 0; --j) {
    const int first = start[j], count = start[j + 1] - first;
    const double* column = l.valuePtr() + first;
    count_work(4.0 * count * count);
    sums.assign(static_cast<std::size_t>(count), 0.0);
    for (int a = 0; a < count; ++a) place[rows[first + a]] = a;
    for (int a = 0; a < count; ++a) {
      const int k = rows[first + a];
      double own = z.diagonal[k] * column[a];
      for (int e = start[k]; e < start[k + 1]; ++e) {
        const int b = place[rows[e]];
        if (b < 0) continue;
        own += z.below[e] * column[b];
        sums[b] += z.below[e] * column[a];
      }
      sums[a] += own;
    }
    double diagonal = 1.0 / pivots[j];
    for (int a = 0; a < count; ++a) {
      z.below[first + a] = -sums[a];
      diagonal += column[a] * sums[a];
      place[rows[first + a]] = -1;
    }
    z.diagonal[j] = diagonal;
  }
  return z;
}

ComponentInverse::ComponentInverse() = default;
ComponentInverse::ComponentInverse(const CsrMatrix& m) {
  set(m);
}
ComponentInverse::~ComponentInverse() = default;
ComponentInverse::ComponentInverse(ComponentInverse&&) noexcept = default;
ComponentInverse& ComponentInverse::operator=(ComponentInverse&&) noexcept = default;

void ComponentInverse::set(const CsrMatrix& m) {
  if (m.rows() != m.cols())
    fail("only a square matrix has an inverse, not one of {} x {}", m.rows(), m.cols());
  const int n = static_cast<int>(m.rows());

  // Components are numbered in the order of their first rows.
  sets_.reset(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    for (CsrMatrix::InnerIterator it(m, i); it; ++it) {
      if (it.value() != 0.0) sets_.join(i, static_cast<int>(it.col()));
    }
  }
  component_.resize(static_cast<std::size_t>(n));
  position_.resize(static_cast<std::size_t>(n));
  start_.assign(1, 0);  // at first the sizes, the size of component c at c + 1
  for (int i = 0; i < n; ++i) {
    const int first = sets_.lowest(i);
    component_[i] = first == i ? static_cast<int>(components()) : component_[first];
    if (first == i) start_.push_back(0);
    position_[i] = start_[component_[i] + 1]++;
  }
  largest_ = *std::max_element(start_.begin(), start_.end());
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  order_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) order_[start_[component_[i]] + position_[i]] = i;

  inverse_.resize(static_cast<std::size_t>(components()));
  factor_.resize(inverse_.size());
  singular_ = false;
  indefinite_row_ = -1;
  entries_ = 0.0;
  scratch_.prepare(1, 2 * largest_);
  for (Index c = 0; c < components() && !singular_; ++c) invert_component(m, c);
}

void ComponentInverse::invert_component(const CsrMatrix& m, Index component) {
  const std::span<const int> rows = rows_of(component);
  const auto size = static_cast<Index>(rows.size());
  if (size <= largest_small) {
    factor_[component].reset();
    DenseMatrix& block = inverse_[component];
    block.setZero(size, size);
    for (Index k = 0; k < size; ++k) {
      for (CsrMatrix::InnerIterator it(m, rows[k]); it; ++it) {
        if (it.value() != 0.0) block(k, position_[it.col()]) = it.value();
      }
    }
    if (indefinite_row_ < 0) {
      if (const Index k = first_indefinite(block); k >= 0) indefinite_row_ = rows[k];
    }
    if (size == 1) {
      block(0, 0) = 1.0 / block(0, 0);
    } else {
      invert(block);
    }
    singular_ = !block.allFinite();
    entries_ += static_cast<double>(size * size);
    return;
  }
  if (!factor_[component]) factor_[component] = std::make_unique<Factor>();
  auto& [ldlt, pivots, matrix, pattern] = *factor_[component];
  submatrix(m, rows, rows, matrix, new_column_);
  if (!pattern.matches(matrix)) {
    pattern.set(matrix);
    ldlt.analyzePattern(matrix);
  }
  ldlt.factorize(matrix);
  pivots = ldlt.vectorD();
  singular_ = ldlt.info() != Eigen::Success || !pivots.allFinite();
  entries_ += static_cast<double>(ldlt.matrixL().nestedExpression().nonZeros() + size);
  for (Index k = 0; k < pivots.size() && indefinite_row_ < 0; ++k) {
    const auto& order = ldlt.permutationPinv().indices();
    if (!(pivots[k] > 0.0)) indefinite_row_ = rows[order.size() > 0 ? order[k] : k];
  }
}

void ComponentInverse::solve_component(Index component, VectorView x) const {
  ScratchPool::Taken work(scratch_, x.size());
  solve_component(component, x, *work);
}

void ComponentInverse::solve_component(Index component, VectorView x, VectorView y) const {
  if (factor_[component]) {
    const auto& ldlt = factor_[component]->ldlt;
    const bool ordered = ldlt.permutationP().size() > 0;
    y = x;
    if (ordered) y.noalias() = ldlt.permutationP() * x;
    ldlt.matrixL().solveInPlace(y);
    y.array() /= factor_[component]->pivots.array();
    ldlt.matrixU().solveInPlace(y);
    if (ordered) {
      x.noalias() = ldlt.permutationPinv() * y;
    } else {
      x = y;
    }
  } else {
    y.noalias() = inverse_[component] * x;
    x = y;
  }
}

void ComponentInverse::solve(VectorView x) const {
  assert(x.size() == rows() && !singular_);
  if (components() == 1) return solve_component(0, x);
  ScratchPool::Taken taken(scratch_, 2 * largest_);
  VectorView scratch = *taken;
  for (Index c = 0; c < components(); ++c) {
    const std::span<const int> rows = rows_of(c);
    const auto size = static_cast<Index>(rows.size());
    if (size == 1) {
      x[rows[0]] *= inverse_[c](0, 0);
      continue;
    }
    auto part = scratch.head(size);
    for (Index k = 0; k < size; ++k) part[k] = x[rows[k]];
    solve_component(c, part, scratch.tail(size));
    for (Index k = 0; k < size; ++k) x[rows[k]] = part[k];
  }
}

Vector ComponentInverse::congruence_diagonal(const CsrMatrix& transposed_h) const {
  Vector diagonal;
  DiagonalScratch scratch;
  congruence_diagonal(transposed_h, diagonal, scratch);
  return diagonal;
}

void ComponentInverse::congruence_diagonal(const CsrMatrix& transposed_h, Vector& diagonal,
                                           DiagonalScratch& scratch) const {
  assert(transposed_h.cols() == rows() && !singular_);
  auto& [order, entries, path] = scratch;
  diagonal.setZero(transposed_h.rows());
  path.values.setZero(largest_);
  // Only for components with many rows of H'. There one inverse is cheaper than a substitution for each row.
  const std::size_t count = largest_ > largest_small ? factor_.size() : 0;
  std::vector<Index> rows(count, 0);
  for (Index k = 0; k < transposed_h.nonZeros() && count > 0; ++k)
    ++rows[component_[transposed_h.innerIndexPtr()[k]]];
  std::vector<std::optional<Factor::Inverse>> inverses(count);
  for (std::size_t c = 0; c < inverses.size(); ++c) {
    if (factor_[c] && rows[c] > start_[c + 1] - start_[c]) inverses[c] = factor_[c]->selected_inverse();
  }
  for (Index j = 0; j < transposed_h.rows(); ++j) {
    const int first = transposed_h.outerIndexPtr()[j];
    count_work(entries_ / static_cast<double>(components()));
    order.clear();
    for (int k = first; k < transposed_h.outerIndexPtr()[j + 1]; ++k)
      order.emplace_back(component_[transposed_h.innerIndexPtr()[k]], k);
    std::sort(order.begin(), order.end());
    for (std::size_t next = 0; next < order.size();) {
      const int c = order[next].first;
      entries.clear();
      for (; next < order.size() && order[next].first == c; ++next) {
        const int k = order[next].second;
        entries.emplace_back(position_[transposed_h.innerIndexPtr()[k]], transposed_h.valuePtr()[k]);
      }
      const std::optional<double> known =
          count > 0 && inverses[c] ? factor_[c]->congruence(*inverses[c], entries) : std::nullopt;
      diagonal[j] += known ? *known : congruence(c, entries, path);
    }
  }
}

// h' M_c^-1 h, if all the entries of M_c^-1 that it needs are known.
std::optional<double> ComponentInverse::Factor::congruence(const Inverse& inverse,
                                                           std::span<const std::pair<int, double>> h) const {
  const auto& l = ldlt.matrixL().nestedExpression();
  double sum = 0.0;
  for (std::size_t a = 0; a < h.size(); ++a) {
    const int i = step(h[a].first);
    sum += h[a].second * inverse.diagonal[i] * h[a].second;
    for (std::size_t b = 0; b < a; ++b) {
      const auto [column, row] = std::minmax({i, step(h[b].first)});
      const int* begin = l.innerIndexPtr() + l.outerIndexPtr()[column];
      const int* end = l.innerIndexPtr() + l.outerIndexPtr()[column + 1];
      const int* place = std::lower_bound(begin, end, row);
      if (place == end || *place != row) return std::nullopt;
      sum += 2.0 * h[a].second * inverse.below[place - l.innerIndexPtr()] * h[b].second;
    }
  }
  return sum;
}

double ComponentInverse::congruence(Index component, std::span<const std::pair<int, double>> h,
                                    DiagonalScratch::Path& path) const {
  double sum = 0.0;
  if (!factor_[component]) {
    const DenseMatrix& inverse = inverse_[component];
    for (const auto& [i, left] : h)
      for (const auto& [j, right] : h) sum += left * inverse(i, j) * right;
    return sum;
  }
  // With y = L^-1 P h the result is y' D^-1 y. The nonzero entries of y lie on the paths from the entries of
  // P h to the root. The first row of a column is the next step of the path. The steps are taken in ascending
  // order.
  const auto& ldlt = factor_[component]->ldlt;
  const auto& l = ldlt.matrixL().nestedExpression();
  auto& [y, steps] = path;
  steps.clear();
  for (const auto& [i, value] : h) {
    const int k = factor_[component]->step(i);
    y[k] += value;
    steps.push_back(k);
  }
  const auto rises = [](int a, int b) { return a > b; };
  std::make_heap(steps.begin(), steps.end(), rises);
  for (int last = -1; !steps.empty();) {
    std::pop_heap(steps.begin(), steps.end(), rises);
    const int k = steps.back();
    steps.pop_back();
    if (k == last) continue;
    last = k;
    const double value = std::exchange(y[k], 0.0);
    sum += value * value / factor_[component]->pivots[k];
    const int begin = l.outerIndexPtr()[k], end = l.outerIndexPtr()[k + 1];
    for (int e = begin; e < end; ++e) y[l.innerIndexPtr()[e]] -= l.valuePtr()[e] * value;
    if (begin == end) continue;
    steps.push_back(l.innerIndexPtr()[begin]);
    std::push_heap(steps.begin(), steps.end(), rises);
  }
  return sum;
}

}  // namespace slipstick::internal
