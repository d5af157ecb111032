// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/operator.hpp"

// Small dense algebra for tests, compiled once: Eigen's factorizations take the compiler seconds each.
namespace slipstick::internal {

Vector vec(std::initializer_list<double> values);

/// Row by row.
DenseMatrix mat(std::initializer_list<std::initializer_list<double>> rows);

DenseMatrix dense(const Operator& a);

/// The eigenvalues of a symmetric matrix, ascending.
Vector eigenvalues(const DenseMatrix& a);

/// x of A x = b, nothing if A is singular.
std::optional<Vector> solve_linear(const DenseMatrix& a, const Vector& b);

/// The shortest x with the least |b - A x|. Pivots below the threshold, relative to the largest, count as
/// zeros.
Vector least_squares(const DenseMatrix& a, const Vector& b, double threshold);

DenseMatrix inverse(const DenseMatrix& a);

/// 1 or -1.
int determinant_sign(const DenseMatrix& a);

/// Q of A = Q R.
DenseMatrix orthonormal_columns(const DenseMatrix& a);

Vector random_vector(Index rows, Random& random);

/// Normal entries.
DenseMatrix random_matrix(Index rows, Index columns, std::uint64_t seed);

/// 0 ... count - 1 in a random order.
std::vector<int> random_order(int count, std::uint64_t seed);

/// Q diag(eigenvalues) Q' with a random orthogonal Q.
DenseMatrix with_eigenvalues(const Vector& eigenvalues, std::uint64_t seed);

/// Symmetric positive definite with the given eigenvalue ratio.
DenseMatrix random_spd(Random& random, Index n, double condition);

}  // namespace slipstick::internal
