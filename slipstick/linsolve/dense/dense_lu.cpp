// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/dense_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/subtract_product.hpp"
#include "slipstick/linsolve/krylov/condition_estimate.hpp"

namespace slipstick::internal {
namespace {

constexpr Index panel_width = 32;
// Rows of the panel that stay in the cache during the update of all columns.
constexpr Index row_tile = 128;

}  // namespace

bool DenseLu::factorize(const Eigen::Ref<const DenseMatrix>& a) {
  assert(a.rows() == a.cols());
  const Index n = a.rows();
  lu_.resize(n, n);
  swaps_.resize(static_cast<std::size_t>(n));
  singular_column_ = -1;
  norm_ = 0.0;
  for (Index j = 0; j < n; ++j) {
    lu_.col(j) = a.col(j);
    norm_ = std::max(norm_, a.col(j).lpNorm<1>());
    count_work(4.0 * static_cast<double>(n));
  }

  for (Index start = 0; start < n; start += panel_width) {
    const Index width = std::min(panel_width, n - start);
    if (!factorize_panel(start, width)) return false;
    update_trailing(start, width);
  }
  return true;
}

// Unblocked elimination of columns [start, start + width). Rows are exchanged in the panel only.
bool DenseLu::factorize_panel(Index start, Index width) {
  const Index n = rows();
  for (Index k = start; k < start + width; ++k) {
    Index offset = 0;
    count_work(static_cast<double>((n - k) * width));
    const double largest = lu_.col(k).tail(n - k).cwiseAbs().maxCoeff(&offset);
    if (!(largest > 0.0) || !std::isfinite(largest)) {
      singular_column_ = k;
      return false;
    }
    const Index pivot = k + offset;
    swaps_[static_cast<std::size_t>(k)] = pivot;
    if (pivot != k) lu_.block(k, start, 1, width).swap(lu_.block(pivot, start, 1, width));
    // Divides, because the reciprocal of a denormal pivot overflows.
    lu_.col(k).tail(n - k - 1) /= lu_(k, k);
    for (Index j = k + 1; j < start + width; ++j) {
      lu_.col(j).tail(n - k - 1).noalias() -= lu_(k, j) * lu_.col(k).tail(n - k - 1);
    }
  }
  return true;
}

// Row exchanges outside the panel, then U12 = L11^-1 A12 and A22 -= L21 U12.
void DenseLu::update_trailing(Index start, Index width) {
  const Index n = rows();
  const Index end = start + width;
  for (Index j = 0; j < n; ++j) {
    if (j >= start && j < end) continue;
    for (Index k = start; k < end; ++k) std::swap(lu_(k, j), lu_(swaps_[static_cast<std::size_t>(k)], j));
  }
  for (Index j = end; j < n; ++j) {
    for (Index k = start; k < end - 1; ++k) {
      lu_.col(j).segment(k + 1, end - k - 1).noalias() -= lu_(k, j) * lu_.col(k).segment(k + 1, end - k - 1);
    }
  }
  for (Index tile = end; tile < n; tile += row_tile) {
    count_work(2.0 * static_cast<double>(std::min(row_tile, n - tile) * (n - end) * width));
    subtract_product<double>(std::min(row_tile, n - tile), n - end, width, {&lu_(tile, start), n},
                             {&lu_(start, end), n}, {&lu_(tile, end), n});
  }
}

void DenseLu::solve(VectorView x) const {
  const Index n = rows();
  assert(x.size() == n && singular_column_ < 0);
  for (Index k = 0; k < n; ++k) std::swap(x[k], x[swaps_[static_cast<std::size_t>(k)]]);
  for (Index k = 0; k < n; ++k) x.tail(n - k - 1).noalias() -= x[k] * lu_.col(k).tail(n - k - 1);
  for (Index k = n - 1; k >= 0; --k) {
    x[k] /= lu_(k, k);
    x.head(k).noalias() -= x[k] * lu_.col(k).head(k);
  }
}

void DenseLu::solve_transposed(VectorView x) const {
  const Index n = rows();
  assert(x.size() == n && singular_column_ < 0);
  for (Index k = 0; k < n; ++k) x[k] = (x[k] - lu_.col(k).head(k).dot(x.head(k))) / lu_(k, k);
  for (Index k = n - 1; k >= 0; --k) x[k] -= lu_.col(k).tail(n - k - 1).dot(x.tail(n - k - 1));
  for (Index k = n - 1; k >= 0; --k) std::swap(x[k], x[swaps_[static_cast<std::size_t>(k)]]);
}

void DenseLu::refine(const Eigen::Ref<const DenseMatrix>& a, ConstVectorView b, VectorView x) const {
  work_ = b;
  for (Index j = 0; j < rows(); ++j) work_.noalias() -= x[j] * a.col(j);
  solve(work_);
  x += work_;
}

double DenseLu::rcond() const {
  if (rows() == 0) return 1.0;
  if (singular_column_ >= 0) return 0.0;
  const double inverse = inverse_norm_estimate(*this, work_, sign_);
  return std::isfinite(inverse) ? 1.0 / (norm_ * inverse) : 0.0;
}

}  // namespace slipstick::internal
