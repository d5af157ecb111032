// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/condensed_operator.hpp"

#include <cassert>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

// v += H x
void add_impulses(const CsrMatrix& transposed_h, ConstVectorView x, VectorView v) {
  for (Index i = 0; i < transposed_h.rows(); ++i) {
    if (x[i] == 0.0) continue;
    for (CsrMatrix::InnerIterator it(transposed_h, i); it; ++it) v[it.col()] += it.value() * x[i];
  }
}

}  // namespace

CondensedOperator::CondensedOperator(std::shared_ptr<const CsrMatrix> mass,
                                     std::shared_ptr<const ComponentInverse> inverse, const CsrMatrix& h,
                                     const Vector& compliance)
    : CondensedOperator(Transposed(), std::move(mass), std::move(inverse), CsrMatrix(h.transpose()),
                        compliance.size() > 0 ? compliance : Vector::Zero(h.cols())) {}

CondensedOperator::CondensedOperator(Transposed, std::shared_ptr<const CsrMatrix> mass,
                                     std::shared_ptr<const ComponentInverse> inverse, CsrMatrix transposed_h,
                                     Vector compliance)
    : mass_(std::move(mass)),
      inverse_(std::move(inverse)),
      transposed_h_(std::move(transposed_h)),
      compliance_(std::move(compliance)) {
  if (mass_->rows() != dofs() || inverse_->rows() != dofs())
    fail("H has {} rows, M {} and its inverse {}", dofs(), mass_->rows(), inverse_->rows());
  if (inverse_->singular()) fail("H' M^-1 H needs a matrix M that has an inverse");
  diagonal_ = inverse_->congruence_diagonal(transposed_h_) + compliance_;
  scratch_.prepare(1, dofs());
}

double CondensedOperator::bytes_per_product() const {
  return 24.0 * static_cast<double>(nonzeros()) + 24.0 * inverse_->entries() +
         32.0 * static_cast<double>(dofs()) + 16.0 * static_cast<double>(rows());
}

void CondensedOperator::multiply(ConstVectorView x, VectorView y, int threads) const {
  ScratchPool::Taken velocities(scratch_, dofs());
  body_velocities(x, *velocities, threads);
  for (Index i = 0; i < rows(); ++i) y[i] = row_velocity(i, velocities.data()) + compliance_[i] * x[i];
}

void CondensedOperator::body_velocities(ConstVectorView x, VectorView v, int /*threads*/) const {
  assert(x.size() == rows() && v.size() == dofs());
  v.setZero();
  add_impulses(transposed_h_, x, v);
  inverse_->solve(v);
}

void CondensedOperator::apply_impulse(Index i, double change, double* v) const {
  ScratchPool::Taken response(scratch_, dofs());
  VectorView own = *response;
  own.setZero();
  for (CsrMatrix::InnerIterator it(transposed_h_, i); it; ++it) own[it.col()] = it.value() * change;
  inverse_->solve(own);
  Eigen::Map<Vector>(v, dofs()) += own;
}

double CondensedOperator::entry(Index i, Index j) const {
  Vector response = Vector::Zero(dofs());
  for (CsrMatrix::InnerIterator it(transposed_h_, j); it; ++it) response[it.col()] = it.value();
  inverse_->solve(response);
  return row_velocity(i, response.data()) + (i == j ? compliance_[i] : 0.0);
}

// Works row by row. The matrix is symmetric to the last bit, because the entries below the diagonal are
// copies.
CsrMatrix CondensedOperator::to_csr() const {
  std::vector<Triplet> triplets;
  Vector response(dofs());
  for (int i = 0; i < rows(); ++i) {
    response.setZero();
    for (CsrMatrix::InnerIterator it(transposed_h_, i); it; ++it) response[it.col()] = it.value();
    inverse_->solve(response);
    count_work(2.0 * inverse_->entries() + static_cast<double>(nonzeros()));
    for (int j = i; j < rows(); ++j) {
      const double value = row_velocity(j, response.data()) + (i == j ? compliance_[i] : 0.0);
      if (value == 0.0) continue;
      triplets.push_back({i, j, value});
      if (j != i) triplets.push_back({j, i, value});
    }
  }
  return csr_from_triplets(rows(), rows(), triplets);
}

CondensedOperator CondensedOperator::principal_submatrix(std::span<const int> wanted) const {
  std::vector<Triplet> triplets;
  Vector compliance(static_cast<Index>(wanted.size()));
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    compliance[static_cast<Index>(k)] = compliance_[wanted[k]];
    for (CsrMatrix::InnerIterator it(transposed_h_, wanted[k]); it; ++it)
      triplets.push_back({static_cast<int>(k), static_cast<int>(it.col()), it.value()});
  }
  return {Transposed(), mass_, inverse_,
          csr_from_triplets(static_cast<Index>(wanted.size()), dofs(), triplets), std::move(compliance)};
}

}  // namespace slipstick::internal
