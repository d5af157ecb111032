// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/dense_factor.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

// The number of eigenvalues below `shift`: the number of negative pivots of T - shift I.
Index eigenvalues_below(ConstVectorView diagonal, ConstVectorView below, double shift) {
  constexpr double smallest = std::numeric_limits<double>::min();
  Index count = 0;
  double pivot = 1.0;
  for (Index i = 0; i < diagonal.size(); ++i) {
    const double coupling = i > 0 ? below[i - 1] * (below[i - 1] / pivot) : 0.0;
    pivot = diagonal[i] - shift - coupling;
    if (std::abs(pivot) < smallest) pivot = -smallest;
    count += pivot < 0.0;
  }
  return count;
}

}  // namespace

bool cholesky(MatrixView a) {
  for (Index j = 0; j < a.rows(); ++j) {
    const double pivot = a(j, j);
    if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
    count_work(static_cast<double>((a.rows() - j) * (a.rows() - j)));
    const double root = std::sqrt(pivot), inverse = 1.0 / root;
    a(j, j) = root;
    const double* from = &a(0, j);
    for (Index i = j + 1; i < a.rows(); ++i) a(i, j) *= inverse;
    for (Index c = j + 1; c < a.rows(); ++c) {
      double* to = &a(0, c);
      const double factor = from[c];
      for (Index i = c; i < a.rows(); ++i) to[i] -= factor * from[i];
    }
  }
  return true;
}

void solve_cholesky(const Eigen::Ref<const DenseMatrix>& l, VectorView x) {
  l.triangularView<Eigen::Lower>().solveInPlace(x);
  l.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
}

DenseMatrix semidefinite_root(DenseMatrix a) {
  const Index n = a.rows();
  std::vector<Index> row(static_cast<std::size_t>(n));  // row of A at each step
  std::iota(row.begin(), row.end(), Index{0});
  const auto at = [&](Index i, Index j) -> double& {
    return a(row[static_cast<std::size_t>(i)], row[static_cast<std::size_t>(j)]);
  };
  DenseMatrix root = DenseMatrix::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    Index best = k;
    for (Index i = k + 1; i < n; ++i)
      if (at(i, i) > at(best, best)) best = i;
    std::swap(row[static_cast<std::size_t>(k)], row[static_cast<std::size_t>(best)]);
    if (!(at(k, k) > 0.0)) break;
    const double length = std::sqrt(at(k, k));
    for (Index i = k; i < n; ++i) root(row[static_cast<std::size_t>(i)], k) = at(i, k) / length;
    for (Index j = k + 1; j < n; ++j)
      for (Index i = k + 1; i < n; ++i) at(i, j) -= at(i, k) * at(j, k) / at(k, k);
  }
  return root;
}

SpectrumEnds tridiagonal_spectrum(ConstVectorView diagonal, ConstVectorView below) {
  const Index n = diagonal.size();
  assert(n > 0 && below.size() == n - 1);
  // Gershgorin's bounds.
  double low = diagonal[0], high = diagonal[0];
  for (Index i = 0; i < n; ++i) {
    const double radius = (i > 0 ? std::abs(below[i - 1]) : 0.0) + (i + 1 < n ? std::abs(below[i]) : 0.0);
    low = std::min(low, diagonal[i] - radius);
    high = std::max(high, diagonal[i] + radius);
  }
  const double rounding = 0.5 * machine_epsilon * std::max(std::abs(low), std::abs(high));
  // The smallest shift between low and high with at least `count` eigenvalues below it.
  const auto bisect = [&](Index count) {
    double from = low, to = high;
    while (to - from > rounding) {
      const double middle = 0.5 * (from + to);
      if (!(from < middle && middle < to)) break;
      (eigenvalues_below(diagonal, below, middle) >= count ? to : from) = middle;
    }
    return to;
  };
  return {bisect(1), bisect(n)};
}

void invert(MatrixView a) {
  using Small =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, largest_small, largest_small>;
  if (a.rows() <= largest_small) {
    a = Small(Small(a).partialPivLu().inverse());
  } else {
    a = DenseMatrix(a.partialPivLu().inverse());
  }
}

struct LuFactor::Factor {
  Eigen::PartialPivLU<DenseMatrix> lu;
};

LuFactor::LuFactor(const DenseMatrix& a) : lu_(new Factor{Eigen::PartialPivLU<DenseMatrix>(a)}) {}
LuFactor::LuFactor(LuFactor&&) noexcept = default;
LuFactor::~LuFactor() = default;

Vector LuFactor::pivots() const {
  return lu_->lu.matrixLU().diagonal();
}
double LuFactor::rcond() const {
  return lu_->lu.rcond();
}
DenseMatrix LuFactor::solve(const DenseMatrix& right_sides) const {
  return lu_->lu.solve(right_sides);
}

}  // namespace slipstick::internal
