// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/forms/impulse_problem.hpp"

#include "slipstick/linalg/operator.hpp"

#include <cassert>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::internal {

ImpulseProblem impulse_problem(const LocalContactProblem& problem, FrictionLaw law) {
  ImpulseProblem impulses;
  impulses.set(problem, law);
  return impulses;
}

void ImpulseProblem::set(const LocalContactProblem& contacts, FrictionLaw law) {
  assert(law != FrictionLaw::coulomb);
  Problem& convex = problem;
  const int dimension = contacts.dimension;
  convex.K.clear();
  rows.clear();
  for (Index c = 0; c < contacts.contacts(); ++c) {
    const bool slips_freely = law == FrictionLaw::none || contacts.mu[c] == 0.0;
    if (slips_freely) {
      convex.K.append_nonnegative(1, Role::normal);
    } else {
      convex.K.append_cone(contacts.mu[c], dimension);
    }
    for (int k = 0; k < (slips_freely ? 1 : dimension); ++k)
      rows.push_back(static_cast<int>(dimension * c + k));
  }
  const Index kept = static_cast<Index>(rows.size());
  const Index bilateral = contacts.bilateral ? contacts.bilateral->s.size() : 0;
  convex.A = kept == contacts.q.size() ? contacts.W : rows_of(contacts.W);
  convex.b.resize(kept + bilateral);
  for (Index k = 0; k < kept; ++k) convex.b[k] = contacts.q[rows[k]];
  if (bilateral > 0) {
    convex.A = with_bilateral_rows(*contacts.bilateral);
    convex.b.tail(bilateral) = contacts.bilateral->s;
    convex.K.append_free(bilateral, Role::bilateral);
  }
  convex.symmetric = convex.A.asymmetry(scratch_) <= symmetry_tolerance;
}

// W restricted to the remaining rows.
Operator ImpulseProblem::rows_of(const Operator& W) {
  if (const auto* graph = storage_of<DelassusOperator>(W)) {
    const auto part = graphs_.take();
    graph->copy_principal_submatrix(rows, *part, graph_scratch_);
    return std::shared_ptr<const DelassusOperator>(part);
  }
  if (const auto* matrix = storage_of<CsrMatrix>(W)) {
    const auto part = matrices_.take();
    submatrix(*matrix, rows, rows, *part, scratch_);
    return std::shared_ptr<const CsrMatrix>(part);
  }
  return W.principal_submatrix(rows);
}

// [A V; V' R] with the remaining rows of V.
Operator ImpulseProblem::with_bilateral_rows(const LocalBilateral& bilateral) {
  const Index kept = problem.A.rows(), added = bilateral.s.size();
  builder_.start(V_, kept, added);
  for (Index i = 0; i < kept; ++i) {
    builder_.add(bilateral.V, rows[i]);
    builder_.end_row();
  }
  transpose(V_, transposed_V_);
  const auto A = assembler_.assemble(problem.A);
  const auto whole = matrices_.take();
  builder_.start(*whole, kept + added, kept + added);
  for (Index i = 0; i < kept; ++i) {
    builder_.add(*A, i);
    builder_.add(V_, i, 1.0, kept);
    builder_.end_row();
  }
  for (Index i = 0; i < added; ++i) {
    builder_.add(transposed_V_, i);
    builder_.add(bilateral.R, i, 1.0, kept);
    builder_.end_row();
  }
  return std::shared_ptr<const CsrMatrix>(whole);
}

void ImpulseProblem::expand(const Vector& x, Vector& r, Vector& l) const {
  r.setZero();
  for (std::size_t k = 0; k < rows.size(); ++k) r[rows[k]] = x[static_cast<Index>(k)];
  l = x.tail(l.size());
}

void ImpulseProblem::restrict_impulses(ConstVectorView r, ConstVectorView l, Vector& x) const {
  x.setZero(problem.b.size());
  for (std::size_t k = 0; k < rows.size(); ++k) x[static_cast<Index>(k)] = r[rows[k]];
  x.segment(static_cast<Index>(rows.size()), l.size()) = l;
}

const LocalContactProblem& SymmetrizedProblem::set(const LocalContactProblem& problem) {
  local_ = problem;
  const auto matrix = matrices_.take();
  symmetric_part(*problem.W.assemble(), *matrix, transposed_W_);
  local_.W = std::shared_ptr<const CsrMatrix>(matrix);
  if (local_.bilateral) symmetric_part(problem.bilateral->R, local_.bilateral->R, transposed_R_);
  return local_;
}

}  // namespace slipstick::internal
