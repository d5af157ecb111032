// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "slipstick/base/random.hpp"
#include "slipstick/sim/collision/nearest.hpp"
#include "tests/sim/collision/pair_scene.hpp"

namespace slipstick::internal::surface_test {

using Eigen::Quaterniond;
using Eigen::Vector3d;

const double pi = std::numbers::pi;

// A strip along x of cells in two rows, two triangles each, with heights by place.
template <class Height>
MeshShape strip(int columns, double width, const Height& height, bool welded = true) {
  MeshShape mesh;
  const auto point = [&](int column, int row) {
    const double x = width * column, y = width * (row - 1);
    return Vector3d(x, y, height(x, y));
  };
  const auto add = [&](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    std::array<int, 3> triangle;
    int k = 0;
    for (const Vector3d& p : {a, b, c}) {
      int number = static_cast<int>(mesh.points.size());
      for (int other = 0; welded && other < static_cast<int>(mesh.points.size()); ++other)
        if (mesh.points[other] == p) number = other;
      if (number == static_cast<int>(mesh.points.size())) mesh.points.push_back(p);
      triangle[k++] = number;
    }
    mesh.triangles.push_back(triangle);
  };
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < 2; ++row) {
      add(point(column, row), point(column + 1, row), point(column + 1, row + 1));
      add(point(column, row), point(column + 1, row + 1), point(column, row + 1));
    }
  }
  return mesh;
}

const auto flat = [](double, double) { return 0.0; };

PairScene on(ShapeGeometry shape, const Vector3d& place, ShapeGeometry surface,
             const Quaterniond& turn = Quaterniond::Identity(), const Vector3d& velocity = Vector3d::Zero()) {
  PairScene pair;
  pair.add(std::move(shape), place, true, turn, velocity);
  pair.add(std::move(surface), {0, 0, 0}, false);
  return pair;
}

// Over 100 triangles, on inner edges and corners too, a ball has one contact with the normal of the faces.
TEST(Surface, InnerEdgesHaveTheNormalOfFaces) {
  for (const bool welded : {true, false}) {
    PairScene pair = on(SphereShape{0.5}, {0, 0, 0}, strip(25, 0.3, flat, welded));
    pair.scope = {.time_step = 1.0 / 60.0, .gravity = {0, 0, -9.81}};
    for (int step = 0; step <= 600; ++step) {
      pair.states[0].position = {0.3 + 0.01 * step, 0.0001 * step, 0.5 - 1e-4};
      pair.states[0].velocity = {5.0, 0.05, 0.0};
      const auto touches = pair.find();
      ASSERT_EQ(touches.size(), 1u) << step;
      EXPECT_LE((touches[0].normal - Vector3d::UnitZ()).norm(), 1e-12);
      EXPECT_NEAR(touches[0].gap, -1e-4, 1e-12);
    }
  }
}

// A ball that flies low over the strip touches only its plane.
TEST(Surface, AFastBallSeesOnePlane) {
  PairScene pair =
      on(SphereShape{0.5}, {1.0, 0.05, 0.55}, strip(25, 0.3, flat), Quaterniond::Identity(), {120, 0, -6});
  pair.scope = {.time_step = 1.0 / 60.0};
  const auto touches = pair.find();
  ASSERT_GE(touches.size(), 1u);
  for (const TouchPoint& touch : touches) {
    EXPECT_LE((touch.normal - Vector3d::UnitZ()).norm(), 1e-9);
    EXPECT_NEAR(touch.gap, 0.05, 1e-9);
    EXPECT_LE((touch.points[0] - Vector3d(1.0, 0.05, 0.05)).norm(), 1e-3);
  }
}

TEST(Surface, Valley) {
  const double slope = 0.75;
  const auto valley = [=](double x, double) { return slope * std::abs(x - 3.0); };
  // Both slopes touch, at the right distance, and the edge between them does not.
  const double radius = 0.2, height = radius * std::hypot(1.0, slope);
  PairScene pair = on(SphereShape{radius}, {3.0, 0.1, height}, strip(20, 0.3, valley));
  const auto touches = pair.find();
  ASSERT_EQ(touches.size(), 2u);
  for (const TouchPoint& touch : touches) {
    EXPECT_NEAR(touch.gap, 0.0, 1e-12);
    EXPECT_NEAR(std::abs(touch.normal.x()), slope / std::hypot(1.0, slope), 1e-12);
    EXPECT_NEAR(touch.normal.y(), 0.0, 1e-12);
  }
}

TEST(Surface, Ridge) {
  const auto ridge = [](double x, double) { return -std::abs(x - 3.0); };
  for (const double lean : {-0.7, -0.3, 0.0, 0.4, 0.7}) {
    const Vector3d normal(std::sin(lean), 0.0, std::cos(lean));
    PairScene pair = on(SphereShape{0.2}, Vector3d(3.0, 0.1, 0.0) + 0.201 * normal, strip(20, 0.3, ridge));
    const auto touches = pair.find();
    ASSERT_EQ(touches.size(), 1u) << lean;
    EXPECT_LE((touches[0].normal - normal).norm(), 1e-9) << lean;
    EXPECT_NEAR(touches[0].gap, 0.001, 1e-9);
  }
  if (is_refused_without_bullet(on(BoxShape{}, {0, 0, 1}, strip(20, 0.3, ridge)))) return;
  // A box across the ridge touches along it.
  for (const double gap : {0.001, 0.0, -0.001}) {
    PairScene pair = on(BoxShape{{1, 0.4, 0.2}}, {3.0, 0.05, 0.1 + gap}, strip(20, 0.3, ridge));
    const auto touches = pair.find();
    ASSERT_EQ(touches.size(), 2u) << gap;
    for (const TouchPoint& touch : touches) {
      EXPECT_LE((touch.normal - Vector3d::UnitZ()).norm(), 1e-7);
      EXPECT_NEAR(touch.gap, gap, 1e-7);
      EXPECT_NEAR(touch.points[0].x(), 3.0, 1e-6);
    }
    EXPECT_NEAR(std::abs(touches[0].points[0].y() - touches[1].points[0].y()), 0.4, 1e-6);
  }
}

// A box over many triangles has the four corners of its face, wherever it is.
TEST(Surface, BoxOnManyTriangles) {
  if (is_refused_without_bullet(on(BoxShape{}, {0, 0, 1}, strip(25, 0.3, flat)))) return;
  Random random(1);
  for (const double gap : {1e-3, 0.0, -1e-3}) {
    for (int trial = 0; trial < 20; ++trial) {
      const double angle = random.uniform(0.0, 2.0 * pi);
      const Vector3d place(random.uniform(1.0, 5.0), random.uniform(-0.04, 0.04), 0.1 + gap);
      PairScene pair = on(BoxShape{{0.4, 0.3, 0.2}}, place, strip(25, 0.3, flat), turned(angle, {0, 0, 1}));
      pair.scope = {.time_step = 1.0 / 60.0, .gravity = {0, 0, -9.81}};
      const auto touches = pair.find();
      ASSERT_EQ(touches.size(), 4u);
      for (const TouchPoint& touch : touches) {
        EXPECT_LE((touch.normal - Vector3d::UnitZ()).norm(), 1e-9);
        EXPECT_NEAR(touch.gap, gap, 1e-9);
        const Vector3d corner = pair.states[0].orientation.conjugate() * (touch.points[0] - place);
        EXPECT_NEAR(std::abs(corner.x()), 0.2, 1e-6);
        EXPECT_NEAR(std::abs(corner.y()), 0.15, 1e-6);
      }
    }
  }
}

TEST(Surface, OtherShapesOnTriangles) {
  if (is_refused_without_bullet(on(BoxShape{}, {0, 0, 1}, strip(25, 0.3, flat)))) return;
  const Quaterniond lying = turned(pi / 2, {0, 1, 0});
  const auto expect = [](ShapeGeometry shape, double height, const Quaterniond& turn, std::size_t count) {
    for (const double gap : {1e-3, -1e-3}) {
      const auto touches = on(shape, {3.05, 0.02, height + gap}, strip(25, 0.3, flat), turn).find();
      ASSERT_EQ(touches.size(), count);
      for (const TouchPoint& touch : touches) {
        EXPECT_LE((touch.normal - Vector3d::UnitZ()).norm(), 1e-7);
        EXPECT_NEAR(touch.gap, gap, 1e-9);
      }
    }
  };
  expect(CapsuleShape{0.1, 0.4}, 0.1, lying, 2);
  expect(CapsuleShape{0.1, 0.4}, 0.3, Quaterniond::Identity(), 1);
  expect(CylinderShape{0.1, 0.4}, 0.1, lying, 2);
  expect(CylinderShape{0.1, 0.4}, 0.2, Quaterniond::Identity(), 4);
  expect(ConeShape{0.1, 0.4}, 0.2, Quaterniond::Identity(), 4);
}

// A height field is the mesh of its cells, whatever its heights are.
TEST(Surface, HeightFieldIsAMesh) {
  Random random(2);
  HeightFieldShape field;
  field.spacing = 0.3;
  field.heights.resize(9, 12);
  for (double& height : field.heights.reshaped()) height = random.uniform(0.0, 0.25);
  MeshShape mesh;
  for (int row = 0; row < 9; ++row)
    for (int column = 0; column < 12; ++column)
      mesh.points.emplace_back(0.3 * (column - 5.5), 0.3 * (row - 4.0), field.heights(row, column));
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 11; ++column) {
      const int corner = 12 * row + column;
      mesh.triangles.push_back({corner, corner + 1, corner + 13});
      mesh.triangles.push_back({corner, corner + 13, corner + 12});
    }
  }
  std::size_t count = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Vector3d place(random.uniform(-2, 2), random.uniform(-1.5, 1.5), random.uniform(0.15, 0.4));
    ShapeGeometry shape = SphereShape{0.2};
    if (has_bullet() && trial % 2 == 0) shape = BoxShape{{0.3, 0.2, 0.25}};
    const Quaterniond turn =
        turned(random.uniform(0.0, 3.0), {random.normal(), random.normal(), random.normal()});
    const auto on_field = on(shape, place, field, turn).find(), on_mesh = on(shape, place, mesh, turn).find();
    ASSERT_EQ(on_field.size(), on_mesh.size());
    for (std::size_t k = 0; k < on_field.size(); ++k) {
      EXPECT_NEAR(on_field[k].gap, on_mesh[k].gap, 1e-12);
      EXPECT_LE((on_field[k].normal - on_mesh[k].normal).norm(), 1e-9);
      EXPECT_LE((on_field[k].points[0] - on_mesh[k].points[0]).norm(), 1e-9);
    }
    count += on_field.size();
    EXPECT_LE(on_field.size(), 8u);
  }
  EXPECT_GT(count, 200u);
}

TEST(Surface, OnlyTheOutsideTouches) {
  const MeshShape mesh = strip(20, 0.3, flat);
  EXPECT_EQ(on(SphereShape{0.2}, {3.0, 0.1, 0.2}, mesh).find().size(), 1u);
  EXPECT_EQ(on(SphereShape{0.2}, {3.0, 0.1, -0.21}, mesh).find().size(), 0u);
  // It leaves through the surface from behind.
  PairScene rising = on(SphereShape{0.2}, {3.0, 0.1, -0.5}, mesh, Quaterniond::Identity(), {0, 0, 60});
  rising.scope = {.time_step = 1.0 / 60.0};
  EXPECT_EQ(rising.find().size(), 0u);
  // Beside the rim.
  EXPECT_EQ(on(SphereShape{0.2}, {3.0, 0.55, 0.1}, mesh).find().size(), 0u);
}

// The gap of a fast ball is the way to the surface, whatever triangle it hits.
TEST(Surface, NothingPassesASurface) {
  Random random(3);
  const MeshShape mesh = strip(20, 0.3, flat);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector3d aim(random.uniform(1.0, 5.0), random.uniform(-0.25, 0.25), 0.0);
    const Vector3d way = Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), -1.0).normalized();
    const double before = random.uniform(0.02, 1.6);
    PairScene pair = on(SphereShape{0.005}, aim + Vector3d(0, 0, 0.005) - before * way, mesh,
                        Quaterniond::Identity(), 100.0 * way);
    pair.scope = {.time_step = 1.0 / 60.0};
    const auto touches = pair.find();
    ASSERT_GE(touches.size(), 1u) << trial;
    for (const TouchPoint& touch : touches) {
      EXPECT_LE((touch.normal - Vector3d::UnitZ()).norm(), 1e-9);
      EXPECT_NEAR(touch.gap, -before * way.z(), 1e-9);
    }
  }
}

}  // namespace slipstick::internal::surface_test
