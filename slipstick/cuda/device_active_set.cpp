// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device_active_set.hpp"

#include <algorithm>

#include "slipstick/base/timer.hpp"
#include "slipstick/cuda/held_engine.hpp"

namespace slipstick::internal {
namespace {

constexpr Index most_entries = Index{1} << 26;  // limit of the entries of Y = L^-1 U: half a gigabyte

}  // namespace

int DeviceActiveSet::room(Index rows) const {
  return static_cast<int>(
      std::min<Index>({most_changes_, rows, most_entries / std::max<Index>(1, rows) + 1}));
}

std::string DeviceActiveSet::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, name_, {.sets = Needs::bounds, .symmetry = true});
      !reason.empty())
    return reason;
  if (std::string reason = explain_missing_device(name_); !reason.empty()) return reason;
  return band_.read(problem.A, room(problem.b.size()), name_);
}

void DeviceActiveSet::run(const Run& run) {
  const Timer timer;
  const auto forget = [&] {
    engine_.reset();
    forget_matrix();
  };
  const auto solve = [&] {
    if (device_ != run.settings.device) forget();
    device_ = run.settings.device;
    PrimalDualActiveSet::run(run);
  };
  run_on_device(run, solve, [&] {
    forget();
    run.start();
  });
  seconds_ = timer.seconds();
}

void DeviceActiveSet::take_matrix() {
  if (engine_ == nullptr) engine_ = std::make_unique<BandEngine>();
  band_.upload(*engine_);
  const auto rows = static_cast<std::size_t>(band_.shape().rows);
  from_.resize(rows);
  to_.resize(rows);
  inside_of_band_.resize(rows);
}

void DeviceActiveSet::multiply_matrix(ConstVectorView z, VectorView product, int /*threads*/) {
  band_.to_band(z.data(), from_.data());
  engine_->multiply(from_.data(), to_.data());
  band_.from_band(to_.data(), product.data());
  product += matrix().shift().cwiseProduct(z);
}

bool DeviceActiveSet::factorize_on_device(const std::vector<char>& inside) {
  const Timer timer;
  band_.to_band(inside.data(), inside_of_band_.data());
  const bool shifted = !matrix().shift().isZero(0.0);
  if (shifted) band_.to_band(matrix().shift().data(), from_.data());
  const int failed = engine_->factorize(inside_of_band_.data(), shifted ? from_.data() : nullptr);
  ++count().factorizations;
  count().factor_seconds += timer.seconds();
  return failed < 0;
}

void DeviceActiveSet::solve_on_device(VectorView r) {
  const Timer timer;
  band_.to_band(r.data(), from_.data());
  engine_->solve(from_.data(), 1);
  band_.from_band(from_.data(), r.data());
  ++count().solves;
  count().solve_seconds += timer.seconds();
}

}  // namespace slipstick::internal
