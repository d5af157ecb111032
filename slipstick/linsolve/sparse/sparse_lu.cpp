// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/sparse_lu.hpp"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linsolve/krylov/condition_estimate.hpp"

namespace slipstick::internal {
namespace {

using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// True if at least half of the entries off the diagonal have a symmetric partner and 90 % of the diagonal is
// stored.
bool suits_symmetric_ordering(const CsrMatrix& a) {
  Index paired = 0, off_diagonal = 0, diagonal = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      if (it.col() == i) {
        ++diagonal;
        continue;
      }
      ++off_diagonal;
      const int* begin = a.innerIndexPtr() + a.outerIndexPtr()[it.col()];
      const int* end = a.innerIndexPtr() + a.outerIndexPtr()[it.col() + 1];
      paired += std::binary_search(begin, end, static_cast<int>(i));
    }
  }
  return 10 * diagonal >= 9 * a.rows() && 2 * paired >= off_diagonal;
}

}  // namespace

bool SparseLu::factorize(const CsrMatrix& a) {
  if (a.rows() != a.cols()) fail("LU factorization of a {} x {} matrix", a.rows(), a.cols());
  analyze(a);
  const auto n = static_cast<std::size_t>(n_);
  pivot_step_.assign(n, -1);
  visited_.assign(n, -1);
  column_.assign(n, 0.0);
  l_count_ = u_count_ = 0;
  singular_row_ = -1;
  for (int step = 0; step < n_; ++step) {
    l_start_[static_cast<std::size_t>(step)] = static_cast<int>(l_count_);
    u_start_[static_cast<std::size_t>(step)] = static_cast<int>(u_count_);
    const int row = order_[static_cast<std::size_t>(step)];
    if (!eliminate(a, row, step)) {
      singular_row_ = row;
      return false;
    }
  }
  l_start_[n] = static_cast<int>(l_count_);
  u_start_[n] = static_cast<int>(u_count_);
  number_lower_rows();
  return true;
}

// Computes the norm, and the ordering if the pattern is new.
void SparseLu::analyze(const CsrMatrix& a) {
  const auto n = static_cast<std::size_t>(a.rows());
  work_.resize(a.rows());
  work_.setZero();
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) work_[it.col()] += std::abs(it.value());
  }
  norm_ = n > 0 ? work_.maxCoeff() : 0.0;

  if (pattern_.matches(a)) return;
  n_ = static_cast<int>(a.rows());
  pattern_.set(a);
  l_start_.resize(n + 1);
  u_start_.resize(n + 1);
  topological_.resize(n);
  stack_.resize(n);
  stack_position_.resize(n);
  estimate_.resize(n_);
  sign_.resize(n_);

  order_.resize(n);
  if (n == 0) return;
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  const bool symmetric = settings_.ordering == LuOrdering::amd ||
                         (settings_.ordering == LuOrdering::automatic && suits_symmetric_ordering(a));
  if (symmetric) {
    Eigen::AMDOrdering<int>()(ColumnMatrix(a), permutation);
    for (std::size_t k = 0; k < n; ++k) order_[k] = permutation.indices()[static_cast<Index>(k)];
  } else {
    // COLAMD's permutation maps a column to its step.
    const Eigen::Map<const ColumnMatrix> transposed(a.cols(), a.rows(), a.nonZeros(), a.outerIndexPtr(),
                                                    a.innerIndexPtr(), a.valuePtr());
    Eigen::COLAMDOrdering<int>()(transposed, permutation);
    for (std::size_t j = 0; j < n; ++j) {
      order_[static_cast<std::size_t>(permutation.indices()[static_cast<Index>(j)])] = static_cast<int>(j);
    }
  }
}

// Finds the rows in which L^-1 (column `row` of A') may be nonzero: all rows reachable in the graph of L from
// the column's entries. They are in topological order at topological_[top, n). Returns top.
int SparseLu::reach(const CsrMatrix& a, int row, int step) {
  int top = n_;
  for (int p = a.outerIndexPtr()[row]; p < a.outerIndexPtr()[row + 1]; ++p) {
    const int root = a.innerIndexPtr()[p];
    if (visited_[root] == step) continue;
    int depth = 0;
    stack_[0] = root;
    stack_position_[0] = -1;
    while (depth >= 0) {
      const int node = stack_[depth];
      const int eliminated = pivot_step_[node];
      if (stack_position_[depth] < 0) {
        visited_[node] = step;
        // Starts after the unit diagonal. A row that is not yet a pivot has no column and no descendants.
        stack_position_[depth] = eliminated < 0 ? 0 : l_start_[eliminated] + 1;
      }
      const int end = eliminated < 0 ? 0 : l_start_[eliminated + 1];
      int child = -1;
      for (int& q = stack_position_[depth]; q < end && child < 0; ++q) {
        if (visited_[l_rows_[q]] != step) child = l_rows_[q];
      }
      if (child >= 0) {
        stack_[++depth] = child;
        stack_position_[depth] = -1;
      } else {
        topological_[--top] = node;
        --depth;
      }
    }
  }
  return top;
}

// Solves L x = column `row` of A' and stores the pivotal rows in U. Then it chooses a pivot among the other
// rows and stores them, divided by the pivot, in L. It returns false if there is no pivot.
bool SparseLu::eliminate(const CsrMatrix& a, int row, int step) {
  const std::size_t l_room = l_count_ + static_cast<std::size_t>(n_);
  const std::size_t u_room = u_count_ + static_cast<std::size_t>(n_);
  if (std::max(l_room, u_room) > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    fail("the LU factors of a matrix with {} rows have more than {} entries", n_,
         std::numeric_limits<int>::max());
  }
  if (l_rows_.size() < l_room) {
    l_rows_.resize(2 * l_room);
    l_values_.resize(2 * l_room);
  }
  if (u_rows_.size() < u_room) {
    u_rows_.resize(2 * u_room);
    u_values_.resize(2 * u_room);
  }

  const int top = reach(a, row, step);
  double work = 10.0 * (n_ - top);
  for (int p = a.outerIndexPtr()[row]; p < a.outerIndexPtr()[row + 1]; ++p) {
    column_[a.innerIndexPtr()[p]] = a.valuePtr()[p];
  }
  int pivot = -1;
  double largest = 0.0;
  bool finite = true;
  for (int k = top; k < n_; ++k) {
    const int node = topological_[k];
    const double value = column_[node];
    const int eliminated = pivot_step_[node];
    if (eliminated < 0) {
      finite = finite && std::isfinite(value);
      if (std::abs(value) > largest) {
        largest = std::abs(value);
        pivot = node;
      }
      continue;
    }
    u_rows_[u_count_] = eliminated;
    u_values_[u_count_++] = value;
    if (value == 0.0) continue;
    work += 2.0 * (l_start_[eliminated + 1] - l_start_[eliminated]);
    for (int q = l_start_[eliminated] + 1; q < l_start_[eliminated + 1]; ++q) {
      column_[l_rows_[q]] -= l_values_[q] * value;
    }
  }
  count_work(work);
  const bool regular = pivot >= 0 && finite;
  if (regular) {
    // Prefers the diagonal entry if it is large enough, because the symmetric ordering assumes diagonal
    // pivots.
    if (visited_[row] == step && pivot_step_[row] < 0 &&
        std::abs(column_[row]) >= settings_.pivot_threshold * largest) {
      pivot = row;
    }
    const double diagonal = column_[pivot];
    u_rows_[u_count_] = step;
    u_values_[u_count_++] = diagonal;
    pivot_step_[pivot] = step;
    l_rows_[l_count_] = pivot;
    l_values_[l_count_++] = 1.0;
    for (int k = top; k < n_; ++k) {
      const int node = topological_[k];
      if (pivot_step_[node] >= 0) continue;
      l_rows_[l_count_] = node;
      l_values_[l_count_++] = column_[node] / diagonal;
    }
  }
  for (int k = top; k < n_; ++k) column_[topological_[k]] = 0.0;
  return regular;
}

// Renumbers the rows of L from rows of A' to elimination steps.
void SparseLu::number_lower_rows() {
  for (std::size_t p = 0; p < l_count_; ++p) l_rows_[p] = pivot_step_[l_rows_[p]];
}

// A = (P' L U Q')' : x <- P' L'^-1 U'^-1 Q' x
void SparseLu::solve(VectorView x) const {
  assert(x.size() == n_ && singular_row_ < 0);
  double* y = work_.data();
  for (int k = 0; k < n_; ++k) {
    double sum = x[order_[k]];
    const int diagonal = u_start_[k + 1] - 1;
    for (int p = u_start_[k]; p < diagonal; ++p) sum -= u_values_[p] * y[u_rows_[p]];
    y[k] = sum / u_values_[diagonal];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    double sum = y[k];
    for (int p = l_start_[k] + 1; p < l_start_[k + 1]; ++p) sum -= l_values_[p] * y[l_rows_[p]];
    y[k] = sum;
  }
  for (int i = 0; i < n_; ++i) x[i] = y[pivot_step_[i]];
}

void SparseLu::solve_transposed(VectorView x) const {
  assert(x.size() == n_ && singular_row_ < 0);
  double* y = work_.data();
  for (int i = 0; i < n_; ++i) y[pivot_step_[i]] = x[i];
  for (int k = 0; k < n_; ++k) {
    for (int p = l_start_[k] + 1; p < l_start_[k + 1]; ++p) y[l_rows_[p]] -= l_values_[p] * y[k];
  }
  for (int k = n_ - 1; k >= 0; --k) {
    const int diagonal = u_start_[k + 1] - 1;
    y[k] /= u_values_[diagonal];
    for (int p = u_start_[k]; p < diagonal; ++p) y[u_rows_[p]] -= u_values_[p] * y[k];
  }
  for (int k = 0; k < n_; ++k) x[order_[k]] = y[k];
}

void SparseLu::refine(const CsrMatrix& a, ConstVectorView b, VectorView x) const {
  for (Index i = 0; i < a.rows(); ++i) estimate_[i] = b[i] - row_dot(a, i, x.data());
  solve(estimate_);
  x += estimate_;
}

double SparseLu::rcond() const {
  if (n_ == 0) return 1.0;
  if (singular_row_ >= 0) return 0.0;
  const double inverse = inverse_norm_estimate(*this, estimate_, sign_);
  return std::isfinite(inverse) ? 1.0 / (norm_ * inverse) : 0.0;
}

}  // namespace slipstick::internal
