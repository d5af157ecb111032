// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/device_first.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/timer.hpp"
#include "slipstick/measures/contact_measures.hpp"

namespace slipstick::internal {

DeviceFirst::DeviceFirst(std::unique_ptr<ContactSolver> device, std::string_view device_name,
                         std::unique_ptr<ContactSolver> host)
    : device_(std::move(device)), host_(std::move(host)), device_name_(device_name) {}

void DeviceFirst::run(const Run& run) {
  const Timer timer;
  Settings settings = run.settings;
  const WarmStart* start = run.warm_start;
  host_has_run_ = false;
  Counts spent;
  if (run.problem.q.size() >= fewest_rows_for_device && device_->explain_unsupported(run.problem).empty()) {
    give(*device_, run, settings, start);
    const Result& result = run.result;
    attempts_.push_back({.solver = device_name_,
                         .reason = "a device, and many contacts",
                         .status = result.status,
                         .iterations = result.counts.iterations,
                         .error = contact_error(result.measures, law())});
    if (result.solved() || result.status == Status::cancelled || result.status == Status::time_limit) return;
    spent = result.counts;
    if (result.status != Status::unsupported) {
      start_.x = result.r;
      start = &start_;
    }
    if (std::isfinite(settings.time_limit))
      settings.time_limit = std::max(1e-9, settings.time_limit - timer.seconds());
  }
  host_has_run_ = true;
  give(*host_, run, settings, start);
  run.result.counts += spent;
  attempts_.insert(attempts_.end(), host_->attempts().begin(), host_->attempts().end());
}

void DeviceFirst::give(ContactSolver& solver, const Run& run, const Settings& settings,
                       const WarmStart* start) {
  const bool start_used = run.result.start_used;
  solver.divide_published_error_by_load(run.published_by_load);
  solver.judge_islands(run.terms);
  solver.solve(run.problem, settings, run.result, start, run.observer);
  run.result.start_used = start_used;
}

const ContactSolver::IslandWork* DeviceFirst::find_island_work(Index row) const {
  return host_has_run_ ? host_->island_work(row) : nullptr;
}

}  // namespace slipstick::internal
