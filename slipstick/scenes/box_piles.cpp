// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/box_piles.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/scenes/rigid_contacts.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

using Polygon = std::vector<Vector2d>;  // convex, counterclockwise

const Vector3d plank(0.12, 0.024, 0.008);  // m
constexpr double plank_density = 600.0;    // kg/m^3
constexpr double joint = 1.25;             // distance of the bricks of a course, in lengths
constexpr double crossed_pitch = 1.5;      // least distance of crossed planks, in widths

constexpr double rock_width = 0.1;     // m
constexpr double rock_height = 0.07;   // m
constexpr double rock_density = 2700;  // kg/m^3
constexpr double rock_jitter = 0.15;   // largest displacement of the rocks in a layer, in widths

constexpr double least_area = 1e-4;  // least area of a facet, relative to the smaller of the two faces

// Options that both families have.
template <class Options>
void check_common(const Options& options, const char* what) {
  const auto not_negative = [&](double value, const char* name) {
    if (!(value >= 0.0) || !std::isfinite(value))
      fail("{}: the {} must be finite and not negative, not {}", what, name, value);
  };
  not_negative(options.friction, "friction coefficient");
  not_negative(options.speed, "speed");
  if (!(options.time_step > 0.0) || !std::isfinite(options.time_step))
    fail("{}: the time step must be positive, not {}", what, options.time_step);
}

void check_range(double value, double least, double most, const char* what) {
  if (!(value >= least && value <= most)) fail("{} must be {} to {}, not {}", what, least, most, value);
}

void check(const TowerOptions& options) {
  check_common(options, "tower");
  const Index fewest = options.pattern == BrickPattern::ring ? 4 : 1;
  if (options.bricks < fewest || options.bricks > 1000)
    fail("tower: the bricks of a course must be {} to 1000, not {}", fewest, options.bricks);
  if (options.courses < 1 || options.courses > 100000)
    fail("tower: the courses must be 1 to 100000, not {}", options.courses);
  check_range(options.jitter, 0.0, 0.2, "tower: the jitter");
  if (!std::isfinite(options.push)) fail("tower: the push must be finite, not {}", options.push);
}

void check(const RocksOptions& options) {
  check_common(options, "rocks");
  if (options.rocks < 1 || options.rocks > 100000)
    fail("rocks: the number of rocks must be 1 to 100000, not {}", options.rocks);
  check_range(options.size_spread, 0.0, 0.6, "rocks: the size spread");
  check_range(options.slope, 0.0, 0.7, "rocks: the slope");
}

Polygon footprint(const UprightBox& box) {
  const Vector2d along = 0.5 * box.size.x() * Vector2d(std::cos(box.angle), std::sin(box.angle));
  const Vector2d across = 0.5 * box.size.y() * Vector2d(-std::sin(box.angle), std::cos(box.angle));
  const Vector2d centre = box.centre.head<2>();
  return {centre - along - across, centre + along - across, centre + along + across, centre - along + across};
}

double turn(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

double area(const Polygon& polygon) {
  double sum = 0.0;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += turn(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
  return 0.5 * sum;
}

Vector2d middle(const Polygon& polygon) {
  Vector2d sum = Vector2d::Zero();
  for (const Vector2d& corner : polygon) sum += corner;
  return sum / static_cast<double>(polygon.size());
}

// The intersection of two convex polygons (Sutherland and Hodgman 1974). Corners that differ only by rounding
// are merged.
Polygon common_part(Polygon subject, const Polygon& clip) {
  const double rounding = 1e-9 * (clip[2] - clip[0]).norm();
  Polygon kept;
  for (std::size_t edge = 0; edge < clip.size() && !subject.empty(); ++edge) {
    const Vector2d& from = clip[edge];
    const Vector2d along = (clip[(edge + 1) % clip.size()] - from).normalized();
    const auto inside = [&](const Vector2d& point) { return turn(along, point - from); };
    kept.clear();
    for (std::size_t i = 0; i < subject.size(); ++i) {
      const Vector2d& here = subject[i];
      const Vector2d& next = subject[(i + 1) % subject.size()];
      const double a = inside(here), b = inside(next);
      if (a >= -rounding) kept.push_back(here);
      if ((a > rounding && b < -rounding) || (a < -rounding && b > rounding))
        kept.push_back(here + a / (a - b) * (next - here));
    }
    subject.swap(kept);
  }
  return subject;
}

// Empty if it is only an edge, a corner or a very thin polygon.
Polygon common_part(const UprightBox& a, const UprightBox& b) {
  const double reach = 0.5 * (a.size.head<2>().norm() + b.size.head<2>().norm());
  if ((a.centre - b.centre).head<2>().norm() >= reach) return {};
  Polygon polygon = common_part(footprint(a), footprint(b));
  const double least = least_area * std::min(a.size.head<2>().prod(), b.size.head<2>().prod());
  if (polygon.size() < 3 || area(polygon) < least) polygon.clear();
  return polygon;
}

Matrix3d inertia(const UprightBox& box, double mass) {
  const Vector3d squares = box.size.cwiseAbs2();
  const Matrix3d turned = Eigen::AngleAxisd(box.angle, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d own(squares.y() + squares.z(), squares.x() + squares.z(), squares.x() + squares.y());
  Matrix3d about_centre = mass / 12.0 * turned * own.asDiagonal() * turned.transpose();
  // The level axes are principal axes. Only rounding couples them with the vertical.
  about_centre.topRightCorner<2, 1>().setZero();
  about_centre.bottomLeftCorner<1, 2>().setZero();
  about_centre(0, 1) = about_centre(1, 0);
  return about_centre;
}

// Boxes with the weight of a time step and random velocities.
RigidBodies bodies_of(const std::vector<UprightBox>& boxes, double density, double speed, double push,
                      double time_step, Random& random) {
  RigidBodies bodies;
  const double unit = standard_gravity * time_step;
  for (const UprightBox& box : boxes) {
    const double mass = density * box.size.prod();
    const int body = bodies.add(mass, inertia(box, mass));
    bodies.push(body, mass * unit * Vector3d(push, 0.0, -1.0));
    const auto draw = [&] {
      const double x = random.normal(), y = random.normal(), z = random.normal();
      return Vector3d(x, y, z);
    };
    const Vector3d velocity = speed * unit * draw();
    const Vector3d spin = speed * unit * draw() / box.size.head<2>().norm();
    bodies.move(body, velocity, spin);
  }
  return bodies;
}

RigidContact contact_at(const Vector3d& point, const Vector3d& normal, const std::vector<UprightBox>& boxes,
                        int first, int second) {
  const auto arm = [&](int body) {
    return body < 0 ? Vector3d(Vector3d::Zero()) : Vector3d(point - boxes[body].centre);
  };
  return {first, second, normal, arm(first), arm(second)};
}

Vector3d lifted(const Vector2d& point, double height) {
  return {point.x(), point.y(), height};
}

// The places of a course without jitter.
void lay_course(const TowerOptions& options, Index course, std::vector<UprightBox>& bricks) {
  const bool odd = course % 2 == 1;
  const double height = (static_cast<double>(course) + 0.5) * plank.z();
  const auto count = static_cast<double>(options.bricks);
  switch (options.pattern) {
    case BrickPattern::crossed: {
      Vector3d size = plank;
      size.x() = std::max(plank.x(), crossed_pitch * count * plank.y());
      const double room = size.x() - plank.y();
      for (Index i = 0; i < options.bricks; ++i) {
        const double share = options.bricks > 1 ? static_cast<double>(i) / (count - 1.0) - 0.5 : 0.0;
        const Vector3d centre =
            odd ? Vector3d(room * share, 0.0, height) : Vector3d(0.0, room * share, height);
        bricks.push_back({centre, size, odd ? 0.5 * std::numbers::pi : 0.0});
      }
      break;
    }
    case BrickPattern::wall: {
      const double pitch = plank.x() * 1.01;
      for (Index i = 0; i < options.bricks + odd; ++i) {
        const auto place = static_cast<double>(i);
        if (odd && (i == 0 || i == options.bricks)) {
          // Half a brick, flush with the end of the wall.
          const double length = 0.5 * plank.x() - 0.005 * plank.x();
          const double end = i == 0 ? 0.5 * length : (count - 1.0) * pitch + plank.x() - 0.5 * length;
          bricks.push_back({{end, 0.0, height}, {length, plank.y(), plank.z()}, 0.0});
        } else {
          const double x = (place - (odd ? 0.5 : 0.0)) * pitch + 0.5 * plank.x();
          bricks.push_back({{x, 0.0, height}, plank, 0.0});
        }
      }
      break;
    }
    case BrickPattern::ring: {
      const double radius = joint * plank.x() * count / (2.0 * std::numbers::pi);
      for (Index i = 0; i < options.bricks; ++i) {
        const double angle = 2.0 * std::numbers::pi * (static_cast<double>(i) + (odd ? 0.5 : 0.0)) / count;
        bricks.push_back({{radius * std::cos(angle), radius * std::sin(angle), height},
                          plank,
                          angle + 0.5 * std::numbers::pi});
      }
      break;
    }
  }
}

// Layers of m x m, (m - 1) x (m - 1)... places, each above the joints of four rocks below.
struct RockLayers {
  std::vector<UprightBox> rocks;
  std::vector<int> start;  // start of each layer, and the end
};
RockLayers lay_rocks(const RocksOptions& options, Random& random) {
  Index side = 1, places = 1;
  while (places < options.rocks) {
    ++side;
    places += side * side;
  }
  RockLayers pile;
  const auto around = [&](double mean) {
    return mean * random.uniform(1.0 - options.size_spread, 1.0 + options.size_spread);
  };
  for (Index layer = 0; static_cast<Index>(pile.rocks.size()) < options.rocks; ++layer, --side) {
    pile.start.push_back(static_cast<int>(pile.rocks.size()));
    const double half = 0.5 * static_cast<double>(side - 1);
    for (Index k = 0; k < side * side && static_cast<Index>(pile.rocks.size()) < options.rocks; ++k) {
      UprightBox rock;
      const Index column = k % side, row = k / side;
      const double x = static_cast<double>(column) - half + random.uniform(-rock_jitter, rock_jitter);
      const double y = static_cast<double>(row) - half + random.uniform(-rock_jitter, rock_jitter);
      rock.centre = {x * rock_width, y * rock_width, (static_cast<double>(layer) + 0.5) * rock_height};
      const double length = around(rock_width), width = around(rock_width), height = around(rock_height);
      rock.size = {length, width, height};
      rock.angle = random.uniform(0.0, 2.0 * std::numbers::pi);
      pile.rocks.push_back(rock);
    }
  }
  pile.start.push_back(static_cast<int>(pile.rocks.size()));
  return pile;
}

// All corners, two of them or one. The first is random.
Polygon some_corners(const Polygon& polygon, Random& random) {
  const std::int64_t choice = random.below(4);
  const auto count = choice < 2 ? polygon.size() : static_cast<std::size_t>(4 - choice);
  const auto first = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(polygon.size())));
  Polygon corners;
  for (std::size_t k = 0; k < count; ++k) corners.push_back(polygon[(first + k) % polygon.size()]);
  return corners;
}

// A facet between rocks of adjacent layers: the plane z = height - tilt'(p - its middle).
void add_bed(const RockLayers& pile, int upper, int lower, double height, double slope, Random& random,
             std::vector<RigidContact>& contacts) {
  const Polygon polygon = common_part(pile.rocks[upper], pile.rocks[lower]);
  if (polygon.empty()) return;
  const double steepness = std::tan(slope * random.uniform());
  const double direction = random.uniform(0.0, 2.0 * std::numbers::pi);
  const Vector2d tilt = steepness * Vector2d(std::cos(direction), std::sin(direction));
  const Vector3d normal = lifted(tilt, 1.0).normalized();
  const Vector2d centre = middle(polygon);
  for (const Vector2d& corner : some_corners(polygon, random)) {
    const Vector3d point = lifted(corner, height - tilt.dot(corner - centre));
    contacts.push_back(contact_at(point, normal, pile.rocks, upper, lower));
  }
}

// A steep facet between rocks of a layer, roughly perpendicular to the line of their centres. The points lie
// one above the other.
void add_joint(const RockLayers& pile, int first, int second, double slope, Random& random,
               std::vector<RigidContact>& contacts) {
  const UprightBox& a = pile.rocks[first];
  const UprightBox& b = pile.rocks[second];
  const Polygon polygon = common_part(a, b);
  if (polygon.empty()) return;
  const Vector2d apart = (a.centre - b.centre).head<2>();
  const double direction = std::atan2(apart.y(), apart.x()) + slope * random.uniform(-1.0, 1.0);
  const double rise = slope * random.uniform(-1.0, 1.0);
  const Vector3d normal(std::cos(rise) * std::cos(direction), std::cos(rise) * std::sin(direction),
                        std::sin(rise));
  const Vector3d up = (Vector3d::UnitZ() - normal.z() * normal).normalized();
  const Vector3d point = lifted(middle(polygon), a.centre.z());
  const bool edge = random.below(2) == 1;
  const double half = edge ? 0.25 * rock_height : 0.0;
  for (int k = 0; k <= edge; ++k)
    contacts.push_back(contact_at(point + (k == 0 ? half : -half) * up, normal, pile.rocks, first, second));
}

}  // namespace

std::vector<UprightBox> tower_bricks(const TowerOptions& options) {
  check(options);
  std::vector<UprightBox> bricks;
  for (Index course = 0; course < options.courses; ++course) lay_course(options, course, bricks);
  if (bricks.size() > static_cast<std::size_t>(std::numeric_limits<int>::max() / 256))
    fail("tower: {} bricks are too many", bricks.size());
  Random random(options.seed);
  for (UprightBox& brick : bricks) {
    const double reach = options.jitter * plank.y();
    brick.centre.x() += reach * random.uniform(-1.0, 1.0);
    brick.centre.y() += reach * random.uniform(-1.0, 1.0);
    brick.angle += 2.0 * reach / brick.size.x() * random.uniform(-1.0, 1.0);
  }
  return bricks;
}

GlobalContactProblem brick_tower(const TowerOptions& options) {
  const std::vector<UprightBox> bricks = tower_bricks(options);
  std::vector<RigidContact> contacts;
  const auto course = [&](int i) { return std::lround(bricks[i].centre.z() / plank.z() - 0.5); };
  int below = 0;  // the first brick of the course below
  for (int i = 0; i < static_cast<int>(bricks.size()); ++i) {
    const double height = bricks[i].centre.z() - 0.5 * plank.z();
    while (course(below) < course(i) - 1) ++below;
    if (course(i) == 0) {
      for (const Vector2d& corner : footprint(bricks[i]))
        contacts.push_back(contact_at(lifted(corner, 0.0), Vector3d::UnitZ(), bricks, i, -1));
    }
    for (int j = below; course(j) < course(i); ++j) {
      for (const Vector2d& corner : common_part(bricks[i], bricks[j]))
        contacts.push_back(contact_at(lifted(corner, height), Vector3d::UnitZ(), bricks, i, j));
    }
  }
  // Velocities use a separate random stream, so that the geometry does not depend on them.
  Random random(options.seed ^ 0x9e3779b97f4a7c15ULL);
  return bodies_of(bricks, plank_density, options.speed, options.push, options.time_step, random)
      .problem(contacts, options.friction, "tower");
}

std::vector<UprightBox> piled_rocks(const RocksOptions& options) {
  check(options);
  Random random(options.seed);
  return lay_rocks(options, random).rocks;
}

GlobalContactProblem rock_pile(const RocksOptions& options) {
  check(options);
  Random random(options.seed);
  const RockLayers pile = lay_rocks(options, random);
  std::vector<RigidContact> contacts;
  for (std::size_t layer = 0; layer + 1 < pile.start.size(); ++layer) {
    for (int i = pile.start[layer]; i < pile.start[layer + 1]; ++i) {
      if (layer == 0) {
        for (const Vector2d& corner : footprint(pile.rocks[i]))
          contacts.push_back(contact_at(lifted(corner, 0.0), Vector3d::UnitZ(), pile.rocks, i, -1));
      } else {
        for (int j = pile.start[layer - 1]; j < pile.start[layer]; ++j)
          add_bed(pile, i, j, static_cast<double>(layer) * rock_height, options.slope, random, contacts);
      }
      for (int j = pile.start[layer]; j < i; ++j) add_joint(pile, i, j, options.slope, random, contacts);
    }
  }
  Random velocities(options.seed ^ 0x9e3779b97f4a7c15ULL);
  return bodies_of(pile.rocks, rock_density, options.speed, 0.0, options.time_step, velocities)
      .problem(contacts, options.friction, "rocks");
}

}  // namespace slipstick::internal
