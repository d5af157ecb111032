// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/sweep_engine.hpp"

#include <algorithm>
#include <vector>

#include "slipstick/cuda/device_contacts.cuh"
#include "slipstick/cuda/momentum_kernels.cuh"
#include "slipstick/cuda/sweep_passes.cuh"

namespace slipstick::internal {
namespace {

constexpr int most_blocks = 528;

}  // namespace

class SweepEngine::Implementation {
 public:
  explicit Implementation(SweepKind kind) : momentum_(kind == SweepKind::momentum) {}

  void set_contacts(const ContactArrays& arrays) {
    const SweepView before = view_;
    arena_.set([&](DeviceArena& arena) {
      contacts_.place(arena, arrays);
      view_.contacts = contacts_.view();
      arena.take(first_list_, arrays.first_list.size());
      arena.take(view_.record, 8 * (static_cast<std::size_t>(arrays.bodies) + 1));
      arena.take(view_.r[0], contacts_.size());
      arena.take(view_.r[1], momentum_ ? contacts_.size() : 0);
      arena.take(view_.previous, momentum_ ? contacts_.velocities() : 0);
      arena.take(view_.moved, momentum_ ? count_parts(arrays) : 0);
      arena.take(best_, contacts_.size());
      const auto contacts = static_cast<std::size_t>(arrays.contacts);
      arena.take(view_.slip, is_simple(arrays) ? 0 : contacts);
      arena.take(blocks_, is_simple(arrays) ? 0 : 6 * contacts);
      arena.take(view_.partial, std::size_t{4} * most_blocks);
      arena.take(view_.state, 1);
    });
    view_.first_list = first_list_;
    view_.block = blocks_;
    view_.count = arrays.colour_start.empty() ? 0 : arrays.colour_start.back();
    const bool same_colours = std::equal(colour_start_.begin(), colour_start_.end(),
                                         arrays.colour_start.begin(), arrays.colour_start.end()) &&
                              std::equal(row_colour_start_.begin(), row_colour_start_.end(),
                                         arrays.row_colour_start.begin(), arrays.row_colour_start.end());
    if (std::memcmp(&before, &view_, sizeof view_) != 0 || !same_colours) clear_graphs();
    colour_start_.assign(arrays.colour_start.begin(), arrays.colour_start.end());
    row_colour_start_.assign(arrays.row_colour_start.begin(), arrays.row_colour_start.end());
    contacts_.copy_contacts(arrays, stream());
    copy_to_device(first_list_, arrays.first_list.data(), arrays.first_list.size());
    check(cudaMemsetAsync(view_.record, 0, 8 * sizeof(double) * (static_cast<std::size_t>(arrays.bodies) + 1),
                          stream()),
          "clear memory");
    finish();
  }

  void set_problem(const ContactArrays& arrays) {
    contacts_.copy_problem(arrays, stream());
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      if constexpr (shape != ContactShape::spheres)
        launch(stream(), blocks_for(view_.count, 256, most_blocks), 256, 0, false, make_blocks<shape>, view_,
               blocks_);
    });
    finish();
  }

  SweepState start(const double* r, const SweepState& state) {
    copy_to_device(view_.r[0], r, contacts_.size());
    if (momentum_) {
      copy_to_device(view_.r[1], r, contacts_.size());
      check(cudaMemsetAsync(view_.previous, 0, contacts_.velocities() * sizeof(double), stream()),
            "clear memory");
    }
    *status_ = state;
    status_->best_error = std::numeric_limits<double>::infinity();
    status_->iteration = 0;
    status_->restart_momentum();
    copy_to_device(view_.state, &*status_, 1);
    launch_velocities();
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      if constexpr (shape != ContactShape::spheres)
        launch(stream(), blocks_for(view_.count, 256, most_blocks), 256, 0, false, set_modes<shape>, view_);
    });
    launch_test();
    finish();
    return *status_;
  }

  SweepState sweep(int count, bool alternate, bool backward) {
    if (options_.graph && count == sweeps_per_replay) {
      const int which = alternate ? (backward ? 2 : 1) : 0;
      record(which).replay(stream());
    } else {
      launch_sweeps(count, alternate, backward);
    }
    finish();
    return *status_;
  }

  SweepState iterate(int count, const SweepState& state) {
    *status_ = state;
    copy_to_device(view_.state, &*status_, 1);
    if (options_.graph && count == sweeps_per_replay) {
      DeviceGraph& graph = graphs_[0];
      if (graph.empty()) graph.record(stream(), [&] { launch_iterations(count); });
      graph.replay(stream());
    } else {
      launch_iterations(count);
    }
    finish();
    return *status_;
  }

  void copy_best(double* r) { copy_to_host(r, best_); }
  void copy_current(double* r) { copy_to_host(r, view_.r[status_->iteration % 2]); }

  void set_launches(const LaunchOptions& options) {
    options_ = options;
    clear_graphs();
  }

  double time_sweeps(int replays) {
    DeviceGraph sweeps;
    sweeps.record(stream(), [&] {
      for (int i = 0; i < sweeps_per_replay; ++i) {
        if (momentum_) {
          launch_iteration();
        } else {
          launch_sweep(false);
        }
      }
    });
    return median_microseconds(stream(), replays, [&] { sweeps.replay(stream()); }) / sweeps_per_replay;
  }

  // The streams of contacts, r twice, and every body once per colour that it is in, read and written. With
  // momentum also the last r, d, and the velocities of the bodies, the last ones too, read and written.
  double bytes_per_sweep() const {
    const double contacts = view_.count, rows = view_.contacts.rows;
    const double momentum = momentum_ ? contacts * 32.0 + rows * 8.0 + view_.contacts.bodies * 192.0 : 0.0;
    const double streams =
        is_simple_shape() ? 8.0 + 32.0 + 24.0 + 48.0 : 8.0 + 32.0 + 48.0 + 24.0 + 48.0 + 48.0 + 24.0;
    return momentum + contacts * (streams + 2.0 * (64.0 + 48.0)) +
           rows * (8.0 + 96.0 + 16.0 + 40.0 + 2.0 * (64.0 + 48.0));
  }

 private:
  static bool is_simple(const ContactArrays& arrays) { return arrays.shape == ContactShape::spheres; }
  bool is_simple_shape() const { return contacts_.shape() == ContactShape::spheres; }
  cudaStream_t stream() const { return arena_.stream(); }
  void finish() const { check(cudaStreamSynchronize(stream()), "finish its work"); }
  template <class T>
  void copy_to_device(T* to, const T* from, std::size_t count) const {
    if (count == 0) return;
    check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream()), "take data");
  }
  void copy_to_host(double* to, const double* from) const {
    check(cudaMemcpyAsync(to, from, contacts_.size() * sizeof(double), cudaMemcpyDeviceToHost, stream()),
          "return data");
    finish();
  }

  void launch_velocities() {
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      launch(stream(), blocks_for(view_.contacts.bodies, 256, most_blocks), 256, 0, false,
             sweep_velocities<shape>, view_);
    });
  }
  void launch_test() {
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      launch(stream(), blocks_for(std::max(view_.contacts.contacts, view_.contacts.rows), 256, most_blocks),
             256, 0, false, test_sweeps<shape>, view_);
    });
    launch(stream(), blocks_for(view_.contacts.contacts, 64, most_blocks), 256, 0, false, keep_best_impulses,
           view_, best_, contacts_.size());
    check(cudaMemcpyAsync(&*status_, view_.state, sizeof(SweepState), cudaMemcpyDeviceToHost, stream()),
          "return its status");
  }
  static std::size_t count_parts(const ContactArrays& arrays) {
    int parts = 0;
    for (const std::span<const int> start : {arrays.colour_start, arrays.row_colour_start})
      for (std::size_t colour = 0; colour + 1 < start.size(); ++colour)
        parts += blocks_of(start[colour], start[colour + 1]);
    return static_cast<std::size_t>(parts);
  }
  static int blocks_of(int first, int last) { return (last - first + sweep_threads - 1) / sweep_threads; }

  // Returns the number of blocks.
  int launch_colour(int colour, int part) {
    const int first = colour_start_[static_cast<std::size_t>(colour)];
    const int last = colour_start_[static_cast<std::size_t>(colour) + 1];
    const int blocks = blocks_of(first, last);
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      launch(stream(), blocks, sweep_threads, 0, overlapped(),
             momentum_ ? sweep_contacts<shape, true> : sweep_contacts<shape, false>, view_, first, last,
             part);
    });
    return blocks;
  }
  int launch_row_colour(int colour, int part) {
    const int first = row_colour_start_[static_cast<std::size_t>(colour)];
    const int last = row_colour_start_[static_cast<std::size_t>(colour) + 1];
    const int blocks = blocks_of(first, last);
    launch(stream(), blocks, sweep_threads, 0, overlapped(), momentum_ ? sweep_rows<true> : sweep_rows<false>,
           view_, first, last, part);
    return blocks;
  }
  // Returns the number of blocks.
  int launch_sweep(bool backward) {
    const int colours = std::max(0, static_cast<int>(colour_start_.size()) - 1);
    const int row_colours = std::max(0, static_cast<int>(row_colour_start_.size()) - 1);
    int part = 0;
    if (backward) {
      for (int k = row_colours; k-- > 0;) part += launch_row_colour(k, part);
      for (int k = colours; k-- > 0;) part += launch_colour(k, part);
    } else {
      for (int k = 0; k < colours; ++k) part += launch_colour(k, part);
      for (int k = 0; k < row_colours; ++k) part += launch_row_colour(k, part);
    }
    return part;
  }
  void launch_iteration() {
    launch(stream(), blocks_for(view_.contacts.bodies, 256, most_blocks), 256, 0, overlapped(),
           extrapolate_velocities, view_);
    const int parts = launch_sweep(false);
    launch(stream(), 1, 1024, 0, overlapped(), set_momentum, view_, parts);
  }
  void launch_iterations(int count) {
    for (int i = 0; i < count; ++i) launch_iteration();
    launch(stream(), blocks_for(view_.count, 256, most_blocks), 256, 0, false, project_impulses, view_);
    launch_velocities();  // removes accumulated rounding
    launch_test();
  }
  void launch_sweeps(int count, bool alternate, bool backward) {
    for (int i = 0; i < count; ++i) {
      launch_sweep(backward);
      if (alternate) backward = !backward;
    }
    launch_velocities();  // removes accumulated rounding
    launch_test();
  }
  DeviceGraph& record(int which) {
    DeviceGraph& graph = graphs_[which];
    if (graph.empty())
      graph.record(stream(), [&] { launch_sweeps(sweeps_per_replay, which != 0, which == 2); });
    return graph;
  }
  void clear_graphs() {
    for (DeviceGraph& graph : graphs_) graph.clear();
  }
  bool overlapped() const { return options_.overlapped && present_device().major >= 9; }

  bool momentum_;
  DeviceArena arena_;
  DeviceContacts contacts_;
  SweepView view_ = {};
  int* first_list_ = nullptr;
  double *best_ = nullptr, *blocks_ = nullptr;
  std::vector<int> colour_start_, row_colour_start_;
  PinnedValue<SweepState> status_;
  // Iterations with momentum, or forward sweeps; alternating ones from a forward, from a backward one on.
  DeviceGraph graphs_[3];
  LaunchOptions options_;
};

SweepEngine::SweepEngine(SweepKind kind) : implementation_(std::make_unique<Implementation>(kind)) {}
SweepEngine::~SweepEngine() = default;
void SweepEngine::set_contacts(const ContactArrays& arrays) {
  implementation_->set_contacts(arrays);
}
void SweepEngine::set_problem(const ContactArrays& arrays) {
  implementation_->set_problem(arrays);
}
SweepState SweepEngine::start(const double* r, const SweepState& state) {
  return implementation_->start(r, state);
}
SweepState SweepEngine::sweep(int count, bool alternate, bool backward) {
  return implementation_->sweep(count, alternate, backward);
}
SweepState SweepEngine::iterate(int count, const SweepState& state) {
  return implementation_->iterate(count, state);
}
void SweepEngine::copy_best(double* r) {
  implementation_->copy_best(r);
}
void SweepEngine::copy_current(double* r) {
  implementation_->copy_current(r);
}
void SweepEngine::set_launches(const LaunchOptions& options) {
  implementation_->set_launches(options);
}
double SweepEngine::time_sweeps(int replays) {
  return implementation_->time_sweeps(replays);
}
double SweepEngine::bytes_per_sweep() const {
  return implementation_->bytes_per_sweep();
}

}  // namespace slipstick::internal
