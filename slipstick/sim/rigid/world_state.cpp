// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdint>
#include <istream>
#include <ostream>
#include <type_traits>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/sim/rigid/world_work.hpp"

namespace slipstick {
namespace {

constexpr std::array<char, 8> mark = {'s', 'l', 'i', 'p', 'w', 'l', 'd', '2'};

template <class T>
void write(std::ostream& to, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  to.write(reinterpret_cast<const char*>(&value), sizeof value);
}
void write(std::ostream& to, const Eigen::Vector3d& vector) {
  to.write(reinterpret_cast<const char*>(vector.data()), 3 * sizeof(double));
}
void write(std::ostream& to, const Eigen::Vector4d& vector) {
  to.write(reinterpret_cast<const char*>(vector.data()), 4 * sizeof(double));
}

[[noreturn]] void bad(const char* what) {
  internal::fail("the state of a world: {}", what);
}

template <class T>
void read(std::istream& from, T& value) {
  if (!from.read(reinterpret_cast<char*>(&value), sizeof value)) bad("it ends too early");
}
template <int size>
void read_vector(std::istream& from, Eigen::Matrix<double, size, 1>& vector) {
  if (!from.read(reinterpret_cast<char*>(vector.data()), size * sizeof(double))) bad("it ends too early");
  if (!vector.allFinite()) bad("it has a number that is not finite");
}
void read_number(std::istream& from, double& value) {
  read(from, value);
  if (!std::isfinite(value)) bad("it has a number that is not finite");
}

}  // namespace

void World::Work::save(std::ostream& to) const {
  write(to, mark);
  write(to, static_cast<std::uint64_t>(bodies_.size()));
  write(to, static_cast<std::uint64_t>(joints_.size()));
  write(to, time_);
  write(to, steps_);
  write(to, memory_step_);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const internal::MovingBody::Kept kept = bodies_[k].kept();
    write(to, kept.position);
    write(to, kept.velocity);
    write(to, kept.angular_momentum);
    write(to, kept.orientation);
    write(to, pushes_[k].force);
    write(to, pushes_[k].torque);
  }
  for (const internal::RigidJoint& joint : joints_) {
    const internal::RigidJoint::Kept kept = joint.kept();
    write(to, kept.coordinate);
    write(to, kept.speed);
    write(to, kept.force_limit);
    write(to, kept.force);
    write(to, kept.torque);
    write(to, static_cast<std::uint8_t>(kept.broken));
  }
  write(to, static_cast<std::uint64_t>(creep_.size()));
  for (const Creep& creep : creep_) {
    write(to, creep.key);
    write(to, creep.slip);
  }
  memory_.save(to);
  sleep_.save(to);
  collision_.save(to);
}

void World::Work::restore(std::istream& from) {
  std::array<char, 8> found = {};
  read(from, found);
  if (found != mark) bad("it begins with something else");
  std::uint64_t bodies = 0, joints = 0;
  read(from, bodies);
  read(from, joints);
  if (bodies != bodies_.size() || joints != joints_.size())
    bad("it has other bodies or joints than the scene");
  double time = 0.0, memory_step = 0.0;
  std::int64_t steps = 0;
  read_number(from, time);
  read(from, steps);
  read_number(from, memory_step);
  if (!(time >= 0.0 && steps >= 0 && memory_step >= 0.0)) bad("the time or the number of steps is negative");
  auto new_bodies = bodies_;
  auto new_joints = joints_;
  auto pushes = pushes_;
  for (std::size_t k = 0; k < new_bodies.size(); ++k) {
    internal::MovingBody::Kept kept;
    read_vector(from, kept.position);
    read_vector(from, kept.velocity);
    read_vector(from, kept.angular_momentum);
    read_vector(from, kept.orientation);
    if (!(std::abs(kept.orientation.norm() - 1.0) < 1e-6)) bad("an orientation is not a unit quaternion");
    read_vector(from, pushes[k].force);
    read_vector(from, pushes[k].torque);
    new_bodies[k].restore(kept);
  }
  for (internal::RigidJoint& joint : new_joints) {
    internal::RigidJoint::Kept kept{};
    std::uint8_t broken = 0;
    read_number(from, kept.coordinate);
    read_number(from, kept.speed);
    read_number(from, kept.force_limit);
    read_vector(from, kept.force);
    read_vector(from, kept.torque);
    read(from, broken);
    kept.broken = broken != 0;
    joint.restore(kept);
    joint.update(new_bodies);
  }
  std::uint64_t creeping = 0;
  read(from, creeping);
  std::vector<Creep> creep;
  for (std::uint64_t k = 0; k < creeping; ++k) {
    Creep& next = creep.emplace_back();
    read(from, next.key);
    read_vector(from, next.slip);
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
