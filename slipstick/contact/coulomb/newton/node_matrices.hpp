// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"
#include "slipstick/contact/coulomb/contact_unknowns.hpp"

namespace slipstick::internal {

/// The matrices A = added + L' C R of the nodes of an island, and their inverses. L and R are `left` and
/// `right` of ContactUnknowns, C is the compliance of the node's rows. Systems in which the nodes are
/// eliminated need the inverses. Without compliance A is diagonal.
class NodeMatrices {
 public:
  void prepare(const ContactBlocks& blocks, const Island& island);
  /// Returns the sign of the product of their determinants.
  int set(std::span<const ContactUnknowns> unknowns);

  /// Entry of A^-1 of node i of the island.
  double inverse(std::size_t i, int row, int column) const { return nodes_[i].inverse(row, column); }
  /// y = A^-1 x for the `size` unknowns of a node. x and y are different.
  void divide(std::size_t i, int size, const double* x, double* y) const {
    for (int b = 0; b < size; ++b) {
      double sum = 0.0;
      for (int c = 0; c < size; ++c) sum += nodes_[i].inverse(b, c) * x[c];
      y[b] = sum;
    }
  }
  /// y -= A x
  void subtract_product(std::size_t i, int size, const double* x, double* y) const {
    for (int b = 0; b < size; ++b) {
      double sum = y[b];
      for (int c = 0; c < size; ++c) sum -= nodes_[i].A(b, c) * x[c];
      y[b] = sum;
    }
  }

 private:
  using Matrix = Eigen::Matrix<double, 3, 3, Eigen::DontAlign>;
  struct Node {
    Matrix A, inverse;
  };
  void add_compliance(std::size_t i, const ContactUnknowns& own);

  int dimension_ = 3;
  const double* compliance_ = nullptr;  // of the island's rows, null if it is zero
  std::vector<Node> nodes_;
};

}  // namespace slipstick::internal
