// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/base/parallel.hpp"

namespace slipstick::internal {
namespace {

// With fewer contacts, threads cost more than they save.
constexpr int fewest_for_threads = 2000;

// The terms of a node's velocity that do not come from other nodes.
template <int d>
struct Rest {
  const ContactBlocks& blocks;
  void operator()(Index i, double* b) const {
    const double* q = blocks.q(static_cast<int>(i));
    for (int a = 0; a < d; ++a) b[a] = q[a];
  }
};

}  // namespace

void check_relaxation(const NsgsSettings& settings) {
  if (!(settings.relaxation > 0.0 && settings.relaxation < 2.0))
    fail("nsgs needs a relaxation between 0 and 2 (exclusive), not {}", settings.relaxation);
}

Nsgs::Nsgs(const NsgsSettings& settings, SharedSweeps workspace)
    : Nsgs(settings, std::move(workspace), {}, {}) {}

Nsgs::Nsgs(const NsgsSettings& settings, SharedSweeps workspace, const SwitchToNewton& switch_to_newton,
           SweepsPerNewtonStep newton_cost)
    : settings_(settings),
      workspace_(std::move(workspace)),
      switch_to_newton_(switch_to_newton),
      newton_cost_(std::move(newton_cost)) {
  check_relaxation(settings);
}

void Nsgs::run(const Context& context) {
  if (context.blocks.dimension() == 3) {
    run_in(context, workspace_->space);
  } else {
    run_in(context, workspace_->plane);
  }
}

void Nsgs::sweep(const Context& context, int count) {
  const std::vector<int>& start = context.blocks.start();
  const int d = context.blocks.dimension();
  const double work = 2.0 * d * d * (start[context.island.end] - start[context.island.begin]);
  const auto sweep_in = [&](auto& sweeper) {
    prepare(context, sweeper);
    for (int k = 0; k < count; ++k) {
      count_work(work);
      sweep(context, sweeper, k % 2 == 1);
    }
    context.counts.products += count;
  };
  if (context.blocks.dimension() == 3) {
    sweep_in(workspace_->space);
  } else {
    sweep_in(workspace_->plane);
  }
}

template <int d>
void Nsgs::run_in(const Context& context, Sweeper<d>& sweeper) {
  prepare(context, sweeper);
  u_.resize(context.r.size());
  best_r_.resize(context.r.size());
  best_error_ = std::numeric_limits<double>::infinity();
  SweepRule rule(settings_.order, settings_.test, 0.5 / context.target.scaled);
  const auto island_r = island_of(context, context.r);
  const bool alone = is_alone(context);
  // The change of the last sweep. It is infinite before the first sweep if the first error is not needed.
  double change = alone && (island_r.array() == 0.0).all() ? std::numeric_limits<double>::infinity() : 0.0;
  double last = 0.0;
  for (;;) {
    if (rule.due(change) || (alone && context.monitor.iterations() > 0)) {
      last = error<d>(context);
      rule.tested(change, last);
      if (rule.stalled() || (context.monitor.iterations() > 0 && change == 0.0 && last > 1.0))
        context.monitor.stop(Status::stalled);
      if (last > 1.0 && gives_up(context, rule)) context.monitor.stop(Status::iteration_limit);
      keep_best(context, last);
      if (context.monitor.finished(last, island_r)) break;
    } else {
      last = std::numeric_limits<double>::infinity();
      if (context.monitor.interrupted(rule.estimate(change), island_r)) break;
    }
    change = sweep(context, sweeper, rule.next_backward());
    ++context.counts.products;
  }
  if (std::isinf(last)) last = error<d>(context);
  restore_best(context, last);
}

// True if Newton's method is cheaper than the predicted sweeps.
bool Nsgs::gives_up(const Context& context, const SweepRule& rule) {
  return switch_to_newton_.is_due(rule.sweeps(), rule.forecast(), context.island.contacts(),
                                  [&] { return newton_cost_(context.blocks, context.island); });
}

// One step solves a lone contact.
bool Nsgs::is_alone(const Context& context) const {
  return context.island.nodes() == 1 && !context.island.has_joints() && settings_.relaxation == 1.0 &&
         settings_.proximal == 0.0;
}

template <int d>
void prepare_contacts(const ContactBlocks& blocks, const Island& island, double proximal, const Vector& r,
                      SweepWorkspace::In<d>& to) {
  SweepContacts<d>& contacts = to.contacts;
  const auto nodes = static_cast<std::size_t>(blocks.nodes());
  const bool boxes = d == 3 && blocks.has_boxes();
  if (contacts.proximal != proximal) to.versions.clear();
  if (to.versions.size() < nodes) to.versions.resize(nodes, 0);
  if (!boxes && contacts.local.size() < nodes) contacts.local.resize(nodes);
  if (boxes && contacts.boxes.size() < nodes) contacts.boxes.resize(nodes);
  for (Vector* vector : {&contacts.weight, &contacts.mu, &contacts.slip})
    if (vector->size() < blocks.nodes()) vector->conservativeResize(blocks.nodes());
  if (std::uint64_t& version = to.versions[static_cast<std::size_t>(island.begin)];
      version != blocks.version()) {
    version = blocks.version();
    contacts.proximal = proximal;
    for (int i = island.begin; i < island.joints; ++i) {
      const double* block = blocks.block(blocks.diagonal(i));
      double D[d * d];
      for (int a = 0; a < d; ++a)
        for (int c = 0; c < d; ++c) D[d * a + c] = block[d * c + a];
      for (int a = 0; a < d; ++a) D[(d + 1) * a] += proximal * blocks.scale(i);
      if (boxes) {
        contacts.boxes[static_cast<std::size_t>(i)] = BoxContact(D);
      } else {
        contacts.local[static_cast<std::size_t>(i)] = CoulombContact<d>(D);
      }
      contacts.weight[i] = blocks.scale(i);
    }
  }
  for (int i = island.begin; i < island.joints; ++i) contacts.mu[i] = blocks.mu(i);
  set_modes<d>(contacts, BlockRows<d>(blocks), island.begin, island.joints, Rest<d>{blocks}, r.data());
}
template void prepare_contacts<2>(const ContactBlocks&, const Island&, double, const Vector&,
                                  SweepWorkspace::In<2>&);
template void prepare_contacts<3>(const ContactBlocks&, const Island&, double, const Vector&,
                                  SweepWorkspace::In<3>&);

template <int d>
void Nsgs::prepare(const Context& context, Sweeper<d>& sweeper) {
  sweeper.contacts.relaxation = settings_.relaxation;
  sweeper.contacts.small_step = is_alone(context) ? 1e-7 : 1e-2;
  if (context.threads > 1 && context.island.contacts() > fewest_for_threads)
    sweeper.colours.assign(context.blocks);
  prepare_contacts(context.blocks, context.island, settings_.proximal, context.r, sweeper);
}

template <int d>
double Nsgs::sweep(const Context& context, Sweeper<d>& sweeper, bool backward) {
  const auto sweep_all = [&] {
    const Rest<d> rest{context.blocks};
    if (context.threads > 1 && context.island.contacts() > fewest_for_threads && sweeper.colours.available())
      return sweep_colours(context, sweeper, backward, rest);
    return sweep_contacts<d>(sweeper.contacts, BlockRows<d>(context.blocks), context.island.begin,
                             context.island.joints, backward, rest, context.r.data());
  };
  const auto joints = [&] {
    return sweep_joints<d>(context.blocks, context.island, settings_.relaxation, backward, context.r);
  };
  double squared = backward ? joints() : sweep_all();
  squared += backward ? sweep_all() : joints();
  return std::sqrt(squared);
}

template <int d, class Rest>
double Nsgs::sweep_colours(const Context& context, Sweeper<d>& sweeper, bool backward, const Rest& rest) {
  const int colours = sweeper.colours.colours(context.island);
  double squared = 0.0;
  for (int c = 0; c < colours; ++c) {
    const auto contacts = sweeper.colours.contacts(context.island, backward ? colours - 1 - c : c);
    const auto count = static_cast<Index>(contacts.size());
    squares_.resize(std::max(squares_.size(), count));
    parallel_for(count, context.threads, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        squares_[k] = sweep_contacts<d, false>(
            sweeper.contacts, BlockRows<d>(context.blocks), 1,
            [i = contacts[static_cast<std::size_t>(k)]](Index) { return i; }, rest, context.r.data());
      }
    });
    squared += squares_.head(count).sum();
  }
  return squared;
}

template <int d>
double sweep_joints(const ContactBlocks& blocks, const Island& island, double relaxation, bool backward,
                    Vector& r) {
  const BlockRows<d> rows(blocks);
  const int joints = island.end - island.joints;
  double squared = 0.0;
  for (int j = 0; j < joints; ++j) {
    const int i = backward ? island.end - 1 - j : island.joints + j;
    double* own = r.data() + static_cast<Index>(d) * i;
    const double* block = blocks.block(blocks.diagonal(i));
    double b[d];
    Rest<d>{blocks}(i, b);
    rows.template add<false>(i, r.data(), b);
    for (int k = 0; k < d; ++k) {
      const int a = backward ? d - 1 - k : k;
      const double diagonal = block[(d + 1) * a];
      double u = b[a];
      for (int c = 0; c < d; ++c) u += block[d * c + a] * own[c];
      const double wanted = diagonal > 0.0 ? own[a] - relaxation * u / diagonal : own[a];
      const double change = blocks.clamp(i, a, wanted) - own[a];
      own[a] += change;
      squared += diagonal * change * diagonal * change;
    }
  }
  return squared;
}
template double sweep_joints<2>(const ContactBlocks&, const Island&, double, bool, Vector&);
template double sweep_joints<3>(const ContactBlocks&, const Island&, double, bool, Vector&);

template <int d>
double Nsgs::error(const Context& context) {
  const Index first = static_cast<Index>(d) * context.island.begin;
  const Index size = static_cast<Index>(d) * context.island.nodes();
  // A cold start needs no product.
  if (context.monitor.iterations() == 0 && (island_of(context, context.r).array() == 0.0).all()) {
    u_.segment(first, size) = Eigen::Map<const Vector>(context.blocks.q(context.island.begin), size);
  } else {
    context.blocks.velocities(context.island, context.r, u_);
    ++context.counts.products;
  }
  return relative_error(context, context.r, u_);
}

void Nsgs::keep_best(const Context& context, double error) {
  if (!(error < best_error_)) return;
  best_error_ = error;
  // Otherwise the run ends here.
  if (error > 1.0) copy_island(context, context.r, best_r_);
}

// `error` is the error of the present r.
void Nsgs::restore_best(const Context& context, double error) const {
  if (best_error_ < error) copy_island(context, best_r_, context.r);
}

}  // namespace slipstick::internal
