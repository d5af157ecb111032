// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The contract of methods for contact under laws that are not convex. Each method of the table runs under
// each law that it takes, on a zoo of contact problems.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/solve.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/cancel_at_look.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::contact_contract_test {

struct Specimen {
  std::string name;
  LocalContactProblem problem;
};

LocalContactProblem with_empty_contact(LocalContactProblem problem) {
  CsrMatrix W = *problem.W.assemble();
  W.conservativeResize(W.rows() + problem.dimension, W.cols() + problem.dimension);
  W.makeCompressed();
  problem.W = Operator(std::move(W));
  problem.q.conservativeResize(problem.q.size() + problem.dimension);
  problem.q.tail(problem.dimension).setConstant(0.5);
  problem.mu.conservativeResize(problem.mu.size() + 1);
  problem.mu.tail(1).setConstant(0.4);
  return problem;
}

const std::vector<Specimen>& zoo() {
  static const std::vector<Specimen> specimens = [] {
    std::vector<Specimen> list;
    for (const int dimension : {2, 3}) {
      const std::string suffix = dimension == 2 ? "2d" : "3d";
      const auto add = [&](const std::string& name, const LocalContactProblem& problem) {
        list.push_back({name + suffix, problem});
      };
      add("none", {dimension, {}, {}, {}});
      add("sticks", block_on_slope(dimension, 0.3, 0.6));
      add("slides", block_on_slope(dimension, 0.6, 0.3));
      add("parts", block_on_slope(dimension, 0.3, 0.6, 20.0));
      add("smooth", block_on_slope(dimension, 0.3, 0.0));
      add("few", random_contacts({.dimension = dimension, .contacts = 5, .friction = 0.3}));
      add("redundant",
          random_contacts({.dimension = dimension, .contacts = 12, .dofs = 20, .friction = 0.3}));
      add("asymmetric", random_contacts({.dimension = dimension, .friction = 0.3, .asymmetry = 1e-3}));
      add("bilateral", random_contacts({.dimension = dimension, .friction = 0.3, .bilateral = 2}));
      add("bounded",
          random_contacts({.dimension = dimension, .friction = 0.3, .bilateral = 2, .bounded = 5}));
      add("empty", with_empty_contact(random_contacts({.dimension = dimension, .contacts = 3})));
      add("small_units", rescaled(random_contacts({.dimension = dimension, .friction = 0.3}), 1e6, 1e-6));
      add("large_units", rescaled(random_contacts({.dimension = dimension, .friction = 0.3}), 1e-6, 1e6));
    }
    return list;
  }();
  return specimens;
}

struct Case {
  const ContactMethod* method;
  FrictionLaw law;
  std::size_t specimen;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const ContactMethod& method : contact_methods()) {
    for (const FrictionLaw law : method.laws) {
      for (std::size_t k = 0; k < zoo().size(); ++k) list.push_back({&method, law, k});
    }
  }
  return list;
}

class ContactContract : public testing::TestWithParam<Case> {
 protected:
  const LocalContactProblem& problem() const { return zoo()[GetParam().specimen].problem; }
  // nullptr if the method does not take contacts of this dimension.
  std::unique_ptr<ContactSolver> make() const {
    try {
      return make_contact_solver(GetParam().law, problem().dimension, GetParam().method->name);
    } catch (const Error&) {
      return nullptr;
    }
  }
  // A status that the measures bear out.
  void expect_honest(const Result& result, double tolerance) const {
    if (result.status == Status::unsupported) {
      EXPECT_FALSE(result.message.empty());
      return;
    }
    ASSERT_TRUE(result.r.allFinite());
    Solution again;
    again.r = result.r;
    Measures measures;
    measure(problem(), GetParam().law, again, measures);
    EXPECT_EQ(result.solved(), contact_error(measures, GetParam().law) <= tolerance) << result.message;
    EXPECT_NE(result.status, Status::not_run);
  }
};

// Every method solves every problem of the zoo that it takes.
TEST_P(ContactContract, SolvesAndIsHonest) {
  const auto solver = make();
  if (solver == nullptr) return;
  Result result;
  for (const double tolerance : {1e-3, 1e-8}) {
    solver->solve(problem(), {.tolerance = tolerance}, result);
    expect_honest(result, tolerance);
    if (result.status == Status::unsupported) return;
    EXPECT_TRUE(result.solved()) << tolerance << ": " << result.message;
  }
}

// The driver says the same, and another measure is no way around the bound on the scaled natural map.
TEST_P(ContactContract, SolvesThroughTheDriverUnderBothMeasures) {
  if (make() == nullptr) return;
  for (const std::string measure : {"scaled_natural_map", "desaxce"}) {
    const DriverResult result = solve(problem(), {.settings = {.tolerance = 1e-4},
                                                  .solver = std::string(GetParam().method->name),
                                                  .measure = measure,
                                                  .friction = GetParam().law});
    if (result.status == Status::unsupported) return;
    EXPECT_TRUE(result.solved()) << measure << ": " << result.message;
    EXPECT_LE(result.measures.*find_measure(measure)->value, 1e-4);
    EXPECT_LE(result.measures.scaled_natural_map, 1e-2);
  }
}

TEST_P(ContactContract, SameBitsAgainAndLimitsObeyed) {
  const auto solver = make(), other = make();
  if (solver == nullptr) return;
  Result first, second;
  solver->solve(problem(), {.tolerance = 1e-6}, first);
  other->solve(problem(), {.tolerance = 1e-6}, second);
  EXPECT_EQ(first.r, second.r) << "another object";
  for (const Settings& settings : {Settings{.tolerance = 1e-12, .max_iterations = 1},
                                   Settings{.tolerance = 1e-12, .time_limit = 1e-9}}) {
    other->solve(problem(), settings, second);
    expect_honest(second, 1e-12);
  }
  const std::atomic<bool> raised{true};
  CancelFlag cancel(raised);
  other->solve(problem(), {.tolerance = 1e-12}, second, nullptr, &cancel);
  expect_honest(second, 1e-12);
}

// An interruption anywhere, also within a factorization, ends the solve at once. The object is then as good
// as a new one.
TEST_P(ContactContract, EndsAtTheLookThatCancels) {
  const auto kept = make();
  if (kept == nullptr) return;
  const Settings settings{.tolerance = 1e-6, .max_iterations = 30};
  Result fresh, result;
  make()->solve(problem(), settings, fresh);
  for (int last = 1; last < 10'000; last = (sanitized ? 5 : 2) * last + 1) {
    {
      CancelAtLook stop(last);
      kept->solve(problem(), settings, result, nullptr, &stop);
      ASSERT_TRUE(result.r.allFinite());
      if (!stop.fired()) break;
      EXPECT_TRUE(result.status == Status::cancelled || result.solved())
          << last << ": " << name(result.status);
      EXPECT_LE(stop.looks(), last + 2 + problem().contacts());  // a look for every island
    }
    kept->solve(problem(), settings, result);
    EXPECT_EQ(result.r, fresh.r) << "after the look " << last;
    EXPECT_EQ(result.status, fresh.status);
  }
}

TEST_P(ContactContract, WarmStartAtTheSolutionTakesNoIteration) {
  const auto solver = make();
  if (solver == nullptr) return;
  Result result;
  solver->solve(problem(), {.tolerance = 1e-7}, result);
  if (!result.solved()) return;
  const WarmStart start{result.r};
  solver->solve(problem(), {.tolerance = 1e-7}, result, &start);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(result.counts.iterations, 0);
  EXPECT_EQ(result.counts.factorizations, 0);
  if (problem().contacts() > 0) {
    EXPECT_EQ(result.counts.products, 1);
  }
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string text = std::string(info.param.method->name) + "_" + std::string(name(info.param.law)) + "_" +
                     zoo()[info.param.specimen].name;
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

INSTANTIATE_TEST_SUITE_P(Contacts, ContactContract, testing::ValuesIn(cases()), case_name);

// Every law has methods that solve the whole zoo.
TEST(ContactZoo, EveryProblemIsSolvedUnderEveryLaw) {
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::diamond, FrictionLaw::box}) {
    for (const Specimen& specimen : zoo()) {
      Result result;
      make_contact_solver(law, specimen.problem.dimension, "auto")->solve(specimen.problem, {}, result);
      EXPECT_TRUE(result.solved()) << name(law) << " on " << specimen.name << ": " << result.message;
    }
  }
}

// Methods that work on islands keep their storage.
TEST(ContactZoo, PiecesAllocateNothingTheSecondTime) {
  for (const std::string name : {"auto", "nsgs", "nsn", "prox", "ncp-ipm", "admm", "eg"}) {
    for (const Specimen& specimen : zoo()) {
      const auto solver = make_contact_solver(FrictionLaw::coulomb, specimen.problem.dimension, name);
      Result result;
      solver->solve(specimen.problem, {.tolerance = 1e-6}, result);
      solver->solve(specimen.problem, {.tolerance = 1e-6}, result);
      if (!result.solved()) continue;  // a message is written
      const std::size_t before = allocations();
      solver->solve(specimen.problem, {.tolerance = 1e-6}, result);
      EXPECT_EQ(allocations() - before, 0u) << name << " on " << specimen.name;
    }
  }
}

}  // namespace slipstick::internal::contact_contract_test
