// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/condense.hpp"

#include <Eigen/SparseCholesky>

#include "slipstick/base/error.hpp"
#include "slipstick/problems/convert_delassus.hpp"

namespace slipstick {

using CscMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

struct CondensedProblem::Factor {
  Eigen::SimplicialLDLT<CscMatrix> ldlt;
};

CondensedProblem::CondensedProblem(const GlobalContactProblem& problem)
    : problem_(&problem), factor_(std::make_unique<Factor>()) {
  factor_->ldlt.compute(CscMatrix(problem.M));
  const auto pivots = factor_->ldlt.vectorD();
  for (Index i = 0; i < pivots.size(); ++i) {
    if (factor_->ldlt.info() != Eigen::Success || !(pivots[i] > 0.0)) {
      const auto& order = factor_->ldlt.permutationPinv().indices();
      const Index row = order.size() > 0 ? Index{order[i]} : i;
      fail("the mass matrix M is not positive definite: pivot {} at row {}", pivots[i], row);
    }
  }
  local_.dimension = problem.dimension;
  local_.mu = problem.mu;
  const Vector free_velocity = problem.f.size() > 0 ? Vector(factor_->ldlt.solve(problem.f)) : Vector();
  local_.q = problem.H.transpose() * free_velocity + problem.w;

  const CscMatrix H(problem.H);
  if (auto graph = problem.bilateral ? std::nullopt : body_graph(problem)) {
    local_.W = Operator(std::move(*graph));
  } else {
    const CscMatrix response = factor_->ldlt.solve(H);
    local_.W = Operator(symmetric_part(CsrMatrix(H.transpose() * response)));
  }
  if (problem.bilateral) {
    const CscMatrix G(problem.bilateral->G);
    const CscMatrix response = factor_->ldlt.solve(G);
    LocalBilateral bilateral;
    bilateral.V = CsrMatrix(H.transpose() * response);
    bilateral.R = symmetric_part(CsrMatrix(G.transpose() * response));
    bilateral.s = G.transpose() * free_velocity + problem.bilateral->b;
    local_.bilateral = std::move(bilateral);
  }
}

CondensedProblem::~CondensedProblem() = default;
CondensedProblem::CondensedProblem(CondensedProblem&&) noexcept = default;
CondensedProblem& CondensedProblem::operator=(CondensedProblem&&) noexcept = default;

Vector CondensedProblem::velocity(const Vector& r, const Vector& l) const {
  Vector momentum = problem_->H * r + problem_->f;
  if (problem_->bilateral) momentum += problem_->bilateral->G * l;
  if (momentum.size() == 0) return momentum;
  return factor_->ldlt.solve(momentum);
}

}  // namespace slipstick
