// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::coulomb_contact_test {

template <int d>
struct Local {
  std::array<double, d * d> D{};
  std::array<double, d> b{};
  double mu = 0.0;
  std::array<double, d> r{};
  double slip = -1.0;

  bool solve() { return CoulombContact<d>(D.data()).solve(b.data(), mu, slip, r.data()); }
  // The natural map of the law, relative to the terms of u.
  double error() const {
    double u[d], trace = 0.0, terms = 0.0;
    for (int i = 0; i < d; ++i) {
      u[i] = b[static_cast<std::size_t>(i)];
      double sum = std::abs(u[i]);
      for (int j = 0; j < d; ++j) {
        const double term = D[static_cast<std::size_t>(d * i + j)] * r[static_cast<std::size_t>(j)];
        u[i] += term;
        sum += std::abs(term);
      }
      trace += D[static_cast<std::size_t>((d + 1) * i)];
      terms = std::max(terms, sum);
    }
    const double scale = trace > 0.0 ? trace / d : 1.0;
    return terms == 0.0 ? 0.0 : std::sqrt(squared_contact_error<d, true>(r.data(), u, mu, scale)) / terms;
  }
};

template <int d>
std::array<double, d * d> random_block(Random& random, double smallest, double coupling, double asymmetry) {
  // Eigenvalues between `smallest` and 1, then the normal scaled against the tangents.
  const DenseMatrix Q = random_spd(random, d, 1.0 / smallest);
  std::array<double, d * d> D{};
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) {
      const double scale = (i == 0 ? coupling : 1.0) * (j == 0 ? coupling : 1.0);
      D[static_cast<std::size_t>(d * i + j)] = scale * Q(i, j);
    }
  }
  for (double& value : D) value *= 1.0 + asymmetry * random.uniform(-1.0, 1.0);
  return D;
}

template <int d>
void solves_random_blocks() {
  int solved = 0, open = 0, sticks = 0, slips = 0;
  for (int seed = 0; seed < 10000; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Local<d> local;
    const double smallest = std::pow(10.0, -random.uniform(0.0, seed % 3 == 0 ? 12.0 : 2.0));
    const double asymmetry = seed % 2 == 0 ? 0.0 : std::min(2e-3, 0.1 * smallest);
    local.D = random_block<d>(random, smallest, std::pow(10.0, random.uniform(-1.0, 1.0)), asymmetry);
    local.mu = random.uniform(0.0, 2.0);
    for (double& value : local.b) value = random.normal();
    if (random.uniform() < 0.5) local.b[0] = -std::abs(local.b[0]);
    // From a cold start, and from that answer with another b.
    for (int again = 0; again < 3; ++again) {
      ASSERT_TRUE(local.solve()) << "seed " << seed << " again " << again;
      ++solved;
      (local.slip < 0.0 ? open : local.slip == 0.0 ? sticks : slips) += 1;
      EXPECT_LE(local.error(), 1e-12)
          << "seed " << seed << " again " << again << " slip " << local.slip << " smallest " << smallest;
      for (double& value : local.b) value *= random.uniform(0.5, 1.5);
    }
  }
  EXPECT_GT(open, solved / 10);
  EXPECT_GT(sticks, solved / 20);
  EXPECT_GT(slips, solved / 10);
}

TEST(CoulombContact, SolvesRandomBlocks) {
  solves_random_blocks<2>();
  solves_random_blocks<3>();
}

TEST(CoulombContact, BlockOnASlope) {
  constexpr double gravity = 10.0;
  for (const double angle : {0.1, 0.4, 1.2}) {
    for (const double mu : {0.05, 0.2, 0.5, 3.0}) {
      Local<3> local;
      local.D = {1, 0, 0, 0, 1, 0, 0, 0, 1};
      local.b = {-gravity * std::cos(angle), gravity * std::sin(angle) * 0.6,
                 gravity * std::sin(angle) * 0.8};
      local.mu = mu;
      Local<2> plane;
      plane.D = {1, 0, 0, 1};
      plane.b = {local.b[0], gravity * std::sin(angle)};
      plane.mu = mu;
      ASSERT_TRUE(local.solve());
      ASSERT_TRUE(plane.solve());
      const bool sticks = std::tan(angle) <= mu;
      EXPECT_EQ(local.slip == 0.0, sticks);
      EXPECT_EQ(plane.slip == 0.0, sticks);
      EXPECT_NEAR(local.r[0], gravity * std::cos(angle), 1e-13);
      const double slide = sticks ? 0.0 : gravity * (std::sin(angle) - mu * std::cos(angle));
      EXPECT_NEAR(std::hypot(local.b[1] + local.r[1], local.b[2] + local.r[2]), slide, 1e-13);
      EXPECT_NEAR(plane.b[1] + plane.r[1], slide, 1e-13);
    }
  }
}

TEST(CoulombContact, LiftsOff) {
  Local<3> local{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.1, 5, 5}, 0.5, {1, 0.2, 0.1}, 0.0};
  ASSERT_TRUE(local.solve());
  EXPECT_EQ(local.r, (std::array<double, 3>{0, 0, 0}));
  EXPECT_LT(local.slip, 0.0);
  Local<2> plane{{1, 0, 0, 1}, {0.1, 5}, 0.5, {1, 0.5}, 1.0};
  ASSERT_TRUE(plane.solve());
  EXPECT_EQ(plane.r, (std::array<double, 2>{0, 0}));
}

TEST(CoulombContact, WithoutFrictionOnlyTheNormalActs) {
  Local<3> local{{2, 0.5, 0.1, 0.5, 1, 0, 0.1, 0, 1}, {-4, 3, 2}, 0.0, {}, -1.0};
  ASSERT_TRUE(local.solve());
  EXPECT_EQ(local.r, (std::array<double, 3>{2, 0, 0}));
  Local<2> plane{{2, 0.5, 0.5, 1}, {-4, 3}, 0.0, {}, -1.0};
  ASSERT_TRUE(plane.solve());
  EXPECT_EQ(plane.r[0], 2.0);
  EXPECT_EQ(std::abs(plane.r[1]), 0.0);
}

TEST(CoulombContact, ZeroBlockIsOpenOrUntouched) {
  Local<3> local{{}, {1, 2, 3}, 0.5, {7, 1, 1}, 0.0};
  ASSERT_TRUE(local.solve());
  EXPECT_EQ(local.r, (std::array<double, 3>{0, 0, 0}));
  local.b[0] = -1.0;
  local.r = {7, 1, 1};
  EXPECT_FALSE(local.solve());
  EXPECT_EQ(local.r, (std::array<double, 3>{7, 1, 1}));
  Local<2> plane{{}, {-1, 2}, 0.5, {7, 1}, 0.0};
  EXPECT_FALSE(plane.solve());
  EXPECT_EQ(plane.r, (std::array<double, 2>{7, 1}));
}

TEST(CoulombContact, SingularBlocks) {
  // No tangential motion at all, along one tangent, and all along one direction.
  for (const std::array<double, 9>& D :
       {std::array<double, 9>{1, 0, 0, 0, 0, 0, 0, 0, 0}, std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 0},
        std::array<double, 9>{1, 0.5, -0.5, 0.5, 0.25, -0.25, -0.5, -0.25, 0.25}}) {
    for (const std::array<double, 3>& b :
         {std::array<double, 3>{-1, 0, 0}, std::array<double, 3>{-1, 0.3, 0}, std::array<double, 3>{-1, 0, 2},
          std::array<double, 3>{-1, 4, -3}, std::array<double, 3>{-1, -0.5, 0.5}}) {
      Local<3> local{D, b, 0.7, {}, -1.0};
      ASSERT_TRUE(local.solve());
      EXPECT_LE(local.error(), 1e-14);
    }
  }
}

// With D_NT < 0 and much friction both parting and slip are solutions; a contact stays in its mode.
TEST(CoulombContact, KeepsItsModeWhereSolutionsAreMany) {
  const std::array<double, 9> D{1, -1.2, 0, -1.2, 2, 0, 0, 0, 2};
  const std::array<double, 3> b{0.1, -1, 0};
  Local<3> open{D, b, 1.5, {}, -1.0};
  ASSERT_TRUE(open.solve());
  EXPECT_EQ(open.r[0], 0.0);
  Local<3> sticking{D, b, 1.5, {1, 1, 0}, 0.0};
  ASSERT_TRUE(sticking.solve());
  EXPECT_GT(sticking.r[0], 0.0);
  EXPECT_LE(sticking.error(), 1e-14);
  EXPECT_LE(open.error(), 1e-14);
  Local<2> plane{{1, -1.2, -1.2, 2}, {0.1, -1}, 1.5, {1, 1}, 0.0};
  ASSERT_TRUE(plane.solve());
  EXPECT_NEAR(plane.r[0], sticking.r[0], 1e-14);
}

TEST(CoulombContact, UnitsDoNotMatter) {
  for (int seed = 0; seed < 200; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Local<3> local;
    local.D = random_block<3>(random, 0.01, 1.0, 1e-3);
    local.mu = random.uniform(0.0, 2.0);
    for (double& value : local.b) value = random.normal();
    Local<3> reference = local;
    ASSERT_TRUE(reference.solve());
    for (const double mass : {1e-6, 1e6}) {
      for (const double velocity : {1e-6, 1e6}) {
        Local<3> other = local;
        for (double& value : other.D) value *= mass;
        for (double& value : other.b) value *= velocity;
        ASSERT_TRUE(other.solve());
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_NEAR(other.r[k] * mass / velocity, reference.r[k], 1e-11 * std::abs(reference.r[0]));
      }
    }
  }
}

TEST(CoulombContact, NamesTheModeOfAnImpulse) {
  const std::array<double, 9> D{2, 0.1, 0.2, 0.1, 1, 0.3, 0.2, 0.3, 1.5};
  for (const auto& b : {std::array<double, 3>{-1, 0.1, 0.2}, std::array<double, 3>{-1, 3, -2},
                        std::array<double, 3>{1, 1, 1}}) {
    Local<3> local{D, b, 0.6, {}, -1.0};
    ASSERT_TRUE(local.solve());
    const double mode = CoulombContact<3>(D.data()).mode_of(b.data(), local.mu, local.r.data());
    EXPECT_NEAR(mode, local.slip, 1e-12 * std::abs(local.slip));
  }
}

TEST(CoulombContact, NeverGivesANaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, infinity, -infinity}) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (const double slip : {-1.0, 0.0, 0.5}) {
        Local<3> local{{2, 0.1, 0.2, 0.1, 1, 0.3, 0.2, 0.3, 1.5}, {-1, 1, 1}, 0.5, {1, 0, 0}, slip};
        local.b[k] = bad;
        local.solve();
        for (const double value : local.r) EXPECT_TRUE(std::isfinite(value));
        if (k == 2) continue;
        Local<2> plane{{2, 0.1, 0.1, 1}, {-1, 1}, 0.5, {1, 0}, slip};
        plane.b[k] = bad;
        plane.solve();
        for (const double value : plane.r) EXPECT_TRUE(std::isfinite(value));
      }
    }
  }
}

}  // namespace slipstick::internal::coulomb_contact_test
