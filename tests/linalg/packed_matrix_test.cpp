// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/packed_matrix.hpp"

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"

namespace slipstick::packed_matrix_test {

TEST(PackedMatrix, ProductsOfEverySizeAndStorage) {
  std::srand(1);
  for (Index n = 0; n <= 13; ++n) {
    const DenseMatrix a = DenseMatrix::Random(n, n);
    for (const Operator& source : {Operator(a), Operator(csr_from_dense(a))}) {
      PackedMatrix packed;
      EXPECT_FALSE(packed.holds(source));
      packed.load(source);
      EXPECT_TRUE(packed.holds(source));
      EXPECT_FALSE(packed.holds(Operator(a)));
      const Vector x = Vector::Random(packed.stride()), b = Vector::Random(packed.stride());
      Vector y(packed.stride());
      packed.multiply_add(x.data(), b.data(), y.data());
      EXPECT_LE((y.head(n) - (a * x.head(n) + b.head(n))).norm(), 1e-14) << n;
      for (Index i = 0; i < n; ++i) EXPECT_EQ(packed.diagonal(i), a(i, i));
      EXPECT_DOUBLE_EQ(packed.asymmetry(), source.asymmetry());
    }
  }
}

}  // namespace slipstick::packed_matrix_test
