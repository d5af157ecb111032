// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/coulomb_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::coulomb_solver_test {

// Copies of random problems side by side, their contacts shuffled like cards.
LocalContactProblem several_islands(int islands, Index contacts, double friction) {
  std::vector<Triplet> triplets;
  LocalContactProblem all{.dimension = 3, .W = {}, .q = Vector(3 * contacts * islands), .mu = {}};
  all.mu = Vector::Constant(contacts * islands, friction);
  for (int c = 0; c < islands; ++c) {
    const LocalContactProblem island = random_contacts({.contacts = contacts,
                                                        .dofs = 5 * contacts,
                                                        .friction = friction,
                                                        .seed = static_cast<std::uint64_t>(c) + 1});
    const auto row = [&](Index i) { return static_cast<int>(3 * (islands * (i / 3) + c) + i % 3); };
    const CsrMatrix W = *island.W.assemble();
    for (Index i = 0; i < W.rows(); ++i) {
      all.q[row(i)] = island.q[i];
      for (CsrMatrix::InnerIterator it(W, i); it; ++it)
        triplets.push_back({row(i), row(it.col()), it.value()});
    }
  }
  all.W = Operator(csr_from_triplets(all.q.size(), all.q.size(), triplets));
  return all;
}

Result solved(ContactSolver& solver, const LocalContactProblem& problem, const Settings& settings = {}) {
  Result result;
  solver.solve(problem, settings, result);
  EXPECT_TRUE(result.solved()) << result.message;
  return result;
}

TEST(CoulombSolver, SolvesEveryIslandAndSharesTheTolerance) {
  for (const double tolerance : {1e-3, 1e-6, 1e-10}) {
    CoulombSolver solver(automatic_coulomb_chain);
    const LocalContactProblem problem = several_islands(7, 6, 0.5);
    const Result result = solved(solver, problem, {.tolerance = tolerance});
    EXPECT_LE(result.measures.scaled_natural_map, tolerance);
    EXPECT_LE(result.measures.desaxce, tolerance);
  }
}

// Light bodies make W large and impulses small, against which the published error measures differently.
TEST(CoulombSolver, StopsByThePublishedErrorAloneWhereAsked) {
  LocalContactProblem problem = random_contacts({.contacts = 30, .dofs = 60, .friction = 0.4, .seed = 5});
  CsrMatrix W = *problem.W.assemble();
  W *= 1e-3;
  problem.W = Operator(W);
  CoulombSolver solver(automatic_coulomb_chain);
  const Result both = solved(solver, problem, {.tolerance = 1e-6});
  const Result published = solved(solver, problem, {.tolerance = 1e-6, .measure = ErrorMeasure::desaxce});
  EXPECT_LE(published.measures.desaxce, 1e-6);
  EXPECT_GT(published.measures.scaled_natural_map, 1e-6);
  EXPECT_LT(published.counts.products, both.counts.products);
}

// Its own velocity is so large beside any impulse that the published error is small.
TEST(CoulombSolver, NeverStopsAtAnAnswerWorseThanNone) {
  LocalContactProblem problem = random_contacts({.contacts = 30, .dofs = 120, .friction = 0.4, .seed = 5});
  CsrMatrix W = *problem.W.assemble();
  W *= 1e9;
  problem.W = Operator(W);
  WarmStart huge;
  huge.x = Vector::Zero(problem.q.size());
  for (Index i = 0; i < huge.x.size(); i += 3) huge.x[i] = 1.0;
  for (const bool few : {false, true}) {
    if (few) problem = random_contacts({.contacts = 1, .dofs = 6, .friction = 0.4, .seed = 5});
    if (few) problem.W = Operator(DenseMatrix(1e9 * DenseMatrix(*problem.W.assemble())));
    if (few) huge.x = Vector{{1.0, 0.0, 0.0}};
    CoulombSolver solver(automatic_coulomb_chain);
    Result result;
    solver.solve(problem, {.tolerance = 1e-4, .measure = ErrorMeasure::desaxce}, result, &huge);
    EXPECT_TRUE(result.solved());
    EXPECT_LE(result.measures.scaled_natural_map, 1.0);
  }
}

TEST(CoulombSolver, IslandsByThreadsGiveTheSameBits) {
  const LocalContactProblem problem = several_islands(9, 5, 0.4);
  CoulombSolver one(automatic_coulomb_chain), two(automatic_coulomb_chain);
  const Vector r = solved(one, problem, {.threads = 1}).r;
  EXPECT_EQ(solved(two, problem, {.threads = 2}).r, r);
  EXPECT_EQ(solved(two, problem, {.threads = 2}).r, r) << "again";
}

TEST(CoulombSolver, WarmStartFromTheSolutionTakesNoIteration) {
  const LocalContactProblem problem = several_islands(3, 6, 0.5);
  CoulombSolver solver(automatic_coulomb_chain);
  const WarmStart start{solved(solver, problem).r};
  Result result;
  solver.solve(problem, {}, result, &start);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.counts.iterations, 0);
  EXPECT_EQ(result.r, start.x);
}

std::unique_ptr<CoulombMethod> one_newton_step() {
  return std::make_unique<Nsn>(NsnSettings{.max_factorizations = 1, .sweeps = 0, .escape_sweeps = 0});
}

std::unique_ptr<CoulombMethod> make_nsgs() {
  return std::make_unique<Nsgs>();
}

TEST(CoulombSolver, TellsWhatWasTried) {
  // One factorization, which is too little, and then the rest.
  CoulombSolver solver([] {
    CoulombSolver::Chain chain;
    chain.push_back({one_newton_step, "first"});
    chain.push_back({make_nsgs, "then"});
    return chain;
  });
  solved(solver, several_islands(3, 6, 0.5));
  std::vector<Attempt> attempts;
  attempts.assign(solver.attempts().begin(), solver.attempts().end());
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_EQ(attempts[0].reason, "first");
  EXPECT_GT(attempts[0].islands, 0);
  EXPECT_EQ(attempts[0].solved_islands, 0);
  EXPECT_EQ(attempts[0].status, Status::iteration_limit);
  EXPECT_EQ(attempts[1].solved_islands, attempts[0].islands);
  EXPECT_EQ(attempts[1].status, Status::solved);
}

TEST(CoulombSolver, StagesLeaveIslandsToOthers) {
  const LocalContactProblem problem = side_by_side(several_islands(1, 6, 0.5), several_islands(1, 12, 0.5));
  double error = 0.0;
  std::uint64_t had = 0;
  CoulombSolver solver([&] {
    CoulombSolver::Chain chain;
    chain.push_back({one_newton_step, "none"});
    chain.back().takes = [](const auto&) { return false; };
    chain.push_back({one_newton_step, "large"});
    chain.back().takes = [](const auto& island) { return island.contacts > 6; };
    chain.push_back({make_nsgs, "all"});
    chain.back().takes = [&](const auto& island) {
      if (island.contacts > 6) error = island.error;
      if (island.contacts > 6) had = island.stages;
      EXPECT_DOUBLE_EQ(island.friction, 0.5);
      return true;
    };
    return chain;
  });
  solved(solver, problem, {.tolerance = 1e-8});
  std::vector<Attempt> attempts;
  attempts.assign(solver.attempts().begin(), solver.attempts().end());
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_EQ(attempts[0].reason, "large");
  EXPECT_EQ(attempts[0].islands, 1);
  EXPECT_EQ(attempts[1].islands, 2);
  EXPECT_EQ(had, 2u) << "the second stage alone";
  EXPECT_GT(error, 1e-6);
  EXPECT_LT(error, 10.0);
}

TEST(CoulombSolver, LimitsAndCancellationAreHonest) {
  const LocalContactProblem problem = several_islands(3, 6, 0.5);
  CoulombSolver solver([] {
    CoulombSolver::Chain chain;
    chain.push_back({make_nsgs});
    return chain;
  });
  Result result;
  solver.solve(problem, {.tolerance = 1e-12, .max_iterations = 2}, result);
  EXPECT_EQ(result.status, Status::iteration_limit);
  solver.solve(problem, {.tolerance = 1e-12, .time_limit = 1e-9}, result);
  EXPECT_EQ(result.status, Status::time_limit);
  const std::atomic<bool> raised{true};
  CancelFlag cancel(raised);
  solver.solve(problem, {.tolerance = 1e-12}, result, nullptr, &cancel);
  EXPECT_EQ(result.status, Status::cancelled);
}

TEST(CoulombSolver, ObserversSeeErrorsInUnitsOfTheTolerance) {
  CoulombSolver solver(automatic_coulomb_chain);
  History history;
  Result result;
  solver.solve(several_islands(1, 8, 0.5), {.tolerance = 1e-6}, result, nullptr, &history);
  ASSERT_FALSE(history.entries.empty());
  EXPECT_LE(history.entries.back().error, 1e-6);
  EXPECT_GT(history.entries.front().error, 1e-6);
}

TEST(CoulombSolver, NoContactsAndOpenOnes) {
  CoulombSolver solver(automatic_coulomb_chain);
  EXPECT_EQ(solved(solver, {}).r.size(), 0);
  LocalContactProblem open = several_islands(2, 2, 0.5);
  for (Index i = 0; i < open.q.size(); i += 3) open.q[i] = 1.0;
  const Result result = solved(solver, open);
  EXPECT_TRUE(result.r.isZero(0.0));
  EXPECT_EQ(result.counts.iterations, 0);
}

TEST(CoulombSolver, BilateralRowsInTheSameSolve) {
  CoulombSolver solver(automatic_coulomb_chain);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const LocalContactProblem problem = random_contacts({.bilateral = 3, .seed = seed});
    expect_coulomb(problem, solved(solver, problem), 1e-6);
  }
}

// Throws in the third iteration.
class ThrowingObserver : public Observer {
 public:
  bool observe(const Iteration& iteration) override {
    if (iteration.number >= 2) throw std::runtime_error("enough");
    return true;
  }
};

TEST(CoulombSolver, AnExceptionOfAnObserverReachesTheCaller) {
  const LocalContactProblem problem = several_islands(40, 20, 0.5);
  CoulombSolver solver(automatic_coulomb_chain);
  for (const int threads : {1, 3}) {
    ThrowingObserver observer;
    Result result;
    EXPECT_THROW(solver.solve(problem, {.tolerance = 1e-10, .threads = threads}, result, nullptr, &observer),
                 std::runtime_error);
  }
  EXPECT_EQ(solved(solver, problem, {.threads = 3}).r,
            solved(*std::make_unique<CoulombSolver>(automatic_coulomb_chain), problem).r)
      << "and the object stays as good as a new one";
}

// They start cold. If the answer of the stages before is better, it stays.
TEST(CoulombSolver, ManyContactsGoThroughAlternatingDirections) {
  const LocalContactProblem problem = sphere_contacts(60, 0.5);
  for (const int trial : {1, 100}) {
    CoulombSolver solver([=] { return coulomb_chain({.many_contacts = 50, .alternating = {trial, 0.0}}); });
    expect_coulomb(problem, solved(solver, problem), 1e-6);
    std::vector<Attempt> attempts;
    attempts.assign(solver.attempts().begin(), solver.attempts().end());
    ASSERT_GE(attempts.size(), 2u);
    EXPECT_EQ(attempts[0].solver, "nsgs");
    EXPECT_EQ(attempts[1].solver, "admm");
  }
}

TEST(CoulombSolver, KeepsABetterAnswerThanThatOfAColdStage) {
  const LocalContactProblem problem = sphere_contacts(20, 0.5);
  const auto error_after = [&](bool cold) {
    CoulombSolver solver([=] {
      CoulombSolver::Chain chain;
      for (int stage = 0; stage < 2; ++stage) chain.push_back({.make = make_nsgs});
      if (cold) chain.push_back({.make = make_nsgs, .cold = true});
      return chain;
    });
    Result result;
    solver.solve(problem, {.tolerance = 1e-12, .max_iterations = 15}, result);
    return result.measures.scaled_natural_map;
  };
  EXPECT_EQ(error_after(true), error_after(false));
}

// If Newton's method is far from the solution after its steps, a proximal point method takes many more.
TEST(CoulombSolver, InteriorPointsComeBeforeProximalOnesFarFromTheSolution) {
  const LocalContactProblem problem = sphere_contacts(100, 0.3);
  for (const int contacts : {0, 1000}) {
    CoulombSolver solver([=] {
      return coulomb_chain({.many_contacts = 1000, .interior_contacts = contacts, .interior_error = 0.0});
    });
    expect_coulomb(problem, solved(solver, problem), 1e-6);
    std::vector<Attempt> attempts;
    attempts.assign(solver.attempts().begin(), solver.attempts().end());
    ASSERT_GE(attempts.size(), 3u);
    EXPECT_EQ(attempts[1].solver, "nsn");
    EXPECT_EQ(attempts[2].solver, contacts == 0 ? "ncp-ipm" : "prox");
    const auto interior = std::count_if(attempts.begin(), attempts.end(),
                                        [](const Attempt& attempt) { return attempt.solver == "ncp-ipm"; });
    EXPECT_EQ(interior, 1);
  }
}

}  // namespace slipstick::internal::coulomb_solver_test
