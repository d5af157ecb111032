// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/world.hpp"

#include <utility>

#include "slipstick/sim/rigid/world_work.hpp"

namespace slipstick {

World::World(const Scene& scene, std::shared_ptr<PairFinder> pairs)
    : work_(std::make_unique<Work>(scene, std::move(pairs))) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const Scene& World::scene() const {
  return work_->scene();
}
double World::time() const {
  return work_->time();
}
std::int64_t World::steps() const {
  return work_->steps();
}
int World::bodies() const {
  return static_cast<int>(work_->scene().bodies.size());
}
int World::joints() const {
  return static_cast<int>(work_->scene().joints.size());
}
BodyState World::body(int number) const {
  return work_->body(number);
}
int World::find_body(std::string_view name) const {
  const auto& bodies = scene().bodies;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (bodies[k].name == name) return static_cast<int>(k);
  return -1;
}
void World::set_body(int number, const BodyState& state) {
  work_->set_body(number, state);
}
void World::push(int body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque) {
  work_->push(body, force, torque);
}
void World::set_motor(int joint, double speed, double force) {
  work_->set_motor(joint, speed, force);
}
const StepRecord& World::step(StepSolver& solver) {
  return step(scene().step, solver);
}
const StepRecord& World::step(double time_step, StepSolver& solver) {
  prepare(time_step, solver);
  return advance(solver);
}
void World::prepare(double time_step, StepSolver& solver) {
  work_->prepare(time_step, solver);
}
const StepRecord& World::advance(StepSolver& solver) {
  return work_->advance(solver);
}
const BodyProblem& World::problem() const {
  return work_->problem();
}
const WarmStart& World::start() const {
  return work_->start();
}
const DriverResult& World::result() const {
  return work_->result();
}
const StepRecord& World::record() const {
  return work_->record();
}
void World::fill(Frame& frame) const {
  work_->fill(frame);
}
void World::save(std::ostream& to) const {
  work_->save(to);
}
void World::restore(std::istream& from) {
  work_->restore(from);
}

}  // namespace slipstick
