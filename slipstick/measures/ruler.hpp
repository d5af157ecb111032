// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// The ruler, prepared once per problem so that judging an iterate costs O(rows) and allocates nothing, and
/// preparing again for the same sizes neither.
///
/// Scaled natural map: d_i = mean diagonal of the row's block of A (1 if that is not positive), e_i = x_i -
/// P(x_i - w_i / d_i), error = ||(d_i e_i)|| / ||b||, with 0/0 = 0. If b = 0 and K does not contain the
/// origin, ||b|| is replaced by ||A P_K(0)||. Linear rows g = G x with multipliers y enter with rho_i = g_i -
/// clamp(g_i - delta_i y_i), delta_i = sum_j G_ij^2 / d_j, weighted by ||G_i|| / delta_i. This is d_i e_i if
/// G is the identity. ||b|| then includes the distances of the rows from the origin, with the same weights.
/// If all of these are zero, it includes their distances from P_K(0). A NaN or an infinity in x, w or y makes
/// the error NaN.
class Ruler {
 public:
  /// Keeps a pointer to the problem.
  void prepare(const Problem& problem);
  /// w = A x + b (minus G'y if there are linear rows).
  double operator()(ConstVectorView x, ConstVectorView w) const;
  double operator()(ConstVectorView x, ConstVectorView w, ConstVectorView multipliers) const;
  /// The same in parts, for methods that go through memory once. share() is the share of consecutive blocks
  /// of K, and error_of() the error from the sum of all shares.
  double share(std::span<const SetBlock> blocks, ConstVectorView x, ConstVectorView w) const;
  double error_of(double shares) const {
    return norm_ > 0.0 || !(shares > 0.0) ? std::sqrt(shares) : std::numeric_limits<double>::infinity();
  }
  /// ||d (x - P(x - w / d))|| with one d for all rows of K; x and w are finite.
  double natural_map(ConstVectorView x, ConstVectorView w, double d) const;
  /// The d_i.
  const Vector& scale() const { return scale_; }
  /// The diagonal of A.
  const Vector& diagonal() const { return diagonal_; }
  /// Per linear row: ||G_i||, and ||G_i|| / sum_j G_ij^2 / d_j; 1 for empty rows.
  const Vector& row_length() const { return row_length_; }
  const Vector& row_weight() const { return row_weight_; }
  /// What the error is divided by; 0 means that only an exact zero is solved.
  double norm() const { return norm_; }

 private:
  void prepare_rows(const LinearRows& rows);
  double distance_of_rows(const LinearRows& rows, const Vector& x);
  // Errors are divided by the norm before they are squared, so that units do not matter.
  double weight() const { return norm_ > 0.0 ? 1.0 / norm_ : 1.0; }

  const Problem* problem_ = nullptr;
  Vector scale_, diagonal_;
  Vector row_length_;  // ||G_i||
  Vector row_weight_;  // ||G_i|| / delta_i
  double norm_ = 0.0;
  Vector nearest_;           // P_K(0)
  Vector shifted_;           // A P_K(0)
  mutable Vector block_;     // scratch of one block
  mutable Vector activity_;  // scratch: G x
  mutable Vector constant_;  // scratch: one d for all rows
};

}  // namespace slipstick::internal
