// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/newton_engine.hpp"

#include <climits>

#include "slipstick/cuda/device_spike.cuh"
#include "slipstick/cuda/newton_kernels.cuh"

namespace slipstick::internal {

class NewtonEngine::Implementation {
 public:
  void set(const NewtonBodies* bodies, const NewtonContacts* contacts, const NewtonOrder& order) {
    on_bodies_ = bodies != nullptr;
    view_ = {};
    unknowns_ = on_bodies_ ? bodies->unknowns : contacts->unknowns;
    rows_ = order.rows;
    entries_ = order.entries;
    arena_.set([&](DeviceArena& arena) {
      order_ = {};
      take(arena, order_.row, order.entries);
      take(arena, order_.column, order.entries);
      take(arena, view_.place, rows_);
      take(arena, view_.unit, rows_);
      arena.take(band_, order.entries);
      if (on_bodies_) place(arena, *bodies);
      if (!on_bodies_) place(arena, *contacts);
      for (double*& v : vectors_) arena.take(v, static_cast<std::size_t>(unknowns_));
      arena.take(partial_, dot_blocks);
      arena.take(result_, 1);
      arena.take(arrived_, 1);
    });
    copy(order_.row, order.row, order.entries);
    copy(order_.column, order.column, order.entries);
    copy(view_.place, order.place, rows_);
    if (on_bodies_) copy_bodies(*bodies);
    if (!on_bodies_) copy_contacts(*contacts);
    check(cudaMemsetAsync(arrived_, 0, sizeof *arrived_, stream()), "clear memory");
    finish();
  }

  SpikeOutcome factorize(const SpikeRequest& request, const double* band, const double* unit) {
    if (!placed_ || !(request == plan_.request)) {
      placed_ = false;
      clear_graphs();
      plan_ = plan_spike(request);
      spike_arena_.set([&](DeviceArena& arena) { spike_.place(arena, plan_, 1); });
      spike_.prepare(stream());
      placed_ = true;
    }
    copy(band_, band, entries_);
    copy(view_.unit, unit, rows_);
    spike_.load(stream(), order_.row, order_.column, band_, entries_);
    if (!options_.graph) {
      spike_.factorize(stream());
    } else {
      if (factorization_.empty()) factorization_.record(stream(), [&] { spike_.factorize(stream()); });
      factorization_.replay(stream());
    }
    spike_.read_state(stream(), &*state_);
    finish();
    return {.boosted_pivots = state_->boosted,
            .finite = state_->overflowed == 0,
            .bad_row = state_->bad_row == INT_MAX ? -1 : state_->bad_row};
  }
  void take_blocks(const double* frames, const double* inverses, const double* squares) {
    copy(view_.frames, frames, 9 * view_.bodies.blocks);
    copy(view_.inverses, inverses, 9 * view_.bodies.blocks);
    copy(view_.squares, squares, unknowns_);
  }
  void take_values(const double* values) { copy(view_.values, values, values_); }

  void multiply(int from, int to) {
    if (unknowns_ == 0) return;
    if (on_bodies_) {
      launch_blocks(turn_blocks<false>, vectors_[from]);
      launch(stream(), blocks_of(view_.bodies.bodies * view_.bodies.dofs), newton_threads, 0, false,
             gather_bodies<false>, view_, nullptr);
      launch_blocks(spread_bodies<false>, vectors_[from], nullptr, vectors_[to]);
    } else {
      launch(stream(), blocks_of(32LL * unknowns_), newton_threads, 0, false, multiply_contacts, view_,
             vectors_[from], vectors_[to]);
    }
  }
  void precondition(int from, int to) {
    if (unknowns_ == 0) return;
    if (on_bodies_) {
      launch_blocks(turn_blocks<true>, vectors_[from]);
      launch(stream(), blocks_of(view_.bodies.bodies * view_.bodies.dofs), newton_threads, 0, false,
             gather_bodies<true>, view_, spike_.right_sides());
      solve_band();
      launch_blocks(spread_bodies<true>, vectors_[from], spike_.solutions(), vectors_[to]);
    } else {
      launch(stream(), blocks_of(unknowns_), newton_threads, 0, false, scale_to_band, view_, vectors_[from],
             spike_.right_sides());
      solve_band();
      launch(stream(), blocks_of(unknowns_), newton_threads, 0, false, scale_from_band, view_,
             spike_.solutions(), vectors_[to]);
    }
  }

  void copy_to_device(const double* from, int to) { copy(vectors_[to], from, unknowns_); }
  void copy_to_host(int from, double* to) {
    check(cudaMemcpyAsync(to, vectors_[from], bytes(), cudaMemcpyDeviceToHost, stream()), "return data");
    finish();
  }
  void copy(int from, int to) {
    check(cudaMemcpyAsync(vectors_[to], vectors_[from], bytes(), cudaMemcpyDeviceToDevice, stream()), "copy");
  }
  void clear(int v) { check(cudaMemsetAsync(vectors_[v], 0, bytes(), stream()), "clear memory"); }
  template <bool turn>
  void combine(double a, int x, int y) {
    if (unknowns_ == 0) return;
    launch(stream(), blocks_of(unknowns_), newton_threads, 0, false, internal::combine<turn>, a, vectors_[x],
           vectors_[y], unknowns_);
  }
  double dot(int x, int y) {
    launch(stream(), dot_blocks, newton_threads, 0, false, find_dot, vectors_[x], vectors_[y], unknowns_,
           partial_, arrived_, result_);
    check(cudaMemcpyAsync(&*dot_, result_, sizeof(double), cudaMemcpyDeviceToHost, stream()), "return a sum");
    finish();
    return *dot_;
  }

  void set_launches(const LaunchOptions& options) {
    options_ = options;
    clear_graphs();
  }

 private:
  cudaStream_t stream() const { return arena_.stream(); }
  void finish() const { check(cudaStreamSynchronize(stream()), "finish its work"); }
  std::size_t bytes() const { return static_cast<std::size_t>(unknowns_) * sizeof(double); }
  void clear_graphs() {
    factorization_.clear();
    solution_.clear();
  }
  static dim3 blocks_of(long long items) {
    return dim3(static_cast<unsigned>((items + newton_threads - 1) / newton_threads));
  }
  template <class... Parameters, class... Arguments>
  void launch_blocks(void (*kernel)(NewtonView, Parameters...), Arguments... arguments) const {
    launch(stream(), blocks_of(view_.bodies.blocks), newton_threads, 0, false, kernel, view_, arguments...);
  }

  // Arrays of a view are constant for the kernels.
  template <class T, class Count>
  static void take(DeviceArena& arena, const T*& array, Count count) {
    T* memory = nullptr;
    arena.take(memory, static_cast<std::size_t>(count));
    array = memory;
  }
  template <class T, class Count>
  void copy(const T* to, const T* from, Count count) const {
    if (count == 0) return;
    check(cudaMemcpyAsync(const_cast<T*>(to), from, static_cast<std::size_t>(count) * sizeof(T),
                          cudaMemcpyHostToDevice, stream()),
          "take data");
  }

  void place(DeviceArena& arena, const NewtonBodies& from) {
    NewtonBodies& to = view_.bodies;
    to = from;
    take(arena, to.block_start, from.blocks + 1);
    take(arena, to.touch_start, from.blocks + 1);
    take(arena, to.body, from.touches());
    take(arena, to.body_start, from.bodies + 1);
    take(arena, to.touch_of_body, from.touches());
    take(arena, to.block_of_touch, from.touches());
    take(arena, to.jacobian, std::size_t{3} * from.touches() * from.dofs);
    take(arena, to.compliance, 3 * from.blocks);
    take(arena, view_.frames, 9 * from.blocks);
    take(arena, view_.inverses, 9 * from.blocks);
    take(arena, view_.squares, from.unknowns);
    arena.take(view_.turned, std::size_t{3} * from.blocks);
    arena.take(view_.on_bodies, static_cast<std::size_t>(from.bodies) * from.dofs);
  }
  void copy_bodies(const NewtonBodies& from) {
    const NewtonBodies& to = view_.bodies;
    copy(to.block_start, from.block_start, from.blocks + 1);
    copy(to.touch_start, from.touch_start, from.blocks + 1);
    copy(to.body, from.body, from.touches());
    copy(to.body_start, from.body_start, from.bodies + 1);
    copy(to.touch_of_body, from.touch_of_body, from.touches());
    copy(to.block_of_touch, from.block_of_touch, from.touches());
    copy(to.jacobian, from.jacobian, std::size_t{3} * from.touches() * from.dofs);
    copy(to.compliance, from.compliance, 3 * from.blocks);
  }
  void place(DeviceArena& arena, const NewtonContacts& from) {
    values_ = from.row_start[from.unknowns];
    view_.contacts = from;
    take(arena, view_.contacts.row_start, from.unknowns + 1);
    take(arena, view_.contacts.column, values_);
    take(arena, view_.values, values_);
  }
  void copy_contacts(const NewtonContacts& from) {
    copy(view_.contacts.row_start, from.row_start, from.unknowns + 1);
    copy(view_.contacts.column, from.column, values_);
  }

  void solve_band() {
    if (!options_.graph) return spike_.solve(stream(), 1);
    if (solution_.empty()) solution_.record(stream(), [&] { spike_.solve(stream(), 1); });
    solution_.replay(stream());
  }

  DeviceArena arena_;
  DeviceArena spike_arena_{arena_.stream()};
  DeviceSpike spike_;
  SpikePlan plan_;
  bool placed_ = false, on_bodies_ = false;
  int unknowns_ = 0, rows_ = 0, values_ = 0;
  std::size_t entries_ = 0;
  NewtonView view_ = {};
  NewtonOrder order_;
  double* band_ = nullptr;
  double* vectors_[vectors] = {};
  double *partial_ = nullptr, *result_ = nullptr;
  unsigned* arrived_ = nullptr;
  PinnedValue<SpikeState> state_;
  PinnedValue<double> dot_;
  DeviceGraph factorization_, solution_;
  LaunchOptions options_;
};

NewtonEngine::NewtonEngine() : implementation_(std::make_unique<Implementation>()) {}
NewtonEngine::~NewtonEngine() = default;
void NewtonEngine::set(const NewtonBodies& bodies, const NewtonOrder& order) {
  implementation_->set(&bodies, nullptr, order);
}
void NewtonEngine::set(const NewtonContacts& contacts, const NewtonOrder& order) {
  implementation_->set(nullptr, &contacts, order);
}
SpikeOutcome NewtonEngine::factorize(const SpikeRequest& request, const double* band, const double* unit,
                                     const double* frames, const double* inverses, const double* squares) {
  implementation_->take_blocks(frames, inverses, squares);
  return implementation_->factorize(request, band, unit);
}
SpikeOutcome NewtonEngine::factorize(const SpikeRequest& request, const double* band, const double* unit,
                                     const double* values) {
  implementation_->take_values(values);
  return implementation_->factorize(request, band, unit);
}
void NewtonEngine::multiply(int from, int to) {
  implementation_->multiply(from, to);
}
void NewtonEngine::precondition(int from, int to) {
  implementation_->precondition(from, to);
}
void NewtonEngine::copy_to_device(const double* from, int to) {
  implementation_->copy_to_device(from, to);
}
void NewtonEngine::copy_to_host(int from, double* to) {
  implementation_->copy_to_host(from, to);
}
void NewtonEngine::copy(int from, int to) {
  implementation_->copy(from, to);
}
void NewtonEngine::clear(int v) {
  implementation_->clear(v);
}
void NewtonEngine::add(double a, int x, int y) {
  implementation_->combine<false>(a, x, y);
}
void NewtonEngine::turn(int x, double a, int y) {
  implementation_->combine<true>(a, x, y);
}
double NewtonEngine::dot(int x, int y) {
  return implementation_->dot(x, y);
}
void NewtonEngine::set_launches(const LaunchOptions& options) {
  implementation_->set_launches(options);
}

}  // namespace slipstick::internal
