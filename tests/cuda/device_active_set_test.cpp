// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device_active_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "slipstick/base/random.hpp"
#include "slipstick/cuda/pdasm_cuda.hpp"
#include "slipstick/cuda/schurpa_cuda.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::device_active_set_test {

// A QP of a random band with bounds of both kinds, free and fixed unknowns.
Problem random_qp(int rows, int bandwidth, std::uint64_t seed) {
  Random random(seed);
  BandedMatrix a(rows, bandwidth);
  const double radius = 2.0 * std::sqrt(2.0 / 3.0 * bandwidth);
  for (Index j = 0; j < rows; ++j) {
    a.at(j, j) = 1.0 + 1.1 * radius;
    for (Index i = j + 1; i <= std::min<Index>(j + bandwidth, rows - 1); ++i)
      a.at(i, j) = random.uniform(-1.0, 1.0);
  }
  Problem problem;
  problem.b.resize(rows);
  Vector lower(rows), upper(rows);
  for (Index i = 0; i < rows; ++i) {
    problem.b[i] = random.uniform(-1.0, 1.0);
    lower[i] = i % 7 == 3 ? -infinity : -0.01 * random.uniform();
    upper[i] = i % 5 == 2 ? infinity : 0.02 * random.uniform();
    if (i % 31 == 5) upper[i] = lower[i] = 0.01;
  }
  problem.A = Operator(std::move(a));
  problem.K = ProductSet::box(lower, upper);
  return problem;
}

// The same matrix in a random order of its rows, as a sparse one.
Problem shuffled(const Problem& problem, std::uint64_t seed) {
  const Index n = problem.b.size();
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  Random random(seed);
  for (auto k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.bits() % k]);
  Eigen::PermutationMatrix<Eigen::Dynamic> turn(n);
  for (Index i = 0; i < n; ++i) turn.indices()[i] = order[static_cast<std::size_t>(i)];
  CsrMatrix a = *problem.A.assemble();
  a = turn * a;
  a = CsrMatrix(a * turn.transpose());
  a.makeCompressed();
  return {.A = Operator(std::move(a)),
          .b = turn * problem.b,
          .K = ProductSet::box(turn * problem.K.lower(), turn * problem.K.upper())};
}

// The device visits the sets of the host, in as many iterations.
void expect_same(Solver& device, Solver& host, const Problem& problem, const WarmStart* start = nullptr) {
  const Result expected = solve_with(host, problem, 1e-10, start);
  const Result result = solve_with(device, problem, 1e-10, start);
  EXPECT_EQ(result.status, expected.status) << result.message;
  EXPECT_EQ(result.counts.iterations, expected.counts.iterations);
  EXPECT_LE((result.x - expected.x).norm(), 1e-9 * (1.0 + expected.x.norm()));
  EXPECT_EQ(result.solved(), error_of(problem, result.x) <= 1e-10);
  const Result again = solve_with(device, problem, 1e-10, start);
  EXPECT_EQ(again.x, result.x) << "the same bits again";
}

template <class Methods>
class OnDevice : public testing::Test {};
struct Direct {
  using Device = PdasmCuda;
  using Host = Pdasm;
};
struct Schur {
  using Device = SchurpaCuda;
  using Host = Schurpa;
};
using Methods = testing::Types<Direct, Schur>;
TYPED_TEST_SUITE(OnDevice, Methods);

TYPED_TEST(OnDevice, VisitsTheSetsOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  typename TypeParam::Device device;
  typename TypeParam::Host host;
  for (const auto& [rows, bandwidth] :
       {std::pair{1, 0}, {50, 0}, {64, 63}, {333, 40}, {900, 130}, {700, 699}}) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      SCOPED_TRACE(testing::Message() << rows << ", " << bandwidth << ", " << seed);
      const Problem problem = random_qp(rows, bandwidth, seed);
      expect_same(device, host, problem);
      if (bandwidth > 0 && bandwidth < 200) expect_same(device, host, shuffled(problem, seed));
    }
  }
}

TYPED_TEST(OnDevice, SingularMatricesEndAsOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  typename TypeParam::Device device;
  typename TypeParam::Host host;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_lcp({.rows = 60, .rank_deficiency = 15, .seed = seed}).problem;
    const Result expected = solve_with(host, problem), result = solve_with(device, problem);
    EXPECT_EQ(result.status, expected.status) << result.message;
    EXPECT_EQ(result.solved(), error_of(problem, result.x) <= 1e-8);
  }
}

TYPED_TEST(OnDevice, RefusesWhatIsNotConvex) {
  SLIPSTICK_NEEDS_DEVICE();
  typename TypeParam::Device device;
  const Problem saddle{
      .A = csr_from_dense(mat({{1, 2}, {2, 1}})), .b = vec({-1, -1}), .K = ProductSet::free(2)};
  const Result result = solve_with(device, saddle);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message, "the matrix is not positive semidefinite");
}

TYPED_TEST(OnDevice, RefusesByName) {
  typename TypeParam::Device device;
  const std::string name = std::is_same_v<TypeParam, Direct> ? "pdasm-cuda " : "schurpa-cuda ";
  const std::string cones = device.explain_unsupported(contact(2.0, vec({-1.0, 0.5, 0.0}), 0.3));
  EXPECT_EQ(cones.find(name + "takes bounds only"), 0U) << cones;
  const std::string rows = device.explain_unsupported(random_row_qp({}).problem);
  EXPECT_EQ(rows.find(name + "takes no linear rows"), 0U) << rows;
  const std::string bounds = device.explain_unsupported(random_qp(20, 3, 1));
  EXPECT_EQ(bounds.empty(), device_info().usable()) << bounds;
  if (!device_info().usable()) {
    EXPECT_EQ(bounds.find(name + "needs a CUDA device"), 0U) << bounds;
  }
}

// A start whose set differs from that of the solution in the first indices that may be at a bound.
WarmStart wrong_start(const Vector& solution, Index wrong) {
  WarmStart start{Vector::Ones(solution.size())};
  for (Index i = 0; i < solution.size(); ++i)
    if ((solution[i] == 0.0) != (i < wrong)) start.x[i] = 0.0;
  return start;
}

TEST(SchurpaCuda, FactorizesOnceForWrongIndices) {
  SLIPSTICK_NEEDS_DEVICE();
  Problem problem = random_qp(1500, 200, 3);
  problem.K = ProductSet::nonnegative(1500);
  Schurpa host;
  const Vector x = solve_with(host, problem, 1e-10).x;
  for (const Index wrong : {1, 10, 50, 200}) {
    SCOPED_TRACE(wrong);
    SchurpaCuda device;
    const WarmStart start = wrong_start(x, wrong);
    expect_same(device, host, problem, &start);
    EXPECT_EQ(device.work().factorizations, 1);
    EXPECT_GE(device.work().solves, 1);
  }
}

TEST(SchurpaCuda, FactorizesAgainAfterTooManyChanges) {
  SLIPSTICK_NEEDS_DEVICE();
  Problem problem = random_qp(500, 60, 4);
  problem.K = ProductSet::nonnegative(500);
  Schurpa host({.max_changes = 30});
  const Vector x = solve_with(host, problem, 1e-10).x;
  SchurpaCuda device({.max_changes = 30});
  const WarmStart start = wrong_start(x, 100);
  expect_same(device, host, problem, &start);
  EXPECT_EQ(device.work().factorizations, host.work().factorizations);
  EXPECT_GT(device.work().factorizations, 1);
}

TEST(SchurpaCuda, KeepsTheFactorizationIfAskedTo) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const bool keep : {false, true}) {
    Problem problem = random_qp(500, 60, 5);
    SchurpaCuda device({.keep = keep});
    EXPECT_TRUE(solve_with(device, problem, 1e-10).solved());
    problem.b *= 1.01;
    EXPECT_TRUE(solve_with(device, problem, 1e-10).solved());
    EXPECT_EQ(device.work().factorizations, keep ? 0 : 1);
  }
}

}  // namespace slipstick::internal::device_active_set_test
