// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/dense.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace slipstick::internal {
namespace {

// Q diag(eigenvalues) Q'
DenseMatrix turned(const DenseMatrix& q, const Vector& eigenvalues) {
  const DenseMatrix a = q * eigenvalues.asDiagonal() * q.transpose();
  return 0.5 * (a + a.transpose());
}

}  // namespace

Vector vec(std::initializer_list<double> values) {
  Vector v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

DenseMatrix mat(std::initializer_list<std::initializer_list<double>> rows) {
  DenseMatrix m(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index i = 0;
  for (const auto& row : rows) {
    std::copy(row.begin(), row.end(), m.row(i).begin());
    ++i;
  }
  return m;
}

DenseMatrix dense(const Operator& a) {
  return DenseMatrix(*a.assemble());
}

Vector eigenvalues(const DenseMatrix& a) {
  return Eigen::SelfAdjointEigenSolver<DenseMatrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

std::optional<Vector> solve_linear(const DenseMatrix& a, const Vector& b) {
  const Eigen::FullPivLU<DenseMatrix> lu(a);
  if (!lu.isInvertible()) return std::nullopt;
  return lu.solve(b);
}

Vector least_squares(const DenseMatrix& a, const Vector& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<DenseMatrix> factors;
  factors.setThreshold(threshold);
  return factors.compute(a).solve(b);
}

DenseMatrix inverse(const DenseMatrix& a) {
  return a.inverse();
}

int determinant_sign(const DenseMatrix& a) {
  const Eigen::PartialPivLU<DenseMatrix> lu(a);
  const auto negative = (lu.matrixLU().diagonal().array() < 0.0).count();
  return static_cast<int>(lu.permutationP().determinant()) * (negative % 2 == 0 ? 1 : -1);
}

DenseMatrix orthonormal_columns(const DenseMatrix& a) {
  return a.householderQr().householderQ();
}

Vector random_vector(Index rows, Random& random) {
  Vector v(rows);
  for (double& value : v) value = random.normal();
  return v;
}

DenseMatrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  DenseMatrix a(rows, columns);
  for (double& value : a.reshaped()) value = random.normal();
  return a;
}

std::vector<int> random_order(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  return order;
}

DenseMatrix with_eigenvalues(const Vector& eigenvalues, std::uint64_t seed) {
  return turned(orthonormal_columns(random_matrix(eigenvalues.size(), eigenvalues.size(), seed)),
                eigenvalues);
}

DenseMatrix random_spd(Random& random, Index n, double condition) {
  DenseMatrix g(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) g(i, j) = random.normal();
  }
  Vector spectrum(n);
  for (Index i = 0; i < n; ++i)
    spectrum[i] = std::pow(condition, -static_cast<double>(i) / std::max<double>(1.0, n - 1.0));
  return turned(orthonormal_columns(g), spectrum);
}

}  // namespace slipstick::internal
