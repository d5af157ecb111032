// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/qp_builder.hpp"

#include <memory>

namespace slipstick::internal {

QpBuilder::QpBuilder(Index unknowns, double lower, double upper)
    : b_(Vector::Zero(unknowns)),
      lower_(Vector::Constant(unknowns, lower)),
      upper_(Vector::Constant(unknowns, upper)) {}

void QpBuilder::set_bounds(Index unknown, double lower, double upper) {
  lower_[unknown] = lower;
  upper_[unknown] = upper;
}

void QpBuilder::add_linear(Index unknown, double factor) {
  b_[unknown] += factor;
}

void QpBuilder::add_square(double weight, const QpTerms& terms, double target) {
  for (const QpTerm& row : terms) {
    for (const QpTerm& column : terms) {
      quadratic_.push_back({static_cast<int>(row.unknown), static_cast<int>(column.unknown),
                            weight * (row.factor * column.factor)});
    }
    b_[row.unknown] -= weight * target * row.factor;
  }
  constant_ += 0.5 * weight * target * target;
}

void QpBuilder::add_row(const QpTerms& terms, double lower, double upper) {
  const int row = static_cast<int>(row_lower_.size());
  for (const QpTerm& term : terms) rows_.push_back({row, static_cast<int>(term.unknown), term.factor});
  row_lower_.push_back(lower);
  row_upper_.push_back(upper);
}

Problem QpBuilder::finish() const {
  const Index n = b_.size();
  const auto m = static_cast<Index>(row_lower_.size());
  Problem problem;
  problem.A = csr_from_triplets(n, n, quadratic_);
  problem.b = b_;
  problem.K = ProductSet::box(lower_, upper_);
  problem.constant = constant_;
  if (m > 0) {
    problem.rows = LinearRows{.G = std::make_shared<const CsrMatrix>(csr_from_triplets(m, n, rows_)),
                              .lower = Eigen::Map<const Vector>(row_lower_.data(), m),
                              .upper = Eigen::Map<const Vector>(row_upper_.data(), m)};
  }
  return problem;
}

}  // namespace slipstick::internal
