// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "slipstick/base/binary_stream.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/sim/rigid/world_work.hpp"

namespace slipstick {
namespace {

constexpr std::array<char, 8> mark = {'s', 'l', 'i', 'p', 'w', 'l', 'd', '3'};
constexpr std::size_t creep_bytes = sizeof(std::uint64_t) + 3 * sizeof(double);

template <int size>
void write_vector(internal::BinaryWriter& to, const Eigen::Matrix<double, size, 1>& vector) {
  to.write_numbers({vector.data(), size});
}
template <int size>
void read_vector(internal::BinaryReader& from, Eigen::Matrix<double, size, 1>& vector) {
  from.read_finite({vector.data(), size});
}

[[noreturn]] void bad(const char* what) {
  internal::fail("the state of a world: {}", what);
}

}  // namespace

void World::Work::save(std::ostream& to) const {
  internal::BinaryWriter out(to);
  out.write(mark);
  out.write_count(bodies_.size());
  out.write_count(joints_.size());
  out.write(time_);
  out.write(steps_);
  out.write(memory_step_);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const internal::MovingBody::Kept kept = bodies_[k].kept();
    write_vector(out, kept.position);
    write_vector(out, kept.velocity);
    write_vector(out, kept.angular_momentum);
    write_vector(out, kept.orientation);
    write_vector(out, pushes_[k].force);
    write_vector(out, pushes_[k].torque);
  }
  for (const internal::RigidJoint& joint : joints_) {
    const internal::RigidJoint::Kept kept = joint.kept();
    out.write(kept.coordinate);
    out.write(kept.speed);
    out.write(kept.force_limit);
    write_vector(out, kept.force);
    write_vector(out, kept.torque);
    out.write(static_cast<std::uint8_t>(kept.broken));
  }
  out.write_count(creep_.size());
  for (const Creep& creep : creep_) {
    out.write(creep.key);
    write_vector(out, creep.slip);
  }
  memory_.save(to);
  sleep_.save(to);
  collision_.save(to);
}

void World::Work::restore(std::istream& from) {
  internal::BinaryReader in(from, "the state of a world");
  if (in.read<std::array<char, 8>>() != mark) bad("it begins with something else");
  const auto bodies = in.read<std::uint64_t>(), joints = in.read<std::uint64_t>();
  if (bodies != bodies_.size() || joints != joints_.size())
    bad("it has other bodies or joints than the scene");
  const double time = in.read_finite();
  const auto steps = in.read<std::int64_t>();
  const double memory_step = in.read_finite();
  if (!(time >= 0.0 && steps >= 0 && memory_step >= 0.0)) bad("the time or the number of steps is negative");
  auto new_bodies = bodies_;
  auto new_joints = joints_;
  auto pushes = pushes_;
  for (std::size_t k = 0; k < new_bodies.size(); ++k) {
    internal::MovingBody::Kept kept;
    read_vector(in, kept.position);
    read_vector(in, kept.velocity);
    read_vector(in, kept.angular_momentum);
    read_vector(in, kept.orientation);
    if (!(std::abs(kept.orientation.norm() - 1.0) < 1e-6)) bad("an orientation is not a unit quaternion");
    read_vector(in, pushes[k].force);
    read_vector(in, pushes[k].torque);
    new_bodies[k].restore(kept);
  }
  for (internal::RigidJoint& joint : new_joints) {
    internal::RigidJoint::Kept kept{};
    kept.coordinate = in.read_finite();
    kept.speed = in.read_finite();
    kept.force_limit = in.read_finite();
    read_vector(in, kept.force);
    read_vector(in, kept.torque);
    kept.broken = in.read<std::uint8_t>() != 0;
    joint.restore(kept);
    joint.update(new_bodies);
  }
  const std::size_t creeping = in.read_count(creep_bytes);
  std::vector<Creep> creep;
  for (std::size_t k = 0; k < creeping; ++k) {
    Creep& next = creep.emplace_back();
    in.read(next.key);
    read_vector(in, next.slip);
    if (k > 0 && creep[k - 1].key >= next.key) bad("its contacts are not in order");
  }
  ContactMemory memory;
  memory.restore(from);
  internal::Sleep sleep(bodies_.size());
  sleep.restore(from);
  collision_.restore(from);  // last: it changes nothing if it throws
  bodies_ = std::move(new_bodies);
  joints_ = std::move(new_joints);
  pushes_ = std::move(pushes);
  creep_ = std::move(creep);
  memory_ = std::move(memory);
  sleep_ = std::move(sleep);
  time_ = time;
  steps_ = steps;
  memory_step_ = memory_step;
  next_step_ = 0.0;
  contacts_.clear();
  record_ = {.number = steps, .time = time};
}

}  // namespace slipstick
