// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/auto/solver_stage.hpp"

#include <algorithm>

#include "slipstick/contact/coulomb/island_limits.hpp"

namespace slipstick::internal {
namespace {

// A first answer may miss the target, because both rulers have other norms.
constexpr int most_turns = 3;
constexpr double least_tolerance = 1e-14;

}  // namespace

void SolverStage::run(const Context& context) {
  Monitor& monitor = context.monitor;
  copy_problem(context);
  if (!solver_) solver_ = make_();
  r_ = context.r;
  u_.resize(context.r.size());
  context.blocks.velocities(context.island, r_, u_);
  double best = relative_error(context, r_, u_);
  double tolerance = context.target.scaled / std::max(context.blocks.weighted_norm(), 1e-300);
  for (int turn = 0; turn < most_turns; ++turn) {
    tolerance = std::clamp(tolerance, least_tolerance, 1e-2);
    IslandLimits limits(monitor);
    const Settings settings{
        .tolerance = tolerance, .time_limit = monitor.seconds_left(), .threads = context.threads};
    solver_->solve(problem_, settings, result_, &start_, &limits);
    context.counts += result_.counts;
    for (std::size_t k = 0; k < places_.size(); ++k)
      island_of(context, r_)[static_cast<Index>(k)] = places_[k] < 0 ? 0.0 : result_.r[places_[k]];
    context.blocks.velocities(context.island, r_, u_);
    ++context.counts.products;
    const double error = relative_error(context, r_, u_);
    if (error < best) copy_island(context, r_, context.r);
    best = std::min(best, error);
    if (monitor.finished(best, island_of(context, r_))) return;
    if (!result_.solved()) break;
    start_.x = result_.r;
    tolerance = 0.3 * tolerance / error;
  }
  monitor.stop(Status::stalled);
}

void SolverStage::copy_problem(const Context& context) {
  copy_rows(context);
  copy_matrix(context);
}

// Rows with bounds of zero are left out.
void SolverStage::copy_rows(const Context& context) {
  const ContactBlocks& blocks = context.blocks;
  const Island& island = context.island;
  const int d = blocks.dimension();
  auto& [dimension, matrix, q, mu, lower, upper, bounds] = problem_;
  dimension = d;
  places_.resize(static_cast<std::size_t>(d) * static_cast<std::size_t>(island.nodes()));
  for (Vector* part : {&q, &start_.x, &lower, &upper}) part->resize(static_cast<Index>(places_.size()));
  mu.resize(island.contacts());
  int rows = 0, bounded = 0;
  for (int i = island.begin; i < island.end; ++i) {
    const bool is_contact = i < island.joints;
    if (is_contact) mu[i - island.begin] = blocks.mu(i);
    for (int a = 0; a < d; ++a) {
      int& place = places_[static_cast<std::size_t>(Index{d} * (i - island.begin) + a)];
      place = -1;
      if (!is_contact && blocks.lower(i, a) == 0.0 && blocks.upper(i, a) == 0.0) continue;
      if (!is_contact) {
        lower[bounded] = blocks.lower(i, a);
        upper[bounded++] = blocks.upper(i, a);
      }
      q[rows] = blocks.q(i)[a];
      start_.x[rows] = context.r[static_cast<Index>(d) * i + a];
      place = rows++;
    }
  }
  for (Vector* part : {&q, &start_.x}) part->conservativeResize(rows);
  for (Vector* part : {&lower, &upper}) part->conservativeResize(bounded);
}

void SolverStage::copy_matrix(const Context& context) {
  const ContactBlocks& blocks = context.blocks;
  const Island& island = context.island;
  const int d = blocks.dimension();
  const auto place = [&](int node, int row) {
    return places_[static_cast<std::size_t>(Index{d} * (node - island.begin) + row)];
  };
  const auto W = matrices_.take();
  builder_.start(*W, problem_.q.size(), problem_.q.size());
  for (int i = island.begin; i < island.end; ++i) {
    for (int a = 0; a < d; ++a) {
      if (place(i, a) < 0) continue;
      for (int k = blocks.start()[static_cast<std::size_t>(i)];
           k < blocks.start()[static_cast<std::size_t>(i) + 1]; ++k) {
        const int j = blocks.columns()[static_cast<std::size_t>(k)];
        for (int c = 0; c < d; ++c)
          if (place(j, c) >= 0) builder_.add(place(j, c), blocks.block(k)[d * c + a]);
      }
      builder_.end_row();
    }
  }
  problem_.W = Operator(std::shared_ptr<const CsrMatrix>(W));
}

}  // namespace slipstick::internal
