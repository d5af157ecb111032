// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/simulation.hpp"

#include <cmath>
#include <istream>
#include <limits>
#include <ostream>
#include <string>

#include "slipstick/base/error.hpp"

namespace slipstick::internal::cli {
namespace {

Scene with_step(Scene scene, double step) {
  scene.step = step;
  return scene;
}

}  // namespace

Simulation::Simulation(const SimulateJob& job)
    : job_(job),
      world_(with_step(job.scene, job.step), job.pairs),
      usual_(job.request(job.policy.usual)),
      deepest_(job.request(job.policy.deepest)) {}

Simulation::Outcome Simulation::step() {
  if (pending_.empty()) pending_.push_back(0);
  const int depth = pending_.back();
  const bool can_halve = job_.policy.halves && depth < most_halvings;
  const std::int64_t before = world_.steps();
  world_.step(std::ldexp(job_.step, -depth), job_.policy.halves && !can_halve ? deepest_ : usual_);
  if (world_.steps() > before) {
    pending_.pop_back();
    return Outcome::advanced;
  }
  if (!can_halve) {
    if (depth == 0) pending_.clear();
    return Outcome::refused;
  }
  pending_.back() = depth + 1;
  pending_.push_back(depth + 1);
  ++halvings_;
  return Outcome::halved;
}

void Simulation::save(std::ostream& to) const {
  to << "steps " << halvings_ << ' ' << pending_.size();
  for (const int depth : pending_) to << ' ' << depth;
  to << '\n';
  world_.save(to);
}

void Simulation::restore(std::istream& from) {
  std::string word;
  std::int64_t halvings = -1;
  std::size_t count = 0;
  from >> word >> halvings >> count;
  if (!from || word != "steps" || halvings < 0 || count > most_halvings + 1)
    fail("the state of a simulation begins with something else");
  std::vector<int> pending(count);
  for (int& depth : pending) {
    from >> depth;
    if (!from || depth < 0 || depth > most_halvings)
      fail("the state of a simulation: a wrong part of a step");
  }
  from.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  world_.restore(from);
  pending_ = std::move(pending);
  halvings_ = halvings;
}

}  // namespace slipstick::internal::cli
