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
    const double friction = law == FrictionLaw::none       ? 0.0
                            : law == FrictionLaw::box_once ? contacts.friction_bounds[c]
                                                           : contacts.mu[c];
    const bool slips_freely = friction == 0.0;
    if (slips_freely || law == FrictionLaw::box_once) {
      convex.K.append_nonnegative(1, Role::normal);
      for (int k = 1; k < dimension && !slips_freely; ++k)
        convex.K.append_interval(-friction, friction, Role::friction);
    } else {
      convex.K.append_cone(friction, dimension);
    }
    for (int k = 0; k < (slips_freely ? 1 : dimension); ++k)
      rows.push_back(static_cast<int>(dimension * c + k));
  }
  for (Index j = 0; j < contacts.joint_rows(); ++j) {
    convex.K.append_interval(contacts.lower[j], contacts.upper[j], Role::bilateral);
    rows.push_back(static_cast<int>(contacts.contact_rows() + j));
  }
  const Index kept = static_cast<Index>(rows.size());
  convex.A = kept == contacts.q.size() ? contacts.W : rows_of(contacts.W);
  convex.b.resize(kept);
  for (Index k = 0; k < kept; ++k) convex.b[k] = contacts.q[rows[k]];
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

void ImpulseProblem::expand(const Vector& x, Vector& r) const {
  r.setZero();
  for (std::size_t k = 0; k < rows.size(); ++k) r[rows[k]] = x[static_cast<Index>(k)];
}

void ImpulseProblem::restrict_impulses(const Vector& r, Vector& x) const {
  x.resize(problem.b.size());
  for (std::size_t k = 0; k < rows.size(); ++k) x[static_cast<Index>(k)] = r[rows[k]];
}

const LocalContactProblem& SymmetrizedProblem::set(const LocalContactProblem& problem) {
  local_ = problem;
  const auto matrix = matrices_.take();
  symmetric_part(*problem.W.assemble(), *matrix, transposed_W_);
  local_.W = std::shared_ptr<const CsrMatrix>(matrix);
  return local_;
}

}  // namespace slipstick::internal
