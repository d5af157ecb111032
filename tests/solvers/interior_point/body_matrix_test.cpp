// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/body_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/solvers/interior_point/barrier_matrix.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::body_matrix_test {

// Bodies of two degrees of freedom with two full mass blocks. The last one is immovable. Twelve rows are
// between them and to the ground, two of them compliant.
DelassusOperator bodies() {
  Random random(3);
  const int count = 4;
  std::vector<double> inverse_mass = {2.0, 0.5, 0.5, 1.0, 1.0, -0.3, -0.3, 0.2};
  inverse_mass.insert(inverse_mass.end(), {3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0});
  const std::vector<Constraint> constraints = {{.row = 0, .rows = 3, .body = {0, 1}},
                                               {.row = 3, .rows = 2, .body = {1, 2}},
                                               {.row = 5, .rows = 3, .body = {2, -1}},
                                               {.row = 8, .rows = 3, .body = {-1, 0}},
                                               {.row = 11, .rows = 1, .body = {2, 3}}};
  std::vector<double> jacobian;
  for (const Constraint& c : constraints) {
    for (int k = 0; k < 2 * c.rows * 2; ++k) jacobian.push_back(random.uniform(-1.0, 1.0));
  }
  Vector compliance = Vector::Zero(12);
  compliance[4] = 0.3;
  compliance[11] = 0.1;
  return DelassusOperator(2, count, inverse_mass, constraints, jacobian, compliance);
}

// Cones of three and two rows, one without friction, a bound, and a last row that is free but compliant.
struct Example {
  Example() {
    problem.A = Operator(bodies());
    problem.b = Vector::Ones(12);
    problem.K.append_cone(0.4, 3);
    problem.K.append_cone(0.7, 2);
    problem.K.append_cone(0.0, 3);
    problem.K.append_cone(1.5, 2);
    problem.K.append_nonnegative(1);
    problem.K.append_free(1);
    unknowns.prepare(problem, Vector::LinSpaced(12, 0.5, 2.0));
  }
  // Frames and squares from 10^-spread to 10^spread.
  BarrierTerms terms(double spread) const {
    Random random(5);
    BarrierTerms result;
    result.resize(unknowns);
    for (std::size_t c = 0; c < result.frames.size(); ++c) {
      const int size = unknowns.cones()[c].size;
      result.frames[c].setIdentity();
      const DenseMatrix draw = DenseMatrix::NullaryExpr(size, size, [&] { return random.normal(); });
      result.frames[c].topLeftCorner(size, size) = orthonormal_columns(draw);
    }
    for (double& square : result.squares) square = std::pow(10.0, random.uniform(-spread, spread));
    for (Index k = 0; k < unknowns.size(); ++k) {
      if (unknowns.rows()[k] == 11) result.squares[k] = 0.0;
    }
    return result;
  }
  Problem problem;
  ConeUnknowns unknowns;
};

Vector solved(BodyMatrix& matrix, const Vector& r) {
  Vector z(r.size());
  matrix.apply_inverse(r, z, [&](Vector& t) { t = solve_linear(DenseMatrix(matrix.scaled()), t).value(); });
  return z;
}

TEST(BodyMatrix, IsTheInverseOfTheMatrixOnTheContacts) {
  Example example;
  BodyMatrix bodies;
  BarrierMatrix contacts;
  bodies.prepare(example.problem.A, example.unknowns);
  contacts.prepare(example.problem.A, example.unknowns);
  Random random(8);
  for (const double spread : {0.0, 1.0, 4.0}) {
    const BarrierTerms terms = example.terms(spread);
    ASSERT_TRUE(bodies.update(terms));
    ASSERT_TRUE(contacts.update(terms));
    EXPECT_EQ((DenseMatrix(bodies.scaled()) - DenseMatrix(bodies.scaled()).transpose()).norm(), 0.0);
    Vector r(example.unknowns.size()), residual(r.size());
    for (double& value : r) value = random.normal();
    contacts.residual(r, solved(bodies, r), residual);
    EXPECT_LT(residual.norm(), 1e-15 * std::pow(10.0, 2.0 * spread + 1.0) * r.norm());
  }
}

TEST(BodyMatrix, SuitsBodyGraphsWithABarrierInEveryUnknown) {
  Example example;
  BodyMatrix matrix;
  EXPECT_TRUE(matrix.suits(example.problem.A, example.unknowns));
  EXPECT_FALSE(matrix.suits(Operator(bodies().to_csr()), example.unknowns));

  // A free row without compliance.
  Problem rigid = example.problem;
  rigid.K = {};
  rigid.K.append_free(1);
  rigid.K.append_nonnegative(11);
  ConeUnknowns unknowns;
  unknowns.prepare(rigid, Vector::Ones(12));
  EXPECT_FALSE(matrix.suits(rigid.A, unknowns));

  // Fewer unknowns than degrees of freedom.
  Problem few;
  const std::vector<int> rows = {0, 1, 2, 5, 6, 7, 11};
  few.A = example.problem.A.principal_submatrix(rows);
  few.b = Vector::Ones(7);
  few.K.append_nonnegative(7);
  unknowns.prepare(few, Vector::Ones(7));
  EXPECT_FALSE(matrix.suits(few.A, unknowns));
}

TEST(BodyMatrix, SaysWhatIsNotFinite) {
  Example example;
  BodyMatrix matrix;
  matrix.prepare(example.problem.A, example.unknowns);
  BarrierTerms terms = example.terms(1.0);
  terms.squares[0] = std::nan("");
  EXPECT_FALSE(matrix.update(terms));
}

TEST(BodyMatrix, SecondPassAllocatesNothing) {
  Example example;
  BodyMatrix matrix;
  const BarrierTerms terms = example.terms(1.0);
  Vector r = Vector::Ones(example.unknowns.size()), z(r.size());
  const auto pass = [&] {
    return matrix.suits(example.problem.A, example.unknowns) &&
           (matrix.prepare(example.problem.A, example.unknowns), matrix.update(terms));
  };
  ASSERT_TRUE(pass());
  const std::size_t before = allocations();
  ASSERT_TRUE(pass());
  matrix.apply_inverse(r, z, [](Vector&) {});
  EXPECT_EQ(allocations(), before);
}

}  // namespace slipstick::internal::body_matrix_test
