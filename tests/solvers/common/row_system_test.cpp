// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/row_system.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "tests/solvers/box_cases.hpp"
#include "tests/support/allocation_counter.hpp"

namespace slipstick::internal::row_system_test {

using box_cases::vec;

// A nonsymmetric matrix with few entries, some of its diagonal missing.
CsrMatrix sparse_matrix(int n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Triplet> triplets;
  for (int i = 0; i < n; ++i) {
    if (i % 3 != 0) triplets.push_back({i, i, 4.0 + random.uniform()});
    triplets.push_back({i, (i + 1) % n, random.normal()});
    triplets.push_back({i, (i * 7 + 3) % n, random.normal()});
  }
  return csr_from_triplets(n, n, triplets);
}

// Two or three rows, among so many of the identity that sparse LU takes them if it is asked for.
class SmallSystem {
 public:
  explicit SmallSystem(Index dense_rows) : system_(dense_rows) {}
  void prepare(const DenseMatrix& a) {
    rows_ = a.rows();
    DenseMatrix all = DenseMatrix::Identity(rows_ + 20, rows_ + 20);
    all.topLeftCorner(rows_, rows_) = a;
    system_.prepare(csr_from_dense(all));
  }
  bool factorize(const Vector& s, const Vector& t) { return system_.factorize(with(0, s), with(1, t)); }
  bool factorize_damped(const Vector& s, const Vector& t, double mu) {
    return system_.factorize_damped(with(0, s), with(1, t), mu);
  }
  Vector solve(const Vector& r) {
    Vector p(rows_ + 20);
    system_.solve(with(0, r), p);
    return p.head(rows_);
  }
  Vector multiply_transposed(const Vector& s, const Vector& t, const Vector& y) {
    Vector g(rows_ + 20);
    system_.multiply_transposed(with(0, s), with(1, t), with(0, y), g);
    return g.head(rows_);
  }

 private:
  Vector with(double others, const Vector& v) const {
    Vector all = Vector::Constant(rows_ + 20, others);
    all.head(rows_) = v;
    return all;
  }
  Index rows_ = 0;
  RowSystem system_;
};

class RowSystemTest : public ::testing::TestWithParam<Index> {};  // dense_rows: 0 is sparse LU

TEST_P(RowSystemTest, SolvesAndTransposes) {
  const int n = 30;
  Random random(7);
  RowSystem system(GetParam());
  for (const std::uint64_t seed : {1, 2}) {
    const CsrMatrix a = sparse_matrix(n, seed);
    system.prepare(Operator(a));
    for (int round = 0; round < 3; ++round) {
      Vector s(n), t(n), r(n), p(n), g(n);
      for (Index i = 0; i < n; ++i) {
        s[i] = random.uniform(0.5, 1e3);
        t[i] = round == 0 && i % 2 == 0 ? 0.0 : random.uniform();
        r[i] = random.normal();
      }
      DenseMatrix J = t.asDiagonal() * DenseMatrix(a);
      J.diagonal() += s;
      ASSERT_TRUE(system.factorize(s, t));
      system.solve(r, p);
      EXPECT_LE((J * p - r).norm(), 1e-13 * J.norm() * p.norm());
      system.multiply_transposed(s, t, r, g);
      EXPECT_LE((J.transpose() * r - g).norm(), 1e-13 * J.norm() * r.norm());
    }
  }
}

TEST_P(RowSystemTest, DampedSystemIsLevenbergMarquardt) {
  const int n = 25;
  const CsrMatrix a = sparse_matrix(n, 5);
  RowSystem system(GetParam());
  system.prepare(Operator(a));
  const Vector s = Vector::Zero(n), t = Vector::Ones(n), r = Vector::LinSpaced(n, -1, 1);
  const double mu = 0.3;
  ASSERT_TRUE(system.factorize_damped(s, t, mu));
  Vector p(n);
  system.solve(r, p);
  const DenseMatrix J(a);
  const Vector largest = J.cwiseAbs().colwise().maxCoeff();
  const DenseMatrix normal = J.transpose() * J + mu * largest.cwiseAbs2().asDiagonal().toDenseMatrix();
  EXPECT_LE((normal * p - J.transpose() * r).norm(), 1e-12 * normal.norm() * p.norm());
}

TEST_P(RowSystemTest, SingularSystemsAreSeenAndDamped) {
  // Rows 0 and 1 are parallel; the right side is consistent.
  const Index n = 40;
  DenseMatrix d(sparse_matrix(n, 9));
  d.row(1) = 2.0 * d.row(0);
  RowSystem system(GetParam());
  system.prepare(Operator(csr_from_dense(d)));
  const Vector s = Vector::Zero(n), t = Vector::Ones(n);
  EXPECT_FALSE(system.factorize(s, t));
  ASSERT_TRUE(system.factorize_damped(s, t, 1e-12));
  const Vector r = d * Vector::LinSpaced(n, 1, 2);
  Vector p(n);
  system.solve(r, p);
  EXPECT_LE((d * p - r).norm(), 1e-8 * r.norm());
}

// J = [2 + 3 * 4, 3 * 1; 5 * 1, 7 + 5 * 0]: the second diagonal entry is not there.
TEST_P(RowSystemTest, TwoRowsByHand) {
  SmallSystem system(GetParam());
  system.prepare(mat({{4, 1}, {1, 0}}));
  ASSERT_TRUE(system.factorize(vec({2, 7}), vec({3, 5})));
  EXPECT_LT((system.solve(vec({17, 12})) - vec({1, 1})).norm(), 1e-15);
  EXPECT_EQ(system.multiply_transposed(vec({2, 7}), vec({3, 5}), vec({1, 2})), vec({24, 17}));
}

// An active set: rows at a bound are p_i = r_i.
TEST_P(RowSystemTest, ActiveSetsByHand) {
  SmallSystem system(GetParam());
  system.prepare(mat({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}));
  ASSERT_TRUE(system.factorize(vec({0, 1, 0}), vec({1, 0, 1})));
  EXPECT_LT((system.solve(vec({3, -1, 5})) - vec({2, -1, 3})).norm(), 1e-15);
}

// Columns may be of any size; rows too, as long as what is left of the others after the columns can be seen.
TEST_P(RowSystemTest, ColumnsAndRowsOfDifferentSizes) {
  const DenseMatrix a = mat({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}});
  const Vector ones = Vector::Ones(3);
  for (const auto& [row, column] :
       {std::pair(ones, vec({1e-120, 1, 1e90})), std::pair(vec({1e-5, 1, 1e5}), ones)}) {
    SmallSystem system(GetParam());
    system.prepare(row.asDiagonal() * a * column.asDiagonal());
    ASSERT_TRUE(system.factorize(Vector::Zero(3), ones));
    const Vector p = system.solve(row.cwiseProduct(a * vec({1, 2, 3})));
    EXPECT_LT((p.cwiseProduct(column) - vec({1, 2, 3})).norm(), 1e-10);
  }
}

TEST_P(RowSystemTest, EmptyRowsAndNaNs) {
  SmallSystem system(GetParam());
  system.prepare(mat({{2, 1}, {1, 2}}));
  EXPECT_FALSE(system.factorize(vec({0, 0}), vec({1, 0})));
  // Rows that differ by a rounding are the same.
  const double rounding = std::numeric_limits<double>::epsilon();
  EXPECT_FALSE(system.factorize(vec({0, -1.5 + rounding}), vec({1, 1})));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(system.factorize(vec({nan, 0}), vec({1, 1})));
  EXPECT_FALSE(system.factorize_damped(vec({nan, 0}), vec({1, 1}), 0.1));
  // The empty row adds nothing to the damped one. The shortest p with 2 p_0 + p_1 = 4, in units of the
  // columns (1/2, 1), is (1, 2).
  ASSERT_TRUE(system.factorize_damped(vec({0, 0}), vec({1, 0}), 1e-14));
  EXPECT_LT((system.solve(vec({4, 0})) - vec({1, 2})).norm(), 1e-12);
}

// Other values in the same pattern, and other patterns of the same size.
TEST_P(RowSystemTest, TakesAnotherMatrix) {
  SmallSystem system(GetParam());
  const auto solve = [&](const DenseMatrix& a) {
    system.prepare(a);
    EXPECT_TRUE(system.factorize_damped(vec({0, 0}), vec({1, 1}), 1e-15));
    EXPECT_LT((a * system.solve(vec({2, 6})) - vec({2, 6})).norm(), 1e-13);
    EXPECT_TRUE(system.factorize(vec({0, 0}), vec({1, 1})));
    return system.solve(vec({2, 6}));
  };
  EXPECT_LT((solve(mat({{2, 0}, {0, 2}})) - vec({1, 3})).norm(), 1e-15);
  EXPECT_LT((solve(mat({{1, 0}, {0, 3}})) - vec({2, 2})).norm(), 1e-15);
  EXPECT_LT((solve(mat({{1, 1}, {0, 3}})) - vec({0, 2})).norm(), 1e-15);
  EXPECT_LT((solve(mat({{1, 0}, {1, 4}})) - vec({2, 1})).norm(), 1e-15);
  // As many entries in every row, in other columns.
  for (const DenseMatrix& a :
       {mat({{1, 1, 0}, {0, 1, 0}, {0, 0, 1}}), mat({{1, 0, 1}, {0, 1, 0}, {0, 0, 1}})}) {
    system.prepare(a);
    EXPECT_TRUE(system.factorize(Vector::Zero(3), Vector::Ones(3)));
    EXPECT_LT((a * system.solve(vec({1, 2, 3})) - vec({1, 2, 3})).norm(), 1e-15);
  }
}

TEST_P(RowSystemTest, ASecondTimeAllocatesNothing) {
  const Index n = 30;
  const Operator a = BandedMatrix(*box_cases::chain(n).A.assemble());  // to be assembled once
  const Vector s = Vector::Constant(n, 10.0), t = Vector::Ones(n);
  Vector p(n), g(n);
  RowSystem system(GetParam());
  std::size_t before = 0;
  for (int round = 0; round < 2; ++round) {
    before = allocations();
    system.prepare(a);
    system.factorize(s, t);
    system.solve(t, p);
    system.factorize_damped(s, t, 0.1);
    system.solve(t, p);
    system.multiply_transposed(s, t, t, g);
  }
  EXPECT_EQ(allocations() - before, 0U);
}

// Every pivot is far from the diagonal, so that only exchanges among all rows help.
TEST_P(RowSystemTest, PivotsFarFromTheDiagonal) {
  const int n = 300;
  Random random(3);
  std::vector<Triplet> triplets;
  for (int i = 0; i < n; ++i) {
    triplets.push_back({i, (i + 137) % n, random.uniform(1.0, 2.0)});
    triplets.push_back({i, (i + 7) % n, 0.3 * random.normal()});
  }
  const CsrMatrix a = csr_from_triplets(n, n, triplets);
  RowSystem system(GetParam());
  system.prepare(Operator(a));
  ASSERT_TRUE(system.factorize(Vector::Zero(n), Vector::Ones(n)));
  const Vector r = Vector::LinSpaced(n, -1.0, 1.0);
  Vector p(n);
  system.solve(r, p);
  EXPECT_LT((a * p - r).norm(), 1e-13 * r.norm());
  // The damping is so small that rounding decides the signs of pivots.
  ASSERT_TRUE(system.factorize_damped(Vector::Zero(n), Vector::Ones(n), 1e-300));
  system.solve(r, p);
  EXPECT_LT((a * p - r).norm(), 1e-6 * r.norm());
}

INSTANTIATE_TEST_SUITE_P(Storages, RowSystemTest, ::testing::Values(0, 200),
                         [](const auto& storage) { return storage.param == 0 ? "Sparse" : "Dense"; });

TEST(RowSystem, EveryStorageGivesTheSame) {
  const DelassusOperator bodies = box_cases::random_bodies(1, true, 0.5);
  const CsrMatrix sparse = bodies.to_csr();
  const Index n = sparse.rows();
  const Vector s = Vector::Constant(n, 0.5), t = Vector::Ones(n), r = Vector::LinSpaced(n, -1, 1);
  const Operator storages[] = {sparse, BandedMatrix(sparse), DenseMatrix(sparse), bodies};
  DenseMatrix J(sparse);
  J.diagonal() += s;
  for (const Operator& storage : storages) {
    for (const Index dense_rows : {0, 200}) {
      RowSystem system(dense_rows);
      system.prepare(storage);
      ASSERT_TRUE(system.factorize(s, t)) << storage.kind();
      Vector p(n);
      system.solve(r, p);
      EXPECT_LT((J * p - r).norm(), 1e-12 * r.norm()) << storage.kind();
    }
  }
}

TEST(RowSystem, DenseOperator) {
  const DenseMatrix a = (DenseMatrix(2, 2) << 2, 1, 1, 3).finished();
  RowSystem system;
  system.prepare(Operator(a));
  ASSERT_TRUE(system.factorize(vec({0, 1}), vec({1, 0})));
  Vector p(2);
  system.solve(vec({5, 1}), p);
  EXPECT_DOUBLE_EQ(p[0], 2.0);
  EXPECT_DOUBLE_EQ(p[1], 1.0);
}

}  // namespace slipstick::internal::row_system_test
