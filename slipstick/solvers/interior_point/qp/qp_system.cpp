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
constexpr double small_pivot = 0.1;      // share of the shift: a smaller pivot comes from rounding
constexpr double rounded_pivot = 1e-5;   // a pivot of the wrong sign and this size may come from rounding
constexpr double refined_share = 1e-14;  // residual that needs no refinement, relative to the right side
// Directions in which K is smaller than this share of the shift count as those of a singular K.
constexpr double smallest_share = 1e-6;

}  // namespace

void QpSystem::prepare(const StandardQp& qp) {
  unknowns_ = qp.unknowns();
  factorizations_ = 0;
  shift_ = {.now = first_shift, .least = smallest_shift};
  build(qp);
  const Index size = lower_.rows();
  for (Vector* vector : {&true_diagonal_, &weight_, &right_side_, &residual_, &step_, &correction_})
    vector->resize(size);
  basis_.resize(size, most_steps + 1);
  steps_.resize(size, most_steps);
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
      weight_[i] = 1.0 / std::sqrt(std::max(1.0, std::abs(true_diagonal_[i])));
      values[last] = true_diagonal_[i] + (is_inside(row) ? sign * shift_.now : 0.0);
    }
    count_work(2.0 * static_cast<double>(lower_.nonZeros()));
    ++factorizations_;
    factor_.set_repair(
        {.least = small_pivot * shift_.now, .rounding = rounded_pivot, .pivot = shift_growth * shift_.now});
    if (factor_.factorize(lower_, signs_)) return true;
    if (!(shift_.now < largest_shift) || !true_diagonal_.allFinite()) return false;
    shift_.now *= shift_growth;
    shift_.least = shift_.now;
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
  const auto find_residual = [&] {
    residual_ = right_side_;
    subtract_product(z, residual_);
    residual_.array() *= weight_.array();
    return residual_.norm();
  };
  const double first = find_residual();
  const double enough = refined_share * right_side_.cwiseProduct(weight_).norm();
  if (!(first > enough)) return;

  const int steps = build_krylov_space(first, enough);
  correction_.noalias() = steps_.leftCols(steps) * coefficients_.head(steps);
  z += correction_;
  if (!(find_residual() < first)) z -= correction_;  // it was no improvement
}

// Generalized minimal residuals (Saad and Schultz 1986) with the factor as preconditioner. residual_ is the
// first residual. Returns the number of steps, and sets steps_ and their coefficients.
int QpSystem::build_krylov_space(double first, double enough) {
  small_.setZero();
  basis_.col(0) = residual_ / first;
  for (int step = 0;; ++step) {
    step_ = basis_.col(step).cwiseQuotient(weight_);
    factor_.solve(step_);
    steps_.col(step) = step_;
    residual_.setZero();
    subtract_product(step_, residual_);
    residual_.array() *= -weight_.array();
    for (int k = 0; k <= step; ++k) {
      small_(k, step) = basis_.col(k).dot(residual_);
      residual_ -= small_(k, step) * basis_.col(k);
    }
    count_work(4.0 * (step + 1) * static_cast<double>(residual_.size()));
    const double length = residual_.norm();
    small_(step + 1, step) = length;
    const double left = solve_small(step + 1, first);
    if (!(left > enough) || !(length > 0.0) || step + 1 == most_steps) return step + 1;
    basis_.col(step + 1) = residual_ / length;
  }
}

// The coefficients with the least residual, in a proximal sense. Returns that residual.
double QpSystem::solve_small(int count, double first) {
  Small stacked = Small::Zero(2 * count + 1, count);
  SmallVector right = SmallVector::Zero(2 * count + 1);
  stacked.topRows(count + 1) = small_.topLeftCorner(count + 1, count);
  stacked.bottomRows(count).diagonal().setConstant(smallest_share);
  right[0] = first;
  coefficients_.head(count) = stacked.householderQr().solve(right);
  SmallVector left = -small_.topLeftCorner(count + 1, count) * coefficients_.head(count);
  left[0] += first;
  return left.norm();
}

double QpSystem::factor_to_solve() const {
  return factor_.flops() / (4.0 * static_cast<double>(std::max<Index>(1, factor_.nonzeros())));
}

}  // namespace slipstick::internal
