// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/block_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/problems/sets.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"
#include "slipstick/solvers/sweeps/sweep.hpp"

namespace slipstick::internal {

BlockSweepSolver::BlockSweepSolver(std::string_view method, Steps steps)
    : SweepSolver(method, {}), steps_(steps) {
  if (!(steps.damping > 0.0 && steps.damping <= 1.0))
    fail("{} needs a damping above 0 and up to 1, not {}", method, steps.damping);
}

void BlockSweepSolver::prepare_blocks(const Run& run) {
  const ProductSet& K = run.problem.K;
  const Vector& scale = run.ruler.scale();
  Index largest = 0;
  block_matrix_.resize(3, 3);
  cones_.resize(K.blocks().size());
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    const SetBlock& block = K.blocks()[k];
    if (has_independent_rows(block)) continue;
    largest = std::max(largest, block.size);
    rows_.step.segment(block.start, block.size) = scale.segment(block.start, block.size).cwiseInverse();
    if (steps_.local != LocalStep::exact || block.kind != SetKind::cone) continue;
    auto matrix = block_matrix_.topLeftCorner(block.size, block.size);
    run.problem.A.diagonal_block(block.start, matrix);
    cones_[k].prepare(matrix, block.parameter);
  }
  w_block_.resize(largest);
  next_.resize(largest);
}

void BlockSweepSolver::step_block(const ProductSet& K, std::size_t k, const Vector& x) {
  const SetBlock& block = K.blocks()[k];
  const auto now = x.segment(block.start, block.size);
  auto next = next_.head(block.size);
  const auto w = w_block_.head(block.size);
  if (steps_.local == LocalStep::exact && block.kind == SetKind::cone && !cones_[k].empty()) {
    ConeBlock::Rows load = ConeBlock::Rows::Zero();
    ConeBlock::Rows point = ConeBlock::Rows::Zero();
    for (Index i = 0; i < block.size; ++i) {
      load[i] = steps_.relaxation * w[i];
      point[i] = now[i];
    }
    point = cones_[k].solve(load - cones_[k].matrix() * point);
    for (Index i = 0; i < block.size; ++i) next[i] = point[i];
  } else {
    next = now - rows_.step[block.start] * w;
    project(K, block, next);
  }
  if (steps_.damping < 1.0) next = now + steps_.damping * (next - now);
}

double BlockSweepSolver::move_block(const SetBlock& block, Vector& x) {
  auto now = x.segment(block.start, block.size);
  const auto next = next_.head(block.size);
  const double squared = (rows_.weight[block.start] * (next - now)).squaredNorm();
  now = next;
  return squared;
}

double BlockSweepSolver::step_row(Index i, double x, double w) const {
  return x + steps_.damping * (projected_step(rows_, i, x, w) - x);
}

Jacobi::Jacobi(const JacobiSettings& settings)
    : BlockSweepSolver("jacobi", {settings.relaxation, settings.damping, settings.local}) {
  check_jacobi_relaxation(settings.relaxation);
  if (settings.relaxation == 0.0 && settings.local == LocalStep::exact)
    fail("jacobi chooses the relaxation of projected steps only: give one for local=exact");
}

void Jacobi::run(const Run& run) {
  Monitor monitor(run.settings, default_max_sweeps, run.observer);
  begin(run, monitor);
  prepare_blocks(run);
  relax(radius_.relaxation(steps_.relaxation, run.problem.A, rows_.step, run.settings.threads,
                           run.result.counts.products));
  rows_.weight /= steps_.damping;
  product_.resize(run.problem.b.size());
  while (!finished(run, monitor)) {
    double estimate = 0.0;
    do {
      estimate = sweep(run);
    } while (!due(estimate, run, monitor));
  }
  conclude(run, monitor);
}

double Jacobi::sweep(const Run& run) {
  const ProductSet& K = run.problem.K;
  Vector& x = run.result.x;
  run.gradient(x, product_);
  double squared = 0.0;
  for (std::size_t k = 0; k < K.blocks().size(); ++k) {
    const SetBlock& block = K.blocks()[k];
    if (!has_independent_rows(block)) {
      w_block_.head(block.size) = product_.segment(block.start, block.size);
      step_block(K, k, x);
      squared += move_block(block, x);
      continue;
    }
    for (Index i = block.start; i < block.start + block.size; ++i) {
      const double next = step_row(i, x[i], product_[i]);
      const double weighted = rows_.weight[i] * (next - x[i]);
      x[i] = next;
      squared += weighted * weighted;
    }
  }
  return std::sqrt(squared);
}

GaussSeidel::GaussSeidel(const GaussSeidelSettings& settings)
    : BlockSweepSolver("gauss-seidel", {settings.relaxation, settings.damping, settings.local}),
      symmetric_(settings.symmetric) {
  check_gauss_seidel_relaxation(settings.relaxation);
}

void GaussSeidel::run(const Run& run) {
  Monitor monitor(run.settings, default_max_sweeps, run.observer);
  begin(run, monitor);
  prepare_blocks(run);
  relax(steps_.relaxation);
  rows_.weight /= steps_.damping;
  run.problem.A.visit([&](const auto& a) {
    bool backward = false;
    while (!finished(run, monitor)) {
      SweepRows<std::decay_t<decltype(a)>> rows(a, run.result.x, velocities_);
      double estimate = 0.0;
      do {
        estimate = sweep(run, rows, backward);
        backward = symmetric_ && !backward;
        ++run.result.counts.products;
      } while (!due(estimate, run, monitor));
    }
  });
  conclude(run, monitor);
}

template <class Products>
double GaussSeidel::sweep(const Run& run, Products& rows, bool backward) {
  const ProductSet& K = run.problem.K;
  const Vector& b = run.problem.b;
  Vector& x = run.result.x;
  const std::size_t count = K.blocks().size();
  double squared = 0.0;
  for (std::size_t turn = 0; turn < count; ++turn) {
    const std::size_t k = backward ? count - 1 - turn : turn;
    const SetBlock& block = K.blocks()[k];
    if (!has_independent_rows(block)) {
      rows.products(block.start, block.size, w_block_.data());
      w_block_.head(block.size) += b.segment(block.start, block.size);
      step_block(K, k, x);
      w_block_.head(block.size) = next_.head(block.size) - x.segment(block.start, block.size);
      squared += move_block(block, x);
      rows.changed(block.start, block.size, w_block_.data());
      continue;
    }
    for (Index j = 0; j < block.size; ++j) {
      const Index i = backward ? block.start + block.size - 1 - j : block.start + j;
      const double next = step_row(i, x[i], rows.product(i) + b[i]);
      const double change = next - x[i];
      x[i] = next;
      if (change != 0.0) rows.changed(i, change);
      squared += (rows_.weight[i] * change) * (rows_.weight[i] * change);
    }
  }
  return std::sqrt(squared);
}

}  // namespace slipstick::internal
