// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/bound_engine.hpp"

#include "slipstick/cuda/bound_kernels.cuh"
#include "slipstick/cuda/device_contacts.cuh"

namespace slipstick::internal {

class BoundEngine::Implementation {
 public:
  void set_bodies(const ContactArrays& arrays) {
    source_ = RowSource::bodies;
    set_sizes(arrays.rows, [&](DeviceArena& arena) {
      contacts_.place(arena, arrays);
      arena.take(view_.v, contacts_.velocities());
    });
    view_.contacts = contacts_.view();
    contacts_.copy_contacts(arrays, stream());
    contacts_.copy_compliance(arrays, stream());
    check(cudaMemsetAsync(view_.v, 0, contacts_.velocities() * sizeof(double), stream()), "clear memory");
    finish();
  }
  void set_sparse(const SparseArrays& arrays) {
    source_ = arrays.sliced ? RowSource::slices : RowSource::warps;
    set_sizes(arrays.rows, [&](DeviceArena& arena) {
      arena.take(start_, arrays.start.size());
      arena.take(columns_, arrays.columns.size());
      arena.take(values_, arrays.values.size());
    });
    view_.start = start_;
    view_.columns = columns_;
    view_.values = values_;
    upload(start_, arrays.start);
    upload(columns_, arrays.columns);
    upload(values_, arrays.values);
    finish();
  }
  void set_problem(const BoundArrays& arrays) {
    upload(load_, arrays.load);
    upload(scale_, arrays.scale);
    upload(inverse_, arrays.inverse);
    upload(reinterpret_cast<double*>(bounds_), arrays.bounds);
    finish();
  }
  std::size_t size() const { return static_cast<std::size_t>(view_.rows); }

  void start(const double* x) { upload(view_.x, std::span(x, size())); }
  BoundSums compute_gradient(double step) {
    with_product(view_.x, [&]<RowSource source>() { run(bound_gradient<source>, view_, step); });
    return read();
  }
  BoundSums release() {
    run(bound_release, view_);
    return read();
  }
  BoundSums compare_directions() {
    run(bound_compare, view_);
    return read();
  }
  BoundSums find_direction(double factor) {
    run(bound_direction, view_, factor);
    with_product(view_.p, [&]<RowSource source>() { run(bound_product<source>, view_); });
    return read();
  }
  BoundSums advance(double move, double step) {
    run(bound_advance, view_, move, step);
    return read();
  }
  BoundSums try_move(double whole, double feasible, double step) {
    run(bound_trial, view_, whole, feasible, step);
    with_product(view_.move, [&]<RowSource source>() { run(bound_move<source>, view_); });
    return read();
  }
  BoundSums accept(double step) {
    run(bound_accept, view_, step);
    return read();
  }
  double start_power(const double* v) {
    upload(view_.move, std::span(v, size()));
    double squared = 0.0;
    for (std::size_t i = 0; i < size(); ++i) squared += v[i] * v[i];
    return squared;
  }
  double power(double norm) {
    run(bound_power_start, view_, norm);
    with_product(view_.trial, [&]<RowSource source>() { run(bound_power<source>, view_); });
    return read().squared_norm;
  }
  void copy_current(double* x) {
    check(cudaMemcpyAsync(x, view_.x, size() * sizeof(double), cudaMemcpyDeviceToHost, stream()),
          "return data");
    finish();
  }

 private:
  cudaStream_t stream() const { return arena_.stream(); }
  void finish() const { check(cudaStreamSynchronize(stream()), "finish its work"); }
  template <class To, class From>
  void upload(To* to, std::span<const From> from) const {
    if (from.empty()) return;
    check(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream()), "take data");
  }
  template <class Matrix>
  void set_sizes(int rows, const Matrix& place_matrix) {
    view_.rows = rows;
    const auto count = static_cast<std::size_t>(rows);
    arena_.set([&](DeviceArena& arena) {
      place_matrix(arena);
      for (double** vector : {&load_, &scale_, &inverse_, &view_.x, &view_.g, &view_.z, &view_.p, &view_.Ap,
                              &view_.trial, &view_.move, &view_.Amove})
        arena.take(*vector, count);
      arena.take(bounds_, count);
      arena.take(view_.free, count);
      arena.take(view_.partial, std::size_t{split_sums} * most_bound_blocks);
      arena.take(view_.sums, 1);
    });
    view_.load = load_;
    view_.scale = scale_;
    view_.inverse = inverse_;
    view_.bounds = bounds_;
    for (double* vector : {view_.p, view_.Ap})
      check(cudaMemsetAsync(vector, 0, count * sizeof(double), stream()), "clear memory");
    *sums_ = {};
    check(cudaMemcpyAsync(view_.sums, &*sums_, sizeof(BoundSums), cudaMemcpyHostToDevice, stream()),
          "take data");
  }
  template <class... Parameters, class... Arguments>
  void run(void (*kernel)(Parameters...), const Arguments&... arguments) const {
    launch(stream(), blocks_for(view_.rows, per_block(), most_bound_blocks), bound_threads, 0, false, kernel,
           arguments...);
  }
  int per_block() const { return source_ == RowSource::warps ? bound_threads / 32 : bound_threads; }
  // Calls body with the source of rows. The velocities of bodies are those for x.
  template <class Body>
  void with_product(const double* x, const Body& body) const {
    switch (source_) {
      case RowSource::bodies:
        launch(stream(), blocks_for(view_.contacts.bodies, body_threads, most_body_blocks), body_threads, 0,
               false, velocity_kernel<ContactShape::general>, view_.contacts, x, view_.v);
        return body.template operator()<RowSource::bodies>();
      case RowSource::slices:
        return body.template operator()<RowSource::slices>();
      case RowSource::warps:
        return body.template operator()<RowSource::warps>();
    }
  }
  const BoundSums& read() {
    check(cudaMemcpyAsync(&*sums_, view_.sums, sizeof(BoundSums), cudaMemcpyDeviceToHost, stream()),
          "return its sums");
    finish();
    return *sums_;
  }

  DeviceArena arena_;
  DeviceContacts contacts_;
  BoundView view_ = {};
  RowSource source_ = RowSource::bodies;
  int *start_ = nullptr, *columns_ = nullptr;
  double *values_ = nullptr, *load_ = nullptr, *scale_ = nullptr, *inverse_ = nullptr;
  double2* bounds_ = nullptr;
  PinnedValue<BoundSums> sums_;
};

BoundEngine::BoundEngine() : implementation_(std::make_unique<Implementation>()) {}
BoundEngine::~BoundEngine() = default;
void BoundEngine::set_bodies(const ContactArrays& arrays) {
  implementation_->set_bodies(arrays);
}
void BoundEngine::set_sparse(const SparseArrays& arrays) {
  implementation_->set_sparse(arrays);
}
void BoundEngine::set_problem(const BoundArrays& arrays) {
  implementation_->set_problem(arrays);
}
std::size_t BoundEngine::size() const {
  return implementation_->size();
}
void BoundEngine::start(const double* x) {
  implementation_->start(x);
}
BoundSums BoundEngine::compute_gradient(double step) {
  return implementation_->compute_gradient(step);
}
BoundSums BoundEngine::release() {
  return implementation_->release();
}
BoundSums BoundEngine::compare_directions() {
  return implementation_->compare_directions();
}
BoundSums BoundEngine::find_direction(double factor) {
  return implementation_->find_direction(factor);
}
BoundSums BoundEngine::advance(double move, double step) {
  return implementation_->advance(move, step);
}
BoundSums BoundEngine::try_whole_step(double whole) {
  return implementation_->try_move(whole, 0.0, 0.0);
}
BoundSums BoundEngine::try_fixed_step(double feasible, double step) {
  return implementation_->try_move(0.0, feasible, step);
}
BoundSums BoundEngine::accept(double step) {
  return implementation_->accept(step);
}
double BoundEngine::start_power(const double* v) {
  return implementation_->start_power(v);
}
double BoundEngine::power(double norm) {
  return implementation_->power(norm);
}
void BoundEngine::copy_current(double* x) {
  implementation_->copy_current(x);
}

}  // namespace slipstick::internal
