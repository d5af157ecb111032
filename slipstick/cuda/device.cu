// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device.hpp"

#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/runtime.cuh"

namespace slipstick::internal {
namespace {

__global__ void copy_kernel(const double2* from, double2* to, std::size_t count) {
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    to[i] = from[i];
}

DeviceInfo describe(int number) {
  cudaDeviceProp properties = {};
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, number); error != cudaSuccess) {
    cudaGetLastError();
    return {.reason = std::string("it does not answer (") + cudaGetErrorString(error) + ")"};
  }
  DeviceInfo info{.name = properties.name,
                  .major = properties.major,
                  .minor = properties.minor,
                  .multiprocessors = properties.multiProcessorCount,
                  .memory = properties.totalGlobalMem};
  int pools = 0;
  cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, number);
  cudaFuncAttributes attributes = {};
  cudaError_t error = cudaSetDevice(number);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, copy_kernel);
  if (pools == 0) {
    info.reason = info.name + " has no memory pools";
  } else if (error != cudaSuccess) {
    info.reason = info.name + " (compute capability " + std::to_string(info.major) + "." +
                  std::to_string(info.minor) + ") cannot run the kernels of this build (" +
                  cudaGetErrorString(error) + ")";
  }
  cudaGetLastError();
  return info;
}

std::vector<DeviceInfo> find_devices() {
  int count = 0, before = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    cudaGetLastError();
    return {{.reason = std::string("there is none (") + cudaGetErrorString(error) + ")"}};
  }
  if (count == 0) return {{.reason = "there is none"}};
  cudaGetDevice(&before);
  std::vector<DeviceInfo> list;
  for (int number = 0; number < count; ++number) list.push_back(describe(number));
  cudaSetDevice(before);
  return list;
}

}  // namespace

bool has_cuda() {
  return true;
}

const std::vector<DeviceInfo>& devices() {
  static const std::vector<DeviceInfo> list = find_devices();
  return list;
}

const DeviceInfo& present_device() {
  int number = 0;
  check(cudaGetDevice(&number), "say which one it is");
  return devices()[static_cast<std::size_t>(number)];
}

void use_device(int number) {
  if (number < 0) number = static_cast<int>(&device_info() - devices().data());
  if (std::string reason = explain_wrong_device(number); !reason.empty()) throw DeviceError(reason);
  check(cudaSetDevice(number), "start");
}

double copy_bandwidth(std::size_t bytes) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "create a stream");
  double seconds = 0.0;
  {
    const std::size_t count = bytes / sizeof(double2);
    const DeviceVector<double2> from(count, stream), to(count, stream);
    check(cudaMemsetAsync(from.data(), 0, count * sizeof(double2), stream), "clear memory");
    check(cudaMemsetAsync(to.data(), 0, count * sizeof(double2), stream), "clear memory");
    constexpr int repeats = 9, copies = 20;
    const double microseconds = median_microseconds(stream, repeats, [&] {
      for (int k = 0; k < copies; ++k)
        launch(stream, 132 * 16, 256, 0, false, copy_kernel, static_cast<const double2*>(from.data()),
               to.data(), count);
    });
    seconds = 1e-6 * microseconds / copies;
  }
  cudaStreamDestroy(stream);
  return 2.0 * static_cast<double>(bytes) / seconds;
}

}  // namespace slipstick::internal
