// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp/qp_system.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

constexpr double first_shift = 1e-9;  // r, if the entries are about 1
constexpr double smallest_shift = 1e-15;
constexpr double largest_shift = 1e-2;
constexpr double shift_growth = 100.0;
constexpr int most_qp_refinements = 6;
constexpr double refined_share = 1e-13;  // residual that needs no refinement, relative to the right side
constexpr double least_progress = 0.3;   // of a refinement

}  // namespace

void QpSystem::prepare(const StandardQp& qp) {
  unknowns_ = qp.unknowns();
  factorizations_ = 0;
  shift_ = first_shift;
  least_shift_ = smallest_shift;
  build(qp);
  const Index size = lower_.rows();
  for (Vector* vector : {&true_diagonal_, &right_side_, &residual_, &step_}) vector->resize(size);
  factor_.analyze(lower_);
}

// The lower triangle of K with a full diagonal.
void QpSystem::build(const StandardQp& qp) {
  const auto n = static_cast<int>(qp.unknowns());
  const auto size = static_cast<int>(qp.unknowns() + qp.rows());
  const Index most = qp.H.nonZeros() + qp.G.nonZeros() + size;
  lower_.resize(size, size);
  lower_.resizeNonZeros(most);
  resize_with_looks(entries_, static_cast<std::size_t>(most));
  signs_.resize(static_cast<std::size_t>(size));
  int count = 0;
  const auto append = [&](int column, double value) {
    lower_.innerIndexPtr()[count] = column;
    entries_[static_cast<std::size_t>(count++)] = value;
  };
  for (int i = 0; i < size; ++i) {
    lower_.outerIndexPtr()[i] = count;
    signs_[static_cast<std::size_t>(i)] = i < n ? 1 : -1;
    double diagonal = 0.0;
    if (i < n) {
      for (CsrMatrix::InnerIterator it(qp.H, i); it && it.col() <= i; ++it) {
        if (it.col() == i) {
          diagonal = it.value();
        } else {
          append(static_cast<int>(it.col()), it.value());
        }
      }
    } else {
      for (CsrMatrix::InnerIterator it(qp.G, i - n); it; ++it) append(static_cast<int>(it.col()), it.value());
    }
    append(i, diagonal);
    count_work(4.0 * (count - lower_.outerIndexPtr()[i]));
  }
  lower_.outerIndexPtr()[size] = count;
  lower_.resizeNonZeros(count);
}

bool QpSystem::factorize(const Vector& diagonal, const Vector& compliance, const std::vector<char>& inside) {
  inside_ = inside;
  for (;;) {
    double* values = lower_.valuePtr();
    for (Index i = 0; i < lower_.rows(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      const double sign = signs_[row];
      const int last = lower_.outerIndexPtr()[i + 1] - 1;
      for (int k = lower_.outerIndexPtr()[i]; k < last; ++k) {
        const auto column = static_cast<std::size_t>(lower_.innerIndexPtr()[k]);
        values[k] = is_inside(row) && is_inside(column) ? entries_[static_cast<std::size_t>(k)] : 0.0;
      }
      const double own =
          i < unknowns_ ? entries_[static_cast<std::size_t>(last)] + diagonal[i] : -compliance[i - unknowns_];
      true_diagonal_[i] = is_inside(row) ? own : sign;
      values[last] = true_diagonal_[i] + (is_inside(row) ? sign * shift_ : 0.0);
    }
    count_work(2.0 * static_cast<double>(lower_.nonZeros()));
    ++factorizations_;
    if (factor_.factorize(lower_, signs_)) return true;
    if (!(shift_ < largest_shift) || !true_diagonal_.allFinite()) return false;
    shift_ *= shift_growth;
    least_shift_ = shift_;
  }
}

// residual -= K z
void QpSystem::subtract_product(const Vector& z, Vector& residual) const {
  for (Index i = 0; i < lower_.rows(); ++i) {
    const int last = lower_.outerIndexPtr()[i + 1] - 1;
    double sum = true_diagonal_[i] * z[i];
    for (int k = lower_.outerIndexPtr()[i]; k < last; ++k) {
      const int column = lower_.innerIndexPtr()[k];
      sum += lower_.valuePtr()[k] * z[column];
      residual[column] -= lower_.valuePtr()[k] * z[i];
    }
    residual[i] -= sum;
  }
  count_work(4.0 * static_cast<double>(lower_.nonZeros()));
}

void QpSystem::solve(Vector& z) {
  if (z.size() == 0) return;
  right_side_ = z;
  factor_.solve(z);
  double before = infinity;
  const double enough = refined_share * right_side_.lpNorm<Eigen::Infinity>();
  for (int refinement = 0;; ++refinement) {
    residual_ = right_side_;
    subtract_product(z, residual_);
    const double now = residual_.lpNorm<Eigen::Infinity>();
    if (refinement > 0 && !(now < before)) {
      z -= step_;  // it was no improvement
      return;
    }
    if (now <= enough || refinement == most_qp_refinements || now > least_progress * before) return;
    before = now;
    step_ = residual_;
    factor_.solve(step_);
    z += step_;
  }
}

double QpSystem::factor_to_solve() const {
  return factor_.flops() / (4.0 * static_cast<double>(std::max<Index>(1, factor_.nonzeros())));
}

}  // namespace slipstick::internal
