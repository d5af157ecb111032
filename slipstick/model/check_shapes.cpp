// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/check_shapes.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <variant>

#include "slipstick/base/overloaded.hpp"
#include "slipstick/model/convex_hull.hpp"
#include "slipstick/model/value_checks.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

void check_points(const Place& place, const std::vector<Vector3d>& points, std::size_t most) {
  check_count(place, "points", points.size(), most);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) (place / "points" / i).fail("the point is not finite");
    if (points[i].cwiseAbs().maxCoeff() > largest_size)
      (place / "points" / i).fail("a coordinate is more than {}", largest_size);
  }
}

void check_hull(const Place& place, const HullShape& hull) {
  check_points(place, hull.points, SceneLimits::hull_points);
  if (hull.points.size() < 4)
    (place / "points").fail("{} points, expected at least 4 of a hull", hull.points.size());
  if (hull_triangles(hull.points).empty())
    (place / "points").fail("the points lie in a plane, expected a hull with a volume");
}

void check_mesh(const Place& place, const MeshShape& mesh) {
  check_points(place, mesh.points, SceneLimits::mesh_points);
  check_count(place, "triangles", mesh.triangles.size(), SceneLimits::triangles);
  if (mesh.triangles.empty()) (place / "triangles").fail("the mesh is empty, expected at least one triangle");
  const int count = static_cast<int>(mesh.points.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    for (const int corner : {a, b, c}) {
      if (corner < 0 || corner >= count)
        (place / "triangles" / t).fail("point {} does not exist, expected 0 to {}", corner, count - 1);
    }
    const Vector3d first = mesh.points[b] - mesh.points[a], second = mesh.points[c] - mesh.points[a];
    const double longest =
        std::max({first.squaredNorm(), second.squaredNorm(), (second - first).squaredNorm()});
    if (!(first.cross(second).norm() > 1e-14 * longest))
      (place / "triangles" / t).fail("the triangle has no area");
  }
}

void check_heights(const Place& place, const HeightFieldShape& field) {
  check_positive(place, "spacing", field.spacing);
  const auto rows = static_cast<std::size_t>(field.heights.rows());
  const auto columns = static_cast<std::size_t>(field.heights.cols());
  if (rows < 2 || columns < 2)
    (place / "heights").fail("{} x {} heights, expected at least 2 x 2", rows, columns);
  if (rows > SceneLimits::heights / columns)
    (place / "heights").fail("{} x {} heights, expected at most {}", rows, columns, SceneLimits::heights);
  if (!field.heights.allFinite()) (place / "heights").fail("some are not finite");
  if (field.heights.cwiseAbs().maxCoeff() > largest_size)
    (place / "heights").fail("some are more than {}", largest_size);
}

}  // namespace

void check_geometry(const Place& place, const ShapeGeometry& geometry) {
  const auto check_round = [&](const auto& shape) {
    check_positive(place, "radius", shape.radius);
    check_positive(place, "height", shape.height);
  };
  std::visit(Overloaded{
                 [&](const SphereShape& sphere) { check_positive(place, "radius", sphere.radius); },
                 [&](const BoxShape& box) {
                   if (!box.size.allFinite() || !(box.size.minCoeff() > 0.0))
                     (place / "size")
                         .fail("[{}, {}, {}], expected three positive finite numbers", box.size.x(),
                               box.size.y(), box.size.z());
                 },
                 [&](const CapsuleShape& capsule) { check_round(capsule); },
                 [&](const CylinderShape& cylinder) { check_round(cylinder); },
                 [&](const ConeShape& cone) { check_round(cone); },
                 [&](const HullShape& hull) { check_hull(place, hull); },
                 [](const PlaneShape&) {},
                 [&](const MeshShape& mesh) { check_mesh(place, mesh); },
                 [&](const HeightFieldShape& field) { check_heights(place, field); },
             },
             geometry);
}

}  // namespace slipstick::internal
