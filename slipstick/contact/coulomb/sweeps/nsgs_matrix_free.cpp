// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/nsgs_matrix_free.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/contact_error.hpp"

namespace slipstick::internal {

NsgsMatrixFree::NsgsMatrixFree(const NsgsSettings& settings) : settings_(settings) {
  check_relaxation(settings);
}

void NsgsMatrixFree::run(const Run& run) {
  if (run.warm_start != nullptr) run.result.r = run.warm_start->x;
  const auto run_in = [&](auto& workspace) {
    prepare(run.problem, workspace);
    run.problem.W.visit([&](const auto& W) { sweep_until_solved(run, W, workspace); });
  };
  if (run.problem.dimension == 3) {
    run_in(space_);
  } else {
    run_in(plane_);
  }
}

template <int d, class Storage>
void NsgsMatrixFree::sweep_until_solved(const Run& run, const Storage& W, Workspace<d>& workspace) {
  Vector& r = run.result.r;
  const Index contacts = run.problem.contacts();
  const double* q = run.problem.q.data();
  const auto rest = [q](Index i, double* b) { std::copy_n(q + d * i, d, b); };
  StorageRows<d, Storage> rows(W, r, velocities_, workspace.diagonal);
  set_modes<d>(workspace.contacts, rows, 0, contacts, rest, r.data());

  constexpr int default_max_iterations = 20000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  const double tolerance = std::max(run.settings.tolerance, std::numeric_limits<double>::min());
  SweepRule rule(settings_.order, settings_.test, 0.5 / (tolerance * run.problem.q.stableNorm()));
  double change = 0.0;
  for (;;) {
    if (rule.due(change)) {
      const double last = judge(run);
      SweepRows<Storage>(W, r, velocities_);  // removes accumulated rounding from the body velocities
      rule.tested(change, last / tolerance);
      best_.offer(last, r);
      if (rule.stalled() || (monitor.iterations() > 0 && change == 0.0 && last > tolerance))
        monitor.stop(Status::stalled);
      if (monitor.finished(last, r)) break;
    } else if (monitor.interrupted(tolerance * rule.estimate(change), r)) {
      best_.offer(judge(run), r);
      break;
    }
    const bool backward = rule.next_backward();
    double squared = backward ? sweep_joints(run, rows, true) : 0.0;
    squared += sweep_contacts<d>(workspace.contacts, rows, 0, contacts, backward, rest, r.data());
    squared += backward ? 0.0 : sweep_joints(run, rows, false);
    change = std::sqrt(squared);
    ++run.result.counts.products;
  }
  if (!best_.empty()) r = best_.x();
  run.result.counts.iterations = monitor.iterations();
  run.result.status = monitor.status();
}

// Each row of a joint in turn, with the newest impulses of all others.
template <class Rows>
double NsgsMatrixFree::sweep_joints(const Run& run, Rows& rows, bool backward) const {
  const LocalContactProblem& problem = run.problem;
  Vector& r = run.result.r;
  double squared = 0.0;
  for (Index k = 0; k < problem.joint_rows(); ++k) {
    const Index j = backward ? problem.joint_rows() - 1 - k : k;
    const Index row = problem.contact_rows() + j;
    if (!(diagonal_[j] > 0.0)) continue;
    const double u = problem.q[row] + rows.row_product(row);
    const double wanted = r[row] - settings_.relaxation * u / diagonal_[j];
    const double change = std::min(std::max(wanted, problem.lower[j]), problem.upper[j]) - r[row];
    r[row] += change;
    if (change != 0.0) rows.row_changed(row, change);
    squared += diagonal_[j] * change * diagonal_[j] * change;
  }
  return squared;
}

// Data that depend on W are kept while it is the same.
template <int d>
void NsgsMatrixFree::prepare(const LocalContactProblem& problem, Workspace<d>& workspace) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  SweepContacts<d>& contacts = workspace.contacts;
  if (!problem.W.same_storage(workspace.seen) || contacts.local.size() != count ||
      diagonal_.size() != problem.joint_rows()) {
    workspace.seen = problem.W;
    contacts.relaxation = settings_.relaxation;
    contacts.proximal = settings_.proximal;
    contacts.local.clear();
    contacts.weight.resize(problem.contacts());
    workspace.diagonal.resize(count * d * d);
    block_.resize(d, d);
    for (Index i = 0; i < problem.contacts(); ++i) {
      problem.W.diagonal_block(d * i, block_);
      const double scale = contacts.weight[i] = ruler_scale(block_.trace() / d);
      double* D = workspace.diagonal.data() + i * d * d;
      double shifted[d * d];
      for (int a = 0; a < d; ++a) {
        for (int c = 0; c < d; ++c) {
          D[d * a + c] = block_(a, c);
          shifted[d * a + c] = block_(a, c) + (a == c ? settings_.proximal * scale : 0.0);
        }
      }
      contacts.local.emplace_back(shifted);
    }
    contacts.slip.resize(problem.contacts());
    diagonal_.resize(problem.joint_rows());
    for (Index j = 0; j < problem.joint_rows(); ++j)
      diagonal_[j] = problem.W.entry(problem.contact_rows() + j, problem.contact_rows() + j);
  }
  contacts.mu = problem.mu;
  best_.reset(problem.q.size());
}

}  // namespace slipstick::internal
