// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/micro/operators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr Index band = 16;

Index cube_edge(Index cells) {
  return std::max<Index>(2, std::lround(std::cbrt(static_cast<double>(cells))));
}

Operator sparse(Index rows) {
  return {laplacian(cube_edge(rows))};
}

Operator banded(Index rows) {
  BandedMatrix a(rows, band);
  Random random(1);
  for (Index j = 0; j < rows; ++j) {
    a.at(j, j) = 2.0 * static_cast<double>(band + 1);
    for (Index i = j + 1; i <= std::min(rows - 1, j + band); ++i) a.at(i, j) = random.uniform(-1.0, 1.0);
  }
  return {std::move(a)};
}

Operator dense(Index rows) {
  const Index n = std::lround(std::sqrt(12.0 * static_cast<double>(rows)));
  Random random(1);
  DenseMatrix a(n, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i <= j; ++i) a(i, j) = a(j, i) = random.uniform(-1.0, 1.0);
  }
  return {std::move(a)};
}

// Bodies on a cubic grid, a contact of three rows with each neighbour.
Operator delassus(Index rows) {
  const Index edge = cube_edge(rows / 9);
  const Index bodies = edge * edge * edge;
  constexpr int dofs = 6;
  constexpr int contact_rows = 3;
  const std::array<Index, 3> step = {1, edge, edge * edge};
  std::vector<Constraint> contacts;
  std::vector<double> jacobian;
  Random random(1);
  for (Index body = 0; body < bodies; ++body) {
    for (int axis = 0; axis < 3; ++axis) {
      if ((body / step[axis]) % edge == edge - 1) continue;
      const int row = contact_rows * static_cast<int>(contacts.size());
      contacts.push_back({row, contact_rows, {static_cast<int>(body), static_cast<int>(body + step[axis])}});
      for (int k = 0; k < 2 * contact_rows * dofs; ++k) jacobian.push_back(random.uniform(-1.0, 1.0));
    }
  }
  std::vector<double> inverse_mass(static_cast<std::size_t>(bodies * dofs), 1.0);
  const Vector compliance = Vector::Constant(contact_rows * static_cast<Index>(contacts.size()), 1e-3);
  return {DelassusOperator(dofs, bodies, inverse_mass, contacts, jacobian, compliance)};
}

constexpr OperatorFamily families[] = {
    {"sparse", "7-point Laplacian", sparse},
    {"banded", "half bandwidth 16", banded},
    {"dense", "full matrix of about the same bytes", dense},
    {"delassus", "matrix-free, 6 degrees of freedom, 3 rows per contact", delassus},
};

}  // namespace

CsrMatrix laplacian(Index edge) {
  const Index cells = edge * edge * edge;
  const std::array<Index, 3> step = {1, edge, edge * edge};
  CsrMatrix a(cells, cells);
  a.resizeNonZeros(7 * cells - 6 * edge * edge);
  int position = 0;
  const auto add = [&](Index column, double value) {
    a.innerIndexPtr()[position] = static_cast<int>(column);
    a.valuePtr()[position++] = value;
  };
  for (Index cell = 0; cell < cells; ++cell) {
    a.outerIndexPtr()[cell] = position;
    for (int axis = 2; axis >= 0; --axis) {
      if ((cell / step[axis]) % edge > 0) add(cell - step[axis], -1.0);
    }
    add(cell, 6.0);
    for (int axis = 0; axis < 3; ++axis) {
      if ((cell / step[axis]) % edge < edge - 1) add(cell + step[axis], -1.0);
    }
  }
  a.outerIndexPtr()[cells] = position;
  return a;
}

std::span<const OperatorFamily> operator_families() {
  return families;
}

}  // namespace slipstick::internal::bench
