// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Generated QPs of the Maros-Meszaros collection and CUTE, to their published optima.
#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/scenes/qp_families.hpp"
#include "slipstick/solve.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::qp_optima_test {

struct PublishedOptimum {
  const char* family;
  Index size;
  double optimum;           // eight digits in the collection, six or more in remarks of CUTE
  double tolerance = 1e-6;  // relative; entries of the collection's files have six digits
};

void expect_optimum(const PublishedOptimum& published) {
  const DriverResult result = solve(make_qp({published.family, published.size}));
  EXPECT_TRUE(result.solved()) << published.family << " " << published.size << ": " << result.message;
  EXPECT_NEAR(result.measures.objective, published.optimum, published.tolerance * std::abs(published.optimum))
      << published.family << " " << published.size;
}

TEST(QpOptima, SmallSizes) {
  for (const PublishedOptimum& published : std::initializer_list<PublishedOptimum>{
           {"cvxqp1", 100, 1.1590718e4},
           {"cvxqp2", 100, 8.1209405e3},
           {"cvxqp3", 100, 1.1943432e4},
           {"aug3d", 10, 5.5406773e2},
           {"aug3dc", 10, 7.7126244e2},
           {"aug3dqp", 10, 6.7523767e2},
           {"aug3dcqp", 10, 9.9336215e2},
           {"yao", 20, 2.39883},
           {"yao", 200, 20.1517},
           {"stcqp1", 4, 47.86842},
           {"stcqp1", 8, 4040.487},
           {"stcqp2", 8, 1429.402},
           {"ksip", 1000, 5.7579794e-1},
           {"dtoc3", 10, 224.590381002},
       })
    expect_optimum(published);
}

TEST(QpOptima, SizesOfTheCollection) {
  for (const PublishedOptimum& published : std::initializer_list<PublishedOptimum>{
           {"aug2d", 100, 1.6874118e6},
           {"aug2dc", 100, 1.8183681e6},
           {"aug2dcqp", 100, 6.4981348e6},
           {"stcqp1", 12, 1.5514356e5},
           {"stcqp2", 12, 2.2327313e4},
           {"hues-mod", 10000, 3.4824690e7, 1e-5},
       })
    if (!sanitized || published.size < 100) expect_optimum(published);
}

}  // namespace slipstick::internal::qp_optima_test
