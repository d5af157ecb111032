// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The contract of warm starts. For every method, the solution as the start costs one product and no
// iteration. If the load turns slowly, methods that claim warm starts need at most a third of the iterations
// of a cold start.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/scenes/disk_pyramid.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::warm_start_test {

constexpr double drift = 1e-4;  // radians from one problem to the next
constexpr double tolerance = 1e-6;
constexpr int problems = 3;

// Problem k has the load cos(k drift) first + sin(k drift) second.
template <class ProblemType>
struct Sequence {
  std::string name;
  ProblemType problem;
  Vector first, second;
  FrictionLaw law = FrictionLaw::convex;

  const ProblemType& at(int k) {
    const Vector load = std::cos(k * drift) * first + std::sin(k * drift) * second;
    if constexpr (requires { problem.q; }) problem.q = load;
    if constexpr (requires { problem.b; }) problem.b = load;
    return problem;
  }
};
using ConvexSequence = Sequence<Problem>;
using ContactSequence = Sequence<LocalContactProblem>;

// The second load is -A y, so that the solution moves no more than y does, in the norm of A.
ConvexSequence turning(const std::string& name, const KnownProblem& known) {
  const Vector y = known.x.reverse();
  Vector second(y.size());
  known.problem.A.multiply(y, second);
  return {name, known.problem, known.problem.b, -second};
}

// The weight of all bodies turns sideways.
ContactSequence tilted(const std::string& name, GlobalContactProblem heap, FrictionLaw law) {
  const int dofs = heap.dimension == 3 ? 6 : 3, down = heap.dimension - 1;
  const LocalContactProblem local = CondensedProblem(heap).local();
  for (Index body = 0; body < heap.f.size(); body += dofs) std::swap(heap.f[body], heap.f[body + down]);
  return {name, local, local.q, CondensedProblem(heap).local().q, law};
}

ContactSequence spheres(FrictionLaw law) {
  const PackingOptions options{.spheres = sanitized ? 12 : 24};
  return tilted("spheres", sphere_packing(options), law);
}
ContactSequence disks(FrictionLaw law) {
  return tilted("disks", disk_pyramid({.width = 10, .layers = 3, .slope = 0.1}), law);
}

std::vector<ConvexSequence> convex_sequences() {
  std::vector<ConvexSequence> list;
  RandomBoxOptions options{.rows = sanitized ? 60 : 200, .condition = 1e3};
  list.push_back(turning("lcp", random_lcp(options)));
  options.free = options.two_sided = 0.3;
  list.push_back(turning("boxed", random_box(options)));
  const ContactSequence heap = spheres(FrictionLaw::convex);
  LocalContactProblem sideways = heap.problem;
  sideways.q = heap.second;
  list.push_back({"cones", impulse_problem(heap.problem, heap.law).problem, {}, {}});
  list.back().first = list.back().problem.b;
  list.back().second = impulse_problem(sideways, heap.law).problem.b;
  return list;
}

std::vector<ContactSequence> contact_sequences() {
  using enum FrictionLaw;
  return {disks(coulomb), spheres(coulomb), disks(diamond), spheres(box)};
}

// solve(problem, start, result): iterations of the problems behind the first.
struct Iterations {
  std::int64_t cold = 0, warm = 0;
};
template <class ProblemType, class Solve>
Iterations count(Sequence<ProblemType>& sequence, Vector Solution::*unknowns, const Solve& solve) {
  Iterations sum;
  Result result;
  WarmStart start;
  for (int k = 0; k <= problems; ++k) {
    const ProblemType& problem = sequence.at(k);
    // One that gives up has needed more than it took.
    solve(problem, nullptr, result);
    if (k > 0) sum.cold += result.counts.iterations;
    if (k > 0) {
      solve(problem, &start, result);
      EXPECT_TRUE(result.solved()) << sequence.name << ": " << result.message;
      sum.warm += result.counts.iterations;
    } else if (!result.solved()) {
      return {};  // nothing to start from
    }
    start.x = result.*unknowns;
    solve(problem, &start, result);
    EXPECT_TRUE(result.solved());
    EXPECT_EQ(result.counts.iterations, 0) << sequence.name;
    EXPECT_EQ(result.counts.products, 1) << sequence.name;
    EXPECT_EQ(result.counts.factorizations, 0) << sequence.name;
  }
  return sum;
}

TEST(WarmStart, ConvexMethodsNeedAThirdOfTheIterations) {
  int claims = 0;
  for (ConvexSequence& sequence : convex_sequences()) {
    for (const CatalogRow& row : catalog()) {
      const auto solver = make_solver(row.name);
      if (!solver->explain_unsupported(sequence.problem).empty()) continue;
      const Iterations sum =
          count(sequence, &Solution::x, [&](const Problem& problem, const WarmStart* start, Result& result) {
            solver->solve(problem, {.tolerance = tolerance}, result, start);
          });
      if (!row.warm_start || sum.cold == 0) continue;
      EXPECT_LE(3 * sum.warm, sum.cold) << row.name << " on " << sequence.name;
      ++claims;
    }
  }
  EXPECT_GE(claims, 50);
}

TEST(WarmStart, ContactMethodsNeedAThirdOfTheIterations) {
  int claims = 0;
  for (ContactSequence& sequence : contact_sequences()) {
    for (const ContactMethod& row : contact_methods()) {
      if (!row.warm_start || !takes_contacts(sequence.law, sequence.problem.dimension, row.name)) continue;
      const auto solver = make_contact_solver(sequence.law, sequence.problem.dimension, row.name);
      const Iterations sum =
          count(sequence, &Solution::r,
                [&](const LocalContactProblem& problem, const WarmStart* start, Result& result) {
                  solver->solve(problem, {.tolerance = tolerance}, result, start);
                });
      if (sum.cold == 0) continue;
      // Newton's method needs a step or two from anywhere near.
      EXPECT_LE(sum.warm, std::max<std::int64_t>(sum.cold / 3, 2 * problems))
          << row.name << " on " << sequence.name << ", " << sum.cold << " without a start";
      ++claims;
    }
  }
  EXPECT_GE(claims, 14);
}

// Under Coulomb's law `auto` counts sweeps and Newton steps together, so this bound is wider.
TEST(WarmStart, AutoNeedsFewerIterations) {
  for (ContactSequence& sequence : contact_sequences()) {
    if (sequence.law != FrictionLaw::coulomb) continue;
    const auto solver = make_contact_solver(sequence.law, sequence.problem.dimension, "auto");
    const Iterations sum =
        count(sequence, &Solution::r,
              [&](const LocalContactProblem& problem, const WarmStart* start, Result& result) {
                solver->solve(problem, {.tolerance = tolerance}, result, start);
              });
    EXPECT_GT(sum.cold, 0);
    EXPECT_LE(3 * sum.warm, 2 * sum.cold) << sequence.name;
  }
  for (ConvexSequence& sequence : convex_sequences()) {
    Driver driver({.settings = {.tolerance = tolerance}});
    DriverResult kept;
    const Iterations sum =
        count(sequence, &Solution::x, [&](const Problem& problem, const WarmStart* start, Result& result) {
          driver.solve(problem, kept, start);
          result = kept;
        });
    EXPECT_GT(sum.cold, 0);
    // A method that finds the active set in two iterations has nothing to gain.
    EXPECT_TRUE(3 * sum.warm <= sum.cold || sum.warm <= 2 * problems) << sequence.name << ": " << sum.warm;
  }
}

// A start that is far away, beyond all reason, or of another size, does no harm.
TEST(WarmStart, BadStartsAreHarmless) {
  const auto worst = [](const Vector& solution) {
    WarmStart start{Vector(solution.size())};
    const double size = 10.0 * solution.cwiseAbs().mean();
    for (Index i = 0; i < solution.size(); ++i) start.x[i] = i % 2 == 0 ? size : -size;
    return start;
  };
  for (ConvexSequence& sequence : convex_sequences()) {
    const Problem& problem = sequence.at(0);
    for (const CatalogRow& row : catalog()) {
      const auto solver = make_solver(row.name);
      if (!solver->explain_unsupported(problem).empty()) continue;
      Result cold, result;
      solver->solve(problem, {.tolerance = 1e-4, .time_limit = 2.0}, cold);
      for (const WarmStart& start :
           {worst(cold.x), WarmStart{Vector::Ones(3)}, WarmStart{Vector::Constant(cold.x.size(), 1e300)}}) {
        solver->solve(problem, {.tolerance = 1e-4, .time_limit = 2.0}, result, &start);
        EXPECT_TRUE(result.solved() || !cold.solved())
            << row.name << " on " << sequence.name << ": " << result.message;
      }
    }
  }
  for (ContactSequence& sequence : contact_sequences()) {
    const LocalContactProblem& problem = sequence.at(0);
    const auto solver = make_contact_solver(sequence.law, problem.dimension, "auto");
    Result result;
    solver->solve(problem, {.tolerance = 1e-4}, result);
    for (const WarmStart& start : {worst(result.r), WarmStart{Vector::Ones(3)}}) {
      solver->solve(problem, {.tolerance = 1e-4}, result, &start);
      EXPECT_TRUE(result.solved()) << sequence.name << ": " << result.message;
    }
    // All methods forget what is beyond all reason.
    const WarmStart beyond{Vector::Constant(problem.q.size(), 1e300)};
    for (const ContactMethod& row : contact_methods()) {
      if (!takes_contacts(sequence.law, problem.dimension, row.name)) continue;
      const Settings settings{.tolerance = 1e-2, .max_iterations = 50};
      Result cold;
      make_contact_solver(sequence.law, problem.dimension, row.name)->solve(problem, settings, cold);
      make_contact_solver(sequence.law, problem.dimension, row.name)
          ->solve(problem, settings, result, &beyond);
      EXPECT_EQ(result.r, cold.r) << row.name << " on " << sequence.name;
    }
  }
}

}  // namespace slipstick::internal::warm_start_test
