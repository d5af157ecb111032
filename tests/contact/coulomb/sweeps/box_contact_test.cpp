// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/box_contact.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "slipstick/measures/contact_error.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::box_contact_test {

struct Local {
  Eigen::Matrix3d D = Eigen::Matrix3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  double mu = 0.0;
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
  double mode = -1.0;

  bool solve() {
    const Eigen::Matrix3d by_columns = D.transpose();
    return BoxContact(by_columns.data()).solve(b.data(), mu, mode, r.data());
  }
  // The natural map of the law, relative to the terms of u.
  double error_of(const Eigen::Vector3d& impulse) const {
    const Eigen::Vector3d u = D * impulse + b;
    const double terms = (D.cwiseAbs() * impulse.cwiseAbs() + b.cwiseAbs()).maxCoeff();
    ContactErrors errors;
    errors.add_boxes<3>(0, 1, [&](Index) {
      return ContactPoint{impulse.data(), u.data(), mu, ruler_scale(D.trace() / 3.0)};
    });
    return terms == 0.0 ? 0.0 : std::sqrt(errors.scaled) / terms;
  }
  double error() const { return error_of(r); }
};

// The answers of all modes, by the definition of the law: the columns of r_N, and of the tangents that stick.
std::vector<Eigen::Vector3d> all_solutions(const Local& local, double accuracy) {
  std::vector<Eigen::Vector3d> solutions;
  if (local.b[0] >= 0.0) solutions.emplace_back(Eigen::Vector3d::Zero());
  for (int k = 0; k < 9; ++k) {
    const int side[2] = {k / 3 - 1, k % 3 - 1};
    Eigen::Matrix3d right = Eigen::Matrix3d::Identity(), left = Eigen::Matrix3d::Identity();
    for (const int a : {0, 1}) {
      if (side[a] == 0) continue;
      right.col(0)[a + 1] = side[a] * local.mu;
      right.col(a + 1).setZero();
      left.col(a + 1).setZero();
    }
    Eigen::Matrix3d system = left.transpose() * local.D * right;
    for (const int a : {0, 1})
      if (side[a] != 0) system(a + 1, a + 1) = 1.0;
    const Eigen::Vector3d y = system.fullPivLu().solve(-left.transpose() * local.b);
    const Eigen::Vector3d r = right * y;
    if (r.allFinite() && local.error_of(r) <= accuracy) solutions.push_back(r);
  }
  return solutions;
}

Local random_local(std::uint64_t seed) {
  Random random(seed);
  Local local;
  const double smallest = std::pow(10.0, -random.uniform(0.0, seed % 3 == 0 ? 8.0 : 2.0));
  const DenseMatrix A = random_spd(random, 3, 1.0 / smallest);
  const double coupling = std::pow(10.0, random.uniform(-1.0, 1.0));
  local.D = A.topLeftCorner<3, 3>();
  local.D.row(0) *= coupling;
  local.D.col(0) *= coupling;
  if (seed % 2 == 1) {
    for (int i = 0; i < 9; ++i)
      local.D(i / 3, i % 3) *= 1.0 + std::min(2e-3, 0.1 * smallest) * random.uniform(-1.0, 1.0);
  }
  local.mu = seed % 10 == 0 ? 0.0 : random.uniform(0.0, 2.0);
  for (double& value : local.b) value = random.normal();
  if (random.uniform() < 0.5) local.b[0] = -std::abs(local.b[0]);
  return local;
}

// The answer is one of the solutions that the enumeration of all modes has, and there is none if it has none.
TEST(BoxContact, GivesOneOfTheSolutionsOfAllModes) {
  int open = 0, sticks = 0, slips = 0, solved = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Local local = random_local(seed);
    Random random(seed + 1000000);
    for (int again = 0; again < 3; ++again) {  // cold, then from the last mode
      const auto solutions = all_solutions(local, 1e-9);
      const bool found = local.solve();
      ASSERT_EQ(found, !solutions.empty()) << "seed " << seed << " again " << again;
      if (!found) break;
      ++solved;
      EXPECT_LE(local.error(), 1e-12) << "seed " << seed << " again " << again;
      double nearest = infinity, largest = local.r.norm();
      for (const Eigen::Vector3d& r : solutions) {
        nearest = std::min(nearest, (r - local.r).norm());
        largest = std::max(largest, r.norm());
      }
      EXPECT_LE(nearest, 1e-6 * largest) << "seed " << seed << " again " << again;
      (local.mode < 0.0 ? open : local.mode == 4.0 ? sticks : slips) += 1;
      for (double& value : local.b) value *= random.uniform(0.5, 1.5);
    }
  }
  EXPECT_GT(open, solved / 10);
  EXPECT_GT(sticks, solved / 20);
  EXPECT_GT(slips, solved / 10);
}

TEST(BoxContact, EachTangentSlidesByItself) {
  Local local{Eigen::Matrix3d::Identity(), {-2, 0.5, -3}, 0.5, {}, -1.0};
  ASSERT_TRUE(local.solve());
  EXPECT_LE((local.r - Eigen::Vector3d(2, -0.5, 1)).norm(), 1e-15);
  EXPECT_EQ(local.mode, 5.0) << "the first sticks, the second is at its upper bound";
  const Eigen::Matrix3d by_columns = local.D.transpose();
  EXPECT_EQ(BoxContact(by_columns.data()).mode_of(local.mu, local.r.data()), 5.0);
}

TEST(BoxContact, WithoutFrictionOnlyTheNormalActs) {
  Local local;
  local.D << 2, 0.5, 0.1, 0.5, 1, 0, 0.1, 0, 1;
  local.b = {-4, 3, 2};
  ASSERT_TRUE(local.solve());
  EXPECT_EQ(local.r, Eigen::Vector3d(2, 0, 0));
  local.b[0] = 1.0;
  ASSERT_TRUE(local.solve());
  EXPECT_EQ(local.r, Eigen::Vector3d(0, 0, 0));
}

TEST(BoxContact, ZeroBlockIsOpenOrUntouched) {
  Local local{Eigen::Matrix3d::Zero(), {1, 2, 3}, 0.5, {7, 1, 1}, 4.0};
  ASSERT_TRUE(local.solve());
  EXPECT_EQ(local.r, Eigen::Vector3d(0, 0, 0));
  local.b[0] = -1.0;
  local.r = {7, 1, 1};
  EXPECT_FALSE(local.solve());
  EXPECT_EQ(local.r, Eigen::Vector3d(7, 1, 1));
}

TEST(BoxContact, SingularBlocks) {
  // No tangential motion at all, along one tangent, and all along one direction.
  std::array<Eigen::Matrix3d, 3> blocks;
  blocks[0] << 1, 0, 0, 0, 0, 0, 0, 0, 0;
  blocks[1] << 1, 0, 0, 0, 1, 0, 0, 0, 0;
  blocks[2] << 1, 0.5, -0.5, 0.5, 0.25, -0.25, -0.5, -0.25, 0.25;
  for (const Eigen::Matrix3d& D : blocks) {
    for (const auto& b :
         {Eigen::Vector3d(-1, 0, 0), Eigen::Vector3d(-1, 0.3, 0), Eigen::Vector3d(-1, 0, 2),
          Eigen::Vector3d(-1, 4, -3), Eigen::Vector3d(-1, -0.5, 0.5), Eigen::Vector3d(1, 0, 0)}) {
      Local local{D, b, 0.7, {}, -1.0};
      ASSERT_TRUE(local.solve()) << D << " " << b.transpose();
      EXPECT_LE(local.error(), 1e-14) << D << " " << b.transpose();
    }
  }
}

TEST(BoxContact, UnitsDoNotMatter) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Local reference = random_local(seed);
    const Local local = reference;
    if (!reference.solve()) continue;
    for (const double mass : {1e-6, 1e6}) {
      for (const double velocity : {1e-6, 1e6}) {
        Local other = local;
        other.D *= mass;
        other.b *= velocity;
        ASSERT_TRUE(other.solve());
        EXPECT_LE((other.r * mass / velocity - reference.r).norm(), 1e-9 * reference.r.norm()) << seed;
      }
    }
  }
}

TEST(BoxContact, NeverGivesANaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, infinity, -infinity}) {
    for (int k = 0; k < 3; ++k) {
      for (const double mode : {-1.0, 4.0, 5.0}) {
        Local local;
        local.D << 2, 0.1, 0.2, 0.1, 1, 0.3, 0.2, 0.3, 1.5;
        local.b = {-1, 1, 1};
        local.mu = 0.5;
        local.r = {1, 0, 0};
        local.mode = mode;
        local.b[k] = bad;
        local.solve();
        EXPECT_TRUE(local.r.allFinite());
      }
    }
  }
}

}  // namespace slipstick::internal::box_contact_test
