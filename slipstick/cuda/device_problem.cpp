// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/cuda/device.hpp"

namespace slipstick::internal {
namespace {

// Radii and bounds may differ.
bool is_same_kind(const SetBlock& a, const SetBlock& b) {
  return a.kind == b.kind && a.start == b.start && a.size == b.size;
}

std::string explain(const Operator& A, const ProductSet& K, WorldContacts& world) {
  const auto* bodies = storage_of<DelassusOperator>(A);
  if (bodies == nullptr) return fmt::format("it is a {} matrix", A.kind());
  return read_world_contacts(*bodies, K, world);
}

}  // namespace

bool DeviceProblem::is_known(const Operator& A, const ProductSet& K) const {
  return known_ && A.same_storage(seen_) &&
         std::equal(K.blocks().begin(), K.blocks().end(), blocks_.begin(), blocks_.end(), is_same_kind);
}

std::string DeviceProblem::read(const Operator& A, const ProductSet& K, std::string_view method) {
  if (!is_known(A, K)) {
    known_ = true;
    seen_ = A;
    blocks_.assign(K.blocks().begin(), K.blocks().end());
    reason_ = explain(A, K, world_);
    ++version_;
    laid_ = false;
    if (reason_.empty()) {
      compliance_ = storage_of<DelassusOperator>(A)->compliance();
      if (order_ == ContactOrder::colours && has_crowded_body())
        reason_ =
            fmt::format("a body has more than {} contacts, or rows of joints", ContactLayout::most_colours);
    }
  }
  if (reason_.empty()) return {};
  return fmt::format("{} needs a matrix J M^-1 J' + C of rigid bodies in contact, and {}", method, reason_);
}

bool DeviceProblem::has_crowded_body() {
  const auto is_crowded = [&](const auto& items) {
    degree_.assign(world_.bodies.size(), 0);
    int most = 0;
    for (const auto& item : items)
      for (const int body : item.body)
        if (body >= 0 && !is_resting(world_.bodies[static_cast<std::size_t>(body)]))
          most = std::max(most, ++degree_[static_cast<std::size_t>(body)]);
    return most > ContactLayout::most_colours;
  };
  return is_crowded(world_.contacts) || is_crowded(world_.rows);
}

const ContactLayout& DeviceProblem::layout() {
  layout_.set_threads(threads_);
  if (!laid_) layout_.set(world_, !compliance_.isZero(0.0), order_, threads_);
  laid_ = true;
  if (order_ == ContactOrder::colours && !layout_.has_colours())
    throw DeviceError(
        fmt::format("the contacts of the bodies need more than {} colours", ContactLayout::most_colours));
  return layout_;
}

ContactArrays DeviceProblem::matrix_arrays() {
  layout().copy_compliance(compliance_, laid_compliance_);
  ContactArrays arrays = layout_.arrays();
  arrays.compliance = laid_compliance_;
  return arrays;
}

ContactArrays DeviceProblem::arrays(const ProductSet& K, const Vector& b, const Vector& scale) {
  layout().copy_axes(K, friction_, axes_);
  load_.resize(static_cast<std::size_t>(layout_.size()));
  layout_.to_world(b, load_.data());
  scale_.resize(static_cast<std::size_t>(layout_.padded_contacts() + layout_.rows()));
  layout_.copy_first(scale, 1.0, scale_.data());
  layout_.copy_bounds(K, bounds_);
  ContactArrays arrays = matrix_arrays();
  arrays.axes = axes_;
  arrays.load = load_;
  arrays.scale = scale_;
  arrays.bounds = bounds_;
  return arrays;
}

}  // namespace slipstick::internal
