// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/apgd_engine.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "slipstick/cuda/apgd_passes.cuh"
#include "slipstick/cuda/device_contacts.cuh"

namespace slipstick::internal {

class ApgdEngine::Implementation {
 public:
  virtual ~Implementation() = default;
  virtual void set_contacts(const ContactArrays& arrays) = 0;
  virtual void set_problem(const ContactArrays& arrays) = 0;
  virtual double multiply(const double* x, double* y) = 0;
  virtual ApgdState start(const double* x, const ApgdState& state) = 0;
  virtual ApgdState iterate(int steps) = 0;
  virtual void copy_best(double* x) = 0;
  virtual void copy_current(double* x) = 0;
  virtual void set_launches(const LaunchOptions& options) = 0;
  virtual double time_iterations(int replays) = 0;
  virtual double bytes_per_iteration() const = 0;
};

template <class Real>
class ApgdEngine::ImplementationOf : public Implementation {
 public:
  void set_contacts(const ContactArrays& arrays) override {
    const ApgdView<Real> before = view_;
    arena_.set([&](DeviceArena& arena) {
      contacts_.place(arena, arrays);
      view_.contacts = contacts_.view();
      for (Real*& x : view_.x) arena.take(x, contacts_.size());
      arena.take(best_, contacts_.size());
      for (Real*& v : view_.v) arena.take(v, contacts_.velocities());
      for (Real*& v : view_.vy) arena.take(v, contacts_.velocities());
      arena.take(view_.partial, std::size_t{6} * most_product_blocks);
      arena.take(view_.state, 1);
    });
    if (std::memcmp(&before, &view_, sizeof view_) != 0) graph_.clear();
    contacts_.copy_contacts(arrays, stream());
    // The resting body never moves. Rows that nothing writes stay zero.
    for (Real* v : {view_.v[0], view_.v[1], view_.vy[0], view_.vy[1]}) clear(v, contacts_.velocities());
    for (Real* x : {view_.x[0], view_.x[1], view_.x[2], best_}) clear(x, contacts_.size());
    finish();
  }

  void set_problem(const ContactArrays& arrays) override {
    contacts_.copy_problem(arrays, stream());
    finish();
  }

  double multiply(const double* x, double* y) override {
    contacts_.copy_to_device(view_.x[0], x, stream());
    set_state(ApgdState{});
    start_velocities(view_.x[0], view_.v[0]);
    // The sum takes the place of the length.
    launch_product(view_.v[0], view_.x[0], view_.x[1]);
    if (y != nullptr) contacts_.copy_to_host(y, view_.x[1], stream());
    return read_state().length;
  }

  ApgdState start(const double* x, const ApgdState& state) override {
    contacts_.copy_to_device(view_.x[0], x, stream());
    copy_on_device(view_.x[2], view_.x[0], contacts_.size());
    ApgdState first = state;
    first.best_shares = std::numeric_limits<double>::infinity();
    if constexpr (std::is_same_v<Real, float>) first.rounding = 2.0 * std::numeric_limits<float>::epsilon();
    set_state(first);
    start_velocities(view_.x[0], view_.v[0]);
    copy_on_device(view_.vy[0], view_.v[0], contacts_.velocities());
    launch_contact_pass(true);
    launch_keep_best();
    return read_state();
  }

  ApgdState iterate(int steps) override {
    if (options_.graph && steps == steps_per_replay) {
      record();
      graph_.replay(stream());
    } else {
      launch_iterations(steps);
    }
    finish();
    return *status_;
  }

  void copy_best(double* x) override { contacts_.copy_to_host(x, best_, stream()); }
  void copy_current(double* x) override {
    const ApgdState state = read_state();
    contacts_.copy_to_host(x, view_.x[state.iteration % 3], stream());
    for (std::size_t i = 0; i < contacts_.size(); ++i) x[i] *= state.scale;
  }

  void set_launches(const LaunchOptions& options) override {
    options_ = options;
    graph_.clear();
  }

  double time_iterations(int replays) override {
    record();
    return median_microseconds(stream(), replays, [&] { graph_.replay(stream()); }) / steps_per_replay;
  }

  // Every array once per pass that reads or writes it.
  double bytes_per_iteration() const override {
    const double contacts = view_.contacts.contacts, bodies = view_.contacts.bodies,
                 rows = view_.contacts.rows;
    const ContactShape shape = contacts_.shape();
    constexpr double number = sizeof(Real), triple = 3.0 * number, velocity = 6.0 * number;
    const double axis = 4.0 * number, arms = shape == ContactShape::spheres ? 0.0 : 2.0 * triple;
    const double levers = shape == ContactShape::spheres ? axis : arms;
    const double mass = number * (shape == ContactShape::general ? 14.0 : 2.0);
    const double compliance = view_.contacts.compliance != nullptr ? 2.0 * number : 0.0;
    // Body pass: list, x, levers; starts, mass, two velocities read and two written.
    const double body_pass = contacts * (4.0 + triple + levers) + bodies * (8.0 + mass + 4.0 * velocity);
    // Contact pass: pair, d, b, x, previous x, x+; v(y) once per body.
    const double contact_pass =
        contacts * (8.0 + number + 4.0 * triple + axis + arms + compliance) + bodies * velocity;
    return body_pass + contact_pass + rows * (2.0 * (96.0 + 8.0) + 64.0);
  }

 private:
  cudaStream_t stream() const { return arena_.stream(); }
  void finish() const { check(cudaStreamSynchronize(stream()), "finish its work"); }
  void clear(Real* data, std::size_t size) const {
    check(cudaMemsetAsync(data, 0, size * sizeof(Real), stream()), "clear memory");
  }
  void copy_on_device(Real* to, const Real* from, std::size_t size) const {
    check(cudaMemcpyAsync(to, from, size * sizeof(Real), cudaMemcpyDeviceToDevice, stream()), "copy");
  }
  void set_state(const ApgdState& state) {
    *status_ = state;
    check(cudaMemcpyAsync(view_.state, &*status_, sizeof(ApgdState), cudaMemcpyHostToDevice, stream()),
          "take data");
  }
  void launch_read() {
    check(cudaMemcpyAsync(&*status_, view_.state, sizeof(ApgdState), cudaMemcpyDeviceToHost, stream()),
          "return its status");
  }
  const ApgdState& read_state() {
    launch_read();
    finish();
    return *status_;
  }

  void start_velocities(const Real* x, Real* v) {
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      launch(stream(), blocks_for(view_.contacts.bodies, body_threads, most_body_blocks), body_threads, 0,
             false, velocity_kernel<shape, Real>, view_.contacts, x, v);
    });
  }
  void launch_product(const Real* v, const Real* x, Real* y) {
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      const int items = std::max(view_.contacts.contacts, view_.contacts.rows);
      launch(stream(), blocks_for(items, product_threads, most_product_blocks), product_threads, 0, false,
             product_kernel<shape, Real>, view_.contacts, v, x, y, view_.partial, &view_.state->arrived[0],
             &view_.state->length);
    });
  }
  void launch_body_pass() {
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      launch(stream(), blocks_for(view_.contacts.bodies, body_threads, most_body_blocks), body_threads, 0,
             overlapped(), body_pass<shape, Real>, view_);
    });
  }
  void launch_contact_pass(bool test) {
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      if (test) {
        launch_contact_pass<shape, true>();
      } else {
        launch_contact_pass<shape, false>();
      }
    });
  }
  template <ContactShape shape, bool test>
  void launch_contact_pass() {
    constexpr int threads = tile_contacts<shape>;
    const int items = std::max(view_.contacts.contacts, view_.contacts.rows);
    const int blocks = blocks_for(items, threads, most_contact_blocks<shape>);
    if (!bulk()) {
      launch(stream(), blocks, threads, 0, overlapped(), contact_pass<shape, test, Real>, view_);
      return;
    }
    constexpr std::size_t shared = tiles_in_flight * sizeof(ContactTile<shape, Real>);
    check(cudaFuncSetAttribute(contact_pass_bulk<shape, test, Real>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
          "provide shared memory");
    launch(stream(), blocks, threads, shared, overlapped(), contact_pass_bulk<shape, test, Real>, view_);
  }
  void launch_keep_best() {
    launch(stream(),
           blocks_for(static_cast<int>(std::min<std::size_t>(contacts_.size(), 1U << 30)), 256, 1056), 256, 0,
           false, keep_best<Real>, view_, best_, contacts_.size());
  }
  void launch_iterations(int steps) {
    for (int i = 0; i < steps; ++i) {
      launch_body_pass();
      launch_contact_pass(i + 1 == steps);
    }
    launch_keep_best();
    launch_read();
  }
  void record() {
    if (graph_.empty()) graph_.record(stream(), [&] { launch_iterations(steps_per_replay); });
  }
  bool bulk() const { return options_.bulk && present_device().major >= 9; }
  bool overlapped() const { return options_.overlapped && present_device().major >= 9; }

  DeviceArena arena_;
  DeviceContactsOf<Real> contacts_;
  ApgdView<Real> view_ = {};
  Real* best_ = nullptr;
  PinnedValue<ApgdState> status_;
  DeviceGraph graph_;
  LaunchOptions options_;
};

ApgdEngine::ApgdEngine(StoredNumber number) {
  if (number == StoredNumber::float32) {
    implementation_ = std::make_unique<ImplementationOf<float>>();
  } else {
    implementation_ = std::make_unique<ImplementationOf<double>>();
  }
}
ApgdEngine::~ApgdEngine() = default;
void ApgdEngine::set_contacts(const ContactArrays& arrays) {
  implementation_->set_contacts(arrays);
}
void ApgdEngine::set_problem(const ContactArrays& arrays) {
  implementation_->set_problem(arrays);
}
double ApgdEngine::multiply(const double* x, double* y) {
  return implementation_->multiply(x, y);
}
ApgdState ApgdEngine::start(const double* x, const ApgdState& state) {
  return implementation_->start(x, state);
}
ApgdState ApgdEngine::iterate(int steps) {
  return implementation_->iterate(steps);
}
void ApgdEngine::copy_best(double* x) {
  implementation_->copy_best(x);
}
void ApgdEngine::copy_current(double* x) {
  implementation_->copy_current(x);
}
void ApgdEngine::set_launches(const LaunchOptions& options) {
  implementation_->set_launches(options);
}
double ApgdEngine::time_iterations(int replays) {
  return implementation_->time_iterations(replays);
}
double ApgdEngine::bytes_per_iteration() const {
  return implementation_->bytes_per_iteration();
}

}  // namespace slipstick::internal
