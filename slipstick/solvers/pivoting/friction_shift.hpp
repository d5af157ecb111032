// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"
#include "slipstick/solvers/common/active_set.hpp"

namespace slipstick::internal {

/// Adaptive regularization (Ho 2022, 5.4, Alg. 9). It shifts the diagonal entries of friction rows that enter
/// and leave the free set too often. The shift lets contacts slip a little and stops these changes. It
/// changes the problem. A method therefore drops the shift when it has found a set, and continues from that
/// set.
class FrictionShift {
 public:
  void reset(const Problem& problem, const FrictionShiftSettings& settings);
  /// Counts the last pivots of `set` and calls add(row, amount) for each row that gets a shift. d is the
  /// diagonal.
  template <class Add>
  void count(const ActiveSet& set, const Vector& d, const Add& add);
  bool active() const { return active_; }
  /// The shifts of all rows.
  const Vector& amounts() const { return amounts_; }
  /// No shifts from now on.
  void drop();
  /// Number of rows that were shifted at any time.
  Index rows() const { return rows_; }
  /// Describes the shifts in the message.
  void describe(Result& result) const;

 private:
  FrictionShiftSettings settings_;
  bool enabled_ = false, active_ = false;
  std::vector<char> friction_;
  std::vector<int> pivots_, limit_;
  Vector amounts_;
  double largest_ = 0.0;  // largest shift, relative to the diagonal
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
