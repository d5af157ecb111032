// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/sequence/anderson.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::internal::anderson_test {

// x <- M x + c, a contraction.
struct Affine {
  DenseMatrix M = DenseMatrix(vec({0.9, 0.5, -0.7, 0.99}).asDiagonal());
  Vector c = vec({1, 2, 3, 4});
  Vector fixed() const { return vec({10, 4, 3 / 1.7, 400}); }
};

int iterations(int memory) {
  const Affine map;
  Anderson anderson;
  anderson.reset(4, memory);
  Vector x = Vector::Zero(4);
  for (int k = 0; k < 5000; ++k) {
    if ((x - map.fixed()).norm() < 1e-8 * map.fixed().norm()) return k;
    anderson.step(map.M * x + map.c, x);
  }
  return 5000;
}

TEST(Anderson, WithoutMemoryItIsTheFixedPointIteration) {
  const Affine map;
  Anderson anderson;
  anderson.reset(4, 0);
  Vector x = vec({1, 1, 1, 1});
  const Vector image = map.M * x + map.c;
  anderson.step(image, x);
  EXPECT_EQ(x, image);
}

TEST(Anderson, EndsOnAffineMapsLikeAKrylovMethod) {
  EXPECT_GT(iterations(0), 1000);
  EXPECT_LE(iterations(4), 8) << "as many steps as rows, and a few for rounding";
}

TEST(Anderson, ForgetsOnReset) {
  const Affine map;
  Anderson used, fresh;
  used.reset(4, 3);
  Vector x = vec({5, 5, 5, 5});
  used.step(map.M * x + map.c, x);
  used.step(map.M * x + map.c, x);
  used.reset(4, 3);
  fresh.reset(4, 3);
  Vector a = vec({1, 2, 3, 4}), b = a;
  for (int k = 0; k < 3; ++k) {
    used.step(map.M * a + map.c, a);
    fresh.step(map.M * b + map.c, b);
  }
  EXPECT_EQ(a, b);
}

TEST(Anderson, StaysFiniteAtTheFixedPoint) {
  Anderson anderson;
  anderson.reset(2, 2);
  Vector x = vec({1, 2});
  for (int k = 0; k < 4; ++k) anderson.step(vec({1, 2}), x);
  EXPECT_EQ(x, vec({1, 2}));
}

}  // namespace slipstick::internal::anderson_test
