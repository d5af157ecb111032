// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/collision/collision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/model/mass_properties.hpp"
#include "slipstick/sim/collision/broad_phase.hpp"
#include "slipstick/sim/collision/contact_cache.hpp"
#include "slipstick/sim/collision/convex_pair.hpp"
#include "slipstick/sim/collision/keys.hpp"
#include "slipstick/sim/collision/nearest.hpp"
#include "slipstick/sim/collision/surface.hpp"

namespace slipstick::internal {

using Eigen::Vector3d;

// What a shape is to the other of a pair.
struct PairGeometry {
  std::string_view name;
  std::optional<Convex> convex;
  std::optional<Surface> surface;  // neither: a plane

  bool is_plane() const { return !convex && !surface; }
};

namespace {

// Of the smaller extent: a contact that moves less on one of its bodies stays the same.
constexpr double same_contact = 0.5;

constexpr std::string_view shape_names[] = {"sphere", "box",   "capsule", "cylinder",    "cone",
                                            "hull",   "plane", "mesh",    "height field"};

PairGeometry geometry_of(const ShapeGeometry& shape) {
  PairGeometry geometry;
  geometry.name = shape_names[shape.index()];
  std::visit(
      Overloaded{[&](const SphereShape& s) { geometry.convex = Convex::sphere(s.radius); },
                 [&](const BoxShape& s) { geometry.convex = Convex::box(s.size); },
                 [&](const CapsuleShape& s) { geometry.convex = Convex::capsule(s.radius, s.height); },
                 [&](const CylinderShape& s) { geometry.convex = Convex::cylinder(s.radius, s.height); },
                 [&](const ConeShape& s) { geometry.convex = Convex::cone(s.radius, s.height); },
                 [&](const HullShape& s) { geometry.convex = Convex::hull(s.points); },
                 [&](const PlaneShape&) {}, [&](const MeshShape& s) { geometry.surface.emplace(s); },
                 [&](const HeightFieldShape& s) { geometry.surface.emplace(s); }},
      shape);
  return geometry;
}

// True if the contacts of two shapes, one of them movable, are found without Bullet.
bool needs_no_bullet(const PairGeometry& a, const PairGeometry& b) {
  if (a.is_plane() || b.is_plane()) return true;
  if (a.surface) return b.convex && b.convex->form() == Convex::Form::point;
  if (b.surface) return a.convex->form() == Convex::Form::point;
  return is_closed_form(a.convex->form(), b.convex->form());
}

}  // namespace

class Collision::Work {
 public:
  Work(const Scene& scene, std::span<const std::array<int, 2>> excluded, std::shared_ptr<PairFinder> pairs);

  void find(std::span<const BodyState> bodies, const CollisionScope& scope, std::vector<TouchPoint>& touches);
  void save(std::ostream& to) const { cache_.save(to); }
  void restore(std::istream& from) {
    cache_.restore(from, static_cast<int>(bodies_.size()), static_cast<int>(placed_.size()));
  }
  double smallest_extent(int body) const { return bodies_[body].extent; }

 private:
  struct SolidBody {
    bool movable;
    std::uint32_t group, collides;
    Vector3d centre_of_mass;  // in the body's axes
    double extent = std::numeric_limits<double>::infinity();
    // In world axes, during the step.
    ShapePose pose = {};
    Vector3d mass_centre = Vector3d::Zero(), velocity = Vector3d::Zero(), spin = Vector3d::Zero();

    Vector3d velocity_at(const Vector3d& point) const { return velocity + spin.cross(point - mass_centre); }
  };
  struct PlacedShape {
    int body, geometry, material;
    ShapePose in_body;
    ShapePose pose = {};
  };
  struct Found {
    KnownContact known;
    TouchPoint touch;
  };

  void refuse_what_is_missing() const;
  bool may_touch(int first, int second) const;
  void place_bodies(std::span<const BodyState> states);
  void bound_shapes();
  void find_pair(int first, int second);
  bool find_spheres_at_hand(int first, int second);
  void find_on_planes();
  StepPath path_of(const PlacedShape& first, const PlacedShape& second) const;
  void add_points(int first, int second);
  const PairGeometry& geometry(const PlacedShape& shape) const { return geometries_[shape.geometry]; }
  const SolidBody& body(const PlacedShape& shape) const { return bodies_[shape.body]; }
  double extent(const PlacedShape& shape) const {
    const PairGeometry& g = geometry(shape);
    return g.convex ? g.convex->extent() : std::numeric_limits<double>::infinity();
  }

  std::vector<PairGeometry> geometries_;
  std::vector<SolidBody> bodies_;
  std::vector<PlacedShape> placed_;
  std::vector<int> planes_;   // among placed_
  std::vector<int> bounded_;  // the others
  std::vector<std::uint64_t> excluded_;
  ContactCache cache_;
  std::shared_ptr<PairFinder> pair_finder_;

  // Of a call.
  CollisionScope scope_;
  std::vector<SweptBox> boxes_;  // of bounded_
  std::vector<std::array<int, 2>> pairs_;
  std::vector<PatchPoint> points_;
  std::vector<Found> found_;
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::size_t>>
      order_;  // bodies, shapes, place in found_
  std::vector<KnownContact> known_;
};

Collision::Work::Work(const Scene& scene, std::span<const std::array<int, 2>> excluded,
                      std::shared_ptr<PairFinder> pairs)
    : pair_finder_(pairs != nullptr ? std::move(pairs) : std::make_shared<BroadPhase>()) {
  if (scene.bodies.size() > static_cast<std::size_t>(most_bodies))
    fail("collision: {} bodies are more than {}", scene.bodies.size(), most_bodies);
  for (const ShapeSpec& shape : scene.shapes) geometries_.push_back(geometry_of(shape.geometry));
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const BodySpec& spec = scene.bodies[k];
    SolidBody solid{spec.kind == BodyKind::movable, spec.group, spec.collides, Vector3d::Zero()};
    if (spec.centre_of_mass) {
      solid.centre_of_mass = *spec.centre_of_mass;
    } else if (solid.movable) {
      solid.centre_of_mass = mass_properties(scene, static_cast<int>(k)).centre;
    }
    for (const ShapePlace& place : spec.shapes) {
      PlacedShape shape{static_cast<int>(k),
                        place.shape,
                        place.material,
                        {place.orientation.toRotationMatrix(), place.position}};
      (geometry(shape).is_plane() ? planes_ : bounded_).push_back(static_cast<int>(placed_.size()));
      solid.extent = std::min(solid.extent, extent(shape));
      placed_.push_back(shape);
    }
    bodies_.push_back(solid);
  }
  for (const auto& [first, second] : excluded)
    excluded_.push_back(contact_key(std::min(first, second), std::max(first, second)));
  std::sort(excluded_.begin(), excluded_.end());
  refuse_what_is_missing();
}

// Looks at kinds of bodies instead of all pairs.
void Collision::Work::refuse_what_is_missing() const {
  if (has_bullet()) return;
  struct Kind {
    int geometry;
    bool movable;
    std::uint32_t group, collides;
    int body;  // the first one
    bool several = false;
  };
  std::vector<Kind> kinds;
  for (const PlacedShape& shape : placed_) {
    const SolidBody& solid = body(shape);
    const auto same = [&](const Kind& kind) {
      return geometry(shape).name == geometries_[kind.geometry].name && kind.movable == solid.movable &&
             kind.group == solid.group && kind.collides == solid.collides;
    };
    const auto kind = std::find_if(kinds.begin(), kinds.end(), same);
    if (kind == kinds.end()) {
      kinds.push_back({shape.geometry, solid.movable, solid.group, solid.collides, shape.body});
    } else if (kind->body != shape.body) {
      kind->several = true;
    }
  }
  for (const Kind& a : kinds) {
    for (const Kind& b : kinds) {
      const bool meet = (a.movable || b.movable) && (a.collides & b.group) != 0 &&
                        (b.collides & a.group) != 0 &&
                        (&a != &b ? a.body != b.body || a.several || b.several : a.several);
      const PairGeometry &shape_a = geometries_[a.geometry], &shape_b = geometries_[b.geometry];
      if (meet && !needs_no_bullet(shape_a, shape_b))
        fail("collision: this build does not find contacts of a {} with a {}; it needs Bullet", shape_a.name,
             shape_b.name);
    }
  }
}

bool Collision::Work::may_touch(int first, int second) const {
  const SolidBody &a = bodies_[first], &b = bodies_[second];
  if (first == second || !(a.movable || b.movable)) return false;
  if ((a.collides & b.group) == 0 || (b.collides & a.group) == 0) return false;
  const std::uint64_t key = contact_key(std::min(first, second), std::max(first, second));
  return excluded_.empty() || !std::binary_search(excluded_.begin(), excluded_.end(), key);
}

void Collision::Work::find(std::span<const BodyState> states, const CollisionScope& scope,
                           std::vector<TouchPoint>& touches) {
  scope_ = scope;
  found_.clear();
  order_.clear();
  place_bodies(states);
  bound_shapes();
  pair_finder_->find(boxes_, pairs_);
  for (const auto& [a, b] : pairs_) find_pair(bounded_[a], bounded_[b]);
  find_on_planes();
  // By bodies, then shapes. Contacts of two shapes stay in the order in which they were found.
  std::sort(order_.begin(), order_.end());
  known_.clear();
  for (const auto& [bodies, shapes, number] : order_) known_.push_back(found_[number].known);
  cache_.number(known_);
  touches.clear();
  for (std::size_t begin = 0, end = 0; begin < known_.size(); begin = end) {
    const std::size_t first = touches.size();
    for (; end < known_.size() && known_[end].bodies == known_[begin].bodies; ++end) {
      const KnownContact& contact = known_[end];
      touches.push_back(found_[std::get<2>(order_[end])].touch);
      touches.back().key = contact_key(contact.bodies[0], contact.bodies[1], contact.feature);
    }
    std::sort(touches.begin() + static_cast<std::ptrdiff_t>(first), touches.end(),
              [](const TouchPoint& a, const TouchPoint& b) { return a.key < b.key; });
  }
}

void Collision::Work::place_bodies(std::span<const BodyState> states) {
  if (states.size() != bodies_.size())
    fail("collision: {} bodies have {} states", bodies_.size(), states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    SolidBody& solid = bodies_[k];
    solid.pose = {states[k].orientation.toRotationMatrix(), states[k].position};
    solid.mass_centre = solid.pose * solid.centre_of_mass;
    solid.velocity = states[k].velocity;
    if (solid.movable) solid.velocity += scope_.time_step * scope_.gravity;
    solid.spin = states[k].spin;
  }
  for (PlacedShape& shape : placed_) {
    const ShapePose& pose = body(shape).pose;
    shape.pose = {pose.axes * shape.in_body.axes, pose * shape.in_body.origin};
  }
}

// Boxes that shapes do not leave during the step, with the margin.
void Collision::Work::bound_shapes() {
  boxes_.clear();
  for (const int number : bounded_) {
    const PlacedShape& shape = placed_[number];
    const SolidBody& solid = body(shape);
    SweptBox box;
    Vector3d centre;
    double reach = 0.0, margin = 0.0;
    if (const std::optional<Convex>& convex = geometry(shape).convex) {
      for (int axis = 0; axis < 3; ++axis) {
        const Vector3d along = shape.pose.axes.row(axis);
        const double origin = shape.pose.origin[axis];
        box.high[axis] = origin + along.dot(convex->support(along)) + convex->radius();
        box.low[axis] = origin + along.dot(convex->support(-along)) - convex->radius();
      }
      centre = shape.pose * convex->centre();
      reach = convex->reach();
      margin = scope_.margin * convex->extent();
    } else {
      const Surface& surface = *geometry(shape).surface;
      const Vector3d half = 0.5 * (surface.high() - surface.low());
      const Vector3d size = shape.pose.axes.cwiseAbs() * half;
      centre = shape.pose * Vector3d(0.5 * (surface.high() + surface.low()));
      box.low = centre - size;
      box.high = centre + size;
      reach = half.norm();
    }
    const Vector3d move = scope_.time_step * solid.velocity_at(centre);
    const Vector3d more = Vector3d::Constant(margin + scope_.time_step * solid.spin.norm() * reach);
    box.low += move.cwiseMin(0.0) - more;
    box.high += move.cwiseMax(0.0) + more;
    box.body = shape.body;
    box.movable = solid.movable;
    boxes_.push_back(box);
  }
}

// The way of the first against the second, seen from the centre of the smaller one.
StepPath Collision::Work::path_of(const PlacedShape& first, const PlacedShape& second) const {
  const PairGeometry &a = geometry(first), &b = geometry(second);
  const bool first_is_smaller = a.convex && (!b.convex || a.convex->reach() <= b.convex->reach());
  const PlacedShape& smaller = first_is_smaller ? first : second;
  const Convex& convex = *geometry(smaller).convex;
  const Vector3d centre = smaller.pose * convex.centre();
  StepPath path;
  path.move = scope_.time_step * (body(first).velocity_at(centre) - body(second).velocity_at(centre));
  path.extent = std::min(extent(first), extent(second));
  path.range = scope_.margin * path.extent +
               scope_.time_step * (body(first).spin - body(second).spin).norm() * convex.reach();
  return path;
}

// Two spheres that touch, without the way round by features and paths. False if they are something else.
bool Collision::Work::find_spheres_at_hand(int first, int second) {
  const PlacedShape &a = placed_[first], &b = placed_[second];
  const std::optional<Convex>&sphere_a = geometry(a).convex, &sphere_b = geometry(b).convex;
  if (!sphere_a || !sphere_b || sphere_a->form() != Convex::Form::point ||
      sphere_b->form() != Convex::Form::point)
    return false;
  const Vector3d between = a.pose.origin - b.pose.origin;
  const double distance = between.norm(), gap = distance - sphere_a->radius() - sphere_b->radius();
  if (distance == 0.0 ||
      gap > std::min(at_hand, scope_.margin) * std::min(sphere_a->extent(), sphere_b->extent()))
    return false;
  const Vector3d normal = between / distance;
  points_.clear();
  points_.push_back({(sphere_b->radius() + 0.5 * gap) * normal, normal, gap, Vector3d::Zero()});
  add_points(first, second);
  return true;
}

void Collision::Work::find_pair(int first, int second) {
  if (!may_touch(placed_[first].body, placed_[second].body)) return;
  if (find_spheres_at_hand(first, second)) return;
  // Two surfaces do not touch. A surface is the second.
  if (geometry(placed_[first]).surface) std::swap(first, second);
  const PlacedShape &a = placed_[first], &b = placed_[second];
  if (geometry(a).surface) return;
  const Convex& convex = *geometry(a).convex;
  // Places are seen from the second shape.
  ShapePose pose_a{a.pose.axes, a.pose.origin - b.pose.origin};
  const ShapePose pose_b{b.pose.axes, Vector3d::Zero()};
  const StepPath path = path_of(a, b);
  if (geometry(b).convex) {
    const Convex& other = *geometry(b).convex;
    const double reach = convex.reach() + other.reach() + path.range + path.move.norm();
    if ((pose_a * convex.centre() - pose_b * other.centre()).squaredNorm() > reach * reach) return;
  }
  points_.clear();
  if (geometry(b).surface) {
    geometries_[b.geometry].surface->touch(convex, pose_a, pose_b, path, points_);
  } else {
    const Convex& other = *geometry(b).convex;
    const Vector3d start = pose_a.origin;
    Separation separation;
    double share = 0.0;
    const auto touch_after = [&](const Vector3d& move, double range, Separation& found,
                                 std::vector<PatchPoint>& to) {
      pose_a.origin = start + move;
      return touch(convex, pose_a, other, pose_b, range, found, to);
    };
    if (!follow_path(path, touch_after, separation, points_, share)) return;
    bring_back(path, share, points_, 0);
  }
  reduce_patch(points_, 0, same_place * path.extent);
  add_points(first, second);
}

// Planes have no end, so every shape is looked at. Gaps to a plane are linear: no path is needed.
void Collision::Work::find_on_planes() {
  for (const int plane : planes_) {
    const PlacedShape& b = placed_[plane];
    for (const int number : bounded_) {
      const PlacedShape& a = placed_[number];
      if (!geometry(a).convex || !may_touch(a.body, b.body)) continue;
      const StepPath path = path_of(a, b);
      const ShapePose pose_a{a.pose.axes, a.pose.origin - b.pose.origin},
          pose_b{b.pose.axes, Vector3d::Zero()};
      points_.clear();
      if (!touch_plane(*geometry(a).convex, pose_a, pose_b, path.range + path.move.norm(), points_)) continue;
      reduce_patch(points_, 0, same_place * path.extent);
      add_points(number, plane);
    }
  }
}

void Collision::Work::add_points(int first, int second) {
  const PlacedShape &a = placed_[first], &b = placed_[second];
  const bool swapped = b.body < a.body;
  const double extent_of_both = std::min(extent(a), extent(b));
  for (const PatchPoint& point : points_) {
    const Vector3d on_b = point.place + b.pose.origin, on_a = on_b + point.lead;
    TouchPoint touch{.bodies = {a.body, b.body},
                     .materials = {a.material, b.material},
                     .normal = point.normal,
                     .points = {on_a, on_b},
                     .gap = point.gap};
    KnownContact known{.bodies = {a.body, b.body},
                       .shapes = {first, second},
                       .feature = -1,
                       .places = {body(a).pose.inverse(on_a), body(b).pose.inverse(on_b)},
                       .reach = same_contact * extent_of_both};
    if (swapped) {
      std::swap(touch.bodies[0], touch.bodies[1]);
      std::swap(touch.materials[0], touch.materials[1]);
      std::swap(touch.points[0], touch.points[1]);
      touch.normal = -touch.normal;
      std::swap(known.bodies[0], known.bodies[1]);
      std::swap(known.shapes[0], known.shapes[1]);
      std::swap(known.places[0], known.places[1]);
    }
    const auto packed = [](const std::array<int, 2>& two) {
      return static_cast<std::uint64_t>(two[0]) << 32 | static_cast<std::uint64_t>(two[1]);
    };
    order_.emplace_back(packed(known.bodies), packed(known.shapes), found_.size());
    found_.push_back({known, touch});
  }
}

Collision::Collision(const Scene& scene, std::span<const std::array<int, 2>> excluded,
                     std::shared_ptr<PairFinder> pairs)
    : work_(std::make_unique<Work>(scene, excluded, std::move(pairs))) {}
Collision::~Collision() = default;
Collision::Collision(Collision&&) noexcept = default;
Collision& Collision::operator=(Collision&&) noexcept = default;

void Collision::find(std::span<const BodyState> bodies, const CollisionScope& scope,
                     std::vector<TouchPoint>& touches) {
  work_->find(bodies, scope, touches);
}
void Collision::save(std::ostream& to) const {
  work_->save(to);
}
void Collision::restore(std::istream& from) {
  work_->restore(from);
}
double Collision::smallest_extent(int body) const {
  return work_->smallest_extent(body);
}

}  // namespace slipstick::internal
