// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "slipstick/solve/contact_solver.hpp"

namespace slipstick::internal {

/// Problems with fewer rows than this are solved on the host before a device has started.
inline constexpr Index fewest_rows_for_device = 30000;

/// A method for a device, and where that does not take or solve a problem, one for the host, from the answer
/// so far. `auto` under Coulomb's law if a device was asked for.
class DeviceFirst : public ContactSolver {
 public:
  DeviceFirst(std::unique_ptr<ContactSolver> device, std::string_view device_name,
              std::unique_ptr<ContactSolver> host);
  FrictionLaw law() const override { return host_->law(); }
  std::string explain_unsupported(const LocalContactProblem& problem) const override {
    return host_->explain_unsupported(problem);
  }

 protected:
  void run(const Run& run) override;
  const IslandWork* find_island_work(Index row) const override;

 private:
  void give(ContactSolver& solver, const Run& run, const Settings& settings, const WarmStart* start);

  std::unique_ptr<ContactSolver> device_, host_;
  std::string_view device_name_;
  bool host_has_run_ = false;
  WarmStart start_;  // of the host
};

}  // namespace slipstick::internal
