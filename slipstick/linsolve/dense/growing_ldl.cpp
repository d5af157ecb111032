// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/dense/growing_ldl.hpp"

#include <algorithm>
#include <cassert>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {

void GrowingLdl::reset(Index capacity) {
  size_ = 0;
  if (capacity == capacity_) return;
  capacity_ = capacity;
  const auto n = static_cast<std::size_t>(capacity);
  lower_.resize(n * n);
  for (auto* vector : {&diagonal_, &weight_, &step_}) vector->resize(n);
}

bool GrowingLdl::append(ConstVectorView coupling, double diagonal, double smallest) {
  assert(coupling.size() == size_ && size_ < capacity_);
  // Solves L D l = a, row by row. The pivot is the rest of the diagonal entry.
  count_work(static_cast<double>(size_ * size_));
  double* last = row(size_);
  double pivot = diagonal;
  for (Index i = 0; i < size_; ++i) {
    last[i] = coupling[i] - Eigen::Map<const Vector>(row(i), i).dot(Eigen::Map<const Vector>(last, i));
  }
  for (Index i = 0; i < size_; ++i) {
    const double scaled = last[i] / diagonal_[i];
    pivot -= last[i] * scaled;
    last[i] = scaled;
  }
  if (!(pivot > smallest * diagonal)) return false;
  diagonal_[size_++] = pivot;
  return true;
}

void GrowingLdl::remove(Index k) {
  assert(0 <= k && k < size_);
  // The rows after k become L33 D33 L33' + l32 d22 l32' (Gill, Golub, Murray and Saunders 1974, method C1).
  // The update goes row by row: weight_ and step_ of a column are known after its own row.
  count_work(3.0 * static_cast<double>((size_ - k) * (size_ - k)));
  double rest = diagonal_[k];
  for (Index i = k + 1; i < size_; ++i) {
    const double* from = row(i);
    double* to = row(i - 1);
    double p = from[k];
    std::copy(from, from + k, to);
    for (Index j = k; j < i - 1; ++j) {
      double l = from[j + 1];
      p -= weight_[j] * l;
      l += step_[j] * p;
      to[j] = l;
    }
    const double pivot = diagonal_[i];
    const double changed = pivot + rest * p * p;
    weight_[i - 1] = p;
    step_[i - 1] = p * rest / changed;
    rest *= pivot / changed;
    diagonal_[i - 1] = changed;
  }
  --size_;
}

void GrowingLdl::solve(VectorView x) const {
  assert(x.size() == size_);
  for (Index i = 0; i < size_; ++i) x[i] -= Eigen::Map<const Vector>(row(i), i).dot(x.head(i));
  for (Index i = 0; i < size_; ++i) x[i] /= diagonal_[i];
  for (Index i = size_; i-- > 0;) x.head(i) -= x[i] * Eigen::Map<const Vector>(row(i), i);
}

}  // namespace slipstick::internal
