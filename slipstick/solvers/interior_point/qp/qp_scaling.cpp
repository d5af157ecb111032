// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp/qp_scaling.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

constexpr int ruiz_passes = 10;
constexpr double widest_scale = 1e6;  // factors stay within this and its reciprocal

double power_of_two(double value) {
  return std::exp2(std::round(std::log2(value)));
}

void limit(double& factor) {
  factor = std::clamp(factor, 1.0 / widest_scale, widest_scale);
}

}  // namespace

void QpScaling::scale(StandardQp& qp) {
  columns_.setOnes(qp.unknowns());
  rows_.setOnes(qp.rows());
  for (int pass = 0; pass < ruiz_passes; ++pass) {
    column_size_.setZero(qp.unknowns());
    row_size_.setZero(qp.rows());
    for (Index i = 0; i < qp.unknowns(); ++i) {
      for (CsrMatrix::InnerIterator it(qp.H, i); it; ++it)
        column_size_[i] = std::max(column_size_[i], std::abs(it.value()) * columns_[i] * columns_[it.col()]);
    }
    for (Index i = 0; i < qp.rows(); ++i) {
      for (CsrMatrix::InnerIterator it(qp.G, i); it; ++it) {
        const double size = std::abs(it.value()) * rows_[i] * columns_[it.col()];
        row_size_[i] = std::max(row_size_[i], size);
        column_size_[it.col()] = std::max(column_size_[it.col()], size);
      }
    }
    count_work(4.0 * static_cast<double>(qp.H.nonZeros() + qp.G.nonZeros()));
    for (Index j = 0; j < qp.unknowns(); ++j) {
      if (column_size_[j] > 0.0) limit(columns_[j] /= std::sqrt(column_size_[j]));
    }
    for (Index i = 0; i < qp.rows(); ++i) {
      if (row_size_[i] > 0.0) limit(rows_[i] /= std::sqrt(row_size_[i]));
    }
  }
  for (double& factor : columns_) factor = power_of_two(factor);
  for (double& factor : rows_) factor = power_of_two(factor);

  double largest = 0.0;
  for (Index i = 0; i < qp.unknowns(); ++i) {
    for (CsrMatrix::InnerIterator it(qp.H, i); it; ++it) {
      it.valueRef() *= columns_[i] * columns_[it.col()];
      largest = std::max(largest, std::abs(it.value()));
    }
  }
  for (Index i = 0; i < qp.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(qp.G, i); it; ++it) it.valueRef() *= rows_[i] * columns_[it.col()];
  }
  qp.c.array() *= columns_.array();
  if (qp.unknowns() > 0) largest = std::max(largest, qp.c.lpNorm<Eigen::Infinity>());
  objective_ = largest > 0.0 && std::isfinite(largest) ? power_of_two(1.0 / largest) : 1.0;
  qp.c *= objective_;
  qp.H *= objective_;
  qp.lower.array() /= columns_.array();
  qp.upper.array() /= columns_.array();
  qp.row_lower.array() *= rows_.array();
  qp.row_upper.array() *= rows_.array();
}

}  // namespace slipstick::internal
