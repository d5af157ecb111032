// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/zoo.hpp"

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal {
namespace {

// Unit point masses on a line, neighbours kept apart: a matrix-free chain resting on the ground, with
// compliance.
Problem chain(int links) {
  std::vector<Constraint> constraints;
  std::vector<double> jacobian;
  for (int k = 0; k < links; ++k) {
    constraints.push_back({k, 1, {k, k - 1}});
    jacobian.insert(jacobian.end(), {1.0, -1.0});
  }
  std::vector<double> inverse_mass(links, 1.0);
  Problem problem;
  problem.A =
      Operator(DelassusOperator(1, links, inverse_mass, constraints, jacobian, Vector::Constant(links, 0.1)));
  problem.b = Vector::Zero(links);
  for (int k = 0; k < links; ++k) problem.b[k] = k == 0 ? -0.1 : (k % 3 == 0 ? 0.05 : -0.02);
  problem.K = ProductSet::nonnegative(links);
  return problem;
}

Problem with_storage(const Problem& problem, Operator a) {
  Problem copy = problem;
  copy.A = std::move(a);
  return copy;
}

// One contact under the convex law: a full 3x3 (or 2x2) block, mu = 0.5.
Problem one_contact(const Vector& q) {
  const Index rows = q.size();
  DenseMatrix w = DenseMatrix::Constant(rows, rows, 0.2);
  w.diagonal() = Vector::LinSpaced(rows, 1.0, 2.0);
  return contact(w, q, 0.5);
}

void add_cones(std::vector<Specimen>& list) {
  list.push_back({"contact, separating", one_contact(vec({1.0, 0.1, -0.1})), true});
  list.push_back({"contact, sticking", one_contact(vec({-1.0, 0.1, 0.2})), true});
  list.push_back({"contact, sliding", one_contact(vec({-1.0, 2.0, 1.0})), true});
  list.push_back({"contact in the plane, sliding", one_contact(vec({-1.0, -3.0})), true});
  list.push_back({"contact at the tip of its cone", one_contact(vec({0.0, 1.0, 0.0})), true});
  list.push_back({"cones and rows", cones_and_rows(1, 50.0), true});
  const Problem spheres = packing(12, 0.3, 0.0);
  list.push_back({"packing, matrix-free", spheres, false});
  list.push_back({"packing, assembled", with_storage(spheres, Operator(spheres.A.assemble())), false});
  list.push_back({"packing under a plate", packing(20, 0.5, 100.0), false});
}

void add_linear_rows(std::vector<Specimen>& list) {
  Problem simplex{.A = Operator(DenseMatrix::Identity(3, 3).eval()),
                  .b = vec({-1.0, -0.5, 1.0}),
                  .K = ProductSet::nonnegative(3)};
  simplex.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(DenseMatrix::Ones(1, 3))),
                            Vector::Ones(1), Vector::Ones(1)};
  list.push_back({"simplex", simplex, true});
  list.push_back({"qp with rows of every kind", random_row_qp({}).problem, true});
  list.push_back(
      {"qp with more rows than unknowns", random_row_qp({.unknowns = 12, .rows = 30}).problem, false});
  list.push_back({"qp with dependent rows", random_row_qp({.dependent = 4, .seed = 2}).problem, false});
  list.push_back({"qp with a singular matrix", random_row_qp({.null_space = 5, .seed = 3}).problem, false});
}

std::vector<Specimen> build() {
  std::vector<Specimen> list;
  list.push_back({"no rows", {}, true});
  list.push_back({"one row inside", one_row(2.0, -6.0, 0.0, infinity), true});
  list.push_back({"one row at its bound", one_row(2.0, 6.0, 0.0, infinity), true});
  list.push_back({"one row between bounds", one_row(2.0, -6.0, -1.0, 1.0), true});
  list.push_back({"one free row", one_row(3.0, 6.0, -infinity, infinity), true});
  list.push_back({"one fixed row", one_row(3.0, 6.0, 2.0, 2.0), true});
  list.push_back({"one upper bound", one_row(3.0, -6.0, -infinity, 1.0), true});
  list.push_back({"b zero", one_row(3.0, 0.0, 0.0, infinity), true});
  list.push_back({"b zero, bound above zero", one_row(3.0, 0.0, 1.0, infinity), true});

  RandomBoxOptions options{.rows = 40, .condition = 100.0};
  const Problem lcp = random_lcp(options).problem;
  list.push_back({"lcp", lcp, true});
  list.push_back({"lcp, dense storage", with_storage(lcp, Operator(DenseMatrix(*lcp.A.assemble()))), true});
  list.push_back({"lcp, banded storage", with_storage(lcp, Operator(BandedMatrix(*lcp.A.assemble()))), true});
  list.push_back({"matrix-free chain", chain(30), true});

  options.rows = 60;
  options.degenerate = 0.5;
  list.push_back({"degenerate lcp", random_lcp(options).problem, true});
  options.free = 0.3;
  options.two_sided = 0.3;
  options.fixed = 0.1;
  list.push_back({"boxed of every kind", random_box(options).problem, true});
  options.rank_deficiency = 20;
  list.push_back({"rank-deficient boxed", random_box(options).problem, false});
  list.push_back({"rank-deficient lcp", random_lcp({.rows = 60, .rank_deficiency = 15}).problem, false});
  list.push_back({"ill-conditioned lcp", random_lcp({.rows = 50, .condition = 1e6}).problem, false});

  Problem scaled = random_lcp({.rows = 40, .condition = 20.0}).problem;
  Vector scale(40);
  for (Index i = 0; i < 40; ++i) scale[i] = std::pow(10.0, static_cast<double>(i % 7) - 3.0);
  const CsrMatrix unscaled = *scaled.A.assemble();
  scaled.A = Operator(CsrMatrix(scale.asDiagonal() * unscaled * scale.asDiagonal()));
  scaled.b = scale.cwiseProduct(scaled.b);
  list.push_back({"mass ratios of 1e6", scaled, true});

  list.push_back(
      {"nonsymmetric lcp", random_lcp({.rows = 40, .condition = 20.0, .skew = 0.3}).problem, false});
  list.push_back({"pressure with empty rows", uic_pressure({.resolution = 12}), false});
  add_cones(list);
  add_linear_rows(list);
  return list;
}

}  // namespace

const std::vector<Specimen>& zoo() {
  static const std::vector<Specimen> list = build();
  return list;
}

}  // namespace slipstick::internal
