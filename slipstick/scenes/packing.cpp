// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/packing.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/scenes/rigid_contacts.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double mean_radius = 0.01;       // m
constexpr double middle_density = 2500.0;  // kg/m^3
// Volume fraction of random deposits, for the choice of the container.
constexpr double packing_fraction = 0.57;
constexpr double touching = 1e-9;  // largest gap of spheres that rest on each other, in mean radii

void check(const PackingOptions& options) {
  if (options.spheres < 1 || options.spheres > std::numeric_limits<int>::max() / 256)
    fail("packing: the number of spheres must be 1 to 2^23, not {}", options.spheres);
  if (!(options.radius_spread >= 0.0 && options.radius_spread <= 0.9))
    fail("packing: the radius spread must be 0 to 0.9, not {}", options.radius_spread);
  if (!(options.density_ratio >= 1.0) || !std::isfinite(options.density_ratio))
    fail("packing: the density ratio must be finite and at least 1, not {}", options.density_ratio);
  if (!(options.friction >= 0.0) || !std::isfinite(options.friction))
    fail("packing: the friction coefficient must be finite and not negative, not {}", options.friction);
  if (!(options.plate_mass_ratio >= 0.0) || !std::isfinite(options.plate_mass_ratio))
    fail("packing: the plate's mass ratio must be finite and not negative, not {}", options.plate_mass_ratio);
  if (!(options.time_step > 0.0) || !std::isfinite(options.time_step))
    fail("packing: the time step must be positive, not {}", options.time_step);
  if (!(options.gap >= 0.0 && options.gap <= 0.5))
    fail("packing: the gap must be 0 to 0.5 mean radii, not {}", options.gap);
  const double least = 1.05 * (1.0 + options.radius_spread);
  if (options.container_radius != 0.0 &&
      !(options.container_radius >= least && std::isfinite(options.container_radius)))
    fail("packing: the container's radius must be at least {} mean radii, not {}", least,
         options.container_radius);
}

double container_radius(const PackingOptions& options) {
  if (options.container_radius > 0.0) return options.container_radius;
  // The heap is as high as wide: the base times the width holds the spheres.
  const double mean_volume =
      4.0 / 3.0 * std::numbers::pi * (1.0 + options.radius_spread * options.radius_spread);
  const double base = options.bucket ? 4.0 : std::numbers::pi;
  const double cube = static_cast<double>(options.spheres) * mean_volume / (packing_fraction * 2.0 * base);
  return std::max(1.5 * (1.0 + options.radius_spread), std::cbrt(cube));
}

// In units of the mean radius.
Deposition deposit(const PackingOptions& options) {
  check(options);
  Random random(options.seed);
  Deposition deposition(Container{options.bucket, container_radius(options)}, 1.0 + options.radius_spread);
  for (Index i = 0; i < options.spheres; ++i) {
    deposition.drop(random.uniform(1.0 - options.radius_spread, 1.0 + options.radius_spread), random);
  }
  return deposition;
}

// Pairs closer than `gap`, ordered by the later sphere: floor, walls, earlier spheres.
std::vector<RigidContact> find_contacts(const Deposition& deposition, double gap) {
  const Container& container = deposition.container();
  const std::vector<Sphere>& spheres = deposition.spheres();
  std::vector<RigidContact> contacts;
  std::vector<int> near;
  for (int i = 0; i < static_cast<int>(spheres.size()); ++i) {
    const Sphere& sphere = spheres[i];
    for (int surface = 0; surface < container.surfaces(); ++surface) {
      if (container.gap(surface, sphere) > gap) continue;
      const Vector3d normal = container.normal(surface, sphere);
      contacts.push_back({i, -1, normal, -sphere.radius * normal, Vector3d::Zero()});
    }
    near.clear();
    deposition.grid().visit_near(sphere.centre, [&](int j) {
      const double distance = (sphere.centre - spheres[j].centre).norm();
      if (j < i && distance <= sphere.radius + spheres[j].radius + gap) near.push_back(j);
    });
    std::sort(near.begin(), near.end());
    for (const int j : near) {
      const Vector3d normal = (sphere.centre - spheres[j].centre).normalized();
      contacts.push_back({i, j, normal, -sphere.radius * normal, spheres[j].radius * normal});
    }
  }
  return contacts;
}

// A plane above all spheres: normal'p + radius <= offset.
struct Plane {
  Vector3d normal;
  double offset;
};

// The plane that three spheres touch from below; its normal points up.
Plane tangent_plane(const std::array<Sphere, 3>& spheres) {
  const auto& [a, b, c] = spheres;
  // n'(b - a) = r_a - r_b and the same for c: n = least-norm solution + multiple of the cross product.
  Eigen::Matrix<double, 2, 3> edges;
  edges << (b.centre - a.centre).transpose(), (c.centre - a.centre).transpose();
  const Eigen::Vector2d right(a.radius - b.radius, a.radius - c.radius);
  const Vector3d base = edges.transpose() * (edges * edges.transpose()).ldlt().solve(right);
  Vector3d up = (b.centre - a.centre).cross(c.centre - a.centre).normalized();
  if (up.z() < 0.0) up = -up;
  const Vector3d normal = base + std::sqrt(std::max(0.0, 1.0 - base.squaredNorm())) * up;
  return {normal, normal.dot(a.centre) + a.radius};
}

// The barycentric coordinates of the z axis in a triangle, seen from above: l_a a + l_b b + l_c c = 0 with
// sum 1.
Vector3d shares_in_axis(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const auto turn = [](const Vector3d& p, const Vector3d& q) { return p.x() * q.y() - p.y() * q.x(); };
  const Vector3d turns(turn(b, c), turn(c, a), turn(a, b));
  return turns / turns.sum();
}

// A thin disc, or a square for a bucket, as wide as the container.
struct Plate {
  Plane plane;
  Vector3d centre;
};

// A plate comes to rest with its centre as low as possible. Its plane is the lowest at the z axis among the
// planes above all spheres, and it touches three spheres around the axis. A dual simplex method finds it,
// starting from three low artificial spheres. The sphere that is farthest above the plane enters, and the one
// leaves that keeps the axis inside. The plane rises until no sphere is above it. Radii differ, so the points
// of contact need not surround the axis exactly. Then the plate is moved until they do. If there are no such
// three spheres, or only steep ones, the plate is level and balanced on the highest sphere.
Plate lay_plate(const std::vector<Sphere>& spheres, double radius) {
  constexpr int most_rounds = 1000;
  constexpr double least_share = 0.05;
  std::array<Sphere, 3> support;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 3.0;
    support[k] = {{100.0 * radius * std::cos(angle), 100.0 * radius * std::sin(angle), -1e6 * radius}, 0.0};
  }
  int artificial = 3;
  for (int round = 0; round < most_rounds; ++round) {
    const Plane plane = tangent_plane(support);
    const auto excess = [&](const Sphere& s) { return plane.normal.dot(s.centre) + s.radius - plane.offset; };
    const auto worst =
        std::max_element(spheres.begin(), spheres.end(),
                         [&](const Sphere& a, const Sphere& b) { return excess(a) < excess(b); });
    if (excess(*worst) <= 1e-12 * (1.0 + std::abs(plane.offset))) {
      if (artificial > 0 || plane.normal.z() < 0.7) break;
      const auto point = [&](int k) {
        return Vector3d(support[k].centre + support[k].radius * plane.normal);
      };
      Vector3d shares = shares_in_axis(point(0), point(1), point(2)).cwiseMax(least_share);
      shares /= shares.sum();
      return {plane, shares[0] * point(0) + shares[1] * point(1) + shares[2] * point(2)};
    }
    int leaving = -1;
    double best = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) {
      std::array<Sphere, 3> trial = support;
      trial[k] = *worst;
      const double least = shares_in_axis(trial[0].centre, trial[1].centre, trial[2].centre).minCoeff();
      if (least <= best) continue;
      best = least;
      leaving = k;
    }
    if (leaving < 0) break;
    artificial -= support[leaving].radius == 0.0;
    support[leaving] = *worst;
  }
  const Sphere& highest = *std::max_element(
      spheres.begin(), spheres.end(),
      [](const Sphere& a, const Sphere& b) { return a.centre.z() + a.radius < b.centre.z() + b.radius; });
  const Vector3d top = highest.centre + highest.radius * Vector3d::UnitZ();
  return {{Vector3d::UnitZ(), top.z()}, top};
}

Matrix3d plate_inertia(const Plate& plate, const Container& container, double mass) {
  const double across =
      mass * container.radius * container.radius * (container.bucket ? 1.0 / 3.0 : 1.0 / 4.0);
  return across * (Matrix3d::Identity() + plate.plane.normal * plate.plane.normal.transpose());
}

void add_plate_contacts(const Deposition& deposition, const Plate& plate, double gap,
                        std::vector<RigidContact>& contacts) {
  const std::vector<Sphere>& spheres = deposition.spheres();
  const Vector3d& normal = plate.plane.normal;
  for (int i = 0; i < static_cast<int>(spheres.size()); ++i) {
    const double distance = plate.plane.offset - normal.dot(spheres[i].centre) - spheres[i].radius;
    if (distance > gap) continue;
    const Vector3d arm = spheres[i].radius * normal;
    const Vector3d point = spheres[i].centre + arm;
    contacts.push_back({static_cast<int>(spheres.size()), i, normal, point - plate.centre, arm});
  }
}

}  // namespace

GlobalContactProblem sphere_packing(const PackingOptions& options) {
  const Deposition deposition = deposit(options);
  const double gap = options.gap + touching;
  std::vector<RigidContact> contacts = find_contacts(deposition, gap);
  RigidBodies bodies;
  const auto add_body = [&](double mass, const Matrix3d& inertia) {
    const int body = bodies.add(mass, inertia);
    bodies.push(body, {0.0, 0.0, -mass * standard_gravity * options.time_step});
  };

  // Densities use a separate random stream, so that the geometry does not depend on them.
  Random random(options.seed ^ 0x9e3779b97f4a7c15ULL);
  double total_mass = 0.0;
  for (const Sphere& sphere : deposition.spheres()) {
    const double radius = mean_radius * sphere.radius;
    const double density = middle_density * std::pow(options.density_ratio, random.uniform() - 0.5);
    const double mass = density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    add_body(mass, 0.4 * mass * radius * radius * Matrix3d::Identity());
    total_mass += mass;
  }
  if (options.plate_mass_ratio > 0.0) {
    const Plate plate = lay_plate(deposition.spheres(), deposition.container().radius);
    const double mass = options.plate_mass_ratio * total_mass;
    add_body(mass, mean_radius * mean_radius * plate_inertia(plate, deposition.container(), mass));
    add_plate_contacts(deposition, plate, gap, contacts);
  }
  for (RigidContact& contact : contacts) {
    contact.first_arm *= mean_radius;
    contact.second_arm *= mean_radius;
  }
  return bodies.problem(contacts, options.friction, "packing");
}

std::vector<Sphere> packed_spheres(const PackingOptions& options, double radius) {
  std::vector<Sphere> spheres = deposit(options).spheres();
  for (Sphere& sphere : spheres) {
    sphere.centre *= radius;
    sphere.radius *= radius;
  }
  return spheres;
}

}  // namespace slipstick::internal
