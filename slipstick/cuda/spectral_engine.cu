// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/spectral_engine.hpp"

#include <algorithm>

#include "slipstick/cuda/device_contacts.cuh"
#include "slipstick/cuda/products.cuh"

namespace slipstick::internal {
namespace {

struct SpectralView {
  ContactView contacts;
  double *x, *g, *d, *Ad, *v;
  double* partial;
  SpectralSums* sums;
};

constexpr int step_threads = 256;
constexpr int most_step_blocks = 528;
constexpr int step_sums = 6;

/// The numbers of one item: sums of a step from x and g after the move.
template <class Number>
__device__ inline void add_step(Number x, Number g, Number direction, Number load, double (&sums)[step_sums]);
template <>
__device__ inline void add_step(Vec3 x, Vec3 g, Vec3 direction, Vec3 load, double (&sums)[step_sums]) {
  sums[1] += dot(load, x);
  sums[2] += dot(x, g);
  sums[3] += dot(direction, g);
  sums[4] += dot(direction, direction);
  sums[5] += fabs(x.x * g.x) + fabs(x.y * g.y) + fabs(x.z * g.z);
}
template <>
__device__ inline void add_step(double x, double g, double direction, double load,
                                double (&sums)[step_sums]) {
  sums[1] += load * x;
  sums[2] += x * g;
  sums[3] += direction * g;
  sums[4] += direction * direction;
  sums[5] += fabs(x * g);
}

__global__ void __launch_bounds__(step_threads)
    spectral_step(SpectralView view, double lambda, double alpha, double metric, double weight) {
  const ContactView& contacts = view.contacts;
  double sums[step_sums] = {};
  const auto first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const auto count = static_cast<std::size_t>(contacts.contacts);
  for (std::size_t c = first; c < count; c += stride) {
    const Axis axis = contacts.axis[c];
    const double scale = contacts.scale[c];
    Vec3 x = load3(view.x, c), g = load3(view.g, c);
    if (lambda != 0.0) {
      x = x + lambda * load3(view.d, c);
      g = g + lambda * load3(view.Ad, c);
      store3(view.x, c, x);
      store3(view.g, c, g);
    }
    const Vec3 direction = project_on_cone(x - (alpha / (metric > 0.0 ? metric : scale)) * g, axis) - x;
    store3(view.d, c, direction);
    add_step(x, g, direction, load3(contacts.load, c), sums);
    const Vec3 error = (weight * scale) * (x - project_on_cone(x - (1.0 / scale) * g, axis));
    sums[0] += dot(error, error) + 0.0 * (g.x + g.y + g.z + x.x + x.y + x.z);  // NaN if g or x is not finite
  }
  for (std::size_t k = first; k < static_cast<std::size_t>(contacts.rows); k += stride) {
    const std::size_t i = 3 * count + k;
    const double scale = contacts.scale[count + k];
    const double2 bounds = contacts.row_bounds[k];
    const auto project = [&](double z) { return fmin(fmax(z, bounds.x), bounds.y); };
    double x = view.x[i], g = view.g[i];
    if (lambda != 0.0) {
      view.x[i] = x = x + lambda * view.d[i];
      view.g[i] = g = g + lambda * view.Ad[i];
    }
    const double direction = project(x - alpha / (metric > 0.0 ? metric : scale) * g) - x;
    view.d[i] = direction;
    add_step(x, g, direction, contacts.load[i], sums);
    const double error = weight * scale * (x - project(x - g / scale));
    sums[0] += error * error + 0.0 * (g + x);
  }
  if (!sum_over_grid(view.partial, &view.sums->arrived[0], sums) || threadIdx.x != 0) return;
  view.sums->error_shares = sums[0];
  view.sums->ray_slope = sums[1];
  view.sums->x_g = sums[2];
  view.sums->slope = sums[3];
  view.sums->squared = sums[4];
  view.sums->magnitude = sums[5];
}

/// to = J v + C from, plus b if `with_load`; sums of the product of a direction.
template <ContactShape shape, bool with_load>
__global__ void __launch_bounds__(product_threads)
    spectral_product(SpectralView view, const double* from, double* to, double metric) {
  const ContactView& contacts = view.contacts;
  double sums[3] = {};
  const auto first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const auto stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const auto count = static_cast<std::size_t>(contacts.contacts);
  for (std::size_t c = first; c < count; c += stride) {
    Vec3 u = contact_velocity<shape>(contacts, view.v, c);
    const Vec3 x = load3(from, c);
    if constexpr (shape == ContactShape::general)
      u = u + compliant(compliance_of(contacts, c), normal_of(contacts.axis[c]), x);
    const double p = metric > 0.0 ? metric : contacts.scale[c];
    sums[0] += p * dot(x, x);
    sums[1] += dot(x, u);
    sums[2] += dot(u, u) / p;
    if constexpr (with_load) u = u + load3(contacts.load, c);
    store3(to, c, u);
  }
  if constexpr (shape == ContactShape::general) {
    for (std::size_t k = first; k < static_cast<std::size_t>(contacts.rows); k += stride) {
      const std::size_t i = 3 * count + k;
      const int2 pair = contacts.row_pair[k];
      const double x = from[i], p = metric > 0.0 ? metric : contacts.scale[count + k];
      double u = row_velocity(contacts.row_jacobian + 12 * k, load6(view.v, static_cast<std::size_t>(pair.x)),
                              load6(view.v, static_cast<std::size_t>(pair.y))) +
                 contacts.row_compliance[k] * x;
      sums[0] += p * x * x;
      sums[1] += x * u;
      sums[2] += u * u / p;
      if constexpr (with_load) u += contacts.load[i];
      to[i] = u;
    }
  }
  if (!sum_over_grid(view.partial, &view.sums->arrived[1], sums) || threadIdx.x != 0) return;
  view.sums->length = sums[0];
  view.sums->curvature = sums[1];
  view.sums->image = sums[2];
}

__global__ void __launch_bounds__(256) spectral_scale(SpectralView view, double t, std::size_t size) {
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    view.x[i] *= t;
    view.g[i] = t * (view.g[i] - view.contacts.load[i]) + view.contacts.load[i];
  }
}

}  // namespace

class SpectralEngine::Implementation {
 public:
  void set_contacts(const ContactArrays& arrays) {
    arena_.set([&](DeviceArena& arena) {
      contacts_.place(arena, arrays);
      view_.contacts = contacts_.view();
      for (double** vector : {&view_.x, &view_.g, &view_.d, &view_.Ad, &best_})
        arena.take(*vector, contacts_.size());
      arena.take(view_.v, contacts_.velocities());
      arena.take(view_.partial, std::size_t{6} * most_product_blocks);
      arena.take(view_.sums, 1);
    });
    contacts_.copy_contacts(arrays, stream());
    clear(view_.v, contacts_.velocities());
    for (double* vector : {view_.x, view_.g, view_.d, view_.Ad, best_}) clear(vector, contacts_.size());
    *sums_ = {};
    check(cudaMemcpyAsync(view_.sums, &*sums_, sizeof(SpectralSums), cudaMemcpyHostToDevice, stream()),
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
  void compute_gradient() { multiply<true>(view_.x, view_.g, 0.0); }
  SpectralSums step(double lambda, double alpha, double metric, double weight) {
    const int items = std::max(view_.contacts.contacts, view_.contacts.rows);
    launch(stream(), blocks_for(items, step_threads, most_step_blocks), step_threads, 0, false, spectral_step,
           view_, lambda, alpha, metric, weight);
    return read();
  }
  SpectralSums multiply(double metric) {
    multiply<false>(view_.d, view_.Ad, metric);
    return read();
  }
  void scale(double t) {
    launch(stream(), blocks_for(view_.contacts.contacts, 64, most_product_blocks), 256, 0, false,
           spectral_scale, view_, t, contacts_.size());
  }
  void keep() {
    check(cudaMemcpyAsync(best_, view_.x, contacts_.size() * sizeof(double), cudaMemcpyDeviceToDevice,
                          stream()),
          "copy");
  }
  void copy_to_host(double* to, const double* from) {
    check(cudaMemcpyAsync(to, from, contacts_.size() * sizeof(double), cudaMemcpyDeviceToHost, stream()),
          "return data");
    finish();
  }
  void copy_best(double* x) { copy_to_host(x, best_); }
  void copy_current(double* x) { copy_to_host(x, view_.x); }

 private:
  cudaStream_t stream() const { return arena_.stream(); }
  void finish() const { check(cudaStreamSynchronize(stream()), "finish its work"); }
  void clear(double* data, std::size_t size) const {
    check(cudaMemsetAsync(data, 0, size * sizeof(double), stream()), "clear memory");
  }
  const SpectralSums& read() {
    check(cudaMemcpyAsync(&*sums_, view_.sums, sizeof(SpectralSums), cudaMemcpyDeviceToHost, stream()),
          "return its sums");
    finish();
    return *sums_;
  }
  template <bool with_load>
  void multiply(const double* from, double* to, double metric) {
    with_shape(contacts_.shape(), [&]<ContactShape shape>() {
      launch(stream(), blocks_for(view_.contacts.bodies, body_threads, most_body_blocks), body_threads, 0,
             false, velocity_kernel<shape>, view_.contacts, from, view_.v);
      const int items = std::max(view_.contacts.contacts, view_.contacts.rows);
      launch(stream(), blocks_for(items, product_threads, most_product_blocks), product_threads, 0, false,
             spectral_product<shape, with_load>, view_, from, to, metric);
    });
  }

  DeviceArena arena_;
  DeviceContacts contacts_;
  SpectralView view_ = {};
  double* best_ = nullptr;
  PinnedValue<SpectralSums> sums_;
};

SpectralEngine::SpectralEngine() : implementation_(std::make_unique<Implementation>()) {}
SpectralEngine::~SpectralEngine() = default;
void SpectralEngine::set_contacts(const ContactArrays& arrays) {
  implementation_->set_contacts(arrays);
}
void SpectralEngine::set_problem(const ContactArrays& arrays) {
  implementation_->set_problem(arrays);
}
void SpectralEngine::start(const double* x) {
  implementation_->start(x);
}
void SpectralEngine::compute_gradient() {
  implementation_->compute_gradient();
}
SpectralSums SpectralEngine::step(double lambda, double alpha, double metric, double weight) {
  return implementation_->step(lambda, alpha, metric, weight);
}
SpectralSums SpectralEngine::multiply(double metric) {
  return implementation_->multiply(metric);
}
void SpectralEngine::scale(double t) {
  implementation_->scale(t);
}
void SpectralEngine::keep() {
  implementation_->keep();
}
void SpectralEngine::copy_best(double* x) {
  implementation_->copy_best(x);
}
void SpectralEngine::copy_current(double* x) {
  implementation_->copy_current(x);
}

}  // namespace slipstick::internal
