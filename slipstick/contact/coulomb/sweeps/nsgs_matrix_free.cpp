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

std::string NsgsMatrixFree::explain_unsupported(const LocalContactProblem& problem) const {
  if (problem.bilateral) return "nsgs-free takes no bilateral rows";
  return {};
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
    change = std::sqrt(
        sweep_contacts<d>(workspace.contacts, rows, 0, contacts, rule.next_backward(), rest, r.data()));
    ++run.result.counts.products;
  }
  if (!best_.empty()) r = best_.x();
  run.result.counts.iterations = monitor.iterations();
  run.result.status = monitor.status();
}

// Data that depend on W are kept while it is the same.
template <int d>
void NsgsMatrixFree::prepare(const LocalContactProblem& problem, Workspace<d>& workspace) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  SweepContacts<d>& contacts = workspace.contacts;
  if (!problem.W.same_storage(workspace.seen) || contacts.local.size() != count) {
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
  }
  contacts.mu = problem.mu;
  best_.reset(problem.q.size());
}

}  // namespace slipstick::internal
