// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/pdip_cuda.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/cuda/contact_cases.hpp"
#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::pdip_cuda_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The systems of one problem.
struct Sample {
  explicit Sample(Problem given, const PPdipSettings& settings = {})
      : problem(std::move(given)),
        system({.tolerance = 1e-13, .max_iterations = 100}, pdip_preconditioner_settings(settings)) {
    Ruler ruler;
    ruler.prepare(problem);
    unknowns.prepare(problem, ruler.scale());
    system.prepare(problem.A, unknowns);
  }
  Index solve(const BarrierTerms& terms, const Vector& right_side, Vector& v) {
    v.setConstant(nan);
    return system.solve(problem.A, unknowns, terms, right_side, 0.0, 1, v);
  }
  Problem problem;
  ConeUnknowns unknowns;
  PdipCudaSystem system;
};

TEST(PdipCudaSystem, SolvesTheNewtonMatrix) {
  SLIPSTICK_NEEDS_DEVICE();
  Random random(1);
  const Problem problems[] = {cone_cases::cones_and_rows(1), cone_cases::packing(12, 0.3),
                              cone_cases::packing(30, 0.3, 10.0)};
  for (const Problem& problem : problems) {
    Sample sample(problem);
    for (int round = 0; round < 2; ++round) {
      const BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
      const DenseMatrix matrix = cone_cases::newton_matrix(problem.A, sample.unknowns, terms);
      const Vector right_side = random_vector(sample.unknowns.size(), random);
      Vector v(sample.unknowns.size()), again(sample.unknowns.size());
      ASSERT_TRUE(sample.system.update(terms));
      const Index products = sample.solve(terms, right_side, v);
      EXPECT_LT((matrix * v - right_side).norm(), 1e-11 * right_side.norm());
      EXPECT_LE(products, 7) << "the preconditioner is the inverse but for rounding";
      sample.solve(terms, right_side, again);
      EXPECT_EQ(v, again) << "the same bits";
    }
  }
}

TEST(PdipCudaSystem, PartitionsAndNarrowBandsArePreconditionersToo) {
  SLIPSTICK_NEEDS_DEVICE();
  Random random(2);
  PPdipSettings cut, truncated;
  cut.max_half_bandwidth = 20;
  truncated.partitions = 3;
  truncated.truncated = true;
  for (const PPdipSettings& settings : {cut, truncated}) {
    Sample sample(cone_cases::packing(30, 0.3), settings);
    const BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
    const DenseMatrix matrix = cone_cases::newton_matrix(sample.problem.A, sample.unknowns, terms);
    const Vector right_side = random_vector(sample.unknowns.size(), random);
    Vector v(sample.unknowns.size());
    ASSERT_TRUE(sample.system.update(terms));
    sample.solve(terms, right_side, v);
    EXPECT_LT((matrix * v - right_side).norm(), 1e-6 * right_side.norm());
  }
}

TEST(PdipCudaSystem, SeesWhatIsNotFinite) {
  SLIPSTICK_NEEDS_DEVICE();
  Sample sample(cone_cases::packing(12, 0.3));
  Random random(3);
  BarrierTerms terms = cone_cases::random_terms(sample.unknowns, random);
  terms.squares[4] = nan;
  EXPECT_FALSE(sample.system.update(terms));
}

TEST(PdipCuda, TakesTheStepsOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  const Problem problems[] = {cone_cases::cones_and_rows(1), cone_cases::packing(12, 0.3),
                              cone_cases::packing(40, 0.3),
                              cone_cases::normals_of(cone_cases::packing(10, 0.3))};
  for (const Problem& problem : problems) {
    PdipCuda device;
    Pdip host{PPdipSettings{}};
    const Result result = solve_with(device, problem, 1e-8), expected = solve_with(host, problem, 1e-8);
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_EQ(result.counts.iterations, expected.counts.iterations);
    EXPECT_EQ(result.counts.factorizations, expected.counts.factorizations);
    EXPECT_LE((result.w - expected.w).norm(), 1e-5 * problem.b.norm());
    EXPECT_EQ(solve_with(device, problem, 1e-8).x, result.x) << "the same bits from a kept object";
    PdipCuda other;
    EXPECT_EQ(solve_with(other, problem, 1e-8).x, result.x) << "and from another one";
  }
}

TEST(PdipCuda, OneContactInEveryRegimeIsAProjection) {
  SLIPSTICK_NEEDS_DEVICE();
  PdipCuda solver;
  for (const Vector& q :
       {vec({1.0, 0.2, 0.1}), vec({-1.0, 0.2, 0.1}), vec({-1.0, 2.0, -1.0}), vec({-1.0, 3.0})}) {
    const Problem problem = cone_cases::contact(2.0, q, 0.4);
    const Result result = solve_with(solver, problem, 1e-8);
    EXPECT_TRUE(result.solved()) << result.message;
    Vector expected = -q / 2.0;
    problem.K.project(expected);
    EXPECT_LT((result.x - expected).norm(), 1e-7);
  }
}

TEST(PdipCuda, ClosingWallsAreNotSolved) {
  SLIPSTICK_NEEDS_DEVICE();
  PdipCuda solver;
  const Result result = solve_with(solver, cone_cases::closing_walls(), 1e-8);
  EXPECT_NE(result.status, Status::solved) << result.message;
  EXPECT_TRUE(result.x.allFinite());
}

TEST(PdipCuda, RefusesSinglePrecision) {
  PPdipSettings settings;
  settings.single_precision = true;
  PdipCuda solver(settings);
  EXPECT_NE(solver.explain_unsupported(cone_cases::packing(5, 0.3)).find("single_precision"),
            std::string::npos);
}

// Nothing else keeps it from a packing. Without a device the reason is not empty.
TEST(PdipCuda, NeedsADeviceAlone) {
  PdipCuda solver;
  const std::string reason = solver.explain_unsupported(cone_cases::packing(5, 0.3));
  EXPECT_EQ(reason, explain_missing_device("p-pdip-cuda"));
  EXPECT_EQ(reason.empty(), device_info().usable());
}

}  // namespace slipstick::internal::pdip_cuda_test
