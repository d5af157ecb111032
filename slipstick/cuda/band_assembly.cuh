// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/band_kernels.cuh"
#include "slipstick/cuda/body_band.hpp"

// The band of J M^-1 J' + C (see BodyBand).
namespace slipstick::internal {

inline constexpr int most_dofs = BodyBand::most_dofs;

struct AssemblyView {
  BandShape shape;
  int dofs;
  bool diagonal_mass;
  int most_rows;
  const BodyBand::Constraint* constraints;
  const BodyBand::Pair* pairs;
  std::size_t pair_count;
  const double *jacobian, *inverse_mass, *compliance;
  double* tiles;
};

/// velocity <- M^-1 times a row of J, of one body.
__device__ inline void velocity_of(const AssemblyView& view, int body, const double* row,
                                   double (&velocity)[most_dofs]) {
  const int d = view.dofs;
  const double* mass = view.inverse_mass + static_cast<std::size_t>(body) *
                                               static_cast<std::size_t>(view.diagonal_mass ? d : d * d);
#pragma unroll
  for (int i = 0; i < most_dofs; ++i) {
    if (i >= d) break;
    double sum = view.diagonal_mass ? mass[i] * row[i] : 0.0;
    for (int k = 0; k < d && !view.diagonal_mass; ++k) sum += mass[d * i + k] * row[k];
    velocity[i] = sum;
  }
}

/// One thread per row of the first constraint of a pair: its entries in the columns of the second one.
__global__ void __launch_bounds__(128) assemble_pairs(AssemblyView view) {
  const std::size_t wanted = view.pair_count * static_cast<std::size_t>(view.most_rows);
  for (std::size_t e = thread_number(); e < wanted; e += thread_count()) {
    const BodyBand::Pair pair = view.pairs[e / static_cast<std::size_t>(view.most_rows)];
    const int r = static_cast<int>(e % static_cast<std::size_t>(view.most_rows));
    const BodyBand::Constraint high = view.constraints[pair.high], low = view.constraints[pair.low];
    if (r >= high.rows) continue;
    const int columns = pair.high == pair.low ? r + 1 : low.rows, row = high.place + r;
    double velocity[2][most_dofs] = {};
    const int body[2] = {high.first_body, high.second_body};
    const std::size_t block[2] = {high.first_block, high.second_block};
    for (int side = 0; side < 2; ++side)
      if (body[side] >= 0)
        velocity_of(view, body[side], view.jacobian + block[side] + static_cast<std::size_t>(r * view.dofs),
                    velocity[side]);
    for (int c = 0; c < columns; ++c) {
      const std::size_t offset = static_cast<std::size_t>(c * view.dofs);
      double sum = row == low.place + c ? view.compliance[row] : 0.0;
      for (int side = 0; side < 2; ++side) {
        const auto add = [&](const double* other) {
          for (int k = 0; k < view.dofs; ++k) sum += other[k] * velocity[side][k];
        };
        if (body[side] < 0) continue;
        if (body[side] == low.first_body) add(view.jacobian + low.first_block + offset);
        if (body[side] == low.second_body) add(view.jacobian + low.second_block + offset);
      }
      view.tiles[entry_place(view.shape, row, low.place + c)] = sum;
    }
  }
}

}  // namespace slipstick::internal
