// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/convert_delassus.hpp"

#include <gtest/gtest.h>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/scenes/packing.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::convert_delassus_test {

DenseMatrix delassus(const GlobalContactProblem& problem) {
  const DenseMatrix h(problem.H);
  return h.transpose() * inverse(DenseMatrix(problem.M)) * h;
}

TEST(BodyGraph, EqualsTheDenseDelassusMatrix) {
  for (const Index spheres : {1, 2, 7, 40}) {
    for (const double plate : {0.0, 10.0}) {
      const GlobalContactProblem problem = sphere_packing({.spheres = spheres, .plate_mass_ratio = plate});
      const std::optional<DelassusOperator> graph = body_graph(problem);
      ASSERT_TRUE(graph.has_value());
      EXPECT_EQ(graph->dofs_per_body(), 6);
      EXPECT_EQ(graph->bodies(), spheres + (plate > 0.0));
      const DenseMatrix expected = delassus(problem);
      const DenseMatrix difference = DenseMatrix(graph->to_csr()) - expected;
      EXPECT_LE(difference.cwiseAbs().maxCoeff(), 1e-13 * expected.cwiseAbs().maxCoeff());
    }
  }
}

// Two planar bodies with three degrees of freedom and one contact between them.
GlobalContactProblem planar() {
  GlobalContactProblem problem;
  problem.dimension = 2;
  DenseMatrix m = DenseMatrix::Zero(6, 6);
  m.diagonal() << 1.0, 1.0, 0.5, 2.0, 2.0, 3.0;
  m(0, 2) = m(2, 0) = 0.1;
  const DenseMatrix h = mat({{1.0, 0.0}, {0.0, 1.0}, {0.2, 0.3}, {-1.0, 0.0}, {0.0, -1.0}, {0.4, 0.5}});
  problem.M = csr_from_dense(m);
  problem.H = csr_from_dense(h);
  problem.f = Vector::Zero(6);
  problem.w = Vector::Zero(2);
  problem.mu = Vector::Constant(1, 0.5);
  return problem;
}

TEST(BodyGraph, PlanarBodiesWithFullMassBlocks) {
  const GlobalContactProblem problem = planar();
  const std::optional<DelassusOperator> graph = body_graph(problem);
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(graph->dofs_per_body(), 3);
  EXPECT_LE((DenseMatrix(graph->to_csr()) - delassus(problem)).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(BodyGraph, StoredZerosDoNotCouple) {
  GlobalContactProblem problem = planar();
  problem.M.coeffRef(0, 5) = 0.0;
  problem.M.coeffRef(5, 0) = 0.0;
  problem.M.makeCompressed();
  EXPECT_TRUE(body_graph(problem).has_value());
}

TEST(BodyGraph, RefusesWhatIsNone) {
  // A mass matrix that couples more than six degrees of freedom.
  GlobalContactProblem chain = planar();
  DenseMatrix m = DenseMatrix::Identity(14, 14);
  for (Index i = 0; i + 1 < 14; ++i) m(i, i + 1) = m(i + 1, i) = 0.2;
  chain.M = csr_from_dense(m);
  chain.H = csr_from_dense(DenseMatrix::Ones(14, 2));
  EXPECT_FALSE(body_graph(chain).has_value());

  // A contact of three bodies.
  GlobalContactProblem crowd = planar();
  crowd.M = csr_from_dense(DenseMatrix::Identity(21, 21));
  crowd.H = csr_from_dense(DenseMatrix::Ones(21, 2));
  EXPECT_FALSE(body_graph(crowd).has_value());

  // An indefinite and a nonsymmetric mass matrix.
  GlobalContactProblem indefinite = planar();
  indefinite.M.coeffRef(1, 1) = -1.0;
  EXPECT_FALSE(body_graph(indefinite).has_value());
  GlobalContactProblem nonsymmetric = planar();
  nonsymmetric.M.coeffRef(0, 2) = 0.2;
  EXPECT_FALSE(body_graph(nonsymmetric).has_value());
}

// Rows 0 and 1 are a joint between both bodies, row 2 holds the first one. Everything is compliant.
TEST(BodyGraph, TakesJointsAndCompliance) {
  GlobalContactProblem joined = planar();
  const Index contact_rows = joined.H.cols();
  add_joints(csr_from_dense(mat({{1, 0, 0}, {0, 1, 0}, {0.5, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0.25, 0}})),
             Vector::Zero(3), joined);
  joined.compliance = Vector::LinSpaced(contact_rows + 3, 0.0, 0.5);
  const std::optional<DelassusOperator> graph = body_graph(joined);
  ASSERT_TRUE(graph.has_value());
  ASSERT_EQ(graph->constraints().size(), static_cast<std::size_t>(joined.contacts()) + 2);
  EXPECT_EQ(graph->constraints()[static_cast<std::size_t>(joined.contacts())].rows, 2);
  const DenseMatrix H(joined.H);
  DenseMatrix W = H.transpose() * inverse(DenseMatrix(joined.M)) * H;
  W.diagonal() += joined.compliance;
  EXPECT_LT((DenseMatrix(graph->to_csr()) - W).norm(), 1e-13 * W.norm());
}

}  // namespace slipstick::internal::convert_delassus_test
