// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/solvers/cone_cases.hpp"

#include <cmath>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/solvers/projected/apgd.hpp"
#include "slipstick/solvers/projected/mprgp.hpp"

namespace slipstick::internal::cone_cases {
namespace {

Result solved_with(Solver& solver, const Problem& problem, double tolerance) {
  const Result result = solve_with(solver, problem, tolerance);
  EXPECT_TRUE(result.solved()) << result.message;
  return result;
}

}  // namespace

Problem normals_of(const Problem& cones) {
  std::vector<int> normals;
  for (int row = 0; row < cones.b.size(); row += 3) normals.push_back(row);
  return {cones.A.principal_submatrix(normals), cones.b(normals),
          ProductSet::nonnegative(static_cast<Index>(normals.size()))};
}

ProductSet every_kind_of_row() {
  ProductSet K;
  K.append_cone(0.5, 3);
  K.append_nonnegative(2);
  K.append_cone(2.0, 2);
  K.append_interval(7.0, 7.0);
  K.append_cone(0.0, 3);
  K.append_free(2, Role::bilateral);
  K.append_interval(-1.0, 3.0);
  K.append_interval(-infinity, 2.0);
  K.append_cone(1.0, 3);
  return K;
}

BarrierTerms random_terms(const ConeUnknowns& unknowns, Random& random) {
  const auto size = [&random] { return std::pow(10.0, random.uniform(-1.5, 1.5)); };
  BarrierTerms terms;
  terms.resize(unknowns);
  terms.squares.setZero();
  for (const ConeUnknowns::Bound& bound : unknowns.bounds()) terms.squares[bound.unknown] += size() * size();
  for (std::size_t c = 0; c < terms.frames.size(); ++c) {
    const ConeUnknowns::Block& cone = unknowns.cones()[c];
    const double angle = cone.size > 2 ? random.uniform(-3.0, 3.0) : 0.0;
    const double rho = size();
    const double tangent = rho - 1.0 / rho;
    const NesterovTodd scaling = NesterovTodd::scaling_from(
        cone_identity(), {rho + 1.0 / rho, tangent * std::cos(angle), tangent * std::sin(angle)});
    terms.frames[c] = scaling.frame();
    ConeUnknowns::set_segment(terms.squares, cone, scaling.values().cwiseAbs2());
  }
  return terms;
}

DenseMatrix newton_matrix(const Operator& A, const ConeUnknowns& unknowns, const BarrierTerms& terms) {
  const Index n = unknowns.size();
  DenseMatrix matrix(n, n);
  Vector x(A.rows()), product(A.rows()), column(n);
  for (Index k = 0; k < n; ++k) {
    column = Vector::Unit(n, k);
    terms.from_frame(unknowns, column);
    unknowns.scatter(column, x);
    A.multiply(x, product);
    unknowns.gather(product, column);
    terms.to_frame(unknowns, column);
    matrix.col(k) = column;
  }
  matrix.diagonal() += terms.squares;
  return matrix;
}

void expect_projections(Solver& solver, double tolerance) {
  for (const double w : {1e-5, 1.0, 1e6}) {
    for (const double mu : {0.0, 1e-3, 0.4, 3.0, 30.0}) {
      for (const Vector& q : {vec({1.0, 0.2, 0.1}), vec({-1.0, 0.2, 0.1}), vec({-1.0, 2.0, -1.0}),
                              vec({0.5, 2.0, -1.0}), vec({-1.0, 3.0}), vec({-1.0, 0.1}), vec({1.0, 0.1})}) {
        const Problem problem = contact(w, q, mu);
        const Result result = solved_with(solver, problem, tolerance);
        Vector expected = -q / w;
        problem.K.project(expected);
        EXPECT_LT((result.x - expected).norm(), 1e-10 * q.norm() / w)
            << "mu " << mu << ", q " << q.transpose();
      }
    }
  }
}

void expect_singular_contacts(Solver& solver, double tolerance) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const double angle = random.uniform(-3.0, 3.0);
    const double mu = random.uniform(0.2, 2.0);
    const double side = trial % 2 == 0 ? 1.0 : -1.0;
    const Vector a = vec({side, std::cos(angle) / mu, std::sin(angle) / mu});
    const Vector q = -side * random.uniform(0.1, 2.0) * a;
    const Result result = solved_with(solver, contact(DenseMatrix(a * a.transpose()), q, mu), tolerance);
    EXPECT_LT(result.w.norm(), 10.0 * tolerance * q.norm()) << "angle " << angle << ", mu " << mu;
  }
}

void expect_agreement(Solver& solver, const Problem& problem, double tolerance) {
  Apgd reference_solver;
  const Result reference = solved_with(reference_solver, problem, tolerance);
  const Result result = solved_with(solver, problem, tolerance);
  const double size = std::max(problem.b.norm(), (reference.w - problem.b).norm());
  EXPECT_LE((result.w - reference.w).norm(), 1e-4 * size);
  EXPECT_NEAR(result.measures.objective, reference.measures.objective,
              1e-7 * std::abs(reference.measures.objective));
}

void expect_bounds_without_friction(Solver& solver) {
  const Problem cones = packing(30, 0.0);
  const Result result = solved_with(solver, cones, 1e-9);
  const Problem bounds = normals_of(cones);
  Mprgp bound_solver;
  const Result expected = solved_with(bound_solver, bounds, 1e-9);
  EXPECT_LT((result.w(Eigen::seq(0, Eigen::last, 3)) - expected.w).norm(), 1e-5 * bounds.b.norm());
  EXPECT_NEAR(result.measures.objective, expected.measures.objective,
              1e-7 * std::abs(expected.measures.objective));
}

void expect_known_box(Solver& solver, double tolerance) {
  const KnownProblem known = random_box({.rows = 80, .condition = 1e3, .free = 0.1, .two_sided = 0.3});
  const Result result = solved_with(solver, known.problem, tolerance);
  EXPECT_LT((result.x - known.x).norm(), 1e-7 * known.x.norm());
}

Problem closing_walls() {
  const DenseMatrix one = DenseMatrix::Identity(3, 3);
  DenseMatrix walls(6, 6);
  walls << one, -one, -one, one;
  return {csr_from_dense(walls), vec({-1.0, 0.1, 0.0, -1.0, 0.0, 0.2}),
          ProductSet::cones(vec({0.3, 0.3}), 3)};
}

void expect_bounds_of_every_kind(Solver& solver, double tolerance) {
  const Problem problem{csr_from_dense(DenseMatrix(DenseMatrix::Identity(6, 6) * 2.0)),
                        vec({-2.0, -2.0, -2.0, 2.0, -2.0, 2.0}),
                        ProductSet::box(vec({0.0, -1.0, -infinity, -0.5, 3.0, -infinity}),
                                        vec({infinity, 0.5, infinity, 4.0, 3.0, -2.0}))};
  const Result result = solved_with(solver, problem, tolerance);
  EXPECT_LT((result.x - vec({1.0, 0.5, 1.0, -0.5, 3.0, -2.0})).norm(), 10.0 * tolerance);
}

}  // namespace slipstick::internal::cone_cases
