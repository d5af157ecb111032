// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/qp_collection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "slipstick/base/error.hpp"
#include "slipstick/files.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::qp_collection_test {

struct Generated {
  const char* file;
  Problem problem;
};

// The files have six digits.
double distance(ConstVectorView a, ConstVectorView b) {
  double largest = 0.0;
  for (Index i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) largest = std::max(largest, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i])));
  }
  return largest;
}

double distance(const CsrMatrix& a, const CsrMatrix& b) {
  return CsrMatrix(a - b).coeffs().cwiseAbs().maxCoeff() / b.coeffs().cwiseAbs().maxCoeff();
}

TEST(QpCollection, EqualsTheFiles) {
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  const std::vector<Generated> cases = {
      {"AUG3DC", aug(10, {.dimension = 3, .costs_border = true})},
      {"AUG3DCQP", aug(10, {.dimension = 3, .costs_border = true, .bounds_fluxes = true})},
      {"CVXQP1_S", cvxqp(100, 0.5)},
      {"CVXQP2_S", cvxqp(100, 0.25)},
      {"YAO", yao(2000)},
      {"KSIP", ksip(1000)},
  };
  for (const auto& [name, problem] : cases) {
    const std::filesystem::path path = std::filesystem::path(data) / "qp" / (std::string(name) + ".QPS");
    const auto file = std::get<Problem>(read_problem(path).problem);
    ASSERT_EQ(problem.b.size(), file.b.size()) << name;
    ASSERT_EQ(problem.rows->lower.size(), file.rows->lower.size()) << name;
    EXPECT_LE(distance(*problem.A.assemble(), *file.A.assemble()), 1e-6) << name;
    EXPECT_LE(distance(*problem.rows->G, *file.rows->G), 1e-6) << name;
    EXPECT_LE(distance(problem.b, file.b), 1e-6) << name;
    EXPECT_LE(distance(problem.K.lower(), file.K.lower()), 1e-6) << name;
    EXPECT_LE(distance(problem.K.upper(), file.K.upper()), 1e-6) << name;
    EXPECT_LE(distance(problem.rows->lower, file.rows->lower), 1e-6) << name;
    EXPECT_LE(distance(problem.rows->upper, file.rows->upper), 1e-6) << name;
    EXPECT_NEAR(problem.constant, file.constant, 1e-5 * std::abs(file.constant)) << name;
  }
}

TEST(QpCollection, CvxqpByHand) {
  const Problem problem = cvxqp(4, 0.5);
  // Squares: (x1 + x2 + x3), (x2 + x4 + x2), (x3 + x2 + x1), (x4 + x4 + x4) with weights 1 to 4.
  EXPECT_EQ(dense(problem.A), mat({{4, 4, 4, 0}, {4, 12, 4, 4}, {4, 4, 4, 0}, {0, 4, 0, 38}}));
  EXPECT_EQ(DenseMatrix(*problem.rows->G), mat({{4, 0, 0, 2}, {0, 4, 0, 2}}));
}

TEST(QpCollection, Powell20ByHand) {
  const Problem problem = powell20(4);
  EXPECT_EQ(DenseMatrix(*problem.rows->G), mat({{-1, 1, 0, 0}, {0, -1, 1, 0}, {0, 0, -1, 1}, {1, 0, 0, -1}}));
  EXPECT_EQ(problem.rows->lower, vec({-1.5, 1.5, -3.5, 3.5}));
  EXPECT_THROW(powell20(5), Error);
}

TEST(QpCollection, BoundaryControlByHand) {
  const Problem problem = boundary_control(2);  // one point inside, four on the border
  EXPECT_EQ(dense(problem.A).diagonal(), vec({0.25, 0.005, 0.005, 0.005, 0.005}));
  EXPECT_EQ(problem.b, vec({-0.25 * (3.0 + 5.0 / 16.0), 0, 0, 0, 0}));
  EXPECT_EQ(DenseMatrix(*problem.rows->G), mat({{4, -1, -1, -1, -1}}));
  EXPECT_EQ(problem.rows->lower, vec({5}));
  EXPECT_EQ(problem.K.upper(), vec({3.5, 10, 10, 10, 10}));
}

// The numbers of unknowns and rows that the collection publishes.
TEST(QpCollection, PublishedSizes) {
  const auto expect_sizes = [](const Problem& problem, Index unknowns, Index rows) {
    EXPECT_EQ(problem.b.size(), unknowns);
    EXPECT_EQ(problem.rows->lower.size(), rows);
  };
  expect_sizes(aug(100, {}), 20200, 10000);
  expect_sizes(aug(10, {.dimension = 3}), 3873, 1000);
  expect_sizes(boundary_control(50), 2597, 2401);
  expect_sizes(dtoc3(5000), 14999, 9998);
  expect_sizes(liswet(1, 10000), 10002, 10000);
  expect_sizes(ubh1(2000), 18009, 12000);
  expect_sizes(stcqp(12, false), 4097, 2052);
  expect_sizes(huestis(10000, false), 10000, 2);
}

}  // namespace slipstick::internal::qp_collection_test
