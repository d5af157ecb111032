// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/solvers/degenerate_cases.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "slipstick/base/random.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::degenerate_cases {
namespace {

// minimize c'x, A x <= b, x >= 0 by its optimality conditions.
Problem linear_program(const DenseMatrix& A, const Vector& b, const Vector& c) {
  const Index rows = A.rows(), n = A.cols();
  DenseMatrix M = DenseMatrix::Zero(n + rows, n + rows);
  M.topRightCorner(n, rows) = A.transpose();
  M.bottomLeftCorner(rows, n) = -A;
  Vector q(n + rows);
  q << c, b;
  return box_cases::lcp(M, q);
}

// Beale 1955: Dantzig's rule cycles with a period of six.
Problem beale() {
  return linear_program(mat({{0.25, -8, -1, 9}, {0.5, -12, -0.5, 3}, {0, 0, 1, 0}}), vec({0, 0, 1}),
                        vec({-0.75, 20, -0.5, 6}));
}

// Chvatal 1983, chapter 3.
Problem chvatal() {
  return linear_program(mat({{0.5, -5.5, -2.5, 9}, {0.5, -1.5, -0.5, 1}, {1, 0, 0, 0}}), vec({0, 0, 1}),
                        vec({-10, 57, 9, 24}));
}

// Klee and Minty 1972: 2^n - 1 steps of the simplex method.
Problem klee_minty(Index n) {
  DenseMatrix A = DenseMatrix::Identity(n, n);
  Vector b(n), c(n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) A(i, j) = std::exp2(static_cast<double>(i - j + 1));
    b[i] = std::pow(5.0, static_cast<double>(i + 1));
    c[i] = -std::exp2(static_cast<double>(n - 1 - i));
  }
  return linear_program(A, b, c);
}

// Fathi 1979: L L' for Murty's matrix L. Symmetric and positive definite.
Problem fathi(Index n) {
  DenseMatrix L = DenseMatrix::Identity(n, n);
  for (Index i = 0; i < n; ++i) L.row(i).head(i).setConstant(2.0);
  return box_cases::lcp(L * L.transpose(), Vector::Constant(n, -1.0));
}

// A transport problem whose supplies equal its demands: every basis is degenerate.
Problem transport(Index n, std::uint64_t seed) {
  Random random(seed);
  DenseMatrix A = DenseMatrix::Zero(2 * n, n * n);
  Vector b(2 * n), c(n * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      A(i, n * i + j) = 1.0;
      A(n + j, n * i + j) = -1.0;
      c[n * i + j] = static_cast<double>(1 + random.below(3));
    }
    b[i] = 1.0;
    b[n + i] = -1.0;
  }
  return linear_program(A, b, c);
}

}  // namespace

std::vector<DegenerateCase> known_examples() {
  std::vector<DegenerateCase> cases{{"Kostreva", box_cases::kostrevas_example().problem},
                                    {"Beale", beale()},
                                    {"Chvatal", chvatal()},
                                    {"bimatrix", box_cases::bimatrix_game()}};
  for (const Index n : {4, 12, 40})
    cases.push_back({"Murty " + std::to_string(n), box_cases::murtys_example(n).problem});
  for (const Index n : {4, 12}) cases.push_back({"Fathi " + std::to_string(n), fathi(n)});
  for (const Index n : {3, 8}) cases.push_back({"Klee and Minty " + std::to_string(n), klee_minty(n)});
  for (const Index n : {2, 4, 6}) cases.push_back({"transport " + std::to_string(n), transport(n, 1)});
  // Bimatrix games with two payoffs only: nearly all ratios tie.
  for (const std::uint64_t seed : {1, 2, 3})
    cases.push_back({"two payoffs", random_game({.types = 1, .actions = 10, .payoffs = 2, .seed = seed})});
  cases.push_back({"one payoff", random_game({.types = 3, .actions = 4, .payoffs = 1})});
  return cases;
}

GameOptions game_of(std::uint64_t seed) {
  Random random(seed);
  GameOptions options{.seed = seed};
  options.types = 1 + random.below(7);
  const Index most = 75 / options.types - 1;
  options.actions = 2 + random.below(std::min<Index>(most, 20) - 1);
  constexpr Index payoffs[] = {2, 10, 250, 1000};
  options.payoffs = payoffs[random.below(4)];
  return options;
}

}  // namespace slipstick::internal::degenerate_cases
