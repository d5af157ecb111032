// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/anderson.hpp"

#include <algorithm>
#include <cassert>

#include "slipstick/linalg/dense_factor.hpp"

namespace slipstick::internal {

void Anderson::reset(Index rows, int memory) {
  assert(memory >= 0 && memory <= largest_memory);
  memory_ = memory;
  steps_ = 0;
  residuals_.resize(rows, memory);
  images_.resize(rows, memory);
  for (Vector* vector : {&residual_, &last_residual_, &last_image_}) vector->resize(rows);
}

void Anderson::step(const Vector& image, Vector& x) {
  residual_ = image - x;
  x = image;
  // False alarm of the analyzer: it assumes that residual_ may be a null pointer.
  // NOLINTNEXTLINE(clang-analyzer-core.*,clang-analyzer-unix.Malloc)
  if (steps_ > 0 && memory_ > 0) {
    const Index column = (steps_ - 1) % memory_;
    residuals_.col(column) = residual_ - last_residual_;
    images_.col(column) = image - last_image_;
    const Index columns = std::min(steps_, memory_);
    const auto F = residuals_.leftCols(columns);
    // The normal equations, with a shift in case the differences have become dependent.
    constexpr double shift = 1e-12;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_memory, largest_memory> gram(columns,
                                                                                                  columns);
    Eigen::Matrix<double, Eigen::Dynamic, 1, 0, largest_memory, 1> c(columns);
    gram.noalias() = F.transpose() * F;
    c.noalias() = F.transpose() * residual_;
    const double size = gram.trace();
    if (size > 0.0) {
      gram.diagonal().array() += shift * size;
      if (cholesky(gram)) {
        solve_cholesky(gram, c);
        x.noalias() -= images_.leftCols(columns) * c;
      }
    }
  }
  last_residual_ = residual_;
  last_image_ = image;
  ++steps_;
}

}  // namespace slipstick::internal
