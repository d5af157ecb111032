// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/problems.hpp"

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/problems/convert_delassus.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal {

Problem one_row(double a, double b, double lower, double upper) {
  return {csr_from_dense(DenseMatrix::Constant(1, 1, a)), Vector::Constant(1, b),
          ProductSet::box(Vector::Constant(1, lower), Vector::Constant(1, upper))};
}

Problem contact(double w, const Vector& q, double mu) {
  return contact(DenseMatrix(DenseMatrix::Identity(q.size(), q.size()) * w), q, mu);
}

Problem contact(const DenseMatrix& W, const Vector& q, double mu) {
  return {csr_from_dense(W), q, ProductSet::cones(Vector::Constant(1, mu), static_cast<int>(q.size()))};
}

Problem packing(Index spheres, double friction, double plate_mass_ratio) {
  const GlobalContactProblem global =
      sphere_packing({.spheres = spheres, .friction = friction, .plate_mass_ratio = plate_mass_ratio});
  return {*body_graph(global),
          global.H.transpose() * Vector(global.f.array() / global.M.diagonal().array()) + global.w,
          ProductSet::cones(global.mu, 3)};
}

Problem cones_and_rows(std::uint64_t seed, double condition) {
  Problem problem = random_lcp({.rows = 24, .condition = condition, .seed = seed}).problem;
  problem.K = {};
  problem.K.append_cone(0.3, 3);
  problem.K.append_nonnegative(2);
  problem.K.append_cone(1.5, 3);
  problem.K.append_free(4, Role::bilateral);
  problem.K.append_cone(0.1, 2);
  problem.K.append_interval(-0.5, 0.5);
  problem.K.append_cone(0.0, 3);
  problem.K.append_cone(0.8, 3);
  problem.K.append_cone(20.0, 3);
  return problem;
}

RowQp random_row_qp(const RowQpOptions& options) {
  Random random(options.seed);
  const Index n = options.unknowns;
  const Index m = options.rows;
  DenseMatrix a = random_spd(random, n, options.condition);
  if (options.null_space > 0) {
    // P A P with P the projection along random directions.
    DenseMatrix directions(n, options.null_space);
    for (double& value : directions.reshaped()) value = random.normal();
    const DenseMatrix gram = directions.transpose() * directions;
    const DenseMatrix p = DenseMatrix::Identity(n, n) - directions * inverse(gram) * directions.transpose();
    a = (p * a * p).eval();
    a = (0.5 * (a + a.transpose())).eval();
  }
  DenseMatrix g(m + options.dependent, n);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < n; ++j) g(i, j) = random.below(2) == 0 ? random.normal() : 0.0;
  }
  Vector x = random_vector(n, random);
  Vector w = Vector::Zero(n);
  Vector lower = Vector::Constant(n, -infinity);
  Vector upper = Vector::Constant(n, infinity);
  for (Index j = 0; j < n; ++j) {
    const double force = random.uniform(0.1, 1.0);
    if (j % 6 == 0) continue;
    if (j % 6 == 1) lower[j] = upper[j] = x[j];
    if (j % 6 == 2 || j % 6 == 4) lower[j] = x[j] - (j % 4 == 0 ? 0.0 : 0.5);
    if (j % 6 == 3 || j % 6 == 4) upper[j] = x[j] + (j % 4 == 3 ? 0.0 : 0.5);
    if (lower[j] == x[j]) w[j] = force;
    if (upper[j] == x[j]) w[j] = -force;
  }
  Vector y = Vector::Zero(m + options.dependent);
  Vector low = Vector::Constant(m + options.dependent, -infinity);
  Vector high = Vector::Constant(m + options.dependent, infinity);
  for (Index i = 0; i < m; ++i) {
    const double value = g.row(i).dot(x);
    const bool held = random.below(2) == 0;
    const double force = random.uniform(0.1, 1.0);
    if (i % 5 == 0) low[i] = high[i] = value;
    if (i % 5 == 1 || i % 5 == 3) low[i] = held ? value : value - 1.0;
    if (i % 5 == 2 || (i % 5 == 3 && !held)) high[i] = held ? value : value + 1.0;
    if (i % 5 == 3 && held) high[i] = value + 2.0;
    if (low[i] == value) y[i] = force;
    if (high[i] == value) y[i] = -force;
  }
  for (Index i = 0; i < options.dependent; ++i) {
    g.row(m + i) = 2.0 * g.row(i);
    low[m + i] = 2.0 * low[i];
    high[m + i] = 2.0 * high[i];
  }
  RowQp qp;
  qp.problem.A = csr_from_dense(a);
  qp.problem.b = w + g.transpose() * y - a * x;
  qp.problem.K = ProductSet::box(lower, upper);
  qp.problem.rows = LinearRows{std::make_shared<const CsrMatrix>(csr_from_dense(g)), low, high};
  qp.x = x;
  qp.y = y;
  return qp;
}

double error_of(const Problem& problem, const Solution& solution) {
  if (!problem.rows) return error_of(problem, solution.x);
  Ruler ruler;
  ruler.prepare(problem);
  Vector w(solution.x.size());
  problem.A.multiply(solution.x, w);
  w += problem.b - problem.rows->G->transpose() * solution.multipliers;
  return ruler(solution.x, w, solution.multipliers);
}

double error_of(const Problem& problem, const Vector& x) {
  Ruler ruler;
  ruler.prepare(problem);
  Vector w(x.size());
  problem.A.multiply(x, w);
  w += problem.b;
  return ruler(x, w);
}

Result solve_with(Solver& solver, const Problem& problem, double tolerance, const WarmStart* start) {
  Result result;
  solver.solve(problem, {.tolerance = tolerance}, result, start);
  return result;
}

Result solve_with(Solver&& solver, const Problem& problem, double tolerance, const WarmStart* start) {
  return solve_with(solver, problem, tolerance, start);
}

}  // namespace slipstick::internal
