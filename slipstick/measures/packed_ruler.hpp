// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/packed_problem.hpp"

namespace slipstick {

/// measure() of measures.hpp for boxed problems of some rows, in one pass over packs of rows: they are
/// measured as fast as they are solved. What depends on the matrix and the bounds is kept.
class PackedRuler {
 public:
  /// Whether A is symmetric is what an objective takes.
  void prepare(const PackedProblem& problem, bool symmetric);
  /// The ruler's d_i, padded with ones.
  const double* scale() const { return scale_.data(); }

  /// w = A x + b and all measures of the problem that it was prepared for, which has rows; `norm` = ||b||,
  /// whose square is neither too large nor too small for a number. x, b and w have stride() entries, and x
  /// and b are 0 beyond the rows.
  void measure(const PackedProblem& problem, const double* x, const double* b, double norm, double* w,
               Measures& measures) const;
  /// The same, but of the measures the scaled natural map alone.
  double judge(const PackedProblem& problem, const double* x, const double* b, double norm, double* w) const;

 private:
  enum class Kind { box, mixed_orthant, orthant };
  struct Sums;
  template <bool bounds_above>
  double judge_rows(const PackedProblem& problem, const double* x, const double* b, double* w) const;
  template <Kind kind, bool one_pack>
  void measure_packs(const PackedProblem& problem, const double* x, const double* b, double norm,
                     const double* w, Measures& m) const;
  template <Kind kind>
  Sums sums_of_pack(const PackedProblem& problem, Index i, const double* x, const double* b,
                    const double* w) const;

  // Padded with rows that are always right.
  PackedVector scale_, half_inverse_scale_;
  PackedVector far_below_, far_above_;  // the bound that w > 0 points away from, and that of w <= 0
  PackedVector moving_;                 // 0 where both bounds are equal
  PackedVector bounded_;                // 0 where there is none
  double mean_ = 1.0;                   // of the d
  double share_ = 0.0;                  // 1 / rows
  bool symmetric_ = false;
};

}  // namespace slipstick
