// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/gp_sm.hpp"

#include <gtest/gtest.h>

#include "slipstick/error.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "slipstick/solvers/sweeps/pgs.hpp"
#include "slipstick/solvers/sweeps/subspace.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::internal::gp_sm_test {

using namespace box_cases;

// Stops after the Cauchy point.
Vector cauchy_point(const Problem& problem, const Vector& start) {
  Settings settings;
  settings.max_iterations = 1;
  settings.tolerance = 0.0;
  Result result;
  const WarmStart warm{start};
  GpSm().solve(problem, settings, result, &warm);
  return result.x;
}

TEST(GpSm, ClosedForms) {
  GpSm solver;
  expect_closed_forms(solver);
}

TEST(GpSm, CauchyPointByHand) {
  // A = I: along (1, 1) - t (-2, 3) the second row stops at t = 1/3, the first minimizes at t = 1.
  const DenseMatrix I = DenseMatrix::Identity(2, 2);
  Vector x = cauchy_point(make(I, vec({-3, 2}), 0, infinity), vec({1, 1}));
  EXPECT_NEAR(x[0], 3.0, 1e-14);
  EXPECT_EQ(x[1], 0.0);
  // A = [2 1; 1 2], b = 0, from (1, 1/4): g = (9/4, 3/2), d = -(9/8, 3/4). Row 2 stops at t = 1/3, where
  // x = (5/8, 0) and row 1 goes on with slope 2 x_1: to 0, at t = 8/9.
  const DenseMatrix A = (DenseMatrix(2, 2) << 2, 1, 1, 2).finished();
  x = cauchy_point(make(A, vec({-0.5, 0.5}), 0, infinity), vec({1, 0.25}));
  // g = (1.75, 2), d = -(0.875, 1): row 2 stops at t = 1/4 with x_1 = 0.78125; then 2 x_1 = 1/2.
  EXPECT_NEAR(x[0], 0.25, 1e-14);
  EXPECT_EQ(x[1], 0.0);
  // No breakpoint in the way: the minimizer along the scaled gradient, t = g'D^-1 g / (d'Ad).
  x = cauchy_point(make(A, vec({-3, -3}), 0, infinity), vec({0, 0}));
  EXPECT_NEAR(x[0], 1.0, 1e-14);
  EXPECT_NEAR(x[1], 1.0, 1e-14);
}

TEST(GpSm, GoodManners) {
  // The chain's free rows are all of it, so that conjugate gradients alone take more than three steps.
  GpSm solver;
  expect_good_manners(solver, chain(12));
  expect_zero_without_load(solver);
}

TEST(GpSm, FreeRowsAreALinearSolve) {
  GpSm solver;
  expect_linear_solve(solver, 30, 1e4, 1e-8);
}

TEST(GpSm, EveryStorageGivesTheSameAnswer) {
  RandomBoxOptions options;
  options.rows = 30;
  options.two_sided = 0.3;
  options.condition = 1e3;
  Problem problem = random_box(options).problem;
  const CsrMatrix csr = *problem.A.assemble();
  Settings settings;
  settings.tolerance = 1e-13;
  Result sparse, other;
  GpSm solver;
  solver.solve(problem, settings, sparse);
  ASSERT_TRUE(sparse.solved()) << sparse.message;
  for (const Operator& storage : {Operator(BandedMatrix(csr)), Operator(DenseMatrix(csr))}) {
    problem.A = storage;
    solver.solve(problem, settings, other);
    EXPECT_TRUE(other.solved()) << storage.kind() << ": " << other.message;
    EXPECT_LE((other.x - sparse.x).norm(), 1e-9 * sparse.x.norm()) << storage.kind();
  }
}

TEST(GpSm, MatrixFreeFollowsTheAssembledMatrix) {
  GpSm solver;
  expect_matrix_free_agrees(solver, 17, 1e-3);
}

// The objective at every iterate shown.
class Objective : public Observer {
 public:
  explicit Objective(const Problem& problem) : problem_(problem), product_(problem.b.size()) {}
  bool observe(const Iteration& i) override {
    problem_.A.multiply(i.x, product_);
    const double value = 0.5 * i.x.dot(product_) + problem_.b.dot(i.x);
    EXPECT_LE(value, last + 1e-12 * std::abs(value)) << "iteration " << i.number;
    last = value;
    return true;
  }
  double last = infinity;

 private:
  const Problem& problem_;
  Vector product_;
};

TEST(GpSm, TheObjectiveFalls) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RandomBoxOptions options;
    options.rows = 80;
    options.two_sided = 0.3;
    options.condition = 1e4;
    options.seed = seed;
    const Problem problem = random_box(options).problem;
    Objective objective(problem);
    Result result;
    GpSm().solve(problem, {}, result, nullptr, &objective);
    EXPECT_TRUE(result.solved()) << result.message;
  }
}

TEST(GpSm, ObjectiveWithoutAMinimum) {
  GpSm solver;
  Result result;
  solver.solve(one_row(0.0, -1.0, 0.0, infinity), {}, result);
  EXPECT_EQ(result.status, Status::unbounded);
  const DenseMatrix A = (DenseMatrix(2, 2) << 1, -1, -1, 1).finished();
  for (const double lower : {-infinity, 0.0}) {
    solver.solve(make(A, vec({-1, -0.5}), lower, infinity), {}, result);
    EXPECT_EQ(result.status, Status::unbounded) << result.message;
  }
  solver.solve(make(A, vec({-1, -0.5}), vec({0, 0}), vec({infinity, 4})), {}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0], 5.0, 1e-7);
  EXPECT_NEAR(result.x[1], 4.0, 1e-7);
  // Without curvature towards a bound.
  solver.solve(make(A, vec({-1, -1}), vec({0, 0}), vec({3, infinity})), {}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0], 3.0, 1e-7);
  EXPECT_NEAR(result.x[1], 4.0, 1e-7);
}

TEST(GpSm, MatrixFreeObjectiveWithoutAMinimum) {
  // Two rows that pull the same body the same way: A = [1 1; 1 1].
  DelassusOperator bodies(1, 1, {1.0}, {{0, 1, {0, -1}}, {1, 1, {0, -1}}}, {1.0, 0.0, 1.0, 0.0},
                          Vector::Zero(2));
  Problem problem{Operator(bodies), vec({-1, -2}), ProductSet::free(2)};
  Result result;
  GpSm().solve(problem, {}, result);
  EXPECT_EQ(result.status, Status::unbounded) << result.message;
  problem.K = ProductSet::nonnegative(2);
  GpSm().solve(problem, {}, result);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0], 0.0, 1e-7);
  EXPECT_NEAR(result.x[1], 2.0, 1e-7);
}

TEST(GpSm, RankDeficientAndDegenerate) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomBoxOptions options;
    options.rows = 60;
    options.condition = 1e3;
    options.rank_deficiency = 10;
    options.degenerate = 0.3;
    options.free = 0.2;
    options.seed = seed;
    const KnownProblem known = random_box(options);
    Settings settings;
    settings.tolerance = 1e-10;
    Result result;
    GpSm().solve(known.problem, settings, result);
    EXPECT_TRUE(result.solved()) << result.message;
    // x need not be the known one, w is.
    EXPECT_LE((result.w - known.w).norm(), 1e-5 * (1.0 + known.w.norm())) << "seed " << seed;
  }
}

TEST(GpSm, AgreesWithTheSweeps) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RandomBoxOptions options;
    options.rows = 60;
    options.condition = seed <= 3 ? 1e2 : 1e5;
    options.free = 0.1;
    options.two_sided = 0.2;
    options.fixed = 0.1;
    options.seed = seed;
    const KnownProblem known = random_box(options);
    Settings settings;
    settings.tolerance = 1e-12;
    Result projection, sweep, subspace;
    GpSm().solve(known.problem, settings, projection);
    Pgs().solve(known.problem, settings, sweep);
    PgsSm().solve(known.problem, settings, subspace);
    ASSERT_TRUE(projection.solved()) << projection.message;
    ASSERT_TRUE(sweep.solved() && subspace.solved());
    EXPECT_LE((projection.x - known.x).norm(), 1e-6 * known.x.norm());
    EXPECT_LE((projection.x - sweep.x).norm(), 1e-6 * known.x.norm());
    EXPECT_LE((projection.x - subspace.x).norm(), 1e-6 * known.x.norm());
  }
}

TEST(GpSm, UicPressure) {
  UicOptions options;
  options.resolution = 24;
  const Problem problem = uic_pressure(options);
  Result projection, sweep;
  GpSm().solve(problem, {}, projection);
  Pgs().solve(problem, {}, sweep);
  ASSERT_TRUE(projection.solved()) << projection.message;
  ASSERT_TRUE(sweep.solved()) << sweep.message;
  EXPECT_LE((projection.x - sweep.x).norm(), 1e-4 * sweep.x.norm());
  EXPECT_LT(projection.counts.products, sweep.counts.products / 2);
}

TEST(GpSm, UnreachableToleranceEnds) {
  Random random(4);
  Settings settings;
  settings.tolerance = 0.0;
  Result result;
  GpSm().solve(make(random_spd(random, 10, 20.0), Vector::LinSpaced(10, -1.0, 2.0), -infinity, infinity),
               settings, result);
  EXPECT_TRUE(result.status == Status::stalled || result.solved()) << result.message;
  EXPECT_LE(result.measures.scaled_natural_map, 1e-14);
  // Rounding along the null vector is no descent without end.
  const DenseMatrix A = (DenseMatrix(2, 2) << 1, -1, -1, 1).finished();
  GpSm().solve(make(A, vec({1.0 / 3, -1.0 / 3}), -infinity, infinity), settings, result);
  EXPECT_NE(result.status, Status::unbounded);
}

TEST(GpSm, RefusesWhatItCannotTake) {
  const GpSm solver;
  EXPECT_NE(
      solver
          .explain_unsupported(make((DenseMatrix(2, 2) << 2, 1, 0, 2).finished(), vec({-1, -1}), 0, infinity))
          .find("symmetric"),
      std::string::npos);
  for (const double reduction : {0.0, 1.0, -1.0, std::nan("")}) {
    GpSmSettings settings;
    settings.reduction = reduction;
    EXPECT_THROW(GpSm{settings}, Error);
  }
}

}  // namespace slipstick::internal::gp_sm_test
