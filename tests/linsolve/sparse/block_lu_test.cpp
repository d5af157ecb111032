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
    lu.begin(sizes, definite);
    double block[9];
    for (int i = 0; i < count(); ++i) {
      for (int k = start[i]; k < start[i + 1]; ++k) {
        const int width = sizes[columns[k]];
        for (int a = 0; a < sizes[i]; ++a)
          for (int c = 0; c < width; ++c) block[width * a + c] = values[k](a, c);
        lu.put(static_cast<std::size_t>(k), block);
      }
    }
    return lu.factorize();
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
    EXPECT_LE(lu.flops(), n < 40 ? flops : 0.8 * flops);
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

// A cube of blocks, coupled with their neighbours, with values for a factorization.
struct Cube {
  std::vector<int> start{0}, columns, sizes;
  std::vector<double> values;

  explicit Cube(int side, bool symmetric) {
    const int n = side * side * side;
    sizes.assign(static_cast<std::size_t>(n), 3);
    for (int i = 0; i < n; ++i) {
      for (const int step : {-side * side, -side, -1, 0, 1, side, side * side}) {
        const int j = i + step;
        if (j < 0 || j >= n) continue;
        columns.push_back(j);
        // Depends on the pair of blocks only.
        Random random(
            static_cast<std::uint64_t>(symmetric ? std::min(i, j) * n + std::max(i, j) : i * n + j));
        DenseMatrix block(3, 3);
        for (double& value : block.reshaped()) value = random.normal();
        if (symmetric && j < i) block.transposeInPlace();
        if (i == j) block = (block + block.transpose()).eval() + 40.0 * DenseMatrix::Identity(3, 3);
        for (int a = 0; a < 3; ++a)
          for (int c = 0; c < 3; ++c) values.push_back(block(a, c));
      }
      start.push_back(static_cast<int>(columns.size()));
    }
  }
  Vector multiply(const Vector& x) const {
    Vector y = Vector::Zero(x.size());
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i)
      for (int k = start[i]; k < start[i + 1]; ++k)
        for (int a = 0; a < 3; ++a)
          for (int c = 0; c < 3; ++c) y[3 * i + a] += values[9 * k + 3 * a + c] * x[3 * columns[k] + c];
    return y;
  }
  bool factorize(BlockLu& lu, bool definite, int threads) const {
    lu.set_threads(threads);
    lu.analyze(start, columns, sizes);
    lu.begin(sizes, definite);
    for (std::size_t k = 0; k < columns.size(); ++k) lu.put(k, values.data() + 9 * k);
    return lu.factorize();
  }
};

TEST(BlockLu, GivesTheSameBitsForEveryNumberOfThreads) {
  Random random(7);
  for (const bool definite : {false, true}) {
    const Cube cube(9, definite);
    BlockLu lu;
    const Vector b = random_vector(3 * static_cast<Index>(cube.sizes.size()), random);
    Vector reference;
    for (const int threads : {1, 2, 3, 7, 1}) {
      ASSERT_TRUE(cube.factorize(lu, definite, threads));
      ASSERT_GT(lu.flops(), 2e7) << "too small to be shared";
      Vector x = b;
      lu.solve(x);
      EXPECT_LE((cube.multiply(x) - b).norm(), 1e-10 * b.norm());
      if (reference.size() == 0) reference = x;
      EXPECT_TRUE((x.array() == reference.array()).all()) << threads << " threads";
    }
  }
}

TEST(BlockLu, FailsOnThreadsToo) {
  Cube cube(9, true);
  BlockLu lu;
  for (const int threads : {1, 3}) {
    ASSERT_TRUE(cube.factorize(lu, true, threads));
    std::vector<double> kept = cube.values;
    cube.values[9 * (cube.columns.size() / 2)] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(cube.factorize(lu, false, threads));
    cube.values = kept;
    for (int i = 0; i < static_cast<int>(cube.sizes.size()); i += 100) {
      const auto begin = cube.columns.begin() + cube.start[i];
      const auto diagonal = std::find(begin, cube.columns.end(), i) - cube.columns.begin();
      cube.values[static_cast<std::size_t>(9 * diagonal)] = -100.0;
    }
    EXPECT_FALSE(cube.factorize(lu, true, threads)) << "not definite";
    EXPECT_TRUE(cube.factorize(lu, false, threads));
    cube.values = kept;
  }
}

}  // namespace slipstick::internal::block_lu_test
