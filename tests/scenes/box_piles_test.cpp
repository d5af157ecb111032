// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/box_piles.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "slipstick/base/error.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::box_piles_test {

using Eigen::Vector3d;

TowerOptions tower(BrickPattern pattern, Index courses, Index bricks, double jitter = 0.0) {
  return {.pattern = pattern, .courses = courses, .bricks = bricks, .jitter = jitter};
}

// H' M^-1 H
DenseMatrix delassus(const GlobalContactProblem& problem) {
  const DenseMatrix h(problem.H);
  return h.transpose() * inverse(DenseMatrix(problem.M)) * h;
}

Index rank(const DenseMatrix& matrix) {
  const Vector values = eigenvalues(matrix);
  EXPECT_GT(values[0], -1e-12 * values.maxCoeff()) << "not positive semidefinite";
  return (values.array() > 1e-10 * values.maxCoeff()).count();
}

// Frames are orthonormal. A contact gives to one body what it takes from the other: forces and moments about
// the origin add up to zero. Contacts with the ground have one body.
void expect_balanced(const GlobalContactProblem& problem, const std::vector<Vector3d>& centres) {
  const DenseMatrix h(problem.H);
  const auto bodies = static_cast<Index>(centres.size());
  ASSERT_EQ(h.rows(), 6 * bodies);
  for (Index c = 0; c < problem.contacts(); ++c) {
    std::vector<Index> own;
    Eigen::Matrix3d force = Eigen::Matrix3d::Zero(), moment = Eigen::Matrix3d::Zero();
    for (Index b = 0; b < bodies; ++b) {
      const Eigen::Matrix3d part = h.block<3, 3>(6 * b, 3 * c);
      if (part.isZero(0.0)) continue;
      own.push_back(b);
      EXPECT_LE((part.transpose() * part - Eigen::Matrix3d::Identity()).norm(), 1e-14);
      force += part;
      moment += h.block<3, 3>(6 * b + 3, 3 * c);
      for (int k = 0; k < 3; ++k) moment.col(k) += centres[b].cross(part.col(k));
    }
    ASSERT_GE(own.size(), 1u);
    ASSERT_LE(own.size(), 2u);
    if (own.size() == 1) {
      EXPECT_LE((force.col(0) - Vector3d::UnitZ()).norm(), 1e-15);
      continue;
    }
    EXPECT_LE(force.norm(), 1e-14);
    EXPECT_LE(moment.norm(), 1e-15);
    // The normal points at the later body.
    const Eigen::Matrix3d frame = h.block<3, 3>(6 * own[1], 3 * c);
    EXPECT_NEAR(frame.determinant(), 1.0, 1e-14);
    EXPECT_GT(frame.col(0).dot(centres[own[1]] - centres[own[0]]), 0.0);
  }
}

std::vector<Vector3d> centres_of(const TowerOptions& options) {
  std::vector<Vector3d> centres;
  for (const UprightBox& brick : tower_bricks(options)) centres.push_back(brick.centre);
  return centres;
}

TEST(BrickTower, OnePlankOnTheGround) {
  TowerOptions options = tower(BrickPattern::crossed, 1, 1);
  options.speed = 0.0;
  options.push = 0.25;
  const GlobalContactProblem problem = brick_tower(options);
  ASSERT_EQ(problem.contacts(), 4);
  EXPECT_EQ(problem.dimension, 3);
  const double mass = 600.0 * 0.12 * 0.024 * 0.008;
  Vector diagonal(6);
  diagonal << mass, mass, mass, mass / 12.0 * (0.024 * 0.024 + 0.008 * 0.008),
      mass / 12.0 * (0.12 * 0.12 + 0.008 * 0.008), mass / 12.0 * (0.12 * 0.12 + 0.024 * 0.024);
  EXPECT_LE((DenseMatrix(problem.M) - DenseMatrix(diagonal.asDiagonal())).cwiseAbs().maxCoeff(), 1e-16);
  Vector f = Vector::Zero(6);
  f[0] = 0.25 * mass * 9.81 * 0.01;
  f[2] = -mass * 9.81 * 0.01;
  EXPECT_LE((problem.f - f).cwiseAbs().maxCoeff(), 1e-16);
  EXPECT_EQ(problem.w, Vector::Zero(12));
  EXPECT_EQ(problem.mu, Vector::Constant(4, 0.5));
  // The corners of the base: normals have the moments (y, -x, 0).
  const DenseMatrix h(problem.H);
  for (int c = 0; c < 4; ++c) {
    EXPECT_EQ(h(2, 3 * c), 1.0);
    EXPECT_NEAR(std::abs(h(3, 3 * c)), 0.012, 1e-16);
    EXPECT_NEAR(std::abs(h(4, 3 * c)), 0.06, 1e-16);
  }
}

TEST(BrickTower, ContactsOfEveryPattern) {
  // Every plank on every plank of the course below.
  EXPECT_EQ(brick_tower(tower(BrickPattern::crossed, 7, 3)).contacts(), 4 * (3 + 6 * 9));
  EXPECT_EQ(brick_tower(tower(BrickPattern::crossed, 3, 9)).contacts(), 4 * (9 + 2 * 81));
  // Half bricks rest on one, whole ones on two.
  EXPECT_EQ(brick_tower(tower(BrickPattern::wall, 5, 4)).contacts(), 4 * (4 + 4 * 8));
  EXPECT_EQ(brick_tower(tower(BrickPattern::wall, 2, 1)).contacts(), 4 * (1 + 2));
  // Bricks of a ring overlap the ends of two, in hexagons.
  for (const Index bricks : {4, 5, 8, 20}) {
    const Index contacts = brick_tower(tower(BrickPattern::ring, 6, bricks)).contacts();
    EXPECT_EQ(contacts, 4 * bricks + 5 * 2 * 6 * bricks) << bricks;
  }
}

TEST(BrickTower, ContactsAreInBalance) {
  for (const BrickPattern pattern : {BrickPattern::crossed, BrickPattern::wall, BrickPattern::ring}) {
    for (const double jitter : {0.0, 0.1}) {
      const TowerOptions options = tower(pattern, 4, 4, jitter);
      expect_balanced(brick_tower(options), centres_of(options));
    }
  }
}

TEST(BrickTower, ContactsLieInTheFacesOfBothBricks) {
  const TowerOptions options = tower(BrickPattern::ring, 5, 6, 0.2);
  const std::vector<UprightBox> bricks = tower_bricks(options);
  const GlobalContactProblem problem = brick_tower(options);
  const DenseMatrix h(problem.H);
  int found = 0;
  for (Index c = 0; c < problem.contacts(); ++c) {
    for (std::size_t b = 0; b < bricks.size(); ++b) {
      const Index row = 6 * static_cast<Index>(b);
      const double sign = h(row + 2, 3 * c);
      if (sign == 0.0) continue;
      // Normal z has the moment (y, -x, 0) of the arm (x, y, -+ height / 2).
      const double x = -sign * h(row + 4, 3 * c), y = sign * h(row + 3, 3 * c);
      const double cosine = std::cos(bricks[b].angle), sine = std::sin(bricks[b].angle);
      EXPECT_LE(std::abs(cosine * x + sine * y), 0.06 + 1e-12);
      EXPECT_LE(std::abs(-sine * x + cosine * y), 0.012 + 1e-12);
      ++found;
    }
  }
  EXPECT_EQ(found, 2 * problem.contacts() - 4 * 6);  // all but those with the ground are in two bricks
}

TEST(BrickTower, DelassusHasTheRankOfTheBricks) {
  for (const BrickPattern pattern : {BrickPattern::crossed, BrickPattern::wall, BrickPattern::ring}) {
    const TowerOptions options = tower(pattern, 3, 4);
    const GlobalContactProblem problem = brick_tower(options);
    const DenseMatrix w = delassus(problem);
    EXPECT_LE((w - w.transpose()).norm(), 1e-13 * w.norm());
    EXPECT_EQ(rank(w), 6 * static_cast<Index>(tower_bricks(options).size()));
    EXPECT_GT(w.rows(), rank(w));
  }
}

TEST(BrickTower, SeedsDecideTheBits) {
  TowerOptions options = tower(BrickPattern::wall, 4, 3, 0.1);
  const GlobalContactProblem first = brick_tower(options);
  const GlobalContactProblem again = brick_tower(options);
  ASSERT_EQ(first.H.nonZeros(), again.H.nonZeros());
  EXPECT_EQ(first.H.coeffs().matrix(), again.H.coeffs().matrix());
  EXPECT_EQ(first.f, again.f);
  options.seed = 2;
  EXPECT_NE(first.f, brick_tower(options).f);
  // The geometry does not depend on velocities.
  options.seed = 1;
  options.speed = 1.0;
  EXPECT_EQ(first.H.coeffs().matrix(), brick_tower(options).H.coeffs().matrix());
  EXPECT_NE(first.f, brick_tower(options).f);
}

TEST(RockPile, ContactsAreInBalance) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const RocksOptions options{.rocks = 14, .seed = seed};
    std::vector<Vector3d> centres;
    for (const UprightBox& rock : piled_rocks(options)) centres.push_back(rock.centre);
    expect_balanced(rock_pile(options), centres);
  }
}

TEST(RockPile, FacetsSlopeNoMoreThanAskedFor) {
  for (const double slope : {0.0, 0.4}) {
    const RocksOptions options{.rocks = 30, .slope = slope};
    const std::vector<UprightBox> rocks = piled_rocks(options);
    const GlobalContactProblem problem = rock_pile(options);
    const DenseMatrix h(problem.H);
    int beds = 0, joints = 0;
    double steepest = 0.0;
    for (Index c = 0; c < problem.contacts(); ++c) {
      for (std::size_t b = rocks.size(); b-- > 0;) {
        const Vector3d normal = h.block<3, 1>(6 * static_cast<Index>(b), 3 * c);
        if (normal.isZero(0.0)) continue;
        const double tilt = std::acos(std::min(1.0, normal.z()));
        const bool bed = tilt < 0.5;
        ++(bed ? beds : joints);
        const double off = bed ? tilt : std::abs(tilt - 0.5 * 3.14159265358979323846);
        EXPECT_LE(off, slope + 1e-7);
        steepest = std::max(steepest, off);
        break;
      }
    }
    EXPECT_GT(beds, 0);
    EXPECT_GT(joints, 0);
    EXPECT_GE(steepest, 0.5 * slope);
  }
}

TEST(RockPile, DelassusIsRedundant) {
  const GlobalContactProblem problem = rock_pile({.rocks = 15});
  EXPECT_EQ(problem.mu, Vector::Constant(problem.contacts(), 1.0));
  const DenseMatrix w = delassus(problem);
  EXPECT_LE((w - w.transpose()).norm(), 1e-13 * w.norm());
  const Index found = rank(w);
  EXPECT_LE(found, 6 * 15);
  EXPECT_GT(found, 5 * 15);
  EXPECT_GT(w.rows(), 2 * found);
}

TEST(RockPile, EverySizeWorks) {
  for (Index rocks = 1; rocks <= 20; ++rocks) {
    const RocksOptions options{.rocks = rocks, .seed = static_cast<std::uint64_t>(rocks)};
    const GlobalContactProblem problem = rock_pile(options);
    EXPECT_EQ(problem.M.rows(), 6 * rocks);
    EXPECT_GE(problem.contacts(), 4);
    EXPECT_TRUE(problem.H.coeffs().allFinite());
    EXPECT_EQ(problem.f, rock_pile(options).f);
  }
}

TEST(BoxPiles, RefuseNonsense) {
  EXPECT_THROW(brick_tower({.courses = 0}), Error);
  EXPECT_THROW(brick_tower({.bricks = 0}), Error);
  EXPECT_THROW(brick_tower(tower(BrickPattern::ring, 3, 3)), Error);
  EXPECT_THROW(brick_tower({.jitter = 0.5}), Error);
  EXPECT_THROW(brick_tower({.push = std::nan("")}), Error);
  EXPECT_THROW(brick_tower({.time_step = 0.0}), Error);
  EXPECT_THROW(brick_tower({.friction = -1.0}), Error);
  EXPECT_THROW(rock_pile({.rocks = 0}), Error);
  EXPECT_THROW(rock_pile({.slope = 1.0}), Error);
  EXPECT_THROW(rock_pile({.size_spread = -0.1}), Error);
  EXPECT_THROW(rock_pile({.speed = std::nan("")}), Error);
}

}  // namespace slipstick::internal::box_piles_test
