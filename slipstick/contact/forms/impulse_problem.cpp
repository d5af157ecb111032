// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/forms/impulse_problem.hpp"

#include "slipstick/linalg/operator.hpp"

#include <cassert>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/problems/convert.hpp"

namespace slipstick::internal {
namespace {

// [A V; V' R] with the remaining rows of V.
Operator with_bilateral_rows(const Operator& A, const LocalBilateral& bilateral,
                             const std::vector<int>& rows) {
  const Index contact_rows = A.rows();
  const Index size = contact_rows + bilateral.s.size();
  std::vector<Triplet> triplets;
  const auto add = [&](const CsrMatrix& block, Index row, Index column, bool transposed) {
    for (Index i = 0; i < block.rows(); ++i) {
      for (CsrMatrix::InnerIterator it(block, i); it; ++it) {
        const int at_row = static_cast<int>(row + (transposed ? Index{it.col()} : i));
        const int at_column = static_cast<int>(column + (transposed ? i : Index{it.col()}));
        triplets.push_back({at_row, at_column, it.value()});
      }
    }
  };
  std::vector<int> every_column(static_cast<std::size_t>(bilateral.V.cols()));
  for (std::size_t j = 0; j < every_column.size(); ++j) every_column[j] = static_cast<int>(j);
  const CsrMatrix V = submatrix(bilateral.V, rows, every_column);
  add(*A.assemble(), 0, 0, false);
  add(V, 0, contact_rows, false);
  add(V, contact_rows, 0, true);
  add(bilateral.R, contact_rows, contact_rows, false);
  return Operator(csr_from_triplets(size, size, triplets));
}

}  // namespace

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
    convex.A = with_bilateral_rows(convex.A, *contacts.bilateral, rows);
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

void ImpulseProblem::expand(const Vector& x, Vector& r, Vector& l) const {
  r.setZero();
  for (std::size_t k = 0; k < rows.size(); ++k) r[rows[k]] = x[static_cast<Index>(k)];
  l = x.tail(l.size());
}

void ImpulseProblem::restrict_impulses(ConstVectorView r, ConstVectorView l, Vector& x) const {
  x.resize(static_cast<Index>(rows.size()) + l.size());
  for (std::size_t k = 0; k < rows.size(); ++k) x[static_cast<Index>(k)] = r[rows[k]];
  x.tail(l.size()) = l;
}

LocalContactProblem symmetrized(const LocalContactProblem& problem) {
  LocalContactProblem result = problem;
  result.W = Operator(symmetric_part(*problem.W.assemble()));
  if (result.bilateral) result.bilateral->R = symmetric_part(problem.bilateral->R);
  return result;
}

}  // namespace slipstick::internal
