// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/cuda/band_shape.hpp"
#include "slipstick/cuda/body_band.hpp"
#include "slipstick/linalg/delassus_operator.hpp"

namespace slipstick::internal {

/// Puts the rows of J M^-1 J' + C in an order with a narrow band, without assembling the matrix: the order is
/// that of the graph of constraints that share a body. Works without a device.
class BodyBandLayout {
 public:
  void set(const DelassusOperator& A);

  /// The row of the band for each row of A.
  const std::vector<int>& places() const { return place_; }
  int bandwidth() const { return bandwidth_; }
  /// Plain numbers of A, which is that of set(). Valid until the next call.
  BodyBand numbers(const DelassusOperator& A);

 private:
  std::vector<BodyBand::Constraint> constraints_;
  std::vector<BodyBand::Pair> pairs_;
  std::vector<int> place_;
  std::vector<double> jacobian_, compliance_;
  int bandwidth_ = 0;
  int most_rows_ = 0;
};

}  // namespace slipstick::internal
