// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/cuda/device.hpp"

namespace slipstick::internal {

/// Throws DeviceError if a call failed.
inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // a failed call must not be reported again by the next one
  throw DeviceError(std::string("the device failed to ") + what + ": " + cudaGetErrorString(error));
}

/// Launches a kernel. `overlapped`: it may start while the kernel before ends, and waits in await_previous().
template <class... Parameters, class... Arguments>
void launch(cudaStream_t stream, dim3 blocks, int threads, std::size_t shared_bytes, bool overlapped,
            void (*kernel)(Parameters...), Arguments&&... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = overlapped ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...), "start a kernel");
}

/// Memory of the device that is taken and given back in the order of a stream.
template <class T>
class DeviceVector {
 public:
  DeviceVector() = default;
  DeviceVector(std::size_t size, cudaStream_t stream) : size_(size), stream_(stream) {
    if (size == 0) return;
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, size * sizeof(T), stream), "provide memory");
    data_ = static_cast<T*>(memory);
  }
  DeviceVector(DeviceVector&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        stream_(other.stream_) {}
  DeviceVector& operator=(DeviceVector&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~DeviceVector() {
    if (data_ != nullptr) cudaFreeAsync(data_, stream_);
  }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

/// One stream and one piece of device memory, which the arrays of an object share. place(take) is called
/// twice: once to add the sizes, and, when the memory is there, to hand it out. A second call with the same
/// sizes allocates nothing and hands out the same addresses.
class DeviceArena {
 public:
  DeviceArena() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream"); }
  /// Another piece of memory for the same stream, which must live longer.
  explicit DeviceArena(cudaStream_t stream) : stream_(stream), owns_stream_(false) {}
  DeviceArena(const DeviceArena&) = delete;
  DeviceArena& operator=(const DeviceArena&) = delete;
  ~DeviceArena() {
    memory_ = {};
    if (owns_stream_) cudaStreamDestroy(stream_);
  }
  cudaStream_t stream() const { return stream_; }

  template <class Place>
  void set(const Place& place) {
    used_ = 0;
    place(*this);
    if (used_ > memory_.size()) reserve(used_);
    handing_out_ = true;
    used_ = 0;
    place(*this);
    handing_out_ = false;
  }
  template <class T>
  void take(T*& array, std::size_t count) {
    constexpr std::size_t alignment = 256;
    if (handing_out_) array = reinterpret_cast<T*>(memory_.data() + used_);
    used_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
  }

 private:
  void reserve(std::size_t bytes) {
    memory_ = {};
    check(cudaStreamSynchronize(stream_), "wait");
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "say how much memory is free");
    const auto mebibytes = [](std::size_t count) { return std::to_string(count >> 20) + " MiB"; };
    if (bytes > total)
      throw DeviceError("the problem needs " + mebibytes(bytes) + " of device memory, and the device has " +
                        mebibytes(total));
    // The pool may hold free memory that the device counts as used: an allocation within it may succeed.
    try {
      memory_ = DeviceVector<std::byte>(bytes, stream_);
    } catch (const DeviceError&) {
      throw DeviceError("the problem needs " + mebibytes(bytes) + " of device memory, and " +
                        mebibytes(free) + " are free");
    }
  }

  cudaStream_t stream_ = nullptr;
  bool owns_stream_ = true;
  DeviceVector<std::byte> memory_;
  std::size_t used_ = 0;
  bool handing_out_ = false;
};

/// Memory of the host that the device writes to directly.
template <class T>
class PinnedValue {
 public:
  PinnedValue() {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, sizeof(T)), "provide pinned memory");
    value_ = static_cast<T*>(memory);
    *value_ = T{};
  }
  PinnedValue(const PinnedValue&) = delete;
  PinnedValue& operator=(const PinnedValue&) = delete;
  ~PinnedValue() { cudaFreeHost(value_); }
  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }

 private:
  T* value_ = nullptr;
};

/// An array of the host that the device copies from and to without a detour.
class PinnedArray {
 public:
  PinnedArray() = default;
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { cudaFreeHost(data_); }
  /// Provides room for so many numbers. Their values are lost if there was less.
  void reserve(std::size_t size) {
    if (size <= size_) return;
    cudaFreeHost(data_);
    data_ = nullptr;
    size_ = 0;
    void* memory = nullptr;
    check(cudaMallocHost(&memory, size * sizeof(double)), "provide pinned memory");
    data_ = static_cast<double*>(memory);
    size_ = size;
  }
  double* data() const { return data_; }

 private:
  double* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The median time of several calls of body, in microseconds, after two that do not count. prepare() comes
/// before each and is not timed.
template <class Body, class Prepare>
double median_microseconds(cudaStream_t stream, int repeats, const Body& body, const Prepare& prepare) {
  cudaEvent_t first = nullptr, last = nullptr;
  check(cudaEventCreate(&first), "create an event");
  check(cudaEventCreate(&last), "create an event");
  std::vector<float> times;
  for (int i = -2; i < repeats; ++i) {
    prepare();
    check(cudaEventRecord(first, stream), "record an event");
    body();
    check(cudaEventRecord(last, stream), "record an event");
    check(cudaEventSynchronize(last), "wait");
    float milliseconds = 0.0F;
    check(cudaEventElapsedTime(&milliseconds, first, last), "measure time");
    if (i >= 0) times.push_back(milliseconds);
  }
  cudaEventDestroy(first);
  cudaEventDestroy(last);
  std::sort(times.begin(), times.end());
  return 1e3 * times[times.size() / 2];
}
template <class Body>
double median_microseconds(cudaStream_t stream, int repeats, const Body& body) {
  return median_microseconds(stream, repeats, body, [] {});
}

/// Launches recorded once and replayed.
class DeviceGraph {
 public:
  DeviceGraph() = default;
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  ~DeviceGraph() { clear(); }
  bool empty() const { return graph_ == nullptr; }
  void clear() {
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }
  template <class Body>
  void record(cudaStream_t stream, const Body& body) {
    clear();
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record launches");
    try {
      body();
    } catch (...) {
      cudaStreamEndCapture(stream, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      throw;
    }
    check(cudaStreamEndCapture(stream, &graph), "record launches");
    const cudaError_t error = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    check(error, "prepare a graph");
  }
  void replay(cudaStream_t stream) const { check(cudaGraphLaunch(graph_, stream), "replay a graph"); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace slipstick::internal
