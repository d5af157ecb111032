// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pdip_system.hpp"

namespace slipstick {
namespace {

// Of the unit diagonal of what SPIKE factorizes, since A may be singular.
constexpr double regularization = 1e-14;

}  // namespace

void PdipSystem::prepare(const Operator& A, const ConeUnknowns& unknowns) {
  if (direction_ == PdipDirection::direct) {
    cholesky_.prepare(A, unknowns);
    return;
  }
  if (direction_ == PdipDirection::spike && matrix_.prepare(A, unknowns)) find_full_pattern();
  x_.resize(A.rows());
  product_.resize(A.rows());
  scaled_.resize(unknowns.size());
}

// Row i of the symmetric matrix: its entries in the lower triangle, then those of column i below the
// diagonal.
void PdipSystem::find_full_pattern() {
  const CsrMatrix& lower = matrix_.scaled_lower();
  std::vector<Triplet> triplets;
  triplets.reserve(static_cast<std::size_t>(2 * lower.nonZeros()));
  for (int i = 0; i < static_cast<int>(lower.rows()); ++i) {
    for (int p = lower.outerIndexPtr()[i]; p < lower.outerIndexPtr()[i + 1]; ++p) {
      const int j = lower.innerIndexPtr()[p];
      triplets.push_back({i, j, static_cast<double>(p)});
      if (j != i) triplets.push_back({j, i, static_cast<double>(p)});
    }
  }
  full_ = csr_from_triplets(lower.rows(), lower.cols(), triplets);
  source_.assign(full_.valuePtr(), full_.valuePtr() + full_.nonZeros());
}

bool PdipSystem::update(const BarrierTerms& terms) {
  if (direction_ == PdipDirection::direct) return cholesky_.factorize(terms);
  if (direction_ == PdipDirection::krylov) return terms.squares.allFinite();
  if (!matrix_.update(terms)) return false;
  matrix_.regularize(regularization);
  for (std::size_t p = 0; p < source_.size(); ++p)
    full_.valuePtr()[p] = matrix_.scaled_lower().valuePtr()[source_[p]];
  return preconditioner_.factorize(full_);
}

Index PdipSystem::solve(const Operator& A, const ConeUnknowns& unknowns, const BarrierTerms& terms,
                        const Vector& right_side, double floor, int threads, Vector& v) {
  if (direction_ == PdipDirection::direct) {
    cholesky_.solve(right_side, v);
    return 0;
  }
  Index products = 0;
  const auto apply = [&](const Vector& u, Vector& y) {
    scaled_ = u;
    terms.from_frame(unknowns, scaled_);
    unknowns.scatter(scaled_, x_);
    A.multiply(x_, product_, threads);
    ++products;
    unknowns.gather(product_, y);
    terms.to_frame(unknowns, y);
    y += terms.squares.cwiseProduct(u);
  };
  const auto apply_inverse = [&](const Vector& r, Vector& z) {
    scaled_ = r.cwiseProduct(matrix_.unit());
    preconditioner_.solve(scaled_, z);
    z = z.cwiseProduct(matrix_.unit());
  };
  krylov_.absolute_floor = floor;
  v.setZero();
  if (direction_ == PdipDirection::spike) {
    bicgstab_.solve(apply, right_side, v, krylov_, apply_inverse);
  } else {
    bicgstab_.solve(apply, right_side, v, krylov_);
  }
  return products;
}

}  // namespace slipstick
