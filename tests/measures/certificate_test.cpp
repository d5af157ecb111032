// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/certificate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::certificate_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Problem with_rows(const DenseMatrix& A, const Vector& b, const ProductSet& K, const DenseMatrix& G,
                  const Vector& lower, const Vector& upper) {
  Problem problem{.A = A, .b = b, .K = K};
  problem.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(G)), lower, upper};
  return problem;
}

// A is singular along (1, -1).
Problem flat(const Vector& b, const ProductSet& K) {
  return {.A = mat({{1, 1}, {1, 1}}), .b = b, .K = K};
}

TEST(Unboundedness, DirectionByHand) {
  const Problem problem = flat(vec({-1, 0}), ProductSet::free(2));
  EXPECT_EQ(unboundedness_defect(problem, vec({1, -1})), 0.0);
  EXPECT_EQ(unboundedness_defect(problem, vec({-1, 1})), infinity) << "uphill";
  EXPECT_EQ(unboundedness_defect(problem, vec({0, 0})), infinity);
  EXPECT_EQ(unboundedness_defect(problem, vec({1, nan})), infinity);
  EXPECT_EQ(unboundedness_defect(problem, vec({1})), infinity);
  // d = (1, -1 + e): A d = (e, e), b'd = -1, ||b|| = 1.
  EXPECT_NEAR(unboundedness_defect(problem, vec({1, -1 + 1e-6})), std::sqrt(2.0) * 1e-6, 1e-12);
}

TEST(Unboundedness, BoundsStopADirection) {
  const ProductSet half = ProductSet::box(vec({-infinity, 0}), vec({infinity, infinity}));
  EXPECT_NEAR(unboundedness_defect(flat(vec({-1, 0}), half), vec({1, -1})), std::sqrt(2.0), 1e-12)
      << "projected on (1, 0), where A d = (1, 1)";
  EXPECT_EQ(
      unboundedness_defect(flat(vec({-1, 0}), ProductSet::box(vec({0, -5}), vec({1, 5}))), vec({1, -1})),
      infinity);
}

TEST(Unboundedness, RowsStopADirection) {
  const auto K = ProductSet::free(2);
  const Vector b = vec({-1, 0});
  const DenseMatrix A = mat({{1, 1}, {1, 1}});
  EXPECT_EQ(unboundedness_defect(with_rows(A, b, K, mat({{1, 0}}), vec({0}), vec({infinity})), vec({1, -1})),
            0.0);
  EXPECT_GT(unboundedness_defect(with_rows(A, b, K, mat({{1, 0}}), vec({-infinity}), vec({0})), vec({1, -1})),
            0.9);
}

// v >= 0, M'v <= 0, q'v < 0. M may be nonsymmetric.
TEST(Unboundedness, LcpWithoutASolution) {
  Problem lcp{.A = mat({{0, 1}, {-1, 0}}), .b = vec({-1, -1}), .K = ProductSet::nonnegative(2)};
  lcp.symmetric = false;
  EXPECT_EQ(unboundedness_defect(lcp, vec({0, 1})), 0.0);  // M'v = (-1, 0)
  EXPECT_GT(unboundedness_defect(lcp, vec({1, 0})), 0.5);  // M'v = (0, 1)
  // w_2 = -z_1 - 1 < 0 for every z >= 0, and still for 0 <= z_1 <= 5, -3 <= z_1.
  lcp.K = ProductSet::box(vec({-0.5, 0}), vec({5, infinity}));
  EXPECT_EQ(unboundedness_defect(lcp, vec({0, 1})), 0.0);
  lcp.K = ProductSet::box(vec({-1.5, 0}), vec({5, infinity}));
  EXPECT_EQ(unboundedness_defect(lcp, vec({0, 1})), infinity);
}

TEST(Unboundedness, DoesNotDependOnUnits) {
  const auto K = ProductSet::free(2);
  const double unit = unboundedness_defect({mat({{1, 1}, {1, 1}}), vec({-1, 0}), K}, vec({1, -0.999}));
  EXPECT_NEAR(unboundedness_defect({mat({{8, 8}, {8, 8}}), vec({-2, 0}), K}, vec({3, -2.997})), unit,
              1e-12 * unit);
}

TEST(Infeasibility, MultipliersByHand) {
  // x + y >= 2 and x + y <= 1.
  const Problem problem = with_rows(mat({{1, 0}, {0, 1}}), vec({1, 1}), ProductSet::free(2),
                                    mat({{1, 1}, {1, 1}}), vec({2, -infinity}), vec({infinity, 1}));
  EXPECT_EQ(infeasibility_defect(problem, vec({1, -1})), 0.0);
  EXPECT_EQ(infeasibility_defect(problem, vec({-1, 1})), infinity);
  // y = (1, -1 + e): gap 2 - (1 - e) = 1 + e, G'y = (e, e), distance 2 / sqrt(2).
  EXPECT_NEAR(infeasibility_defect(problem, vec({1, -1 + 1e-6})), std::sqrt(2.0) * 1e-6 * std::sqrt(2.0),
              1e-11);
}

TEST(Infeasibility, BoundsTakePart) {
  // x + y >= 3 over [0, 1]^2 with x + y <= 2.
  const auto box = [](double upper) { return ProductSet::box(vec({0, 0}), vec({1, upper})); };
  const DenseMatrix A = mat({{1, 0}, {0, 1}}), G = mat({{1, 1}});
  const Vector b = vec({0, 0}), lower = vec({3}), upper = vec({infinity});
  EXPECT_EQ(infeasibility_defect(with_rows(A, b, box(1), G, lower, upper), vec({1})), 0.0);
  EXPECT_EQ(infeasibility_defect(with_rows(A, b, box(2), G, lower, upper), vec({1})), infinity);
  EXPECT_EQ(infeasibility_defect({.A = A, .b = b, .K = box(1)}, Vector()), infinity);
}

TEST(Infeasibility, RoundingProvesNothing) {
  // 0.1 x + 0.2 x = 0.3 x, and 0.1 + 0.2 != 0.3 in floating point.
  const Problem problem = with_rows(mat({{1}}), vec({0}), ProductSet::free(1), mat({{0.1 + 0.2}, {0.3}}),
                                    vec({0.3, 0.3}), vec({0.3, 0.3}));
  EXPECT_GT(infeasibility_defect(problem, vec({1, -1})), certain_defect);
  EXPECT_GT(infeasibility_defect(problem, vec({-1, 1.0 + 1.3e-16})), certain_defect);
}

TEST(CheckProof, KeepsOnlyWhatIsTrue) {
  const Problem problem = flat(vec({-1, 0}), ProductSet::free(2));
  Result result;
  result.status = Status::unbounded;
  result.ray = vec({1, -1});
  check_proof(problem, result);
  EXPECT_TRUE(result.proved);
  result.ray = vec({1, 1});
  check_proof(problem, result);
  EXPECT_FALSE(result.proved);
  EXPECT_EQ(result.status, Status::stalled);
  result.status = Status::infeasible;
  result.ray.resize(0);
  check_proof(problem, result);
  EXPECT_EQ(result.status, Status::infeasible) << "a claim without a proof stays a claim";
  EXPECT_FALSE(result.proved);
}

}  // namespace slipstick::internal::certificate_test
