// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/cable_scenes.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>

#include "slipstick/model/expanded.hpp"
#include "slipstick/scenes/scene_builder.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Vector3d;

constexpr std::array<std::array<double, 2>, 4> quarters = {
    {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}};

// Four cables hold the plate, four more the ball below it. The ball turns, so that the cables twist.
void build_spinner(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "steel", values["friction"], 7800.0);
  const double plate_height = 5.0, ceiling = 8.0, ball_height = 2.0;
  const Vector3d plate_size(1.0, 1.0, 0.02);
  const double radius = std::cbrt(values["ball_mass"] / 7800.0 * 3.0 / (4.0 * std::numbers::pi));
  const int plate = builder.body("plate", builder.shape("plate", BoxShape{plate_size}), values["plate_mass"],
                                 {0.0, 0.0, plate_height});
  const int ball = builder.body("ball", builder.shape("ball", SphereShape{radius}), values["ball_mass"],
                                {0.0, 0.0, ball_height});
  builder.at(ball).spin = {0.0, 0.0, values["spin"]};

  CableSpec cable;
  cable.links = values.count("links");
  cable.mass = values["link_mass"] * cable.links;
  cable.radius = 0.008;
  cable.joint = JointKind::fixed;
  cable.soft = Stiffness{values["stiffness"], 1e-4 * values["stiffness"]};
  cable.turn_soft = Stiffness{values["bending"], 0.1 * values["bending"]};
  for (std::size_t i = 0; i < quarters.size(); ++i) {
    const auto [x, y] = quarters[i];
    const double half = 0.5 * plate_size.z(), corner = 0.45 * plate_size.x();
    cable.name = fmt::format("upper cable {}", i);
    cable.bodies = {-1, plate};
    cable.points = {Vector3d(corner * x, corner * y, ceiling),
                    Vector3d(corner * x, corner * y, plate_height + half)};
    scene.cables.push_back(cable);
    cable.name = fmt::format("lower cable {}", i);
    cable.bodies = {plate, ball};
    const Vector3d on_ball = radius * Vector3d(x, y, 1.5).normalized();
    cable.points = {Vector3d(corner * x, corner * y, plate_height - half),
                    Vector3d(0.0, 0.0, ball_height) + on_ball};
    scene.cables.push_back(cable);
  }
}

// A truck of 22 bodies and 8000 kg. Axles slide on springs, wheels turn on axles.
class TruckBuilder {
 public:
  explicit TruckBuilder(SceneBuilder& builder)
      : builder_(builder),
        frame_(box("frame", {6.0, 0.9, 0.25})),
        cab_(box("cab", {1.5, 2.2, 1.6})),
        engine_(box("engine", {1.2, 0.8, 0.5})),
        tank_(box("tank", {1.0, 0.4, 0.4})),
        bumper_(box("bumper", {0.15, 2.2, 0.3})),
        bed_(box("bed", {4.2, 2.2, 0.1})),
        side_(box("bed side", {4.2, 0.06, 0.8})),
        end_(box("bed end", {0.06, 2.0, 0.8})),
        axle_(builder.shape("axle", CylinderShape{0.1, 1.7})),
        wheel_(builder.shape("wheel", CylinderShape{wheel_radius, 0.35})) {}

  // The middle of the frame, which is this much above the lowest point.
  static constexpr double ride_height = 1.0;

  // The parts of a group do not touch each other.
  void add(const std::string& name, const Vector3d& place, std::uint32_t group) {
    name_ = name;
    group_ = group;
    place_ = place;
    const int frame = part("frame", frame_, 2160.0, {0.0, 0.0, 0.0});
    fix(frame, part("cab", cab_, 1000.0, {2.3, 0.0, 0.95}));
    fix(frame, part("engine", engine_, 800.0, {2.2, 0.0, -0.4}));
    fix(frame, part("left tank", tank_, 150.0, {0.6, 0.68, 0.0}));
    fix(frame, part("right tank", tank_, 150.0, {0.6, -0.68, 0.0}));
    fix(frame, part("front bumper", bumper_, 100.0, {3.1, 0.0, 0.0}));
    fix(frame, part("rear bumper", bumper_, 100.0, {-3.1, 0.0, 0.0}));
    const int bed = part("bed", bed_, 1200.0, {-0.75, 0.0, 0.35});
    fix(frame, bed);
    const int left = part("left side", side_, 150.0, {-0.75, 1.07, 0.8});
    const int right = part("right side", side_, 150.0, {-0.75, -1.07, 0.8});
    const int front = part("front end", end_, 150.0, {1.32, 0.0, 0.8});
    const int rear = part("rear end", end_, 150.0, {-2.82, 0.0, 0.8});
    for (const int wall : {left, right, front, rear}) fix(bed, wall);
    // The corners of the bed are joined once more.
    join(left, front, JointKind::ball, place_ + Vector3d(1.32, 1.07, 1.2));
    join(left, rear, JointKind::ball, place_ + Vector3d(-2.82, 1.07, 1.2));
    join(right, front, JointKind::ball, place_ + Vector3d(1.32, -1.07, 1.2));
    join(right, rear, JointKind::ball, place_ + Vector3d(-2.82, -1.07, 1.2));
    fix(frame, part("spare wheel", wheel_, 120.0, {-0.6, 0.0, -0.35}));
    add_axle(frame, "front", 2.3);
    add_axle(frame, "middle", -1.5);
    add_axle(frame, "rear", -2.6);
  }

 private:
  static constexpr double wheel_radius = 0.5;

  int box(const std::string& name, const Vector3d& size) { return builder_.shape(name, BoxShape{size}); }

  int part(const std::string& name, int shape, double mass, const Vector3d& offset) {
    const int body = builder_.body(name_ + "/" + name, shape, mass, place_ + offset);
    builder_.at(body).group = group_;
    builder_.at(body).collides = ~group_;
    return body;
  }

  JointSpec& join(int first, int second, JointKind kind, const Vector3d& point) {
    Scene& scene = builder_.scene();
    const std::string& other = builder_.at(second).name;
    scene.joints.push_back(
        {.name = fmt::format("{} to {}", builder_.at(first).name, other.substr(name_.size() + 1)),
         .kind = kind,
         .bodies = {first, second},
         .point = point});
    return scene.joints.back();
  }

  void fix(int first, int second) { join(first, second, JointKind::fixed, builder_.at(second).position); }

  void add_axle(int frame, const std::string& which, double x) {
    const Vector3d middle(x, 0.0, wheel_radius - ride_height);
    const int axle = part(which + " axle", axle_, 300.0, middle);
    builder_.at(axle).orientation = along_y();
    JointSpec& suspension = join(frame, axle, JointKind::slider, place_ + middle);
    suspension.lower = -0.15;
    suspension.upper = 0.15;
    for (const double side : {-1.0, 1.0}) {
      const Vector3d spring = place_ + middle + Vector3d(0.0, 0.4 * side, 0.0);
      JointSpec& strut = join(axle, frame, JointKind::distance, spring);
      strut.name += side < 0.0 ? ", right" : ", left";
      strut.second_point = spring + Vector3d(0.0, 0.0, 0.5);
      strut.soft = Stiffness{2e5, 1e4};
      const std::string name = which + (side < 0.0 ? " right wheel" : " left wheel");
      const int wheel = part(name, wheel_, 120.0, middle + Vector3d(0.0, 1.05 * side, 0.0));
      builder_.at(wheel).orientation = along_y();
      join(axle, wheel, JointKind::hinge, builder_.at(wheel).position).axis = Vector3d::UnitY();
    }
  }

  SceneBuilder& builder_;
  int frame_, cab_, engine_, tank_, bumper_, bed_, side_, end_, axle_, wheel_;
  std::string name_;
  std::uint32_t group_ = 0;
  Vector3d place_ = Vector3d::Zero();
};

// A net of cables in two directions, which are joined where they cross. Trucks fall upon it.
void build_trucks(const SceneValues& values, Scene& scene) {
  SceneBuilder builder(scene, "steel", values["friction"], 7800.0);
  builder.ground();
  const double link = 0.2, net_height = 6.0;
  const int links_x = 65, links_y = 48;
  const std::array<double, 6> rows = {-4.1, -2.5, -0.9, 0.9, 2.5, 4.1};     // y of the cables along x
  const std::array<double, 6> columns = {-5.0, -3.0, -1.0, 1.0, 3.0, 5.0};  // x of the cables along y

  CableSpec cable;
  cable.radius = 0.03;
  cable.joint = JointKind::fixed;
  cable.touching = true;
  cable.soft = Stiffness{values["stiffness"], 1e-3 * values["stiffness"]};
  cable.turn_soft = Stiffness{values["bending"], 0.1 * values["bending"]};
  const auto add = [&](const std::string& name, const Vector3d& middle, const Vector3d& direction,
                       int links) {
    cable.name = name;
    cable.links = links;
    cable.mass = values["cable_mass"] * links * link;
    const Vector3d half = 0.5 * links * link * direction;
    cable.points = {Vector3d(middle - half), Vector3d(middle + half)};
    return add_cable(scene, cable);
  };
  std::array<int, 6> along_rows{}, along_columns{};  // the first link of each
  for (std::size_t i = 0; i < rows.size(); ++i)
    along_rows[i] = add(fmt::format("row {}", i), {0.0, rows[i], net_height}, Vector3d::UnitX(), links_x);
  for (std::size_t i = 0; i < columns.size(); ++i)
    along_columns[i] =
        add(fmt::format("column {}", i), {columns[i], 0.0, net_height}, Vector3d::UnitY(), links_y);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const int on_row = static_cast<int>(columns[j] / link + 0.5 * links_x);
      const int on_column = static_cast<int>(rows[i] / link + 0.5 * links_y);
      scene.joints.push_back({.name = fmt::format("knot {} {}", i, j),
                              .kind = JointKind::ball,
                              .bodies = {along_rows[i] + on_row, along_columns[j] + on_column},
                              .point = {columns[j], rows[i], net_height}});
    }
  }

  TruckBuilder truck(builder);
  const double height = net_height + cable.radius + values["drop"] + TruckBuilder::ride_height;
  const int count = values.count("trucks");
  for (int i = 0; i < count; ++i) {
    const auto [x, y] = quarters[static_cast<std::size_t>(i) % quarters.size()];
    const double level = 4.0 * (i / static_cast<int>(quarters.size()));
    truck.add(fmt::format("truck {}", i), {3.25 * x, 1.5 * y, height + level}, std::uint32_t{2} << i);
  }
}

}  // namespace

SceneRow spinner_scene() {
  return {.name = "spinner",
          .summary = "a plate and a heavy ball on cables of light links (Ho 2022, 6.1.3)",
          .duration = 10.0,
          .parameters = {integer("links", 60, 1, 10000, "links of each of the 8 cables"),
                         real("link_mass", 0.1, "kg", 1e-6, 1e6, "of a link"),
                         real("plate_mass", 10.0, "kg", 1e-6, 1e6, "of the plate"),
                         real("ball_mass", 2500.0, "kg", 1e-6, 1e9, "of the ball"),
                         real("spin", 2.0, "rad/s", -100.0, 100.0, "of the ball at the start"),
                         real("stiffness", 1e8, "N/m", 1.0, 1e15, "of a joint of a cable"),
                         real("bending", 10.0, "N m/rad", 1e-9, 1e15, "stiffness of a joint's turns"),
                         friction_parameter(0.5)},
          .build = build_spinner};
}

SceneRow trucks_scene() {
  return {.name = "trucks",
          .summary = "trucks fall onto a net of stiff cables (Ho 2022, 6.1.5)",
          .duration = 10.0,
          .parameters = {integer("trucks", 4, 1, 24, "number of trucks of 8000 kg"),
                         real("cable_mass", 5.0, "kg/m", 1e-6, 1e6, "of a cable"),
                         real("drop", 0.5, "m", 0.0, 100.0, "height of the wheels above the net"),
                         real("stiffness", 1e7, "N/m", 1.0, 1e15, "of a joint of a cable"),
                         real("bending", 1e3, "N m/rad", 1e-9, 1e15, "stiffness of a joint's turns"),
                         friction_parameter(0.6)},
          .build = build_trucks};
}

}  // namespace slipstick::internal
