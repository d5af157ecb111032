// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "slipstick/measures/packed_ruler.hpp"
#include "slipstick/solvers/pivoting/pivot_watch.hpp"
#include "tests/solvers/box_cases.hpp"

namespace slipstick::testing {

/// TinyPivoting or SweepPivoting with all that it stands on.
template <class Method>
class PackedPivoting {
 public:
  explicit PackedPivoting(const Problem& problem) { load(problem); }

  void load(const Problem& problem) {
    const bool other = !packed_.matrix().holds(problem.A);
    packed_.load(problem.A, problem.K.lower().data(), problem.K.upper().data());
    ruler_.prepare(packed_, problem.symmetric);
    if constexpr (requires { pivoting_.load(packed_, ruler_.scale(), other); }) {
      pivoting_.load(packed_, ruler_.scale(), other);
    } else {
      pivoting_.load(packed_, ruler_.scale());
    }
  }
  /// `size` is what the method asks for beside b: its norm, or the slack.
  PivotEnd solve(const Vector& b, double size, const Vector* start, PivotWatch* watch) {
    typename Method::Padded padded = {};
    std::copy_n(b.data(), b.size(), padded.data());
    if (start != nullptr) {
      pivoting_.start_at(packed_, *start);
    } else {
      pivoting_.start();
    }
    return pivoting_.solve(packed_, padded.data(), size, 3, watch);
  }
  Vector x() const { return Vector::Map(pivoting_.x().data(), packed_.rows()); }
  int sets() const { return pivoting_.sets(); }
  bool padded_with_zeros() const {
    return std::all_of(pivoting_.x().begin() + packed_.rows(), pivoting_.x().begin() + packed_.stride(),
                       [](double x) { return x == 0.0; });
  }

 private:
  PackedProblem packed_;
  PackedRuler ruler_;
  Method pivoting_;
};

/// One problem after another through the object given.
void expect_answer(auto& pivoting, const Problem& problem, const Vector& x, double accuracy) {
  pivoting.load(problem);
  EXPECT_EQ(pivoting.solve(problem.b), PivotEnd::found);
  EXPECT_LE((pivoting.x() - x).norm(), accuracy * (1.0 + x.norm())) << pivoting.x().transpose();
  EXPECT_TRUE(pivoting.padded_with_zeros());
}

template <class Pivoting>
void expect_closed_forms() {
  Pivoting kept(box_cases::one_row(1, 1, 0, infinity));
  for (const box_cases::Case& c : box_cases::closed_forms()) {
    SCOPED_TRACE(c.name);
    // Only a jump from bound to bound solves that one.
    if (c.x.size() == 0 || c.name == "one row, empty, b < 0") continue;
    Pivoting fresh(c.problem);
    expect_answer(fresh, c.problem, c.x, 1e-12);
    expect_answer(kept, c.problem, c.x, 1e-12);
  }
}

template <class Pivoting>
void expect_no_answer_from_nan() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Pivoting load(box_cases::lcp(mat({{2, 1}, {1, 2}}), vec({1, 1})));
  EXPECT_EQ(load.solve(vec({nan, 1})), PivotEnd::nowhere);
  EXPECT_EQ(load.solve(vec({-1, nan})), PivotEnd::nowhere);
  Pivoting matrix(box_cases::lcp(mat({{nan, 1}, {1, 2}}), vec({-1, -1})));
  EXPECT_EQ(matrix.solve(vec({-1, -1})), PivotEnd::nowhere);
}

/// Interrupts after so many calls.
struct CountingWatch final : PivotWatch {
  explicit CountingWatch(int calls) : left(calls) {}
  bool interrupts() override { return left-- == 0; }
  int left;
};

}  // namespace slipstick::testing
