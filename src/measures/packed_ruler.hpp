// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/packed_matrix.hpp"
#include "slipstick/measures/measures.hpp"

namespace slipstick {

/// measure() of measures.hpp for boxed problems of a few rows, in one pass over packs of rows: they are
/// measured as fast as they are solved. What depends on the matrix and the bounds is kept.
class PackedRuler {
 public:
  /// A box, without linear rows.
  void prepare(const Problem& problem);
  /// Whether it was prepared for that matrix and those bounds.
  bool holds(const Operator& A, const double* lower, const double* upper) const {
    if (!holds(A)) return false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows()); ++i) {
      if (lower[i] != lower_[i] || upper[i] != upper_[i]) return false;
    }
    return true;
  }
  bool holds(const Operator& A) const { return matrix_.holds(A); }
  /// The ruler's d_i, padded with ones.
  const std::vector<double>& scale() const { return scale_; }
  /// The bounds are x >= 0.
  bool is_orthant() const { return orthant_; }

  Index rows() const { return matrix_.rows(); }
  Index stride() const { return matrix_.stride(); }
  /// w = A x + b and all measures, `norm` = ||b|| > 0. x, b and w have stride() entries, but at least
  /// one pack; x and b are 0 beyond rows().
  void measure(const double* x, const double* b, double norm, double* w, Measures& measures) const;

 private:
  // What the packs of rows add up to.
  struct Sums;
  template <bool mixed>
  void measure_packs(const double* x, const double* b, double norm, const double* w, Measures& m) const;
  template <bool mixed>
  void add_pack(Index i, const double* x, const double* b, const double* w, double weight, Sums& s) const;

  PackedMatrix matrix_;
  // Padded with rows that are always right.
  std::vector<double> lower_, upper_, scale_, half_inverse_scale_;
  std::vector<double> far_below_, far_above_;  // the bound that w > 0 points away from, and that of w <= 0
  std::vector<double> moving_;                 // 0 where both bounds are equal
  std::vector<double> bounded_;                // 0 where there is none
  double mean_ = 1.0;                          // of the d
  double share_ = 0.0;                         // 1 / rows
  double constant_ = 0.0;
  bool symmetric_ = false, orthant_ = false, mixed_orthant_ = false;
};

}  // namespace slipstick
