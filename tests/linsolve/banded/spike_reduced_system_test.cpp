// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/spike_reduced_system.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/random.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::spike_reduced_system_test {

// The equations of x_i^t and x_i^b for all partitions, in this order, as one dense system.
struct Dense {
  DenseMatrix matrix;
  Vector right;
};

// Random tips and right-hand sides; what must not be read is NaN.
Dense fill(SpikeReducedSystem& system, int partitions, Index k, bool truncated, double size,
           std::uint64_t seed) {
  Random random(seed);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto tip = [&](DenseMatrix& m) {
    m = DenseMatrix::NullaryExpr(k, k, [&] { return size * random.uniform(-1.0, 1.0); });
  };
  const auto unread = [&](DenseMatrix& m) { m.setConstant(k, k, nan); };
  Dense dense;
  const Index rows = 2 * k * partitions;
  dense.matrix = DenseMatrix::Identity(rows, rows);
  dense.right = Vector::NullaryExpr(rows, [&] { return random.normal(); });
  for (int i = 0; i < partitions; ++i) {
    SpikeReducedSystem::Tips& tips = system.tips(i);
    const bool previous = i > 0, next = i + 1 < partitions;
    const Index top = 2 * k * i, bottom = top + k;
    previous ? tip(tips.W_top) : unread(tips.W_top);
    next ? tip(tips.V_bottom) : unread(tips.V_bottom);
    previous&& next && !truncated ? tip(tips.W_bottom) : unread(tips.W_bottom);
    previous&& next && !truncated ? tip(tips.V_top) : unread(tips.V_top);
    if (previous) dense.matrix.block(top, top - k, k, k) = tips.W_top;
    if (next) dense.matrix.block(bottom, bottom + k, k, k) = tips.V_bottom;
    if (previous && next && !truncated) {
      dense.matrix.block(bottom, top - k, k, k) = tips.W_bottom;
      dense.matrix.block(top, bottom + k, k, k) = tips.V_top;
    }
    system.top(i) = previous ? Vector(dense.right.segment(top, k)) : Vector::Constant(k, nan);
    system.bottom(i) = next ? Vector(dense.right.segment(bottom, k)) : Vector::Constant(k, nan);
  }
  return dense;
}

TEST(SpikeReducedSystem, ByHand) {
  // x + 2 y = 5, 3 x + y = 5
  SpikeReducedSystem system;
  system.reset(2, 1, false);
  system.tips(0).V_bottom(0, 0) = 2.0;
  system.tips(1).W_top(0, 0) = 3.0;
  EXPECT_EQ(system.factorize(1), 0);
  system.bottom(0)[0] = 5.0;
  system.top(1)[0] = 5.0;
  system.solve();
  EXPECT_DOUBLE_EQ(system.bottom_before_cut(0)[0], 1.0);
  EXPECT_DOUBLE_EQ(system.top_after_cut(0)[0], 2.0);
}

TEST(SpikeReducedSystem, TheTreeSolvesTheWholeSystem) {
  for (const bool truncated : {false, true}) {
    for (int partitions = 2; partitions <= 11; ++partitions) {
      for (const Index k : {1, 2, 5, 13}) {
        for (const int threads : {1, 2}) {
          SpikeReducedSystem system;
          system.reset(partitions, k, truncated);
          const Dense dense =
              fill(system, partitions, k, truncated, 0.4, static_cast<std::uint64_t>(100 * partitions + k));
          ASSERT_EQ(system.factorize(threads), 0);
          system.solve();
          const Vector expected = solve_linear(dense.matrix, dense.right).value();
          for (int cut = 0; cut + 1 < partitions; ++cut) {
            const Index bottom = 2 * k * cut + k;
            EXPECT_LT((system.bottom_before_cut(cut) - expected.segment(bottom, k)).norm(),
                      1e-9 * expected.norm());
            EXPECT_LT((system.top_after_cut(cut) - expected.segment(bottom + k, k)).norm(),
                      1e-9 * expected.norm());
          }
        }
      }
    }
  }
}

TEST(SpikeReducedSystem, SingularCutsAreShifted) {
  // x + y = 1, x + y = 1
  SpikeReducedSystem system;
  system.reset(2, 1, true);
  system.tips(0).V_bottom(0, 0) = 1.0;
  system.tips(1).W_top(0, 0) = 1.0;
  EXPECT_EQ(system.factorize(1), 1);
  system.bottom(0)[0] = 1.0;
  system.top(1)[0] = 1.0;
  system.solve();
  EXPECT_NEAR(system.bottom_before_cut(0)[0] + system.top_after_cut(0)[0], 1.0, 1e-6);
  system.tips(1).W_top(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(system.factorize(1), -1);
}

TEST(SpikeReducedSystem, SecondFactorizationAndSolveAllocateNothing) {
  SpikeReducedSystem system;
  system.reset(7, 6, false);
  fill(system, 7, 6, false, 0.3, 1);
  system.factorize(2);
  system.solve();
  const std::size_t before = allocations();
  system.reset(7, 6, false);
  system.factorize(2);
  system.solve();
  EXPECT_EQ(allocations(), before);
}

}  // namespace slipstick::internal::spike_reduced_system_test
