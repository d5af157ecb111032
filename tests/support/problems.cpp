// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "support/problems.hpp"

#include "slipstick/problems/convert_delassus.hpp"
#include "slipstick/problems/generators.hpp"

namespace slipstick {

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
  PackingOptions options;
  options.spheres = spheres;
  options.friction = friction;
  options.plate_mass_ratio = plate_mass_ratio;
  const GlobalContactProblem global = sphere_packing(options);
  return {*body_graph(global),
          global.H.transpose() * Vector(global.f.array() / global.M.diagonal().array()) + global.w,
          ProductSet::cones(global.mu, 3)};
}

Problem cones_and_rows(std::uint64_t seed, double condition) {
  RandomBoxOptions options;
  options.rows = 24;
  options.condition = condition;
  options.seed = seed;
  Problem problem = random_lcp(options).problem;
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

}  // namespace slipstick
