// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/device_complement.hpp"

namespace slipstick::internal {

void DeviceComplement::reset(BandEngine& engine, const DeviceBand& band, Index most) {
  engine_ = &engine;
  band_ = &band;
  forget_changes(band.shape().rows, most);
  const auto count = static_cast<std::size_t>(most);
  changes_of_band_.reserve(count);
  pi_.reserve(count);
  of_band_.resize(static_cast<std::size_t>(band.shape().rows));
}

void DeviceComplement::move_column(Index from, Index to) {
  engine_->move_column(static_cast<int>(from), static_cast<int>(to));
}

void DeviceComplement::extend(Index first, ConstVectorView r, DenseMatrix& complement, VectorView s) {
  const Index n = changes(), added = n - first;
  solves_ += added + 1;
  changes_of_band_.clear();
  for (Index c = 0; c < n; ++c) {
    const int row = band_->place(index(c));
    changes_of_band_.push_back(entered(c) ? row : ~row);
  }
  products_.resize(static_cast<std::size_t>(n * (added + 1)));
  band_->to_band(r.data(), of_band_.data());
  engine_->extend(changes_of_band_, static_cast<int>(first), of_band_.data(), products_.data());
  const Eigen::Map<const DenseMatrix> products(products_.data(), n, added + 1);
  for (Index a = 0; a < added; ++a) complement.col(first + a).head(n) = products.col(a);
  s -= products.col(added);
}

void DeviceComplement::correct(ConstVectorView pi, VectorView x) {
  pi_.assign(pi.begin(), pi.end());
  engine_->correct(pi_, of_band_.data());
  band_->from_band(of_band_.data(), x.data());
}

}  // namespace slipstick::internal
