// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "support/dense.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace slipstick {

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

DenseMatrix inverse(const DenseMatrix& a) {
  return a.inverse();
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

DenseMatrix random_spd(Random& random, Index n, double condition) {
  DenseMatrix g(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) g(i, j) = random.normal();
  }
  const DenseMatrix q = g.householderQr().householderQ();
  Vector spectrum(n);
  for (Index i = 0; i < n; ++i)
    spectrum[i] = std::pow(condition, -static_cast<double>(i) / std::max<double>(1.0, n - 1.0));
  const DenseMatrix A = q * spectrum.asDiagonal() * q.transpose();
  return 0.5 * (A + A.transpose());
}

}  // namespace slipstick
