// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/error_descent.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/interruption.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs_fast.hpp"
#include "tests/contact/coulomb_cases.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::error_descent_test {

// A problem of one island, a point, and a target such that the error of the point is `excess` times it.
struct Case {
  LocalContactProblem problem;
  ContactBlocks blocks;
  Vector r, u;
  Counts counts;
  Settings settings{.tolerance = 1.0};
  Monitor monitor{settings, 1, nullptr};
  CoulombTarget target{};

  Case(LocalContactProblem given, const Vector& start, double excess, bool boxes = false)
      : problem(std::move(given)) {
    blocks.set_boxes(boxes);
    blocks.prepare(problem);
    blocks.gather(start, r);
    u.resize(r.size());
    blocks.velocities(island(), r, u);
    const ContactErrors errors = island_errors(blocks, island(), r, u);
    target = {.scaled = std::sqrt(errors.scaled) / excess, .published = std::sqrt(errors.published) / excess};
  }
  const Island& island() const { return blocks.islands().front(); }
  double error(const Vector& x) {
    blocks.velocities(island(), x, u);
    return relative_error(island_errors(blocks, island(), x, u), target);
  }
  double descend() {
    ErrorDescent descent;
    return descent.run({blocks, island(), target, monitor, counts, r}, error(r), r);
  }
};

// Impulses after some sweeps.
Vector swept(const LocalContactProblem& problem, int sweeps) {
  NsgsFast method;
  return solve_coulomb(method, problem, 1e-14, sweeps).r;
}

void expect_fall(Case& test, double share) {
  const double before = test.error(test.r);
  const double after = test.descend();
  EXPECT_LE(after, share * before);
  EXPECT_NEAR(after, test.error(test.r), 1e-12 * before);
}

TEST(ErrorDescent, LowersTheErrorOfSweepsOverAHeap) {
  const LocalContactProblem heap = sphere_contacts(sanitized ? 60 : 200, 0.3, 1);
  for (const int sweeps : {100, 300}) {
    Case test(heap, swept(heap, sweeps), 1.3);
    expect_fall(test, 0.9);
  }
}

TEST(ErrorDescent, LowersTheErrorOfContactsJointsAndLimits) {
  for (const int dimension : {2, 3}) {
    const LocalContactProblem problem = limits_and_motors(dimension, 1);
    Case test(problem, swept(problem, 5), 1.3);
    expect_fall(test, 0.9);
  }
}

// Near a solution where no contact changes its state, the equations are nearly linear.
TEST(ErrorDescent, FindsTheSolutionNearby) {
  for (const int dimension : {2, 3}) {
    const LocalContactProblem problem = random_contacts({.dimension = dimension, .contacts = 6, .dofs = 40});
    Vector r = swept(problem, 20000);
    Random random(1);
    for (double& x : r) x *= 1.0 + 1e-6 * random.uniform(-1.0, 1.0);
    Case test(problem, r, 1.3);
    expect_fall(test, 1.0 / 1.3);
  }
}

TEST(ErrorDescent, LeavesWhatIsSolvedOrOutOfReachOrHasBoxes) {
  const LocalContactProblem heap = sphere_contacts(40, 0.3, 1);
  const Vector r = swept(heap, 100);
  for (const double excess : {0.9, 1.5}) {
    Case test(heap, r, excess);
    const Vector before = test.r;
    EXPECT_NEAR(test.descend(), excess, 1e-12);
    EXPECT_EQ(test.r, before);
  }
  Case boxes(heap, r, 1.3, true);
  const Vector before = boxes.r;
  boxes.descend();
  EXPECT_EQ(boxes.r, before);
}

TEST(ErrorDescent, LooksAtTheClock) {
  const LocalContactProblem heap = sphere_contacts(40, 0.3, 1);
  Case test(heap, swept(heap, 100), 1.3);
  const Interruption interruption(1e-9, nullptr, 1.0);
  EXPECT_THROW(test.descend(), Interrupted);
}

TEST(ErrorDescent, MakesNothingWorseIfTheMatrixIsNotSymmetric) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const LocalContactProblem problem = random_contacts({.asymmetry = 0.3, .seed = seed});
    Case test(problem, swept(problem, 3), 1.3);
    expect_fall(test, 1.0);
  }
}

TEST(ErrorDescent, TakesImpulsesOfZeroAndContactsWithoutFriction) {
  LocalContactProblem problem = random_contacts({.contacts = 4, .friction = 0.0});
  Case test(problem, Vector::Zero(problem.q.size()), 1.3);
  expect_fall(test, 1.0);
}

}  // namespace slipstick::internal::error_descent_test
