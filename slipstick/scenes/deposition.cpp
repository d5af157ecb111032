// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/deposition.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

// In units of the moving sphere's radius.
constexpr double contact_gap = 1e-10;  // closer spheres touch
constexpr double allowed_overlap = 1e-12;
constexpr double longest_step = 0.3;
constexpr double shortest_step = 1e-13;
constexpr double level_slope = 1e-8;  // a sphere on a smaller slope (its sine) is at rest
constexpr double gather_reach = 0.5;  // in units of the largest radius; the grid's reach allows for it
constexpr int most_moves = 10000;     // moves of one sphere; most take about twenty
constexpr int most_attempts = 50;     // limit of the attempts to drop one sphere

}  // namespace

double Container::gap(int surface, const Sphere& sphere) const {
  const Vector3d& p = sphere.centre;
  switch (surface) {
    case 0:
      return p.z() - sphere.radius;
    case 1:
      return radius - sphere.radius + (bucket ? p.x() : -std::hypot(p.x(), p.y()));
    case 2:
      return radius - sphere.radius - p.x();
    case 3:
      return radius - sphere.radius + p.y();
    default:
      return radius - sphere.radius - p.y();
  }
}

Vector3d Container::normal(int surface, const Sphere& sphere) const {
  if (surface == 0) return Vector3d::UnitZ();
  if (!bucket) return -Vector3d(sphere.centre.x(), sphere.centre.y(), 0.0).normalized();
  return (surface % 2 == 1 ? 1.0 : -1.0) * Vector3d::Unit(surface < 3 ? 0 : 1);
}

SphereGrid::SphereGrid(const Container& container, double reach)
    : cell_(reach),
      origin_(-container.radius),
      width_(static_cast<int>(std::ceil(2.0 * container.radius / reach)) + 1) {}

int SphereGrid::level(double z) const {
  return static_cast<int>(std::floor(z / cell_));
}

int SphereGrid::side(double x) const {
  return static_cast<int>(std::floor((x - origin_) / cell_));
}

void SphereGrid::insert(int index, const Vector3d& centre) {
  const int k = level(centre.z());
  if (k >= levels_) {
    levels_ = k + 1;
    first_.resize(cell(0, 0, levels_), -1);
  }
  int& first = first_[cell(side(centre.x()), side(centre.y()), k)];
  next_.resize(static_cast<std::size_t>(index) + 1, -1);
  next_[index] = first;
  first = index;
}

double Deposition::gap(int obstacle, const Sphere& sphere) const {
  if (obstacle < 0) return container_.gap(-2 - obstacle, sphere);
  const Sphere& other = spheres_[obstacle];
  return (sphere.centre - other.centre).norm() - sphere.radius - other.radius;
}

Vector3d Deposition::normal(int obstacle, const Sphere& sphere) const {
  if (obstacle < 0) return container_.normal(-2 - obstacle, sphere);
  return (sphere.centre - spheres_[obstacle].centre).normalized();
}

void Deposition::drop(double radius, Random& random) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const double room = container_.radius - radius;
    Sphere sphere{Vector3d::Zero(), radius};
    if (container_.bucket) {
      sphere.centre.x() = random.uniform(-room, room);
      sphere.centre.y() = random.uniform(-room, room);
    } else {
      const double distance = room * std::sqrt(random.uniform());
      const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
      sphere.centre.x() = distance * std::cos(angle);
      sphere.centre.y() = distance * std::sin(angle);
    }
    sphere.centre.z() = (grid_.levels() + 2) * grid_.cell_size();
    Supports supports;
    if (!roll(sphere, supports, random)) continue;
    grid_.insert(static_cast<int>(spheres_.size()), sphere.centre);
    spheres_.push_back(sphere);
    supports_.push_back(supports);
    return;
  }
  fail("packing: sphere {} of radius {} found no place to rest", spheres_.size(), radius);
}

// Moves a sphere from a point in the air to the place that carries it. Returns false if the sphere gets stuck
// on the way. Only a corner that is degenerate to rounding can cause this.
bool Deposition::roll(Sphere& sphere, Supports& supports, Random& random) {
  fall(sphere);
  gather(sphere);
  double step = longest_step * sphere.radius;
  for (int moves = 0; moves < most_moves; ++moves) {
    find_contacts(sphere);
    const Motion motion = steepest_descent();
    const double slope = motion.velocity.norm();
    if (motion.count == 0) {
      fall(sphere);
      gather(sphere);
    } else if (slope <= level_slope || !slide(sphere, motion, step)) {
      if (slope > std::sqrt(level_slope)) return false;
      const bool on_floor = motion.active[0] == ground(0);
      if (motion.count < 3 && !on_floor && nudge(sphere, motion, random)) continue;
      if (motion.count == 1 && !on_floor) return false;
      supports.fill(none);
      std::copy_n(motion.active.begin(), motion.count, supports.begin());
      return settle_on(sphere, motion.active, motion.count);
    }
  }
  return false;
}

// Moves straight down to the first sphere, or the floor.
void Deposition::fall(Sphere& sphere) const {
  double landing = sphere.radius;
  const double reach = sphere.radius + largest_radius_;
  for (int k = std::min(grid_.level(sphere.centre.z()) + 1, grid_.levels() - 1); k >= 0; --k) {
    if ((k + 1) * grid_.cell_size() + reach <= landing) break;
    grid_.visit_level(sphere.centre, k, [&](int s) {
      const Sphere& other = spheres_[s];
      const double distance = sphere.radius + other.radius;
      const double rise =
          distance * distance - (sphere.centre.head<2>() - other.centre.head<2>()).squaredNorm();
      if (rise <= 0.0) return;
      const double z = other.centre.z() + std::sqrt(rise);
      if (z < sphere.centre.z()) landing = std::max(landing, z);
    });
  }
  sphere.centre.z() = landing;
}

// Lists the spheres that the sphere can meet before it has moved by the reach, and the surfaces.
void Deposition::gather(const Sphere& sphere) {
  obstacles_.clear();
  gathered_at_ = sphere.centre;
  for (int k = 0; k < container_.surfaces(); ++k) {
    if (container_.gap(k, sphere) < gather_reach * largest_radius_) obstacles_.push_back(ground(k));
  }
  grid_.visit_near(sphere.centre, [&](int s) {
    if (gap(s, sphere) < gather_reach * largest_radius_) obstacles_.push_back(s);
  });
}

void Deposition::find_contacts(const Sphere& sphere) {
  contacts_.clear();
  for (const int obstacle : obstacles_) {
    if (gap(obstacle, sphere) <= contact_gap * sphere.radius)
      contacts_.push_back({obstacle, normal(obstacle, sphere)});
  }
}

// The projection of gravity's direction -z on the cone of the open directions, n_i't >= 0. It is t = -z + sum
// of l_i n_i with l_i >= 0, and n_i't = 0 if l_i > 0. The first set of up to three normals that satisfies
// these conditions gives the projection.
Deposition::Motion Deposition::steepest_descent() const {
  const int count = static_cast<int>(contacts_.size());
  const auto contact_normal = [&](int i) -> const Vector3d& { return contacts_[i].normal; };
  const auto open = [&](const Vector3d& t, double tolerance) {
    return std::all_of(contacts_.begin(), contacts_.end(),
                       [&](const Contact& c) { return c.normal.dot(t) >= -tolerance; });
  };
  for (const double tolerance : {1e-12, 1e-9, 1e-6}) {
    Motion motion{-Vector3d::UnitZ(), {none, none, none}, 0};
    if (open(motion.velocity, tolerance)) return motion;
    for (int i = 0; i < count; ++i) {
      const Vector3d& a = contact_normal(i);
      if (a.z() <= 0.0) continue;
      motion.velocity = a.z() * a - Vector3d::UnitZ();
      motion.active = {contacts_[i].obstacle, none, none};
      motion.count = 1;
      if (open(motion.velocity, tolerance)) return motion;
    }
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        const Vector3d& a = contact_normal(i);
        const Vector3d& b = contact_normal(j);
        const double cosine = a.dot(b);
        if (a.z() - cosine * b.z() <= 0.0 || b.z() - cosine * a.z() <= 0.0) continue;
        const Vector3d along = a.cross(b).normalized();
        motion.velocity = -along.z() * along;
        motion.active = {contacts_[i].obstacle, contacts_[j].obstacle, none};
        motion.count = 2;
        if (open(motion.velocity, tolerance)) return motion;
      }
    }
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        for (int k = j + 1; k < count; ++k) {
          Eigen::Matrix3d normals;
          normals << contact_normal(i), contact_normal(j), contact_normal(k);
          const Vector3d shares = normals.fullPivLu().solve(Vector3d::UnitZ());
          if (!(shares.minCoeff() >= -tolerance)) continue;
          if (!((normals * shares - Vector3d::UnitZ()).norm() <= 1e-9)) continue;  // coplanar
          motion.velocity.setZero();
          motion.active = {contacts_[i].obstacle, contacts_[j].obstacle, contacts_[k].obstacle};
          motion.count = 3;
          return motion;
        }
      }
    }
  }
  // The normals are parallel to rounding. No way down can be distinguished from rounding errors.
  return {Vector3d::Zero(), {contacts_[0].obstacle, none, none}, 1};
}

// Makes one step along the motion, up to the next obstacle. Returns false if no step of any length leads
// down.
bool Deposition::slide(Sphere& sphere, const Motion& motion, double& step) {
  const Vector3d direction = motion.velocity.normalized();
  step = std::min(2.0 * step, longest_step * sphere.radius);
  for (const int obstacle : obstacles_) {
    if (std::find(motion.active.begin(), motion.active.end(), obstacle) != motion.active.end()) continue;
    const double approach = -direction.dot(normal(obstacle, sphere));
    if (approach <= 0.0) continue;
    // The step is slightly longer than the first-order estimate, so that the move ends in contact.
    step = std::min(step, 1.02 * gap(obstacle, sphere) / approach + 1e-9 * sphere.radius);
  }
  for (; step > shortest_step * sphere.radius; step *= 0.5) {
    if (move(sphere, sphere.centre + step * direction, motion.active, motion.count)) return true;
  }
  return false;
}

// Moves the sphere out of an unstable balance: on top of a sphere, or on the ridge between two supports.
// Returns false if there is no way down.
bool Deposition::nudge(Sphere& sphere, const Motion& motion, Random& random) {
  Vector3d along(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.0);
  if (motion.count == 2) along = normal(motion.active[0], sphere).cross(normal(motion.active[1], sphere));
  const Vector3d push = 1e-4 * sphere.radius * along.normalized();
  return move(sphere, sphere.centre + push, motion.active, motion.count) ||
         move(sphere, sphere.centre - push, motion.active, motion.count);
}

// Moves to the target, then back onto the touching obstacles and out of those that it overlaps. It fails if
// these are more than three obstacles, or if the sphere does not come down.
bool Deposition::move(Sphere& sphere, const Vector3d& target, std::array<int, 3> touching, int count) {
  Sphere moved{target, sphere.radius};
  const double most_overlap = -allowed_overlap * sphere.radius;
  while (true) {
    if (!settle_on(moved, touching, count)) return false;
    if (moved.centre.z() >= sphere.centre.z()) return false;
    int worst = none;
    double least = most_overlap;
    for (const int obstacle : obstacles_) {
      const double distance = gap(obstacle, moved);
      if (distance < least && std::find(touching.begin(), touching.end(), obstacle) == touching.end()) {
        worst = obstacle;
        least = distance;
      }
    }
    if (worst == none) break;
    if (count == 3) return false;
    touching[count++] = worst;
  }
  // The move must stay within the reach of the gathered obstacles.
  const double distance = (moved.centre - gathered_at_).norm();
  if (distance > gather_reach * largest_radius_) return false;
  sphere = moved;
  if (distance > 0.2 * gather_reach * largest_radius_) gather(sphere);
  return true;
}

bool Deposition::settle_on(Sphere& sphere, const std::array<int, 3>& touching, int count) const {
  switch (count) {
    case 1:
      return settle_on<1>(sphere, touching);
    case 2:
      return settle_on<2>(sphere, touching);
    default:
      return settle_on<3>(sphere, touching);
  }
}

// Newton's method on gap = 0 for Count obstacles, with the shortest step.
template <int Count>
bool Deposition::settle_on(Sphere& sphere, const std::array<int, 3>& touching) const {
  Eigen::Matrix<double, 3, Count> normals;
  Eigen::Matrix<double, Count, 1> gaps;
  for (int iteration = 0; iteration < 20; ++iteration) {
    for (int k = 0; k < Count; ++k) {
      gaps[k] = gap(touching[k], sphere);
      normals.col(k) = normal(touching[k], sphere);
    }
    const double size = sphere.radius + sphere.centre.cwiseAbs().maxCoeff();
    if (gaps.cwiseAbs().maxCoeff() <= 1e-15 * size) return true;
    const Eigen::Matrix<double, Count, Count> gram = normals.transpose() * normals;
    const Vector3d change = normals * (gram.inverse() * gaps);
    if (!(change.norm() <= sphere.radius)) return false;  // also false for parallel normals
    sphere.centre -= change;
  }
  return false;
}

}  // namespace slipstick::internal
