// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/few_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "slipstick/base/random.hpp"
#include "slipstick/contact/coulomb/coulomb_solver.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::few_contacts_test {

// The method alone.
CoulombSolver few_contacts() {
  return CoulombSolver([] {
    CoulombSolver::Chain chain;
    chain.push_back({[] { return std::make_unique<FewContacts>(); }});
    return chain;
  });
}

bool solve_few(const LocalContactProblem& problem, const Settings& settings, Result& result,
               const Vector* start = nullptr) {
  CoulombSolver solver = few_contacts();
  const WarmStart warm{start != nullptr ? *start : Vector()};
  solver.solve(problem, settings, result, start != nullptr ? &warm : nullptr);
  return result.solved();
}

TEST(FewContacts, BlockOnASlope) {
  for (const int dimension : {2, 3}) {
    for (const double angle : {0.2, 0.5}) {
      Result result;
      ASSERT_TRUE(solve_few(block_on_slope(dimension, angle, 0.4), {.tolerance = 1e-14}, result));
      const double slide = std::max(0.0, 10.0 * (std::sin(angle) - 0.4 * std::cos(angle)));
      EXPECT_NEAR(result.u.tail(dimension - 1).norm(), slide, 1e-13);
      EXPECT_NEAR(result.u[0], 0.0, 1e-14);
      EXPECT_NEAR(result.r[0], 10.0 * std::cos(angle), 1e-13);
      EXPECT_EQ(result.counts.iterations, 1);
    }
    Result result;
    ASSERT_TRUE(solve_few(block_on_slope(dimension, 0.5, 0.4, 11.0), {.tolerance = 1e-14}, result));
    EXPECT_TRUE(result.r.isZero());
    EXPECT_EQ(result.counts.iterations, 0);
  }
}

TEST(FewContacts, OneContactWithAMetricOfItsOwn) {
  // W = diag(2, 1, 1): stick if -W^-1 q is in the cone, otherwise r_N = -q_N / 2 and slip along -q_T.
  LocalContactProblem problem{3, Operator(mat({{2, 0, 0}, {0, 1, 0}, {0, 0, 1}})), vec({-4, 0.6, 0.8}),
                              vec({0.6})};
  Result result;
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-14}, result));
  EXPECT_LT((result.r - vec({2, -0.6, -0.8})).norm(), 1e-14);
  problem.mu[0] = 0.25;
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-14}, result));
  EXPECT_LT((result.r - vec({2, -0.3, -0.4})).norm(), 1e-14);
  EXPECT_LT((result.u - vec({0, 0.3, 0.4})).norm(), 1e-14);
  problem.mu[0] = 0.0;
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-14}, result));
  EXPECT_LT((result.r - vec({2, 0, 0})).norm(), 1e-14);
}

TEST(FewContacts, StackCarriesItsWeight) {
  constexpr Index blocks = 10;
  for (const int d : {2, 3}) {
    DenseMatrix J = DenseMatrix::Zero(d * blocks, d * blocks);
    Vector q = Vector::Zero(d * blocks);
    for (Index i = 0; i < blocks; ++i) {
      J.block(d * i, d * i, d, d).setIdentity();
      if (i > 0) J.block(d * i, d * (i - 1), d, d) = -DenseMatrix::Identity(d, d);
    }
    q[0] = -10.0;
    const LocalContactProblem stack{d, Operator(DenseMatrix(J * J.transpose())), q,
                                    Vector::Constant(blocks, 0.5)};
    Result result;
    ASSERT_TRUE(solve_few(stack, {.tolerance = 1e-12}, result)) << d;
    for (Index i = 0; i < blocks; ++i)
      EXPECT_NEAR(result.r[d * i], 10.0 * static_cast<double>(blocks - i), 1e-7);
    EXPECT_LT(result.counts.iterations, 10) << "Newton's method ends what sweeps would take long for";
  }
}

TEST(FewContacts, AGoodStartIsTheAnswer) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 4, .dofs = 20, .friction = 0.4, .seed = 3});
  Result first, again;
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-10}, first));
  EXPECT_GT(first.counts.iterations, 0);
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-10}, again, &first.r));
  EXPECT_EQ(again.counts.iterations, 0);
  EXPECT_EQ(again.r, first.r);
  Result from_afar;
  const Vector far = Vector::Constant(12, 7.0);
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-10}, from_afar, &far));
  EXPECT_LT((from_afar.u - first.u).norm(), 1e-8 * problem.q.norm());
}

TEST(FewContacts, NothingToDoAndNothingThatCanBeDone) {
  for (const int d : {2, 3}) {
    LocalContactProblem problem = block_on_slope(d, 0.2, 0.4);
    problem.q.setZero();
    Result result;
    const Vector far = Vector::Constant(d, 1.0);
    ASSERT_TRUE(solve_few(problem, {.tolerance = 0.0}, result, &far));
    EXPECT_TRUE(result.r.isZero() && result.u.isZero());
    EXPECT_EQ(result.measures.scaled_natural_map, 0.0);
    // A body that nothing can hold back.
    problem.W = Operator(DenseMatrix(DenseMatrix::Zero(d, d)));
    problem.q[0] = -1.0;
    EXPECT_FALSE(solve_few(problem, {}, result));
    // Squares that are no numbers.
    problem = block_on_slope(d, 0.2, 0.4);
    problem.q *= 1e200;
    EXPECT_FALSE(solve_few(problem, {}, result));
    LocalContactProblem none{d, Operator(DenseMatrix(0, 0)), Vector(0), Vector(0)};
    EXPECT_TRUE(solve_few(none, {}, result));
    EXPECT_EQ(result.r.size(), 0);
  }
}

TEST(FewContacts, ThePublishedErrorAlone) {
  // In units of a heavy body, d is small and the two rulers are far apart.
  LocalContactProblem problem = random_contacts({.contacts = 5, .dofs = 20, .friction = 0.4, .seed = 3});
  problem.W = Operator(DenseMatrix(1e-6 * DenseMatrix(*problem.W.assemble())));
  Result both, published;
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-4}, both));
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-4, .measure = ErrorMeasure::desaxce}, published));
  EXPECT_LE(published.measures.desaxce, 1e-4);
  EXPECT_LE(published.counts.iterations, both.counts.iterations);
}

// Many kinds of problems, up to ten contacts.
LocalContactProblem random_problem(std::uint64_t seed, bool& unique) {
  Random random(seed);
  const int d = seed % 2 == 0 ? 3 : 2;
  const auto contacts = 1 + static_cast<Index>(random.uniform() * 10.0);
  const Index rows = d * contacts;
  const int kind = static_cast<int>(seed / 2 % 7);
  const Index dofs = kind == 1 ? std::max<Index>(1, rows / 2) : rows + 3;  // singular W
  DenseMatrix J(rows, dofs);
  for (double& value : J.reshaped()) value = random.normal();
  Vector mass = Vector::Ones(dofs);
  if (kind == 2) {
    for (double& value : mass) value = std::pow(10.0, 6.0 * random.uniform());
  }
  DenseMatrix W = J * mass.cwiseInverse().asDiagonal() * J.transpose();
  Vector mu(contacts), q(rows);
  for (double& value : mu) value = random.uniform() < 0.2 ? 0.0 : 2.0 * random.uniform();
  for (double& value : q) value = random.normal();
  unique = kind == 0 || kind == 4;
  if (unique) mu *= 0.1;
  if (kind == 3) {  // separate contacts
    for (Index i = 0; i < contacts; ++i) {
      for (Index j = 0; j < contacts; ++j) {
        if (i != j) W.block(d * i, d * j, d, d).setZero();
      }
    }
  }
  if (kind == 4) {
    for (double& value : W.reshaped()) value *= 1.0 + 1e-3 * random.normal();
  }
  if (kind == 5) {  // rows that nothing moves
    const Index row = static_cast<Index>(random.uniform() * static_cast<double>(rows));
    W.row(row).setZero();
    W.col(row).setZero();
    if (row % d == 0) q[row] = std::abs(q[row]);
  }
  // A right-hand side in the range of W: what bodies do.
  if (kind == 1) q = J * Vector::NullaryExpr(dofs, [&] { return random.normal(); });
  if (kind == 6) q *= 1e-3;
  return {d, Operator(csr_from_dense(W)), q, mu};
}

// An island that it does not solve keeps what it started with, or something better.
TEST(FewContacts, RandomProblemsAreSolvedOrLeftAlone) {
  const std::uint64_t count = sanitized ? 300 : 6000;
  CoulombSolver few = few_contacts();
  CoulombSolver nsgs([] {
    CoulombSolver::Chain chain;
    chain.push_back({[] { return std::make_unique<Nsgs>(); }});
    return chain;
  });
  int solved = 0, nsgs_solved = 0, lost = 0;
  Result result, other;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    bool unique = false;
    const LocalContactProblem problem = random_problem(seed, unique);
    for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
      const Settings settings{.tolerance = tolerance};
      few.solve(problem, settings, result);
      solved += result.solved();
      EXPECT_LE(result.measures.scaled_natural_map, 1.0 + 1e-12);
      if (tolerance != 1e-8 || seed % 4 > 1) continue;
      nsgs.solve(problem, settings, other);
      nsgs_solved += other.solved();
      lost += other.solved() && !result.solved();
      if (result.solved() && other.solved() && unique) {
        EXPECT_LE((result.u - other.u).norm(), 1e-5 * problem.q.norm()) << seed;
      }
    }
    ASSERT_FALSE(HasFailure()) << seed;
  }
  EXPECT_GT(solved, static_cast<int>(0.95 * 3.0 * static_cast<double>(count)));
  EXPECT_LT(lost, 0.1 * static_cast<double>(nsgs_solved));
}

TEST(FewContacts, EveryStorageAndAnotherMatrixEveryTime) {
  CoulombSolver kept = few_contacts();
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    bool unique = false;
    LocalContactProblem problem = random_problem(seed, unique);
    Result sparse, dense;
    kept.solve(problem, {}, sparse);
    problem.W = Operator(DenseMatrix(*problem.W.assemble()));
    kept.solve(problem, {}, dense);
    EXPECT_EQ(sparse.status, dense.status);
    EXPECT_EQ(sparse.r, dense.r);
  }
}

TEST(FewContacts, AllocatesNothingAndGivesTheSameBits) {
  bool unique = false;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const LocalContactProblem problem =
        seed % 3 > 0 ? random_problem(seed, unique)
                     : random_contacts({.contacts = 3, .bilateral = 4, .bounded = 5, .seed = seed});
    CoulombSolver few = few_contacts();
    Result first, second;
    few.solve(problem, {}, first);
    few.solve(problem, {}, second);
    if (!first.solved()) continue;  // its message is allocated
    const std::size_t before = allocations();
    few.solve(problem, {}, second);
    EXPECT_TRUE(sanitized || allocations() == before);
    EXPECT_EQ(first.r, second.r);
  }
}

TEST(FewContacts, ObserversAndLimitsAreObeyed) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 6, .dofs = 24, .friction = 0.4, .seed = 3});
  CoulombSolver few = few_contacts();
  Result result;
  History history;
  few.solve(problem, {.tolerance = 1e-10}, result, nullptr, &history);
  ASSERT_TRUE(result.solved());
  EXPECT_EQ(history.entries.size(), static_cast<std::size_t>(result.counts.iterations) + 1);
  EXPECT_LE(history.entries.back().error, 1e-10);
  few.solve(problem, {.tolerance = 1e-10, .max_iterations = 1}, result);
  EXPECT_EQ(result.status, Status::iteration_limit);
  const std::atomic<bool> raised{true};
  CancelFlag cancel(raised);
  few.solve(problem, {.tolerance = 1e-10}, result, nullptr, &cancel);
  EXPECT_EQ(result.status, Status::cancelled);
}

TEST(FewContacts, LeavesLargerIslandsAlone) {
  Result result;
  for (const LocalContactProblem& problem :
       {random_contacts({.contacts = 17, .dofs = 80}), random_contacts({.contacts = 14, .bilateral = 9})}) {
    EXPECT_FALSE(solve_few(problem, {}, result));
    EXPECT_TRUE(result.r.isZero(0.0));
  }
}

// Joints alone are a linear system, and need one step of Newton's method, also if they are redundant.
TEST(FewContacts, JointsAloneAreSolvedDirectly) {
  for (const int dimension : {2, 3}) {
    for (const Index dofs : {4, 60}) {
      LocalContactProblem problem =
          random_contacts({.dimension = dimension, .contacts = 0, .dofs = dofs, .bilateral = 12, .seed = 3});
      Result result;
      ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-12}, result));
      EXPECT_EQ(result.counts.iterations, 1);
      EXPECT_EQ(result.counts.factorizations, 1);
      EXPECT_LE(result.u.norm(), 1e-11 * problem.q.norm());
    }
  }
}

TEST(FewContacts, RowsOfJointsHaveTheirBounds) {
  // Without coupling, r = -q / W between the bounds.
  LocalContactProblem problem{.W = Operator(DenseMatrix(vec({1, 1, 2, 1, 1, 1}).asDiagonal())),
                              .q = vec({-3, 3, -1, -2, 2, -2}),
                              .mu = Vector(0),
                              .lower = vec({-1, -1, -1, 0, 0, 0.25}),
                              .upper = vec({1, 1, 1, infinity, infinity, 0.25})};
  Result result;
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-14}, result));
  EXPECT_LE((result.r - vec({1, -1, 0.5, 2, 0, 0.25})).norm(), 1e-14);
  // Zero is outside of the bounds.
  problem.lower[4] = 0.5;
  const Vector start = Vector::Zero(6);
  ASSERT_TRUE(solve_few(problem, {.tolerance = 1e-14}, result, &start));
  EXPECT_EQ(result.r[4], 0.5);
}

TEST(FewContacts, ContactsWithJointsLimitsAndMotors) {
  CoulombSolver nsgs([] {
    CoulombSolver::Chain chain;
    chain.push_back({[] { return std::make_unique<Nsgs>(); }});
    return chain;
  });
  int solved = 0, count = 0;
  for (const int dimension : {2, 3}) {
    for (std::uint64_t seed = 1; seed <= (sanitized ? 20 : 200); ++seed) {
      const LocalContactProblem problem = random_contacts({.dimension = dimension,
                                                           .contacts = static_cast<Index>(seed % 5),
                                                           .dofs = 40,
                                                           .friction = 0.3,
                                                           .bilateral = static_cast<Index>(seed % 7),
                                                           .bounded = static_cast<Index>(1 + seed % 6),
                                                           .seed = seed});
      Result result, other;
      ++count;
      if (!solve_few(problem, {.tolerance = 1e-10}, result)) continue;
      ++solved;
      expect_coulomb(problem, result, 1e-8);
      nsgs.solve(problem, {.tolerance = 1e-10}, other);
      ASSERT_TRUE(other.solved());
      EXPECT_LE((result.u - other.u).norm(), 1e-7 * problem.q.norm()) << seed;
    }
  }
  EXPECT_EQ(solved, count);
}

// A joint elsewhere changes the weights of the ruler, which the target has too.
TEST(FewContacts, WeighsContactsAsTheRulerDoes) {
  for (const double mass : {1e-6, 1e6}) {
    LocalContactProblem problem =
        rescaled(random_contacts({.contacts = 5, .dofs = 20, .friction = 0.4, .seed = 3}), mass, 1.0);
    add_joints(CsrMatrix(15, 1), csr_from_dense(DenseMatrix::Ones(1, 1)), Vector::Ones(1), problem);
    ContactBlocks blocks;
    blocks.prepare(problem);
    const Island island = blocks.islands()[0];
    const double target = 1e-3 * blocks.weighted_norm();
    Vector r = Vector::Zero(blocks.q().size()), u = r;
    Monitor monitor({.tolerance = 1.0}, 1000, nullptr);
    Counts counts;
    std::optional<ContactErrors> errors;
    CoulombMethod::Context context{blocks,  island, {.scaled = target, .published = 1e9, .change = target},
                                   monitor, counts, r};
    context.errors = &errors;
    FewContacts().run(context);
    EXPECT_EQ(monitor.status(), Status::solved);
    blocks.velocities(island, r, u);
    const double scaled = island_errors(blocks, island, r, u).scaled;
    ASSERT_TRUE(errors);
    EXPECT_NEAR(errors->scaled, scaled, 0.1 * scaled);
  }
}

}  // namespace slipstick::internal::few_contacts_test
