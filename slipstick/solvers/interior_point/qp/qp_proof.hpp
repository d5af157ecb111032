// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "slipstick/problem.hpp"
#include "slipstick/solvers/interior_point/qp/qp_path.hpp"
#include "slipstick/solvers/interior_point/qp/qp_reduction.hpp"
#include "slipstick/solvers/interior_point/qp/qp_scaling.hpp"
#include "slipstick/solvers/interior_point/qp/qp_system.hpp"

namespace slipstick::internal {

/// Proofs that a convex QP has no solution. Both are answers of QPs that always have one.
class QpProof {
 public:
  /// Called before every iteration. If it returns false, the search ends.
  using GoOn = std::function<bool()>;

  /// Searches multipliers of rows that no x in K meets. They are those of the elastic problem:
  ///     minimize 1/2 y'y  over  x in K,  lower <= G x + y <= upper.
  bool find_contradiction(const Problem& problem, const CsrMatrix& a, const GoOn& go_on, Vector& farkas);
  /// Searches a direction along which the objective falls without end. It is the one nearest to -b:
  ///     minimize 1/2 ||d + b||^2  over the directions of K and of the rows,  A d = 0.
  bool find_direction(const Problem& problem, const CsrMatrix& a, const GoOn& go_on, Vector& ray);

  std::int64_t factorizations() const { return factorizations_; }

 private:
  bool follow(const GoOn& go_on, const std::function<bool()>& proves);

  QpReduction reduction_;
  QpScaling scaling_;
  StandardQp qp_;
  QpSystem system_;
  QpPath path_;
  std::int64_t factorizations_ = 0;
};

}  // namespace slipstick::internal
