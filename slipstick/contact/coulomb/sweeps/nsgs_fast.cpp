// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/nsgs_fast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/parallel.hpp"
#include "slipstick/problems/cone_lanes.hpp"

namespace slipstick::internal {
namespace {

// With fewer contacts, threads cost more than they save.
constexpr int fewest_contacts_for_parts = 2000;
// Iterations after a restart in which the change of x is not compared. It is large at first.
constexpr int settling_iterations = 2;
// Fall of the error after which a descent is tried again.
constexpr double next_fall = 0.95;

}  // namespace

NsgsFast::NsgsFast(const NsgsFastSettings& settings, SharedSweeps workspace)
    : NsgsFast(settings, std::move(workspace), {}, {}) {}

NsgsFast::NsgsFast(const NsgsFastSettings& settings, SharedSweeps workspace,
                   const SwitchToNewton& switch_to_newton, SweepsPerNewtonStep newton_cost)
    : settings_(settings),
      workspace_(std::move(workspace)),
      switch_to_newton_(switch_to_newton),
      newton_cost_(std::move(newton_cost)) {}

void NsgsFast::run(const Context& context) {
  if (context.blocks.dimension() == 3) {
    run_in(context, workspace_->space);
  } else {
    run_in(context, workspace_->plane);
  }
}

template <int d>
void NsgsFast::run_in(const Context& context, Sweeper<d>& sweeper) {
  start(context, sweeper);
  double least = infinity, mark = infinity, last = infinity;
  int since_test = settings_.test, since_mark = 0;
  bool tested = false;
  // The error at which Newton's method takes over, relative to the target.
  const double tolerance = context.target.scaled / context.blocks.weighted_norm();
  const double near = std::max(1.0, switch_to_newton_.near / tolerance);
  const int patience = stall_limit(context);
  IterationForecast forecast;
  for (;;) {
    if (since_test >= settings_.test) {
      if (limit_.is_active()) project<d>(context);
      last = error<d>(context);
      if (limit_.tested(last, tested ? since_test : 0)) restart_momentum();
      since_test = 0;
      tested = true;
      if (last < least) {
        least = last;
        copy_island(context, x_, context.r);
      }
      last = descend(context, last);
      if (last < least) {
        least = last;
        copy_island(context, lowered_, context.r);
      }
      if (last < 0.9 * mark) {
        mark = last;
        since_mark = 0;
      }
      forecast.tested(context.monitor.iterations(), least / near);  // the error does not fall steadily
      if (since_mark > patience) context.monitor.stop(Status::stalled);
      if (last > 1.0 && gives_up(context, forecast, least <= near))
        context.monitor.stop(Status::iteration_limit);
      const Vector& shown = last == least ? context.r : x_;
      if (context.monitor.finished(last, island_of(context, shown))) break;
    } else if (context.monitor.interrupted(last, island_of(context, x_))) {
      break;
    }
    ++since_test;
    ++since_mark;
    sweeper.contacts.relaxation = limit_.is_active() ? late_relaxation : 1.0;
    extrapolate(context);
    sweep(context, sweeper);
    ++context.counts.products;
    set_momentum(compare(context));
  }
  // The last iterations may be the best ones.
  if (since_test == 0 || since_test >= settings_.test) return;
  if (limit_.is_active()) project<d>(context);
  if (error<d>(context) < least) copy_island(context, x_, context.r);
}

// Relaxed sweeps from extrapolated impulses leave the cones, or pyramids, a little.
template <int d>
void NsgsFast::project(const Context& context) {
  for (int i = context.island.begin; i < context.island.joints; ++i) {
    double* r = x_.data() + static_cast<Index>(d) * i;
    double projected[d], change[d];
    if (context.blocks.has_boxes()) {
      projected[0] = std::max(r[0], 0.0);
      const double bound = context.blocks.mu(i) * projected[0];
      for (int a = 1; a < d; ++a) projected[a] = std::clamp(r[a], -bound, bound);
    } else {
      project_on_cone<d>(context.blocks.mu(i), r, projected);
    }
    bool changed = false;
    for (int a = 0; a < d; ++a) {
      change[a] = projected[a] - r[a];
      changed = changed || change[a] != 0.0;
    }
    if (!changed) continue;
    std::copy_n(projected, d, r);
    if constexpr (d == 3)
      if (through_bodies_) bodies_.push(i, change, v_.data());
  }
}

// The error after a descent from x_, which stays as it is. The answer of a descent is no better a start for
// sweeps.
double NsgsFast::descend(const Context& context, double error) {
  if (error > ErrorDescent::reach) next_descent_ = ErrorDescent::reach;
  if (error > next_descent_) return error;
  next_descent_ = next_fall * error;
  copy_island(context, x_, lowered_);
  return descent_.run(context, error, lowered_);
}

// True if Newton's method converges from here, or is cheaper than the predicted sweeps.
bool NsgsFast::gives_up(const Context& context, const IterationForecast& forecast, bool is_near) {
  if (is_near && context.monitor.iterations() >= switch_to_newton_.trial) return true;
  return switch_to_newton_.is_due(context.monitor.iterations(), forecast, context.island.contacts(),
                                  [&] { return newton_cost_(context.blocks, context.island); });
}

template <int d>
void NsgsFast::start(const Context& context, Sweeper<d>& sweeper) {
  const ContactBlocks& blocks = context.blocks;
  for (Vector* vector : {&x_, &y_, &last_, &lowered_, &u_, &weight_}) vector->resize(context.r.size());
  for (int i = context.island.begin; i < context.island.end; ++i)
    for (int a = 0; a < d; ++a) weight_[d * i + a] = blocks.block(blocks.diagonal(i))[(d + 1) * a];
  copy_island(context, context.r, x_);
  copy_island(context, context.r, last_);
  sweeper.contacts.relaxation = 1.0;
  sweeper.contacts.small_step = 1e-2;
  prepare_contacts(blocks, context.island, 0.0, context.r, sweeper);
  threads_ = context.island.contacts() > fewest_contacts_for_parts ? std::max(1, context.threads) : 1;
  parts_.assign(blocks, context.island, threads_);
  chunk_sums_.resize(static_cast<std::size_t>(threads_));
  chunk_errors_.resize(static_cast<std::size_t>(threads_));
  through_bodies_ = d == 3 && BodyContacts::takes(blocks) && bodies_.assign(blocks, context.island);
  if (through_bodies_) {
    v_.resize(static_cast<std::size_t>(bodies_.velocities()));
    bodies_.set_velocities(context.island, x_.data(), v_.data());
    last_v_ = v_;
  }
  next_descent_ = ErrorDescent::reach;
  limit_.restart(switch_to_newton_.near > 0.0 ? std::numeric_limits<int>::max() : full_momentum);
  restart_momentum();
}

void NsgsFast::restart_momentum() {
  theta_ = 1.0;
  momentum_ = 0.0;
  least_moved_ = infinity;
  since_restart_ = 0;
}

// A large island has no cheaper way than sweeps. The cost of a small one is not looked at, because that may
// take as long as the sweeps.
int NsgsFast::stall_limit(const Context& context) {
  const int patience = switch_to_newton_.patience;
  if (!newton_cost_ || context.island.contacts() < fewest_contacts_for_parts) return patience;
  return std::max(patience, static_cast<int>(newton_cost_(context.blocks, context.island)));
}

// Calls body(chunk, begin, end) for parts of [0, count), one for each thread.
template <class Body>
void NsgsFast::in_chunks(Index count, const Body& body) {
  parallel_for(threads_, threads_, [&](Index first, Index last) {
    for (Index chunk = first; chunk < last; ++chunk)
      body(static_cast<std::size_t>(chunk), count * chunk / threads_, count * (chunk + 1) / threads_);
  });
}

// x <- x + beta (x - last x), and y <- x. The velocities of the bodies are linear in x.
void NsgsFast::extrapolate(const Context& context) {
  const double momentum = momentum_;
  const auto advance = [momentum](double* now, const double* last, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) now[i] = last[i] + momentum * (last[i] - now[i]);
  };
  x_.swap(last_);
  if (through_bodies_) v_.swap(last_v_);
  const Index d = context.blocks.dimension();
  const Index first = d * context.island.begin;
  in_chunks(d * context.island.nodes(), [&](std::size_t, Index begin, Index end) {
    advance(x_.data(), last_.data(), first + begin, first + end);
    y_.segment(first + begin, end - begin) = x_.segment(first + begin, end - begin);
  });
  if (!through_bodies_) return;
  in_chunks(bodies_.velocities(),
            [&](std::size_t, Index begin, Index end) { advance(v_.data(), last_v_.data(), begin, end); });
}

template <int d>
void NsgsFast::sweep(const Context& context, Sweeper<d>& sweeper) {
  const ContactBlocks& blocks = context.blocks;
  const auto rest = [&](Index i, double* b) { std::copy_n(blocks.q(static_cast<int>(i)), d, b); };
  const auto sweep_part = [&](auto rows, std::span<const int> contacts) {
    const auto contact_at = [&](Index k) { return contacts[static_cast<std::size_t>(k)]; };
    sweep_contacts<d, false>(sweeper.contacts, rows, static_cast<Index>(contacts.size()), contact_at, rest,
                             x_.data());
  };
  for (int round = 0; round < parts_.rounds(); ++round) {
    parallel_for(parts_.parts(), threads_, [&](Index first, Index last) {
      for (Index part = first; part < last; ++part) {
        const std::span<const int> contacts = parts_.contacts(round, static_cast<int>(part));
        if constexpr (d == 3) {
          if (through_bodies_) {
            sweep_part(BodyRows(bodies_, v_.data()), contacts);
            continue;
          }
        }
        sweep_part(BlockRows<d>(blocks), contacts);
      }
    });
  }
  sweep_joints<d>(blocks, context.island, 1.0, false, x_);
}

NsgsFast::Sums NsgsFast::compare(const Context& context) {
  const Index d = context.blocks.dimension();
  const Index first = d * context.island.begin;
  in_chunks(d * context.island.nodes(), [&](std::size_t chunk, Index begin, Index end) {
    Sums sums;
    for (Index k = first + begin; k < first + end; ++k) {
      const double step = x_[k] - y_[k];
      sums.moved += weight_[k] * step * step;
      sums.uphill -= weight_[k] * step * (x_[k] - last_[k]);
    }
    chunk_sums_[chunk] = sums;
  });
  Sums all;
  for (const Sums& sums : chunk_sums_) {
    all.moved += sums.moved;
    all.uphill += sums.uphill;
  }
  return all;
}

// The momentum of the next iteration.
void NsgsFast::set_momentum(const Sums& sums) {
  const double largest = settings_.restart * settings_.restart * least_moved_;
  const bool grows = ++since_restart_ > settling_iterations && !(sums.moved <= largest);
  if (grows) since_restart_ = 0;
  least_moved_ = grows ? sums.moved : std::min(least_moved_, sums.moved);
  const double next = 0.5 * theta_ * (std::sqrt(theta_ * theta_ + 4.0) - theta_);
  const bool fresh = grows || sums.uphill > 0.0;
  momentum_ = fresh ? 0.0 : limit_.apply(theta_ * (1.0 - theta_) / (theta_ * theta_ + next));
  theta_ = fresh ? 1.0 : next;
}

template <int d>
double NsgsFast::error(const Context& context) {
  const ContactBlocks& blocks = context.blocks;
  ++context.counts.products;
  if (!through_bodies_) {
    blocks.velocities(context.island, x_, u_);
    return relative_error(context, x_, u_);
  }
  const int first = context.island.begin;
  in_chunks(context.island.nodes(), [&](std::size_t chunk, Index begin, Index end) {
    const auto from = first + static_cast<int>(begin), to = first + static_cast<int>(end);
    for (int i = from; i < to; ++i) {
      const Index row = static_cast<Index>(d) * i;
      bodies_.contact_velocity(i, v_.data(), x_.data() + row, blocks.q(i), u_.data() + row);
    }
    chunk_errors_[chunk] = island_errors(blocks, {from, to, to}, x_, u_);
  });
  ContactErrors all;
  for (const ContactErrors& errors : chunk_errors_) {
    all.scaled += errors.scaled;
    all.published += errors.published;
    all.impulses += errors.impulses;
    all.velocities += errors.velocities;
  }
  return relative_error(all, context.target);
}

}  // namespace slipstick::internal
