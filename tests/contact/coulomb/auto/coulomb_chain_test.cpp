// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/sheet.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::coulomb_chain_test {

// What a solve went through, once it has ended well.
std::vector<Attempt> stages_of(const LocalContactProblem& problem, const CoulombRule& rule = {},
                               const WarmStart* start = nullptr) {
  CoulombSolver solver([rule] { return coulomb_chain(rule); });
  Result result;
  solver.solve(problem, {.tolerance = 1e-8}, result, start);
  EXPECT_TRUE(result.solved()) << result.message;
  std::vector<Attempt> attempts;
  attempts.assign(solver.attempts().begin(), solver.attempts().end());
  return attempts;
}

bool has_stage(const std::vector<Attempt>& attempts, std::string_view solver) {
  return std::any_of(attempts.begin(), attempts.end(),
                     [&](const Attempt& attempt) { return attempt.solver == solver; });
}

TEST(CoulombChain, NameAndReasonTellTheStagesApart) {
  std::set<std::pair<std::string_view, std::string_view>> known;
  for (const CoulombSolver::Stage& stage : coulomb_chain({}))
    EXPECT_TRUE(known.emplace(stage.method().name(), stage.reason).second) << stage.reason;
}

TEST(CoulombChain, SmallIslandsOfALargeProblemAreSolvedByThemselves) {
  LocalContactProblem problem = random_contacts({.contacts = 4, .dofs = 20, .friction = 0.4, .seed = 1});
  for (int doubled = 0; doubled < 6; ++doubled) problem = side_by_side(problem, problem);
  const std::vector<Attempt> attempts = stages_of(problem);
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(attempts[0].solver, "few-contacts");
  EXPECT_EQ(attempts[0].islands, 64);
  EXPECT_EQ(attempts[0].solved_islands, 64);
}

TEST(CoulombChain, VeryLargeIslandsBeginWithMomentum) {
  const LocalContactProblem problem = sphere_contacts(50, 0.6);
  const std::vector<Attempt> attempts = stages_of(problem, {.large_contacts = 100});
  ASSERT_GE(attempts.size(), 1u);
  EXPECT_EQ(attempts[0].solver, "nsgs-fast");
  EXPECT_FALSE(has_stage(stages_of(problem), "nsgs-fast"));
}

TEST(CoulombChain, NewtonsMethodFollowsMomentumNearTheSolution) {
  const LocalContactProblem flow = sphere_contacts(50, 0.2);
  EXPECT_TRUE(has_stage(stages_of(flow), "admm"));
  const auto attempts_with = [&](double near) {
    CoulombRule rule{.large_contacts = 100};
    rule.fast_sweeps.trial = 10;
    rule.fast_sweeps.near = near;
    return stages_of(flow, rule);
  };
  const std::vector<Attempt> attempts = attempts_with(1e-4), farther = attempts_with(1e-2);
  ASSERT_GE(attempts.size(), 2u);
  EXPECT_EQ(attempts[0].solver, "nsgs-fast");
  EXPECT_EQ(attempts[1].solver, "nsn");
  EXPECT_FALSE(has_stage(attempts, "admm"));
  EXPECT_LT(farther[0].iterations, attempts[0].iterations);
}

// A warm start that is far off, and sweeps that give up at once.
TEST(CoulombChain, MoreSweepsFollowIfFactorizationsCostMore) {
  const LocalContactProblem problem = sphere_contacts(50, 0.6);
  WarmStart start;
  start.x = Vector::Constant(problem.q.size(), 1e-3);
  CoulombRule rule{.large_contacts = 100};
  rule.warm_sweeps = {.trial = 10, .newton_steps = 0.0};
  const std::vector<Attempt> few = stages_of(problem, rule, &start);
  ASSERT_GE(few.size(), 2u);
  EXPECT_EQ(few[0].solver, "nsgs-fast");
  EXPECT_EQ(few[1].solver, "admm");
  rule.most_sweeps = 10;
  const std::vector<Attempt> many = stages_of(problem, rule, &start);
  ASSERT_GE(many.size(), 2u);
  EXPECT_EQ(many[0].solver, "nsgs-fast");
  EXPECT_EQ(many[1].solver, "nsgs-fast");
  EXPECT_GT(many[1].iterations, many[0].iterations);
  EXPECT_FALSE(has_stage(many, "admm"));
}

TEST(CoulombChain, LargerIslandsAreSweptFirst) {
  const std::vector<Attempt> attempts =
      stages_of(side_by_side(random_contacts({.contacts = 4, .dofs = 20, .friction = 0.4, .seed = 1}),
                             random_contacts({.contacts = 20, .dofs = 120, .friction = 0.3, .seed = 2})));
  ASSERT_GE(attempts.size(), 2u);
  EXPECT_EQ(attempts[0].solver, "few-contacts");
  EXPECT_EQ(attempts[0].islands, 1);
  EXPECT_EQ(attempts[1].solver, "nsgs");
  EXPECT_EQ(attempts[1].contacts, 20);
}

TEST(CoulombChain, JointsCountLikeContacts) {
  const auto has_few = [](Index contacts, Index bilateral) {
    return has_stage(stages_of(random_contacts(
                         {.contacts = contacts, .dofs = 80, .friction = 0.3, .bilateral = bilateral})),
                     "few-contacts");
  };
  EXPECT_TRUE(has_few(6, 2));
  EXPECT_TRUE(has_few(0, 2));
  EXPECT_FALSE(has_few(16, 2));
}

// The same packing, cold and from the solution for a load that is one percent off.
TEST(CoulombChain, ManyContactsWithAWarmStartAreSweptWithMomentum) {
  LocalContactProblem heap =
      CondensedProblem(sphere_packing({.spheres = 60, .friction = 0.6, .seed = 1})).local();
  ASSERT_GE(heap.contacts(), CoulombRule().many_contacts);
  EXPECT_FALSE(has_stage(stages_of(heap), "nsgs-fast"));
  CoulombSolver solver([] { return automatic_coulomb_chain(); });
  Result before;
  solver.solve(heap, {.tolerance = 1e-8}, before);
  heap.q *= 1.01;
  Result result;
  const WarmStart start{before.r};
  solver.solve(heap, {.tolerance = 1e-4}, result, &start);
  EXPECT_TRUE(result.solved());
  ASSERT_EQ(solver.attempts().size(), 1u);
  EXPECT_EQ(solver.attempts()[0].solver, "nsgs-fast");
  // A start without impulses is none.
  const WarmStart none{Vector::Zero(heap.q.size())};
  EXPECT_FALSE(has_stage(stages_of(heap, {}, &none), "nsgs-fast"));
}

// A packing that flows gets it before Newton's method, or after it if that is asked for.
TEST(CoulombChain, HeapsGetTheRelaxedShift) {
  const LocalContactProblem heap =
      CondensedProblem(sphere_packing({.spheres = 60, .friction = 0.2, .seed = 2})).local();
  ASSERT_GE(heap.contacts(), CoulombRule().many_contacts);
  const auto third_stage = [&](double heap_error) {
    const std::vector<Attempt> attempts = stages_of(heap, {.heap_error = heap_error});
    return attempts.size() > 2 ? attempts[2].solver : "none";
  };
  EXPECT_EQ(third_stage(0.0), "shift-ipm");
  EXPECT_EQ(third_stage(infinity), "nsn");
}

// Sweeps that give up at once, and no other method.
TEST(CoulombChain, PatientSweepsFollowIfTheTargetIsNotFar) {
  CoulombRule rule{.large_contacts = 100};
  rule.fast_sweeps = {.trial = 20, .newton_steps = 0.0};
  const LocalContactProblem heap = sphere_contacts(60, 0.3, 2);
  const auto attempts_with = [&](double excess) {
    rule.patient_excess = excess;
    CoulombSolver solver([&] {
      CoulombSolver::Chain chain = coulomb_chain(rule);
      for (CoulombSolver::Stage& stage : chain)
        if (stage.method().name() != "nsgs-fast")
          stage.takes = [](const CoulombSolver::IslandView&) { return false; };
      return chain;
    });
    Result result;
    solver.solve(heap, {.tolerance = 1e-4}, result);
    EXPECT_EQ(result.solved(), excess > 1.0) << result.message;
    return solver.attempts().size();
  };
  EXPECT_EQ(attempts_with(infinity), 2u);
  EXPECT_EQ(attempts_with(1.0), 1u);
}

TEST(CoulombChain, ANearStartNeedsLessThanNone) {
  const LocalContactProblem problem =
      random_contacts({.contacts = 30, .dofs = 120, .friction = 0.4, .seed = 5});
  CoulombSolver solver(automatic_coulomb_chain);
  Result near, warm, cold;
  solver.solve(problem, {.tolerance = 1e-4}, near);
  const WarmStart start{near.r};
  solver.solve(problem, {}, warm, &start);
  solver.solve(problem, {}, cold);
  EXPECT_LT(warm.counts.iterations, cold.counts.iterations);
}

TEST(CoulombChain, ProductsAloneNeedNoSweeps) {
  const CondensedProblem sheet(elastic_sheet({.side = 7}), Condensation::implicit);
  const std::vector<Attempt> attempts = stages_of(sheet.local());
  EXPECT_FALSE(has_stage(attempts, "nsgs"));
  EXPECT_FALSE(has_stage(attempts, "few-contacts"));
}

// Every stage alone has to be able to follow any other: the chain without one of them is still honest.
TEST(CoulombChain, EveryStageCanBeLeftOut) {
  const LocalContactProblem problem = sphere_contacts(25, 0.4);
  const std::size_t stages = coulomb_chain({}).size();
  for (std::size_t stage = 0; stage < stages; ++stage) {
    CoulombSolver solver([stage] {
      CoulombSolver::Chain chain = coulomb_chain({});
      chain[stage].takes = [](const CoulombSolver::IslandView&) { return false; };
      return chain;
    });
    Result result;
    solver.solve(problem, {.tolerance = 1e-6}, result);
    EXPECT_TRUE(result.solved()) << stage;
  }
}

}  // namespace slipstick::internal::coulomb_chain_test
