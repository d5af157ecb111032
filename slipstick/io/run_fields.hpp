// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "slipstick/io/hdf5_column.hpp"
#include "slipstick/run.hpp"

// The fields of the records of a run, with their names in files. Everything that reads or writes records is
// made from for_each_field.
namespace slipstick::internal {

/// The seconds of a StepRecord. They have a table of their own, because they differ from run to run.
struct WallClock {
  double seconds = 0.0;
  double solver_seconds = 0.0;
};

/// Where a frame lies.
struct FrameIndex {
  std::int64_t number = 0;       ///< of the step
  std::int64_t contact_end = 0;  ///< contacts of this frame and of all before it
};

template <class Record>
inline constexpr std::string_view table_name = {};
template <>
inline constexpr std::string_view table_name<StepRecord> = "/steps";
template <>
inline constexpr std::string_view table_name<WallClock> = "/wall_clock";
template <>
inline constexpr std::string_view table_name<FrameIndex> = "/frames";
template <>
inline constexpr std::string_view table_name<BodyState> = "/bodies";
template <>
inline constexpr std::string_view table_name<ContactRecord> = "/contacts";
template <>
inline constexpr std::string_view table_name<JointRecord> = "/joints";

template <class Reference, class Record>
concept RecordIs = std::same_as<std::remove_cvref_t<Reference>, Record>;

/// Calls visit(name, field) for every field. Without the seconds of a step.
template <class Visit>
void for_each_field(auto& record, const Visit& visit) requires RecordIs<decltype(record), StepRecord> {
  visit("number", record.number);
  visit("time", record.time);
  visit("step", record.step);
  visit("contacts", record.contacts);
  visit("rows", record.rows);
  visit("islands", record.islands);
  visit("asleep", record.asleep);
  visit("iterations", record.iterations);
  visit("factorizations", record.factorizations);
  visit("error", record.error);
  visit("flagged", record.flagged);
  visit("remedies", record.remedies);
  visit("unsolved_impacts", record.unsolved_impacts);
  visit("unsolved_projections", record.unsolved_projections);
  visit("penetration", record.penetration);
  visit("penetration_share", record.penetration_share);
  visit("joint_error", record.joint_error);
  visit("joint_angle_error", record.joint_angle_error);
  visit("momentum", record.momentum);
  visit("angular_momentum", record.angular_momentum);
  visit("angular_defect", record.angular_defect);
  visit("momentum_error", record.momentum_error);
  visit("energy_kinetic", record.energy.kinetic);
  visit("energy_potential", record.energy.potential);
  visit("work_gravity", record.energy.gravity);
  visit("work_contact", record.energy.contact);
  visit("work_friction", record.energy.friction);
  visit("work_joints", record.energy.joints);
  visit("work_motors", record.energy.motors);
  visit("work_motions", record.energy.motions);
  visit("work_stabilization", record.energy.stabilization);
  visit("work_stiffness", record.energy.stiffness);
  visit("restitution_gain", record.energy.restitution_gain);
  visit("work_unexplained", record.energy.unexplained);
}

template <class Visit>
void for_each_field(auto& record, const Visit& visit) requires RecordIs<decltype(record), WallClock> {
  visit("seconds", record.seconds);
  visit("solver_seconds", record.solver_seconds);
}

template <class Visit>
void for_each_field(auto& record, const Visit& visit) requires RecordIs<decltype(record), FrameIndex> {
  visit("number", record.number);
  visit("contact_end", record.contact_end);
}

template <class Visit>
void for_each_field(auto& record, const Visit& visit) requires RecordIs<decltype(record), BodyState> {
  visit("position", record.position);
  visit("orientation", record.orientation);
  visit("velocity", record.velocity);
  visit("spin", record.spin);
}

template <class Visit>
void for_each_field(auto& record, const Visit& visit) requires RecordIs<decltype(record), ContactRecord> {
  visit("key", record.key);
  visit("bodies", record.bodies);
  visit("point", record.point);
  visit("normal", record.normal);
  visit("gap", record.gap);
  visit("impulse", record.impulse);
  visit("velocity", record.velocity);
  visit("state", record.state);
  visit("island", record.island);
}

template <class Visit>
void for_each_field(auto& record, const Visit& visit) requires RecordIs<decltype(record), JointRecord> {
  visit("coordinate", record.coordinate);
  visit("force", record.force);
  visit("torque", record.torque);
  visit("error", record.error);
  visit("angle_error", record.angle_error);
  visit("broken", record.broken);
}

/// How a field lies in a column: `width` entries of one type. load gives false for values that no field has;
/// `expected` says what it wants.
template <class Field>
struct FieldTraits;

template <class Entry, ColumnType its_type>
struct PlainTraits {
  static constexpr ColumnType type = its_type;
  static constexpr int width = 1;
  static void store(const Entry& value, std::byte* to) { std::memcpy(to, &value, sizeof value); }
  static constexpr std::string_view expected = "a number";
  static bool load(const std::byte* from, Entry& value) {
    std::memcpy(&value, from, sizeof value);
    return true;
  }
};
template <>
struct FieldTraits<double> : PlainTraits<double, ColumnType::number> {};
template <>
struct FieldTraits<std::int64_t> : PlainTraits<std::int64_t, ColumnType::int64> {};
template <>
struct FieldTraits<int> : PlainTraits<int, ColumnType::int32> {};
template <>
struct FieldTraits<std::uint64_t> : PlainTraits<std::uint64_t, ColumnType::key> {};

template <class Entry, int count>
struct ByteTraits {
  static constexpr ColumnType type = ColumnType::byte;
  static constexpr int width = 1;
  static void store(Entry value, std::byte* to) { *to = static_cast<std::byte>(value); }
  static constexpr std::string_view expected = "one of the few values that it may have";
  static bool load(const std::byte* from, Entry& value) {
    const int number = static_cast<int>(*from);
    value = static_cast<Entry>(number < count ? number : 0);
    return number < count;
  }
};
template <>
struct FieldTraits<bool> : ByteTraits<bool, 2> {};
template <>
struct FieldTraits<ContactState> : ByteTraits<ContactState, 3> {};

template <>
struct FieldTraits<Eigen::Vector3d> {
  static constexpr ColumnType type = ColumnType::number;
  static constexpr int width = 3;
  static void store(const Eigen::Vector3d& value, std::byte* to) {
    std::memcpy(to, value.data(), 3 * sizeof(double));
  }
  static constexpr std::string_view expected = "numbers";
  static bool load(const std::byte* from, Eigen::Vector3d& value) {
    std::memcpy(value.data(), from, 3 * sizeof(double));
    return true;
  }
};

/// w, x, y, z
template <>
struct FieldTraits<Eigen::Quaterniond> {
  static constexpr ColumnType type = ColumnType::number;
  static constexpr int width = 4;
  static void store(const Eigen::Quaterniond& value, std::byte* to) {
    const double numbers[] = {value.w(), value.x(), value.y(), value.z()};
    std::memcpy(to, numbers, sizeof numbers);
  }
  static constexpr std::string_view expected = "a quaternion of length 1";
  // A rotation has length 1. Long runs may leave it by some rounding.
  static bool load(const std::byte* from, Eigen::Quaterniond& value) {
    double numbers[4];
    std::memcpy(numbers, from, sizeof numbers);
    value = Eigen::Quaterniond(numbers[0], numbers[1], numbers[2], numbers[3]);
    return std::abs(value.norm() - 1.0) < 1e-3;
  }
};

template <std::size_t count>
struct FieldTraits<std::array<int, count>> {
  static constexpr ColumnType type = ColumnType::int32;
  static constexpr int width = static_cast<int>(count);
  static void store(const std::array<int, count>& value, std::byte* to) {
    std::memcpy(to, value.data(), sizeof value);
  }
  static constexpr std::string_view expected = "numbers";
  static bool load(const std::byte* from, std::array<int, count>& value) {
    std::memcpy(value.data(), from, sizeof value);
    return true;
  }
};

}  // namespace slipstick::internal
