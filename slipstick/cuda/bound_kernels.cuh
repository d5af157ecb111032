// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/bound_engine.hpp"
#include "slipstick/cuda/products.cuh"
#include "slipstick/cuda/sparse_arrays.hpp"

// The kernels of Mprgp (see BoundEngine), in its words.
namespace slipstick::internal {

enum class RowSource { bodies, slices, warps };

struct BoundView {
  int rows;
  // The matrix: bodies, whose velocities are v, or entries.
  ContactView contacts;
  double* v;
  const int *start, *columns;
  const double* values;
  const double *load, *scale, *inverse;
  const double2* bounds;
  double *x, *g, *z, *p, *Ap, *trial, *move, *Amove;
  char* free;
  double* partial;
  BoundSums* sums;
};

inline constexpr int bound_threads = 256;
inline constexpr int most_bound_blocks = 528;

__device__ inline unsigned grid_thread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ inline unsigned grid_threads() {
  return gridDim.x * blockDim.x;
}

/// Calls finish(row, (A x)_row) once for every row, in one thread.
template <RowSource source, class Finish>
__device__ inline void for_each_product(const BoundView& view, const double* x, const Finish& finish) {
  const auto rows = static_cast<unsigned>(view.rows);
  if constexpr (source == RowSource::warps) {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned row = grid_thread() / 32; row < rows; row += grid_threads() / 32) {
      double sum = 0.0;
      const int end = view.start[row + 1];
      for (int k = view.start[row] + static_cast<int>(lane); k < end; k += 32)
        sum += view.values[k] * x[view.columns[k]];
#pragma unroll
      for (int distance = 16; distance > 0; distance >>= 1) sum += __shfl_down_sync(~0U, sum, distance);
      if (lane == 0) finish(row, sum);
    }
  } else {
    for (unsigned row = grid_thread(); row < rows; row += grid_threads()) {
      double sum = 0.0;
      if constexpr (source == RowSource::bodies) {
        const ContactView& bodies = view.contacts;
        const int2 pair = bodies.row_pair[row];
        sum = row_velocity(bodies.row_jacobian + 12 * static_cast<std::size_t>(row),
                           load6(view.v, static_cast<std::size_t>(pair.x)),
                           load6(view.v, static_cast<std::size_t>(pair.y))) +
              bodies.row_compliance[row] * x[row];
      } else {
        constexpr unsigned width = SparseArrays::slice_rows;
        const unsigned slice = row / width, lane = row % width;
        const int end = view.start[slice + 1];
        for (int k = view.start[slice]; k < end; ++k) {
          const std::size_t at = static_cast<std::size_t>(k) * width + lane;
          sum += view.values[at] * x[view.columns[at]];
        }
      }
      finish(row, sum);
    }
  }
}

/// The natural map, and the part of the gradient at a bound that leads inside, see Mprgp.
__device__ inline double natural_map_of(double g, double scale, double to_lower, double to_upper) {
  return fmin(fmax(g, scale * to_upper), scale * to_lower);
}
__device__ inline double inward_gradient_of(double g, double to_lower, double to_upper) {
  const double from_lower = to_upper < 0.0 ? fmin(g, 0.0) : 0.0;
  const double from_upper = to_lower > 0.0 ? fmax(g, 0.0) : 0.0;
  return (to_lower <= 0.0 ? from_lower : 0.0) + (to_upper >= 0.0 ? from_upper : 0.0);
}

inline constexpr int split_sums = 5;

/// Sets g and z of a row. Returns true if it is between its bounds.
__device__ inline bool split_row(const BoundView& view, std::size_t i, double x, double g, double step,
                                 double (&sums)[split_sums]) {
  view.g[i] = g;
  const double2 bounds = view.bounds[i];
  const double inverse = view.inverse[i], to_lower = x - bounds.x, to_upper = x - bounds.y;
  const double natural = natural_map_of(g, view.scale[i], to_lower, to_upper);
  sums[0] += natural * natural + 0.0 * (g + x);  // NaN if g or x is not finite
  const double inward = inward_gradient_of(g, to_lower, to_upper);
  sums[1] += inverse * inward * inward;
  const bool inside = to_lower > 0.0 && to_upper < 0.0;
  const double phi = inside ? g : 0.0, scaled = inverse * phi;
  view.z[i] = scaled;
  sums[2] += phi * fmin(fmax(step * scaled, to_upper), to_lower);
  sums[3] += phi * scaled;
  sums[4] += inside ? 1.0 : 0.0;
  return inside;
}
__device__ inline void end_split(const BoundView& view, double step, double (&sums)[split_sums]) {
  if (!sum_over_grid(view.partial, view.sums->arrived, sums) || threadIdx.x != 0) return;
  view.sums->squared_error = sums[0];
  view.sums->chopped = sums[1];
  view.sums->reduced_free = sums[2] / step;
  view.sums->free = sums[3];
  view.sums->inside = sums[4];
}

template <RowSource source>
__global__ void __launch_bounds__(bound_threads) bound_gradient(BoundView view, double step) {
  double sums[split_sums] = {};
  for_each_product<source>(view, view.x, [&](std::size_t i, double Ax) {
    view.free[i] = split_row(view, i, view.x[i], Ax + view.load[i], step, sums) ? 1 : 0;
  });
  end_split(view, step, sums);
}

__global__ void __launch_bounds__(bound_threads) bound_advance(BoundView view, double move, double step) {
  double sums[split_sums] = {};
  for (std::size_t i = grid_thread(); i < static_cast<std::size_t>(view.rows); i += grid_threads()) {
    const double x = view.x[i] - move * view.p[i];
    view.x[i] = x;
    split_row(view, i, x, view.g[i] - move * view.Ap[i], step, sums);
  }
  end_split(view, step, sums);
}

__global__ void __launch_bounds__(bound_threads) bound_accept(BoundView view, double step) {
  double sums[split_sums] = {};
  for (std::size_t i = grid_thread(); i < static_cast<std::size_t>(view.rows); i += grid_threads()) {
    const double x = view.trial[i];
    view.x[i] = x;
    view.free[i] = split_row(view, i, x, view.g[i] + view.Amove[i], step, sums) ? 1 : 0;
  }
  end_split(view, step, sums);
}

__global__ void __launch_bounds__(bound_threads) bound_release(BoundView view) {
  double sums[1] = {0.0};
  for (std::size_t i = grid_thread(); i < static_cast<std::size_t>(view.rows); i += grid_threads()) {
    const double2 bounds = view.bounds[i];
    const double x = view.x[i], g = view.g[i], inverse = view.inverse[i];
    const bool inside = bounds.x < x && x < bounds.y;
    const bool leaves = inverse > 0.0 && inward_gradient_of(g, x - bounds.x, x - bounds.y) != 0.0;
    view.free[i] = inside || leaves ? 1 : 0;
    if (inside || !leaves) continue;
    view.z[i] = inverse * g;
    sums[0] += inverse * g * g;
  }
  if (sum_over_grid(view.partial, view.sums->arrived, sums) && threadIdx.x == 0)
    view.sums->released = sums[0];
}

__global__ void __launch_bounds__(bound_threads) bound_compare(BoundView view) {
  double sums[2] = {0.0, 0.0};
  for (std::size_t i = grid_thread(); i < static_cast<std::size_t>(view.rows); i += grid_threads()) {
    if (view.free[i] == 0) view.p[i] = 0.0;
    sums[0] += view.z[i] * view.Ap[i];
    sums[1] += view.p[i] * view.Ap[i];
  }
  if (!sum_over_grid(view.partial, view.sums->arrived, sums) || threadIdx.x != 0) return;
  view.sums->along = sums[0];
  view.sums->last_curvature = sums[1];
}

__global__ void __launch_bounds__(bound_threads) bound_direction(BoundView view, double factor) {
  const double infinite = __longlong_as_double(0x7ff0000000000000LL);
  double sums[3] = {0.0, 0.0, infinite};  // the last one is a minimum
  for (std::size_t i = grid_thread(); i < static_cast<std::size_t>(view.rows); i += grid_threads()) {
    const double z = view.z[i], p = factor != 0.0 ? z + factor * view.p[i] : z;
    view.p[i] = p;
    sums[0] += p * view.g[i];
    sums[1] += p * p;
    if (p == 0.0) continue;
    const double2 bounds = view.bounds[i];
    sums[2] = fmin(sums[2], (view.x[i] - (p > 0.0 ? bounds.x : bounds.y)) / p);
  }
  if (!sum_over_grid<3, 1>(view.partial, view.sums->arrived, sums) || threadIdx.x != 0) return;
  view.sums->slope = sums[0];
  view.sums->squared_size = sums[1];
  view.sums->feasible_step = sums[2];
}

/// Ap = A p
template <RowSource source>
__global__ void __launch_bounds__(bound_threads) bound_product(BoundView view) {
  double sums[2] = {0.0, 0.0};
  for_each_product<source>(view, view.p, [&](std::size_t i, double Ap) {
    view.Ap[i] = Ap;
    sums[0] += view.p[i] * Ap;
    sums[1] += Ap * Ap;
  });
  if (!sum_over_grid(view.partial, view.sums->arrived + 1, sums) || threadIdx.x != 0) return;
  view.sums->curvature = sums[0];
  view.sums->squared_image = sums[1];
}

/// Where a step would lead: P(x - whole p), or by a step along the gradient at x - feasible p.
__global__ void __launch_bounds__(bound_threads)
    bound_trial(BoundView view, double whole, double feasible, double step) {
  for (std::size_t i = grid_thread(); i < static_cast<std::size_t>(view.rows); i += grid_threads()) {
    const double x = view.x[i];
    double trial = x;
    if (view.free[i] != 0) {
      const double2 bounds = view.bounds[i];
      double target = x - whole * view.p[i];
      if (step > 0.0) {
        const double gradient = view.g[i] - feasible * view.Ap[i];
        target = x - feasible * view.p[i] - step * view.inverse[i] * gradient;
      }
      trial = fmin(fmax(target, bounds.x), bounds.y);
    }
    view.trial[i] = trial;
    view.move[i] = trial - x;
  }
}

template <RowSource source>
__global__ void __launch_bounds__(bound_threads) bound_move(BoundView view) {
  double sums[1] = {0.0};
  for_each_product<source>(view, view.move, [&](std::size_t i, double Amove) {
    view.Amove[i] = Amove;
    sums[0] += view.move[i] * (2.0 * view.g[i] + Amove);
  });
  if (sum_over_grid(view.partial, view.sums->arrived + 1, sums) && threadIdx.x == 0)
    view.sums->change = sums[0];
}

/// trial <- D^-1/2 move / norm
__global__ void __launch_bounds__(bound_threads) bound_power_start(BoundView view, double norm) {
  for (std::size_t i = grid_thread(); i < static_cast<std::size_t>(view.rows); i += grid_threads())
    view.trial[i] = view.move[i] / norm * sqrt(view.inverse[i]);
}
/// move <- D^-1/2 A trial
template <RowSource source>
__global__ void __launch_bounds__(bound_threads) bound_power(BoundView view) {
  double sums[1] = {0.0};
  for_each_product<source>(view, view.trial, [&](std::size_t i, double product) {
    const double value = product * sqrt(view.inverse[i]);
    view.move[i] = value;
    sums[0] += value * value;
  });
  if (sum_over_grid(view.partial, view.sums->arrived + 2, sums) && threadIdx.x == 0)
    view.sums->squared_norm = sums[0];
}

}  // namespace slipstick::internal
