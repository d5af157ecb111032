// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What every method for bounds and every method for friction cones must do. What is a method's own is in the
// test of its name.
#include "slipstick/catalog/catalog.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::methods_test {

using namespace box_cases;

struct BoundMethod {
  std::string name;
  Problem slow;                                // takes it more than 3 iterations
  double tolerance = 1e-14, accuracy = 1e-14;  // of the closed forms
  double iterations_apart = infinity;          // matrix-free from assembled
};

Problem slow_lcp(Index rows, double condition) {
  return random_lcp({.rows = rows, .condition = condition}).problem;
}

std::vector<BoundMethod> bound_methods() {
  return {{"pgs", chain(12), 1e-13, 1e-11, 2},
          {"pjacobi", chain(8), 1e-13, 1e-11},
          {"mprgp", chain(12), 1e-13, 1e-11},
          {"pmprgp", slow_lcp(100, 1e4), 1e-13, 1e-11},
          {"gp-sm", chain(12), 1e-13, 1e-11},
          {"dense-bpp", slow_lcp(200, 1e4)},
          {"enumerate", murtys_example(6).problem},
          {"lemke", chain(12)},
          {"ppm", slow_lcp(300, 1e6), 1e-14, 1e-14, 0},
          {"bpp", slow_lcp(300, 1e6), 1e-14, 1e-14, 0},
          {"bpp-pcg", slow_lcp(300, 1e6), 1e-13, 1e-11},
          {"pgcg", slow_lcp(300, 1e4), 1e-13, 1e-11},
          {"dantzig", slow_lcp(100, 1e4), 1e-14, 1e-14, 0},
          {"newton-fb", slow_lcp(40, 1e4)}};
}

TEST(BoundMethods, ClosedForms) {
  for (const BoundMethod& method : bound_methods()) {
    if (method.name == "dense-bpp") continue;  // stalls on singular matrices
    SCOPED_TRACE(method.name);
    expect_closed_forms(*make_solver(method.name), method.tolerance, method.accuracy);
  }
}

TEST(BoundMethods, GoodManners) {
  for (const BoundMethod& method : bound_methods()) {
    SCOPED_TRACE(method.name);
    expect_good_manners(*make_solver(method.name), method.slow);
    expect_zero_without_load(*make_solver(method.name));
  }
}

TEST(BoundMethods, MatrixFreeFollowsTheAssembledMatrix) {
  for (const BoundMethod& method : bound_methods()) {
    if (method.name == "enumerate") continue;  // too many rows for it
    SCOPED_TRACE(method.name);
    expect_matrix_free_agrees(*make_solver(method.name), 3, 0.05, method.iterations_apart);
  }
}

class ConeMethods : public testing::TestWithParam<const char*> {
 protected:
  const std::unique_ptr<Solver> solver_ = make_solver(GetParam());
};

TEST_P(ConeMethods, OneContactInEveryRegimeIsAProjection) {
  cone_cases::expect_projections(*solver_);
}

TEST_P(ConeMethods, FindAKnownBoxSolution) {
  cone_cases::expect_known_box(*solver_, 1e-11);
}

TEST_P(ConeMethods, WithoutFrictionAgreeWithABoundSolver) {
  cone_cases::expect_bounds_without_friction(*solver_);
}

TEST_P(ConeMethods, RefuseNonsymmetricMatricesWhereTheCatalogSaysSo) {
  Problem problem = contact(1.0, vec({1.0, 1.0, 1.0}), 0.5);
  EXPECT_EQ(solver_->explain_unsupported(problem), "");
  problem.symmetric = false;
  EXPECT_EQ(solver_->explain_unsupported(problem).empty(), find_solver(GetParam())->nonsymmetric);
}

INSTANTIATE_TEST_SUITE_P(Catalog, ConeMethods,
                         testing::Values("apgd", "kucera", "p-spg-fb", "gpminres", "gpminres-p", "jacobi",
                                         "gauss-seidel", "ipm", "pdip", "p-pdip"));

}  // namespace slipstick::internal::methods_test
