// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/auto/joints_first.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/contact/coulomb/island_limits.hpp"

namespace slipstick::internal {
namespace {

constexpr double shift_share = 1e-12;  // of the diagonal of W_FF
constexpr int most_refinements = 5;
constexpr double refined = 1e-14;  // residual at which refinement ends, relative

}  // namespace

void JointsFirst::run(const Context& context) {
  Monitor& monitor = context.monitor;
  if (!list_rows(context) || !factorize(context)) return monitor.stop(Status::stalled);
  reduce(context);
  // The ruler of what is left has other scales, so a first answer may miss the target.
  const double load = problem_.q.norm();
  double tolerance = 1e-6;
  r_.resize(context.r.size());
  u_.resize(context.r.size());
  for (int turn = 0; turn < 2; ++turn) {
    result_.r.resize(others_);
    if (others_ > 0 && load > 0.0) {
      IslandLimits limits(monitor);
      if (!rest_) rest_.emplace(make_, law_);
      rest_->solve(problem_, {.tolerance = tolerance, .time_limit = monitor.seconds_left()}, result_, &start_,
                   &limits);
      context.counts += result_.counts;
      start_.x = result_.r;
    } else {
      result_.r.setZero();
    }
    recover(context);
    context.blocks.velocities(context.island, r_, u_);
    ++context.counts.products;
    const double error = relative_error(context, r_, u_);
    if (error < context.error || error <= 1.0) copy_island(context, r_, context.r);
    if (monitor.finished(error, island_of(context, r_))) return;
    if (others_ == 0 || !result_.solved()) break;
    tolerance = std::max(1e-14, 0.1 * tolerance / error);
  }
  monitor.stop(Status::stalled);
}

bool JointsFirst::list_rows(const Context& context) {
  const auto& [blocks, island] = std::tie(context.blocks, context.island);
  const int d = blocks.dimension();
  begin_ = island.begin;
  free_ = others_ = 0;
  places_.assign(3 * static_cast<std::size_t>(island.nodes()), 0);
  for (int i = island.begin; i < island.end; ++i) {
    for (int a = 0; a < d; ++a) {
      int& its_place = places_[index(i, a)];
      if (i >= island.joints && blocks.is_free(i, a)) {
        its_place = free_++;
      } else if (i >= island.joints && blocks.lower(i, a) == 0.0 && blocks.upper(i, a) == 0.0) {
        its_place = absent;
      } else {
        its_place = -1 - others_++;
      }
    }
  }
  return free_ > 0 && others_ <= most_other_rows && blocks.bodies() != nullptr;
}

bool JointsFirst::factorize(const Context& context) {
  const ContactBlocks& blocks = context.blocks;
  const Island& island = context.island;
  const int d = blocks.dimension();
  lower_.resize(free_, free_);
  lower_.setZero();
  coupling_.resize(free_, others_);
  coupling_.setZero();
  load_.resize(free_);
  for (int i = island.joints; i < island.end; ++i) {
    for (int a = 0; a < d; ++a) {
      const int row = place(i, a);
      if (row < 0) continue;
      load_[row] = blocks.q(i)[a];
      lower_.startVec(row);
      coupling_.startVec(row);
      for (int k = blocks.start()[static_cast<std::size_t>(i)];
           k < blocks.start()[static_cast<std::size_t>(i) + 1]; ++k) {
        const int j = blocks.columns()[static_cast<std::size_t>(k)];
        for (int c = 0; c < d; ++c) {
          const int column = place(j, c);
          const double value = blocks.block(k)[d * c + a];
          if (column == absent) continue;
          if (column < 0) {
            if (value != 0.0) coupling_.insertBack(row, -1 - column) = value;
          } else if (column <= row && (value != 0.0 || column == row)) {
            lower_.insertBack(row, column) = value;
          }
        }
      }
    }
  }
  lower_.finalize();
  coupling_.finalize();
  shifted_ = lower_;
  for (int i = 0; i < free_; ++i) {
    double& pivot = shifted_.valuePtr()[shifted_.outerIndexPtr()[i + 1] - 1];
    pivot += pivot > 0.0 ? shift_share * pivot : 1.0;
  }
  factor_.analyze(shifted_);
  ++context.counts.factorizations;
  return factor_.factorize(shifted_);
}

// x <- W_FF^-1 x
void JointsFirst::solve_free(VectorView x) {
  right_ = x;
  const double size = right_.norm();
  if (size == 0.0) return;
  factor_.solve(x);
  double last = infinity;
  for (int turn = 0; turn < most_refinements; ++turn) {
    residual_ = right_;
    residual_.noalias() -= lower_.selfadjointView<Eigen::Lower>() * x;
    const double rest = residual_.norm();
    if (rest <= refined * size || !(rest < 0.9 * last)) break;
    last = rest;
    factor_.solve(residual_);
    x += residual_;
  }
}

void JointsFirst::reduce(const Context& context) {
  const ContactBlocks& blocks = context.blocks;
  const Island& island = context.island;
  const int d = blocks.dimension();
  solved_load_ = load_;
  solve_free(solved_load_);
  if (others_ == 0) return;
  solved_ = coupling_;
  for (int j = 0; j < others_; ++j) solve_free(solved_.col(j));

  const auto W = matrices_.take();
  W->setZero(others_, others_);
  auto& [dimension, matrix, q, mu, lower, upper, bounds] = problem_;
  dimension = d;
  q.resize(others_);
  start_.x.resize(others_);
  mu.resize(island.contacts());
  const Index bounded = others_ - static_cast<Index>(d) * island.contacts();
  lower.resize(bounded);
  upper.resize(bounded);
  for (int i = island.begin; i < island.end; ++i) {
    if (i < island.joints) mu[i - island.begin] = blocks.mu(i);
    for (int a = 0; a < d; ++a) {
      if (place(i, a) >= 0 || place(i, a) == absent) continue;
      const int row = -1 - place(i, a);
      q[row] = blocks.q(i)[a];
      start_.x[row] = context.r[static_cast<Index>(d) * i + a];
      if (i >= island.joints) {
        lower[row - d * island.contacts()] = blocks.lower(i, a);
        upper[row - d * island.contacts()] = blocks.upper(i, a);
      }
      for (int k = blocks.start()[static_cast<std::size_t>(i)];
           k < blocks.start()[static_cast<std::size_t>(i) + 1]; ++k) {
        const int j = blocks.columns()[static_cast<std::size_t>(k)];
        for (int c = 0; c < d; ++c)
          if (place(j, c) < 0 && place(j, c) != absent)
            (*W)(row, -1 - place(j, c)) = blocks.block(k)[d * c + a];
      }
    }
  }
  *W -= coupling_.transpose() * solved_;
  *W = 0.5 * (*W + W->transpose()).eval();
  q -= coupling_.transpose() * solved_load_;
  matrix = Operator(std::shared_ptr<const DenseMatrix>(W));
}

// r_ of the island, from the r_O in result_.
void JointsFirst::recover(const Context& context) {
  const Island& island = context.island;
  const int d = context.blocks.dimension();
  Vector& impulses = u_;  // scratch
  impulses.head(free_) = -load_;
  if (others_ > 0) impulses.head(free_) -= coupling_ * result_.r;
  solve_free(impulses.head(free_));
  for (int i = island.begin; i < island.end; ++i) {
    for (int a = 0; a < d; ++a) {
      const int row = place(i, a);
      double& r = r_[static_cast<Index>(d) * i + a];
      r = row == absent ? 0.0 : row >= 0 ? impulses[row] : result_.r[-1 - row];
    }
  }
}

}  // namespace slipstick::internal
