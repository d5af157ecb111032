// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/face_engine.hpp"

#include <algorithm>

#include "slipstick/cuda/device_contacts.cuh"
#include "slipstick/cuda/face_kernels.cuh"

namespace slipstick::internal {

class FaceEngine::Implementation {
 public:
  void set_contacts(const ContactArrays& arrays) {
    const auto items = static_cast<std::size_t>(arrays.contacts) + static_cast<std::size_t>(arrays.rows);
    arena_.set([&](DeviceArena& arena) {
      contacts_.place(arena, arrays);
      view_.contacts = contacts_.view();
      for (double** vector : vectors()) arena.take(*vector, contacts_.size());
      arena.take(view_.v, contacts_.velocities());
      arena.take(view_.face, items);
      arena.take(view_.partial, std::max<std::size_t>(face_split_sums, 4) * most_product_blocks);
      arena.take(view_.sums, 1);
    });
    contacts_.copy_contacts(arrays, stream());
    clear(view_.v, contacts_.velocities());
    for (double** vector : vectors()) clear(*vector, contacts_.size());
    check(cudaMemsetAsync(view_.face, 0, items, stream()), "clear memory");
    *sums_ = {};
    check(cudaMemcpyAsync(view_.sums, &*sums_, sizeof(FaceSums), cudaMemcpyHostToDevice, stream()),
          "take data");
    finish();
  }
  void set_problem(const ContactArrays& arrays) {
    contacts_.copy_problem(arrays, stream());
    finish();
  }
  void start(const double* x) {
    check(cudaMemcpyAsync(view_.x, x, contacts_.size() * sizeof(double), cudaMemcpyHostToDevice, stream()),
          "take data");
    compute_gradient();
  }
  void compute_gradient() { multiply<true>(view_.x, view_.g); }
  FaceSums split(double t, Direction direction, double weight) {
    const int which = static_cast<int>(direction);
    run(face_split, view_, t, static_cast<const double*>(view_.d[which]),
        static_cast<const double*>(view_.Ad[which]), weight);
    return read();
  }
  FaceSums find_conjugate(double factor) {
    run(face_conjugate, view_, view_.d[conjugate], factor);
    multiply<false>(view_.d[conjugate], view_.Ad[conjugate]);
    return read();
  }
  FaceSums find_projected(bool along_gradient, double step) {
    const double* from = along_gradient ? nullptr : view_.d[conjugate];
    run(face_projected, view_, view_.d[projected], from, step);
    multiply<false>(view_.d[projected], view_.Ad[projected]);
    return read();
  }
  void move_to_boundary(double t) {
    run(face_boundary, view_, static_cast<const double*>(view_.d[conjugate]),
        static_cast<const double*>(view_.Ad[conjugate]), t);
  }
  void scale(double t) { run(face_scale, view_, t, contacts_.size()); }
  void keep() {
    check(cudaMemcpyAsync(best_, view_.x, contacts_.size() * sizeof(double), cudaMemcpyDeviceToDevice,
                          stream()),
          "copy");
  }
  void copy_best(double* x) { copy_to_host(x, best_); }
  void copy_current(double* x) { copy_to_host(x, view_.x); }

 private:
  static constexpr int conjugate = static_cast<int>(Direction::conjugate);
  static constexpr int projected = static_cast<int>(Direction::projected);

  std::vector<double**> vectors() {
    return {&view_.x,
            &view_.g,
            &view_.phi,
            &view_.d[conjugate],
            &view_.d[projected],
            &view_.Ad[conjugate],
            &view_.Ad[projected],
            &best_};
  }
  cudaStream_t stream() const { return arena_.stream(); }
  void finish() const { check(cudaStreamSynchronize(stream()), "finish its work"); }
  void clear(double* data, std::size_t size) const {
    check(cudaMemsetAsync(data, 0, size * sizeof(double), stream()), "clear memory");
  }
  void copy_to_host(double* to, const double* from) const {
    check(cudaMemcpyAsync(to, from, contacts_.size() * sizeof(double), cudaMemcpyDeviceToHost, stream()),
          "return data");
    finish();
  }
  template <class... Parameters, class... Arguments>
  void run(void (*kernel)(Parameters...), Arguments... arguments) const {
    const int items = std::max(view_.contacts.contacts, view_.contacts.rows);
    launch(stream(), blocks_for(items, face_threads, most_face_blocks), face_threads, 0, false, kernel,
           arguments...);
  }
  template <bool with_load>
  void multiply(const double* from, double* to) const {
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      launch(stream(), blocks_for(view_.contacts.bodies, body_threads, most_body_blocks), body_threads, 0,
             false, velocity_kernel<shape>, view_.contacts, from, view_.v);
      const int items = std::max(view_.contacts.contacts, view_.contacts.rows);
      launch(stream(), blocks_for(items, product_threads, most_product_blocks), product_threads, 0, false,
             face_product<shape, with_load>, view_, from, to);
    });
  }
  const FaceSums& read() {
    check(cudaMemcpyAsync(&*sums_, view_.sums, sizeof(FaceSums), cudaMemcpyDeviceToHost, stream()),
          "return its sums");
    finish();
    return *sums_;
  }

  DeviceArena arena_;
  DeviceContacts contacts_;
  FaceView view_ = {};
  double* best_ = nullptr;
  PinnedValue<FaceSums> sums_;
};

FaceEngine::FaceEngine() : implementation_(std::make_unique<Implementation>()) {}
FaceEngine::~FaceEngine() = default;
void FaceEngine::set_contacts(const ContactArrays& arrays) {
  implementation_->set_contacts(arrays);
}
void FaceEngine::set_problem(const ContactArrays& arrays) {
  implementation_->set_problem(arrays);
}
void FaceEngine::start(const double* x) {
  implementation_->start(x);
}
void FaceEngine::compute_gradient() {
  implementation_->compute_gradient();
}
FaceSums FaceEngine::split(double t, Direction direction, double weight) {
  return implementation_->split(t, direction, weight);
}
FaceSums FaceEngine::find_conjugate(double factor) {
  return implementation_->find_conjugate(factor);
}
FaceSums FaceEngine::find_projected(double step) {
  return implementation_->find_projected(false, step);
}
FaceSums FaceEngine::find_gradient_step(double step) {
  return implementation_->find_projected(true, step);
}
void FaceEngine::move_to_boundary(double t) {
  implementation_->move_to_boundary(t);
}
void FaceEngine::scale(double t) {
  implementation_->scale(t);
}
void FaceEngine::keep() {
  implementation_->keep();
}
void FaceEngine::copy_best(double* x) {
  implementation_->copy_best(x);
}
void FaceEngine::copy_current(double* x) {
  implementation_->copy_current(x);
}

}  // namespace slipstick::internal
