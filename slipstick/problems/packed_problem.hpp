// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "slipstick/linalg/packed_matrix.hpp"

namespace slipstick {

/// All of a boxed problem of some rows but for b: a dense copy of A, and the bounds. Everything is padded to
/// whole packs, and the rows beyond are empty with x >= 0.
class PackedProblem {
 public:
  /// Allocates nothing for the same number of rows. Null instead of bounds stands for x >= 0.
  void load(const Operator& A, const double* lower, const double* upper);
  /// Whether it was loaded with that matrix and x >= 0.
  bool holds(const Operator& A) const { return orthant_ && matrix_.holds(A); }
  /// Whether it was loaded with that matrix and those bounds, as many as it has rows.
  bool holds(const Operator& A, const double* lower, const double* upper) const {
    if (!matrix_.holds(A)) return false;
    // Bit by bit: numbers that are not the same are not equal, or their sign does not matter.
    const auto same = [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    };
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows()); ++i) {
      if (!same(lower[i], lower_[i]) || !same(upper[i], upper_[i])) return false;
    }
    return true;
  }

  Index rows() const { return matrix_.rows(); }
  Index stride() const { return matrix_.stride(); }
  const PackedMatrix& matrix() const { return matrix_; }
  const double* lower() const { return lower_.data(); }
  const double* upper() const { return upper_.data(); }
  /// All rows are x >= 0.
  bool is_orthant() const { return orthant_; }
  /// All rows are x >= 0 or without bounds.
  bool is_mixed_orthant() const { return mixed_orthant_; }

 private:
  PackedMatrix matrix_;
  PackedVector lower_, upper_;
  bool orthant_ = false, mixed_orthant_ = false;
};

}  // namespace slipstick
