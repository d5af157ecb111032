// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/solvers/box_cases.hpp"

#include "slipstick/linalg/csr_matrix.hpp"

#include <cmath>

namespace slipstick::internal::box_cases {

Problem make(const DenseMatrix& A, const Vector& b, const Vector& lower, const Vector& upper) {
  Problem problem{Operator(csr_from_dense(A)), b, ProductSet::box(lower, upper)};
  problem.symmetric = (A - A.transpose()).norm() == 0.0;
  return problem;
}

Problem make(const DenseMatrix& A, const Vector& b, double lower, double upper) {
  return make(A, b, Vector::Constant(b.size(), lower), Vector::Constant(b.size(), upper));
}

Problem lcp(const DenseMatrix& M, const Vector& q) {
  return make(M, q, 0.0, infinity);
}

Case murtys_example(Index n) {
  DenseMatrix M = DenseMatrix::Identity(n, n);
  for (Index j = 0; j < n; ++j) M.col(j).head(j).setConstant(2.0);
  Vector x = Vector::Zero(n);
  x[n - 1] = 1.0;
  return {"Murty", lcp(M, Vector::Constant(n, -1.0)), x};
}

Case kostrevas_example() {
  const DenseMatrix M = (DenseMatrix(3, 3) << 1, 2, 0, 0, 1, 2, 2, 0, 1).finished();
  return {"Kostreva", lcp(M, Vector::Constant(3, -1.0)), Vector::Constant(3, 1.0 / 3.0)};
}

Problem bimatrix_game() {
  DenseMatrix M = DenseMatrix::Zero(4, 4);
  M.topRightCorner(2, 2) << 10, 20, 30, 15;
  M.bottomLeftCorner(2, 2) << 10, 20, 30, 15;
  return lcp(M, Vector::Constant(4, -1.0));
}

TwoUnits entries_over_eighteen_magnitudes() {
  Random random(5);
  const Index n = 30;
  const DenseMatrix core = random_spd(random, n, 10.0);
  Vector scale(n), lower(n), upper(n), b(n);
  for (Index i = 0; i < n; ++i) {
    scale[i] = std::pow(10.0, random.uniform(-4.5, 4.5));
    lower[i] = i % 3 == 0 ? -infinity : 0.0;
    upper[i] = i % 3 == 1 ? 0.5 / scale[i] : infinity;
    b[i] = random.normal();
  }
  const DenseMatrix wide = scale.asDiagonal() * core * scale.asDiagonal();
  return {make(core, b, lower.cwiseProduct(scale), upper.cwiseProduct(scale)),
          make(0.5 * (wide + wide.transpose()), scale.cwiseProduct(b), lower, upper), scale};
}

KnownProblem rank_deficient(Index rows, Index deficiency, std::uint64_t seed) {
  return random_box({.rows = rows,
                     .condition = 1e3,
                     .rank_deficiency = deficiency,
                     .degenerate = 0.3,
                     .free = 0.2,
                     .two_sided = 0.2,
                     .seed = seed});
}

Problem repeated_rows() {
  DenseMatrix M = DenseMatrix::Zero(5, 5);
  M.topLeftCorner(2, 2).setOnes();
  M.block(2, 2, 2, 2).setConstant(2.0);
  return make(M, vec({-1, -1, -6, -6, 0}), vec({0, 0, -infinity, -infinity, -infinity}),
              Vector::Constant(5, infinity));
}

std::vector<Case> closed_forms() {
  std::vector<Case> cases;
  const auto one = [&](const char* name, double a, double b, double lower, double upper, double x) {
    cases.push_back({std::string("one row, ") + name, one_row(a, b, lower, upper), vec({x})});
  };
  one("inside", 2, -4, 0, infinity, 2);
  one("at zero", 2, 3, 0, infinity, 0);
  one("weakly active", 2, 0, 0, infinity, 0);
  one("free", 2, 3, -infinity, infinity, -1.5);
  one("two-sided, inside", 2, 1, -1, 1, -0.5);
  one("two-sided, lower", 2, 10, -1, 1, -1);
  one("two-sided, upper", 2, -10, -1, 1, 1);
  one("upper bound only, at it", 2, -10, -infinity, 1, 1);
  one("upper bound only, inside", 2, 10, -infinity, 1, -5);
  one("fixed", 2, 10, 3, 3, 3);
  one("origin outside", 2, 0, 3, 5, 3);
  one("empty, b > 0", 0, 1, -2, 5, -2);
  one("empty, b < 0", 0, -1, -2, 5, 5);
  one("empty, b = 0", 0, 0, 2, 5, 2);
  one("empty, b > 0, one-sided", 0, 1, 0, infinity, 0);

  const DenseMatrix A = (DenseMatrix(2, 2) << 2, 1, 1, 2).finished();
  const auto two = [&](const char* name, const Vector& b, const Vector& lower, const Vector& upper,
                       const Vector& x) {
    cases.push_back({std::string("two rows, ") + name, make(A, b, lower, upper), x});
  };
  const Vector zero = vec({0, 0}), inf = vec({infinity, infinity});
  two("both positive", vec({-3, -3}), zero, inf, vec({1, 1}));
  two("first positive", vec({-2, 5}), zero, inf, vec({1, 0}));
  two("second positive", vec({5, -2}), zero, inf, vec({0, 1}));
  two("none positive", vec({1, 1}), zero, inf, zero);
  two("weakly active", vec({-2, -1}), zero, inf, vec({1, 0}));
  two("free", vec({2, -1}), -inf, inf, vec({-5.0 / 3, 4.0 / 3}));
  two("mixed, inside", vec({2, -1}), vec({-infinity, 0}), inf, vec({-5.0 / 3, 4.0 / 3}));
  two("mixed, at zero", vec({2, 3}), vec({-infinity, 0}), inf, vec({-1, 0}));
  two("both at the upper bound", vec({-3, -3}), zero, vec({0.5, 0.5}), vec({0.5, 0.5}));
  two("one fixed", vec({-3, -3}), vec({2, 0}), vec({2, infinity}), vec({2, 0.5}));
  two("all fixed", vec({-3, -3}), vec({2, -1}), vec({2, -1}), vec({2, -1}));

  // A diagonal matrix decouples: -b_i / a_ii clamped.
  cases.push_back(
      {"diagonal",
       make(vec({1, 2, 4, 8, 1e-6, 1e6}).asDiagonal().toDenseMatrix(), vec({-1, 2, -8, 8, -1e-6, -2e6}),
            vec({0, 0, 0, -infinity, -1, -infinity}), vec({infinity, infinity, 1, infinity, 3, infinity})),
       vec({1, 0, 1, -1, 1, 2})});
  // A degenerate cell between two others.
  cases.push_back(
      {"empty row in the middle",
       make((DenseMatrix(3, 3) << 2, 0, 1, 0, 0, 0, 1, 0, 2).finished(), vec({-3, 4, -3}), 0, infinity),
       vec({1, 0, 1})});
  cases.push_back({"no rows", Problem{}, Vector()});
  return cases;
}

void expect_two_bounds(Solver& solver) {
  const DenseMatrix A = (DenseMatrix(2, 2) << 1, 0.5, -0.5, 1).finished();
  const struct {
    Vector b, x;
  } cases[] = {{vec({5, 5}), vec({-1, -1})},
               {vec({-5, -5}), vec({1, 1})},
               {vec({5, -5}), vec({-1, 1})},
               {vec({-0.5, 0.5}), vec({0.6, -0.2})},
               {vec({-5, 0.25}), vec({1, 0.25})}};
  for (const auto& [b, x] : cases) {
    const Result result = solve_with(solver, make(A, b, -1.0, 1.0), 1e-14);
    EXPECT_TRUE(result.solved()) << b.transpose();
    EXPECT_LE((result.x - x).norm(), 1e-14) << b.transpose();
  }
}

void expect_closed_forms(Solver& solver, double tolerance, double accuracy) {
  const Settings settings{.tolerance = tolerance};
  Result result;
  for (const Case& c : closed_forms()) {
    SCOPED_TRACE(c.name);
    solver.solve(c.problem, settings, result);
    EXPECT_TRUE(result.solved()) << result.message;
    ASSERT_EQ(result.x.size(), c.x.size());
    for (Index i = 0; i < c.x.size(); ++i) EXPECT_NEAR(result.x[i], c.x[i], accuracy) << "row " << i;
  }
}

DelassusOperator random_bodies(std::uint64_t seed, bool full_mass, double compliance) {
  Random random(seed);
  const int dofs = 3, bodies = 6, constraints = 9;
  std::vector<double> mass;
  for (int body = 0; body < bodies; ++body) {
    if (full_mass) {
      const DenseMatrix m = random_spd(random, dofs, 4.0);
      mass.insert(mass.end(), m.data(), m.data() + m.size());
    } else {
      for (int d = 0; d < dofs; ++d) mass.push_back(random.uniform(0.5, 2.0));
    }
  }
  std::vector<Constraint> list;
  std::vector<double> jacobian;
  for (int k = 0; k < constraints; ++k) {
    const int first = k % bodies;
    const int second = k % 4 == 0 ? -1 : (first + 1 + static_cast<int>(random.below(bodies - 1))) % bodies;
    list.push_back({2 * k, 2, {first, second}});
    for (int entry = 0; entry < 4 * dofs; ++entry) jacobian.push_back(random.normal());
  }
  return {dofs, bodies, mass, list, jacobian, Vector::Constant(2 * constraints, compliance)};
}

Problem with_changed_load(Problem problem, double share) {
  Random random(8);
  for (double& value : problem.b) value *= 1.0 + share * random.normal();
  return problem;
}

Problem contacts_in_boxes(std::uint64_t seed, double condition) {
  Random random(seed);
  Problem problem{csr_from_dense(random_spd(random, 60, condition)), random_vector(60, random), {}};
  for (int contact = 0; contact < 20; ++contact) {
    problem.K.append_nonnegative(1, Role::normal);
    problem.K.append_interval(-0.2, 0.2, Role::friction);
    problem.K.append_interval(-0.2, 0.2, Role::friction);
  }
  return problem;
}

void expect_unshifted_end(Solver& plain, Solver& shifting, double condition, double tolerance,
                          double accuracy, int shifted) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem problem = contacts_in_boxes(seed, condition);
    const Result expected = solve_with(plain, problem, tolerance);
    const Result result = solve_with(shifting, problem, tolerance);
    ASSERT_TRUE(expected.solved()) << expected.message;
    ASSERT_TRUE(result.solved()) << result.message << " " << result.measures.scaled_natural_map;
    EXPECT_EQ(expected.message.find("friction"), std::string::npos);
    EXPECT_LE((result.w - expected.w).norm(), accuracy * problem.b.norm());
    if (result.message.find("friction rows were shifted") == std::string::npos) continue;
    EXPECT_NE(result.message.find("not at the end"), std::string::npos) << result.message;
    --shifted;
  }
  EXPECT_LE(shifted, 0);
}

bool ExpectDescent::observe(const Iteration& iteration) {
  problem_.A.multiply(iteration.x, product_);
  const double objective = 0.5 * iteration.x.dot(product_) + problem_.b.dot(iteration.x);
  EXPECT_LE(objective, last_ + 1e-12 * std::abs(objective)) << "iteration " << iteration.number;
  last_ = objective;
  product_ = iteration.x;
  problem_.K.project(product_);
  EXPECT_EQ(product_, Vector(iteration.x)) << "iteration " << iteration.number;
  return true;
}

Problem chain(Index rows) {
  DenseMatrix A = DenseMatrix::Zero(rows, rows);
  for (Index i = 0; i < rows; ++i) {
    A(i, i) = 2.0;
    if (i > 0) A(i, i - 1) = A(i - 1, i) = -1.0;
  }
  return make(A, Vector::Constant(rows, -1.0), 0.0, infinity);
}

void expect_good_manners(Solver& solver, const Problem& slow) {
  Result result;
  Settings settings{.tolerance = 1e-10};

  settings.max_iterations = 2;
  solver.solve(slow, settings, result);
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.counts.iterations, 2);
  const double after_two = result.measures.scaled_natural_map;
  EXPECT_TRUE(std::isfinite(after_two));

  settings.max_iterations = 0;
  settings.time_limit = 0.0;
  solver.solve(slow, settings, result);
  EXPECT_EQ(result.status, Status::time_limit);
  settings.time_limit = infinity;

  CancelAfter cancel(3);
  solver.solve(slow, settings, result, nullptr, &cancel);
  EXPECT_EQ(result.status, Status::cancelled);
  EXPECT_EQ(result.counts.iterations, 2);

  History history;
  solver.solve(slow, settings, result, nullptr, &history);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(history.entries.size(), static_cast<std::size_t>(result.counts.iterations) + 1);
  EXPECT_EQ(history.entries.front().iteration, 0);
  const Result cold = result;

  // The solution as a start needs no iteration; the wrong size is no start; a NaN is none either.
  WarmStart warm{cold.x};
  solver.solve(slow, settings, result, &warm);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.counts.iterations, 0);
  for (const Vector& start :
       {Vector::Ones(slow.b.size() + 1).eval(), Vector::Constant(slow.b.size(), std::nan("")).eval()}) {
    warm.x = start;
    solver.solve(slow, settings, result, &warm);
    EXPECT_EQ(result.status, Status::solved);
    EXPECT_EQ(result.counts.iterations, cold.counts.iterations);
    EXPECT_EQ(result.x, cold.x);  // the same bits
  }
  // A start outside K is projected.
  warm.x = Vector::Constant(slow.b.size(), -7.0);
  solver.solve(slow, settings, result, &warm);
  EXPECT_TRUE(result.solved());
  EXPECT_LE((result.x - cold.x).norm(), 1e-6 * cold.x.norm());
}

void expect_known_solutions(Solver& solver, Index rows, std::uint64_t seeds, double hardest,
                            double accuracy) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const KnownProblem known = random_box({.rows = rows,
                                           .condition = seed <= 3 ? 1e2 : hardest,
                                           .degenerate = seed % 2 == 0 ? 0.2 : 0.0,
                                           .free = 0.2,
                                           .two_sided = 0.2,
                                           .fixed = 0.1,
                                           .seed = seed});
    const Result result = solve_with(solver, known.problem, 1e-12);
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_LE((result.x - known.x).norm(), accuracy * known.x.norm()) << "seed " << seed;
  }
}

Result expect_linear_solve(Solver& solver, Index rows, double condition, double accuracy, double tolerance) {
  Random random(3);
  const DenseMatrix A = random_spd(random, rows, condition);
  const Vector b = random_vector(rows, random);
  const Result result = solve_with(solver, make(A, b, -infinity, infinity), tolerance);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_LE((result.x + *solve_linear(A, b)).norm(), accuracy * result.x.norm());
  return result;
}

void expect_p_matrices(Solver& solver) {
  Random random(11);
  for (const Index n : {5, 20, 60}) {
    DenseMatrix M = DenseMatrix::Zero(n, n);
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < j; ++i) M(i, j) = 0.3 * random.normal();
      M(j, j) = random.uniform(0.5, 1.0);
    }
    const Vector q = random_vector(n, random);
    // Back substitution, row by row.
    Vector expected = Vector::Zero(n);
    for (Index i = n - 1; i >= 0; --i) {
      expected[i] = std::max(0.0, -(q[i] + M.row(i).tail(n - i - 1).dot(expected.tail(n - i - 1))) / M(i, i));
    }
    const Result result = solve_with(solver, lcp(M, q), 1e-12);
    EXPECT_TRUE(result.solved()) << n << " " << result.message;
    EXPECT_LE((result.x - expected).norm(), 1e-10 * expected.norm());
  }
}

void expect_matrix_free_agrees(Solver& solver, std::uint64_t seed, double compliance,
                               double iterations_apart) {
  for (const bool full_mass : {false, true}) {
    const DelassusOperator bodies = random_bodies(seed, full_mass, compliance);
    const Index n = bodies.rows();
    Random random(2);
    const Vector b = random_vector(n, random);
    Vector lower(n), upper(n);
    for (Index i = 0; i < n; ++i) {
      lower[i] = i % 2 == 0 ? 0.0 : -0.3;
      upper[i] = i % 2 == 0 ? infinity : 0.3;
    }
    const ProductSet K = ProductSet::box(lower, upper);
    const Result assembled = solve_with(solver, {bodies.to_csr(), b, K}, 1e-12);
    const Result free = solve_with(solver, {bodies, b, K}, 1e-12);
    ASSERT_TRUE(assembled.solved()) << assembled.message;
    ASSERT_TRUE(free.solved()) << free.message;
    EXPECT_LE((free.x - assembled.x).norm(), 1e-8 * assembled.x.norm());
    EXPECT_LE(std::abs(static_cast<double>(free.counts.iterations - assembled.counts.iterations)),
              iterations_apart);
  }
}

void expect_unbounded(Solver& solver) {
  EXPECT_EQ(solve_with(solver, one_row(0.0, -1.0, 0.0, infinity)).status, Status::unbounded);
  const DenseMatrix A = mat({{1, -1}, {-1, 1}});
  for (const double lower : {-infinity, 0.0}) {
    const Result result = solve_with(solver, make(A, vec({-1, -0.5}), lower, infinity));
    EXPECT_EQ(result.status, Status::unbounded) << result.message;
    EXPECT_LT(result.counts.iterations, 1000);
  }
  const Result bounded = solve_with(solver, make(A, vec({-1, -0.5}), vec({0, 0}), vec({infinity, 4})));
  EXPECT_TRUE(bounded.solved()) << bounded.message;
  EXPECT_LE((bounded.x - vec({5, 4})).norm(), 1e-6);
}

void expect_zero_without_load(Solver& solver) {
  Problem problem = chain(5);
  problem.b.setZero();
  const WarmStart warm{Vector::Ones(5)};
  const Result result = solve_with(solver, problem, 1e-8, &warm);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.x.norm(), 0.0);
}

void expect_kept_object_repeats_bits(Solver& kept, Solver& fresh, Index rows) {
  RandomBoxOptions options{.rows = rows, .free = 0.2, .two_sided = 0.2, .skew = 0.3};
  const Problem first = random_box(options).problem;
  options.rows = 37;
  const Problem second = random_box(options).problem;
  Result result = solve_with(kept, first);
  kept.solve(second, {}, result);
  kept.solve(first, {}, result);
  const Result expected = solve_with(fresh, first);
  EXPECT_EQ(result.x, expected.x);
}

}  // namespace slipstick::internal::box_cases
