// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/world_work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/model/check.hpp"
#include "slipstick/model/expanded.hpp"
#include "slipstick/model/motion.hpp"

namespace slipstick {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using internal::fail;
using internal::MovingBody;
using internal::Pose;
using internal::RigidJoint;
using internal::StepContact;
using internal::Twist;

// Lengths below this share of a body's extent are rounding. To remove them would keep a stack at rest busy.
constexpr double length_share = 1e-9;
constexpr double rest_share = 1e-7;
constexpr double far_turn = 0.05;       // rad in a step
constexpr double far_share = 0.05;      // of a body's extent in a step
constexpr int most_corrections = 10;    // of positions after such a step
constexpr double allowed_share = 5e-4;  // of a body's extent: penetration that needs no further correction

std::vector<MovingBody> moving_bodies(const Scene& scene) {
  std::vector<MovingBody> bodies;
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) bodies.emplace_back(scene, static_cast<int>(k));
  return bodies;
}

std::vector<RigidJoint> rigid_joints(const Scene& scene, std::span<const MovingBody> bodies) {
  std::vector<RigidJoint> joints;
  for (std::size_t k = 0; k < scene.joints.size(); ++k)
    joints.emplace_back(scene.joints[k], bodies, static_cast<int>(k));
  return joints;
}

std::vector<std::array<int, 2>> jointed_pairs(const Scene& scene) {
  std::vector<std::array<int, 2>> pairs;
  for (const JointSpec& joint : scene.joints)
    if (!joint.touching && joint.bodies[0] >= 0 && joint.bodies[1] >= 0) pairs.push_back(joint.bodies);
  return pairs;
}

Pose start_pose(const BodySpec& body) {
  return {body.position, body.orientation.normalized()};
}

Scene checked(const Scene& scene) {
  internal::check(scene);
  return internal::expanded(scene);
}

}  // namespace

World::Work::Work(const Scene& scene, std::shared_ptr<PairFinder> pairs)
    : scene_(checked(scene)),
      bodies_(moving_bodies(scene_)),
      joints_(rigid_joints(scene_, bodies_)),
      materials_(scene_),
      collision_(scene_, jointed_pairs(scene_), std::move(pairs)),
      pushes_(bodies_.size()),
      stiffness_(bodies_.size(), Matrix3d::Zero()),
      ballistic_(bodies_.size(), 0),
      sleep_(bodies_.size()) {
  for (RigidJoint& joint : joints_) joint.update(bodies_);
}

void World::Work::check_body(int number) const {
  const int count = static_cast<int>(bodies_.size());
  if (number < 0 || number >= count) fail("body {} does not exist, expected 0 to {}", number, count - 1);
}

BodyState World::Work::body(int number) const {
  check_body(number);
  return bodies_[static_cast<std::size_t>(number)].state();
}

void World::Work::set_body(int number, const BodyState& state) {
  check_body(number);
  const double norm = state.orientation.norm();
  if (!state.position.allFinite() || !state.velocity.allFinite() || !state.spin.allFinite() ||
      !(std::abs(norm - 1.0) < 1e-6))
    fail("body {}: the state has numbers that are not finite, or an orientation of norm {}", number, norm);
  bodies_[static_cast<std::size_t>(number)].set_state(state);
  sleep_.wake(number);
  next_step_ = 0.0;
}

void World::Work::push(int body, const Vector3d& force, const Vector3d& torque) {
  check_body(body);
  if (!force.allFinite() || !torque.allFinite()) fail("body {}: the push is not finite", body);
  Push& push = pushes_[static_cast<std::size_t>(body)];
  push.force += force;
  push.torque += torque;
  sleep_.wake(body);
  next_step_ = 0.0;
}

void World::Work::set_motor(int joint, double speed, double force) {
  const int count = static_cast<int>(joints_.size());
  if (joint < 0 || joint >= count) fail("joint {} does not exist, expected 0 to {}", joint, count - 1);
  RigidJoint& changed = joints_[static_cast<std::size_t>(joint)];
  if (changed.kind() != JointKind::hinge && changed.kind() != JointKind::slider)
    fail("joint {}: a {} joint has no motor", joint, name(changed.kind()));
  if (!std::isfinite(speed) || !(force >= 0.0 && std::isfinite(force)))
    fail("joint {}: the motor has speed {} and force {}, expected finite numbers, the latter >= 0", joint,
         speed, force);
  changed.set_motor(speed, force);
  for (const int body : changed.bodies()) sleep_.wake(body);
  next_step_ = 0.0;
}

void World::Work::prepare(double time_step, StepSolver& solver) {
  if (!(time_step > 0.0 && std::isfinite(time_step)))
    fail("the time step is {}, expected a positive finite number", time_step);
  timer_ = {};
  next_step_ = 0.0;
  set_motions(time_step);
  accounts_.begin(bodies_, scene_.gravity);
  find_contacts(time_step, contacts_);
  wake_touched(time_step);
  start_gaps_.clear();
  for (const StepContact& contact : contacts_) start_gaps_.push_back(contact.gap);
  rows_.assign(contacts_.size(), -1);
  impact_report_ = {};
  before_impacts_.clear();
  if (scene_.stepping.restitution == RestitutionLaw::newton) {
    const double threshold =
        scene_.stepping.restitution_threshold.value_or(4.0 * scene_.gravity.norm() * time_step);
    const internal::Impacts::Scope scope{time_step, threshold, scene_.gravity};
    if (impacts_.find_closing(bodies_, contacts_, scope)) {
      before_impacts_ = bodies_;
      impact_report_ = impacts_.run(bodies_, joints_, contacts_, scope, solver, accounts_);
    }
  }
  for (StepContact& contact : contacts_)
    if (contact.first(bodies_).movable() && contact.second(bodies_).movable()) contact.join_points();
  sum_stiffness();
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    // An explicit step is stable below h^2 K = 4 I.
    const bool needed = time_step * time_step * stiffness_[k].norm() > bodies_[k].smallest_moment();
    bodies_[k].prepare(time_step, needed ? stiffness_[k] : Matrix3d(Matrix3d::Zero()));
  }
  fill_problem(time_step);
  recall(time_step);
  next_step_ = time_step;
}

void World::Work::set_motions(double time_step) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const BodySpec& spec = scene_.bodies[k];
    if (spec.kind != BodyKind::moved) continue;
    const Pose start = start_pose(spec);
    const Twist twist = bodies_[k].is_belt() ? internal::belt_twist(spec.motion)
                                             : internal::twist_over(spec.motion, start, time_, time_step);
    bodies_[k].drive(twist.velocity, twist.spin);
  }
}

void World::Work::find_contacts(double time_step, std::vector<StepContact>& contacts) {
  states_.resize(bodies_.size());
  for (std::size_t k = 0; k < bodies_.size(); ++k) states_[k] = bodies_[k].origin_state();
  collision_.find(states_, {.time_step = time_step, .gravity = scene_.gravity}, touches_);
  contacts.clear();
  for (const internal::TouchPoint& touch : touches_) {
    StepContact& contact = contacts.emplace_back(touch, bodies_);
    const internal::SurfacePair surfaces = materials_.pair(scene_, touch.materials);
    contact.mu = surfaces.friction;
    contact.restitution = surfaces.restitution;
    contact.tangential_restitution = surfaces.tangential_restitution;
    contact.extent =
        std::min(collision_.smallest_extent(touch.bodies[0]), collision_.smallest_extent(touch.bodies[1]));
  }
}

void World::Work::fill_problem(double time_step) {
  problem_.reset(static_cast<Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (sleep_.sleeps(static_cast<int>(k))) {
      problem_.set_body(static_cast<Index>(k), RigidBody{});
      continue;
    }
    const Push& push = pushes_[k];
    problem_.set_body(
        static_cast<Index>(k),
        bodies_[k].step_data(bodies_[k].mass() * scene_.gravity + push.force, push.torque, time_step));
  }
  auto kept = creep_.begin();
  for (const StepContact& contact : contacts_) {
    while (kept != creep_.end() && kept->key < contact.key) ++kept;
    const bool crept = kept != creep_.end() && kept->key == contact.key;
    if (!sleeps(contact.bodies))
      add_contact(contact, crept ? kept->slip : Vector3d(Vector3d::Zero()), time_step);
  }
  const Stepping& stepping = scene_.stepping;
  const bool gaps = stepping.scheme == SteppingScheme::gaps;
  const double correction = !gaps ? stepping.baumgarte : stepping.projection ? 0.0 : 1.0;
  for (const RigidJoint& joint : joints_)
    if (!sleeps(joint.bodies()))
      joint.add_rows(bodies_, {.time_step = time_step, .correction = correction, .curved = gaps}, problem_);
  list_rows();
}

// The problem has contacts in the order of adding, but not those that no impulse can move.
void World::Work::list_rows() {
  const auto keys = problem_.keys();
  for (std::size_t k = 0, next = 0; k < contacts_.size() && next < keys.size(); ++k)
    if (keys[next] == contacts_[k].key) rows_[k] = problem_.first_rows()[next++];
}

bool World::Work::sleeps(const std::array<int, 2>& pair) const {
  return sleep_.sleeps(pair[0]) || sleep_.sleeps(pair[1]);
}

// A body that moves wakes what it may touch in this step, and what that touches. A contact with a body that
// sleeps has no rows, so a potential one wakes, too.
void World::Work::wake_touched(double time_step) {
  if (sleep_.groups() == 0) return;
  const double least = rest_share * scene_.gravity.norm() * time_step;
  const auto moves = [&](int body) {
    const MovingBody& own = bodies_[static_cast<std::size_t>(body)];
    return !sleep_.sleeps(body) &&
           (own.movable() || own.velocity().norm() > least || own.spin().norm() > least);
  };
  for (bool woken = true; woken;) {
    woken = false;
    for (const StepContact& contact : contacts_) {
      for (const int side : {0, 1}) {
        const int body = contact.bodies[static_cast<std::size_t>(side)];
        if (!sleep_.sleeps(body) || !moves(contact.bodies[static_cast<std::size_t>(1 - side)])) continue;
        sleep_.wake(body);
        woken = true;
      }
    }
  }
}

// Islands that have rested long enough fall asleep.
void World::Work::send_to_sleep(double time_step) {
  if (!scene_.stepping.sleeping) return;
  std::vector<std::vector<int>> members(result_.islands.size());
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const int body = static_cast<int>(k), island = island_of_[k];
    if (!bodies_[k].movable() || sleep_.sleeps(body)) continue;
    sleep_.rest(body, time_step, island >= 0 && resting_[static_cast<std::size_t>(island)] != 0);
    if (island >= 0) members[static_cast<std::size_t>(island)].push_back(body);
  }
  for (std::size_t c = 0; c < members.size(); ++c) {
    if (members[c].empty() || result_.islands[c].status != Status::solved ||
        !std::all_of(members[c].begin(), members[c].end(), [&](int body) { return sleep_.is_tired(body); }))
      continue;
    std::vector<std::size_t> keys;
    for (std::size_t k = 0; k < problem_.keys().size(); ++k)
      if (result_.island_of[static_cast<std::size_t>(problem_.first_rows()[k])] == static_cast<int>(c))
        keys.push_back(k);
    sleep_.fall_asleep(members[c], keys, problem_, result_.r, result_.islands[c].error);
  }
}

void World::Work::add_contact(const StepContact& contact, const Vector3d& slip, double time_step) {
  const Stepping& stepping = scene_.stepping;
  const double closing = contact.gap / time_step;
  double share = stepping.scheme == SteppingScheme::baumgarte ? stepping.baumgarte
                 : stepping.projection                        ? 0.0
                                                              : 1.0;
  SmallVector compliance;
  if (stepping.scheme == SteppingScheme::baumgarte && stepping.contact_softness) {
    const auto soft = internal::softness(*stepping.contact_softness, time_step);
    share = soft.share;
    compliance = {soft.compliance, 0.0, 0.0};
  }
  const Eigen::Matrix3d frame = internal::contact_frame(contact.normal);
  // A contact that sticks goes back to where it began to. Errors of the solver do not add up.
  const double negligible = length_share * contact.extent;
  Vector3d bias = Vector3d::Zero();
  if (slip.norm() > negligible) bias = frame.transpose() * slip / time_step;
  bias[0] = contact.gap > negligible ? closing : share * std::min(closing, 0.0);
  if (stepping.restitution == RestitutionLaw::moreau) {
    const Vector3d velocity = frame.transpose() * contact.velocity(bodies_);
    const bool closes = contact.gap + time_step * velocity[0] <= 0.0;
    const double threshold = stepping.restitution_threshold.value_or(4.0 * scene_.gravity.norm() * time_step);
    if (closes && -velocity[0] > threshold) {
      bias[0] = std::min(bias[0], contact.restitution * velocity[0]);
      bias.tail<2>() = contact.tangential_restitution * velocity.tail<2>();
    }
  }
  ContactSpec spec = contact.spec(bodies_, bias);
  spec.compliance = compliance;
  problem_.add_contact(contact.key, spec);
}

void World::Work::keep_creep(double time_step) {
  creep_.clear();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const int row = rows_[k];
    if (row < 0 || result_.states[static_cast<std::size_t>(row / 3)] != ContactState::stick) continue;
    const Eigen::Matrix3d frame = internal::contact_frame(contacts_[k].normal);
    creep_.push_back({contacts_[k].key, time_step * frame.rightCols<2>() * result_.u.segment<2>(row + 1)});
  }
}

void World::Work::recall(double time_step) {
  memory_.recall(problem_.keys(), problem_.first_rows(), start_);
  sleep_.recall(problem_, start_);
  if (memory_step_ > 0.0 && memory_step_ != time_step) start_.x *= time_step / memory_step_;
}

const StepRecord& World::Work::advance(StepSolver& solver) {
  if (next_step_ == 0.0)
    fail("advance: no step is prepared for the present state, expected a call of prepare before");
  const double time_step = std::exchange(next_step_, 0.0);
  const internal::Timer solve_timer;
  solver.solve(problem_, result_, &start_);
  record_ = {.number = steps_ + 1, .time = time_, .step = time_step};
  record_.solver_seconds = solve_timer.seconds();
  certify();
  if (!is_usable()) {
    if (!before_impacts_.empty()) bodies_ = before_impacts_;
    record_.flagged = true;
    record_.seconds = timer_.seconds();
    return record_;
  }
  account(time_step);
  for (RigidJoint& joint : joints_)
    if (!sleeps(joint.bodies())) joint.take_impulses(bodies_, problem_, result_.r, time_step);
  find_ballistic(time_step);
  stop_at_rest(time_step);
  move(time_step);
  memory_.keep(problem_.keys(), problem_.first_rows(), result_.r, result_.u);
  memory_step_ = time_step;
  keep_creep(time_step);
  sleep_.forget();
  correct(time_step, solver);
  send_to_sleep(time_step);
  accounts_.end(bodies_, scene_.gravity, record_);
  for (const RigidJoint& joint : joints_) {
    record_.joint_error = std::max(record_.joint_error, joint.record().error);
    record_.joint_angle_error = std::max(record_.joint_angle_error, joint.record().angle_error);
  }
  record_.time = time_;
  record_.seconds = timer_.seconds();
  return record_;
}

bool World::Work::is_usable() const {
  const bool refused =
      std::any_of(result_.islands.begin(), result_.islands.end(),
                  [](const IslandReport& island) { return island.remedy == Remedy::refused; });
  return !refused && result_.r.size() == problem_.rows() && result_.r.allFinite() &&
         result_.v.size() == 6 * static_cast<Index>(bodies_.size()) && result_.v.allFinite();
}

void World::Work::certify() {
  record_.contacts = static_cast<Index>(contacts_.size());
  record_.rows = problem_.rows();
  record_.islands = static_cast<int>(result_.islands.size());
  record_.factorizations = result_.counts.factorizations;
  record_.asleep = sleep_.groups();
  record_.error = std::max(impact_report_.error, sleep_.error());
  record_.unsolved_impacts = impact_report_.unsolved;
  record_.flagged = !result_.solved() || impact_report_.unsolved > 0;
  record_.remedies = impact_report_.remedies;
  for (const IslandReport& island : result_.islands) {
    record_.error = std::max(record_.error, island.error);
    record_.iterations += island.iterations;
    ++record_.remedies[static_cast<std::size_t>(island.remedy)];
  }
  for (const Remedy remedy : {Remedy::looser, Remedy::convex_law, Remedy::kept, Remedy::refused})
    record_.flagged = record_.flagged || record_.remedies[static_cast<std::size_t>(remedy)] > 0;
}

void World::Work::account(double time_step) {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const auto velocity = result_.v.segment<6>(6 * static_cast<Index>(k));
    accounts_.before[k] = {bodies_[k].velocity(), bodies_[k].free_spin()};
    accounts_.after[k] = {velocity.head<3>(), velocity.tail<3>()};
  }
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    if (!sleeps(contacts_[k].bodies)) accounts_.add_contact(bodies_, contacts_[k], impulse_of(k));
  for (const RigidJoint& joint : joints_)
    if (!sleeps(joint.bodies())) joint.add_to(accounts_, bodies_, problem_, result_.r);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (!sleep_.sleeps(static_cast<int>(k)))
      accounts_.add_outside(bodies_[k], time_step * bodies_[k].mass() * scene_.gravity);
    Push& push = pushes_[k];
    if (bodies_[k].movable() && !(push.force.isZero(0.0) && push.torque.isZero(0.0)))
      accounts_.add_push(static_cast<int>(k), time_step * push.force, time_step * push.torque);
    push = {};
  }
}

Vector3d World::Work::impulse_of(std::size_t number) const {
  const StepContact& contact = contacts_[number];
  if (const int row = rows_[number]; row >= 0)
    return internal::contact_frame(contact.normal) * result_.r.segment<3>(row);
  if (const auto kept = sleep_.impulses(contact.key); kept.size() == 3)
    return internal::contact_frame(contact.normal) * Vector3d(kept[0], kept[1], kept[2]);
  return Vector3d::Zero();
}

// Bodies that no impulse touches fall on parabolas, if that leads them into no other body.
void World::Work::find_ballistic(double time_step) {
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    ballistic_[k] = bodies_[k].movable() && !sleep_.sleeps(static_cast<int>(k)) ? 1 : 0;
  const auto ground = [&](int body) {
    if (body >= 0) ballistic_[static_cast<std::size_t>(body)] = 0;
  };
  for (const RigidJoint& joint : joints_) {
    if (joint.broken()) continue;
    for (const int body : joint.bodies()) ground(body);
  }
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const int row = rows_[k];
    if (row < 0 || result_.states[static_cast<std::size_t>(row / 3)] == ContactState::open) continue;
    for (const int body : contacts_[k].bodies) ground(body);
  }
  const double rise = -0.5 * time_step * time_step;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const StepContact& contact = contacts_[k];
    const int row = rows_[k];
    if (row < 0) continue;
    double gap = time_step * result_.u[row];
    for (const int side : {0, 1}) {
      if (ballistic_[static_cast<std::size_t>(contact.bodies[static_cast<std::size_t>(side)])])
        gap += (side == 0 ? rise : -rise) * contact.normal.dot(scene_.gravity);
    }
    if (gap >= 0.0) continue;
    for (const int body : contact.bodies) ground(body);
  }
}

// The distance at which a spin of the body counts as a speed.
double World::Work::lever(int body) const {
  const double extent = collision_.smallest_extent(body);
  if (std::isfinite(extent)) return extent;
  const MovingBody& without_shape = bodies_[static_cast<std::size_t>(body)];
  if (without_shape.movable()) return std::sqrt(without_shape.smallest_moment() / without_shape.mass());
  return std::numeric_limits<double>::max();  // a plane
}

// The bodies of an island that all are slower than a small share of what gravity adds in a step are at rest.
// Otherwise the last digits of the answer would go on from step to step.
void World::Work::stop_at_rest(double time_step) {
  const double least = rest_share * scene_.gravity.norm() * time_step;
  island_of_.assign(bodies_.size(), -1);
  resting_.assign(result_.islands.size(), 1);
  const auto visit = [&](const std::array<int, 2>& pair, Index row) {
    if (row < 0) return;
    const int island = result_.island_of[static_cast<std::size_t>(row)];
    for (const int body : pair) {
      if (body < 0) continue;
      const auto k = static_cast<std::size_t>(body);
      const auto& [velocity, spin] = accounts_.after[k];
      if (velocity.norm() > least || lever(body) * spin.norm() > least)
        resting_[static_cast<std::size_t>(island)] = 0;
      if (bodies_[k].movable()) island_of_[k] = island;
    }
  };
  for (std::size_t k = 0; k < contacts_.size(); ++k) visit(contacts_[k].bodies, rows_[k]);
  for (std::size_t k = 0; k < joints_.size(); ++k)
    visit(joints_[k].bodies(), problem_.first_row(internal::joint_key(static_cast<int>(k))));
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (island_of_[k] >= 0 && resting_[static_cast<std::size_t>(island_of_[k])]) accounts_.after[k] = {};
}

void World::Work::move(double time_step) {
  const Vector3d rise = -0.5 * time_step * time_step * scene_.gravity;
  time_ += time_step;
  ++steps_;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    MovingBody& body = bodies_[k];
    const Vector3d moment = body.accelerate(accounts_.after[k].velocity, accounts_.after[k].spin);
    if (!moment.isZero(0.0)) accounts_.add_stiffness(static_cast<int>(k), moment);
    if (body.movable()) {
      body.move(time_step, ballistic_[k] ? rise : Vector3d(Vector3d::Zero()));
    } else if (scene_.bodies[k].kind == BodyKind::moved && !body.is_belt()) {
      const Pose pose = internal::pose_at(scene_.bodies[k].motion, start_pose(scene_.bodies[k]), time_);
      body.place(pose.position, pose.orientation);
    }
  }
}

void World::Work::correct(double time_step, StepSolver& solver) {
  for (StepContact& contact : contacts_) contact.update(bodies_);
  for (RigidJoint& joint : joints_) joint.update(bodies_);
  const bool far = moves_far(time_step);
  if (scene_.stepping.scheme == SteppingScheme::gaps && scene_.stepping.projection) {
    accounts_.begin_correction(bodies_, scene_.gravity);
    sum_stiffness();
    const auto project = [&](std::span<StepContact> contacts) {
      using Outcome = internal::Projection::Outcome;
      const Outcome outcome =
          projection_.run(bodies_, joints_, contacts, stiffness_, sleep_, time_step, solver);
      if (outcome == Outcome::unsolved) {
        ++record_.unsolved_projections;
        record_.flagged = true;
      }
      return outcome == Outcome::moved;
    };
    bool moved = project(contacts_);
    for (int turn = 0; turn < most_corrections && far; ++turn) {
      find_contacts(0.0, corrected_);
      if (deepest(corrected_).share <= allowed_share || !project(corrected_)) break;
      moved = true;
    }
    if (moved) {
      for (StepContact& contact : contacts_) contact.update(bodies_);
      for (RigidJoint& joint : joints_) joint.update(bodies_);
      accounts_.end_correction(bodies_, scene_.gravity);
      record_.angular_defect = accounts_.angular_defect();
    }
  }
  if (far) find_contacts(0.0, corrected_);
  const Depth depth = far ? deepest(corrected_) : deepest(contacts_);
  record_.penetration = depth.length;
  record_.penetration_share = depth.share;
}

World::Work::Depth World::Work::deepest(std::span<const StepContact> contacts) {
  Depth depth;
  for (const StepContact& contact : contacts) {
    depth.length = std::max(depth.length, -contact.gap);
    depth.share = std::max(depth.share, -contact.gap / contact.extent);
  }
  return depth;
}

// If bodies turn or move far in a step, contacts are not where the step expected them. A body may also meet
// another one that was as fast as itself before the step.
bool World::Work::moves_far(double time_step) const {
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    if (!bodies_[k].movable()) continue;
    const double extent = collision_.smallest_extent(static_cast<int>(k));
    if (bodies_[k].spin().norm() * time_step > far_turn ||
        bodies_[k].velocity().norm() * time_step > far_share * extent)
      return true;
  }
  return false;
}

void World::Work::fill(Frame& frame) const {
  frame.step = record_;
  frame.bodies.clear();
  for (const MovingBody& body : bodies_) frame.bodies.push_back(body.state());
  frame.contacts.clear();
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const StepContact& contact = contacts_[k];
    const int row = rows_[k];
    ContactRecord record{.key = contact.key,
                         .bodies = contact.bodies,
                         .point = 0.5 * (contact.points[0] + contact.points[1]),
                         .normal = contact.normal,
                         .gap = start_gaps_[k],
                         .impulse = impulse_of(k),
                         .velocity = contact.velocity(bodies_)};
    if (row >= 0) {
      record.state = result_.states[static_cast<std::size_t>(row / 3)];
      record.island = result_.island_of[static_cast<std::size_t>(row)];
    }
    frame.contacts.push_back(record);
  }
  frame.joints.clear();
  for (const RigidJoint& joint : joints_) frame.joints.push_back(joint.record());
}

}  // namespace slipstick
