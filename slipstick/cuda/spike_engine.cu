// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/spike_engine.hpp"

#include <algorithm>
#include <climits>

#include "slipstick/cuda/device_spike.cuh"

namespace slipstick::internal {

class SpikeEngine::Implementation {
 public:
  void set_size(const SpikeRequest& request) {
    if (placed_ && request == plan_.request) return;
    placed_ = false;
    clear_graphs();
    plan_ = plan_spike(request);
    arena_.set([&](DeviceArena& arena) { spike_.place(arena, plan_, request.columns); });
    spike_.prepare(stream());
    placed_ = true;
  }
  const SpikePlan& plan() const { return plan_; }

  SpikeOutcome factorize(const double* columns) {
    copy_to_device(values_, columns,
                   static_cast<std::size_t>(plan_.request.rows) *
                       static_cast<std::size_t>(2 * plan_.request.half_bandwidth + 1));
    spike_.load(stream(), values_.data());
    return factorize_loaded();
  }
  SpikeOutcome factorize(const int* rows, const int* columns, const double* values, std::size_t count) {
    copy_to_device(values_, values, count);
    copy_to_device(rows_, rows, count);
    copy_to_device(columns_, columns, count);
    spike_.load(stream(), rows_.data(), columns_.data(), values_.data(), count);
    return factorize_loaded();
  }

  void solve(const double* b, double* x, int columns) {
    const auto rows = static_cast<std::size_t>(plan_.request.rows);
    if (rows == 0) return;
    const std::size_t pitch = spike_.vector_rows() * sizeof(double), width = rows * sizeof(double);
    for (int first = 0; first < columns; first += plan_.request.columns) {
      const int count = std::min(columns - first, plan_.request.columns);
      const std::size_t offset = static_cast<std::size_t>(first) * rows;
      check(cudaMemcpy2DAsync(spike_.right_sides(), pitch, b + offset, width, width,
                              static_cast<std::size_t>(count), cudaMemcpyHostToDevice, stream()),
            "take data");
      launch_solution(count);
      check(cudaMemcpy2DAsync(x + offset, width, spike_.solutions(), pitch, width,
                              static_cast<std::size_t>(count), cudaMemcpyDeviceToHost, stream()),
            "return data");
    }
    finish();
  }

  void set_launches(const LaunchOptions& options) {
    options_ = options;
    clear_graphs();
  }

  double time_load(int repeats) {
    return median_microseconds(stream(), repeats, [&] { spike_.load(stream(), values_.data()); });
  }
  double time_factorization(int repeats) {
    return median_microseconds(
        stream(), repeats, [&] { launch_factorization(); }, [&] { spike_.load(stream(), values_.data()); });
  }
  double time_solution(int repeats) {
    return median_microseconds(stream(), repeats, [&] { launch_solution(plan_.request.columns); });
  }

 private:
  cudaStream_t stream() const { return arena_.stream(); }
  void finish() const { check(cudaStreamSynchronize(stream()), "finish its work"); }
  void clear_graphs() {
    factorization_.clear();
    solution_.clear();
  }
  template <class T>
  void copy_to_device(DeviceVector<T>& to, const T* from, std::size_t count) {
    if (to.size() < count) to = DeviceVector<T>(count, stream());
    if (count == 0) return;
    check(cudaMemcpyAsync(to.data(), from, count * sizeof(T), cudaMemcpyHostToDevice, stream()), "take data");
  }
  SpikeOutcome factorize_loaded() {
    launch_factorization();
    spike_.read_state(stream(), &*state_);
    finish();
    return {.boosted_pivots = state_->boosted,
            .finite = state_->overflowed == 0,
            .bad_row = state_->bad_row == INT_MAX ? -1 : state_->bad_row};
  }
  void launch_factorization() {
    if (!options_.graph) return spike_.factorize(stream());
    if (factorization_.empty()) factorization_.record(stream(), [&] { spike_.factorize(stream()); });
    factorization_.replay(stream());
  }
  void launch_solution(int count) {
    if (!options_.graph || count != plan_.request.columns) return spike_.solve(stream(), count);
    if (solution_.empty()) solution_.record(stream(), [&] { spike_.solve(stream(), count); });
    solution_.replay(stream());
  }

  DeviceArena arena_;
  DeviceSpike spike_;
  SpikePlan plan_;
  bool placed_ = false;
  DeviceVector<double> values_;
  DeviceVector<int> rows_, columns_;
  PinnedValue<SpikeState> state_;
  DeviceGraph factorization_, solution_;
  LaunchOptions options_;
};

SpikeEngine::SpikeEngine() : implementation_(std::make_unique<Implementation>()) {}
SpikeEngine::~SpikeEngine() = default;
void SpikeEngine::set_size(const SpikeRequest& request) {
  implementation_->set_size(request);
}
const SpikePlan& SpikeEngine::plan() const {
  return implementation_->plan();
}
SpikeOutcome SpikeEngine::factorize(const double* columns) {
  return implementation_->factorize(columns);
}
SpikeOutcome SpikeEngine::factorize(const int* rows, const int* columns, const double* values,
                                    std::size_t count) {
  return implementation_->factorize(rows, columns, values, count);
}
void SpikeEngine::solve(const double* b, double* x, int columns) {
  implementation_->solve(b, x, columns);
}
void SpikeEngine::set_launches(const LaunchOptions& options) {
  implementation_->set_launches(options);
}
double SpikeEngine::time_load(int repeats) {
  return implementation_->time_load(repeats);
}
double SpikeEngine::time_factorization(int repeats) {
  return implementation_->time_factorization(repeats);
}
double SpikeEngine::time_solution(int repeats) {
  return implementation_->time_solution(repeats);
}

}  // namespace slipstick::internal
