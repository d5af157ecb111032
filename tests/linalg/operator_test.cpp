// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/operator.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "slipstick/base/error.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/linalg/samples.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::operator_test {

using testing::BodyGraph;
using testing::BodyGraphOptions;
using testing::random_banded;
using testing::random_dense;
using testing::random_vector;

// An operator and the matrix that it should be.
struct Sample {
  std::string name;
  Operator a;
  DenseMatrix dense;
};

std::vector<Sample> samples() {
  std::vector<Sample> list;
  const auto add = [&](std::string name, Operator a, DenseMatrix dense) {
    list.push_back({std::move(name), std::move(a), std::move(dense)});
  };
  for (const Index n : {0, 1, 2, 3, 6, 7, 33, 60}) {
    Random random(static_cast<std::uint64_t>(n) + 1);
    const DenseMatrix sparse = random_dense(n, n, 0.2, random);
    add(fmt::format("sparse {}", n), csr_from_dense(sparse), sparse);
    const DenseMatrix full = random_dense(n, n, 1.0, random);
    add(fmt::format("dense {}", n), full, full);
    for (const Index bandwidth : {0, 1, 4, 40}) {
      const DenseMatrix banded = random_banded(n, bandwidth, random);
      add(fmt::format("banded {} {}", n, bandwidth), BandedMatrix(csr_from_dense(banded)), banded);
    }
  }
  std::uint64_t seed = 1;
  for (const int dofs : {1, 3, 6, 7, 20}) {
    for (const int rows : {0, 1, 2, 3}) {
      for (const bool diagonal : {false, true}) {
        const BodyGraph graph = testing::random_body_graph(
            {.dofs = dofs, .rows = rows, .diagonal_mass = diagonal, .seed = seed++});
        add(fmt::format("Delassus {} {} {}", dofs, rows, diagonal), graph.make(), graph.dense);
      }
    }
  }
  for (const auto& [bodies, constraints, ground] :
       {std::tuple{0, 0, 0.0}, {3, 0, 0.0}, {0, 4, 1.0}, {4, 5, 1.0}, {1, 1, 0.0}, {1, 6, 0.5}}) {
    const BodyGraph graph = testing::random_body_graph(
        {.bodies = bodies, .constraints = constraints, .rows = 0, .ground = ground});
    add(fmt::format("Delassus of {} bodies, {} constraints", bodies, constraints), graph.make(), graph.dense);
  }
  // M of two components, one of them factorized.
  Random values(9);
  for (const Index columns : {1, 9, 30}) {
    DenseMatrix mass = DenseMatrix::Zero(25, 25);
    mass.topLeftCorner(20, 20) = random_dense(20, 20, 0.2, values);
    mass.bottomRightCorner(5, 5) = random_dense(5, 5, 1.0, values);
    mass = (mass * mass.transpose() + DenseMatrix::Identity(25, 25)).eval();
    const DenseMatrix h = random_dense(25, columns, 0.2, values);
    const auto m = std::make_shared<const CsrMatrix>(csr_from_dense(mass));
    add(fmt::format("condensed {}", columns),
        CondensedOperator(m, std::make_shared<const ComponentInverse>(*m), csr_from_dense(h)),
        h.transpose() * internal::inverse(mass) * h);
  }
  return list;
}

double size_of(const DenseMatrix& a) {
  return 1.0 + (a.size() > 0 ? a.cwiseAbs().maxCoeff() : 0.0);
}

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         (a.size() == 0 ||
          std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0);
}

// Products that are worth several threads.
std::vector<Sample> large_samples() {
  std::vector<Sample> list;
  Random random(1);
  const DenseMatrix sparse = random_dense(600, 600, 0.1, random);
  list.push_back({"sparse", csr_from_dense(sparse), sparse});
  const DenseMatrix full = random_dense(300, 300, 1.0, random);
  list.push_back({"dense", full, full});
  const DenseMatrix banded = random_banded(600, 80, random);
  list.push_back({"banded", BandedMatrix(csr_from_dense(banded)), banded});
  const BodyGraph graph =
      testing::random_body_graph({.dofs = 6, .bodies = 40, .constraints = 500, .rows = 3});
  list.push_back({"Delassus", graph.make(), graph.dense});
  return list;
}

// As the storage itself does it, however small it is.
void multiply_storage(const Operator& a, const Vector& x, Vector& y, int threads) {
  a.visit(Overloaded{[&](const CsrMatrix& matrix) { multiply(matrix, x, y, threads); },
                     [&](const DenseMatrix& matrix) { y = matrix * x; },
                     [&](const auto& matrix) { matrix.multiply(x, y, threads); }});
}

void expect_products(const Sample& s) {
  Random random(9);
  const Vector x = random_vector(s.a.rows(), random);
  const Vector expected = s.dense * x;
  for (const int threads : {1, 2, 3, 16}) {
    Vector y = Vector::Constant(x.size(), std::numeric_limits<double>::quiet_NaN());
    s.a.multiply(x, y, threads);
    EXPECT_TRUE((y - expected).norm() <= 1e-13 * size_of(s.dense) * (1.0 + x.norm()))
        << s.name << " " << threads;
    Vector again = Vector::Zero(x.size());
    s.a.multiply(x, again, threads);
    EXPECT_TRUE(same_bits(y, again)) << s.name << " " << threads;
    multiply_storage(s.a, x, again, threads);
    EXPECT_TRUE((again - expected).norm() <= 1e-13 * size_of(s.dense) * (1.0 + x.norm()))
        << s.name << " " << threads;
  }
}

TEST(Operator, ProductForAnyNumberOfThreads) {
  for (const Sample& s : samples()) expect_products(s);
  for (const Sample& s : large_samples()) expect_products(s);
}

TEST(Operator, DelassusProductHasTheSameBitsForEveryNumberOfThreads) {
  for (const Sample& s : samples()) {
    if (s.a.kind() != "Delassus") continue;
    Random random(10);
    const Vector x = random_vector(s.a.rows(), random);
    Vector one(x.size()), many(x.size());
    multiply_storage(s.a, x, one, 1);
    for (const int threads : {2, 3, 7}) {
      multiply_storage(s.a, x, many, threads);
      EXPECT_TRUE(same_bits(one, many)) << s.name << " " << threads;
    }
  }
}

TEST(Operator, EntriesDiagonalAndBlocks) {
  for (const Sample& s : samples()) {
    const Index n = s.a.rows();
    ASSERT_EQ(n, s.dense.rows()) << s.name;
    const double tolerance = 1e-13 * size_of(s.dense);
    Vector diagonal = Vector::Constant(n, std::numeric_limits<double>::quiet_NaN());
    s.a.diagonal(diagonal);
    EXPECT_TRUE((diagonal - s.dense.diagonal()).norm() <= tolerance) << s.name;
    DenseMatrix entries(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) entries(i, j) = s.a.entry(i, j);
    }
    EXPECT_TRUE((entries - s.dense).norm() <= tolerance * static_cast<double>(n + 1)) << s.name;
    for (Index start = 0; start + 2 <= n; start += 3) {
      const Index size = std::min<Index>(4, n - start);
      DenseMatrix block(size, size);
      s.a.diagonal_block(start, block);
      EXPECT_TRUE((block - s.dense.block(start, start, size, size)).norm() <= 10.0 * tolerance) << s.name;
    }
  }
}

TEST(Operator, AssembledAndRestricted) {
  for (const Sample& s : samples()) {
    const double tolerance = 1e-13 * size_of(s.dense) * static_cast<double>(s.a.rows() + 1);
    const auto assembled = s.a.assemble();
    EXPECT_TRUE((DenseMatrix(*assembled) - s.dense).norm() <= tolerance) << s.name;
    EXPECT_TRUE(assembled->isCompressed()) << s.name;
    for (Index i = 0; i < assembled->rows(); ++i) {
      for (int k = assembled->outerIndexPtr()[i] + 1; k < assembled->outerIndexPtr()[i + 1]; ++k)
        EXPECT_LT(assembled->innerIndexPtr()[k - 1], assembled->innerIndexPtr()[k]) << s.name;
    }
    Random random(4);
    for (const double share : {0.0, 0.4, 1.0}) {
      std::vector<int> rows;
      for (int i = 0; i < s.a.rows(); ++i) {
        if (random.uniform() < share) rows.push_back(i);
      }
      const Operator part = s.a.principal_submatrix(rows);
      EXPECT_EQ(part.kind(), s.a.kind() == "Delassus" || s.a.kind() == "condensed" ? s.a.kind() : "sparse")
          << s.name;
      ASSERT_EQ(part.rows(), static_cast<Index>(rows.size())) << s.name;
      EXPECT_TRUE((DenseMatrix(*part.assemble()) - s.dense(rows, rows)).norm() <= tolerance) << s.name;
      // The restricted operator also multiplies, with rows of one constraint parted.
      const Vector x = random_vector(part.rows(), random);
      Vector y(part.rows());
      part.multiply(x, y, 2);
      EXPECT_TRUE((y - s.dense(rows, rows) * x).norm() <= tolerance * (1.0 + x.norm())) << s.name;
    }
  }
}

TEST(Operator, Asymmetry) {
  for (const Sample& s : samples()) {
    const double largest = s.dense.size() > 0 ? s.dense.cwiseAbs().maxCoeff() : 0.0;
    const DenseMatrix skew = s.dense - s.dense.transpose();
    const double expected = largest > 0.0 ? skew.cwiseAbs().maxCoeff() / largest : 0.0;
    EXPECT_NEAR(s.a.asymmetry(), expected, 1e-13) << s.name;
  }
}

// A sweep: random rows change by random amounts; every product is that of the current x.
TEST(SweepRows, FollowsTheChanges) {
  for (const Sample& s : samples()) {
    if (s.a.rows() == 0) continue;
    Random random(12);
    Vector x = random_vector(s.a.rows(), random);
    Vector scratch;
    s.a.visit([&]<class Storage>(const Storage& storage) {
      SweepRows<Storage> sweep(storage, x, scratch);
      for (int step = 0; step < 20; ++step) {
        const Index i = random.below(s.a.rows());
        EXPECT_NEAR(sweep.product(i), s.dense.row(i).dot(x), 1e-12 * size_of(s.dense) * (1.0 + x.norm()))
            << s.name;
        const Index j = random.below(s.a.rows());
        const double change = random.normal();
        x[j] += change;
        sweep.changed(j, change);
      }
    });
  }
}

TEST(Operator, KindsSizesAndBytes) {
  Random random(2);
  const DenseMatrix dense = random_dense(6, 6, 0.5, random);
  const CsrMatrix sparse = csr_from_dense(dense);
  EXPECT_EQ(Operator(sparse).kind(), "sparse");
  EXPECT_EQ(Operator(sparse).nonzeros(), sparse.nonZeros());
  EXPECT_EQ(Operator(dense).kind(), "dense");
  EXPECT_EQ(Operator(dense).nonzeros(), 36);
  EXPECT_EQ(Operator(BandedMatrix(6, 2)).kind(), "banded");
  EXPECT_EQ(Operator(BandedMatrix(6, 2)).nonzeros(), 18);
  EXPECT_EQ(Operator().rows(), 0);
  EXPECT_EQ(Operator(sparse).bytes_per_product(),
            12.0 * static_cast<double>(sparse.nonZeros()) + 4.0 * 6 + 16.0 * 6);
  EXPECT_EQ(Operator(dense).bytes_per_product(), 8.0 * 36 + 16.0 * 6);
  EXPECT_EQ(Operator(BandedMatrix(6, 2)).bytes_per_product(), 8.0 * 18 + 16.0 * 6);
}

TEST(Operator, SharesStorage) {
  const auto matrix = std::make_shared<const CsrMatrix>(csr_from_dense(DenseMatrix::Identity(3, 3)));
  const Operator a(matrix), b(matrix), c(*matrix);
  EXPECT_TRUE(a.same_storage(b));
  EXPECT_FALSE(a.same_storage(c));
  EXPECT_EQ(a.assemble(), matrix);
}

TEST(Operator, RefusesWhatIsNoSquareMatrix) {
  EXPECT_THROW(Operator(CsrMatrix(2, 3)), Error);
  EXPECT_THROW(Operator(DenseMatrix(2, 3)), Error);
  EXPECT_THROW(Operator(std::shared_ptr<const CsrMatrix>()), Error);
  // A matrix under construction: taken by value it is compressed, shared it cannot be.
  const auto loose = std::make_shared<CsrMatrix>(3, 3);
  loose->reserve(Eigen::VectorXi::Constant(3, 2));
  loose->insert(0, 0) = 1.0;
  loose->insert(2, 1) = 5.0;
  ASSERT_FALSE(loose->isCompressed());
  EXPECT_THROW(Operator(std::shared_ptr<const CsrMatrix>(loose)), Error);
  EXPECT_EQ(Operator(*loose).entry(2, 1), 5.0);
}

TEST(Operator, ProductsAllocateNothing) {
  for (const Sample& s : samples()) {
    const Vector x = Vector::Ones(s.a.rows());
    Vector y(x.size());
    s.a.multiply(x, y);
    const std::size_t before = allocations();
    s.a.multiply(x, y);
    s.a.diagonal(y);
    EXPECT_EQ(allocations() - before, 0u) << s.name;
  }
}

}  // namespace slipstick::internal::operator_test
