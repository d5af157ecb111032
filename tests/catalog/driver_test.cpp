// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solve.hpp"

#include <gtest/gtest.h>

#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/convert.hpp"
#include "slipstick/scenes/disk_pyramid.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/qp_families.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/sheet.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::driver_test {

Operator sparse(std::initializer_list<std::initializer_list<double>> rows) {
  return {csr_from_dense(mat(rows))};
}

TEST(Driver, SmallLcpByHand) {
  // z = (1, 0): w = (0, 3).
  const LcpProblem lcp{sparse({{2, 1}, {1, 2}}), vec({-2, 2})};
  const DriverResult result = solve(lcp);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LT((result.x - vec({1, 0})).norm(), 1e-8);
  EXPECT_LT((result.w - vec({0, 3})).norm(), 1e-8);
  EXPECT_FALSE(result.solver.empty());
  EXPECT_FALSE(result.attempts.empty());
}

TEST(Driver, NonsymmetricLcp) {
  const LcpProblem lcp{sparse({{1, 2}, {-2, 1}}), vec({-1, 1})};  // z = (1/5, 2/5) has w_2 = 1 - 2/5 + 2/5
  const DriverResult result = solve(lcp);
  ASSERT_TRUE(result.solved()) << result.message;
}

TEST(Driver, MixedLcpWithAnEquality) {
  // u free: 2u + v - 3 = 0, w = u + v - 1 >= 0: u = 1.5, v = 0.
  const MixedLcp mixed{sparse({{2, 1}, {1, 1}}), vec({-3, -1}), vec({-infinity, 0}),
                       vec({infinity, infinity})};
  const DriverResult result = solve(mixed);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_NEAR(result.x[0], 1.5, 1e-8);
  EXPECT_NEAR(result.x[1], 0.0, 1e-8);
}

TEST(Driver, QuadraticProgramWithLinearRows) {
  // minimize 1/2 (x1^2 + x2^2) - x1 - 2 x2, x >= 0, x1 + x2 = 1, x1 - x2 >= 0: x = (1/2, 1/2).
  Problem qp{.A = sparse({{1, 0}, {0, 1}}),
             .b = vec({-1, -2}),
             .K = ProductSet::nonnegative(2),
             .rows = LinearRows{sparse({{1, 1}, {1, -1}}).assemble(), vec({1, 0}), vec({1, infinity})}};
  const DriverResult result = solve(qp);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LT((result.x - vec({0.5, 0.5})).norm(), 1e-8);
  EXPECT_NEAR(result.measures.objective, 0.25 - 1.5, 1e-8);
  EXPECT_EQ(result.multipliers.size(), 2);
}

// Every equality nearly repeats another one, with large multipliers of both: points that meet the tolerance
// may have another objective.
TEST(Driver, WarnsIfTheObjectiveIsUncertain) {
  constexpr Index n = 30, pairs = 10;
  int uncertain = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const DenseMatrix rows = random_matrix(pairs, n, seed), change = random_matrix(pairs, n, seed + 100);
    DenseMatrix G(2 * pairs, n);
    G << rows, rows + 1e-7 * change.cwiseProduct(rows);
    const Vector x = random_matrix(n, 1, seed + 200).col(0).cwiseMax(0.0);
    const Vector y = 1e3 * random_matrix(2 * pairs, 1, seed + 300).col(0), values = G * x;
    Problem qp{
        .A = DenseMatrix::Identity(n, n).eval(), .b = G.transpose() * y - x, .K = ProductSet::nonnegative(n)};
    qp.rows = LinearRows{
        .G = std::make_shared<const CsrMatrix>(csr_from_dense(G)), .lower = values, .upper = values};
    const DriverResult result =
        solve(qp, {.settings = {.tolerance = 1e-6, .max_iterations = 8}, .solver = "qp-ipm"});
    const double size = std::max(1.0, std::abs(result.measures.objective));
    const bool is_uncertain = result.solved() && result.measures.complementarity_gap > 1e-3 * size;
    uncertain += is_uncertain;
    ASSERT_EQ(result.warnings.size(), is_uncertain ? 1U : 0U) << seed;
    if (is_uncertain) {
      EXPECT_NE(result.warnings[0].find("complementarity gap"), std::string::npos);
    }
  }
  EXPECT_GT(uncertain, 0);
  EXPECT_TRUE(solve(make_qp({.family = "aug2dc", .size = 5})).warnings.empty());
}

TEST(Driver, EmptyRowThatNothingSolvesIsInfeasible) {
  const LcpProblem lcp{sparse({{1, 0}, {0, 0}}), vec({-1, -1})};
  const DriverResult result = solve(lcp);
  EXPECT_EQ(result.status, Status::infeasible);
  EXPECT_NE(result.message.find("row 1"), std::string::npos) << result.message;
}

TEST(Driver, ContactWithoutFriction) {
  // One contact pressed with velocity -2: r_N = 2 / W_NN, tangential velocity unconstrained.
  LocalContactProblem contact{
      .W = sparse({{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}), .q = vec({-2, 1, 0}), .mu = vec({0.3})};
  const DriverResult result = solve(contact, {.friction = FrictionLaw::none});
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LT((result.r - vec({0.5, 0, 0})).norm(), 1e-9);
  EXPECT_LT((result.u - vec({0, 1, 0})).norm(), 1e-9);
  EXPECT_LE(result.measures.desaxce, 1e-8);
}

// A block that slides: r_N = 1, the tangent velocity 2 is slowed by mu r_N.
TEST(Driver, LawsOfFrictionThatAreNotConvex) {
  LocalContactProblem contact{
      .W = sparse({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), .q = vec({-1, 2, 0}), .mu = vec({0.3})};
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::diamond, FrictionLaw::box}) {
    const DriverResult result = solve(contact, {.friction = law});
    EXPECT_TRUE(result.solved()) << result.message;
    EXPECT_TRUE(result.r.isApprox(vec({1, -0.3, 0}), 1e-7)) << name(law);
    EXPECT_EQ(result.solver, law == FrictionLaw::coulomb ? "few-contacts"
                             : law == FrictionLaw::box   ? "nsgs"
                                                         : "box-sequence(mprgp)");
  }
}

// With one tangent a box is a diamond and a cone, so that `auto` has the same methods for all of them.
TEST(Driver, LawsOfFrictionInThePlaneAreOne) {
  const GlobalContactProblem pyramid = disk_pyramid({.slope = 0.1});
  const DriverResult expected = solve(pyramid);
  ASSERT_TRUE(expected.solved()) << expected.message;
  for (const FrictionLaw law : {FrictionLaw::diamond, FrictionLaw::box}) {
    const DriverResult result = solve(pyramid, {.friction = law});
    ASSERT_TRUE(result.solved()) << result.message;
    EXPECT_EQ(result.law, law);
    EXPECT_EQ(result.solver, expected.solver);
    EXPECT_LE((result.v - expected.v).norm(), 1e-6 * expected.v.norm());
    Solution again = result;
    Measures measures;
    measure(pyramid, law, again, measures);
    EXPECT_LE(measures.scaled_natural_map, 1.0001e-8);
  }
  const LocalContactProblem sliding{
      .dimension = 2, .W = sparse({{1, 0}, {0, 1}}), .q = vec({-1, 2}), .mu = vec({0.3})};
  const DriverResult result = solve(sliding, {.friction = FrictionLaw::box});
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_TRUE(result.r.isApprox(vec({1, -0.3}), 1e-7));
}

TEST(Driver, SolversOfStaggeredProjectionsCanBeNamed) {
  const GlobalContactProblem packing = sphere_packing({.spheres = 40});
  SolveRequest request{
      .solver = "pgs+apgd", .options = {{"proximal", "0.01"}}, .friction = FrictionLaw::coulomb};
  const DriverResult result = solve(packing, request);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(result.solver, "staggered(pgs, apgd)");
  EXPECT_EQ(result.v.size(), packing.f.size());
  request.solver = "pgs+nobody";
  EXPECT_THROW(solve(packing, request), Error);
  request.solver = "auto";
  request.options = {{"nothing", "1"}};
  EXPECT_THROW(solve(packing, request), Error);
}

// Litven 2013, Algorithm 4.2: one factorization for contact and one for friction, however many iterations.
TEST(Driver, SchurpaSpFactorizesTwice) {
  const PackingOptions options{.spheres = 30, .friction = 0.7};
  SolveRequest request{.solver = "schurpa-sp", .friction = FrictionLaw::diamond};
  const DriverResult kept = solve(sphere_packing(options), request);
  ASSERT_TRUE(kept.solved()) << kept.message;
  EXPECT_EQ(kept.counts.factorizations, 2);
  EXPECT_GT(kept.counts.iterations, 2);
  // Another option leaves the shift as it is.
  request.options = {{"kinetic_tolerance", "0"}};
  EXPECT_EQ(solve(sphere_packing(options), request).r, kept.r);
  request.solver = "schurpa+schurpa";
  request.options = {{"proximal", "1e-3"}};
  const DriverResult anew = solve(sphere_packing(options), request);
  ASSERT_TRUE(anew.solved()) << anew.message;
  EXPECT_GT(anew.counts.factorizations, 2);
  EXPECT_LE((kept.u - anew.u).norm(), 1e-6 * kept.u.norm() + 1e-9);
  request.options.clear();
  request.solver = "schurpa-sp";
  request.friction = FrictionLaw::coulomb;
  EXPECT_THROW(solve(sphere_packing(options), request), Error) << "disks";
}

TEST(Driver, PackingInGlobalForm) {
  const GlobalContactProblem packing = sphere_packing({.spheres = 60});
  const DriverResult result = solve(packing);
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(result.v.size(), packing.M.rows());
  EXPECT_LE(result.measures.desaxce, 1e-7);
  // The account is complete, with the rounds in which the tolerance was tightened.
  std::int64_t iterations = 0;
  for (const Attempt& attempt : result.attempts) iterations += attempt.iterations;
  EXPECT_EQ(iterations, result.counts.iterations);
}

TEST(Driver, TightensUntilTheMeasureAskedForIsMet) {
  const Problem problem = random_lcp({.condition = 1e4}).problem;
  const DriverResult result = solve(problem, {.solver = "mprgp", .measure = "survey"});
  ASSERT_TRUE(result.solved()) << result.message;
  EXPECT_LE(result.measures.survey, 1e-8);
}

// Two walls close on a body: no impulse keeps it from both. Huge ones make the published error small.
TEST(Driver, InfeasibleContactsAreNotSolvedByAnyMeasure) {
  for (const int d : {2, 3}) {
    DenseMatrix W = DenseMatrix::Identity(2 * d, 2 * d);
    W(0, d) = W(d, 0) = -1.0;
    Vector q = Vector::Zero(2 * d);
    q[0] = q[d] = -1.0;
    const LocalContactProblem walls{.dimension = d, .W = csr_from_dense(W), .q = q, .mu = vec({0.3, 0.3})};
    for (const ContactMethod& method : contact_methods()) {
      if (!takes_contacts(FrictionLaw::coulomb, d, method.name)) continue;
      for (const double tolerance : {1e-4, 1e-8}) {
        const DriverResult result = solve(walls, {.settings = {.tolerance = tolerance, .time_limit = 2.0},
                                                  .solver = std::string(method.name),
                                                  .measure = "desaxce"});
        EXPECT_FALSE(result.solved()) << method.name << " at " << tolerance << ": " << result.message;
        if (method.needs_device && result.status == Status::unsupported) continue;
        EXPECT_GT(result.measures.scaled_natural_map, 0.5) << method.name;
      }
    }
    for (const double tolerance : {1e-4, 1e-8})
      EXPECT_FALSE(solve(walls, {.settings = {.tolerance = tolerance}, .measure = "desaxce"}).solved());
  }
}

TEST(Driver, InfeasibleComplementarityIsNotSolvedByAnyMeasure) {
  const LcpProblem infeasible{sparse({{1, -1}, {-1, 1}}), vec({-1e-5, -1e-5})};
  const LcpProblem feasible{sparse({{2, -1}, {-1, 2}}), vec({-1e-5, -1e-5})};
  for (const MeasureName& measure : measure_names()) {
    if (!measure.judges || measure.name == "desaxce") continue;
    const SolveRequest request{.measure = std::string(measure.name)};
    EXPECT_FALSE(solve(infeasible, request).solved()) << measure.name;
    EXPECT_TRUE(solve(feasible, request).solved()) << measure.name;
  }
  EXPECT_EQ(solve(infeasible, {.measure = "energy_max"}).status, Status::infeasible);
}

// The same walls, closing slowly, beside a contact that opens fast. The scaled natural map of any answer is
// small, but not better than that of zero impulse.
TEST(Driver, AnswersWorseThanNoImpulseAreNotSolved) {
  DenseMatrix W = DenseMatrix::Identity(9, 9);
  W(0, 3) = W(3, 0) = -1.0;
  const LocalContactProblem walls{.dimension = 3,
                                  .W = csr_from_dense(W),
                                  .q = vec({-1e-5, 0, 0, -1e-5, 0, 0, 1, 0, 0}),
                                  .mu = vec({0.3, 0.3, 0.3})};
  for (const std::string solver : {"auto", "nsgs", "nsn", "admm", "ncp-ipm", "eg"}) {
    const DriverResult result =
        solve(walls, {.settings = {.tolerance = 1e-8}, .solver = solver, .measure = "desaxce"});
    EXPECT_FALSE(result.solved()) << solver << ": " << result.message;
    const DriverResult loose =
        solve(walls, {.settings = {.tolerance = 1e-4}, .solver = solver, .measure = "desaxce"});
    EXPECT_TRUE(loose.solved()) << solver << ": no impulse is a solution";
  }
}

TEST(Driver, TypedSettingsOfTheNamedSolver) {
  const LcpProblem lcp{sparse({{2, 1}, {1, 2}}), vec({-2, 2})};
  const DriverResult text = solve(lcp, {.solver = "pgs", .options = {{"relaxation", "0.5"}}});
  const DriverResult typed = solve(lcp, {.solver = "pgs", .method = PgsSettings{.relaxation = 0.5}});
  EXPECT_EQ(typed.x, text.x);
  EXPECT_EQ(typed.counts.iterations, text.counts.iterations);
  EXPECT_NE(solve(lcp, {.solver = "pgs"}).counts.iterations, typed.counts.iterations);
  EXPECT_THROW(solve(lcp, {.solver = "newton-fb", .method = NewtonFbSettings{.memory = 0}}), Error);
  EXPECT_THROW(solve(lcp, {.solver = "lemke", .method = PgsSettings{}}), Error);
  EXPECT_THROW(solve(lcp, {.method = PgsSettings{}}), Error) << "auto";

  LocalContactProblem contact{
      .dimension = 3, .W = sparse({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), .q = vec({-1, 2, 0}), .mu = vec({0.3})};
  EXPECT_TRUE(solve(contact, {.solver = "nsgs", .method = NsgsSettings{}}).solved());
  EXPECT_TRUE(solve(contact, {.solver = "ipm", .method = IpmSettings{}}).solved()) << "inside a sequence";
  EXPECT_TRUE(solve(contact, {.solver = "ipm", .options = {{"desaxce-fixed-point.memory", "2"}}}).solved());
}

TEST(Driver, SaysWhetherAWarmStartWasUsed) {
  const PackingOptions options{.spheres = 20};
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::convex, FrictionLaw::none}) {
    const GlobalContactProblem packing = sphere_packing(options);
    const DriverResult cold = solve(packing, {.friction = law});
    EXPECT_FALSE(cold.start_used);
    EXPECT_TRUE(cold.warnings.empty());
    const WarmStart fits{cold.r}, short_one{cold.r.head(5)};
    EXPECT_TRUE(solve(packing, {.friction = law}, &fits).start_used) << name(law);
    const DriverResult dropped = solve(packing, {.friction = law}, &short_one);
    EXPECT_FALSE(dropped.start_used);
    EXPECT_EQ(dropped.warnings.size(), 1u);
  }
  const LcpProblem lcp{sparse({{2, 1}, {1, 2}}), vec({-2, 2})};
  const WarmStart fits{vec({0.5, 0.5})}, long_one{vec({1, 0, 0})};
  EXPECT_TRUE(solve(lcp, {}, &fits).start_used);
  EXPECT_FALSE(solve(lcp, {}, &long_one).start_used);
}

TEST(Driver, RefusesBadRequests) {
  const LcpProblem lcp{sparse({{1}}), vec({-1})};
  const auto expect_error = [&](const auto& change, const std::string& part) {
    SolveRequest request;
    change(request);
    const std::string message = message_of([&] { solve(lcp, request); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect_error([](SolveRequest& r) { r.solver = "magic"; }, "magic");
  expect_error([](SolveRequest& r) { r.measure = "objective"; }, "objective");
  expect_error([](SolveRequest& r) { r.settings.tolerance = -1.0; }, "tolerance");
  expect_error([](SolveRequest& r) { r.settings.threads = 0; }, "thread");
  expect_error([](SolveRequest& r) { r.settings.time_limit = 0.0; }, "time limit");
  expect_error([](SolveRequest& r) { r.options["relaxation"] = "1"; }, "auto");
  expect_error(
      [](SolveRequest& r) {
        r.solver = "pgs";
        r.options["relaxation"] = "7";
      },
      "relaxation");
  const LcpProblem broken{sparse({{1}}), vec({NAN})};
  EXPECT_THROW(solve(broken), Error);
}

TEST(Driver, AutomaticChoiceSolvesEveryFamily) {
  for (const double condition : {1.0, 1e8}) {
    for (const Index rows : {1, 7, 50, 300, 2000}) {
      if (sanitized && rows > 300) continue;
      const RandomBoxOptions options{.rows = rows,
                                     .condition = condition,
                                     .rank_deficiency = rows / 5,
                                     .degenerate = 0.3,
                                     .free = 0.1,
                                     .two_sided = 0.2};
      const DriverResult boxed = solve(random_box(options).problem);
      EXPECT_TRUE(boxed.solved()) << rows << " " << condition << ": " << boxed.message;
      const DriverResult lcp = solve(random_lcp(options).problem);
      EXPECT_TRUE(lcp.solved()) << rows << " " << condition << ": " << lcp.message;
    }
  }
}

TEST(Driver, AttemptsAreDescribedInASentence) {
  Attempt attempt{.solver = "nsgs", .reason = "to begin with", .status = Status::solved, .iterations = 1};
  EXPECT_EQ(describe(attempt), "nsgs (to begin with): solved after 1 iteration, error 0.00e+00");
  attempt.islands = 2;
  attempt.solved_islands = 1;
  EXPECT_EQ(describe(attempt), "nsgs (to begin with): 1 of 2 islands solved after 1 iteration");
  attempt.contacts = 30;
  EXPECT_EQ(describe(attempt),
            "nsgs (to begin with): 1 of 2 islands with 30 contacts solved after 1 iteration");
}

TEST(Driver, SaysWhatBecameOfAMethod) {
  const DriverResult result = solve(random_lcp({.rows = 50}).problem,
                                    {.settings = {.tolerance = 1e-12, .max_iterations = 2}, .solver = "pgs"});
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_TRUE(result.message.starts_with("iteration_limit after 2 iterations, scaled_natural_map "))
      << result.message;
}

// An observer changes neither the answer nor the account, and times are told at every size.
TEST(Driver, SmallProblemsAreObservedAndTimed) {
  const RandomBoxOptions rows{.rows = 6};
  const LocalContactProblem contact{
      .W = sparse({{2, 1, 0}, {1, 3, 0}, {0, 0, 4}}), .q = vec({-2, 1, 0}), .mu = vec({0.3})};
  for (const AnyProblem& problem : {AnyProblem(to_lcp(random_lcp(rows).problem)), AnyProblem(contact)}) {
    History history;
    const DriverResult alone = solve(problem), observed = solve(problem, {}, nullptr, &history);
    EXPECT_TRUE(alone.solved());
    EXPECT_GT(alone.seconds, 0.0);
    EXPECT_FALSE(alone.message.empty());
    EXPECT_FALSE(history.entries.empty());
    EXPECT_EQ(history.entries.back().iteration, observed.counts.iterations);
    EXPECT_EQ(alone.x, observed.x);
    EXPECT_EQ(alone.r, observed.r);
    EXPECT_EQ(alone.attempts.back().solver, observed.attempts.back().solver);
  }
}

// On level ground a sheet moves as a whole, whatever its springs. With m = 20 mg and g h = 9.81 cm/s every
// point is pressed by m g h. It is held, or slides with what friction leaves of the push.
TEST(Driver, SheetOnLevelGround) {
  const double mass = 2e-5, gain = 0.0981;
  for (const double push : {0.0, 0.3, 0.8}) {
    const GlobalContactProblem sheet =
        elastic_sheet({.side = 8, .stiffness = 100.0, .slope = 0.0, .speed = 0.0, .push = push});
    for (const Condensation condensation :
         {Condensation::by_cost, Condensation::assembled, Condensation::implicit}) {
      const DriverResult result = solve(sheet, {.condensation = condensation});
      ASSERT_TRUE(result.solved()) << result.message;
      EXPECT_EQ(result.implicit, condensation == Condensation::implicit);
      EXPECT_EQ(result.law, FrictionLaw::coulomb);
      const double speed = std::max(0.0, push - 0.5) * gain;
      for (Index i = 0; i < sheet.contacts(); ++i) {
        EXPECT_NEAR(result.r[3 * i], mass * gain, 1e-5 * mass * gain);
        EXPECT_NEAR(result.r.segment<2>(3 * i + 1).norm(), std::min(push, 0.5) * mass * gain,
                    1e-5 * mass * gain);
        EXPECT_NEAR(result.v[3 * i], speed, 1e-5 * gain);
        EXPECT_NEAR(result.v[3 * i + 2], 0.0, 1e-5 * gain);
      }
    }
  }
}

// The same answer with and without W, by all methods that can do without; the others say so.
TEST(Driver, WithAndWithoutRows) {
  const GlobalContactProblem sheet = elastic_sheet({.side = sanitized ? 5 : 9, .push = 0.4});
  SolveRequest request{.condensation = Condensation::assembled};
  const DriverResult reference = solve(sheet, request);
  ASSERT_TRUE(reference.solved());
  request.condensation = Condensation::implicit;
  for (const char* solver : {"auto", "ncp-ipm", "admm", "eg"}) {
    request.solver = solver;
    const DriverResult result = solve(sheet, request);
    ASSERT_TRUE(result.solved()) << solver << ": " << result.message;
    EXPECT_TRUE(result.implicit);
    EXPECT_LT((result.u - reference.u).norm(), 1e-5 * reference.v.norm()) << solver;
  }
  request.solver = "nsgs";
  EXPECT_EQ(solve(sheet, request).status, Status::unsupported);
  request.condensation = Condensation::by_cost;
  const DriverResult by_rows = solve(sheet, request);
  EXPECT_TRUE(by_rows.solved());
  EXPECT_FALSE(by_rows.implicit);
}

// Several bodies without W: island by island.
TEST(Driver, SeveralSheetsWithoutRows) {
  const GlobalContactProblem one = elastic_sheet({.side = 4}), two = elastic_sheet({.side = 3, .seed = 5});
  const auto stack = [](const CsrMatrix& a, const CsrMatrix& b) {
    DenseMatrix all = DenseMatrix::Zero(a.rows() + b.rows(), a.cols() + b.cols());
    all.topLeftCorner(a.rows(), a.cols()) = DenseMatrix(a);
    all.bottomRightCorner(b.rows(), b.cols()) = DenseMatrix(b);
    return csr_from_dense(all);
  };
  const auto join = [](const Vector& a, const Vector& b) {
    Vector all(a.size() + b.size());
    all << a, b;
    return all;
  };
  GlobalContactProblem both{.M = stack(one.M, two.M),
                            .H = stack(one.H, two.H),
                            .f = join(one.f, two.f),
                            .w = join(one.w, two.w),
                            .mu = join(one.mu, two.mu)};
  const DriverResult result = solve(both, {.condensation = Condensation::implicit});
  ASSERT_TRUE(result.solved()) << result.message;
  ASSERT_FALSE(result.attempts.empty());
  EXPECT_EQ(result.attempts.front().islands, 2);
  EXPECT_LT((result.u - join(solve(one).u, solve(two).u)).norm(), 1e-6 * result.v.norm());
}

TEST(Driver, SlightlyAsymmetricMass) {
  GlobalContactProblem sheet = elastic_sheet({.side = 4});
  const double change = 1e-6 * sheet.M.coeff(0, 0);
  sheet.M.coeffRef(0, 4) += change;
  const DriverResult result = solve(sheet);
  EXPECT_TRUE(result.solved()) << result.message;
  EXPECT_EQ(result.warnings.size(), 1u);
  sheet.M.coeffRef(0, 4) += 0.1 * sheet.M.coeff(0, 0);
  EXPECT_THROW(solve(sheet), Error);
}

TEST(Driver, ContactThatNothingCanHelp) {
  LocalContactProblem contacts{.dimension = 3,
                               .W = sparse({{1, 0, 0, 0, 0, 0},
                                            {0, 1, 0, 0, 0, 0},
                                            {0, 0, 1, 0, 0, 0},
                                            {0, 0, 0, 0, 0, 0},
                                            {0, 0, 0, 0, 0, 0},
                                            {0, 0, 0, 0, 0, 0}}),
                               .q = vec({-1, 0, 0, -1, 0, 0}),
                               .mu = vec({0.5, 0.5})};
  EXPECT_EQ(solve(contacts).status, Status::infeasible);
  contacts.q[3] = 1.0;
  EXPECT_TRUE(solve(contacts).solved());
}

// Squares of such loads vanish.
TEST(Driver, TinyLoadsAreNoSolution) {
  for (const double size : {1e-120, 1e-165, 1e-200}) {
    LocalContactProblem contact{.dimension = 3,
                                .W = sparse({{size, 0, 0}, {0, size, 0}, {0, 0, size}}),
                                .q = size * vec({-1, 0.3, 0.1}),
                                .mu = vec({0.5})};
    const DriverResult result = solve(contact);
    if (result.solved()) {
      EXPECT_NEAR(result.r[0], 1.0, 1e-6) << size;
    }
    EXPECT_TRUE(result.solved() || size < 1e-150);
  }
}

}  // namespace slipstick::internal::driver_test
