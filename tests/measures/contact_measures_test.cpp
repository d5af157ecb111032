// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::contact_measures_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr FrictionLaw laws[] = {FrictionLaw::none, FrictionLaw::convex, FrictionLaw::coulomb};

LocalContactProblem one_contact(const DenseMatrix& W, const Vector& q, double mu) {
  return {static_cast<int>(q.size()), W, q, vec({mu})};
}

Measures measures_of(const LocalContactProblem& problem, FrictionLaw law, const Vector& r) {
  Solution solution;
  solution.r = r;
  Measures measures;
  measure(problem, law, solution, measures);
  return measures;
}

Measures measures_of(const GlobalContactProblem& problem, FrictionLaw law, const Vector& r,
                     const Vector& v = Vector(0)) {
  Solution solution;
  solution.r = r;
  solution.v = v;
  Measures measures;
  measure(problem, law, solution, measures);
  return measures;
}

TEST(LocalContact, RestingContactSolvesEveryLaw) {
  const LocalContactProblem problem = one_contact(vec({1, 2, 3}).asDiagonal(), vec({-1, 0, 0}), 0.5);
  for (const FrictionLaw law : laws) {
    const Measures m = measures_of(problem, law, vec({1, 0, 0}));
    EXPECT_EQ(m.scaled_natural_map, 0.0) << name(law);
    EXPECT_EQ(m.desaxce, 0.0) << name(law);
  }
}

TEST(LocalContact, SlidingContactByHand) {
  // mu = 1/2, W = I: Coulomb slides with r = (1, 1/2, 0), u = (0, -3/2, 0).
  const LocalContactProblem problem = one_contact(DenseMatrix::Identity(3, 3), vec({-1, -2, 0}), 0.5);
  const Vector r = vec({1, 0.5, 0});
  Solution solution;
  solution.r = r;
  Measures m;
  measure(problem, FrictionLaw::coulomb, solution, m);
  EXPECT_NEAR(m.scaled_natural_map, 0.0, 1e-15);
  EXPECT_NEAR(m.desaxce, 0.0, 1e-15);
  EXPECT_EQ(solution.u, vec({0, -1.5, 0}));
  // Without the shift, r - u = (1, 2, 0) projects to (1.6, 0.8, 0); ||q|| = sqrt(5) is the largest norm.
  m = measures_of(problem, FrictionLaw::convex, r);
  EXPECT_DOUBLE_EQ(m.desaxce, std::sqrt(0.45 / 5.0));
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, std::sqrt(0.45 / 5.0));
  // Without friction r_T must vanish, and that is all that is wrong.
  m = measures_of(problem, FrictionLaw::none, r);
  EXPECT_DOUBLE_EQ(m.desaxce, 0.5 / std::sqrt(5.0));
  EXPECT_EQ(measures_of(problem, FrictionLaw::none, vec({1, 0, 0})).desaxce, 0.0);
  // The convex law's solution lifts off: r = (1.6, 0.8, 0), u = (0.6, -1.2, 0), u_N = mu ||u_T||.
  EXPECT_NEAR(measures_of(problem, FrictionLaw::convex, vec({1.6, 0.8, 0})).scaled_natural_map, 0.0, 1e-15);
  EXPECT_GT(measures_of(problem, FrictionLaw::coulomb, vec({1.6, 0.8, 0})).scaled_natural_map, 0.1);
}

TEST(LocalContact, TheScaleIsTheMeanDiagonal) {
  // d = 2; r = 0, u = q = (-3, 0, 4), mu = 1. Coulomb: u^ = (1, 0, 4), -u^/d = (-0.5, 0, -2) projects to
  // 0.75 (1, 0, -1); d ||e|| = 2 0.75 sqrt(2). Unscaled: -u^ projects to 1.5 (1, 0, -1).
  const LocalContactProblem problem = one_contact(vec({1, 2, 3}).asDiagonal(), vec({-3, 0, 4}), 1.0);
  const Measures m = measures_of(problem, FrictionLaw::coulomb, vec({0, 0, 0}));
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, 1.5 * std::sqrt(2.0) / 5.0);
  EXPECT_DOUBLE_EQ(m.desaxce, 1.5 * std::sqrt(2.0) / 5.0);
  // With r in play the two differ: r = (1, 0, 0), u = (-2, 0, 4). Scaled: r - u/2 = (2, 0, -2) projects to
  // itself under the convex law, so d e = u. Unscaled: r - u = (3, 0, -4) projects to 3.5 (1, 0, -1).
  const Measures moved = measures_of(problem, FrictionLaw::convex, vec({1, 0, 0}));
  EXPECT_DOUBLE_EQ(moved.scaled_natural_map, std::sqrt(20.0) / 5.0);
  EXPECT_DOUBLE_EQ(moved.desaxce, std::sqrt(2.5 * 2.5 + 3.5 * 3.5) / 5.0);
}

TEST(LocalContact, PlaneProblem) {
  // Two contacts, the second one open. mu = 1/2: the first slides as in three dimensions.
  const LocalContactProblem problem = {2, DenseMatrix(DenseMatrix::Identity(4, 4)), vec({-1, -2, 3, 1}),
                                       vec({0.5, 0.5})};
  EXPECT_NEAR(measures_of(problem, FrictionLaw::coulomb, vec({1, 0.5, 0, 0})).scaled_natural_map, 0.0, 1e-15);
  const Measures m = measures_of(problem, FrictionLaw::coulomb, vec({1, 0.5, 2, 0}));
  // r_N u_N = 2 x 5 > 0: the step (2, 0) - (5.5, 1) projects to 0, so e = (2, 0).
  EXPECT_DOUBLE_EQ(m.desaxce, 2.0 / std::sqrt(25.0 + 1.0 + 1.5 * 1.5));
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, 2.0 / std::sqrt(15.0));
}

TEST(LocalContact, DeSaxceErrorDividesByTheLargestNorm) {
  // r = (2, 0, 0), u = W r + q: e = r - max(0, r - u) with u_N = 2 s - 1.
  for (const double s : {0.25, 1.0, 8.0}) {
    const LocalContactProblem problem = one_contact(s * DenseMatrix::Identity(3, 3), vec({-1, 0, 0}), 0.3);
    const double u = 2.0 * s - 1.0;
    const double e = 2.0 - std::max(0.0, 2.0 - u);
    const Measures m = measures_of(problem, FrictionLaw::coulomb, vec({2, 0, 0}));
    EXPECT_DOUBLE_EQ(m.desaxce, std::abs(e) / std::max({1.0, 2.0, std::abs(u)})) << s;
  }
}

TEST(LocalContact, JointsEnterWithTheirVelocity) {
  LocalContactProblem problem = one_contact(DenseMatrix::Identity(3, 3), vec({-2, 0, 0}), 0.5);
  add_joints(csr_from_dense(mat({{0.5}, {0}, {0}})), csr_from_dense(mat({{2}})), vec({-1.5}), problem);
  // u_N = r + l/2 - 2 = 0 and r/2 + 2 l - 3/2 = 0: l = 2/7, r = 13/7.
  EXPECT_NEAR(measures_of(problem, FrictionLaw::coulomb, vec({13.0 / 7.0, 0, 0, 2.0 / 7.0})).desaxce, 0.0,
              1e-15);
  // r = 3/2, l = 1: u_N = 0, velocity 5/4.
  const Measures m = measures_of(problem, FrictionLaw::coulomb, vec({1.5, 0, 0, 1}));
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, 1.25 / std::sqrt(2.0) / std::sqrt(4.0 + 2.25 / 2.0));
  EXPECT_DOUBLE_EQ(m.desaxce, 1.25 / std::hypot(2.0, 1.5));
}

TEST(LocalContact, AgreesWithTheRulerOfTheConvexProblem) {
  Random random(5);
  const Index contacts = 6;
  DenseMatrix a = DenseMatrix::NullaryExpr(3 * contacts, 3 * contacts, [&] { return random.normal(); });
  a = (a * a.transpose()).eval();
  const Vector q = Vector::NullaryExpr(3 * contacts, [&] { return random.normal(); });
  const Vector r = Vector::NullaryExpr(3 * contacts, [&] { return random.normal(); });
  const Vector mu = Vector::NullaryExpr(contacts, [&] { return random.uniform(0.0, 1.0); });
  const LocalContactProblem problem = {3, a, q, mu};
  const Problem cones = {a, q, ProductSet::cones(mu, 3)};
  Ruler ruler;
  ruler.prepare(cones);
  EXPECT_NEAR(measures_of(problem, FrictionLaw::convex, r).scaled_natural_map, ruler(r, a * r + q), 1e-13);
}

TEST(LocalContact, NothingToDivideBy) {
  const LocalContactProblem problem = one_contact(DenseMatrix::Identity(3, 3), vec({0, 0, 0}), 0.5);
  for (const FrictionLaw law : laws) {
    EXPECT_EQ(measures_of(problem, law, vec({0, 0, 0})).scaled_natural_map, 0.0);
    EXPECT_EQ(measures_of(problem, law, vec({0, 0, 0})).desaxce, 0.0);
    EXPECT_EQ(measures_of(problem, law, vec({1, 0, 0})).scaled_natural_map, infinity);
  }
  const LocalContactProblem none = {3, DenseMatrix(0, 0), Vector(0), Vector(0)};
  EXPECT_EQ(measures_of(none, FrictionLaw::coulomb, Vector(0)).scaled_natural_map, 0.0);
  EXPECT_EQ(measures_of(none, FrictionLaw::coulomb, Vector(0)).desaxce, 0.0);
}

// Two opposed contacts squeeze a body: impulses t (1, 0, 0, 1, 0, 0) do nothing, and W is singular.
LocalContactProblem squeezed(double scale, double unit) {
  DenseMatrix W = DenseMatrix::Identity(6, 6);
  W(0, 3) = W(3, 0) = -1.0;
  const Vector q = vec({-3, 1, 0, 4, 0, 1});
  return {3, DenseMatrix(scale * W), scale * unit * q, vec({0.5, 0.5})};
}

TEST(LocalContact, HugeImpulseFoolsTheRelativeErrorButNotTheRuler) {
  const Vector r = 1e12 * vec({1, 0, 0, 1, 0, 0});
  for (const FrictionLaw law : laws) {
    const Measures m = measures_of(squeezed(1.0, 1.0), law, r);
    EXPECT_LT(m.desaxce, 1e-8) << name(law);
    EXPECT_GT(m.scaled_natural_map, 0.5) << name(law);
  }
  EXPECT_GT(measures_of(squeezed(1.0, 1.0), FrictionLaw::coulomb, 1e5 * r).scaled_natural_map, 0.5);
}

TEST(LocalContact, ImpulseBeyondAllBoundsIsNoSolution) {
  // Finite entries whose squares are not.
  const Measures m = measures_of(squeezed(1.0, 1.0), FrictionLaw::coulomb, 1e200 * vec({1, 0, 0, 1, 0, 0}));
  EXPECT_GT(m.desaxce, 1.0);
  EXPECT_GT(m.scaled_natural_map, 0.5);
}

TEST(LocalContact, ScaledMapDoesNotDependOnUnits) {
  const Vector r = vec({0.7, 0.2, -0.1, 0.3, 0.4, 0.1});
  for (const FrictionLaw law : laws) {
    const double error = measures_of(squeezed(1.0, 1.0), law, r).scaled_natural_map;
    EXPECT_GT(error, 0.1);
    for (const double scale : {1e-5, 3.0, 1e8}) {
      for (const double unit : {1e-9, 7.0, 1e6}) {
        EXPECT_NEAR(measures_of(squeezed(scale, unit), law, unit * r).scaled_natural_map, error,
                    1e-13 * error);
      }
    }
  }
}

TEST(LocalContact, NotANumberIsNeverSmall) {
  for (const FrictionLaw law : laws) {
    for (const double bad : {nan, infinity, -infinity}) {
      for (Index i = 0; i < 6; ++i) {
        Vector r = Vector::Zero(6);
        r[i] = bad;
        const Measures m = measures_of(squeezed(1.0, 1.0), law, r);
        EXPECT_FALSE(m.scaled_natural_map < infinity);
        EXPECT_FALSE(m.desaxce < infinity);
      }
    }
  }
}

TEST(LocalContact, WrongSizesAreRefused) {
  EXPECT_THROW(measures_of(squeezed(1.0, 1.0), FrictionLaw::none, Vector::Zero(5)), Error);
  LocalContactProblem problem = one_contact(DenseMatrix::Identity(3, 3), vec({-2, 0, 0}), 0.5);
  add_joints(csr_from_dense(mat({{1}, {0}, {0}})), csr_from_dense(mat({{2}})), vec({-1.5}), problem);
  EXPECT_THROW(measures_of(problem, FrictionLaw::none, Vector::Zero(3)), Error);
}

TEST(WorstContacts, WorstFirst) {
  // Contact 0 is open, 1 pulls with r_N = -1 (d = 1), 2 penetrates with u_N = -3; ||q|| = 4.
  Solution solution;
  solution.r = vec({0, 0, -1, 0, 0, 0});
  solution.u = vec({1, 0, 0, 0, -3, 0});
  const LocalContactProblem problem = {2, DenseMatrix(DenseMatrix::Identity(6, 6)), 4.0 * Vector::Unit(6, 0),
                                       vec({0.5, 0.5, 0.5})};
  std::vector<WorstRow> worst = worst_contacts(problem, FrictionLaw::coulomb, solution, 9);
  ASSERT_EQ(worst.size(), 3u);
  EXPECT_EQ(worst[0].index, 2);
  EXPECT_DOUBLE_EQ(worst[0].error, 0.75);
  EXPECT_EQ(worst[1].index, 1);
  EXPECT_DOUBLE_EQ(worst[1].error, 0.25);
  EXPECT_EQ(worst[2].index, 0);
  EXPECT_EQ(worst[2].error, 0.0);
  solution.u[1] = nan;
  worst = worst_contacts(problem, FrictionLaw::coulomb, solution, 1);
  ASSERT_EQ(worst.size(), 1u);
  EXPECT_EQ(worst[0].index, 0);
  EXPECT_EQ(worst[0].error, infinity);
}

// A ball of mass 2 on the ground, u = v + w, thrown against it: q = f / 2.
GlobalContactProblem ball() {
  return {.M = csr_from_dense(vec({2, 2, 2}).asDiagonal()),
          .H = csr_from_dense(DenseMatrix::Identity(3, 3)),
          .f = vec({-2, -4, 0}),
          .w = vec({0, 0, 0}),
          .mu = vec({0.5})};
}

TEST(GlobalContact, SlidingBallByHand) {
  // As the sliding contact above with d = 1/2: r = (2, 1, 0), v = u = (0, -3/2, 0).
  const Vector r = vec({2, 1, 0});
  Solution solution;
  solution.r = r;
  Measures m;
  measure(ball(), FrictionLaw::coulomb, solution, m);
  EXPECT_EQ(solution.v, vec({0, -1.5, 0}));
  EXPECT_EQ(solution.u, vec({0, -1.5, 0}));
  EXPECT_NEAR(m.scaled_natural_map, 0.0, 1e-15);
  EXPECT_NEAR(m.desaxce, 0.0, 1e-15);
  // Convex law: r - u = (2, 2.5, 0) projects to 2.6 (1, 1/2, 0); r - 2 u = (2, 4, 0) to 3.2 (1, 1/2, 0).
  m = measures_of(ball(), FrictionLaw::convex, r);
  EXPECT_DOUBLE_EQ(m.desaxce, std::sqrt(0.45) / std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, 0.5 * std::sqrt(1.2 * 1.2 + 0.6 * 0.6) / std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(measures_of(ball(), FrictionLaw::none, r).desaxce, 1.0 / std::sqrt(5.0));
}

TEST(GlobalContact, WrongVelocitiesByHand) {
  // v = (0, -3/2, 1) instead: residual f + H r - M v = (0, 0, -2), M v = (0, -3, 2).
  const Vector r = vec({2, 1, 0});
  const Vector v = vec({0, -1.5, 1});
  Measures m = measures_of(ball(), FrictionLaw::none, r, v);
  EXPECT_DOUBLE_EQ(m.desaxce, 2.0 / std::sqrt(20.0) + 1.0 / std::sqrt(5.0));
  // ||f|| = ||H q / d|| = sqrt(20), ||q|| = sqrt(5); the residual is a velocity of 1.
  EXPECT_DOUBLE_EQ(m.scaled_natural_map, std::sqrt(0.25 / 5.0 + 4.0 / 20.0 + 1.0 / 5.0));
}

// Bodies of 6 rows with a dense block each, or a chain in which every row is coupled; contacts, joints and a
// limit between bodies, with compliance.
GlobalContactProblem random_global(bool chain, std::uint64_t seed) {
  Random random(seed);
  const Index n = 24, contacts = 4, joints = 3;
  DenseMatrix m = DenseMatrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      if (chain ? i - j == 1 : i / 6 == j / 6) m(i, j) = m(j, i) = 0.3 * random.normal();
    }
    m(i, i) = random.uniform(4.0, 8.0);
  }
  const auto sparse = [&](Index columns) {
    DenseMatrix h(n, columns);
    for (double& value : h.reshaped()) value = random.uniform() < 0.3 ? random.normal() : 0.0;
    return csr_from_dense(h);
  };
  GlobalContactProblem problem{.M = csr_from_dense(m),
                               .H = sparse(3 * contacts),
                               .f = Vector::NullaryExpr(n, [&] { return random.normal(); }),
                               .w = Vector::NullaryExpr(3 * contacts, [&] { return random.normal(); }),
                               .mu = Vector::NullaryExpr(contacts, [&] { return random.uniform(0.0, 1.0); })};
  add_joints(sparse(joints), Vector::NullaryExpr(joints, [&] { return random.normal(); }), problem);
  problem.lower[1] = 0.1;
  problem.compliance = Vector::LinSpaced(problem.w.size(), 0.0, 0.2);
  return problem;
}

LocalContactProblem condensed(const GlobalContactProblem& p) {
  const DenseMatrix inverse = internal::inverse(DenseMatrix(p.M));
  const DenseMatrix H(p.H);
  DenseMatrix W = H.transpose() * inverse * H;
  W.diagonal() += p.compliance;
  return {3, W, H.transpose() * inverse * p.f + p.w, p.mu, p.lower, p.upper};
}

TEST(GlobalContact, AgreesWithItsLocalForm) {
  for (const bool chain : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const GlobalContactProblem problem = random_global(chain, seed);
      Random random(seed + 100);
      const Vector r = Vector::NullaryExpr(15, [&] { return random.normal(); });
      for (const FrictionLaw law : laws) {
        const double global = measures_of(problem, law, r).scaled_natural_map;
        const double local = measures_of(condensed(problem), law, r).scaled_natural_map;
        EXPECT_NEAR(global, local, 1e-12 * local) << chain << " " << seed << " " << name(law);
      }
    }
  }
}

TEST(GlobalContact, BodiesWithoutContactAreJudgedToo) {
  GlobalContactProblem problem = ball();
  problem.M = csr_from_dense(vec({2, 2, 2, 5}).asDiagonal());
  problem.H = csr_from_dense(DenseMatrix::Identity(4, 3));
  problem.f = vec({-2, -4, 0, 10});
  EXPECT_NEAR(
      measures_of(problem, FrictionLaw::coulomb, vec({2, 1, 0}), vec({0, -1.5, 0, 2})).scaled_natural_map,
      0.0, 1e-15);
  const Measures wrong = measures_of(problem, FrictionLaw::coulomb, vec({2, 1, 0}), vec({0, -1.5, 0, 3}));
  EXPECT_DOUBLE_EQ(wrong.scaled_natural_map, 5.0 / std::sqrt(120.0));
}

TEST(GlobalContact, LightBodiesAmongHeavyOnesAreJudgedToo) {
  // The light body's momentum is lost beside the heavy one's, its velocity is not.
  GlobalContactProblem problem{.dimension = 2,
                               .M = csr_from_dense(vec({1e-6, 1e-6, 1e6, 1e6}).asDiagonal()),
                               .H = csr_from_dense(DenseMatrix::Identity(4, 4)),
                               .f = vec({1e-6, 0, 1e6, 0}),
                               .w = Vector::Zero(4),
                               .mu = vec({0.5, 0.5})};
  const Measures right = measures_of(problem, FrictionLaw::coulomb, Vector::Zero(4), vec({1, 0, 1, 0}));
  EXPECT_EQ(right.scaled_natural_map, 0.0);
  const Measures wrong = measures_of(problem, FrictionLaw::coulomb, Vector::Zero(4), vec({2, 0, 1, 0}));
  EXPECT_LT(wrong.desaxce, 1e-11);
  EXPECT_NEAR(wrong.scaled_natural_map, 1.0 / std::sqrt(2.0), 1e-12);
}

TEST(GlobalContact, HugeImpulseFoolsTheRelativeErrorButNotTheRuler) {
  // The ball between two walls.
  GlobalContactProblem problem{.dimension = 2,
                               .M = csr_from_dense(vec({1, 1}).asDiagonal()),
                               .H = csr_from_dense(mat({{1, 0, -1, 0}, {0, 1, 0, 1}})),
                               .f = vec({-1, 2}),
                               .w = vec({0, 0, 3, 0}),
                               .mu = vec({0.5, 0.5})};
  for (const FrictionLaw law : laws) {
    const Measures m = measures_of(problem, law, 1e12 * vec({1, 0, 1, 0}));
    EXPECT_LT(m.desaxce, 1e-8) << name(law);
    EXPECT_GT(m.scaled_natural_map, 0.1) << name(law);
  }
}

TEST(GlobalContact, SingularMassLeavesTheRulerUndefined) {
  GlobalContactProblem problem = ball();
  problem.M = csr_from_dense(vec({2, 2, 0}).asDiagonal());
  Measures m = measures_of(problem, FrictionLaw::coulomb, vec({2, 1, 0}), vec({0, -1.5, 0}));
  EXPECT_TRUE(std::isnan(m.scaled_natural_map));
  EXPECT_NEAR(m.desaxce, 0.0, 1e-15);
  m = measures_of(problem, FrictionLaw::coulomb, vec({2, 1, 0}));
  EXPECT_TRUE(std::isnan(m.scaled_natural_map));
  EXPECT_TRUE(std::isnan(m.desaxce));
}

TEST(GlobalContact, NoContacts) {
  GlobalContactProblem problem;
  problem.dimension = 2;
  problem.M = csr_from_dense(vec({1, 2}).asDiagonal());
  problem.H = CsrMatrix(2, 0);
  problem.f = vec({3, 4});
  Solution solution;
  Measures m;
  measure(problem, FrictionLaw::coulomb, solution, m);
  EXPECT_EQ(m.scaled_natural_map, 0.0);
  EXPECT_EQ(m.desaxce, 0.0);
  EXPECT_EQ(solution.v, vec({3, 2}));
  EXPECT_EQ(solution.u.size(), 0);
}

TEST(GlobalContact, NotANumberIsNeverSmall) {
  const GlobalContactProblem problem = random_global(false, 1);
  const auto judge = [&](const Vector& r, const Vector& v) {
    const Measures m = measures_of(problem, FrictionLaw::coulomb, r, v);
    EXPECT_FALSE(m.scaled_natural_map < infinity);
    EXPECT_FALSE(m.desaxce < infinity);
  };
  for (const double bad : {nan, infinity}) {
    Vector r = Vector::Zero(15), v = Vector::Zero(24);
    r[4] = bad;
    judge(r, v);
    judge(r, Vector(0));
    r[4] = 0.0;
    v[7] = bad;
    judge(r, v);
    v[7] = 0.0;
    r[13] = bad;
    judge(r, v);
  }
}

}  // namespace slipstick::internal::contact_measures_test
