// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::testing {

using internal::random_vector;

/// Each entry is there with the given probability; the diagonal always is.
inline DenseMatrix random_dense(Index rows, Index columns, double density, Random& random) {
  DenseMatrix a = DenseMatrix::Zero(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      if (i == j || random.uniform() < density) a(i, j) = random.normal();
    }
  }
  return a;
}

inline DenseMatrix random_banded(Index rows, Index bandwidth, Random& random) {
  DenseMatrix a = DenseMatrix::Zero(rows, rows);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = std::max<Index>(0, i - bandwidth); j <= i; ++j) a(i, j) = a(j, i) = random.normal();
  }
  return a;
}

struct BodyGraphOptions {
  int dofs = 6;
  Index bodies = 5;
  Index constraints = 8;
  int rows = 3;  ///< of every constraint; 0: one to four
  bool diagonal_mass = false;
  double ground = 0.3;  ///< probability that a side is the ground
  std::uint64_t seed = 1;
};

/// The ingredients of a Delassus operator and what it should be. The Jacobian blocks of the ground are NaN:
/// they must not be read.
struct BodyGraph {
  std::vector<double> inverse_mass;
  std::vector<Constraint> constraints;
  std::vector<double> jacobian;
  Vector compliance;
  DenseMatrix dense;  ///< J M^-1 J' + C
  DenseMatrix dense_jacobian;
  DenseMatrix dense_inverse_mass;
  BodyGraphOptions options;

  DelassusOperator make() const {
    return {options.dofs, options.bodies, inverse_mass, constraints, jacobian, compliance};
  }
};

inline BodyGraph random_body_graph(const BodyGraphOptions& options) {
  Random random(options.seed);
  BodyGraph graph;
  graph.options = options;
  const Index d = options.dofs;
  graph.dense_inverse_mass = DenseMatrix::Zero(d * options.bodies, d * options.bodies);
  for (Index body = 0; body < options.bodies; ++body) {
    DenseMatrix block = random_dense(d, d, 1.0, random);
    block = (block * block.transpose()).eval();
    if (options.diagonal_mass) block = block.diagonal().asDiagonal().toDenseMatrix();
    graph.dense_inverse_mass.block(d * body, d * body, d, d) = block;
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j < d; ++j) {
        if (!options.diagonal_mass || i == j) graph.inverse_mass.push_back(block(i, j));
      }
    }
  }
  int row = 0;
  for (Index k = 0; k < options.constraints; ++k) {
    Constraint c;
    c.row = row;
    c.rows = options.rows > 0 ? options.rows : 1 + static_cast<int>(random.below(4));
    for (int& body : c.body) {
      body = options.bodies == 0 || random.uniform() < options.ground
                 ? -1
                 : static_cast<int>(random.below(options.bodies));
    }
    row += c.rows;
    graph.constraints.push_back(c);
  }
  graph.dense_jacobian = DenseMatrix::Zero(row, d * options.bodies);
  for (const Constraint& c : graph.constraints) {
    for (const int body : c.body) {
      for (Index i = 0; i < c.rows; ++i) {
        for (Index j = 0; j < d; ++j) {
          const double value = body < 0 ? std::numeric_limits<double>::quiet_NaN() : random.normal();
          graph.jacobian.push_back(value);
          if (body >= 0) graph.dense_jacobian(c.row + i, body * d + j) += value;
        }
      }
    }
  }
  graph.compliance = Vector::NullaryExpr(row, [&] { return random.uniform(0.0, 0.5); });
  graph.dense = graph.dense_jacobian * graph.dense_inverse_mass * graph.dense_jacobian.transpose();
  graph.dense.diagonal() += graph.compliance;
  return graph;
}

}  // namespace slipstick::internal::testing
