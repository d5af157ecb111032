// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/node_matrices.hpp"

#include <Eigen/LU>

namespace slipstick::internal {

void NodeMatrices::prepare(const ContactBlocks& blocks, const Island& island) {
  dimension_ = blocks.dimension();
  const Vector& compliance = blocks.compliance();
  compliance_ = compliance.size() > 0 ? &compliance[static_cast<Index>(dimension_) * island.begin] : nullptr;
  nodes_.assign(static_cast<std::size_t>(island.nodes()), {Matrix::Identity(), Matrix::Identity()});
}

int NodeMatrices::set(std::span<const ContactUnknowns> unknowns) {
  int sign = 1;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const ContactUnknowns& own = unknowns[i];
    auto& [A, inverse] = nodes_[i];
    if (compliance_ != nullptr) A.setIdentity();
    for (int c = 0; c < own.size; ++c) {
      A(c, c) = own.added[c];
      inverse(c, c) = 1.0 / own.added[c];
    }
    if (compliance_ == nullptr) continue;
    add_compliance(i, own);
    inverse = A.inverse();
    if (A.determinant() < 0.0) sign = -sign;
  }
  return sign;
}

void NodeMatrices::add_compliance(std::size_t i, const ContactUnknowns& own) {
  Matrix& A = nodes_[i].A;
  for (int a = 0; a < dimension_; ++a) {
    const double compliance = compliance_[static_cast<Index>(i) * dimension_ + a];
    if (own.plain) {
      A(a, a) += compliance;
      continue;
    }
    for (int b = 0; b < own.size; ++b)
      for (int c = 0; c < own.size; ++c)
        A(b, c) += own.left[own.size * a + b] * compliance * own.right[own.size * a + c];
  }
}

}  // namespace slipstick::internal
