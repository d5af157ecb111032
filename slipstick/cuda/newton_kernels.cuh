// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/newton_engine.hpp"
#include "slipstick/cuda/reductions.cuh"

// Products with the matrices of NewtonEngine. A block of unknowns has a thread; bodies gather.
namespace slipstick::internal {

inline constexpr int newton_threads = 256;
inline constexpr int dot_blocks = 132;  // part of the method: the order of sums depends on it

struct NewtonView {
  NewtonBodies bodies;
  NewtonContacts contacts;
  const int* place;        // of every row of the preconditioner's matrix
  const double* unit;      // its scale; on the contacts that of the matrix, too
  const double* frames;    // Q
  const double* inverses;  // H = (Q'S C S Q + diag(l^2))^-1
  const double* squares;   // l^2
  const double* values;    // of the matrix on the contacts
  double* turned;          // three numbers per block
  double* on_bodies;
};

struct Triple {
  double x[3];
};

__device__ inline Triple load_block(const NewtonView& view, const double* v, int block) {
  const int start = view.bodies.block_start[block], size = view.bodies.block_start[block + 1] - start;
  Triple result{{v[start], 0.0, 0.0}};
  if (size > 1) result.x[1] = v[start + 1];
  if (size > 2) result.x[2] = v[start + 2];
  return result;
}
__device__ inline void store_block(const NewtonView& view, double* v, int block, const Triple& value) {
  const int start = view.bodies.block_start[block], size = view.bodies.block_start[block + 1] - start;
  v[start] = value.x[0];
  if (size > 1) v[start + 1] = value.x[1];
  if (size > 2) v[start + 2] = value.x[2];
}
/// The product of a 3 x 3 matrix, or of its transpose, and a vector.
template <bool transposed>
__device__ inline Triple multiply_block(const double* matrix, const Triple& v) {
  Triple result{{0.0, 0.0, 0.0}};
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) result.x[i] += matrix[transposed ? 3 * i + j : i + 3 * j] * v.x[j];
  return result;
}

/// turned = Q v, or Q H v for the preconditioner.
template <bool preconditioner>
__global__ void __launch_bounds__(newton_threads) turn_blocks(NewtonView view, const double* v) {
  const int block = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (block >= view.bodies.blocks) return;
  Triple part = load_block(view, v, block);
  if constexpr (preconditioner) part = multiply_block<false>(view.inverses + 9 * block, part);
  part = multiply_block<false>(view.frames + 9 * block, part);
  for (int i = 0; i < 3; ++i) view.turned[3 * block + i] = part.x[i];
}

/// L'J'S turned, for a degree of freedom per thread. For the preconditioner it is scaled and goes to the
/// right side of SPIKE.
template <bool preconditioner>
__global__ void __launch_bounds__(newton_threads) gather_bodies(NewtonView view, double* right_side) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), dofs = view.bodies.dofs;
  if (k >= view.bodies.bodies * dofs) return;
  const int body = k / dofs, dof = k % dofs;
  double sum = 0.0;
  for (int p = view.bodies.body_start[body]; p < view.bodies.body_start[body + 1]; ++p) {
    const int touch = view.bodies.touch_of_body[p];
    const double* const column = view.bodies.jacobian + 3 * (static_cast<std::size_t>(touch) * dofs + dof);
    const double* const turned =
        view.turned + 3 * static_cast<std::size_t>(view.bodies.block_of_touch[touch]);
    sum += column[0] * turned[0] + column[1] * turned[1] + column[2] * turned[2];
  }
  if constexpr (preconditioner) {
    right_side[view.place[k]] = view.unit[k] * sum;
  } else {
    view.on_bodies[k] = sum;
  }
}

/// y = Q'(S J L on_bodies + S C S turned) + l^2 v, or H (v - Q'S J L U solution) for the preconditioner.
template <bool preconditioner>
__global__ void __launch_bounds__(newton_threads)
    spread_bodies(NewtonView view, const double* v, const double* solution, double* y) {
  const int block = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), dofs = view.bodies.dofs;
  if (block >= view.bodies.blocks) return;
  Triple sum{{0.0, 0.0, 0.0}};
  for (int touch = view.bodies.touch_start[block]; touch < view.bodies.touch_start[block + 1]; ++touch) {
    const int first = view.bodies.body[touch] * dofs;
    const double* const jacobian = view.bodies.jacobian + 3 * static_cast<std::size_t>(touch) * dofs;
    for (int d = 0; d < dofs; ++d) {
      const double value =
          preconditioner ? view.unit[first + d] * solution[view.place[first + d]] : view.on_bodies[first + d];
      for (int i = 0; i < 3; ++i) sum.x[i] += jacobian[3 * d + i] * value;
    }
  }
  if constexpr (!preconditioner) {
    for (int i = 0; i < 3; ++i)
      sum.x[i] += view.bodies.compliance[3 * block + i] * view.turned[3 * block + i];
  }
  Triple result = multiply_block<true>(view.frames + 9 * block, sum);
  Triple part = load_block(view, v, block);
  if constexpr (preconditioner) {
    for (int i = 0; i < 3; ++i) part.x[i] -= result.x[i];
    result = multiply_block<false>(view.inverses + 9 * block, part);
  } else {
    const Triple squares = load_block(view, view.squares, block);
    for (int i = 0; i < 3; ++i) result.x[i] += squares.x[i] * part.x[i];
  }
  store_block(view, y, block, result);
}

/// y = U^-1 matrix U^-1 v, a warp per row.
__global__ void __launch_bounds__(newton_threads)
    multiply_contacts(NewtonView view, const double* v, double* y) {
  const int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
  const int lane = static_cast<int>(threadIdx.x) & 31;
  if (row >= view.contacts.unknowns) return;
  double sum = 0.0;
  for (int p = view.contacts.row_start[row] + lane; p < view.contacts.row_start[row + 1]; p += 32) {
    const int column = view.contacts.column[p];
    sum += view.values[p] * (v[column] / view.unit[column]);
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance >>= 1) sum += __shfl_xor_sync(~0U, sum, distance);
  if (lane == 0) y[row] = sum / view.unit[row];
}

/// The right side U v of SPIKE, and U times its solution.
__global__ void __launch_bounds__(newton_threads)
    scale_to_band(NewtonView view, const double* v, double* right_side) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < view.contacts.unknowns) right_side[view.place[i]] = view.unit[i] * v[i];
}
__global__ void __launch_bounds__(newton_threads)
    scale_from_band(NewtonView view, const double* solution, double* y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < view.contacts.unknowns) y[i] = view.unit[i] * solution[view.place[i]];
}

/// y = factor x + a y with factor 1 and a given, or y = y + a x.
template <bool turn>
__global__ void __launch_bounds__(newton_threads) combine(double a, const double* x, double* y, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] = turn ? x[i] + a * y[i] : y[i] + a * x[i];
}

__global__ void __launch_bounds__(newton_threads)
    find_dot(const double* x, const double* y, int count, double* partial, unsigned* arrived,
             double* result) {
  double sums[1] = {0.0};
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count;
       i += static_cast<int>(gridDim.x * blockDim.x))
    sums[0] += x[i] * y[i];
  if (sum_over_grid(partial, arrived, sums) && threadIdx.x == 0) *result = sums[0];
}

}  // namespace slipstick::internal
