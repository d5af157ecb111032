// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/apgd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/linalg/prefetch.hpp"
#include "slipstick/solvers/projected/metric_step.hpp"

namespace slipstick::internal {
namespace {

// Number of blocks in a chunk. All vectors of a chunk stay in the cache from one loop of a pass to the next.
constexpr std::size_t blocks_per_piece = 16;

template <class Body>
void in_pieces(const ProductSet& K, const Body& body) {
  const std::span<const SetBlock> blocks = K.blocks();
  for (std::size_t first = 0; first < blocks.size(); first += blocks_per_piece)
    body(blocks.subspan(first, std::min(blocks_per_piece, blocks.size() - first)));
}

}  // namespace

std::string Apgd::explain_unsupported(const Problem& problem) const {
  return explain_needs(problem, "apgd", {.symmetry = true});
}

void Apgd::run(const Run& run) {
  constexpr int default_max_iterations = 100000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  prepare(run);
  const bool conic = settings_.rescale && is_conic(run.problem.K);
  double theta = 1.0, t = 1.0, momentum = 0.0;
  for (;;) {
    Sums sums = advance_and_step(run, t, momentum);
    const double error = run.ruler.error_of(sums.error_shares);
    keep_best(error);
    if (monitor.finished(error, x_)) break;

    descend(run, sums);
    const double next_theta = 0.5 * theta * (std::sqrt(theta * theta + 4.0) - theta);
    bool fresh = settings_.restart && sums.uphill > 0.0;
    t = conic ? ray_minimum(sums, fresh) : 1.0;
    fresh = fresh || t != 1.0;
    momentum = fresh ? 0.0 : theta * (1.0 - theta) / (theta * theta + next_theta);
    theta = fresh ? 1.0 : next_theta;
  }
  run.result.x = x_is_best_ ? x_ : best_;
  run.finish(monitor);
}

void Apgd::prepare(const Run& run) {
  const Index n = run.problem.b.size();
  run.start();
  for (Vector* vector : {&x_, &w_, &Anext_, &y_, &g_}) vector->resize(n);
  lipschitz_ = first_lipschitz_estimate(run);
  // The starting point enters like the result of a step.
  next_ = x_ = best_ = run.result.x;
  w_ = run.problem.b;
  run.multiply(next_, Anext_);
  x_is_best_ = false;
  best_error_ = std::numeric_limits<double>::infinity();
}

// ||D^-1/2 A D^-1/2 e|| / ||e||, a lower bound of the norm. descend() raises it if it is too small.
double Apgd::first_lipschitz_estimate(const Run& run) {
  const Vector& metric = run.ruler.scale();
  y_ = metric.cwiseSqrt().cwiseInverse();
  run.multiply(y_, g_);
  const double squared = g_.cwiseAbs2().cwiseQuotient(metric).sum();
  // advance_and_step() multiplies by the shrinkage before the first step.
  return (squared > 0.0 ? std::sqrt(squared / static_cast<double>(y_.size())) : 1.0) / settings_.shrinkage;
}

// Computes x <- t x+ and y <- x + momentum (x - previous x) with their gradients, the error of x, and the
// next step from y. All of it takes one pass through memory. The vectors are swapped, not copied. If the
// previous x is the best so far, it stays in best_.
Apgd::Sums Apgd::advance_and_step(const Run& run, double t, double momentum) {
  if (x_is_best_) best_.swap(x_);
  const Vector& previous = x_is_best_ ? best_ : y_;
  y_.swap(x_);
  x_.swap(next_);
  g_.swap(w_);
  w_.swap(Anext_);
  lipschitz_ *= settings_.shrinkage;
  Sums sums;
  in_pieces(run.problem.K, [&](std::span<const SetBlock> piece) {
    ask_for_next(run, piece, previous);
    extrapolate(run.problem.b, rows_of(piece), t, momentum, previous);
    sums.error_shares += run.ruler.share(piece, x_, w_);
    step(run, piece, sums);
  });
  return sums;
}

// Prefetches the next chunk while this one is computed.
void Apgd::ask_for_next(const Run& run, std::span<const SetBlock> piece, const Vector& previous) const {
  const RowRange rows = rows_of(piece);
  const Index begin = rows.start + rows.size;
  const Index end = std::min(begin + rows.size, x_.size());
  constexpr Index numbers_per_line = 8;
  for (Index i = begin; i < end; i += numbers_per_line) {
    prefetch(&x_[i]);
    prefetch(&w_[i]);
    prefetch(&g_[i]);
    prefetch(&previous[i]);
    prefetch(&run.problem.b[i]);
    prefetch(&run.ruler.scale()[i]);
    prefetch(&next_[i]);
  }
  constexpr std::size_t blocks_per_line = 2;
  const std::span<const SetBlock> blocks = run.problem.K.blocks();
  const auto next = static_cast<std::size_t>(piece.data() - blocks.data()) + piece.size();
  for (std::size_t k = next; k < std::min(next + piece.size(), blocks.size()); k += blocks_per_line)
    prefetch(&blocks[k]);
}

void Apgd::extrapolate(const Vector& load, const RowRange& rows, double t, double momentum,
                       const Vector& previous) {
  const double* b = load.data();
  const double* old = previous.data();
  double* x = x_.data();
  double* w = w_.data();  // A x+ on entry
  double* y = y_.data();
  double* g = g_.data();  // the previous w on entry
#pragma omp simd
  for (Index i = rows.start; i < rows.start + rows.size; ++i) {
    const double moved = t * x[i];
    const double gradient = t * w[i] + b[i];
    y[i] = moved + momentum * (moved - old[i]);
    g[i] = gradient + momentum * (gradient - g[i]);
    x[i] = moved;
    w[i] = gradient;
  }
}

// x+ = P(y - g(y) / L), and the sums that need no product.
void Apgd::step(const Run& run, std::span<const SetBlock> piece, Sums& sums) {
  const Vector& metric = run.ruler.scale();
  metric_step(run.problem.K, piece, y_, g_, metric, 1.0 / lipschitz_, next_);
  const double* next = next_.data();
  const double* x = x_.data();
  const double* y = y_.data();
  const double* g = g_.data();
  const double* b = run.problem.b.data();
  const double* d = metric.data();
  const RowRange rows = rows_of(piece);
  double length = 0.0, drift = 0.0, uphill = 0.0, ray_slope = 0.0;
#pragma omp simd reduction(+ : length, drift, uphill, ray_slope)
  for (Index i = rows.start; i < rows.start + rows.size; ++i) {
    const double change = next[i] - y[i];
    length += d[i] * change * change;
    drift += change * (g[i] - b[i]);
    uphill += g[i] * (next[i] - x[i]);
    ray_slope += b[i] * next[i];
  }
  sums.length += length;
  sums.drift += drift;
  sums.uphill += uphill;
  sums.ray_slope += ray_slope;
}

// Computes A x+, with L large enough for the model: (x+ - y)'A(x+ - y) <= L ||x+ - y||_D^2.
void Apgd::descend(const Run& run, Sums& sums) {
  for (;;) {
    run.multiply(next_, Anext_);
    const double curvature = add_curvatures(sums);
    if (!(curvature > lipschitz_ * (1.0 + 1e-12) * sums.length)) return;
    lipschitz_ = std::max(settings_.growth * lipschitz_, curvature / sums.length);
    sums = Sums();
    in_pieces(run.problem.K, [&](std::span<const SetBlock> piece) { step(run, piece, sums); });
  }
}

// (x+ - y)'A(x+ - y)
double Apgd::add_curvatures(Sums& sums) const {
  const double* next = next_.data();
  const double* Anext = Anext_.data();
  const double* y = y_.data();
  double along_step = 0.0, along_ray = 0.0;
#pragma omp simd reduction(+ : along_step, along_ray)
  for (Index i = 0; i < next_.size(); ++i) {
    along_step += (next[i] - y[i]) * Anext[i];
    along_ray += next[i] * Anext[i];
  }
  sums.ray_curvature = along_ray;
  return along_step - sums.drift;
}

// The t that minimizes the objective at t x+. Returns 1 if that t is not to be used.
double Apgd::ray_minimum(const Sums& sums, bool fresh) const {
  if (!(sums.ray_slope < 0.0) || !(sums.ray_curvature > 0.0)) return 1.0;
  const double t = -sums.ray_slope / sums.ray_curvature;
  return std::isfinite(t) && (fresh || t < 0.67 || t > 1.5) ? t : 1.0;
}

void Apgd::keep_best(double error) {
  x_is_best_ = error < best_error_;
  if (x_is_best_) best_error_ = error;
}

}  // namespace slipstick::internal
