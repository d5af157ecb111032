// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/frictionless.hpp"

#include "slipstick/problems/convert.hpp"

namespace slipstick {

NormalProblem normal_problem(const LocalContactProblem& problem) {
  NormalProblem normal;
  const Index contacts = problem.contacts();
  const Index bilateral = problem.bilateral ? problem.bilateral->s.size() : 0;
  normal.normal_rows.resize(static_cast<std::size_t>(contacts));
  for (Index c = 0; c < contacts; ++c) normal.normal_rows[c] = static_cast<int>(problem.dimension * c);

  normal.problem.A = problem.W.principal_submatrix(normal.normal_rows);
  normal.problem.b.resize(contacts + bilateral);
  for (Index c = 0; c < contacts; ++c) normal.problem.b[c] = problem.q[problem.dimension * c];
  normal.problem.K.append_nonnegative(contacts, Role::normal);
  if (bilateral > 0) {
    const LocalBilateral& rows = *problem.bilateral;
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
    std::vector<int> every_column(static_cast<std::size_t>(rows.V.cols()));
    for (std::size_t j = 0; j < every_column.size(); ++j) every_column[j] = static_cast<int>(j);
    const CsrMatrix V = submatrix(rows.V, normal.normal_rows, every_column);
    add(*normal.problem.A.assemble(), 0, 0, false);
    add(V, 0, contacts, false);
    add(V, contacts, 0, true);
    add(rows.R, contacts, contacts, false);
    normal.problem.A = Operator(csr_from_triplets(contacts + bilateral, contacts + bilateral, triplets));
    normal.problem.b.tail(bilateral) = rows.s;
    normal.problem.K.append_free(bilateral, Role::bilateral);
  }
  normal.problem.symmetric = normal.problem.A.asymmetry() <= symmetry_tolerance;
  return normal;
}

void NormalProblem::expand(const Vector& x, Vector& r, Vector& l) const {
  r.setZero();
  for (std::size_t c = 0; c < normal_rows.size(); ++c) r[normal_rows[c]] = x[static_cast<Index>(c)];
  l = x.tail(l.size());
}

Vector NormalProblem::restrict_to_normals(const Vector& r, const Vector& l) const {
  Vector x(static_cast<Index>(normal_rows.size()) + l.size());
  for (std::size_t c = 0; c < normal_rows.size(); ++c) x[static_cast<Index>(c)] = r[normal_rows[c]];
  x.tail(l.size()) = l;
  return x;
}

}  // namespace slipstick
