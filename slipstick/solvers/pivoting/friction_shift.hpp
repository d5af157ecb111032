// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"
#include "slipstick/solvers/common/active_set.hpp"

namespace slipstick::internal {

/// Adaptive regularization (Ho 2022, 5.4, Alg. 9): the diagonal entries of friction rows that go in and out
/// of the free set too often are shifted, which lets contacts slip a little and ends the back and forth. It
/// changes the problem, so a method drops the shift when it has found a set, and goes on from there.
class FrictionShift {
 public:
  void reset(const Problem& problem, const FrictionShiftSettings& settings);
  /// Counts the last pivots of `set` and calls add(row, amount) for each row that gets a shift; d is its
  /// diagonal.
  template <class Add>
  void count(const ActiveSet& set, const Vector& d, const Add& add);
  bool active() const { return active_; }
  /// Of all rows.
  const Vector& amounts() const { return amounts_; }
  /// No shifts from now on.
  void drop();
  /// Rows that have been shifted at some time.
  Index rows() const { return rows_; }
  /// Says in the message what was shifted.
  void describe(Result& result) const;

 private:
  FrictionShiftSettings settings_;
  bool enabled_ = false, active_ = false;
  std::vector<char> friction_;
  std::vector<int> pivots_, limit_;
  Vector amounts_;
  double largest_ = 0.0;  // relative to the diagonal
  Index rows_ = 0;
};

template <class Add>
void FrictionShift::count(const ActiveSet& set, const Vector& d, const Add& add) {
  if (!enabled_) return;
  for (const ActiveSet::Move& move : set.last_moves()) {
    const auto i = static_cast<std::size_t>(move.constraint);
    if (friction_[i] == 0 || ++pivots_[i] <= limit_[i] || set.place(move.constraint) != Place::between)
      continue;
    limit_[i] *= 2;
    rows_ += amounts_[move.constraint] == 0.0;
    const double amount = settings_.regularization * d[move.constraint];
    amounts_[move.constraint] += amount;
    largest_ = std::max(largest_, amounts_[move.constraint] / d[move.constraint]);
    active_ = true;
    add(static_cast<Index>(move.constraint), amount);
  }
}

}  // namespace slipstick::internal
