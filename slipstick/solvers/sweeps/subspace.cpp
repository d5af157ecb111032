// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/subspace.hpp"

#include <algorithm>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/solvers/sweeps/free_rows.hpp"
#include "slipstick/solvers/sweeps/sweep.hpp"

namespace slipstick::internal {
namespace {

// Changes of the number of reduced sweeps from round to round, measured on UIC pressure and random problems.
// Slower growth costs more, and so does a restart after a change.
constexpr int growth = 4;
constexpr int shrinkage = 2;
constexpr int most_grown = 1000;
constexpr double reduced_accuracy = 0.9;  // share of the tolerance

}  // namespace

SubspaceSolver::SubspaceSolver(std::string_view method, const SubspaceSettings& settings)
    : SweepSolver(method, {.sets = Needs::bounds, .symmetry = true}), alternation_(settings) {}

template <class Sweep>
void SubspaceSolver::alternate(const Run& run, Monitor& monitor, Sweep sweep) {
  free_rows_.reserve(run.result.x.size());
  free_rows_.clear();
  reduced_sweeps_ = alternation_.reduced_sweeps;
  swept_rows_ = 0.0;
  while (!finished(run, monitor)) {
    while (!round(run, monitor, sweep)) continue;
  }
  if (!free_rows_.empty())
    run.result.counts.products +=
        static_cast<std::int64_t>(swept_rows_ / static_cast<double>(run.result.x.size()));
  conclude(run, monitor);
}

// Makes one round. Returns true if the true error should be computed.
template <class Sweep>
bool SubspaceSolver::round(const Run& run, Monitor& monitor, Sweep& sweep) {
  const Vector& x = run.result.x;
  for (int k = 0; k < alternation_.full_sweeps; ++k) {
    const double estimate = sweep.full();
    ++run.result.counts.products;
    if (due(estimate, run, monitor)) return true;
  }

  const bool changed = list_free_rows(run.problem.K, rows_.step, x, free_rows_);
  if (alternation_.adaptive) {
    reduced_sweeps_ =
        changed ? std::max(alternation_.reduced_sweeps, reduced_sweeps_ / shrinkage)
                : std::min(growth * reduced_sweeps_, std::max(most_grown, alternation_.reduced_sweeps));
  }
  const Index active = x.size() - static_cast<Index>(free_rows_.size());
  sweep.refresh();
  for (int k = 0; k < reduced_sweeps_ && active > 0; ++k) {
    const double estimate = sweep.reduced(free_rows_);
    swept_rows_ += static_cast<double>(free_rows_.size());
    if (monitor.interrupted(estimate, x, active)) return true;
    if (alternation_.adaptive && estimate * calibration() <= reduced_accuracy * monitor.tolerance()) break;
  }
  return false;
}

PgsSm::PgsSm(const PgsSmSettings& settings) : SubspaceSolver("pgs-sm", settings), settings_(settings) {
  check_gauss_seidel_relaxation(settings_.relaxation);
}

void PgsSm::run(const Run& run) {
  Monitor monitor(run.settings, default_max_sweeps, run.observer);
  begin(run, monitor);
  relax(settings_.relaxation);
  run.problem.A.visit(
      [&](const auto& a) { alternate(run, monitor, GaussSeidelSweep(a, rows_, run.result.x, velocities_)); });
}

PjacobiSm::PjacobiSm(const PjacobiSmSettings& settings)
    : SubspaceSolver("pjacobi-sm", settings), settings_(settings) {
  check_jacobi_relaxation(settings_.relaxation);
}

void PjacobiSm::run(const Run& run) {
  Monitor monitor(run.settings, default_max_sweeps, run.observer);
  begin(run, monitor);
  const int threads = run.settings.threads;
  relax(radius_.relaxation(settings_.relaxation, run.problem.A, rows_.step, threads,
                           run.result.counts.products));
  run.problem.A.visit([&](const auto& a) {
    alternate(run, monitor,
              JacobiSweep(a, run.problem.A, rows_, run.result.x, velocities_, w_, partial_sums_, threads));
  });
}

}  // namespace slipstick::internal
