// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// factor * x[unknown]
struct QpTerm {
  Index unknown;
  double factor;
};
using QpTerms = std::vector<QpTerm>;

/// A convex QP with linear rows, written down term by term. Terms of one unknown add up.
class QpBuilder {
 public:
  explicit QpBuilder(Index unknowns, double lower = -infinity, double upper = infinity);

  void set_bounds(Index unknown, double lower, double upper);
  void add_linear(Index unknown, double factor);
  /// Adds weight/2 (terms - target)^2 to the objective.
  void add_square(double weight, const QpTerms& terms, double target = 0.0);
  void add_row(const QpTerms& terms, double lower, double upper);
  void add_equality(const QpTerms& terms, double value) { add_row(terms, value, value); }

  Problem finish() const;

 private:
  Vector b_;
  Vector lower_;
  Vector upper_;
  double constant_ = 0.0;
  std::vector<Triplet> quadratic_;
  std::vector<Triplet> rows_;
  std::vector<double> row_lower_;
  std::vector<double> row_upper_;
};

}  // namespace slipstick::internal
