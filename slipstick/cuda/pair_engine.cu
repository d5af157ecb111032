// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/pair_engine.hpp"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <limits>

#include "slipstick/cuda/runtime.cuh"

namespace slipstick::internal {
namespace {

constexpr int threads = 128;

__global__ void key_kernel(const GridBox* boxes, int count, GridLevels levels, std::uint64_t* keys,
                           int* numbers) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= count) return;
  keys[k] = key_of(boxes[k], levels);
  numbers[k] = k;
}

__global__ void gather_kernel(const GridBox* boxes, const int* numbers, int count, GridBox* sorted) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < count) sorted[k] = boxes[numbers[k]];
}

// counts has one entry more, so that its sums end with the number of all pairs.
__global__ void count_kernel(SortedBoxes all, GridLevels levels, std::uint64_t* counts) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k > all.count) return;
  std::uint64_t found = 0;
  if (k < all.count) visit_pairs(all, levels, k, [&](int, int) { ++found; });
  counts[k] = found;
}

__global__ void pair_kernel(SortedBoxes all, GridLevels levels, const std::uint64_t* starts,
                            std::uint64_t* pairs) {
  const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= all.count) return;
  std::uint64_t to = starts[k];
  visit_pairs(all, levels, k, [&](int a, int b) {
    pairs[to++] = static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
  });
}

__global__ void split_kernel(const std::uint64_t* pairs, std::size_t count, int2* to) {
  const std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < count)
    to[k] = make_int2(static_cast<int>(pairs[k] >> 32), static_cast<int>(pairs[k] & 0xffffffffU));
}

dim3 blocks_for(std::size_t items) {
  return dim3(static_cast<unsigned>((items + threads - 1) / threads));
}

// With room to grow.
std::size_t roomy(std::size_t size) {
  return size + size / 4;
}

}  // namespace

class PairEngine::Implementation {
 public:
  std::size_t find(std::span<const GridBox> boxes, const GridLevels& levels) {
    pairs_ = 0;
    const int count = static_cast<int>(boxes.size());
    if (count < 2) return 0;
    provide_boxes(boxes.size());
    const cudaStream_t stream = arena_.stream();
    check(cudaMemcpyAsync(boxes_, boxes.data(), boxes.size_bytes(), cudaMemcpyHostToDevice, stream),
          "copy boxes");
    launch(stream, blocks_for(boxes.size()), threads, 0, false, key_kernel,
           static_cast<const GridBox*>(boxes_), count, levels, keys_, numbers_);
    std::size_t bytes = scratch_bytes_;
    check(cub::DeviceRadixSort::SortPairs(scratch_, bytes, keys_, sorted_keys_, numbers_, sorted_numbers_,
                                          count, 0, cell_key_bits, stream),
          "sort boxes");
    launch(stream, blocks_for(boxes.size()), threads, 0, false, gather_kernel,
           static_cast<const GridBox*>(boxes_), static_cast<const int*>(sorted_numbers_), count, sorted_);
    const SortedBoxes all{count, sorted_keys_, sorted_numbers_, sorted_};
    launch(stream, blocks_for(boxes.size() + 1), threads, 0, false, count_kernel, all, levels, counts_);
    bytes = scratch_bytes_;
    check(cub::DeviceScan::ExclusiveSum(scratch_, bytes, counts_, starts_, count + 1, stream), "add counts");
    check(cudaMemcpyAsync(&*total_, starts_ + count, sizeof(std::uint64_t), cudaMemcpyDeviceToHost, stream),
          "copy a number");
    check(cudaStreamSynchronize(stream), "find pairs");
    if (*total_ > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
      throw DeviceError("the device finds " + std::to_string(*total_) +
                        " pairs of shapes, more than it can sort");
    pairs_ = static_cast<std::size_t>(*total_);
    if (pairs_ == 0) return 0;
    provide_pairs(pairs_);
    launch(stream, blocks_for(boxes.size()), threads, 0, false, pair_kernel, all, levels,
           static_cast<const std::uint64_t*>(starts_), found_);
    bytes = pair_scratch_bytes_;
    check(cub::DeviceRadixSort::SortKeys(pair_scratch_, bytes, found_, ordered_, static_cast<int>(pairs_), 0,
                                         64, stream),
          "sort pairs");
    // The unsorted pairs are no longer needed.
    launch(stream, blocks_for(pairs_), threads, 0, false, split_kernel,
           static_cast<const std::uint64_t*>(ordered_), pairs_, reinterpret_cast<int2*>(found_));
    return pairs_;
  }

  void copy(int* pairs) const {
    if (pairs_ == 0) return;
    check(cudaMemcpyAsync(pairs, found_, pairs_ * sizeof(int2), cudaMemcpyDeviceToHost, arena_.stream()),
          "copy pairs");
    check(cudaStreamSynchronize(arena_.stream()), "find pairs");
  }

 private:
  void provide_boxes(std::size_t count) {
    if (count <= box_room_) return;
    box_room_ = 0;
    const std::size_t room =
        std::min(roomy(count), static_cast<std::size_t>(std::numeric_limits<int>::max() - 1));
    const int items = static_cast<int>(room);
    std::size_t sort_bytes = 0, scan_bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, keys_, sorted_keys_, numbers_, sorted_numbers_,
                                          items, 0, cell_key_bits, arena_.stream()),
          "plan a sort");
    check(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, counts_, starts_, items + 1, arena_.stream()),
          "plan a sum");
    scratch_bytes_ = std::max(sort_bytes, scan_bytes);
    arena_.set([&](DeviceArena& arena) {
      arena.take(boxes_, room);
      arena.take(sorted_, room);
      arena.take(keys_, room);
      arena.take(sorted_keys_, room);
      arena.take(numbers_, room);
      arena.take(sorted_numbers_, room);
      arena.take(counts_, room + 1);
      arena.take(starts_, room + 1);
      arena.take(scratch_, scratch_bytes_);
    });
    box_room_ = room;
  }

  void provide_pairs(std::size_t count) {
    if (count <= pair_room_) return;
    pair_room_ = 0;
    const std::size_t room =
        std::min(roomy(count), static_cast<std::size_t>(std::numeric_limits<int>::max()));
    check(cub::DeviceRadixSort::SortKeys(nullptr, pair_scratch_bytes_, found_, ordered_,
                                         static_cast<int>(room), 0, 64, arena_.stream()),
          "plan a sort");
    pair_arena_.set([&](DeviceArena& arena) {
      arena.take(found_, room);
      arena.take(ordered_, room);
      arena.take(pair_scratch_, pair_scratch_bytes_);
    });
    pair_room_ = room;
  }

  DeviceArena arena_;
  DeviceArena pair_arena_{arena_.stream()};
  PinnedValue<std::uint64_t> total_;
  std::size_t box_room_ = 0, pair_room_ = 0, pairs_ = 0;
  GridBox *boxes_ = nullptr, *sorted_ = nullptr;
  std::uint64_t *keys_ = nullptr, *sorted_keys_ = nullptr, *counts_ = nullptr, *starts_ = nullptr;
  int *numbers_ = nullptr, *sorted_numbers_ = nullptr;
  std::byte *scratch_ = nullptr, *pair_scratch_ = nullptr;
  std::size_t scratch_bytes_ = 0, pair_scratch_bytes_ = 0;
  std::uint64_t *found_ = nullptr, *ordered_ = nullptr;
};

PairEngine::PairEngine() : implementation_(std::make_unique<Implementation>()) {}
PairEngine::~PairEngine() = default;

std::size_t PairEngine::find(std::span<const GridBox> boxes, const GridLevels& levels) {
  return implementation_->find(boxes, levels);
}
void PairEngine::copy(int* pairs) const {
  implementation_->copy(pairs);
}

}  // namespace slipstick::internal
