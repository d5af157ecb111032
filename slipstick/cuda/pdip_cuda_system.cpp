// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/pdip_cuda_system.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "slipstick/base/random.hpp"
#include "slipstick/cuda/spike_jobs.hpp"

namespace slipstick::internal {
namespace {

// Numbers of the vectors that are not BiCGStab's.
constexpr int right_side_vector = NewtonEngine::vectors - 1;
constexpr int solution_vector = NewtonEngine::vectors - 2;

}  // namespace

void DeviceSpace::resize(Vector& v, Index n) {
  if (v.number < 0) v.number = taken_++;
  assert(v.number < solution_vector);
  random_.resize(static_cast<std::size_t>(n));
}

void DeviceSpace::randomize(Vector& v, int seed) {
  Random random(static_cast<std::uint64_t>(seed));
  for (double& value : random_) value = random.uniform(-1.0, 1.0);
  engine_->copy_to_device(random_.data(), v.number);
}

void PdipCudaSystem::reset() {
  engine_.reset();
  bicgstab_ = BicgstabIn<DeviceSpace>();
  sent_version_ = 0;
  has_factors_ = false;
}

SpikeRequest PdipCudaSystem::request() const {
  const SpikeSettings& spike = settings_.spike;
  const BandedPreconditioner& order = preconditioner();
  // Zeros up to a whole tile cost nothing, and the size on the device stays the same if the band varies.
  const Index whole = (order.half_bandwidth() + tile_rows - 1) / tile_rows * tile_rows;
  return {.rows = static_cast<int>(order.rows()),
          .half_bandwidth = static_cast<int>(
              std::max(order.half_bandwidth(), std::min(whole, settings_.drop_off.max_half_bandwidth))),
          .partitions = spike.partitions,
          .truncated = spike.truncated,
          .symmetric = spike.symmetric,
          .pivot_threshold = spike.pivot_threshold};
}

bool PdipCudaSystem::factorize_preconditioner(const CsrMatrix& matrix, const BarrierTerms& terms) {
  BandedPreconditioner& order = preconditioner();
  order.arrange(matrix);
  if (engine_ == nullptr) {
    engine_ = std::make_unique<NewtonEngine>();
    bicgstab_ = BicgstabIn<DeviceSpace>(DeviceSpace(engine_.get()));
  }
  if (sent_version_ != version() || sent_bodies_ != on_bodies() || sent_analyses_ != order.analyses())
    send_pattern(matrix);
  const double* const band = order.arranged().valuePtr();
  SpikeOutcome outcome;
  if (on_bodies()) {
    list_blocks(terms);
    outcome = engine_->factorize(request(), band, bodies().unit().data(), frames_.data(), inverses_.data(),
                                 terms.squares.data());
  } else {
    outcome = engine_->factorize(request(), band, contacts().unit().data(), matrix.valuePtr());
  }
  has_factors_ = true;
  return outcome.usable();
}

void PdipCudaSystem::send_pattern(const CsrMatrix& matrix) {
  const BandedPreconditioner& order = preconditioner();
  sent_version_ = 0;
  const CsrMatrix& band = order.arranged();
  row_of_entry_.clear();
  for (int i = 0; i < static_cast<int>(band.rows()); ++i)
    row_of_entry_.insert(row_of_entry_.end(),
                         static_cast<std::size_t>(band.outerIndexPtr()[i + 1] - band.outerIndexPtr()[i]), i);
  place_.resize(static_cast<std::size_t>(band.rows()));
  for (std::size_t i = 0; i < place_.size(); ++i) place_[order.column_order()[i]] = static_cast<int>(i);
  const NewtonOrder on_device{.rows = static_cast<int>(band.rows()),
                              .entries = row_of_entry_.size(),
                              .row = row_of_entry_.data(),
                              .column = band.innerIndexPtr(),
                              .place = place_.data()};
  if (on_bodies()) {
    send_bodies(on_device);
  } else {
    engine_->set(NewtonContacts{.unknowns = static_cast<int>(matrix.rows()),
                                .row_start = matrix.outerIndexPtr(),
                                .column = matrix.innerIndexPtr()},
                 on_device);
  }
  sent_bodies_ = on_bodies();
  sent_analyses_ = order.analyses();
  sent_version_ = version();
}

void PdipCudaSystem::send_bodies(const NewtonOrder& order) {
  const BodyMatrix& from = bodies();
  const auto blocks = static_cast<int>(from.blocks().size());
  block_start_.clear();
  for (const ConeUnknowns::Block& block : from.blocks()) block_start_.push_back(block.start);
  block_start_.push_back(blocks > 0 ? from.blocks().back().start + from.blocks().back().size : 0);
  touch_start_.assign(from.touch_start().begin(), from.touch_start().end());
  const std::vector<int>& touches = from.touches();
  // Bodies list their touches in ascending order.
  body_start_.assign(static_cast<std::size_t>(from.bodies()) + 1, 0);
  for (const int body : touches) ++body_start_[body + 1];
  std::partial_sum(body_start_.begin(), body_start_.end(), body_start_.begin());
  touch_of_body_.resize(touches.size());
  block_of_touch_.resize(touches.size());
  std::vector<int> next(body_start_.begin(), body_start_.end() - 1);
  for (int block = 0; block < blocks; ++block) {
    for (int touch = touch_start_[block]; touch < touch_start_[block + 1]; ++touch) {
      block_of_touch_[touch] = block;
      touch_of_body_[next[touches[touch]]++] = touch;
    }
  }
  engine_->set(NewtonBodies{.unknowns = block_start_.back(),
                            .blocks = blocks,
                            .bodies = from.bodies(),
                            .dofs = from.dofs(),
                            .block_start = block_start_.data(),
                            .touch_start = touch_start_.data(),
                            .body = touches.data(),
                            .body_start = body_start_.data(),
                            .touch_of_body = touch_of_body_.data(),
                            .block_of_touch = block_of_touch_.data(),
                            .jacobian = from.jacobian().data(),
                            .compliance = from.compliance().data()->data()},
               order);
}

// Q and (Q'S C S Q + diag(l^2))^-1 of every block.
void PdipCudaSystem::list_blocks(const BarrierTerms& terms) {
  const auto& blocks = bodies().blocks();
  frames_.resize(9 * blocks.size());
  inverses_.resize(9 * blocks.size());
  for (std::size_t b = 0, cone = 0; b < blocks.size(); ++b) {
    Eigen::Map<Eigen::Matrix3d> frame(frames_.data() + 9 * b), inverse(inverses_.data() + 9 * b);
    frame.setIdentity();
    if (blocks[b].size > 1) frame = terms.frames[cone++];
    const Eigen::Matrix3d& factor = bodies().inverse_factors()[b];
    inverse.noalias() = factor.transpose() * factor;
  }
}

KrylovOutcome PdipCudaSystem::iterate(const Equation& equation, const BicgstabSettings& settings, Vector& v,
                                      Index& products) {
  const DeviceSpace::Vector b{right_side_vector};
  DeviceSpace::Vector x{solution_vector};
  engine_->copy_to_device(equation.right_side.data(), b.number);
  engine_->copy_to_device(v.data(), x.number);
  const auto apply = [&](const DeviceSpace::Vector& from, DeviceSpace::Vector& to) {
    engine_->multiply(from.number, to.number);
    ++products;
  };
  const auto apply_inverse = [&](const DeviceSpace::Vector& from, DeviceSpace::Vector& to) {
    engine_->precondition(from.number, to.number);
  };
  const KrylovOutcome outcome = bicgstab_.solve(v.size(), apply, b, x, settings, apply_inverse, KeepGoing{});
  engine_->copy_to_host(x.number, v.data());
  return outcome;
}

}  // namespace slipstick::internal
