// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp_ipm.hpp"

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/certificate.hpp"
#include "slipstick/scenes/qp_families.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/solvers/row_cases.hpp"
#include "tests/support/proof_checks.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::qp_ipm_test {

using namespace box_cases;
using namespace row_cases;

TEST(QpIpm, ClosedForms) {
  QpIpm solver;
  expect_closed_forms(solver, 1e-13, 1e-11);
  expect_good_manners(solver, closed_forms().front().problem);
}

TEST(QpIpm, ProjectsOnTheSimplex) {
  QpIpm solver;
  expect_projection_on_the_simplex(solver);
}

TEST(QpIpm, RowsHoldAtEitherBound) {
  QpIpm solver;
  expect_rows_to_hold_at_either_bound(solver);
}

TEST(QpIpm, FindsTheKnownSolutionsOfRowsInFewIterations) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RowQp qp = random_row_qp({.unknowns = 40, .rows = 20, .condition = 1e4, .seed = seed});
    const Result result = solve_with(QpIpm(), qp.problem, 1e-13);
    EXPECT_LE((result.x - qp.x).norm(), 1e-9 * qp.x.norm()) << seed << ": " << result.message;
    EXPECT_LE((result.multipliers - qp.y).norm(), 1e-7 * qp.y.norm()) << seed;
    EXPECT_LE(result.counts.iterations, 20) << seed;
  }
}

TEST(QpIpm, DependentRowsAndSingularMatricesAreNoTrouble) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const RowQpOptions& options :
         {RowQpOptions{.unknowns = 30, .rows = 15, .dependent = 6, .seed = seed},
          RowQpOptions{.unknowns = 10, .rows = 60, .dependent = 5, .seed = seed},
          RowQpOptions{.unknowns = 40, .rows = 20, .null_space = 10, .seed = seed}}) {
      const RowQp qp = random_row_qp(options);
      for (const bool presolve : {true, false}) {
        const Result result = solve_with(QpIpm({.presolve = presolve}), qp.problem, 1e-10);
        EXPECT_TRUE(result.solved()) << seed << ": " << options.unknowns << " unknowns, presolve " << presolve
                                     << ", " << name(result.status) << " "
                                     << result.measures.scaled_natural_map;
      }
    }
  }
}

TEST(QpIpm, SettingsChangeTheWayAndNotTheAnswer) {
  const RowQp qp = random_row_qp({.unknowns = 60, .rows = 40, .seed = 7});
  for (const QpIpmSettings& settings :
       {QpIpmSettings{.correctors = 0}, QpIpmSettings{.presolve = false}, QpIpmSettings{.polish = false}}) {
    const Result result = solve_with(QpIpm(settings), qp.problem, 1e-8);
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.x - qp.x).norm(), 1e-5 * qp.x.norm());
  }
}

// 100 problems, feasible and bounded before a contradiction or a direction is put in.
TEST(QpIpm, ProvesThatThereIsNoSolution) {
  const int count = sanitized ? 20 : 100;
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Problem problem =
        random_row_qp(
            {.unknowns = 15, .rows = 8, .null_space = seed % 3, .seed = static_cast<std::uint64_t>(seed)})
            .problem;
    const DenseMatrix G = DenseMatrix(*problem.rows->G);
    const Index m = G.rows(), n = G.cols();
    // y'G x of three rows that now hold as equalities is known. A fourth row asks for more.
    DenseMatrix more(m + 1, n);
    more.topRows(m) = G;
    more.row(m).setZero();
    Vector lower(m + 1), upper(m + 1);
    lower.head(m) = problem.rows->lower;
    upper.head(m) = problem.rows->upper;
    double sum = 0.0;
    for (Index i = 0; i < 3; ++i) {
      const double weight = random.normal(), value = random.normal();
      more.row(m) += weight * G.row(i);
      sum += weight * value;
      lower[i] = upper[i] = value;
    }
    lower[m] = sum + 0.1;
    upper[m] = infinity;
    Problem impossible = with_rows(problem, more, lower, upper);
    Result result = solve_with(QpIpm(), impossible);
    EXPECT_EQ(result.status, Status::infeasible) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
    EXPECT_LE(infeasibility_defect(impossible, result.farkas), certain_defect) << seed;
    expect_infeasible(impossible, result.farkas);

    // Two more unknowns: b falls along (1, 1), which A and the rows do not see.
    DenseMatrix A = DenseMatrix::Zero(n + 2, n + 2), wider = DenseMatrix::Zero(m, n + 2);
    A.topLeftCorner(n, n) = dense(problem.A);
    A.bottomRightCorner(2, 2) << 1, -1, -1, 1;
    wider.leftCols(n) = G;
    wider.col(n).setConstant(random.normal());
    wider.col(n + 1) = -wider.col(n);
    Vector b(n + 2);
    b << problem.b, random.normal(), 0.0;
    b[n + 1] = -b[n] - random.uniform(0.1, 1.0);
    ProductSet K;
    K.append_box(problem.K.lower(), problem.K.upper());
    if (seed % 2 == 0) K.append_nonnegative(2);
    if (seed % 2 == 1) K.append_free(2);
    const Problem endless =
        with_rows({.A = A, .b = b, .K = K}, wider, problem.rows->lower, problem.rows->upper);
    result = solve_with(QpIpm(), endless);
    EXPECT_EQ(result.status, Status::unbounded) << seed << ": " << result.message;
    EXPECT_TRUE(result.proved) << seed;
    EXPECT_LE(unboundedness_defect(endless, result.ray), certain_defect) << seed;
    expect_unbounded(endless, result.ray);
  }
}

TEST(QpIpm, SeesContradictionsWithoutIterations) {
  const Problem free = identity(vec({1, 1}), ProductSet::free(2));
  for (const Problem& impossible :
       {with_rows(free, mat({{1, 1}, {1, 1}}), vec({2, -infinity}), vec({infinity, 1})),
        with_rows(free, mat({{1, 1}, {2, 2}}), vec({2, 5}), vec({2, 5})),
        with_rows(free, mat({{0, 0}}), vec({1}), vec({2})),
        with_rows(identity(vec({1, 1}), ProductSet::nonnegative(2)), mat({{1, 1}}), vec({-infinity}),
                  vec({-1}))}) {
    const Result result = solve_with(QpIpm(), impossible);
    EXPECT_EQ(result.status, Status::infeasible) << result.message;
    EXPECT_TRUE(result.proved);
    EXPECT_TRUE(result.x.allFinite());
  }
}

TEST(QpIpm, FollowsAWarmStart) {
  const RowQp qp = random_row_qp({.unknowns = 60, .rows = 40, .seed = 4});
  QpIpm solver;
  const Result cold = solve_with(solver, qp.problem, 1e-12);
  ASSERT_TRUE(cold.solved());
  Problem moved = qp.problem;
  moved.b *= 1.001;
  const WarmStart start{cold.x};
  const Result warm = solve_with(solver, moved, 1e-12, &start);
  const Result without = solve_with(solver, moved, 1e-12);
  ASSERT_TRUE(warm.solved() && without.solved());
  EXPECT_LE(warm.counts.iterations, 3);
  EXPECT_LT(warm.counts.factorizations, without.counts.factorizations / 2);
  EXPECT_LE((warm.x - without.x).norm(), 1e-9 * warm.x.norm());
}

// The active set of the start is enough, or the path begins near it. It costs hardly more than a cold start.
TEST(QpIpm, AWarmStartSavesFactorizations) {
  const std::pair<const char*, int> problems[] = {
      {"portfolio", 100}, {"svm", 100}, {"ksip", 100}, {"cvxqp3", 100}};
  std::int64_t warm_sum = 0, cold_sum = 0;
  for (const auto& [family, size] : problems) {
    const Problem problem = make_qp({.family = family, .size = size});
    QpIpm solver;
    const WarmStart start{solve_with(solver, problem, 1e-8).x};
    for (const double change : {1e-4, 1e-2, 1e-1}) {
      Problem moved = problem;
      Random random(7);
      for (double& value : moved.b) value *= 1.0 + random.uniform(-change, change);
      const Result cold = solve_with(QpIpm(), moved, 1e-8), warm = solve_with(solver, moved, 1e-8, &start);
      ASSERT_TRUE(cold.solved() && warm.solved()) << family << change;
      EXPECT_LE(warm.counts.factorizations, cold.counts.factorizations + 2) << family << change;
      EXPECT_NEAR(warm.measures.objective, cold.measures.objective,
                  1e-6 * std::max(1.0, std::abs(cold.measures.objective)))
          << family << change;
      warm_sum += warm.counts.factorizations;
      cold_sum += cold.counts.factorizations;
    }
  }
  EXPECT_LT(10 * warm_sum, 7 * cold_sum);
}

// Rows that nearly depend on each other: points far from the optimum meet the tolerance.
TEST(QpIpm, HugeMultipliersDoNotSpoilTheObjective) {
  for (const char* family : {"liswet1", "liswet7", "liswet8", "liswet10", "liswet12", "yao"}) {
    const Problem problem = make_qp({.family = family, .size = 2000});
    const auto objective = [&](double tolerance, int& iterations) {
      const Result result = solve_with(QpIpm(), problem, tolerance);
      EXPECT_TRUE(result.solved()) << family;
      iterations = static_cast<int>(result.counts.iterations);
      return 0.5 * result.x.dot(result.w + problem.rows->G->transpose() * result.multipliers + problem.b);
    };
    int loose_iterations = 0, iterations = 0;
    const double loose = objective(1e-6, loose_iterations), tight = objective(1e-9, iterations);
    const double size = tight + problem.constant;
    EXPECT_NEAR(loose, tight, 1e-4 * size) << family;
    EXPECT_LE(iterations, 60) << family;
    EXPECT_LE(loose_iterations, iterations) << family;
  }
}

TEST(QpIpm, ManyNearlyDependentRowsAreSolved) {
  for (const char* family : {"liswet9", "liswet12"}) {
    const Problem problem = make_qp({.family = family, .size = sanitized ? 2000 : 20000});
    const Result result = solve_with(QpIpm(), problem, 1e-6);
    EXPECT_TRUE(result.solved()) << family;
    EXPECT_LE(result.counts.iterations, 70) << family;
  }
}

// A linear program in periods, with A of low rank on few unknowns, as the quadratic problems made from
// netlib's have. Entries are from 10^-spread to 10^spread. A third of what is active has no multiplier.
struct Staircase {
  Problem problem;
  double optimum = 0.0;
};
Staircase staircase(int periods, double spread, double multipliers, std::uint64_t seed) {
  constexpr int rows_of_period = 20, unknowns_of_period = 28;
  Random random(seed);
  const int m = rows_of_period * periods, n = unknowns_of_period * periods;
  const auto power = [&](double most) { return std::pow(10.0, random.uniform(-most, most)); };
  const auto sign = [&] { return random.below(2) == 0 ? 1.0 : -1.0; };
  const auto multiplier = [&] {
    return random.below(3) == 0 ? 0.0 : multipliers * random.uniform(0.01, 1.0);
  };
  Vector x(n), w = Vector::Zero(n), y = Vector::Zero(m), lower = Vector::Zero(n);
  Vector upper = Vector::Constant(n, infinity);
  for (Index j = 0; j < n; ++j) {
    x[j] = power(2.0);
    const auto kind = random.below(6);
    if (kind < 2) {
      x[j] = 0.0;
      w[j] = multiplier();
    } else if (kind == 2) {
      upper[j] = x[j];
      w[j] = -multiplier();
    } else if (kind == 3) {
      lower[j] = -infinity;
    }
  }
  std::vector<Triplet> entries, products;
  for (int i = 0; i < m; ++i) {
    const int period = i / rows_of_period;
    for (int k = 0; k < 4; ++k)
      entries.push_back({i, unknowns_of_period * period + static_cast<int>(random.below(unknowns_of_period)),
                         sign() * power(spread)});
    for (int k = 0; k < 2 && period > 0; ++k)
      entries.push_back(
          {i, unknowns_of_period * (period - 1) + static_cast<int>(random.below(unknowns_of_period)),
           sign() * power(spread)});
  }
  for (int k = 0; k < n / 20; ++k) {
    int at[3];
    double factor[3];
    for (int i = 0; i < 3; ++i) {
      at[i] = static_cast<int>(random.below(static_cast<std::uint64_t>(n / 10)));
      factor[i] = sign() * power(0.5);
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) products.push_back({at[i], at[j], factor[i] * factor[j]});
  }
  const CsrMatrix A = csr_from_triplets(n, n, products);
  auto G = std::make_shared<const CsrMatrix>(csr_from_triplets(m, n, entries));
  Vector row_lower = *G * x, row_upper = row_lower;
  for (Index i = 0; i < m; ++i) {
    const auto kind = random.below(4);
    const double away = random.uniform(0.1, 1.0) * std::max(1.0, std::abs(row_lower[i]));
    if (kind < 2) y[i] = multipliers * random.uniform(-1.0, 1.0);
    if (kind == 2) {
      row_upper[i] = infinity;
      y[i] = multiplier();
    }
    if (kind == 3) {
      row_lower[i] = -infinity;
      row_upper[i] += away;
    }
  }
  const Vector product = A * x;
  Staircase made;
  made.problem = {.A = A, .b = w + G->transpose() * y - product, .K = ProductSet::box(lower, upper)};
  made.problem.rows = LinearRows{.G = G, .lower = row_lower, .upper = row_upper};
  made.optimum = 0.5 * x.dot(product) + made.problem.b.dot(x);
  return made;
}

// Weakly active bounds, free directions of A and numbers of different size at the same time.
TEST(QpIpm, DegenerateProgramsInPeriodsAreSolved) {
  const std::uint64_t seeds = sanitized ? 3 : 25;
  for (const auto& [spread, multipliers] : {std::pair(2.0, 1.0), std::pair(3.0, 1e4)}) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      for (const int periods : {2, 8}) {
        const auto [problem, optimum] = staircase(periods, spread, multipliers, seed);
        const Result result = solve_with(QpIpm(), problem, 1e-8);
        EXPECT_TRUE(result.solved()) << spread << " " << seed << " " << periods << ": " << result.message;
        EXPECT_NEAR(result.measures.objective, optimum, 1e-6 * std::max(1.0, std::abs(optimum)))
            << spread << " " << seed << " " << periods;
      }
    }
  }
}

TEST(QpIpm, FarBoundsCostNothing) {
  Problem problem = staircase(2, 2.0, 1.0, 1).problem;
  const Result without = solve_with(QpIpm(), problem, 1e-8);
  Vector lower = problem.K.lower(), upper = problem.K.upper();
  for (Index j = 0; j < lower.size(); ++j) {
    if (lower[j] == -infinity) lower[j] = -1e10;
    if (upper[j] == infinity) upper[j] = 1e10;
  }
  problem.K = ProductSet::box(lower, upper);
  const Result with = solve_with(QpIpm(), problem, 1e-8);
  EXPECT_TRUE(with.solved()) << with.message;
  EXPECT_LE(with.counts.iterations, 2 * without.counts.iterations);
}

TEST(QpIpm, HugeBoundsAreNoBounds) {
  const Problem problem = {.A = mat({{2, 0}, {0, 2}}),
                           .b = vec({-2, 4}),
                           .K = ProductSet::box(vec({-1e25, -1e20}), vec({1e30, 1e20}))};
  const Result result = solve_with(QpIpm(), problem, 1e-12);
  EXPECT_TRUE(result.solved());
  EXPECT_LE((result.x - vec({1, -2})).norm(), 1e-11);
}

}  // namespace slipstick::internal::qp_ipm_test
