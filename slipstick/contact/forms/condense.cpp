// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/forms/condense.hpp"

#include <algorithm>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/contact/coulomb/newton/contact_system.hpp"
#include "slipstick/contact/coulomb/newton/cost_constants.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/problems/convert_delassus.hpp"

namespace slipstick::internal {
namespace {

// Assumed number of factorizations with rows of W, because sweeps help then, and without rows.
constexpr double factorizations = 10.0, implicit_factorizations = 30.0;
// Below this time, in nanoseconds, a check of the alternative costs more than it can save.
constexpr double worth_a_look = 2e7;

}  // namespace

void Congruence::set(const ComponentInverse& inverse, const CsrMatrix& B) {
  transpose(B, transposed_);
  part_.resize(B.rows());
  builder_.start(columns_, B.cols(), B.rows());
  for (Index j = 0; j < B.cols(); ++j) {
    touched_.clear();
    for (CsrMatrix::InnerIterator it(transposed_, j); it; ++it)
      touched_.push_back(static_cast<int>(inverse.component(it.col())));
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    for (const int c : touched_) {
      const std::span<const int> rows = inverse.rows_of(c);
      auto part = part_.head(static_cast<Index>(rows.size()));
      part.setZero();
      for (CsrMatrix::InnerIterator it(transposed_, j); it; ++it) {
        if (inverse.component(it.col()) != c) continue;
        part[std::lower_bound(rows.begin(), rows.end(), static_cast<int>(it.col())) - rows.begin()] =
            it.value();
      }
      inverse.solve_component(c, part);
      count_work(20.0 * static_cast<double>(part.size()));
      for (Index k = 0; k < part.size(); ++k) builder_.add(rows[static_cast<std::size_t>(k)], part[k]);
    }
    builder_.end_row();
  }
  transpose(columns_, response_);
}

void Congruence::multiply(const Vector& compliance, CsrMatrix& to) {
  builder_.start(product_, transposed_.rows(), transposed_.rows());
  for (Index i = 0; i < transposed_.rows(); ++i) {
    builder_.add_product(transposed_, i, response_);
    if (compliance.size() > 0) builder_.add(i, compliance[i]);
    builder_.end_row();
  }
  symmetric_part(product_, to, transposed_product_);
}

void CondensedProblem::set(const GlobalContactProblem& problem, Condensation condensation) {
  problem_ = &problem;
  const bool same_mass = mass_ != nullptr && same_entries(*mass_, problem.M);
  if (!same_mass) set_mass(problem.M);
  if (!same_mass || !is_set_ || condensation != condensation_ || local_.dimension != problem.dimension ||
      local_.contacts() != problem.contacts() || !same_entries(H_, problem.H) ||
      compliance_.size() != problem.compliance.size() || compliance_ != problem.compliance)
    set_matrices(problem, condensation);
  local_.mu = problem.mu;
  local_.friction_bounds = problem.friction_bounds;
  local_.lower = problem.lower;
  local_.upper = problem.upper;
  free_velocity_ = problem.f;
  inverse_->solve(free_velocity_);
  local_.q = problem.w;
  local_.q.noalias() += H_.transpose() * free_velocity_;
}

void CondensedProblem::set_mass(const CsrMatrix& M) {
  mass_ = nullptr;
  const auto inverse = inverses_.take();
  inverse->set(M);
  if (inverse->indefinite_row() >= 0)
    fail("the mass matrix M is not positive definite at row {}", inverse->indefinite_row());
  if (inverse->singular()) fail("the mass matrix M is not positive definite: it has no inverse");
  inverse_ = inverse;
  const auto mass = masses_.take();
  *mass = M;
  mass_ = mass;
}

void CondensedProblem::set_matrices(const GlobalContactProblem& problem, Condensation condensation) {
  is_set_ = false;
  H_ = problem.H;
  compliance_ = problem.compliance;
  condensation_ = condensation;
  local_.dimension = problem.dimension;
  const bool asked_for = condensation == Condensation::implicit;
  if (const auto graph = graphs_.take(); !asked_for && graph_reader_.read(problem, *graph)) {
    local_.W = Operator(std::shared_ptr<const DelassusOperator>(graph));
    diagonal_.resize(local_.W.rows());
    local_.W.diagonal(diagonal_);
    is_set_ = true;
    return;
  }
  CondensedOperator implicit(mass_, inverse_, H_, compliance_);
  diagonal_ = implicit.diagonal();
  if (asked_for || (condensation == Condensation::by_cost && implicit_is_cheaper(problem, implicit))) {
    local_.W = Operator(std::move(implicit));
  } else {
    local_.W = assembled();
  }
  is_set_ = true;
}

Operator CondensedProblem::assembled() {
  congruence_.set(*inverse_, H_);
  const auto W = matrices_.take();
  congruence_.multiply(compliance_, *W);
  return std::shared_ptr<const CsrMatrix>(W);
}

// All contacts of a component of M are coupled. Compares the time of the rows of W (solves by component, and
// factorizations of dense blocks) with the time of the factorizations of the bodies.
bool CondensedProblem::implicit_is_cheaper(const GlobalContactProblem& problem,
                                           const CondensedOperator& W) const {
  std::vector<double> rows(static_cast<std::size_t>(inverse_->components()), 0.0);
  for (Index i = 0; i < W.rows(); ++i) {
    Index last = -1;
    for (CsrMatrix::InnerIterator it(W.transposed_h(), i); it; ++it) {
      const Index c = inverse_->component(it.col());
      if (c != last) rows[static_cast<std::size_t>(c)] += 1.0;
      last = c;
    }
  }
  double dense = 0.0;
  for (const double count : rows) dense += 2.0 / 3.0 * count * count * count;
  const double with_rows = cost::per_mass_factor_entry * inverse_->entries() * static_cast<double>(W.rows()) /
                               static_cast<double>(std::max<Index>(1, inverse_->components())) +
                           factorizations * cost::per_operation * dense;
  if (with_rows < worth_a_look) return false;
  const LocalContactProblem local{.dimension = problem.dimension,
                                  .W = Operator(W),
                                  .q = Vector::Zero(W.rows()),
                                  .mu = problem.mu,
                                  .lower = problem.lower,
                                  .upper = problem.upper};
  ContactBlocks blocks;
  blocks.prepare(local);
  ContactSystem system;
  double without = 0.0;
  for (const Island& island : blocks.islands()) {
    system.prepare(blocks, island);
    without += implicit_factorizations * system.cost();
  }
  return without < with_rows;
}

void CondensedProblem::velocity(const Vector& r, Vector& v) const {
  v = problem_->f;
  v.noalias() += H_ * r;
  inverse_->solve(v);
}

}  // namespace slipstick::internal
