// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/active_set_polish.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/random_problems.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::active_set_polish_test {

using namespace box_cases;

std::vector<Place> places_of(const Problem& problem, const Vector& x) {
  std::vector<Place> places;
  for (Index i = 0; i < x.size(); ++i) {
    places.push_back(x[i] == problem.K.lower()[i]   ? Place::at_lower
                     : x[i] == problem.K.upper()[i] ? Place::at_upper
                                                    : Place::between);
  }
  return places;
}

TEST(ActiveSetPolish, RightActiveSetGivesTheSolutionFromAnywhere) {
  const KnownProblem known = random_box({.rows = 60, .free = 0.2, .two_sided = 0.3, .skew = 0.2});
  Ruler ruler;
  ruler.prepare(known.problem);
  RowSystem system;
  ActiveSetPolish polish;
  Vector x = Vector::Constant(60, 3.0);
  const double error = polish(known.problem, ruler, system, places_of(known.problem, known.x), 1e3, x);
  EXPECT_LE(error, 1e-14);
  EXPECT_EQ(error, error_of(known.problem, x));
  EXPECT_LE((x - known.x).norm(), 1e-11 * known.x.norm());
}

TEST(ActiveSetPolish, WrongActiveSetChangesNothing) {
  const Problem problem = make((DenseMatrix(2, 2) << 2, 1, 1, 2).finished(), vec({-3, -3}), 0, infinity);
  Ruler ruler;
  ruler.prepare(problem);
  RowSystem system;
  ActiveSetPolish polish;
  Vector x = vec({0.9, 1.0});
  const double before = error_of(problem, x);
  EXPECT_EQ(polish(problem, ruler, system, {Place::at_lower, Place::at_lower}, before, x), before);
  EXPECT_EQ(x, vec({0.9, 1.0}));
}

TEST(ActiveSetPolish, SingularSystemMovesLittle) {
  // x1 + x2 = 1 twice: from (0.3 + e, 0.7 - 2 e) to a point near by.
  const Problem problem = make(DenseMatrix::Ones(2, 2), vec({-1, -1}), 0, infinity);
  Ruler ruler;
  ruler.prepare(problem);
  RowSystem system;
  ActiveSetPolish polish;
  Vector x = vec({0.3 + 1e-3, 0.7 - 2e-3});
  EXPECT_LE(polish(problem, ruler, system, {Place::between, Place::between}, 1.0, x), 1e-15);
  EXPECT_NEAR(x[0], 0.3015, 1e-6);
  EXPECT_NEAR(x[1], 0.6985, 1e-6);
}

}  // namespace slipstick::internal::active_set_polish_test
