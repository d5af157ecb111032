// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/model/convex_hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

struct HullFace {
  std::array<int, 3> corners;
  Vector3d normal;  // outward, a unit vector; zero if the corners are in line
  double offset;    // of its plane along the normal
};

HullFace hull_face(std::span<const Vector3d> points, int a, int b, int c) {
  const Vector3d cross = (points[b] - points[a]).cross(points[c] - points[a]);
  const double norm = cross.norm();
  const Vector3d normal = norm > 0.0 ? Vector3d(cross / norm) : Vector3d(Vector3d::Zero());
  return {{a, b, c}, normal, normal.dot(points[a])};
}

double height(const HullFace& face, const Vector3d& point) {
  return face.normal.dot(point) - face.offset;
}

// The point for which `size` is the largest.
template <class Size>
int farthest(std::span<const Vector3d> points, const Size& size) {
  int best = 0;
  double largest = -1.0;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const double value = size(points[i]);
    if (value > largest) {
      largest = value;
      best = i;
    }
  }
  return best;
}

// The four faces of a tetrahedron of points far from each other. Empty if they lie in a plane.
std::vector<HullFace> first_faces(std::span<const Vector3d> points, double tolerance) {
  const int a = farthest(points, [&](const Vector3d& p) { return (p - points[0]).norm(); });
  const int b = farthest(points, [&](const Vector3d& p) { return (p - points[a]).norm(); });
  const Vector3d edge = points[b] - points[a];
  if (edge.norm() <= tolerance) return {};
  const Vector3d along = edge.normalized();
  const auto off_line = [&](const Vector3d& p) { return along.cross(p - points[a]).norm(); };
  const int c = farthest(points, off_line);
  if (off_line(points[c]) <= tolerance) return {};
  const HullFace base = hull_face(points, a, b, c);
  const int d = farthest(points, [&](const Vector3d& p) { return std::abs(height(base, p)); });
  const double apex = height(base, points[d]);
  if (std::abs(apex) <= tolerance) return {};
  // The apex is behind the base.
  const int first = apex > 0.0 ? c : b, second = apex > 0.0 ? b : c;
  return {hull_face(points, a, first, second), hull_face(points, first, a, d),
          hull_face(points, second, first, d), hull_face(points, a, second, d)};
}

}  // namespace

std::vector<std::array<int, 3>> hull_triangles(std::span<const Vector3d> points) {
  if (points.size() < 4) return {};
  Vector3d low = points[0], high = points[0];
  for (const Vector3d& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  const double tolerance = 1e-9 * (high - low).maxCoeff();
  std::vector<HullFace> faces = first_faces(points, tolerance);
  if (faces.empty()) return {};

  // Points are added one by one. The faces that a point sees are replaced by those to their border.
  std::vector<HullFace> kept;
  std::vector<std::array<int, 2>> border;
  for (int p = 0; p < static_cast<int>(points.size()); ++p) {
    kept.clear();
    border.clear();
    for (const HullFace& face : faces) {
      if (height(face, points[p]) <= tolerance) {
        kept.push_back(face);
        continue;
      }
      for (int side = 0; side < 3; ++side) {
        const std::array<int, 2> edge = {face.corners[side], face.corners[(side + 1) % 3]};
        const auto twin = std::find(border.begin(), border.end(), std::array<int, 2>{edge[1], edge[0]});
        if (twin == border.end()) {
          border.push_back(edge);
        } else {
          border.erase(twin);
        }
      }
    }
    if (border.empty()) continue;
    for (const std::array<int, 2>& edge : border) kept.push_back(hull_face(points, edge[0], edge[1], p));
    faces.swap(kept);
  }
  std::vector<std::array<int, 3>> triangles;
  triangles.reserve(faces.size());
  for (const HullFace& face : faces) triangles.push_back(face.corners);
  return triangles;
}

}  // namespace slipstick::internal
