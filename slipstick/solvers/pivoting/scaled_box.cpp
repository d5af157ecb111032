// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/scaled_box.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "slipstick/matrix.hpp"
#include "slipstick/solvers/common/dense_copy.hpp"

namespace slipstick::internal {
namespace {

// The power of two nearest to a positive number, measured by the ratio: its exponent after a product with the
// root of 2.
double power_of_two(double value) {
  const double product = std::numbers::sqrt2 * std::clamp(value, 1e-300, 1e300);
  return std::bit_cast<double>(std::bit_cast<Index>(product) & Index{0x7ff0000000000000});
}

// If the largest entries of rows and columns differ by less than this factor, rows and columns need no
// separate scales.
constexpr double similar_size = 1000.0;

}  // namespace

Index ScaledBox::count_rows(const ProductSet& K) {
  return (K.lower().array() < K.upper().array()).count();
}

void ScaledBox::build(const Problem& problem) {
  classify(problem);
  fill(problem);
  scale();
}

// Bounded rows come first, then free rows. Fixed rows are left out.
void ScaledBox::classify(const Problem& problem) {
  const int n = static_cast<int>(problem.b.size());
  const auto lower = problem.K.lower(), upper = problem.K.upper();
  rows_.clear();
  origin_.resize(n);
  for (int i = 0; i < n; ++i) {
    origin_[i] = lower[i] > -infinity ? lower[i] : upper[i] < infinity ? upper[i] : 0.0;
    if (lower[i] < upper[i] && (lower[i] > -infinity || upper[i] < infinity)) rows_.push_back(i);
  }
  bounded_ = size();
  for (int i = 0; i < n; ++i) {
    if (lower[i] == -infinity && upper[i] == infinity) rows_.push_back(i);
  }
  sign_.resize(size());
  width_.resize(size());
  for (Index k = 0; k < size(); ++k) {
    sign_[k] = k < bounded_ && lower[row(k)] == -infinity ? -1.0 : 1.0;
    width_[k] = k < bounded_ ? upper[row(k)] - lower[row(k)] : infinity;
  }
}

void ScaledBox::fill(const Problem& problem) {
  const Index n = size();
  matrix_.resize(n, n + 1);
  copy_submatrix(problem.A, rows_, place_, matrix_.rightCols(n));
  offset_ = problem.b;
  if (!origin_.isZero(0.0)) {
    product_.resize(offset_.size());
    problem.A.multiply(origin_, product_);
    offset_ += product_;
  }
  for (Index k = 0; k < n; ++k) {
    matrix_(k, 0) = sign_[k] * offset_[row(k)];
    matrix_.col(k + 1) = sign_[k] * matrix_.col(k + 1).cwiseProduct(sign_);
  }
}

// Returns false if rows or columns differ in size.
bool ScaledBox::scale_as_a_whole() {
  const Index n = size();
  double least = infinity, largest = 0.0;
  scratch_.setZero(n);
  for (Index j = 1; j <= n; ++j) {
    scratch_ = scratch_.cwiseMax(matrix_.col(j).cwiseAbs());
    const double entry = matrix_.col(j).cwiseAbs().maxCoeff();
    if (entry > 0.0) least = std::min(least, entry);
    largest = std::max(largest, entry);
  }
  for (const double entry : scratch_) {
    if (entry > 0.0) least = std::min(least, entry);
  }
  if (!(largest < similar_size * least)) return largest == 0.0;
  whole_ = power_of_two(1.0 / largest);
  matrix_ *= whole_;
  return true;
}

// Scales rows and columns in turn, towards a largest entry of 1.
void ScaledBox::scale() {
  const Index n = size();
  column_scale_.setOnes(n);
  row_scale_.setOnes(n);
  whole_ = 1.0;
  constexpr int passes = 4;
  for (int pass = scale_as_a_whole() ? passes + 1 : 1; pass <= passes; ++pass) {
    scratch_.setZero();
    for (Index j = 1; j <= n; ++j) scratch_ = scratch_.cwiseMax(matrix_.col(j).cwiseAbs());
    for (double& factor : scratch_) factor = factor > 0.0 ? power_of_two(1.0 / std::sqrt(factor)) : 1.0;
    matrix_.col(0) = matrix_.col(0).cwiseProduct(scratch_);
    row_scale_ = row_scale_.cwiseProduct(scratch_);
    for (Index j = 1; j <= n; ++j) {
      matrix_.col(j) = matrix_.col(j).cwiseProduct(scratch_);
      const double largest = matrix_.col(j).cwiseAbs().maxCoeff();
      if (!(largest > 0.0)) continue;
      const double factor = power_of_two(1.0 / (pass < passes ? std::sqrt(largest) : largest));
      column_scale_[j - 1] *= factor;
      matrix_.col(j) *= factor;
    }
  }
  const double largest = n > 0 ? matrix_.col(0).cwiseAbs().maxCoeff() : 0.0;
  unit_ = largest > 0.0 ? power_of_two(largest) : 1.0;
  matrix_.col(0) /= unit_;
  width_.array() /= column_scale_.array() * unit_;
}

}  // namespace slipstick::internal
