// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/problems/deposition.hpp"
#include "slipstick/problems/generators.hpp"

namespace slipstick {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double mean_radius = 0.01;       // m
constexpr double middle_density = 2500.0;  // kg/m^3
constexpr double gravity = 9.81;           // m/s^2
constexpr double packing_fraction = 0.57;  // of random deposits, for the choice of the container
constexpr double touching = 1e-9;          // gap, in mean radii, of spheres that rest on each other
constexpr int dofs = 6;

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
  // As high as wide: the base times the width holds the spheres.
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

// A contact of body `first` with an earlier body `second`, or with the ground (-1).
struct Contact {
  int first;
  int second;
  Vector3d normal;     // from the second to the first
  Vector3d first_arm;  // from the centre of the body to the contact
  Vector3d second_arm;
};

// Pairs closer than `gap`, ordered by the later sphere: floor, walls, earlier spheres.
std::vector<Contact> find_contacts(const Deposition& deposition, double gap) {
  const Container& container = deposition.container();
  const std::vector<Sphere>& spheres = deposition.spheres();
  std::vector<Contact> contacts;
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

// A plane that all the spheres lie under: normal'p + radius <= offset.
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

// The shares of three points, seen from above, in the z axis: l_a a + l_b b + l_c c = 0 with sum 1.
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

// A plate comes to rest where its centre is lowest: on the lowest plane at the z axis among those above all
// spheres, which touches three spheres around the axis. A dual simplex method: from three low artificial
// spheres, the sphere that sticks out most enters, and the one leaves that keeps the axis inside, so the
// plane rises until nothing sticks out. Radii differ, so the points of contact need not surround the axis
// exactly; the plate is then moved to where they do. Level and balanced on the highest sphere where there are
// no such three, or only steep ones.
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
                        std::vector<Contact>& contacts) {
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

// (N, T1, T2), right-handed; T1 is level where N is not (nearly) vertical.
Matrix3d contact_frame(const Vector3d& normal) {
  Matrix3d frame;
  const bool vertical = std::abs(normal.z()) > 0.9;
  const Vector3d first =
      (vertical ? Vector3d(Vector3d::UnitY().cross(normal)) : Vector3d(Vector3d::UnitZ().cross(normal)))
          .normalized();
  frame << normal, first, normal.cross(first);
  return frame;
}

// visit(row, column, value) for the entries of H of one contact, each row's columns ascending.
template <class Visit>
void visit_entries(const Contact& contact, int index, const Visit& visit) {
  const Matrix3d frame = contact_frame(contact.normal);
  for (const bool first : {true, false}) {
    const int body = first ? contact.first : contact.second;
    if (body < 0) continue;
    const double sign = first ? 1.0 : -1.0;
    const Vector3d& arm = first ? contact.first_arm : contact.second_arm;
    for (int k = 0; k < 3; ++k) {
      const Vector3d axis = sign * frame.col(k);
      const Vector3d moment = arm.cross(axis);
      // A sphere's arm is along its normal, which has no moment but that of rounding.
      const bool has_moment = k > 0 || moment.squaredNorm() > 1e-24 * arm.squaredNorm();
      for (int d = 0; d < 3; ++d) {
        if (axis[d] != 0.0) visit(body * dofs + d, 3 * index + k, axis[d]);
      }
      for (int d = 0; d < 3 && has_moment; ++d) {
        if (moment[d] != 0.0) visit(body * dofs + 3 + d, 3 * index + k, moment[d]);
      }
    }
  }
}

CsrMatrix contact_matrix(const std::vector<Contact>& contacts, Index bodies) {
  const int count = static_cast<int>(contacts.size());
  CsrMatrix h(bodies * dofs, 3 * static_cast<Index>(count));
  std::vector<Index> start(static_cast<std::size_t>(h.rows()) + 1, 0);
  for (int c = 0; c < count; ++c)
    visit_entries(contacts[c], c, [&](int row, int, double) { ++start[row + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  if (start.back() > std::numeric_limits<int>::max())
    fail("packing: {} contacts are too many for 32-bit indices", count);
  h.resizeNonZeros(start.back());
  std::copy(start.begin(), start.end(), h.outerIndexPtr());
  for (int c = 0; c < count; ++c) {
    visit_entries(contacts[c], c, [&](int row, int column, double value) {
      h.innerIndexPtr()[start[row]] = column;
      h.valuePtr()[start[row]++] = value;
    });
  }
  return h;
}

}  // namespace

GlobalContactProblem sphere_packing(const PackingOptions& options) {
  const Deposition deposition = deposit(options);
  const double gap = options.gap + touching;
  std::vector<Contact> contacts = find_contacts(deposition, gap);
  const Index spheres = options.spheres;
  const bool has_plate = options.plate_mass_ratio > 0.0;
  const Index bodies = spheres + has_plate;

  GlobalContactProblem problem;
  problem.f = Vector::Zero(bodies * dofs);
  std::vector<Triplet> mass_entries;
  mass_entries.reserve(static_cast<std::size_t>(bodies * dofs + dofs));
  const auto add_body = [&](int body, double mass, const Matrix3d& inertia) {
    for (int d = 0; d < 3; ++d) {
      mass_entries.push_back({body * dofs + d, body * dofs + d, mass});
      for (int e = 0; e < 3; ++e) {
        if (inertia(d, e) != 0.0)
          mass_entries.push_back({body * dofs + 3 + d, body * dofs + 3 + e, inertia(d, e)});
      }
    }
    problem.f[body * dofs + 2] = -mass * gravity * options.time_step;
  };

  // Densities have numbers of their own, so that the geometry does not depend on them.
  Random random(options.seed ^ 0x9e3779b97f4a7c15ULL);
  double total_mass = 0.0;
  for (int i = 0; i < spheres; ++i) {
    const double radius = mean_radius * deposition.spheres()[i].radius;
    const double density = middle_density * std::pow(options.density_ratio, random.uniform() - 0.5);
    const double mass = density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
    add_body(i, mass, 0.4 * mass * radius * radius * Matrix3d::Identity());
    total_mass += mass;
  }
  if (has_plate) {
    const Plate plate = lay_plate(deposition.spheres(), deposition.container().radius);
    const double mass = options.plate_mass_ratio * total_mass;
    add_body(static_cast<int>(spheres), mass,
             mean_radius * mean_radius * plate_inertia(plate, deposition.container(), mass));
    add_plate_contacts(deposition, plate, gap, contacts);
  }
  for (Contact& contact : contacts) {
    contact.first_arm *= mean_radius;
    contact.second_arm *= mean_radius;
  }

  problem.M = csr_from_triplets(bodies * dofs, bodies * dofs, mass_entries);
  problem.H = contact_matrix(contacts, bodies);
  problem.w = Vector::Zero(problem.H.cols());
  problem.mu = Vector::Constant(static_cast<Index>(contacts.size()), options.friction);
  return problem;
}

std::vector<Sphere> packed_spheres(const PackingOptions& options) {
  std::vector<Sphere> spheres = deposit(options).spheres();
  for (Sphere& sphere : spheres) {
    sphere.centre *= mean_radius;
    sphere.radius *= mean_radius;
  }
  return spheres;
}

}  // namespace slipstick
