// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipstick/cuda/band_engine.hpp"
#include "slipstick/cuda/body_band_layout.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

/// A symmetric matrix as the device takes it: a band. Other storages than bands are put in the order of the
/// host's band solvers (narrow_order). Keeps the order while the matrix stays the same.
class DeviceBand {
 public:
  /// Empty, or why the device does not take A with room for so many columns of a complement, as "METHOD needs
  /// ...".
  std::string read(const Operator& A, int columns, std::string_view method);

  const BandShape& shape() const { return shape_; }
  /// The row of the band for a row of A.
  int place(Index row) const {
    return place_.empty() ? static_cast<int>(row) : place_[static_cast<std::size_t>(row)];
  }
  /// Copies the matrix of the last read() to the device.
  void upload(BandEngine& engine);
  /// From the order of A to that of the band, and back.
  template <class T>
  void to_band(const T* from, T* to) const {
    for (Index row = 0; row < shape_.rows; ++row) to[place(row)] = from[row];
  }
  void from_band(const double* from, double* to) const {
    for (Index row = 0; row < shape_.rows; ++row) to[row] = from[place(row)];
  }

 private:
  std::string explain(const Operator& A, int columns);

  Operator seen_;
  bool known_ = false;
  int columns_ = 0;
  std::string reason_;
  BandShape shape_;
  BodyBandLayout bodies_;
  std::vector<int> place_;  // empty: the order of A
};

}  // namespace slipstick::internal
