// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/cuda/spike_factor.cuh"

// Forward and back substitution with the factors of spike_factor.cuh:
//     y_k = L_k^-1 (b_k - sum S_kj y_j),   x_k = U~_k^-1 D_k^-1 (y_k - sum T_kj x_j).
namespace slipstick::internal {

/// Where row `row` of a job is in vectors.
__device__ inline long long place_of(const SpikeJob& job, int row) {
  return job.reversed != 0 ? job.first_row + static_cast<long long>(job.count) * tile_rows - 1 - row
                           : job.first_row + row;
}

/// The sum over the warps of the numbers of this lane, in every warp. `parts` may be used again after the
/// next synchronization of the block.
__device__ inline double sum_over_warps(double (*parts)[tile_rows], double value) {
  parts[warp_index()][lane_index()] = value;
  __syncthreads();
  double sum = 0.0;
#pragma unroll
  for (int q = 0; q < tile_warps; ++q) sum += parts[q][lane_index()];
  return sum;
}

/// The product of the kept triangle and a vector, both by lane. `f` has columns 4 w to 4 w + 3 of the tile.
template <bool lower>
__device__ inline double multiply_triangle(double (*parts)[tile_rows], const double (&f)[4], double vector) {
  const int lane = lane_index(), first = 4 * warp_index();
  double sum = 0.0;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const double entry = lower ? lower_inverse(f[c], lane, first + c) : upper_inverse(f[c], lane, first + c);
    sum += entry * __shfl_sync(~0U, vector, first + c);
  }
  return sum_over_warps(parts, sum);
}

/// One vector per blockIdx.y. A block of threads per job; the tiles of the next row are on their way while
/// those of this row are used.
template <int width, bool symmetric>
__global__ void __launch_bounds__(tile_threads)
    substitute_narrow(const SpikeJob* jobs, const double* in, double* out, std::size_t stride) {
  __shared__ double ring[tile_warps][width + 1][tile_rows];  // the last solution rows, a copy per warp
  __shared__ double sums[tile_warps][tile_rows], products[tile_warps][tile_rows];
  constexpr int share = 4 * width;  // columns of half a band per warp
  constexpr TileBand band{width, symmetric};
  const SpikeJob job = jobs[blockIdx.x];
  in += blockIdx.y * stride;
  out += blockIdx.y * stride;
  const int warp = warp_index(), lane = lane_index();

  struct Row {
    double entries[share];  // row `lane` of the tiles left (or right) of the diagonal
    double factors[4];
    double scale;  // D
    double value;  // of the right-hand side
  };
  const auto fetch = [&](int i, bool right, const double* vector, Row& row) {
    if (i < 0 || i >= job.count) return;
#pragma unroll
    for (int c = 0; c < share; ++c) {
      const int q = warp * share + c, distance = q / tile_rows + 1, column = q % tile_rows;
      const int j = right ? i + distance : i - distance;
      const bool has_tile = j >= 0 && j < job.count;
      if (right && symmetric) {
        row.entries[c] = has_tile ? tile_at(job, band, j, i)[column + tile_rows * lane] : 0.0;
      } else {
        row.entries[c] = has_tile ? tile_at(job, band, i, j)[lane + tile_rows * column] : 0.0;
      }
    }
    const double* const factors = factor_at(job, i);
#pragma unroll
    for (int c = 0; c < 4; ++c) row.factors[c] = factors[lane + tile_rows * (4 * warp + c)];
    row.scale = symmetric && right ? 1.0 / factors[lane * (tile_rows + 1)] : 1.0;
    row.value = vector[place_of(job, i * tile_rows + lane)];
  };
  const auto clear_ring = [&] {
    for (int r = 0; r <= width; ++r) ring[warp][r][lane] = 0.0;
    __syncwarp();
  };
  const auto sum_entries = [&](int i, bool right, const Row& row) {
    double sum = 0.0;
#pragma unroll
    for (int c = 0; c < share; ++c) {
      const int q = warp * share + c, distance = q / tile_rows + 1;
      const int slot = (right ? i + distance : i - distance + 64 * (width + 1)) % (width + 1);
      sum += row.entries[c] * ring[warp][slot][q % tile_rows];
    }
    return sum_over_warps(sums, sum);
  };
  const auto keep = [&](int i, double value) {
    __syncwarp();
    ring[warp][i % (width + 1)][lane] = value;
    if (warp == 0) out[place_of(job, i * tile_rows + lane)] = value;
    __syncwarp();
  };

  Row row, next;
  clear_ring();
  fetch(0, false, in, row);
  for (int i = 0; i < job.count; ++i) {
    fetch(i + 1, false, in, next);
    const double right_side = row.value - sum_entries(i, false, row);
    keep(i, multiply_triangle<true>(products, row.factors, right_side));
    row = next;
  }
  __syncthreads();
  clear_ring();
  fetch(job.count - 1, true, out, row);
  for (int i = job.count - 1; i >= 0; --i) {
    fetch(i - 1, true, out, next);
    const double right_side = row.value - row.scale * sum_entries(i, true, row);
    keep(i, multiply_triangle<false>(products, row.factors, right_side));
    row = next;
  }
}

/// What a vector of substitute_wide holds where the solution is not known yet: all bits are set.
__device__ inline bool is_unknown(double value) {
  return __double_as_longlong(value) == -1LL;
}
__device__ inline void publish(double* place, double value) {
  *reinterpret_cast<volatile double*>(place) =
      is_unknown(value) ? __longlong_as_double(0x7ff8000000000000LL) : value;
}
/// Waits for a number that another block publishes.
__device__ inline double await_published(const double* place) {
  double value = 0.0;
  do {
    value = *reinterpret_cast<const volatile double*>(place);
  } while (is_unknown(value));
  return value;
}

/// `team` blocks of threads per job, all on the device at once. Block g has the tile rows g, g + team, ...
/// and waits for the numbers of the others. Every bit of y and out is set before.
template <bool symmetric>
__global__ void __launch_bounds__(tile_threads)
    substitute_wide(const SpikeJob* jobs, TileBand band, int team, const double* in, double* y, double* out,
                    std::size_t stride) {
  __shared__ double known[tile_warps][tile_rows];
  __shared__ double sums[tile_warps][tile_rows], products[tile_warps][tile_rows];
  const SpikeJob job = jobs[static_cast<int>(blockIdx.x) / team];
  const int member = static_cast<int>(blockIdx.x) % team;
  in += blockIdx.y * stride;
  y += blockIdx.y * stride;
  out += blockIdx.y * stride;
  const int warp = warp_index(), lane = lane_index();
  double f[4], entries[tile_rows];

  const auto fetch_factors = [&](int i) {
#pragma unroll
    for (int c = 0; c < 4; ++c) f[c] = factor_at(job, i)[lane + tile_rows * (4 * warp + c)];
  };
  // The product of row `lane` of the tile in `entries` and tile row j of the vector, when it is known.
  const auto multiply_known = [&](const double* vector, int j) {
    known[warp][lane] = await_published(vector + place_of(job, j * tile_rows + lane));
    __syncwarp();
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
#pragma unroll
    for (int c = 0; c < tile_rows; ++c) sum[c % 4] += entries[c] * known[warp][c];
    __syncwarp();
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  };

  for (int i = member; i < job.count; i += team) {
    fetch_factors(i);
    const double b = in[place_of(job, i * tile_rows + lane)];
    const int first = max(0, i - band.width);
    double sum = 0.0;
    for (int j = first + warp; j < i; j += tile_warps) {
      const double* const tile = tile_at(job, band, i, j);
#pragma unroll
      for (int c = 0; c < tile_rows; ++c) entries[c] = tile[lane + tile_rows * c];
      sum += multiply_known(y, j);
    }
    const double right_side = b - sum_over_warps(sums, sum);
    const double value = multiply_triangle<true>(products, f, right_side);
    if (warp == 0) publish(y + place_of(job, i * tile_rows + lane), value);
  }
  __syncthreads();
  for (int k = member; k < job.count; k += team) {
    const int i = job.count - 1 - k;
    fetch_factors(i);
    const double scale = symmetric ? 1.0 / factor_at(job, i)[lane * (tile_rows + 1)] : 1.0;
    const int last = min(job.count - 1, i + band.width);
    double sum = 0.0;
    for (int j = last - warp; j > i; j -= tile_warps) {
      const double* const tile = symmetric ? tile_at(job, band, j, i) : tile_at(job, band, i, j);
#pragma unroll
      for (int c = 0; c < tile_rows; ++c)
        entries[c] = symmetric ? tile[c + tile_rows * lane] : tile[lane + tile_rows * c];
      sum += multiply_known(out, j);
    }
    const double value = await_published(y + place_of(job, i * tile_rows + lane));
    const double right_side = value - scale * sum_over_warps(sums, sum);
    const double solution = multiply_triangle<false>(products, f, right_side);
    if (warp == 0) publish(out + place_of(job, i * tile_rows + lane), solution);
  }
}

/// 32 columns per block of threads, blockIdx.x of task blockIdx.y.
template <bool symmetric>
__global__ void __launch_bounds__(tile_threads) substitute_tiles(const SpikeTask* tasks, TileBand band) {
  double* const left = launched_shared_memory();     // two tiles of the factors, in turn
  double* const right = left + 2 * shared_tile;      // and two of X
  double* const triangle = right + 2 * shared_tile;  // the diagonal tile's
  double* const sides = triangle + shared_tile;      // right-hand sides of a tile row
  const SpikeTask task = tasks[blockIdx.y];
  const SpikeJob& job = task.job;
  const int column = static_cast<int>(blockIdx.x), width = band.width, top = piece_top(),
            first = piece_left();
  const auto place = [&](int i) {
    return task.ring + (static_cast<std::size_t>(i % width) * width + column) * tile_size;
  };
  // Solves tile row i. The tile rows [begin, end) are known; `below`: they are those above it.
  const auto solve_row = [&](int i, int begin, int end, bool below, bool has_value) {
    const auto start_copy = [&](int j) {
      double* const shared = left + (j & 1) * shared_tile;
      copy_tile_async(shared, !below && symmetric ? tile_at(job, band, j, i) : tile_at(job, band, i, j));
      copy_tile_async(right + (j & 1) * shared_tile, place(j));
      end_group_of_copies();
    };
    if (begin < end) start_copy(begin);
    const double* const factors = factor_at(job, i);
    for (int e = static_cast<int>(threadIdx.x); e < tile_size; e += tile_threads) {
      const int r = e % tile_rows, c = e / tile_rows;
      triangle[r + shared_column * c] =
          below ? lower_inverse(factors[e], r, c) : upper_inverse(factors[e], r, c);
    }
    SharedPiece sum;
    sum.clear();
    for (int j = begin; j < end; ++j) {
      if (j + 1 < end) start_copy(j + 1);
      if (j + 1 < end) {
        await_copies<1>();
      } else {
        await_copies<0>();
      }
      __syncthreads();
      const PlainTile x{right + (j & 1) * shared_tile};
      if (!below && symmetric) {
        sum.add_product(TransposedTile{left + (j & 1) * shared_tile}, x, top, first);
      } else {
        sum.add_product(PlainTile{left + (j & 1) * shared_tile}, x, top, first);
      }
      __syncthreads();
    }
    double* const here = place(i);
    sum.for_each(top, first, [&](int r, int c, double value) {
      const double scale = !below && symmetric ? 1.0 / factors[r * (tile_rows + 1)] : 1.0;
      sides[r + shared_column * c] = (has_value ? here[r + tile_rows * c] : 0.0) - scale * value;
    });
    __syncthreads();
    SharedPiece x;
    x.clear();
    x.add_product(PlainTile{triangle}, PlainTile{sides}, top, first);
    x.for_each(top, first, [&](int r, int c, double value) {
      here[r + tile_rows * c] = value;
      if (below) return;
      for (int is_top = 0; is_top < 2; ++is_top) {
        double* const tip = is_top != 0 ? task.top : task.bottom;
        const int tip_row = is_top != 0 ? i : i - (job.count - width);
        if (tip == nullptr || tip_row < 0 || tip_row >= width) continue;
        const std::size_t tile = static_cast<std::size_t>(tip_row) * width + column;
        const std::size_t count = static_cast<std::size_t>(width) * width;
        const std::size_t e = static_cast<std::size_t>(r) + tile_rows * static_cast<std::size_t>(c);
        // A reversed job gives the tip turned by 180 degrees.
        tip[job.reversed != 0 ? (count - 1 - tile) * tile_size + (tile_size - 1 - e) : tile * tile_size + e] =
            value;
      }
    });
    __syncthreads();
  };
  for (int i = task.from; i < job.count; ++i) solve_row(i, max(task.from, i - width), i, true, true);
  for (int i = job.count - 1; i >= task.to; --i)
    solve_row(i, i + 1, min(job.count, i + width + 1), false, i >= task.from);
}
inline constexpr std::size_t substitute_tiles_bytes = 6 * sizeof(double) * shared_tile;

}  // namespace slipstick::internal
