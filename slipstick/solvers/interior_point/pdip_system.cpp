// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/pdip_system.hpp"

#include <algorithm>
#include <numeric>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

// Added to the unit diagonal of the matrix that SPIKE factorizes, because A may be singular.
constexpr double regularization = 1e-14;
// The preconditioner on the bodies gets the iteration limit divided by this before the system gives it up.
constexpr Index first_try_divisor = 4;

}  // namespace

void PdipSystem::prepare(const Operator& A, const ConeUnknowns& unknowns) {
  factorizations_ = 0;
  if (direction_ == PdipDirection::direct) {
    cholesky_.prepare(A, unknowns);
    return;
  }
  on_bodies_ = direction_ == PdipDirection::spike && bodies_.suits(A, unknowns);
  if (on_bodies_) {
    if (bodies_.prepare(A, unknowns)) ++version_;
  } else if (direction_ == PdipDirection::spike) {
    prepare_contacts(A, unknowns);
  }
  x_.resize(A.rows());
  product_.resize(A.rows());
  scaled_.resize(unknowns.size());
}

void PdipSystem::prepare_contacts(const Operator& A, const ConeUnknowns& unknowns) {
  if (contacts_.prepare(A, unknowns)) has_full_pattern_ = false;
  if (has_full_pattern_) return;
  ++version_;
  find_full_pattern();
  has_full_pattern_ = true;
}

// Row i of the symmetric matrix has its entries in the lower triangle, then the entries of column i below the
// diagonal.
void PdipSystem::find_full_pattern() {
  CsrMatrix lower = contacts_.scaled_lower(), upper;  // their values are places in the lower triangle
  std::iota(lower.valuePtr(), lower.valuePtr() + lower.nonZeros(), 0.0);
  transpose(lower, upper);
  full_.resize(lower.rows(), lower.cols());
  full_.reserve(2 * lower.nonZeros());
  for (Index i = 0; i < lower.rows(); ++i) {
    full_.startVec(i);
    for (CsrMatrix::InnerIterator it(lower, i); it; ++it) full_.insertBack(i, it.col()) = it.value();
    for (CsrMatrix::InnerIterator it(upper, i); it; ++it)
      if (it.col() > i) full_.insertBack(i, it.col()) = it.value();
    count_work(20.0 * static_cast<double>(full_.outerIndexPtr()[i + 1] - full_.outerIndexPtr()[i]));
  }
  full_.finalize();
  resize_with_looks(source_, static_cast<std::size_t>(full_.nonZeros()));
  std::copy_n(full_.valuePtr(), full_.nonZeros(), source_.begin());
}

bool PdipSystem::update(const BarrierTerms& terms) {
  if (direction_ == PdipDirection::krylov) return terms.squares.allFinite();
  ++factorizations_;
  if (direction_ == PdipDirection::direct) return cholesky_.factorize(terms);
  if (on_bodies_) return bodies_.update(terms) && factorize_preconditioner(bodies_.scaled(), terms);
  return factorize_contacts(terms);
}

bool PdipSystem::factorize_contacts(const BarrierTerms& terms) {
  if (!contacts_.update(terms)) return false;
  contacts_.regularize(regularization);
  for (Index i = 0; i < full_.rows(); ++i) {
    const int begin = full_.outerIndexPtr()[i], end = full_.outerIndexPtr()[i + 1];
    for (int p = begin; p < end; ++p) full_.valuePtr()[p] = contacts_.scaled_lower().valuePtr()[source_[p]];
    count_work(10.0 * (end - begin));
  }
  return factorize_preconditioner(full_, terms);
}

bool PdipSystem::factorize_preconditioner(const CsrMatrix& matrix, const BarrierTerms& /*terms*/) {
  return preconditioner().factorize(matrix);
}

Index PdipSystem::solve(const Operator& A, const ConeUnknowns& unknowns, const BarrierTerms& terms,
                        const Vector& right_side, double floor, int threads, Vector& v) {
  if (direction_ == PdipDirection::direct) {
    cholesky_.solve(right_side, v);
    return 0;
  }
  Index products = 0;
  const Equation equation{A, unknowns, terms, right_side, threads};
  krylov_.absolute_floor = floor;
  v.setZero();
  if (on_bodies_) {
    BicgstabSettings settings = krylov_;
    settings.max_iterations = std::max<Index>(1, krylov_.max_iterations / first_try_divisor);
    if (iterate(equation, settings, v, products).status == KrylovStatus::converged) return products;
    // The preconditioner on the bodies loses too many digits. The one on the contacts replaces it until the
    // end.
    on_bodies_ = false;
    prepare_contacts(A, unknowns);
    ++factorizations_;
    if (!factorize_contacts(terms)) return products;
  }
  iterate(equation, krylov_, v, products);
  return products;
}

KrylovOutcome PdipSystem::iterate(const Equation& equation, const BicgstabSettings& settings, Vector& v,
                                  Index& products) {
  const auto apply = [&](const Vector& u, Vector& y) {
    scaled_ = u;
    equation.terms.from_frame(equation.unknowns, scaled_);
    equation.unknowns.scatter(scaled_, x_);
    equation.A.multiply(x_, product_, equation.threads);
    ++products;
    equation.unknowns.gather(product_, y);
    equation.terms.to_frame(equation.unknowns, y);
    y += equation.terms.squares.cwiseProduct(u);
  };
  if (direction_ == PdipDirection::krylov) return bicgstab_.solve(apply, equation.right_side, v, settings);
  const auto apply_inverse = [&](const Vector& r, Vector& z) {
    if (on_bodies_) {
      bodies_.apply_inverse(r, z, [&](Vector& t) { on_bodies_preconditioner_.solve(t, t); });
      return;
    }
    scaled_ = r.cwiseProduct(contacts_.unit());
    preconditioner_.solve(scaled_, z);
    z = z.cwiseProduct(contacts_.unit());
  };
  return bicgstab_.solve(apply, equation.right_side, v, settings, apply_inverse);
}

}  // namespace slipstick::internal
