// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "slipstick/problems/packed_problem.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick {

/// What block principal pivoting with sets of rows as bits knows of the bounds of up to `most` rows, where it
/// starts, and the x of a set.
template <Index most>
class PivotRows {
 public:
  static constexpr Index most_rows = most;
  using Mask = std::uint32_t;  ///< bit i: row i
  /// Entries beyond the rows are 0.
  using Padded = PackedArray<most>;

  /// Starts with every row that may be at a bound, or with the set that x shows.
  void start() { start_ = {always_free_, 0}; }
  void start_at(const PackedProblem& problem, const Vector& x) {
    start();
    for (Index i = 0; i < problem.rows(); ++i) {
      const Mask bit = Mask{1} << i;
      if ((movable_ & bit) == 0) continue;
      if (x[i] > problem.lower()[i] && x[i] < problem.upper()[i]) start_.free |= bit;
      if ((two_sided_ & bit) != 0 && x[i] >= problem.upper()[i]) start_.upper |= bit;
    }
  }

  /// On K; of the set as it stands where a watch asks.
  const Padded& x() const { return x_; }
  /// How many sets the last solve went through.
  int sets() const { return sets_; }

 protected:
  struct Set {
    Mask free = 0;
    Mask upper = 0;  // rows with two bounds, at the upper one
  };
  struct Wrong {
    Mask rows = 0;
    Mask above = 0;  // those between their bounds that are beyond the upper one
  };

  // 1 to most rows. `scale` is the ruler's d, or near it.
  void load_bounds(const PackedProblem& problem, const double* scale) {
    assert(problem.rows() > 0 && problem.rows() <= most);
    always_free_ = movable_ = two_sided_ = 0;
    bool has_origin = false;
    origin_ = base_ = grace_ = x_ = {};
    for (Index i = 0; i < problem.rows(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Mask bit = Mask{1} << i;
      const double lower = problem.lower()[i], upper = problem.upper()[i];
      const bool has_lower = lower > -infinity, has_upper = upper < infinity;
      if (!has_lower && !has_upper) {
        always_free_ |= bit;
      } else if (lower < upper) {
        movable_ |= bit;
      }
      if (has_lower && has_upper && lower < upper) two_sided_ |= bit;
      origin_[k] = has_lower ? lower : has_upper ? upper : 0.0;
      has_origin = has_origin || origin_[k] != 0.0;
      grace_[k] = 1.0 / scale[k];
    }
    if (has_origin) problem.matrix().multiply_add(origin_.data(), base_.data(), base_.data());
  }

  // x of a set, y its x - origin in the free rows.
  template <int Packs>
  [[gnu::always_inline]] void recover(const PackedProblem& problem, Set set, const Pack (&y)[Packs]) {
    for (int r = 0; r < Packs; ++r) {
      const int i = r * static_cast<int>(pack_size);
      const Pack lower = load_pack(problem.lower() + i), upper = load_pack(problem.upper() + i);
      const Pack origin = pack_at(origin_, r);
      const Pack inside = smaller(larger(origin + y[r], lower), upper);
      const Pack tight = select(lanes_of(set.upper >> i), upper, origin);
      store_pack(x_.data() + i, select(lanes_of(set.free >> i), inside, tight));
    }
  }

  [[gnu::always_inline]] static Pack pack_at(const Padded& rows, int r) {
    return load_pack(rows.data() + r * pack_size);
  }

  Padded origin_ = {}, base_ = {};  // x where every row is at a bound that may be, and A times it
  Padded grace_ = {};               // 1 / d: x of free rows may be wrong by so much more than w of the others
  Mask always_free_ = 0, movable_ = 0, two_sided_ = 0;

  Set start_;
  Padded x_ = {};
  int sets_ = 0;
};

}  // namespace slipstick

#pragma GCC diagnostic pop
