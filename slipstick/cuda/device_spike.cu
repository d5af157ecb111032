// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device_spike.cuh"

#include <algorithm>
#include <climits>
#include <cmath>

#include "slipstick/cuda/spike_dense.cuh"

namespace slipstick::internal {
namespace {

unsigned blocks(int count) {
  return static_cast<unsigned>(count);
}
template <class... Parameters>
void provide_shared_memory(void (*kernel)(Parameters...), std::size_t bytes) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "provide shared memory");
}
template <class... Parameters>
int blocks_at_once(void (*kernel)(Parameters...)) {
  int per_multiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, tile_threads, 0),
        "say how many blocks it runs");
  return per_multiprocessor * present_device().multiprocessors;
}

/// True if a block of threads factorizes a partition alone. The bits do not depend on it.
bool is_narrow(const TileBand& band) {
  int device = 0, shared_bytes = 0;
  check(cudaGetDevice(&device), "say which one it is");
  check(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "say how much shared memory it has");
  return band.width <= widest_narrow &&
         narrow_shared_bytes(band) + 4096 <= static_cast<std::size_t>(shared_bytes);
}

template <bool symmetric>
void launch_narrow(cudaStream_t stream, const SpikeJob* jobs, const TileBand& band, dim3 grid,
                   const double* in, double* out, std::size_t stride) {
  const auto with_width = [&]<int width>() {
    launch(stream, grid, tile_threads, 0, false, substitute_narrow<width, symmetric>, jobs, in, out, stride);
  };
  switch (band.width) {
    case 1:
      return with_width.template operator()<1>();
    case 2:
      return with_width.template operator()<2>();
    case 3:
      return with_width.template operator()<3>();
    case 4:
      return with_width.template operator()<4>();
    case 5:
      return with_width.template operator()<5>();
    case 6:
      return with_width.template operator()<6>();
    default:
      return with_width.template operator()<7>();
  }
}

}  // namespace

double* DeviceSpike::vector(int k) const {
  return vectors_ + static_cast<std::size_t>(k) * vector_rows() * static_cast<std::size_t>(columns_);
}
double* DeviceSpike::segment_top(int segment) const {
  return tip_vectors_ + 2 * static_cast<std::size_t>(segment) * tip_;
}
double* DeviceSpike::segment_bottom(int segment) const {
  return segment_top(segment) + tip_;
}
double* DeviceSpike::at_cut(CutVector kind, int merge) const {
  return tip_vectors_ + (2 * tips_.size() + static_cast<std::size_t>(kind) * systems_.size() +
                         static_cast<std::size_t>(merge)) *
                            tip_;
}
SpikeMatrix DeviceSpike::matrix() const {
  return {jobs_,
          start_,
          couplings_,
          band_,
          plan_->partitions,
          plan_->request.rows,
          plan_->request.half_bandwidth};
}
DeviceSpike::Batch DeviceSpike::partitions() const {
  int longest = 0;
  for (const SpikeJob& job : blocks_) longest = std::max(longest, job.count);
  return {jobs_, band_, static_cast<int>(blocks_.size()), longest};
}
DeviceSpike::Batch DeviceSpike::systems(const Range& merges) const {
  return {system_jobs_ + merges.begin, {band_.width, false}, merges.count, band_.width};
}

void DeviceSpike::load(cudaStream_t stream, const double* columns) {
  const SpikeState none{.bad_row = INT_MAX};
  check(cudaMemcpyAsync(state_, &none, sizeof none, cudaMemcpyHostToDevice, stream), "take data");
  const Batch batch = partitions();
  if (batch.longest == 0) return;
  const int tiles = batch.longest * band_.tiles_per_row();
  launch(stream, dim3(blocks(std::min(tiles, load_blocks)), blocks(batch.count)), tile_threads, 0, false,
         load_job, matrix(), columns, state_);
  if (plan_->cuts() > 0) {
    launch(stream, dim3(blocks(band_.width * band_.width), blocks(plan_->cuts())), tile_threads, 0, false,
           load_couplings, matrix(), columns, state_);
  }
  if (columns != nullptr)
    measure(stream, batch, plan_->partitions, owners_, sizes_, vector_rows(), sizes_ + 2 * vector_rows());
}

void DeviceSpike::load(cudaStream_t stream, const int* rows, const int* columns, const double* values,
                       std::size_t count) {
  load(stream, nullptr);
  const Batch batch = partitions();
  if (batch.longest == 0) return;
  if (count > 0)
    launch(stream, load_blocks, tile_threads, 0, false, load_entries, matrix(), rows, columns, values, count,
           state_);
  measure(stream, batch, plan_->partitions, owners_, sizes_, vector_rows(), sizes_ + 2 * vector_rows());
}

void DeviceSpike::read_state(cudaStream_t stream, SpikeState* state) const {
  check(cudaMemcpyAsync(state, state_, sizeof(SpikeState), cudaMemcpyDeviceToHost, stream),
        "return its state");
}

void DeviceSpike::measure(cudaStream_t stream, const Batch& batch, int measured, const int* owners,
                          double* sizes, std::size_t rows, double* of_job) {
  const double threshold = plan_->request.pivot_threshold > 0.0 ? plan_->request.pivot_threshold
                                                                : std::sqrt(2.220446049250313e-16);
  check(cudaMemsetAsync(sizes, 0, 2 * rows * sizeof(double), stream), "clear memory");
  check(cudaMemsetAsync(of_job, 0, static_cast<std::size_t>(measured) * sizeof(double), stream),
        "clear memory");
  launch(stream, dim3(blocks(batch.longest), blocks(measured)), tile_threads, 0, false, measure_rows,
         batch.jobs, batch.band, sizes, sizes + rows, of_job);
  launch(stream, dim3(blocks(std::min(batch.longest, 64)), blocks(batch.count)), tile_threads, 0, false,
         find_least_pivots, batch.jobs, owners, batch.band, sizes, sizes + rows, of_job, threshold);
}

void DeviceSpike::factorize(cudaStream_t stream) {
  const Batch batch = partitions();
  if (batch.longest == 0) return;
  factorize(stream, batch);
  if (spikes_.count == 0) return;
  launch(stream, dim3(blocks(band_.width * band_.width), blocks(spikes_.count)), tile_threads, 0, false,
         start_spikes, tasks_, task_couplings_, band_.width);
  substitute_tiles(stream, spikes_, band_);
  for (const Level& level : levels_) factorize_level(stream, level);
}

void DeviceSpike::factorize(cudaStream_t stream, const Batch& batch) {
  const SpikeJob* const jobs = batch.jobs;
  const TileBand& band = batch.band;
  if (is_narrow(band)) {
    const bool two = band.width <= widest_of_two;
    const auto kernel = band.symmetric ? (two ? factorize_narrow<true, 2> : factorize_narrow<true, 1>)
                                       : (two ? factorize_narrow<false, 2> : factorize_narrow<false, 1>);
    provide_shared_memory(kernel, narrow_shared_bytes(band));
    launch(stream, blocks(batch.count), tile_threads, narrow_shared_bytes(band), false, kernel, jobs, band,
           state_);
    return;
  }
  const auto kernel = band.symmetric ? update_rest<true> : update_rest<false>;
  const int regions = (band.width + 1) / 2;
  launch(stream, blocks(batch.count), tile_threads, 0, false, factorize_first, jobs, band, state_);
  for (int k = 0; k + 1 < batch.longest; ++k) {
    launch(stream, dim3(blocks((band.symmetric ? 1 : 2) * band.width), blocks(batch.count)), tile_threads, 0,
           false, find_panel, jobs, band, k);
    launch(stream, dim3(blocks(regions * regions), blocks(batch.count)), tile_threads, 0, false, kernel, jobs,
           band, k, state_);
  }
}

void DeviceSpike::factorize_level(cudaStream_t stream, const Level& level) {
  const Batch batch = systems(level.merges);
  const std::size_t rows = systems_.size() * tip_, first = static_cast<std::size_t>(level.merges.begin);
  multiply(stream, level.systems);
  measure(stream, batch, batch.count, owners_ + blocks_.size(), system_sizes_, rows,
          system_sizes_ + 2 * rows + first);
  factorize(stream, batch);
  multiply(stream, level.sides);
  substitute_tiles(stream, level.tasks, batch.band);
  multiply(stream, level.b);
  multiply(stream, level.tips);
}

void DeviceSpike::substitute_tiles(cudaStream_t stream, const Range& tasks, const TileBand& band) {
  if (tasks.count == 0) return;
  const auto kernel = band.symmetric ? internal::substitute_tiles<true> : internal::substitute_tiles<false>;
  provide_shared_memory(kernel, substitute_tiles_bytes);
  launch(stream, dim3(blocks(band.width), blocks(tasks.count)), tile_threads, substitute_tiles_bytes, false,
         kernel, tasks_ + tasks.begin, band);
}

void DeviceSpike::multiply(cudaStream_t stream, const Range& products) const {
  if (products.count == 0) return;
  launch(stream, dim3(blocks(band_.width * band_.width), blocks(products.count)), tile_threads, 0, false,
         multiply_dense, products_ + products.begin, band_.width);
}

void DeviceSpike::multiply_vectors(cudaStream_t stream, const Range& products, int columns,
                                   std::size_t y_stride) const {
  if (products.count == 0) return;
  launch(stream, dim3(blocks(band_.width), blocks(products.count), blocks(columns)), tile_threads, 0, false,
         internal::multiply_vectors, vector_products_ + products.begin, band_.width, tip_stride_, y_stride);
}

void DeviceSpike::solve(cudaStream_t stream, int columns) {
  const Batch all = partitions();
  if (all.longest == 0) return;
  const Batch batch{all.jobs, all.band, plan_->partitions, all.longest};
  substitute(stream, batch, vector(0), vector(3), vector(1), vector_rows(), columns);
  if (plan_->cuts() == 0) return;
  launch(stream, dim3(blocks(plan_->partitions), blocks(columns)), tile_threads, 0, false, gather_tips,
         start_, static_cast<int>(tip_), vector(1), vector_rows(), tip_vectors_, tip_stride_);
  for (const Level& level : levels_) merge_vectors(stream, level, columns);
  for (std::size_t l = levels_.size(); l-- > 0;) {
    multiply_vectors(stream, levels_[l].down_from_previous, columns, tip_stride_);
    multiply_vectors(stream, levels_[l].down_from_next, columns, tip_stride_);
  }
  check(cudaMemcpyAsync(vector(2), vector(0),
                        vector_rows() * static_cast<std::size_t>(columns) * sizeof(double),
                        cudaMemcpyDeviceToDevice, stream),
        "copy");
  multiply_vectors(stream, couple_, columns, vector_rows());
  substitute(stream, batch, vector(2), vector(3), vector(1), vector_rows(), columns);
}

// The unknowns at the cuts for zero unknowns of the neighbours, and the right-hand sides of the level above.
void DeviceSpike::merge_vectors(cudaStream_t stream, const Level& level, int columns) {
  multiply_vectors(stream, level.side, columns, tip_stride_);
  substitute(stream, systems(level.merges), at_cut(side, 0), at_cut(scratch, 0), at_cut(t, 0), tip_stride_,
             columns);
  multiply_vectors(stream, level.find_b, columns, tip_stride_);
  multiply_vectors(stream, level.up, columns, tip_stride_);
}

void DeviceSpike::substitute(cudaStream_t stream, const Batch& batch, const double* in, double* y,
                             double* out, std::size_t stride, int columns) {
  const TileBand& band = batch.band;
  if (band.width <= widest_narrow) {
    const dim3 grid(blocks(batch.count), blocks(columns));
    return band.symmetric ? launch_narrow<true>(stream, batch.jobs, band, grid, in, out, stride)
                          : launch_narrow<false>(stream, batch.jobs, band, grid, in, out, stride);
  }
  // Unknown numbers have all bits set.
  const bool whole = batch.jobs == jobs_;
  const std::size_t rows = whole ? vector_rows() : static_cast<std::size_t>(batch.count) * tip_;
  const std::size_t first = whole ? 0 : static_cast<std::size_t>(batch.jobs - system_jobs_) * tip_;
  for (double* const target : {y + first, out + first}) {
    check(cudaMemset2DAsync(target, stride * sizeof(double), 0xff, rows * sizeof(double),
                            static_cast<std::size_t>(columns), stream),
          "clear memory");
  }
  const auto kernel = band.symmetric ? substitute_wide<true> : substitute_wide<false>;
  const int team = std::clamp(blocks_at_once(kernel) / (batch.count * columns), 1, band.width);
  launch(stream, dim3(blocks(batch.count * team), blocks(columns)), tile_threads, 0, false, kernel,
         batch.jobs, band, team, in, y, out, stride);
}

}  // namespace slipstick::internal
