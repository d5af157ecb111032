// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/parallel.hpp"

namespace slipstick {
namespace {

// Contacts below which threads cost more than they save.
constexpr int fewest_for_threads = 2000;

// What gives a contact its velocity besides other contacts.
template <int d>
struct Rest {
  const CoulombMethod::Run& run;
  void operator()(Index i, double* b) const {
    const double* q = run.blocks.q(static_cast<int>(i));
    for (int a = 0; a < d; ++a) b[a] = q[a];
    if (run.piece.rows() == 0) return;
    for (int a = 0; a < d; ++a) b[a] += row_dot(run.blocks.V(), d * i + a, run.l.data());
  }
};

}  // namespace

void check_relaxation(const NsgsSettings& settings) {
  if (!(settings.relaxation > 0.0 && settings.relaxation < 2.0))
    fail("nsgs needs a relaxation between 0 and 2 (exclusive), not {}", settings.relaxation);
}

Nsgs::Nsgs(const NsgsSettings& settings, const Patience& patience, SharedSystem system)
    : settings_(settings), patience_(patience), newton_(std::move(system)) {
  check_relaxation(settings);
}

void Nsgs::run(const Run& run) {
  if (run.blocks.dimension() == 3) {
    run_in(run, space_);
  } else {
    run_in(run, plane_);
  }
}

void Nsgs::sweep(const Run& run, int count) {
  const auto sweep_in = [&](auto& sweeper) {
    prepare(run, sweeper);
    for (int k = 0; k < count; ++k) sweep(run, sweeper, k % 2 == 1);
    run.counts.products += count;
  };
  if (run.blocks.dimension() == 3) {
    sweep_in(space_);
  } else {
    sweep_in(plane_);
  }
}

template <int d>
void Nsgs::run_in(const Run& run, Sweeper<d>& sweeper) {
  prepare(run, sweeper);
  SweepRule rule(settings_.order, settings_.test, 0.5 / run.target.scaled);
  const auto piece_r = piece_of(run, run.r);
  const bool alone = is_alone(run);
  // The change of the last sweep; infinite before the first one where its error is not worth knowing.
  double change = alone && (piece_r.array() == 0.0).all() ? std::numeric_limits<double>::infinity() : 0.0;
  double last = 0.0;
  for (;;) {
    if (rule.due(change) || (alone && run.monitor.iterations() > 0)) {
      last = error<d>(run);
      rule.tested(change, last);
      if (rule.stalled() || (run.monitor.iterations() > 0 && change == 0.0 && last > 1.0))
        run.monitor.stop(Status::stalled);
      if (last > 1.0 && gives_up(run, rule)) run.monitor.stop(Status::iteration_limit);
      keep_best(run, last);
      if (run.monitor.finished(last, piece_r)) break;
    } else {
      last = std::numeric_limits<double>::infinity();
      if (run.monitor.interrupted(rule.estimate(change), piece_r)) break;
    }
    change = sweep(run, sweeper, rule.next_backward());
    ++run.counts.products;
  }
  if (std::isinf(last)) last = error<d>(run);
  restore_best(run, last);
}

// Newton's method is cheaper than what lies ahead.
bool Nsgs::gives_up(const Run& run, const SweepRule& rule) {
  return patience_.ends(rule.sweeps(), rule.outlook(), run.piece.contacts(),
                        [&] { return newton_.in_sweeps(run.blocks, run.piece); });
}

// A contact that is alone is solved by one step.
bool Nsgs::is_alone(const Run& run) const {
  return run.piece.contacts() == 1 && run.piece.rows() == 0 && settings_.relaxation == 1.0 &&
         settings_.proximal == 0.0;
}

// What depends on the matrices is kept while they are the same.
template <int d>
void Nsgs::prepare(const Run& run, Sweeper<d>& sweeper) {
  const ContactBlocks& blocks = run.blocks;
  SweepContacts<d>& contacts = sweeper.contacts;
  if (sweeper.version != blocks.version()) {
    sweeper.version = blocks.version();
    sweeper.rows.assign(blocks);
    contacts.relaxation = settings_.relaxation;
    contacts.proximal = settings_.proximal;
    contacts.local.clear();
    contacts.weight.resize(blocks.contacts());
    for (int i = 0; i < blocks.contacts(); ++i) {
      double D[d * d];
      for (int k = 0; k < d * d; ++k) D[k] = blocks.block(blocks.diagonal(i))[k];
      for (int a = 0; a < d; ++a) D[(d + 1) * a] += settings_.proximal * blocks.scale(i);
      contacts.local.emplace_back(D);
      contacts.weight[i] = blocks.scale(i);
    }
    contacts.mu.resize(blocks.contacts());
    contacts.slip.resize(blocks.contacts());
    u_.resize(static_cast<Index>(d) * blocks.contacts());
    residual_.resize(blocks.bilateral_rows());
  }
  for (int i = run.piece.begin; i < run.piece.end; ++i) contacts.mu[i] = blocks.mu(i);
  contacts.small_step = is_alone(run) ? 1e-7 : 1e-2;
  best_error_ = std::numeric_limits<double>::infinity();
  best_r_.resize(run.r.size());
  best_l_.resize(run.l.size());
  if (run.threads > 1 && run.piece.contacts() > fewest_for_threads) sweeper.colours.assign(blocks);
  set_modes<d>(contacts, sweeper.rows, run.piece.begin, run.piece.end, Rest<d>{run}, run.r.data());
}

template <int d>
double Nsgs::sweep(const Run& run, Sweeper<d>& sweeper, bool backward) {
  const auto sweep_all = [&] {
    const Rest<d> rest{run};
    if (run.threads > 1 && run.piece.contacts() > fewest_for_threads && sweeper.colours.available())
      return sweep_colours(run, sweeper, backward, rest);
    return sweep_contacts<d>(sweeper.contacts, sweeper.rows, run.piece.begin, run.piece.end, backward, rest,
                             run.r.data());
  };
  double squared = backward ? sweep_rows(run, true) : sweep_all();
  squared += backward ? sweep_all() : sweep_rows(run, false);
  return std::sqrt(squared);
}

template <int d, class Rest>
double Nsgs::sweep_colours(const Run& run, Sweeper<d>& sweeper, bool backward, const Rest& rest) {
  const int colours = sweeper.colours.colours(run.piece);
  double squared = 0.0;
  for (int c = 0; c < colours; ++c) {
    const auto contacts = sweeper.colours.contacts(run.piece, backward ? colours - 1 - c : c);
    const auto count = static_cast<Index>(contacts.size());
    squares_.resize(std::max(squares_.size(), count));
    parallel_for(count, run.threads, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        squares_[k] = sweep_contacts<d, false>(
            sweeper.contacts, sweeper.rows, 1,
            [i = contacts[static_cast<std::size_t>(k)]](Index) { return i; }, rest, run.r.data());
      }
    });
    squared += squares_.head(count).sum();
  }
  return squared;
}

double Nsgs::sweep_rows(const Run& run, bool backward) {
  double squared = 0.0;
  for (int j = 0; j < run.piece.rows(); ++j) {
    const int k = backward ? run.piece.last_row - 1 - j : run.piece.first_row + j;
    const double diagonal = entry(run.blocks.R(), k, k);
    if (!(diagonal > 0.0)) continue;
    const double left = run.blocks.s()[k] + row_dot(run.blocks.transposed_V(), k, run.r.data()) +
                        row_dot(run.blocks.R(), k, run.l.data());
    const double change = settings_.relaxation * left / diagonal;
    run.l[k] -= change;
    squared += diagonal * change * diagonal * change;
  }
  return squared;
}

template <int d>
double Nsgs::error(const Run& run) {
  const Index first = static_cast<Index>(d) * run.piece.begin;
  const Index size = static_cast<Index>(d) * run.piece.contacts();
  // From a cold start no product is needed.
  if (run.monitor.iterations() == 0 && run.piece.rows() == 0 && (piece_of(run, run.r).array() == 0.0).all()) {
    u_.segment(first, size) = Eigen::Map<const Vector>(run.blocks.q(run.piece.begin), size);
  } else {
    run.blocks.velocities(run.piece, run.r, run.l, u_, residual_);
    ++run.counts.products;
  }
  return relative_error(run, run.r, u_, residual_);
}

void Nsgs::keep_best(const Run& run, double error) {
  if (!(error < best_error_)) return;
  best_error_ = error;
  if (error > 1.0) copy_piece(run, run.r, run.l, best_r_, best_l_);  // otherwise it ends here
}

// `error` is that of r and l as they are.
void Nsgs::restore_best(const Run& run, double error) const {
  if (best_error_ < error) copy_piece(run, best_r_, best_l_, run.r, run.l);
}

}  // namespace slipstick
