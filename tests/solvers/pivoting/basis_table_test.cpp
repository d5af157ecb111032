// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/basis_table.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::basis_table_test {

using Mask = BasisTable::Mask;

PackedMatrix packed(const DenseMatrix& m) {
  PackedMatrix matrix;
  matrix.load(Operator(m));
  return matrix;
}

// y = P(F) q, with all that a transform is padded with.
Vector multiplied(const PackedMatrix& matrix, const double* transform, const Vector& q) {
  const Index stride = matrix.stride();
  const DenseMatrix p = DenseMatrix::Map(transform, stride, stride);
  EXPECT_TRUE((p.bottomRows(stride - q.size()).array() == 0.0).all());
  EXPECT_TRUE((p.rightCols(stride - q.size()).array() == 0.0).all());
  return p.topLeftCorner(q.size(), q.size()) * q;
}

// The same by the linear system of the set; nothing where that is singular.
std::optional<Vector> solved(const DenseMatrix& m, Mask free, const Vector& q) {
  std::vector<int> rows;
  for (int i = 0; i < m.rows(); ++i) {
    if ((free >> i & 1u) != 0) rows.push_back(i);
  }
  Vector z = Vector::Zero(m.rows());
  if (!rows.empty()) {
    const std::optional<Vector> inside = solve_linear(m(rows, rows), -q(rows));
    if (!inside) return std::nullopt;
    z(rows) = *inside;
  }
  Vector y = m * z + q;
  y(rows) = z(rows);
  return y;
}

TEST(BasisTable, SetsOfTwoRows) {
  const PackedMatrix matrix = packed(mat({{2, 1}, {3, 4}}));
  BasisTable table;
  table.reset(matrix);
  const Vector q = vec({6, 10});
  EXPECT_EQ(multiplied(matrix, table.transform(matrix, 0b00), q), q);
  EXPECT_EQ(multiplied(matrix, table.transform(matrix, 0b01), q), vec({-3, 1}));
  EXPECT_EQ(multiplied(matrix, table.transform(matrix, 0b10), q), vec({3.5, -2.5}));
  const Vector both = multiplied(matrix, table.transform(matrix, 0b11), q);
  EXPECT_LE((both - vec({-14.0 / 5, -2.0 / 5})).norm(), 1e-15);
}

TEST(BasisTable, PivotsOffTheDiagonal) {
  const PackedMatrix matrix = packed(mat({{0, 2, 0}, {0, 0, 4}, {1, 0, 0}}));
  BasisTable table;
  table.reset(matrix);
  EXPECT_EQ(multiplied(matrix, table.transform(matrix, 0b111), vec({2, 4, 8})), vec({-8, -1, -1}));
  table.reset(matrix, vec({2, 0.5, 4}).data());
  EXPECT_EQ(multiplied(matrix, table.transform(matrix, 0b111), vec({2, 4, 8})), vec({-16, -0.5, -4}));
}

TEST(BasisTable, WeighsTheRowsOfTheSet) {
  const PackedMatrix matrix = packed(mat({{2, 1}, {3, 4}}));
  BasisTable table;
  table.reset(matrix, vec({8, 0.25}).data());
  EXPECT_EQ(multiplied(matrix, table.transform(matrix, 0b00), vec({6, 10})), vec({6, 10}));
  EXPECT_EQ(multiplied(matrix, table.transform(matrix, 0b01), vec({6, 10})), vec({-24, 1}));
  EXPECT_EQ(multiplied(matrix, table.transform(matrix, 0b10), vec({6, 10})), vec({3.5, -0.625}));
}

TEST(BasisTable, SingularSetsAreNull) {
  const PackedMatrix ones = packed(mat({{1, 1}, {1, 1}}));
  BasisTable table;
  table.reset(ones);
  EXPECT_EQ(table.transform(ones, 0b11), nullptr);
  EXPECT_EQ(table.transform(ones, 0b11), nullptr) << "also when it is known";
  EXPECT_NE(table.transform(ones, 0b01), nullptr);

  const PackedMatrix zero = packed(DenseMatrix::Zero(5, 5));
  table.reset(zero);
  EXPECT_EQ(table.transform(zero, 0b00100), nullptr);
  EXPECT_NE(table.transform(zero, 0), nullptr);

  // Rank two of three, as far as rounding tells.
  const PackedMatrix deficient = packed(mat({{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, {0.7, 0.8, 0.9}}));
  table.reset(deficient);
  EXPECT_EQ(table.transform(deficient, 0b111), nullptr);
  EXPECT_NE(table.transform(deficient, 0b011), nullptr);
}

TEST(BasisTable, WhatIsNotANumberStaysInSight) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PackedMatrix matrix = packed(mat({{nan, 1}, {1, 2}}));
  BasisTable table;
  table.reset(matrix);
  EXPECT_EQ(table.transform(matrix, 0b01), nullptr);
  if (const double* both = table.transform(matrix, 0b11); both != nullptr) {
    EXPECT_FALSE(multiplied(matrix, both, vec({1, 1})).allFinite());
  }
}

TEST(BasisTable, AgreesWithTheLinearSystems) {
  Random random(1);
  BasisTable table;
  for (Index n = 1; n <= BasisTable::most_rows; ++n) {
    for (const bool symmetric : {false, true}) {
      const DenseMatrix m =
          symmetric ? random_spd(random, n, 100.0) : random_matrix(n, n, static_cast<std::uint64_t>(n));
      const PackedMatrix matrix = packed(m);
      table.reset(matrix);
      const Vector q = random_vector(n, random);
      for (int k = 0; k < 40; ++k) {
        const Mask free = static_cast<Mask>(random.below(std::uint64_t{1} << n));
        const std::optional<Vector> expected = solved(m, free, q);
        const double* const transform = table.transform(matrix, free);
        ASSERT_TRUE(expected && transform != nullptr) << n << " " << free;
        EXPECT_LE((multiplied(matrix, transform, q) - *expected).norm(), 1e-9 * (1.0 + expected->norm()))
            << n << " " << free;
      }
    }
  }
}

// More sets than there is room for.
TEST(BasisTable, TheSameBitsWhateverWasAskedForBefore) {
  const Index n = 12;
  const PackedMatrix matrix = packed(random_matrix(n, n, 7));
  BasisTable kept;
  kept.reset(matrix);
  for (Mask free = 0; free < 4096; free += 5) {
    BasisTable fresh;
    fresh.reset(matrix);
    const Index entries = matrix.stride() * matrix.stride();
    const double *is = kept.transform(matrix, free), *should = fresh.transform(matrix, free);
    ASSERT_EQ(Vector::Map(is, entries), Vector::Map(should, entries)) << free;
    if (free >= 60) {
      ASSERT_EQ(Vector::Map(kept.transform(matrix, free - 60), entries),
                Vector::Map(fresh.transform(matrix, free - 60), entries));
    }
  }
}

TEST(BasisTable, AnotherMatrix) {
  BasisTable table;
  const PackedMatrix first = packed(mat({{2, 0}, {0, 2}})), second = packed(mat({{4, 0}, {0, 4}}));
  const PackedMatrix larger = packed(DenseMatrix::Identity(5, 5));
  table.reset(first);
  EXPECT_EQ(multiplied(first, table.transform(first, 0b11), vec({8, 8})), vec({-4, -4}));
  const std::size_t before = allocations();
  table.reset(second);
  const double* const transform = table.transform(second, 0b11);
  EXPECT_EQ(allocations() - before, 0u);
  EXPECT_EQ(multiplied(second, transform, vec({8, 8})), vec({-2, -2}));
  table.reset(larger);
  EXPECT_EQ(multiplied(larger, table.transform(larger, 0b00011), vec({1, 2, 3, 4, 5})),
            vec({-1, -2, 3, 4, 5}));
}

}  // namespace slipstick::basis_table_test
