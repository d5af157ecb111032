// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/block_lu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::block_lu_test {

// A random pattern of blocks, unsymmetric, with values for the largest sizes.
struct Blocks {
  std::vector<int> start{0}, columns, largest;
  std::vector<DenseMatrix> values;

  Blocks(int n, double near, Random& random) {
    for (int i = 0; i < n; ++i) largest.push_back(1 + static_cast<int>(random.below(3)));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        // Neighbours on a ring, and some from afar.
        const bool close = std::abs(i - j) <= 2 || std::abs(i - j) >= n - 2;
        if (i != j && random.uniform() > (close ? 0.8 : near / n)) continue;
        columns.push_back(j);
        DenseMatrix block(largest[i], largest[j]);
        for (double& value : block.reshaped()) value = random.normal();
        if (i == j) block.diagonal().array() += 3.0;
        values.push_back(block);
      }
      start.push_back(static_cast<int>(columns.size()));
    }
  }
  int count() const { return static_cast<int>(largest.size()); }

  // The leading parts of the blocks.
  DenseMatrix dense(const std::vector<int>& sizes) const {
    std::vector<int> offset{0};
    for (const int size : sizes) offset.push_back(offset.back() + size);
    DenseMatrix a = DenseMatrix::Zero(offset.back(), offset.back());
    for (int i = 0; i < count(); ++i)
      for (int k = start[i]; k < start[i + 1]; ++k)
        a.block(offset[i], offset[columns[k]], sizes[i], sizes[columns[k]]) =
            values[k].topLeftCorner(sizes[i], sizes[columns[k]]);
    return a;
  }
  // A + A' + a large diagonal.
  void make_definite() {
    const auto entry = [&](int i, int j) {
      const auto begin = columns.begin() + start[i], end = columns.begin() + start[i + 1];
      const auto place = std::find(begin, end, j);
      return place == end ? -1 : static_cast<int>(place - columns.begin());
    };
    for (int i = 0; i < count(); ++i) {
      for (int k = start[i]; k < start[i + 1]; ++k) {
        const int mirrored = entry(columns[k], i);
        if (mirrored < 0) {
          values[k].setZero();
        } else if (columns[k] > i) {
          values[mirrored] = values[k].transpose();
        } else if (columns[k] == i) {
          values[k] = (values[k] + values[k].transpose()).eval();
          values[k].diagonal().array() += 200.0;
        }
      }
    }
  }
  bool factorize(const std::vector<int>& sizes, BlockLu& lu, bool definite = false) const {
    lu.analyze(start, columns, largest);
    lu.begin(sizes);
    double block[9];
    for (int i = 0; i < count(); ++i) {
      for (int k = start[i]; k < start[i + 1]; ++k) {
        const int width = sizes[columns[k]];
        for (int a = 0; a < sizes[i]; ++a)
          for (int c = 0; c < width; ++c) block[width * a + c] = values[k](a, c);
        lu.put(static_cast<std::size_t>(k), block);
      }
    }
    return lu.factorize(definite);
  }
};

int sign_of_determinant(const DenseMatrix& a) {
  DenseMatrix lu = a;
  int sign = 1;
  for (Index c = 0; c < lu.rows(); ++c) {
    Index best = c;
    for (Index i = c; i < lu.rows(); ++i)
      if (std::abs(lu(i, c)) > std::abs(lu(best, c))) best = i;
    if (best != c) {
      lu.row(c).swap(lu.row(best));
      sign = -sign;
    }
    if (lu(c, c) < 0.0) sign = -sign;
    for (Index i = c + 1; i < lu.rows(); ++i) lu.row(i) -= lu(i, c) / lu(c, c) * lu.row(c);
  }
  return sign;
}

TEST(BlockLu, SolvesWithBlocksOfChangingSizes) {
  Random random(1);
  for (const int n : {1, 2, 7, 40, 120}) {
    const Blocks blocks(n, 2.0, random);
    BlockLu lu;
    for (int round = 0; round < 4; ++round) {
      std::vector<int> sizes = blocks.largest;
      if (round > 0)
        for (int& size : sizes) size = static_cast<int>(random.below(size + 1));
      ASSERT_TRUE(blocks.factorize(sizes, lu));
      const DenseMatrix a = blocks.dense(sizes);
      ASSERT_EQ(lu.rows(), a.rows());
      const Vector b = random_vector(a.rows(), random);
      Vector x = b;
      lu.solve(x);
      EXPECT_LE((a * x - b).norm(), 1e-10 * (a.norm() * x.norm() + 1e-300)) << n << " blocks";
      EXPECT_EQ(lu.perturbed(), 0);
      EXPECT_EQ(lu.determinant_sign(), sign_of_determinant(a));
    }
  }
}

TEST(BlockLu, SolvesDefiniteMatricesWithHalfTheWork) {
  Random random(5);
  for (const int n : {1, 2, 7, 40, 120}) {
    Blocks blocks(n, 2.0, random);
    blocks.make_definite();
    BlockLu lu;
    ASSERT_TRUE(blocks.factorize(blocks.largest, lu));
    const double flops = lu.flops();
    ASSERT_TRUE(blocks.factorize(blocks.largest, lu, true));
    EXPECT_LE(lu.flops(), flops);
    const DenseMatrix a = blocks.dense(blocks.largest);
    const Vector b = random_vector(a.rows(), random);
    Vector x = b;
    lu.solve(x);
    EXPECT_LE((a * x - b).norm(), 1e-12 * a.norm() * x.norm()) << n << " blocks";
    blocks.values[0].diagonal().array() -= 1000.0;
    EXPECT_FALSE(blocks.factorize(blocks.largest, lu, true)) << "not definite";
  }
}

TEST(BlockLu, SolvesFullMatrices) {
  Random random(2);
  const Blocks blocks(60, 60.0, random);
  BlockLu lu;
  ASSERT_TRUE(blocks.factorize(blocks.largest, lu));
  const DenseMatrix a = blocks.dense(blocks.largest);
  const Vector b = random_vector(a.rows(), random);
  Vector x = b;
  lu.solve(x);
  EXPECT_LE((a * x - b).norm(), 1e-10 * a.norm() * x.norm());
  EXPECT_EQ(lu.determinant_sign(), sign_of_determinant(a));
}

TEST(BlockLu, ReplacesPivotsThatAreRounding) {
  // Rows 2 and 3 are the same; the right side is in the range.
  const DenseMatrix a = mat({{2.0, 1.0, 0.0}, {1.0, 3.0, 3.0}, {1.0, 3.0, 3.0}});
  BlockLu lu;
  const std::vector<int> start{0, 3, 6, 9}, columns{0, 1, 2, 0, 1, 2, 0, 1, 2}, sizes{1, 1, 1};
  lu.analyze(start, columns, sizes);
  lu.begin(sizes);
  for (int k = 0; k < 9; ++k) lu.put(static_cast<std::size_t>(k), &a(k / 3, k % 3));
  ASSERT_TRUE(lu.factorize());
  EXPECT_EQ(lu.perturbed(), 1);
  const Vector b = vec({3.0, 7.0, 7.0});
  Vector x = b;
  lu.solve(x);
  EXPECT_LE((a * x - b).norm(), 1e-8);
}

TEST(BlockLu, RefusesWhatIsNotFinite) {
  BlockLu lu;
  const std::vector<int> start{0, 1}, columns{0}, sizes{1};
  lu.analyze(start, columns, sizes);
  lu.begin(sizes);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  lu.put(0, &nan);
  EXPECT_FALSE(lu.factorize());
}

TEST(BlockLu, AllocatesNothingForTheSamePattern) {
  Random random(3);
  const Blocks blocks(50, 2.0, random);
  BlockLu lu;
  ASSERT_TRUE(blocks.factorize(blocks.largest, lu));
  std::vector<int> sizes = blocks.largest;
  for (int& size : sizes) size = static_cast<int>(random.below(size + 1));
  Vector x = Vector::Ones(lu.rows());
  const std::size_t before = allocations();
  ASSERT_TRUE(blocks.factorize(sizes, lu));
  lu.solve(x.head(lu.rows()));
  EXPECT_EQ(allocations(), before);
}

}  // namespace slipstick::internal::block_lu_test
