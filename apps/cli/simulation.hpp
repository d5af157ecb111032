// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "apps/cli/simulate_job.hpp"
#include "slipstick/solve.hpp"
#include "slipstick/world.hpp"

namespace slipstick::internal::cli {

/// The steps of a scene under the policy of a job.
class Simulation {
 public:
  explicit Simulation(const SimulateJob& job);

  enum class Outcome { advanced, halved, refused };
  /// One step, or a part of one that was halved. If it is refused, the state does not change.
  Outcome step();
  /// All steps are done. A step that was halved is done when all its parts are.
  bool complete() const { return pending_.empty() && job_.reached(world_.time()); }

  const World& world() const { return world_; }
  std::int64_t halvings() const { return halvings_; }

  void save(std::ostream& to) const;
  /// Reads what save() wrote. Throws Error if it is something else.
  void restore(std::istream& from);

 private:
  const SimulateJob& job_;
  World world_;
  Driver usual_, deepest_;
  // Parts of a step that are still to do, the next one last. Each is a number of halvings.
  std::vector<int> pending_;
  std::int64_t halvings_ = 0;
};

}  // namespace slipstick::internal::cli
