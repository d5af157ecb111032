// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/cone_lanes.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/random.hpp"

namespace slipstick::internal::cone_lanes_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// One contact, through the same lanes.
template <int Rows>
Eigen::Matrix<double, Rows, 1> projected(double mu, const Eigen::Matrix<double, Rows, 1>& x) {
  Eigen::Matrix<double, Rows, 1> result;
  project_on_cone<Rows>(mu, x.data(), result.data());
  return result;
}

using Eigen::Vector2d;
using Eigen::Vector3d;

TEST(ConeLanes, ProjectOneContactInEveryRegime) {
  // Inside, outside, in the polar cone, on the axis and at the apex; (1, 3 / 4, 1) is 5 / 4 off the axis.
  EXPECT_EQ(projected<3>(0.5, {2.0, 0.6, -0.8}), Vector3d(2.0, 0.6, -0.8));
  EXPECT_TRUE(projected<3>(1.0, {1.0, 0.75, 1.0}).isApprox(Vector3d(1.125, 0.675, 0.9), 1e-15));
  EXPECT_EQ(projected<3>(0.5, {-1.0, 1.0, 1.0}), Vector3d::Zero());
  EXPECT_EQ(projected<3>(0.5, {3.0, 0.0, 0.0}), Vector3d(3.0, 0.0, 0.0));
  EXPECT_EQ(projected<3>(0.5, {-3.0, 0.0, 0.0}), Vector3d::Zero());
  EXPECT_EQ(projected<3>(0.5, Vector3d::Zero()), Vector3d::Zero());
}

TEST(ConeLanes, ProjectInThePlane) {
  EXPECT_EQ(projected<2>(0.5, {2.0, -1.0}), Vector2d(2.0, -1.0));
  EXPECT_TRUE(projected<2>(0.5, {0.0, -1.0}).isApprox(Vector2d(0.4, -0.2), 1e-15));
  EXPECT_EQ(projected<2>(0.5, {-1.0, 0.5}), Vector2d::Zero());
}

TEST(ConeLanes, ProjectOnTheNormalAloneWithoutFriction) {
  EXPECT_EQ(projected<3>(0.0, {2.0, 5.0, -1.0}), Vector3d(2.0, 0.0, 0.0));
  EXPECT_EQ(projected<3>(0.0, {-2.0, 5.0, -1.0}), Vector3d::Zero());
  EXPECT_EQ(projected<3>(0.0, {2.0, 0.0, 0.0}), Vector3d(2.0, 0.0, 0.0));
}

TEST(ConeLanes, ProjectVerySmallPoints) {
  // Their squares underflow: what is left of the tangent is no larger than it was.
  const Vector3d small = projected<3>(0.5, {1e-200, 1e-170, 0.0});
  EXPECT_GE(small[0], 1e-200);
  EXPECT_LE(small[1], 1e-170);
  EXPECT_TRUE(small.allFinite());
}

TEST(ConeLanes, KeepContactsApart) {
  // Four at once give the bits of each by itself. A value that is not finite stays in its lane.
  Random random(3);
  for (int repetition = 0; repetition < 100; ++repetition) {
    Eigen::Matrix<double, 12, 1> x, together;
    double mu[4];
    for (double& value : x) value = random.uniform(-1.0, 1.0);
    for (double& value : mu) value = random.uniform(0.0, 2.0);
    if (repetition % 2 == 1) x[4] = nan;
    projected_on_cones<4>(load_pack(mu), ConePoints<4>::load<3>(x.data())).store<3>(together.data());
    for (int k = 0; k < 4; ++k) {
      if (repetition % 2 == 1 && k == 1) continue;
      EXPECT_EQ((together.segment<3>(3 * k)), (projected<3>(mu[k], x.segment<3>(3 * k))));
    }
  }
}

TEST(ConeLanes, VisitEveryBlockOnceAndInOrder) {
  ProductSet K;
  K.append_cone(0.1, 3);
  K.append_free(2);
  for (int k = 0; k < 9; ++k) K.append_cone(0.2 + k, 3);
  K.append_cone(0.3, 2);
  K.append_nonnegative(3);
  for (int k = 0; k < 4; ++k) K.append_cone(0.4, 3);
  std::vector<Index> starts;
  int lanes = 0;
  visit_cones(
      K.blocks(),
      [&]<int Contacts, int Rows>(const SetBlock* cones) {
        lanes += Contacts == 4;
        for (int i = 0; i < Contacts; ++i) {
          EXPECT_EQ(cones[i].kind, SetKind::cone);
          EXPECT_EQ(cones[i].size, Rows);
          EXPECT_EQ(cones[i].start, cones[0].start + i * Rows);
          starts.push_back(cones[i].start);
        }
      },
      [&](const SetBlock& block) {
        EXPECT_NE(block.kind, SetKind::cone);
        starts.push_back(block.start);
      });
  EXPECT_EQ(lanes, 3);
  ASSERT_EQ(starts.size(), K.blocks().size());
  for (std::size_t k = 0; k < starts.size(); ++k) EXPECT_EQ(starts[k], K.blocks()[k].start);
}

}  // namespace slipstick::internal::cone_lanes_test
