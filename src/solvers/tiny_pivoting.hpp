// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>

#include "slipstick/linalg/packed_matrix.hpp"
#include "slipstick/problems/problem.hpp"
#include "slipstick/solvers/basis_table.hpp"

namespace slipstick {

/// Block principal pivoting on a boxed problem of a handful of rows, A any matrix, with sets of rows as bits
/// and the inverses of a BasisTable: where A and the bounds have been there before, a solve takes some
/// hundred instructions. See DensePivoting for the method. Where pivots lead nowhere and no more than six
/// rows can move, from one bound each, all sets are tried.
class TinyPivoting {
 public:
  static constexpr Index most_rows = BasisTable::most_rows;
  using Mask = BasisTable::Mask;
  /// Entries beyond the rows are finite.
  using Padded = std::array<double, static_cast<std::size_t>(most_rows)>;
  enum class End { found, nowhere, interrupted };

  /// Whether it is loaded with that matrix and those bounds.
  bool holds(const Operator& A, const double* lower, const double* upper) const;
  /// At most most_rows rows. `scale` is the ruler's d.
  void load(const Problem& problem, std::span<const double> scale);

  /// Starts with every row that may be at a bound, or with the set that x shows.
  void start();
  void start_at(const Vector& x);
  /// Pivots for b, whose norm is given; `interrupted` is asked before every set. x() is the answer where it
  /// ends well, and else that of the last set.
  template <class Interrupted>
  End solve(const Padded& b, double norm, int patience, const Interrupted& interrupted);

  /// On K.
  const Padded& x() const { return x_; }
  /// x() of the set as it stands.
  void recover();
  Index rows() const { return matrix_.rows(); }

 private:
  struct Wrong {
    Mask rows = 0;
    Mask above = 0;  // those between their bounds that are beyond the upper one
  };
  template <class Interrupted>
  End try_all_sets(const Padded& b, double slack, const Interrupted& interrupted);
  bool solve_set(const Padded& q);
  Wrong find_wrong_rows(double slack) const;

  // Of the matrix and the bounds.
  PackedMatrix matrix_;
  BasisTable table_;
  Padded lower_ = {}, upper_ = {}, origin_ = {}, base_ = {};  // base: A times the origin
  Padded sign_ = {};                                          // -1 where the only bound is above
  Padded grace_ = {};  // x of free rows may be wrong by so much more than w of the others
  Mask always_free_ = 0, movable_ = 0, two_sided_ = 0;
  bool has_origin_ = false;

  // Of the set: y is x - origin in the free rows and w in the others.
  Mask free_ = 0;
  Mask upper_set_ = 0;  // rows with two bounds, at the upper one
  Padded q_ = {}, y_ = {}, x_ = {};
};

// Judice and Pires 1994.
template <class Interrupted>
TinyPivoting::End TinyPivoting::solve(const Padded& b, double norm, int patience,
                                      const Interrupted& interrupted) {
  constexpr double rounding = 1e-13;
  const double slack = rounding * norm;
  int least = most_rows + 1, left_patience = patience;
  // A matrix that is not a P-matrix may lead in circles.
  int left = 8 + 4 * std::popcount(movable_);
  const Padded* q = &b;
  if (has_origin_) {
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = b[i] + base_[i];
    q = &q_;
  }
  for (; left > 0; --left) {
    if (interrupted()) {
      recover();
      return End::interrupted;
    }
    if (!solve_set(*q)) break;
    Wrong wrong = find_wrong_rows(slack);
    if (wrong.rows == 0) {
      recover();
      return End::found;
    }
    const int count = std::popcount(wrong.rows);
    if (count < least) {
      least = count;
      left_patience = patience;
    } else if (--left_patience < 0) {
      wrong.rows &= -wrong.rows;
    }
    free_ ^= wrong.rows;
    upper_set_ = (upper_set_ & ~wrong.rows) | (wrong.above & wrong.rows);
  }
  return try_all_sets(*q, slack, interrupted);
}

// In the order of the binary numbers.
template <class Interrupted>
TinyPivoting::End TinyPivoting::try_all_sets(const Padded& q, double slack, const Interrupted& interrupted) {
  constexpr int most_rows_to_try = 6;
  if (two_sided_ == 0 && std::popcount(movable_) <= most_rows_to_try) {
    Mask set = 0;
    do {
      free_ = always_free_ | set;
      if (interrupted()) {
        recover();
        return End::interrupted;
      }
      if (solve_set(q) && find_wrong_rows(slack).rows == 0) {
        recover();
        return End::found;
      }
      set = (set - movable_) & movable_;  // the next subset of the movable rows
    } while (set != 0);
  }
  recover();
  return End::nowhere;
}

}  // namespace slipstick
