// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/detection.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/sim/collision/keys.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

// Coordinates of a cell have 21 bits each. One cell on each side stays empty.
constexpr int cell_bits = 21;
constexpr double most_cells = (1 << cell_bits) - 4;

constexpr std::uint64_t place_of(std::int64_t x, std::int64_t y, std::int64_t z) {
  return static_cast<std::uint64_t>(((x << cell_bits) + y) * (std::int64_t{1} << cell_bits) + z);
}

}  // namespace

void Detection::find(std::span<const Body> bodies, std::span<const GivenContact> given,
                     const DetectionScope& scope, std::vector<Touch>& touches) {
  bodies_ = bodies;
  scope_ = scope;
  touches_ = &touches;
  touches.clear();
  sort_bodies();
  sort_into_cells();
  find_sphere_pairs();
  for (const int plane : planes_) find_on_plane(plane);
  for (std::size_t k = 0; k < given.size(); ++k) add_given(given[k], static_cast<int>(k));
  std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) { return a.key < b.key; });
}

void Detection::sort_bodies() {
  planes_.clear();
  boxes_.clear();
  spheres_.clear();
  for (int number = 0; number < static_cast<int>(bodies_.size()); ++number) {
    const Body& body = bodies_[static_cast<std::size_t>(number)];
    if (const auto* sphere = std::get_if<SphereShape>(&body.shape)) {
      const double extent = (1.0 + scope_.margin) * sphere->radius + reach(body, 0.0);
      spheres_.push_back({number, body.position, sphere->radius, extent});
    } else if (std::holds_alternative<BoxShape>(body.shape)) {
      boxes_.push_back(number);
    } else if (std::holds_alternative<PlaneShape>(body.shape)) {
      planes_.push_back(number);
    }
  }
}

// Spheres that can touch are in the same cell or in neighbouring ones.
void Detection::sort_into_cells() {
  cells_.clear();
  if (spheres_.empty()) return;
  Vector3d lowest = spheres_.front().centre, highest = lowest;
  double extent = 0.0;
  for (const GridSphere& sphere : spheres_) {
    lowest = lowest.cwiseMin(sphere.centre);
    highest = highest.cwiseMax(sphere.centre);
    extent = std::max(extent, sphere.extent);
  }
  const double width = std::max(2.0 * extent, (highest - lowest).maxCoeff() / most_cells);
  for (std::size_t k = 0; k < spheres_.size(); ++k) {
    const Vector3d from = (spheres_[k].centre - lowest) / width;
    const auto coordinate = [&](int axis) { return 1 + static_cast<std::int64_t>(from[axis]); };
    cells_.push_back({place_of(coordinate(0), coordinate(1), coordinate(2)), static_cast<int>(k)});
  }
  std::sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) {
    return a.place != b.place ? a.place < b.place : a.sphere < b.sphere;
  });
}

// Each pair once: with the later spheres of the cell and of its neighbour above, and with four columns of
// three cells. The places of these columns ascend with the cell, so one pass finds them all.
void Detection::find_sphere_pairs() {
  constexpr std::array<std::uint64_t, 4> columns = {place_of(0, 1, -1), place_of(1, -1, -1),
                                                    place_of(1, 0, -1), place_of(1, 1, -1)};
  std::array<std::size_t, 4> begin = {};
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    const GridSphere& sphere = spheres_[static_cast<std::size_t>(cells_[k].sphere)];
    const auto add_until = [&](std::size_t from, std::uint64_t last_place) {
      for (std::size_t other = from; other < cells_.size() && cells_[other].place <= last_place; ++other)
        add_sphere_pair(sphere, spheres_[static_cast<std::size_t>(cells_[other].sphere)]);
    };
    add_until(k + 1, cells_[k].place + 1);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::uint64_t first_place = cells_[k].place + columns[c];
      while (begin[c] < cells_.size() && cells_[begin[c]].place < first_place) ++begin[c];
      add_until(begin[c], first_place + 2);
    }
  }
}

void Detection::add_sphere_pair(const GridSphere& a, const GridSphere& b) {
  const GridSphere& first = a.body < b.body ? a : b;
  const GridSphere& second = a.body < b.body ? b : a;
  const Vector3d between = first.centre - second.centre;
  const double distance = between.norm();
  if (distance > first.extent + second.extent) return;
  const Vector3d normal = distance > 0.0 ? Vector3d(between / distance) : Vector3d(Vector3d::UnitZ());
  const double gap = distance - first.radius - second.radius;
  add(first.body, second.body, 0, normal, second.centre + (second.radius + 0.5 * gap) * normal, gap);
}

void Detection::find_on_plane(int plane) {
  const Body& solid = bodies_[static_cast<std::size_t>(plane)];
  const Vector3d normal = solid.orientation * std::get<PlaneShape>(solid.shape).normal;
  // How far the plane may move where the body is.
  const auto plane_reach = [&](const Vector3d& centre, double radius) {
    const double speed = std::abs(normal.dot(solid.velocity + solid.spin.cross(centre - solid.position)));
    return scope_.time_step * (speed + solid.spin.cross(normal).norm() * radius);
  };
  for (const GridSphere& sphere : spheres_) {
    const double height = normal.dot(sphere.centre - solid.position);
    if (height > sphere.extent + plane_reach(sphere.centre, sphere.radius)) continue;
    add(sphere.body, plane, 0, normal, sphere.centre - sphere.radius * normal, height - sphere.radius);
  }
  for (const int box : boxes_) {
    const Body& body = bodies_[static_cast<std::size_t>(box)];
    const double radius = outer_radius(body);
    const double range = scope_.margin * radius + reach(body, radius) + plane_reach(body.position, radius);
    if (normal.dot(body.position - solid.position) <= radius + range) add_corners(box, plane, normal, range);
  }
}

void Detection::add_corners(int box, int plane, const Vector3d& normal, double range) {
  const Body& body = bodies_[static_cast<std::size_t>(box)];
  const Vector3d& on_plane = bodies_[static_cast<std::size_t>(plane)].position;
  const Vector3d& half = std::get<BoxShape>(body.shape).half_size;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d signs((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0,
                         (corner & 4) != 0 ? 1.0 : -1.0);
    const Vector3d point = body.to_world(signs.cwiseProduct(half));
    const double gap = normal.dot(point - on_plane);
    if (gap <= range) add(box, plane, corner, normal, point, gap);
  }
}

void Detection::add_given(const GivenContact& contact, int number) {
  const Body& first = bodies_[static_cast<std::size_t>(contact.bodies[0])];
  const Body& second = bodies_[static_cast<std::size_t>(contact.bodies[1])];
  const Vector3d point = first.to_world(contact.point);
  const Vector3d normal = second.orientation * contact.normal;
  const double gap = normal.dot(point - second.to_world(contact.on_plane));
  const double radius = contact.point.norm();
  const double range =
      scope_.margin * radius + reach(first, radius) + reach(second, (point - second.position).norm());
  if (gap <= range) touches_->push_back({given_key(number), contact.bodies, normal, point, gap});
}

void Detection::add(int first, int second, int feature, const Vector3d& normal, const Vector3d& point,
                    double gap) {
  if (excluded(first, second)) return;
  touches_->push_back({contact_key(first, second, feature), {first, second}, normal, point, gap});
}

// How far a point of the body may move in the step, if no impulse acts on it.
double Detection::reach(const Body& body, double arm) const {
  Vector3d velocity = body.velocity;
  if (body.movable()) velocity += scope_.time_step * scope_.gravity;
  return scope_.time_step * (velocity.norm() + body.spin.norm() * arm);
}

bool Detection::excluded(int first, int second) const {
  const bool movable = bodies_[static_cast<std::size_t>(first)].movable() ||
                       bodies_[static_cast<std::size_t>(second)].movable();
  const std::uint64_t key = contact_key(std::min(first, second), std::max(first, second));
  return !movable || std::binary_search(scope_.excluded.begin(), scope_.excluded.end(), key);
}

}  // namespace slipstick::internal
