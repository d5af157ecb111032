// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/page_manifest.hpp"

#include <array>
#include <span>
#include <string_view>
#include <variant>

#include "slipstick/base/json_writer.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/io/run_tables.hpp"
#include "slipstick/model/convex_hull.hpp"
#include "slipstick/model/mass_properties.hpp"
#include "slipstick/step_solver.hpp"
#include "slipstick/version.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

void append(JsonWriter& json, const Vector3d& vector) {
  for (const double number : vector) json.value(number);
}
void append(JsonWriter& json, const Quaterniond& q) {
  for (const double number : {q.w(), q.x(), q.y(), q.z()}) json.value(number);
}
void add_member(JsonWriter& json, std::string_view name, const Vector3d& vector) {
  json.key(name).begin_array();
  append(json, vector);
  json.end_array();
}

void add_mesh(JsonWriter& json, std::span<const Vector3d> points,
              std::span<const std::array<int, 3>> triangles) {
  json.member("kind", "mesh").key("points").begin_array();
  for (const Vector3d& point : points) append(json, point);
  json.end_array().key("triangles").begin_array();
  for (const std::array<int, 3>& triangle : triangles)
    for (const int corner : triangle) json.value(corner);
  json.end_array();
}

// Two triangles for each cell of the grid.
void add_surface(JsonWriter& json, const HeightFieldShape& field) {
  const Index rows = field.heights.rows(), columns = field.heights.cols();
  std::vector<Vector3d> points;
  std::vector<std::array<int, 3>> triangles;
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < columns; ++column) {
      points.emplace_back(
          (static_cast<double>(column) - 0.5 * static_cast<double>(columns - 1)) * field.spacing,
          (static_cast<double>(row) - 0.5 * static_cast<double>(rows - 1)) * field.spacing,
          field.heights(row, column));
      if (row + 1 == rows || column + 1 == columns) continue;
      const int corner = static_cast<int>(row * columns + column);
      const int above = corner + static_cast<int>(columns);
      triangles.push_back({corner, corner + 1, above + 1});
      triangles.push_back({corner, above + 1, above});
    }
  }
  add_mesh(json, points, triangles);
}

void add_shape(JsonWriter& json, const ShapeGeometry& geometry) {
  const auto add_round = [&](std::string_view kind, const auto& shape) {
    json.member("kind", kind).member("radius", shape.radius).member("height", shape.height);
  };
  json.begin_object();
  std::visit(
      Overloaded{
          [&](const SphereShape& sphere) { json.member("kind", "sphere").member("radius", sphere.radius); },
          [&](const BoxShape& box) {
            json.member("kind", "box");
            add_member(json, "size", box.size);
          },
          [&](const CapsuleShape& capsule) { add_round("capsule", capsule); },
          [&](const CylinderShape& cylinder) { add_round("cylinder", cylinder); },
          [&](const ConeShape& cone) { add_round("cone", cone); },
          [&](const HullShape& hull) { add_mesh(json, hull.points, hull_triangles(hull.points)); },
          [&](const PlaneShape&) { json.member("kind", "plane"); },
          [&](const MeshShape& mesh) { add_mesh(json, mesh.points, mesh.triangles); },
          [&](const HeightFieldShape& field) { add_surface(json, field); }},
      geometry);
  json.end_object();
}

// Flat lists with an entry for each placed shape.
void add_parts(JsonWriter& json, const Scene& scene) {
  const auto list = [&](std::string_view name, const auto& append_entry) {
    json.key(name).begin_array();
    for (std::size_t body = 0; body < scene.bodies.size(); ++body)
      for (const ShapePlace& place : scene.bodies[body].shapes) append_entry(body, place);
    json.end_array();
  };
  json.key("parts").begin_object();
  list("body", [&](std::size_t body, const ShapePlace&) { json.value(body); });
  list("shape", [&](std::size_t, const ShapePlace& place) { json.value(place.shape); });
  list("material", [&](std::size_t, const ShapePlace& place) { json.value(place.material); });
  list("position", [&](std::size_t, const ShapePlace& place) { append(json, place.position); });
  list("orientation", [&](std::size_t, const ShapePlace& place) { append(json, place.orientation); });
  json.end_object();
}

void add_scene(JsonWriter& json, const Scene& scene) {
  json.key("bodies").begin_array();
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const BodySpec& body = scene.bodies[k];
    const MassProperties properties = mass_properties(scene, static_cast<int>(k));
    json.begin_object()
        .member("name", body.name)
        .member("kind", name(body.kind))
        .member("mass", properties.mass);
    if (!properties.centre.isZero(0.0)) add_member(json, "centre", properties.centre);
    json.end_object();
  }
  json.end_array().key("materials").begin_array();
  for (const MaterialSpec& material : scene.materials)
    json.begin_object()
        .member("name", material.name)
        .member("friction", material.friction)
        .member("restitution", material.restitution)
        .end_object();
  json.end_array().key("shapes").begin_array();
  for (const ShapeSpec& shape : scene.shapes) add_shape(json, shape.geometry);
  json.end_array();
  add_parts(json, scene);
}

// Points and the axis in the axes of the bodies, as the scene has them at the start.
void add_joints(JsonWriter& json, const Scene& scene) {
  json.key("joints").begin_array();
  for (const JointSpec& joint : scene.joints) {
    const auto in_body = [&](int k, const Vector3d& point) -> Vector3d {
      const int number = joint.bodies[static_cast<std::size_t>(k)];
      if (number < 0) return point;
      const BodySpec& body = scene.bodies[static_cast<std::size_t>(number)];
      return body.orientation.conjugate() * (point - body.position);
    };
    json.begin_object().member("name", joint.name).member("kind", name(joint.kind));
    json.key("bodies").begin_array().value(joint.bodies[0]).value(joint.bodies[1]).end_array();
    json.key("points").begin_array().begin_array();
    append(json, in_body(0, joint.point));
    json.end_array().begin_array();
    append(json, in_body(1, joint.kind == JointKind::distance ? joint.second_point : joint.point));
    json.end_array().end_array();
    Vector3d axis = joint.axis;
    if (joint.bodies[0] >= 0)
      axis = scene.bodies[static_cast<std::size_t>(joint.bodies[0])].orientation.conjugate() * axis;
    add_member(json, "axis", axis);
    json.end_object();
  }
  json.end_array();
}

std::string_view page_type(ColumnType type) {
  return type == ColumnType::number ? "f64" : type == ColumnType::key ? "u64" : "i64";
}

template <class Record>
void add_columns(JsonWriter& json, std::size_t first, std::size_t last) {
  for (std::size_t k = first; k < last; ++k) {
    const ColumnSpec& column = columns_of<Record>()[k];
    const std::string_view name = std::string_view(column.name).substr(table_name<Record>.size() + 1);
    json.begin_array().value(name).value(page_type(column.type)).value(column.width).end_array();
  }
}
template <class Record>
void add_columns(JsonWriter& json) {
  add_columns<Record>(json, 0, columns_of<Record>().size());
}

void add_tables(JsonWriter& json, Index steps, const PageFrames& frames) {
  json.key("steps").begin_object().member("rows", steps).member("block", 1).key("columns").begin_array();
  add_columns<StepRecord>(json);
  add_columns<WallClock>(json);
  json.end_array().end_object();

  json.key("frames").begin_array();
  for (const std::int64_t number : frames.numbers) json.value(number);
  json.end_array().key("columns").begin_object().key("pose").begin_array();
  add_columns<BodyState>(json, 0, pose_columns);
  json.end_array().key("motion").begin_array();
  add_columns<BodyState>(json, pose_columns, columns_of<BodyState>().size());
  json.end_array().key("contacts").begin_array();
  add_columns<ContactRecord>(json);
  json.end_array().key("joints").begin_array();
  add_columns<JointRecord>(json);
  json.end_array().end_object();

  json.key("chunks").begin_array();
  const Index count = static_cast<Index>(frames.numbers.size());
  for (Index first = 0, block = 2; first < count; first += frames.per_chunk, block += 4) {
    json.begin_object().member("first", first).key("contacts").begin_array();
    for (Index k = first; k < std::min(count, first + frames.per_chunk); ++k)
      json.value(frames.contacts[static_cast<std::size_t>(k)]);
    json.end_array()
        .member("pose", block)
        .member("motion", block + 1)
        .member("contacts_block", block + 2)
        .member("joints", block + 3)
        .end_object();
  }
  json.end_array();
}

}  // namespace

std::string page_manifest(const RunReader& run, const PageNotes& notes, const Scene& scene,
                          const PageFrames& frames) {
  const RunHeader& header = run.header();
  JsonWriter json;
  json.begin_object()
      .member("format", "slipstick page")
      .member("version", 1)
      .member("program", header.program_version)
      .member("run", notes.run)
      .member("finished", run.finished())
      .member("scene", scene.name)
      .member("summary", scene.summary)
      .member("seed", header.seed)
      .member("law", header.law)
      .member("solver", header.solver)
      .member("tolerance", header.tolerance)
      .member("step", header.step)
      .member("settings", header.settings);
  add_member(json, "gravity", scene.gravity);
  json.key("thinned");
  if (frames.every == 1) {
    json.null();
  } else {
    json.begin_object().member("frames", run.frames()).member("every", frames.every).end_object();
  }
  json.member("rerun", notes.rerun).member("replay", notes.replay).key("dumps").begin_array();
  for (const PageNotes::Dump& dump : notes.dumps)
    json.begin_object()
        .member("step", dump.step)
        .member("island", dump.island)
        .member("file", dump.file)
        .member("command", dump.command)
        .end_object();
  json.end_array();
  add_scene(json, scene);
  add_joints(json, scene);
  json.key("states").begin_array();
  for (const ContactState state : {ContactState::open, ContactState::stick, ContactState::slip})
    json.value(name(state));
  json.end_array().key("remedies").begin_array();
  for (std::size_t k = 0; k < StepRecord().remedies.size(); ++k) json.value(name(static_cast<Remedy>(k)));
  json.end_array();
  add_tables(json, run.steps(), frames);
  return json.end_object().text();
}

}  // namespace slipstick::internal
