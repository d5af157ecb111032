// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Contacts in the plane and in space, limits, motors, joints and compliance in one problem of bodies, under
// every law and by every method that takes it. The answers are compared with those of a dense iteration that
// is written here, from the laws alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/body_problem.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::row_blocks_test {

constexpr FrictionLaw laws[] = {FrictionLaw::none, FrictionLaw::convex, FrictionLaw::coulomb,
                                FrictionLaw::diamond, FrictionLaw::box};

// Which rows a problem has.
struct Blocks {
  const char* name;
  bool plane, space, bounded, joints;
};
constexpr Blocks all_blocks[] = {
    {"plane", true, false, false, false},        {"space", false, true, false, false},
    {"mixed", true, true, false, false},         {"plane_bounded", true, false, true, false},
    {"space_bounded", false, true, true, false}, {"plane_joints", true, false, false, true},
    {"space_joints", false, true, false, true},  {"bounded", false, false, true, false},
    {"joints", false, false, false, true},       {"everything", true, true, true, true}};

// Three bodies on each other and on the world.
BodyProblem bodies_with(const Blocks& blocks, double compliance) {
  Random random(7);
  const auto numbers = [&](Index size) { return SmallVector(random_vector(size, random)); };
  const auto same = [&](Index rows) { return SmallVector(SmallVector::Constant(rows, compliance)); };
  BodyProblem problem;
  problem.reset(3);
  for (Index body = 0; body < 3; ++body) {
    const DenseMatrix root = random_matrix(6, 6, random.bits());
    problem.set_body(body, {SmallMatrix::Identity(6, 6) + SmallMatrix(0.1 * root * root.transpose()),
                            numbers(6), numbers(6)});
  }
  std::uint64_t key = 0;
  for (const auto& [first, second] : {std::pair{0, -1}, {0, 1}, {1, 2}}) {
    const auto add_contact = [&](Index rows) {
      const DenseMatrix axes = orthonormal_columns(random_matrix(3, 3, random.bits()));
      problem.add_contact(++key, {.bodies = {first, second},
                                  .frame = axes.transpose().topRows(rows),
                                  .arms = {0.3 * numbers(3), 0.3 * numbers(3)},
                                  .mu = 0.15,
                                  .bias = numbers(rows),
                                  .compliance = same(rows)});
    };
    if (blocks.joints && second != 2) {
      problem.add_rows(++key,
                       {.bodies = {first, second},
                        .jacobians = {random_matrix(2, 6, random.bits()), random_matrix(2, 6, random.bits())},
                        .bias = numbers(2),
                        .compliance = same(2)});
    }
    if (blocks.plane) add_contact(2);
    if (blocks.space) add_contact(3);
    if (blocks.bounded) {
      problem.add_rows(++key,
                       {.bodies = {first, second},
                        .jacobians = {random_matrix(2, 6, random.bits()), random_matrix(2, 6, random.bits())},
                        .bias = numbers(2),
                        .lower = {-0.1, 0.0},
                        .upper = {0.2, infinity},
                        .compliance = same(2)});
    }
  }
  return problem;
}

// x <- the projection on the set of a contact's impulses. The law of boxes and diamonds bounds friction by
// x_N.
void project(FrictionLaw law, double mu, Eigen::Ref<Vector> x) {
  auto tangents = x.tail(x.size() - 1);
  const double length = tangents.norm();
  switch (law) {
    case FrictionLaw::none:
      tangents.setZero();
      x[0] = std::max(0.0, x[0]);
      return;
    case FrictionLaw::coulomb:
    case FrictionLaw::convex: {
      if (length <= mu * x[0]) return;
      const double normal = std::max(0.0, (x[0] + mu * length) / (1.0 + mu * mu));
      tangents *= mu * normal / length;
      x[0] = normal;
      return;
    }
    default: {
      x[0] = std::max(0.0, x[0]);
      const double radius = mu * x[0];
      if (law == FrictionLaw::box || x.size() == 2) {
        tangents = tangents.cwiseMax(-radius).cwiseMin(radius).eval();
        return;
      }
      // |a| + |b| <= radius is a box of half this size along a + b and a - b.
      const double sum = std::clamp(x[1] + x[2], -radius, radius),
                   rest = std::clamp(x[1] - x[2], -radius, radius);
      x[1] = 0.5 * (sum + rest);
      x[2] = 0.5 * (sum - rest);
    }
  }
}

// Block Gauss-Seidel with short projected steps on a dense matrix.
Vector reference_velocities(const LocalContactProblem& problem, FrictionLaw law) {
  const DenseMatrix W = dense(problem.W);
  const Index d = problem.dimension, contact_rows = problem.contact_rows();
  Vector r = Vector::Zero(problem.q.size());
  double change = 1.0;
  for (int sweep = 0; sweep < 200000 && change > 1e-15 * (1.0 + r.norm()); ++sweep) {
    const Vector before = r;
    for (Index i = 0; i < problem.contacts(); ++i) {
      const Index first = d * i;
      Vector u = W.middleRows(first, d) * r + problem.q.segment(first, d);
      if (law == FrictionLaw::coulomb) u[0] += problem.mu[i] * u.tail(d - 1).norm();
      Vector x = r.segment(first, d) - u / (1.5 * W.block(first, first, d, d).trace());
      project(law, problem.mu[i], x);
      r.segment(first, d) = x;
    }
    for (Index row = contact_rows; row < r.size(); ++row) {
      const double u = W.row(row).dot(r) + problem.q[row];
      r[row] = std::clamp(r[row] - u / W(row, row), problem.lower[row - contact_rows],
                          problem.upper[row - contact_rows]);
    }
    change = (r - before).norm();
  }
  return W * r + problem.q;
}

struct Case {
  const Blocks* blocks;
  double compliance;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const Blocks& blocks : all_blocks)
    for (const double compliance : {0.0, 1e-8, 1e-4}) list.push_back({&blocks, compliance});
  return list;
}

class RowBlocks : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, RowBlocks, testing::ValuesIn(cases()), [](const auto& value) {
  const double c = value.param.compliance;
  return std::string(value.param.blocks->name) + (c == 0.0 ? "_rigid" : c < 1e-6 ? "_stiff" : "_soft");
});

TEST_P(RowBlocks, EveryLawByEveryMethodThatTakesIt) {
  const BodyProblem bodies = bodies_with(*GetParam().blocks, GetParam().compliance);
  const auto& problem = std::get<LocalContactProblem>(bodies.contact_form());
  for (const FrictionLaw law : laws) {
    const Vector u = reference_velocities(problem, law);
    int solved = 0;
    const auto expect_answer = [&](std::string_view solver) {
      SCOPED_TRACE(std::string(name(law)) + " by " + std::string(solver));
      DriverResult result;
      try {
        result = solve(problem, {.settings = {.tolerance = 1e-9, .time_limit = 10.0},
                                 .solver = std::string(solver),
                                 .friction = law});
      } catch (const Error&) {
        return;  // a method for another law
      }
      if (result.status == Status::unsupported) {
        EXPECT_FALSE(result.message.empty());
        const ContactMethod* method = find_contact_method(solver);
        EXPECT_TRUE(method == nullptr || method->needs_device) << result.message;
        return;
      }
      if (solver == "auto" || solver == "ncp-ipm") {
        EXPECT_TRUE(result.solved()) << result.message;
      }
      if (!result.solved()) return;
      ++solved;
      EXPECT_LE((result.u - u).norm(), 1e-6 * problem.q.norm());
    };
    expect_answer("auto");
    for (const ContactMethod& method : contact_methods()) expect_answer(method.name);
    for (const CatalogRow& row : catalog()) expect_answer(row.name);
    EXPECT_GE(solved, 5) << name(law);
  }
}

}  // namespace slipstick::internal::row_blocks_test
