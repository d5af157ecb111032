// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/contact/coulomb_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "slipstick/base/random.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/files.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/scenes/packing.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal {
namespace {

constexpr int default_max_iterations = 100000;

// One pass over the islands. The unscaled error is relative to `published`, or to the norms of the island if
// those are larger.
Status run_islands(CoulombMethod& method, const ContactBlocks& blocks, const Settings& settings,
                   double published, Vector& r, Counts& counts) {
  Status worst = Status::solved;
  const double all = blocks.nodes();
  for (const Island& island : blocks.islands()) {
    const double share = settings.tolerance * std::sqrt(island.nodes() / all);
    Settings own = settings;
    own.tolerance = 1.0;
    Monitor monitor(own, default_max_iterations, nullptr);
    method.run({blocks,
                island,
                {share * blocks.weighted_norm(), share * published, share},
                monitor,
                counts,
                r,
                settings.threads});
    counts.iterations += monitor.iterations();
    if (monitor.status() != Status::solved) worst = monitor.status();
  }
  return worst;
}

}  // namespace

void solve_coulomb(CoulombMethod& method, ContactBlocks& blocks, const LocalContactProblem& problem,
                   const Settings& settings, Result& result, const Vector* start) {
  blocks.prepare(problem);
  result.counts = {};
  result.r.setZero(problem.q.size());
  if (start != nullptr) result.r = *start;
  Vector r;
  blocks.gather(result.r, r);
  // The norms of the whole are known after a pass.
  double published = blocks.norm();
  for (int pass = 0; pass < 3; ++pass) {
    result.status = run_islands(method, blocks, settings, published, r, result.counts);
    blocks.scatter(r, result.r);
    measure(problem, FrictionLaw::coulomb, result, result.measures);
    published = std::max({blocks.norm(), r.norm(), result.u.head(problem.contact_rows()).norm()});
    const double error = std::max(result.measures.scaled_natural_map, result.measures.desaxce);
    if (error <= settings.tolerance) {
      result.status = Status::solved;
      return;
    }
  }
  if (result.status == Status::solved) result.status = Status::stalled;
}

Result solve_coulomb(CoulombMethod& method, const LocalContactProblem& problem, double tolerance,
                     int max_iterations) {
  ContactBlocks blocks;
  Result result;
  solve_coulomb(method, blocks, problem, {.tolerance = tolerance, .max_iterations = max_iterations}, result);
  return result;
}

void expect_coulomb(const LocalContactProblem& problem, const Solution& solution, double tolerance) {
  const Index d = problem.dimension;
  Vector u(problem.q.size());
  problem.W.multiply(solution.r, u);
  u += problem.q;
  const double velocity =
      tolerance * std::max({u.lpNorm<Eigen::Infinity>(), problem.q.lpNorm<Eigen::Infinity>(), 1e-300});
  const double impulse = tolerance * std::max(solution.r.lpNorm<Eigen::Infinity>(), 1e-300);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double rn = solution.r[d * i], un = u[d * i];
    const auto rt = solution.r.segment(d * i + 1, d - 1);
    const auto ut = u.segment(d * i + 1, d - 1);
    EXPECT_GE(rn, -impulse) << "contact " << i;
    EXPECT_GE(un, -velocity) << "contact " << i;
    EXPECT_TRUE(rn <= impulse || un <= velocity) << "contact " << i << ": " << rn << " " << un;
    const double radius = problem.mu[i] * rn;
    EXPECT_LE(rt.norm(), radius + (1.0 + problem.mu[i]) * impulse) << "contact " << i;
    if (ut.norm() > velocity) {
      const double power = rt.dot(ut) + radius * ut.norm();
      EXPECT_NEAR(power, 0.0, (1.0 + problem.mu[i]) * (impulse * ut.norm() + velocity * rt.norm()))
          << "contact " << i << " slides";
    }
  }
  for (Index j = 0; j < problem.joint_rows(); ++j) {
    const double r = solution.r[problem.contact_rows() + j], own = u[problem.contact_rows() + j];
    EXPECT_GE(r, problem.lower[j] - impulse) << "joint row " << j;
    EXPECT_LE(r, problem.upper[j] + impulse) << "joint row " << j;
    EXPECT_TRUE(own <= velocity || r <= problem.lower[j] + impulse) << "joint row " << j << ": " << own;
    EXPECT_TRUE(own >= -velocity || r >= problem.upper[j] - impulse) << "joint row " << j << ": " << own;
  }
}

void expect_slope(CoulombMethod& method, double accuracy) {
  const double mu = 0.5;
  for (const int dimension : {2, 3}) {
    for (const double angle : {0.1, 0.4, 0.6}) {
      const Result result = solve_coulomb(method, block_on_slope(dimension, angle, mu));
      ASSERT_TRUE(result.solved()) << result.measures.desaxce;
      const double normal = 10.0 * std::cos(angle);
      EXPECT_NEAR(result.r[0], normal, accuracy);
      EXPECT_NEAR(result.r.tail(dimension - 1).norm(), std::min(10.0 * std::sin(angle), mu * normal),
                  accuracy);
      EXPECT_NEAR(result.u[0], 0.0, accuracy);
    }
  }
}

void expect_random_contacts(CoulombMethod& method) {
  for (const int dimension : {2, 3}) {
    for (const Index bilateral : {0, 4}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        LocalContactProblem problem = random_contacts({.dimension = dimension,
                                                       .contacts = 12,
                                                       .dofs = 50,
                                                       .friction = 0.3,
                                                       .asymmetry = 1e-4,
                                                       .bilateral = bilateral,
                                                       .seed = seed});
        problem.mu[3] = 0.0;
        const Result result = solve_coulomb(method, problem);
        ASSERT_TRUE(result.solved()) << method.name() << ' ' << dimension << ' ' << bilateral << ' ' << seed
                                     << ' ' << result.measures.scaled_natural_map;
        expect_coulomb(problem, result, 1e-6);
      }
    }
  }
}

void expect_no_allocation(CoulombMethod& method, const LocalContactProblem& problem) {
  ContactBlocks blocks;
  blocks.prepare(problem);
  Vector r(blocks.q().size());
  Counts counts;
  const auto pass = [&] {
    r.setZero();
    for (const auto& island : blocks.islands()) {
      Monitor monitor({.tolerance = 1.0}, 1000, nullptr);
      method.run({blocks, island, {.scaled = 1e-13, .published = 1e-13}, monitor, counts, r});
    }
  };
  pass();
  const std::size_t before = allocations();
  pass();
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(r.allFinite());
}

LocalContactProblem one_contact(const DenseMatrix& W, const Vector& q, double mu) {
  return {static_cast<int>(q.size()), Operator(W), q, vec({mu})};
}

LocalContactProblem block_on_slope(int dimension, double angle, double mu, double normal) {
  constexpr double gravity = 10.0;
  Vector q = Vector::Zero(dimension);
  q[0] = normal - gravity * std::cos(angle);
  q[dimension - 1] = gravity * std::sin(angle);
  return one_contact(DenseMatrix::Identity(dimension, dimension), q, mu);
}

LocalContactProblem random_contacts(const RandomContacts& options) {
  Random random(options.seed);
  const Index d = options.dimension, n = d * options.contacts, rows = options.bilateral + options.bounded;
  const DenseMatrix J = random_matrix(n, options.dofs, options.seed) / std::sqrt(options.dofs);
  DenseMatrix W = J * J.transpose();
  if (n > 0) W += options.asymmetry * W.cwiseAbs().maxCoeff() * random_matrix(n, n, options.seed + 1);
  LocalContactProblem problem{options.dimension, Operator(W), Vector(n),
                              Vector::Constant(options.contacts, options.friction)};
  // The velocity of bodies that fall. If the matrix is singular, only such a q has a solution.
  problem.q = J * random_vector(options.dofs, random);
  if (rows > 0) {
    DenseMatrix G = random_matrix(rows, options.dofs, options.seed + 2) / std::sqrt(options.dofs);
    for (Index k = 2; k < options.bilateral; k += 3) G.row(k).setZero();
    add_joints(csr_from_dense(J * G.transpose()), csr_from_dense(G * G.transpose()),
               G * random_vector(options.dofs, random), problem);
    for (Index k = options.bilateral; k < rows; ++k) {
      if (k % 3 != 0) problem.lower[k] = -0.1 * static_cast<double>(k % 4);
      if (k % 3 != 1) problem.upper[k] = 0.2;
    }
  }
  return problem;
}

LocalContactProblem limits_and_motors(int dimension, std::uint64_t seed) {
  return random_contacts({.dimension = dimension,
                          .contacts = 8,
                          .dofs = 50,
                          .friction = 0.4,
                          .bilateral = 4,
                          .bounded = 7,
                          .seed = seed});
}

LocalContactProblem stack_of_blocks(int d, Index blocks) {
  DenseMatrix J = DenseMatrix::Zero(d * blocks, d * blocks);
  for (Index i = 0; i < blocks; ++i) {
    J.block(d * i, d * i, d, d).setIdentity();
    if (i > 0) J.block(d * i, d * (i - 1), d, d) = -DenseMatrix::Identity(d, d);
  }
  Vector q = Vector::Zero(d * blocks);
  q[0] = -10.0;
  return {d, Operator(DenseMatrix(J * J.transpose())), q, Vector::Constant(blocks, 0.5)};
}

LocalContactProblem sphere_contacts(Index spheres, double friction, std::uint64_t seed) {
  return CondensedProblem(sphere_packing({.spheres = spheres, .friction = friction, .seed = seed})).local();
}

LocalContactProblem side_by_side(const LocalContactProblem& a, const LocalContactProblem& b) {
  const Index n = a.q.size(), m = b.q.size();
  DenseMatrix W = DenseMatrix::Zero(n + m, n + m);
  W.topLeftCorner(n, n) = dense(a.W);
  W.bottomRightCorner(m, m) = dense(b.W);
  LocalContactProblem both{a.dimension, Operator(csr_from_dense(W)), Vector(n + m),
                           Vector(a.mu.size() + b.mu.size())};
  both.q << a.q, b.q;
  both.mu << a.mu, b.mu;
  return both;
}

LocalContactProblem rescaled(const LocalContactProblem& problem, double mass, double velocity) {
  LocalContactProblem other = problem;
  CsrMatrix W = *problem.W.assemble();
  W *= mass;
  other.W = Operator(std::move(W));
  other.q *= velocity;
  return other;
}

std::vector<NamedContacts> real_contacts(const std::string& folder, Index most_contacts) {
  std::vector<NamedContacts> list;
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) return list;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / folder)) {
    ProblemFile file = read_problem(entry.path());
    auto* local = std::get_if<LocalContactProblem>(&file.problem);
    if (local != nullptr && local->contacts() <= most_contacts)
      list.push_back({entry.path().filename().string(), std::move(*local)});
  }
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return list;
}

}  // namespace slipstick::internal
