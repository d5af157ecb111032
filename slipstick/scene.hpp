// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "slipstick/problem.hpp"

// A scene as plain data.
namespace slipstick {

// Shapes. Each lies in axes of its own. Those with an axis have it along z, with the origin in the middle.
struct SphereShape {
  double radius = 0.5;
};
struct BoxShape {
  Eigen::Vector3d size = Eigen::Vector3d::Ones();  ///< edges
};
struct CapsuleShape {
  double radius = 0.5;
  double height = 1.0;  ///< of the cylinder between the half spheres
};
struct CylinderShape {
  double radius = 0.5;
  double height = 1.0;
};
struct ConeShape {
  double radius = 0.5;  ///< of the base, at z = -height / 2
  double height = 1.0;
};
/// The convex hull of points.
struct HullShape {
  std::vector<Eigen::Vector3d> points;
};
/// Everything below z = 0. Immovable bodies only.
struct PlaneShape {};
/// A surface of triangles. Their outside is where the points turn counterclockwise. Immovable bodies only.
struct MeshShape {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::array<int, 3>> triangles;
};
/// A surface over a grid, with columns along x and rows along y. It is centred at x = y = 0. Immovable bodies
/// only.
struct HeightFieldShape {
  Eigen::MatrixXd heights;  ///< (row, column)
  double spacing = 1.0;     ///< of the grid
};
using ShapeGeometry = std::variant<SphereShape, BoxShape, CapsuleShape, CylinderShape, ConeShape, HullShape,
                                   PlaneShape, MeshShape, HeightFieldShape>;

/// A shape that bodies may share.
struct ShapeSpec {
  std::string name = {};
  ShapeGeometry geometry;
};

/// A shape of a body. A body with several is a compound.
struct ShapePlace {
  int shape = -1;                                      ///< its place in Scene::shapes
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< in the axes of the body
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  int material = 0;  ///< its place in Scene::materials
};

/// How two numbers of two materials become one.
enum class Combination { geometric_mean, mean, smaller, larger, product };
constexpr std::string_view name(Combination rule) {
  constexpr std::string_view names[] = {"geometric_mean", "mean", "smaller", "larger", "product"};
  return names[static_cast<int>(rule)];
}

struct MaterialSpec {
  std::string name = {};
  double friction = 0.5;                ///< >= 0
  double restitution = 0.0;             ///< 0 to 1
  double tangential_restitution = 0.0;  ///< 0 to 1; by Moreau's law only
  double density = 1000.0;              ///< kg/m^3, of bodies without a mass
};

/// What two materials have with each other, instead of the combination of both.
struct MaterialPair {
  std::array<int, 2> materials = {-1, -1};
  std::optional<double> friction = {};
  std::optional<double> restitution = {};
  std::optional<double> tangential_restitution = {};
};

/// Constant velocity of the body's origin and constant spin, in world axes.
struct SteadyMotion {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
};
/// Displaced by amplitude sin(2 pi frequency t + phase), and turned by the rotation vector `turn` times it.
struct Oscillation {
  Eigen::Vector3d amplitude = Eigen::Vector3d::Zero();
  Eigen::Vector3d turn = Eigen::Vector3d::Zero();
  double frequency = 1.0;  ///< Hz
  double phase = 0.0;      ///< rad
};
/// Poses at times, with straight lines and even turns between them. Before the first and after the last the
/// body rests.
struct KeyFrames {
  std::vector<double> times;  ///< s, increasing
  std::vector<Eigen::Vector3d> positions;
  std::vector<Eigen::Quaterniond> orientations;
};
/// The surface moves with this velocity and spin about the origin. The body stays in place.
struct BeltMotion {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
};
/// monostate: at rest.
using Motion = std::variant<std::monostate, SteadyMotion, Oscillation, KeyFrames, BeltMotion>;

enum class BodyKind { movable, fixed, moved };
constexpr std::string_view name(BodyKind kind) {
  constexpr std::string_view names[] = {"movable", "fixed", "moved"};
  return names[static_cast<int>(kind)];
}

/// A rigid body. Its axes have their origin where the scene likes it.
struct BodySpec {
  std::string name = {};
  BodyKind kind = BodyKind::movable;
  std::vector<ShapePlace> shapes = {};
  std::optional<double> mass = {};  ///< kg; none: that of the shapes, by the densities of their materials
  std::optional<Eigen::Vector3d> centre_of_mass = {};  ///< in the body's axes; none: that of the shapes
  /// Tensor about the centre of mass, in the body's axes, kg m^2. None: that of the shapes, for this mass.
  std::optional<Eigen::Matrix3d> inertia = {};
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< from the body's axes to the world's
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               ///< of the centre of mass; movable only
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();                   ///< in world axes; movable only
  Motion motion = {};                                               ///< of a moved body
  /// Bodies of groups a and b touch if (a.collides & b.group) and (b.collides & a.group).
  std::uint32_t group = 1;
  std::uint32_t collides = 0xffffffff;
};

enum class JointKind { ball, hinge, universal, fixed, slider, distance };
constexpr std::string_view name(JointKind kind) {
  constexpr std::string_view names[] = {"ball", "hinge", "universal", "fixed", "slider", "distance"};
  return names[static_cast<int>(kind)];
}

/// A spring and damper instead of a rigid joint. The rows then give way.
struct Stiffness {
  double stiffness = 0.0;  ///< N/m, for turns N m/rad
  double damping = 0.0;    ///< N s/m, for turns N m s/rad
};

/// A joint of two bodies, or of a body and the world (-1). Places and axes are those at the start, in world
/// axes. The coordinate of a hinge is the angle, that of a slider the displacement, of the first body
/// against the second. It is 0 at the start.
struct JointSpec {
  std::string name = {};
  JointKind kind = JointKind::ball;
  std::array<int, 2> bodies = {-1, -1};
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< that both share; of a distance joint, on the first
  Eigen::Vector3d second_point = Eigen::Vector3d::Zero();  ///< of a distance joint, on the second body
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< of a hinge or slider; of a universal, on the first
  Eigen::Vector3d second_axis = Eigen::Vector3d::UnitX();  ///< of a universal joint, on the second body
  // Of a hinge or slider.
  double lower = -std::numeric_limits<double>::infinity();  ///< stops of the coordinate, rad or m
  double upper = std::numeric_limits<double>::infinity();
  double motor_speed = 0.0;  ///< rad/s or m/s
  double motor_force = 0.0;  ///< the largest, N m or N; 0: no motor
  double friction = 0.0;     ///< the largest torque or force of friction, N m or N
  // Of every joint.
  std::optional<Stiffness> soft = {};
  std::optional<Stiffness> turn_soft = {};  ///< of the rows that hold turns; none: as `soft`
  double breaking_force = std::numeric_limits<double>::infinity();   ///< N
  double breaking_torque = std::numeric_limits<double>::infinity();  ///< N m
  bool touching = false;                                             ///< the two bodies may touch each other
};

/// A row of capsules between two points, with joints between them and at its ends.
struct CableSpec {
  std::string name = {};
  std::array<int, 2> bodies = {-1, -1};  ///< at its ends; -1: the world
  std::array<Eigen::Vector3d, 2> points = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  int links = 10;
  double radius = 0.01;
  double mass = 1.0;                        ///< of the whole cable, kg
  JointKind joint = JointKind::ball;        ///< ball, universal or fixed
  std::optional<Stiffness> soft = {};       ///< of the joints
  std::optional<Stiffness> turn_soft = {};  ///< of their turns; none: as `soft`
  int material = 0;
  bool touching = false;  ///< the links touch other bodies
};

/// How positions follow from velocities.
enum class SteppingScheme {
  gaps,       ///< contacts close exactly (Heyn 2012, 4-9); positions are projected after the step
  baumgarte,  ///< errors are removed by velocities, with compliance (Ho 2022, 2.20-2.27)
};
constexpr std::string_view name(SteppingScheme scheme) {
  constexpr std::string_view names[] = {"gaps", "baumgarte"};
  return names[static_cast<int>(scheme)];
}

enum class RestitutionLaw { newton, moreau };
constexpr std::string_view name(RestitutionLaw law) {
  constexpr std::string_view names[] = {"newton", "moreau"};
  return names[static_cast<int>(law)];
}

struct Stepping {
  SteppingScheme scheme = SteppingScheme::gaps;
  bool projection = true;  ///< of positions after a step, with `gaps`
  double baumgarte = 0.2;  ///< share of an error that a step removes, 0 to 1; with `baumgarte`
  std::optional<Stiffness> contact_softness = {};  ///< with `baumgarte`
  RestitutionLaw restitution = RestitutionLaw::newton;
  /// Contacts that close more slowly than this have no restitution, m/s. None: 4 |gravity| step.
  std::optional<double> restitution_threshold = {};
  bool geometric_stiffness = true;  ///< where forces demand it
  bool sleeping = false;            ///< islands that rest sleep until they are touched
};

/// All that a simulation needs. Units are SI unless the scene uses others throughout.
struct Scene {
  std::string name = {};
  std::string summary;
  std::uint64_t seed = 0;
  std::map<std::string, double, std::less<>> parameters;  ///< those that it was built with

  Eigen::Vector3d gravity = {0.0, 0.0, -9.81};
  double duration = 10.0;  ///< s
  double step = 1.0 / 60.0;
  FrictionLaw law = FrictionLaw::coulomb;
  double tolerance = 1e-4;  ///< of a step
  Stepping stepping;

  Combination friction_rule = Combination::geometric_mean;
  Combination restitution_rule = Combination::larger;
  std::vector<MaterialSpec> materials = {{.name = "default"}};
  std::vector<MaterialPair> pairs;
  std::vector<ShapeSpec> shapes;
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  std::vector<CableSpec> cables;
};

}  // namespace slipstick
