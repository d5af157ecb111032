// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "slipstick/linalg/pack.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick::internal {

/// The d rows of one contact in a pack. The pack has d lanes or one more.
template <int d>
struct ContactLanes;

template <>
struct ContactLanes<2> {
  using Pack [[gnu::vector_size(2 * sizeof(double))]] = double;
  static constexpr int lanes = 2;
  /// All lanes.
  [[gnu::always_inline]] static Pack load(const double* from) {
    Pack value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  /// Only the rows.
  [[gnu::always_inline]] static Pack load_rows(const double* from) { return load(from); }
  [[gnu::always_inline]] static void store(double* to, Pack value) { std::memcpy(to, &value, sizeof value); }
};

template <>
struct ContactLanes<3> {
  using Pack = internal::Pack;
  static constexpr int lanes = pack_size;
  [[gnu::always_inline]] static Pack load(const double* from) { return load_pack(from); }
  [[gnu::always_inline]] static Pack load_rows(const double* from) { return load_three(from); }
  [[gnu::always_inline]] static void store(double* to, Pack value) { store_pack(to, value); }
};

}  // namespace slipstick::internal

#pragma GCC diagnostic pop
