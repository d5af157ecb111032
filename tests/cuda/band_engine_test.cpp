// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/band_engine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linsolve/banded/banded_cholesky.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::band_engine_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int most_changes = 40;

struct Size {
  int rows, bandwidth;
};
// Bands of no entry beside the diagonal up to full ones; rows and bands that are no multiples of tiles; less
// than a block column, several of them, and bands wider than a block column.
const std::vector<Size> sizes = {{1, 0},    {3, 2},     {63, 0},    {64, 63},    {65, 1},      {130, 64},
                                 {200, 65}, {333, 150}, {700, 300}, {1100, 100}, {1030, 1029}, {1700, 1300}};

std::string size_name(const ::testing::TestParamInfo<Size>& info) {
  return fmt::format("{}_{}", info.param.rows, info.param.bandwidth);
}
// A test for each size, so that each can run in a process of its own.
class BandEngineSizes : public ::testing::TestWithParam<Size> {};
INSTANTIATE_TEST_SUITE_P(Every, BandEngineSizes, ::testing::ValuesIn(sizes), size_name);
// Sizes at which the host can have dense matrices.
class BandEngineDense : public ::testing::TestWithParam<Size> {};
INSTANTIATE_TEST_SUITE_P(Some, BandEngineDense,
                         ::testing::Values(Size{63, 0}, Size{64, 63}, Size{65, 1}, Size{130, 64},
                                           Size{200, 65}, Size{333, 150}, Size{700, 300}),
                         size_name);

BandedMatrix random_band(Size size, std::uint64_t seed = 1) {
  Random random(seed);
  BandedMatrix a(size.rows, size.bandwidth);
  const double radius = 2.0 * std::sqrt(2.0 / 3.0 * size.bandwidth);
  for (Index j = 0; j < size.rows; ++j) {
    a.at(j, j) = 1.0 + 1.1 * radius + random.uniform();
    for (Index i = j + 1; i <= std::min<Index>(j + size.bandwidth, size.rows - 1); ++i)
      a.at(i, j) = random.uniform(-1.0, 1.0);
  }
  return a;
}

Vector random_vector(Index size, std::uint64_t seed) {
  Random random(seed);
  Vector x(size);
  for (double& entry : x) entry = random.uniform(-1.0, 1.0);
  return x;
}

// Every third row is outside, or none.
std::vector<char> some_rows(int rows, bool all) {
  std::vector<char> inside(static_cast<std::size_t>(rows), 1);
  for (std::size_t k = 1; !all && k < inside.size(); k += 3) inside[k] = 0;
  return inside;
}

// The difference, relative, and where it is largest.
void expect_near(const Vector& got, const Vector& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (Index i = 0; i < got.size(); ++i)
    ASSERT_TRUE(std::abs(got[i] - expected[i]) <= tolerance * (1.0 + expected.cwiseAbs().maxCoeff()))
        << "row " << i << ": " << got[i] << " instead of " << expected[i];
}

struct OnDevice {
  explicit OnDevice(const BandedMatrix& a, Size size) { set(a, size); }
  void set(const BandedMatrix& a, Size size) {
    engine.set_matrix(BandShape(size.rows, size.bandwidth), most_changes, a.lower().data());
    engine.poison();
  }
  Vector multiply(const Vector& x) {
    Vector y = Vector::Constant(x.size(), nan);
    engine.multiply(x.data(), y.data());
    return y;
  }
  DenseMatrix solve(DenseMatrix b) {
    engine.solve(b.data(), static_cast<int>(b.cols()));
    return b;
  }
  BandEngine engine;
};

// The same on the host. Rows outside stay zero.
class OnHost {
 public:
  OnHost(const BandedMatrix& a, const std::vector<char>& inside) {
    for (std::size_t k = 0; k < inside.size(); ++k)
      if (inside[k] != 0) rows_.push_back(static_cast<int>(k));
    EXPECT_TRUE(rows_.empty() || cholesky_.factorize(a, rows_));
  }
  Vector solve(const Vector& b) const {
    Vector part(static_cast<Index>(rows_.size())), x = Vector::Zero(b.size());
    for (std::size_t k = 0; k < rows_.size(); ++k) part[static_cast<Index>(k)] = b[rows_[k]];
    if (part.size() > 0) cholesky_.solve(part);
    for (std::size_t k = 0; k < rows_.size(); ++k) x[rows_[k]] = part[static_cast<Index>(k)];
    return x;
  }

 private:
  std::vector<int> rows_;
  BandedCholesky cholesky_;
};

TEST_P(BandEngineSizes, ProductsAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  const Size size = GetParam();
  const BandedMatrix a = random_band(size);
  OnDevice device(a, size);
  const Vector x = random_vector(size.rows, 2);
  Vector expected(size.rows);
  a.multiply(x, expected, 1);
  const Vector y = device.multiply(x);
  expect_near(y, expected, 1e-13 * (1.0 + size.bandwidth));
  EXPECT_EQ(y, device.multiply(x));
}

TEST_P(BandEngineSizes, ProductsWithManyColumnsAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  const Size size = GetParam();
  const BandedMatrix a = random_band(size);
  OnDevice device(a, size);
  for (const int columns : {1, 3, 16, 65}) {
    DenseMatrix x(size.rows, columns), expected(size.rows, columns);
    for (int k = 0; k < columns; ++k) {
      x.col(k) = random_vector(size.rows, static_cast<std::uint64_t>(20 + k));
      a.multiply(x.col(k), expected.col(k), 1);
    }
    for (const BandProduct how : {BandProduct::naive, BandProduct::shared, BandProduct::tiles}) {
      SCOPED_TRACE(testing::Message() << size.rows << ", " << size.bandwidth << ", " << columns
                                      << " columns, kernel " << static_cast<int>(how));
      DenseMatrix y = DenseMatrix::Constant(size.rows, columns, nan), again = y;
      device.engine.poison();
      device.engine.multiply(x.data(), y.data(), columns, how);
      for (int k = 0; k < columns; ++k)
        expect_near(y.col(k), expected.col(k), 1e-13 * (1.0 + size.bandwidth));
      if (testing::Test::HasFatalFailure()) return;
      device.engine.multiply(x.data(), again.data(), columns, how);
      EXPECT_EQ(again, y) << "the same bits again";
    }
  }
}

TEST_P(BandEngineSizes, TakesEntries) {
  SLIPSTICK_NEEDS_DEVICE();
  const Size size = GetParam();
  const BandedMatrix a = random_band(size);
  OnDevice device(a, size);
  std::vector<int> row, column;
  std::vector<double> value;
  for (int j = 0; j < size.rows; ++j) {
    for (int i = j; i <= std::min(size.rows - 1, j + size.bandwidth); ++i) {
      row.push_back(i);
      column.push_back(j);
      value.push_back(a.entry(i, j));
    }
  }
  const Vector x = random_vector(size.rows, 2);
  const Vector y = device.multiply(x);
  device.engine.set_matrix(BandShape(size.rows, size.bandwidth), most_changes, row, column, value);
  EXPECT_EQ(device.multiply(x), y);
}

TEST_P(BandEngineDense, FactorsAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  const Size size = GetParam();
  const BandedMatrix a = random_band(size);
  OnDevice device(a, size);
  ASSERT_EQ(device.engine.factorize(some_rows(size.rows, true).data(), nullptr), -1);
  const Eigen::LLT<DenseMatrix> llt(DenseMatrix(a.to_csr()));
  const DenseMatrix expected = llt.matrixL();
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const auto column = static_cast<int>(random.uniform(0.0, size.rows));
    const int last = std::min(size.rows - 1, column + size.bandwidth);
    const auto row = k % 4 == 0 ? column : static_cast<int>(random.uniform(column, last + 1.0));
    ASSERT_NEAR(device.engine.factor_entry(row, column), expected(row, column), 1e-12)
        << row << ", " << column;
  }
}

TEST_P(BandEngineSizes, SolutionsAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  const Size size = GetParam();
  for (const bool all : {true, false}) {
    SCOPED_TRACE(testing::Message() << size.rows << ", " << size.bandwidth << (all ? ", all" : ", some"));
    const BandedMatrix a = random_band(size);
    const std::vector<char> inside = some_rows(size.rows, all);
    OnDevice device(a, size);
    ASSERT_EQ(device.engine.factorize(inside.data(), nullptr), -1);
    const OnHost host(a, inside);
    for (const int columns : {1, 2, 17, 40, 70}) {
      DenseMatrix b(size.rows, columns);
      for (int k = 0; k < columns; ++k) {
        b.col(k) = random_vector(size.rows, static_cast<std::uint64_t>(7 + k));
        for (Index i = 0; i < size.rows; ++i)
          if (inside[static_cast<std::size_t>(i)] == 0) b(i, k) = 0.0;
      }
      const DenseMatrix x = device.solve(b);
      for (int k = 0; k < columns; ++k) {
        SCOPED_TRACE(testing::Message() << "column " << k << " of " << columns);
        expect_near(x.col(k), host.solve(b.col(k)), 1e-11);
        if (testing::Test::HasFatalFailure()) return;
      }
      EXPECT_EQ(device.solve(b), x) << "the same bits again";
      EXPECT_EQ(device.solve(b.col(columns / 2)), x.col(columns / 2)) << "alone";
    }
  }
}

TEST(BandEngine, ShiftsAreAddedToTheDiagonal) {
  SLIPSTICK_NEEDS_DEVICE();
  const Size size{333, 150};
  BandedMatrix a = random_band(size);
  OnDevice device(a, size);
  const std::vector<char> inside = some_rows(size.rows, false);
  const Vector shift = random_vector(size.rows, 4).cwiseAbs();
  ASSERT_EQ(device.engine.factorize(inside.data(), shift.data()), -1);
  for (Index k = 0; k < size.rows; ++k) a.at(k, k) += shift[k];
  const OnHost host(a, inside);
  Vector b = random_vector(size.rows, 6);
  for (Index i = 0; i < size.rows; ++i)
    if (inside[static_cast<std::size_t>(i)] == 0) b[i] = 0.0;
  expect_near(device.solve(b), host.solve(b), 1e-12);
}

TEST(BandEngine, TheFirstRowWithoutAPivotIsReported) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const Size size : {Size{1, 0}, Size{333, 150}, Size{700, 64}}) {
    for (const int bad : {0, size.rows / 3, size.rows - 1}) {
      for (const double pivot : {-1.0, 0.0, nan}) {
        SCOPED_TRACE(testing::Message() << size.rows << ", " << bad << ", " << pivot);
        BandedMatrix a(size.rows, size.bandwidth);
        for (Index k = 0; k < size.rows; ++k) a.at(k, k) = 2.0;
        a.at(bad, bad) = pivot;
        OnDevice device(a, size);
        std::vector<char> inside = some_rows(size.rows, true);
        EXPECT_EQ(device.engine.factorize(inside.data(), nullptr), bad);
        inside[static_cast<std::size_t>(bad)] = 0;
        EXPECT_EQ(device.engine.factorize(inside.data(), nullptr), -1);
      }
    }
  }
}

TEST(BandEngine, MatricesFollowEachOther) {
  SLIPSTICK_NEEDS_DEVICE();
  OnDevice kept(random_band({700, 300}), {700, 300});
  for (const Size size : {Size{65, 1}, Size{1100, 100}, Size{3, 2}, Size{333, 150}}) {
    const BandedMatrix a = random_band(size, 3);
    const std::vector<char> inside = some_rows(size.rows, false);
    const Vector b = random_vector(size.rows, 8);
    OnDevice fresh(a, size);  // with another stream
    kept.set(a, size);
    ASSERT_EQ(kept.engine.factorize(inside.data(), nullptr), -1);
    ASSERT_EQ(fresh.engine.factorize(inside.data(), nullptr), -1);
    EXPECT_EQ(kept.solve(b), fresh.solve(b)) << size.rows << ", " << size.bandwidth;
  }
}

TEST(BandEngine, NoRows) {
  SLIPSTICK_NEEDS_DEVICE();
  BandEngine engine;
  engine.set_matrix(BandShape(0, 0), 0, nullptr);
  EXPECT_EQ(engine.factorize(nullptr, nullptr), -1);
  engine.multiply(nullptr, nullptr);
  engine.solve(nullptr, 1);
}

// The complement of changes, and the solution by it, as dense matrices of the host have them.
TEST_P(BandEngineDense, ComplementsAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  const Size size = GetParam();
  const BandedMatrix a = random_band(size);
  const DenseMatrix dense(a.to_csr());
  const std::vector<char> inside = some_rows(size.rows, false);
  OnDevice device(a, size);
  ASSERT_EQ(device.engine.factorize(inside.data(), nullptr), -1);
  std::vector<int> index, changes;
  std::vector<char> entered;
  for (int k = 0; k < 38; ++k) {
    index.push_back(k * (size.rows / 38));
    entered.push_back(inside[static_cast<std::size_t>(index.back())] == 0);
    changes.push_back(entered.back() != 0 ? index.back() : ~index.back());
  }
  // The system of the rows inside and the changes, by the whole bordered matrix.
  const auto total = static_cast<Index>(index.size()), n = Index{size.rows};
  DenseMatrix K = DenseMatrix::Identity(n, n), U = DenseMatrix::Zero(n, total),
              D = DenseMatrix::Zero(total, total);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (inside[static_cast<std::size_t>(i)] != 0 && inside[static_cast<std::size_t>(j)] != 0)
        K(i, j) = dense(i, j);
  for (Index c = 0; c < total; ++c) {
    const Index k = index[static_cast<std::size_t>(c)];
    if (entered[static_cast<std::size_t>(c)] == 0) {
      U(k, c) = 1.0;
      continue;
    }
    for (Index i = 0; i < n; ++i)
      if (inside[static_cast<std::size_t>(i)] != 0) U(i, c) = dense(i, k);
    for (Index o = 0; o < total; ++o)
      if (entered[static_cast<std::size_t>(o)] != 0) D(o, c) = dense(index[static_cast<std::size_t>(o)], k);
  }
  const Eigen::LLT<DenseMatrix> llt(K);
  const DenseMatrix Y = llt.matrixL().solve(U);
  const DenseMatrix C = D - Y.transpose() * Y;
  Vector r = random_vector(n, 9);
  for (Index i = 0; i < n; ++i)
    if (inside[static_cast<std::size_t>(i)] == 0) r[i] = 0.0;
  const Vector q = llt.matrixL().solve(r), pi = random_vector(total, 10);
  const Vector expected = llt.matrixU().solve(q - Y * pi);
  const auto check = [&](int first, int count) {
    SCOPED_TRACE(testing::Message() << "changes " << first << " to " << count);
    const auto size_of = static_cast<std::size_t>(count);
    DenseMatrix products = DenseMatrix::Constant(count, count - first + 1, nan);
    device.engine.extend({changes.data(), size_of}, first, r.data(), products.data());
    for (Index b = first; b < count; ++b)
      expect_near(products.col(b - first), C.col(b).head(count), 1e-12 * (1.0 + size.bandwidth));
    expect_near(products.col(count - first), (Y.leftCols(count).transpose() * q), 1e-11);
    if (testing::Test::HasFatalFailure()) return;
    Vector x = Vector::Constant(n, nan);
    device.engine.correct({pi.data(), size_of}, x.data());
    expect_near(x, llt.matrixU().solve(q - Y.leftCols(count) * pi.head(count)), 1e-11);
  };
  check(0, 0);
  check(0, 20);
  check(20, 20);
  check(20, 38);
  // A column in the place of another.
  device.engine.move_column(37, 5);
  std::swap(changes[5], changes[37]);
  DenseMatrix products = DenseMatrix::Constant(37, 1, nan);
  device.engine.extend({changes.data(), 37}, 37, r.data(), products.data());
  EXPECT_NEAR(products(5, 0), Y.col(37).dot(q), 1e-11);
  EXPECT_TRUE(expected.allFinite());
}

TEST(BandEngine, TooWideABandIsRefusedBeforeMemoryIsTaken) {
  SLIPSTICK_NEEDS_DEVICE();
  EXPECT_EQ(BandEngine::explain_unsupported(BandShape(8000, 1000), 500), "");
  const std::string reason = BandEngine::explain_unsupported(BandShape(1'000'000, 999'999), 500);
  EXPECT_NE(reason.find("MiB of device memory"), std::string::npos) << reason;
}

}  // namespace slipstick::internal::band_engine_test
