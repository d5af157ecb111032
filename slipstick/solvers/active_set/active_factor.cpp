// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/active_factor.hpp"

#include <cassert>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/dense_factor.hpp"

namespace slipstick::internal {
namespace {

constexpr double smallest_pivot = 1e-13;  // relative to the diagonal
constexpr double dependent = 1e-10;       // smallest share of a normal that is new

}  // namespace

bool ActiveFactor::set_metric(const DenseMatrix& h) {
  const Index n = h.rows();
  DenseMatrix l = h;
  if (!cholesky(l)) return false;
  for (Index i = 0; i < n; ++i) {
    if (!(l(i, i) * l(i, i) > smallest_pivot * h(i, i))) return false;
  }
  // Computes L'^-1 column by column.
  start_.setIdentity(n, n);
  for (Index j = 0; j < n; ++j) {
    count_work(static_cast<double>(j * j));
    for (Index k = j; k >= 0; --k) {
      double sum = start_(k, j);
      for (Index i = k + 1; i <= j; ++i) sum -= l(i, k) * start_(i, j);
      start_(k, j) = sum / l(k, k);
    }
  }
  clear();
  return true;
}

void ActiveFactor::set_diagonal_metric(const Vector& d) {
  start_.setZero(d.size(), d.size());
  start_.diagonal() = d.cwiseSqrt().cwiseInverse();
  clear();
}

void ActiveFactor::clear() {
  j_ = start_;
  const Index n = rows();
  r_.resize(n, n);
  transformed_.resize(n);
  work_.resize(n);
  count_ = 0;
}

double ActiveFactor::independent_part() const {
  const double part = transformed_.tail(rows() - count_).squaredNorm();
  return part > dependent * dependent * transformed_.squaredNorm() ? part : 0.0;
}

void ActiveFactor::along(VectorView z) const {
  const Index free = rows() - count_;
  z.noalias() = j_.rightCols(free) * transformed_.tail(free);
}

void ActiveFactor::coefficients(VectorView r) const {
  assert(r.size() == count_);
  r = transformed_.head(count_);
  for (Index k = count_; k-- > 0;) {
    r[k] /= r_(k, k);
    r.head(k) -= r[k] * r_.col(k).head(k);
  }
}

// Reflects J_2 so that only the first entry of d_2 is not zero.
void ActiveFactor::append(ConstVectorView z) {
  const Index free = rows() - count_;
  assert(free > 0);
  count_work(6.0 * static_cast<double>(rows() * free));
  auto reflector = transformed_.tail(free);
  const double length = reflector.norm();
  const double kept = reflector[0] > 0.0 ? -length : length;
  reflector[0] -= kept;
  const double squared = reflector.squaredNorm();
  if (squared > 0.0) {
    auto j2 = j_.rightCols(free);
    work_ = 2.0 / squared * (z - kept * j2.col(0));
    for (Index k = 0; k < free; ++k) j2.col(k) -= reflector[k] * work_;
  }
  r_.col(count_).head(count_) = transformed_.head(count_);
  r_(count_, count_) = kept;
  ++count_;
}

// R without a column is upper Hessenberg. Rotations of neighbouring rows of R, and of columns of J_1, make it
// triangular again.
void ActiveFactor::remove(Index position) {
  assert(position < count_);
  count_work(6.0 * static_cast<double>(rows() * (count_ - position)));
  for (Index k = position; k + 1 < count_; ++k) r_.col(k).head(k + 2) = r_.col(k + 1).head(k + 2);
  --count_;
  for (Index k = position; k < count_; ++k) {
    const double length = std::hypot(r_(k, k), r_(k + 1, k));
    if (length == 0.0) continue;
    const double c = r_(k, k) / length;
    const double s = r_(k + 1, k) / length;
    r_(k, k) = length;
    r_(k + 1, k) = 0.0;
    for (Index i = k + 1; i < count_; ++i) {
      const double upper = r_(k, i);
      const double lower = r_(k + 1, i);
      r_(k, i) = c * upper + s * lower;
      r_(k + 1, i) = c * lower - s * upper;
    }
    auto first = j_.col(k);
    auto second = j_.col(k + 1);
    for (Index i = 0; i < rows(); ++i) {
      const double left = first[i];
      const double right = second[i];
      first[i] = c * left + s * right;
      second[i] = c * right - s * left;
    }
  }
}

// With x = J p: p_1 = R^-T u, p_2 = J_2'x, and R u = p_1 - J_1'x.
void ActiveFactor::solve(VectorView x, VectorView u) {
  assert(u.size() == count_);
  // False alarm of the analyzer: it assumes that x may be a null pointer.
  // NOLINTNEXTLINE(clang-analyzer-core.*,clang-analyzer-unix.Malloc)
  transformed_.noalias() = j_.transpose() * x;
  for (Index k = 0; k < count_; ++k) u[k] = (u[k] - r_.col(k).head(k).dot(u.head(k))) / r_(k, k);
  work_.head(count_) = transformed_.head(count_);
  transformed_.head(count_) = u;
  x.noalias() = j_ * transformed_;
  u -= work_.head(count_);
  for (Index k = count_; k-- > 0;) {
    u[k] /= r_(k, k);
    u.head(k) -= u[k] * r_.col(k).head(k);
  }
}

}  // namespace slipstick::internal
