// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "slipstick/cuda/contact_view.cuh"
#include "slipstick/cuda/runtime.cuh"

namespace slipstick::internal {

/// Blocks for so many items, within limits that do not depend on the device.
inline int blocks_for(int items, int per_block, int most) {
  return std::clamp((items + per_block - 1) / per_block, 1, most);
}

/// Calls body with the shape as a template argument.
template <class Body>
void with_shape(ContactShape shape, const Body& body) {
  switch (shape) {
    case ContactShape::spheres:
      return body.template operator()<ContactShape::spheres>();
    case ContactShape::arms:
      return body.template operator()<ContactShape::arms>();
    case ContactShape::general:
      return body.template operator()<ContactShape::general>();
  }
}

/// The contacts of a problem on the device, in numbers of the type Real. An arena holds the arrays.
template <class Real>
class DeviceContactsOf {
 public:
  /// Asks the arena for the arrays. Call it within DeviceArena::set.
  void place(DeviceArena& arena, const ContactArrays& arrays) {
    shape_ = arrays.shape;
    view_.bodies = arrays.bodies;
    view_.contacts = arrays.contacts;
    view_.rows = arrays.rows;
    view_.heavies = static_cast<int>(arrays.heavy.size());
    const auto contacts = static_cast<std::size_t>(arrays.contacts),
               rows = static_cast<std::size_t>(arrays.rows);
    const bool arms = arrays.shape != ContactShape::spheres, general = arrays.shape == ContactShape::general;
    size_ = arrays.size();
    arena.take(pair_, contacts);
    arena.take(axis_, contacts);
    arena.take(first_arm_, arms ? 3 * contacts : 0);
    arena.take(second_arm_, arms ? 3 * contacts : 0);
    arena.take(load_, size_);
    arena.take(scale_, contacts + rows);
    compliances_ = general && arrays.compliant ? 2 * contacts : 0;
    arena.take(compliance_, compliances_);
    arena.take(row_compliance_, general ? rows : 0);
    arena.take(row_pair_, rows);
    arena.take(row_jacobian_, 12 * rows);
    arena.take(row_bounds_, rows);
    arena.take(first_start_, arrays.first_start.size());
    arena.take(second_start_, arrays.second_start.size());
    arena.take(second_list_, arrays.second_list.size());
    arena.take(row_start_, rows > 0 ? arrays.row_start.size() : 0);
    arena.take(row_list_, arrays.row_list.size());
    arena.take(heavy_, arrays.heavy.size());
    arena.take(mass_, arrays.masses.size());
    view_.pair = pair_;
    view_.axis = axis_;
    view_.first_arm = first_arm_;
    view_.second_arm = second_arm_;
    view_.load = load_;
    view_.scale = scale_;
    view_.compliance = arrays.compliant ? reinterpret_cast<Pair<Real>*>(compliance_) : nullptr;
    view_.row_pair = row_pair_;
    view_.row_jacobian = row_jacobian_;
    view_.row_bounds = row_bounds_;
    view_.row_compliance = row_compliance_;
    view_.first_start = first_start_;
    view_.second_start = second_start_;
    view_.second_list = second_list_;
    view_.row_start = row_start_;
    view_.row_list = row_list_;
    view_.heavy = heavy_;
    view_.mass = mass_;
  }

  /// A vector of the host, in double, to the device and back. The copy back waits for the stream.
  void copy_to_device(Real* to, const double* from, cudaStream_t stream) {
    upload(to, std::span<const double>(from, size_), stream);
  }
  void copy_to_host(double* to, const Real* from, cudaStream_t stream) {
    const auto download = [&](Real* host) {
      check(cudaMemcpyAsync(host, from, size_ * sizeof(Real), cudaMemcpyDeviceToHost, stream), "return data");
      check(cudaStreamSynchronize(stream), "finish its work");
    };
    if constexpr (std::is_same_v<Real, double>) {
      download(to);
    } else {
      rounded_.resize(size_);
      download(rounded_.data());
      std::copy(rounded_.begin(), rounded_.end(), to);
    }
  }

  void copy_contacts(const ContactArrays& arrays, cudaStream_t stream) {
    upload(pair_, arrays.pairs, stream);
    if (shape_ != ContactShape::spheres) {
      upload(first_arm_, arrays.first_arms, stream);
      upload(second_arm_, arrays.second_arms, stream);
    }
    upload(row_pair_, arrays.row_pairs, stream);
    upload(row_jacobian_, arrays.row_jacobians, stream);
    upload(first_start_, arrays.first_start, stream);
    upload(second_start_, arrays.second_start, stream);
    upload(second_list_, arrays.second_list, stream);
    if (arrays.rows > 0) upload(row_start_, arrays.row_start, stream);
    upload(row_list_, arrays.row_list, stream);
    upload(heavy_, arrays.heavy, stream);
    upload(mass_, arrays.masses, stream);
  }
  void copy_problem(const ContactArrays& arrays, cudaStream_t stream) {
    upload(axis_, arrays.axes, stream);
    upload(load_, arrays.load, stream);
    upload(scale_, arrays.scale, stream);
    upload(row_bounds_, arrays.bounds, stream);
    copy_compliance(arrays, stream);
  }

  /// A part of copy_problem().
  void copy_compliance(const ContactArrays& arrays, cudaStream_t stream) {
    if (shape_ != ContactShape::general) return;
    upload(compliance_, arrays.compliance.first(compliances_), stream);
    upload(row_compliance_, arrays.compliance.last(static_cast<std::size_t>(arrays.rows)), stream);
  }

  const ContactViewOf<Real>& view() const { return view_; }
  ContactShape shape() const { return shape_; }
  std::size_t size() const { return size_; }
  std::size_t velocities() const { return 6 * (static_cast<std::size_t>(view_.bodies) + 1); }

 private:
  template <class To, class From>
  static void upload(To* to, std::span<const From> from, cudaStream_t stream) {
    if (from.empty()) return;
    check(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream), "take data");
  }
  // Rounds first. A copy from such memory has read it when the call returns.
  void upload(float* to, std::span<const double> from, cudaStream_t stream) {
    upload_rounded(to, from, stream);
  }
  void upload(StoredAxis<float>* to, std::span<const double> from, cudaStream_t stream) {
    upload_rounded(to, from, stream);
  }
  template <class To>
  void upload_rounded(To* to, std::span<const double> from, cudaStream_t stream) {
    rounded_.resize(from.size());
    std::transform(from.begin(), from.end(), rounded_.begin(),
                   [](double value) { return static_cast<float>(value); });
    upload(to, std::span<const float>(rounded_), stream);
  }

  ContactShape shape_ = ContactShape::spheres;
  ContactViewOf<Real> view_ = {};
  std::size_t size_ = 0;
  std::size_t compliances_ = 0;  // numbers of contacts
  int2 *pair_ = nullptr, *row_pair_ = nullptr;
  StoredAxis<Real>* axis_ = nullptr;
  Real *first_arm_ = nullptr, *second_arm_ = nullptr, *load_ = nullptr, *scale_ = nullptr;
  Real *compliance_ = nullptr, *mass_ = nullptr;
  double *row_jacobian_ = nullptr, *row_compliance_ = nullptr;
  double2* row_bounds_ = nullptr;
  int *first_start_ = nullptr, *second_start_ = nullptr, *second_list_ = nullptr;
  int *row_start_ = nullptr, *row_list_ = nullptr, *heavy_ = nullptr;
  std::vector<float> rounded_;  // scratch
};

using DeviceContacts = DeviceContactsOf<double>;

}  // namespace slipstick::internal
