// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace slipstick::internal::motion_test {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using std::numbers::pi;

const Pose start{{1.0, 2.0, 3.0}, Quaterniond(AngleAxisd(0.3, Vector3d(1, 1, 0).normalized()))};

double angle_between(const Quaterniond& a, const Quaterniond& b) {
  return rotation_vector(a * b.conjugate()).norm();
}

// A body with the twist of the step arrives at the next pose.
void expect_arrival(const Motion& motion, double t, double step) {
  const Pose from = pose_at(motion, start, t), to = pose_at(motion, start, t + step);
  const Twist twist = twist_over(motion, start, t, step);
  EXPECT_LT((from.position + step * twist.velocity - to.position).norm(), 1e-14);
  EXPECT_LT(angle_between(rotation_by(step * twist.spin) * from.orientation, to.orientation), 1e-14);
}

TEST(Motion, RotationVectors) {
  for (const double angle : {0.0, 1e-300, 1e-12, 1e-5, 1e-4, 0.1, 1.0, 3.0, pi - 1e-9}) {
    const Vector3d vector = angle * Vector3d(1, -2, 2) / 3.0;
    const Quaterniond rotation = rotation_by(vector);
    EXPECT_NEAR(rotation.norm(), 1.0, 1e-15);
    EXPECT_LE((rotation_vector(rotation) - vector).norm(), 1e-14 * angle) << angle;
    const Quaterniond same(-rotation.coeffs());
    EXPECT_LE((rotation_vector(same) - vector).norm(), 1e-14 * angle) << angle;
  }
  EXPECT_LT(angle_between(rotation_by({0, 0, 0.5}), Quaterniond(AngleAxisd(0.5, Vector3d::UnitZ()))), 1e-15);
}

TEST(Motion, AtRest) {
  const Pose pose = pose_at(Motion{}, start, 5.0);
  EXPECT_EQ(pose.position, start.position);
  EXPECT_EQ(pose.orientation.coeffs(), start.orientation.coeffs());
  EXPECT_EQ(twist_over(Motion{}, start, 1.0, 0.1).velocity, Vector3d::Zero());
  EXPECT_EQ(twist_over(Motion{}, start, 1.0, 0.1).spin, Vector3d::Zero());
}

TEST(Motion, Steady) {
  const SteadyMotion steady{{1, 0, -2}, {0, 0, 3}};
  EXPECT_LT((pose_at(steady, start, 2.0).position - Vector3d(3, 2, -1)).norm(), 1e-15);
  EXPECT_LT(angle_between(pose_at(steady, start, 2.0).orientation,
                          Quaterniond(AngleAxisd(6.0, Vector3d::UnitZ())) * start.orientation),
            1e-14);
  expect_arrival(steady, 0.7, 0.01);
  expect_arrival(SteadyMotion{{}, {0, 0, 400}}, 0.0, 0.01);  // more than half a turn in a step
}

TEST(Motion, Oscillating) {
  const Oscillation wave{.amplitude = {0, 0, 0.1}, .turn = {0.2, 0, 0}, .frequency = 2.0, .phase = 0.0};
  EXPECT_EQ(pose_at(wave, start, 0.0).position, start.position);
  EXPECT_LT((pose_at(wave, start, 0.125).position - (start.position + Vector3d(0, 0, 0.1))).norm(), 1e-15);
  EXPECT_NEAR(angle_between(pose_at(wave, start, 0.125).orientation, start.orientation), 0.2, 1e-14);
  expect_arrival(wave, 0.4, 1.0 / 60.0);
}

TEST(Motion, KeyFramesAreMetAndJoined) {
  const KeyFrames frames{{1.0, 2.0, 4.0},
                         {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(1, 4, 0)},
                         {Quaterniond::Identity(), Quaterniond(AngleAxisd(1.0, Vector3d::UnitX())),
                          Quaterniond(-Quaterniond(AngleAxisd(2.0, Vector3d::UnitX())).coeffs())}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Pose pose = pose_at(frames, start, frames.times[i]);
    EXPECT_EQ(pose.position, frames.positions[i]);
    EXPECT_EQ(pose.orientation.coeffs(), frames.orientations[i].coeffs());
  }
  EXPECT_EQ(pose_at(frames, start, 0.0).position, Vector3d(0, 0, 0));
  EXPECT_EQ(pose_at(frames, start, 9.0).position, Vector3d(1, 4, 0));
  EXPECT_LT((pose_at(frames, start, 3.0).position - Vector3d(1, 2, 0)).norm(), 1e-15);
  // The shorter way, whatever the sign of the quaternion.
  EXPECT_LT(
      angle_between(pose_at(frames, start, 3.0).orientation, Quaterniond(AngleAxisd(1.5, Vector3d::UnitX()))),
      1e-14);
  expect_arrival(frames, 1.95, 0.1);
  expect_arrival(frames, 3.95, 0.1);
  EXPECT_EQ(twist_over(frames, start, 5.0, 0.1).velocity, Vector3d::Zero());
}

TEST(Motion, BeltsStay) {
  const BeltMotion belt{{1, 0, 0}, {0, 0, 2}};
  EXPECT_EQ(pose_at(belt, start, 3.0).position, start.position);
  EXPECT_EQ(twist_over(belt, start, 3.0, 0.1).velocity, Vector3d::Zero());
  EXPECT_EQ(belt_twist(belt).velocity, Vector3d(1, 0, 0));
  EXPECT_EQ(belt_twist(belt).spin, Vector3d(0, 0, 2));
  EXPECT_EQ(belt_twist(SteadyMotion{{1, 0, 0}, {}}).velocity, Vector3d::Zero());
}

}  // namespace slipstick::internal::motion_test
