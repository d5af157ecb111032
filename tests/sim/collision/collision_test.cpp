// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/collision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <sstream>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/sim/collision/keys.hpp"
#include "slipstick/sim/collision/nearest.hpp"
#include "tests/sim/collision/pair_scene.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::collision_test {

using Eigen::Quaterniond;
using Eigen::Vector3d;

std::vector<std::uint64_t> keys_of(const std::vector<TouchPoint>& touches) {
  std::vector<std::uint64_t> keys;
  for (const TouchPoint& touch : touches) keys.push_back(touch.key);
  return keys;
}

TEST(Collision, TwoSpheres) {
  PairScene pair;
  pair.add(SphereShape{1.0}, {5, 0, 0});
  pair.add(SphereShape{2.0}, {5, 3.0625, 0});
  pair.scene.bodies[1].shapes[0].material = 3;
  pair.scope.margin = 0.1;
  const auto touches = pair.find();
  ASSERT_EQ(touches.size(), 1u);
  EXPECT_EQ(touches[0].key, contact_key(0, 1, 0));
  EXPECT_EQ(touches[0].bodies, (std::array{0, 1}));
  EXPECT_EQ(touches[0].materials, (std::array{0, 3}));
  EXPECT_EQ(touches[0].gap, 0.0625);
  EXPECT_EQ(touches[0].normal, Vector3d(0, -1, 0));
  EXPECT_EQ(touches[0].points[0], Vector3d(5, 1.03125, 0));
  EXPECT_EQ(touches[0].points[1], touches[0].points[0]);
  pair.scope.margin = 0.03;
  EXPECT_TRUE(pair.find().empty());
}

// The normal points from the second body to the first, whichever of them is the plane.
TEST(Collision, BoxOnPlane) {
  for (const bool plane_first : {true, false}) {
    PairScene pair;
    if (plane_first) pair.add(PlaneShape{}, {7, 7, 1}, false);
    pair.add(BoxShape{{1, 2, 3}}, {0, 0, 2.5});
    if (!plane_first) pair.add(PlaneShape{}, {7, 7, 1}, false);
    const auto touches = pair.find();
    ASSERT_EQ(touches.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(touches[k].key, contact_key(0, 1, static_cast<int>(k)));
      EXPECT_EQ(touches[k].gap, 0.0);
      EXPECT_EQ(touches[k].normal, Vector3d(0, 0, plane_first ? -1 : 1));
      EXPECT_EQ(touches[k].points[0].cwiseAbs(), Vector3d(0.5, 1.0, 1.0));
    }
  }
}

TEST(Collision, ListsWhatCanCloseInTheStep) {
  const auto count = [](double speed, double gravity) {
    PairScene pair;
    pair.add(SphereShape{1.0}, {0, 0, 1.5}, true, Quaterniond::Identity(), {0, 0, -speed});
    pair.add(PlaneShape{}, {0, 0, 0}, false);
    pair.scope = {.time_step = 0.1, .gravity = {0, 0, -gravity}, .margin = 0.0};
    return pair.find().size();
  };
  EXPECT_EQ(count(4.9, 0.0), 0u);
  EXPECT_EQ(count(5.1, 0.0), 1u);
  EXPECT_EQ(count(0.0, 49.0), 0u);
  EXPECT_EQ(count(0.0, 51.0), 1u);
}

TEST(Collision, LeavesOutWhatMayNotTouch) {
  PairScene pair;
  pair.add(SphereShape{1.0}, {0, 0, 0});
  pair.add(SphereShape{1.0}, {1, 0, 0});
  pair.add(SphereShape{1.0}, {2, 0, 0}, false);
  pair.add(SphereShape{1.0}, {0.5, 0, 0}, false);
  std::vector<TouchPoint> touches;
  const std::array<std::array<int, 2>, 1> excluded = {{{1, 0}}};
  Collision(pair.scene, excluded).find(pair.states, pair.scope, touches);
  EXPECT_EQ(keys_of(touches),
            (std::vector{contact_key(0, 2), contact_key(0, 3), contact_key(1, 2), contact_key(1, 3)}));
  pair.scene.bodies[0].group = 2;
  pair.scene.bodies[2].collides = 1;
  EXPECT_EQ(keys_of(pair.find()),
            (std::vector{contact_key(0, 1), contact_key(0, 3), contact_key(1, 2), contact_key(1, 3)}));
}

TEST(Collision, Compound) {
  PairScene pair;
  pair.add(SphereShape{0.5}, {0, 0, 1.5});
  const int floor = pair.add(PlaneShape{}, {0, 0, 1}, false);
  pair.scene.bodies[0].shapes = {{.shape = 0, .position = {-1, 0, 0}, .material = 4},
                                 {.shape = 0, .position = {1, 0, 0}, .material = 5}};
  const auto touches = pair.find();
  ASSERT_EQ(touches.size(), 2u);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(touches[k].key, contact_key(0, floor, k));
    EXPECT_EQ(touches[k].materials[0], 4 + k);
    EXPECT_EQ(touches[k].points[0], Vector3d(k == 0 ? -1 : 1, 0, 1));
  }
}

TEST(Collision, SmallestExtent) {
  PairScene pair;
  pair.add(BoxShape{{1, 2, 3}}, {0, 0, 0});
  pair.add(PlaneShape{}, {0, 0, 0}, false);
  pair.add(SphereShape{0.25}, {9, 9, 9});
  const Collision collision(pair.scene, {});
  EXPECT_EQ(collision.smallest_extent(0), 1.0);
  EXPECT_EQ(collision.smallest_extent(1), std::numeric_limits<double>::infinity());
  EXPECT_EQ(collision.smallest_extent(2), 0.5);
}

// All pairs against the trees, with spheres of different sizes, one far away, two at the same place.
TEST(Collision, FindsThePairsThatAllPairsShow) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Random random(seed);
    PairScene many;
    many.scope.margin = 0.0;
    std::vector<double> radii;
    for (int k = 0; k < 300; ++k) {
      radii.push_back(k % 50 == 0 ? 2.0 : random.uniform(0.02, 0.6));
      many.add(SphereShape{radii.back()},
               {random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 4)}, k % 3 != 0);
    }
    radii.insert(radii.end(), {radii.back(), 1.0});
    many.add(SphereShape{radii.back()}, many.states.back().position);
    many.scene.shapes.back() = many.scene.shapes[many.scene.shapes.size() - 2];
    many.add(SphereShape{1.0}, {1e9, -1e7, 3.0});
    std::vector<std::uint64_t> expected;
    for (int i = 0; i < static_cast<int>(radii.size()); ++i) {
      for (int j = i + 1; j < static_cast<int>(radii.size()); ++j) {
        if (many.scene.bodies[i].kind == BodyKind::fixed && many.scene.bodies[j].kind == BodyKind::fixed)
          continue;
        if ((many.states[i].position - many.states[j].position).norm() <= radii[i] + radii[j])
          expected.push_back(contact_key(i, j));
      }
    }
    EXPECT_EQ(keys_of(many.find()), expected);
    EXPECT_GT(expected.size(), 100u);
  }
}

// A box that slides and rocks on a plane or on another box keeps its keys.
void expect_lasting_keys(ShapeGeometry floor, double level) {
  PairScene pair;
  pair.add(BoxShape{{1, 0.8, 0.5}}, {0, 0, 0});
  pair.add(std::move(floor), {0, 0, 0}, false);
  pair.scope = {.time_step = 1.0 / 60.0, .gravity = {0, 0, -9.81}};
  Collision collision(pair.scene, {});
  std::vector<TouchPoint> touches;
  std::set<std::uint64_t> before;
  std::size_t kept = 0, all = 0;
  const int steps = 400;
  for (int step = 0; step < steps; ++step) {
    const double t = step / 60.0;
    const Quaterniond turn = Quaterniond(Eigen::AngleAxisd(0.4 * t, Vector3d::UnitZ())) *
                             Quaterniond(Eigen::AngleAxisd(0.02 * std::sin(7.0 * t), Vector3d::UnitX())) *
                             Quaterniond(Eigen::AngleAxisd(0.015 * std::sin(9.0 * t), Vector3d::UnitY()));
    BodyState& box = pair.states[0];
    box.orientation = turn;
    // The lowest corner touches.
    double lowest = 0.0;
    for (int corner = 0; corner < 8; ++corner)
      lowest =
          std::min(lowest, (turn * Vector3d((corner & 1) != 0 ? 0.5 : -0.5, (corner & 2) != 0 ? 0.4 : -0.4,
                                            (corner & 4) != 0 ? 0.25 : -0.25))
                               .z());
    box.position = {-1.0 + 0.3 * t, 0.2 * std::sin(t), level - lowest};
    box.velocity = {0.3, 0.2 * std::cos(t), 0};
    collision.find(pair.states, pair.scope, touches);
    std::set<std::uint64_t> now;
    for (const TouchPoint& touch : touches) now.insert(touch.key);
    EXPECT_EQ(now.size(), touches.size());
    EXPECT_GE(touches.size(), 1u);
    for (const std::uint64_t key : now) kept += before.count(key);
    if (step > 0) all += now.size();
    before = now;
  }
  EXPECT_GE(static_cast<double>(kept), 0.95 * static_cast<double>(all)) << kept << " of " << all;
}

TEST(Collision, KeysLastOnAPlane) {
  expect_lasting_keys(PlaneShape{}, 0.0);
}

TEST(Collision, KeysLastOnABox) {
  PairScene boxes;
  boxes.add(BoxShape{}, {0, 0, 1});
  boxes.add(BoxShape{}, {0, 0, 0}, false);
  if (is_refused_without_bullet(boxes)) return;
  expect_lasting_keys(BoxShape{{2.2, 2.0, 1.0}}, 0.5);
}

// Key and place belong together: the corner of the box is the same.
TEST(Collision, KeysFollowCorners) {
  PairScene pair;
  pair.add(BoxShape{{1, 1, 1}}, {0, 0, 0.5});
  pair.add(PlaneShape{}, {0, 0, 0}, false);
  Collision collision(pair.scene, {});
  std::vector<TouchPoint> first, touches;
  collision.find(pair.states, pair.scope, first);
  ASSERT_EQ(first.size(), 4u);
  for (int step = 1; step <= 100; ++step) {
    const double angle = 0.1 * step;
    pair.states[0].orientation = Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ()));
    pair.states[0].position.x() = 0.3 * step;
    collision.find(pair.states, pair.scope, touches);
    ASSERT_EQ(keys_of(touches), keys_of(first));
    for (std::size_t k = 0; k < 4; ++k) {
      const Vector3d corner =
          pair.states[0].orientation.conjugate() * (touches[k].points[0] - pair.states[0].position);
      EXPECT_LE((corner - (first[k].points[0] - Vector3d(0, 0, 0.5))).norm(), 1e-12);
    }
  }
}

// What the time step does with one contact: impulses stop the body at the surface.
Vector3d stopped(const PairScene& pair, int body) {
  const double h = pair.scope.time_step;
  Vector3d velocity = pair.states[body].velocity;
  const auto touches = pair.find();
  for (int sweep = 0; sweep < 50; ++sweep) {
    for (const TouchPoint& touch : touches) {
      const double sign = touch.bodies[0] == body ? 1.0 : -1.0;
      const double closing = sign * touch.normal.dot(velocity) + touch.gap / h;
      if (closing < 0.0) velocity -= sign * closing * touch.normal;
    }
  }
  return pair.states[body].position + h * velocity;
}

TEST(Collision, ABulletDoesNotPassAThinPlate) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    PairScene pair;
    pair.scope = {.time_step = 1.0 / 60.0};
    const Vector3d aim(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0.0);
    const Vector3d way = Vector3d(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), -1.0).normalized();
    const double before = random.uniform(0.02, 1.5);
    pair.add(SphereShape{0.005}, aim - before * way, true, Quaterniond::Identity(), 100.0 * way);
    pair.add(BoxShape{{1, 1, 0.001}}, {0, 0, 0}, false);
    ASSERT_GE(pair.find().size(), 1u);
    EXPECT_NEAR(stopped(pair, 0).z(), 0.0055, 1e-5);
  }
}

TEST(Collision, FastPairsOfSpheres) {
  Random random(6);
  int hits = 0;
  for (int trial = 0; trial < 300; ++trial) {
    PairScene pair;
    pair.scope = {.time_step = 1.0 / 60.0, .margin = 0.0};
    const double aside = random.uniform(0.0, 0.05);
    const double before = random.uniform(0.03, 1.0);
    pair.add(SphereShape{0.01}, {before, aside, 0.0}, true, Quaterniond::Identity(), {-100.0, 0.0, 0.0});
    pair.add(SphereShape{0.01}, {0, 0, 0});
    const auto touches = pair.find();
    if (aside > 0.02 + 2e-5) {
      EXPECT_TRUE(touches.empty()) << aside;
    } else if (aside < 0.02) {
      ++hits;
      ASSERT_EQ(touches.size(), 1u);
      // Where they touch, and how far the first has gone until then.
      const double x = std::sqrt(4e-4 - aside * aside);
      EXPECT_LE((touches[0].normal - Vector3d(x, aside, 0.0) / 0.02).norm(), 0.02);
      EXPECT_NEAR(touches[0].gap, (before - x) * x / 0.02, 1e-2 * before);
      // Each body is hit on its own surface.
      EXPECT_NEAR((touches[0].points[0] - pair.states[0].position).norm(), 0.01, 1e-5);
      EXPECT_NEAR((touches[0].points[1] - pair.states[1].position).norm(), 0.01, 1e-5);
    }
  }
  EXPECT_GT(hits, 50);
}

// Bodies that fly past a corner, an edge or the rim of a plate are not touched.
TEST(Collision, NearMisses) {
  const auto count = [](const Vector3d& place, const Vector3d& velocity, const Vector3d& size) {
    PairScene pair;
    pair.scope = {.time_step = 1.0 / 60.0};
    pair.add(SphereShape{0.1}, place, true, Quaterniond::Identity(), velocity);
    pair.add(BoxShape{size}, {0, 0, 0}, false);
    return pair.find().size();
  };
  const Vector3d cube(1, 1, 1), plate(1, 1, 0.01);
  // The sphere comes as near as 0.02 to the corner at (0.5, 0.5, 0.5), or touches it.
  const Vector3d across = Vector3d(1, 1, 1).normalized(), along = Vector3d(1, -1, 0).normalized();
  for (const double start : {0.15, 0.4, 1.0}) {
    for (const double speed : {30.0, 120.0}) {
      EXPECT_EQ(count(Vector3d(0.5, 0.5, 0.5) + 0.12 * across - start * along, speed * along, cube), 0u);
      if (speed * (1.0 / 60.0) > start) {
        EXPECT_EQ(count(Vector3d(0.5, 0.5, 0.5) + 0.08 * across - start * along, speed * along, cube), 1u);
      }
    }
  }
  // Beside a plate's rim.
  EXPECT_EQ(count({0.63, 0.0, 0.5}, {0, 0, -100}, plate), 0u);
  EXPECT_EQ(count({0.58, 0.0, 0.5}, {0, 0, -100}, plate), 1u);
  // It flies away, or stops before the plate.
  EXPECT_EQ(count({0.0, 0.0, 0.5}, {0, 0, 100}, plate), 0u);
  EXPECT_EQ(count({0.0, 0.0, 0.5}, {0, 0, -20}, plate), 0u);
  EXPECT_EQ(count({0.0, 0.0, 0.5}, {0, 0, -30}, plate), 1u);
}

// Every length scales, and nothing else changes.
TEST(Collision, ContactsScale) {
  const auto find = [](double scale) {
    Random random(7);
    PairScene many;
    many.scope = {.time_step = 1.0 / 60.0, .gravity = scale * Vector3d(0, 0, -9.81)};
    for (int k = 0; k < 60; ++k) {
      ShapeGeometry shape = SphereShape{scale * random.uniform(0.2, 0.5)};
      if (has_bullet() && k % 5 == 1) shape = BoxShape{scale * Vector3d(0.5, 0.7, random.uniform(0.2, 1.0))};
      if (has_bullet() && k % 5 == 2) shape = CylinderShape{scale * 0.3, scale * random.uniform(0.2, 1.0)};
      if (has_bullet() && k % 5 == 3) shape = CapsuleShape{scale * 0.2, scale * random.uniform(0.2, 1.0)};
      if (has_bullet() && k % 5 == 4) shape = ConeShape{scale * 0.4, scale * random.uniform(0.4, 1.0)};
      const auto vector = [&](double size) {
        return Vector3d(random.uniform(-size, size), random.uniform(-size, size),
                        random.uniform(-size, size));
      };
      const Vector3d place = scale * vector(1.6), velocity = scale * vector(3.0);
      many.add(shape, place, true, turned(random.uniform(0.0, 3.0), vector(1.0)), velocity);
      many.states.back().spin = vector(2.0);
    }
    many.add(PlaneShape{}, {0, 0, -scale}, false);
    return many.find();
  };
  const auto one = find(1.0);
  EXPECT_GT(one.size(), 50u);
  for (const double scale : {1e-3, 1e3}) {
    const auto scaled = find(scale);
    ASSERT_EQ(keys_of(scaled), keys_of(one));
    for (std::size_t k = 0; k < one.size(); ++k) {
      // The way out of a deep overlap of round shapes is found less exactly.
      const double same = one[k].gap > -0.05 ? 1e-5 : 1e-2;
      EXPECT_NEAR(scaled[k].gap / scale, one[k].gap, 1e-2 * same);
      EXPECT_LE((scaled[k].normal - one[k].normal).norm(), same);
      for (int side = 0; side < 2; ++side)
        EXPECT_LE((scaled[k].points[side] / scale - one[k].points[side]).norm(), same);
    }
  }
}

struct Heap {
  PairScene pair;
  void step(int number) {
    for (std::size_t k = 0; k < pair.states.size(); ++k) {
      if (pair.scene.bodies[k].kind == BodyKind::fixed) continue;
      const double phase = 0.3 * number + static_cast<double>(k);
      pair.states[k].position += 0.01 * Vector3d(std::sin(phase), std::cos(phase), std::sin(2.0 * phase));
      pair.states[k].orientation =
          pair.states[k].orientation * Quaterniond(Eigen::AngleAxisd(0.02, Vector3d::UnitX()));
    }
  }
};

Heap heap() {
  Heap made;
  Random random(8);
  made.pair.scope = {.time_step = 1.0 / 60.0, .gravity = {0, 0, -9.81}};
  for (int k = 0; k < 80; ++k) {
    ShapeGeometry shape = SphereShape{0.3};
    if (has_bullet() && k % 4 == 1) shape = BoxShape{{0.5, 0.4, 0.6}};
    if (has_bullet() && k % 4 == 2) shape = CylinderShape{0.3, 0.5};
    if (has_bullet() && k % 4 == 3) shape = CapsuleShape{0.2, 0.4};
    made.pair.add(shape, {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
  }
  made.pair.add(PlaneShape{}, {0, 0, -1}, false);
  return made;
}

void expect_same_bits(const std::vector<TouchPoint>& a, const std::vector<TouchPoint>& b) {
  ASSERT_EQ(keys_of(a), keys_of(b));
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].gap, b[k].gap);
    EXPECT_EQ(a[k].normal, b[k].normal);
    EXPECT_EQ(a[k].points, b[k].points);
  }
}

TEST(Collision, SameBitsAfterSaveAndRestore) {
  Heap moving = heap();
  Collision kept(moving.pair.scene, {});
  std::vector<TouchPoint> touches, others;
  for (int step = 0; step < 5; ++step) {
    moving.step(step);
    kept.find(moving.pair.states, moving.pair.scope, touches);
  }
  std::stringstream file;
  kept.save(file);
  Collision fresh(moving.pair.scene, {});
  fresh.restore(file);
  for (int step = 5; step < 10; ++step) {
    moving.step(step);
    kept.find(moving.pair.states, moving.pair.scope, touches);
    fresh.find(moving.pair.states, moving.pair.scope, others);
    expect_same_bits(touches, others);
  }
  EXPECT_GT(touches.size(), 100u);
}

TEST(Collision, RestoreRefusesOtherData) {
  Heap still = heap();
  Collision collision(still.pair.scene, {});
  std::vector<TouchPoint> touches, again;
  collision.find(still.pair.states, still.pair.scope, touches);
  std::stringstream file;
  collision.save(file);
  const std::string data = file.str();
  std::stringstream empty, short_file(data.substr(0, data.size() - 3)), wrong("no saved contacts at all");
  EXPECT_THROW(collision.restore(empty), Error);
  EXPECT_THROW(collision.restore(short_file), Error);
  EXPECT_THROW(collision.restore(wrong), Error);
  PairScene small;
  small.add(SphereShape{1.0}, {0, 0, 0});
  std::stringstream whole(data);
  EXPECT_THROW(Collision(small.scene, {}).restore(whole), Error);
  collision.find(still.pair.states, still.pair.scope, again);
  expect_same_bits(touches, again);
}

TEST(Collision, ASettledCallDoesNotAllocate) {
  Heap moving = heap();
  Collision collision(moving.pair.scene, {});
  std::vector<TouchPoint> touches;
  for (int step = 0; step < 3; ++step) collision.find(moving.pair.states, moving.pair.scope, touches);
  const std::size_t before = allocations();
  collision.find(moving.pair.states, moving.pair.scope, touches);
  EXPECT_EQ(allocations(), before);
}

TEST(Collision, WithoutBulletPairsAreRefusedByName) {
  PairScene pair;
  pair.add(BoxShape{}, {0, 0, 0});
  pair.add(PlaneShape{}, {0, 0, -0.5}, false);
  pair.add(SphereShape{}, {0, 0, 1});
  EXPECT_EQ(pair.find().size(), 5u);
  pair.add(CylinderShape{}, {5, 0, 0}, false);
  if (has_bullet()) {
    EXPECT_EQ(pair.find().size(), 5u);
    return;
  }
  try {
    pair.find();
    FAIL() << "a box and a cylinder are accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("box with a cylinder"), std::string::npos) << error.what();
  }
  pair.scene.bodies[3].collides = 0;
  EXPECT_EQ(pair.find().size(), 5u);
  pair.add(BoxShape{}, {9, 0, 0});
  EXPECT_THROW(pair.find(), Error);
}

}  // namespace slipstick::internal::collision_test
