// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/row_entries.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::row_entries_test {

using Entries = std::vector<std::pair<Index, double>>;

template <class Storage>
Entries entries(const Storage& a, Index i) {
  Entries list;
  for_row(a, i, [&](Index column, double value) { list.emplace_back(column, value); });
  return list;
}

// Two blocks of three rows that are not coupled, bandwidth 2.
const DenseMatrix& sample() {
  static const DenseMatrix a = mat({{1, 2, 3, 0, 0, 0},
                                    {2, 4, 5, 0, 0, 0},
                                    {3, 5, 6, 0, 0, 0},
                                    {0, 0, 0, 7, 0, 8},
                                    {0, 0, 0, 0, 9, 0},
                                    {0, 0, 0, 8, 0, 1}});
  return a;
}

TEST(RowEntries, SparseRowsGiveWhatIsStored) {
  const CsrMatrix a = csr_from_dense(sample());
  EXPECT_EQ(entries(a, 1), (Entries{{0, 2}, {1, 4}, {2, 5}}));
  EXPECT_EQ(entries(a, 4), (Entries{{4, 9}}));
  EXPECT_EQ(entries(CsrMatrix(2, 2), 1), Entries{});
}

TEST(RowEntries, BandsEndAtTheMatrix) {
  const BandedMatrix a(csr_from_dense(sample()));
  ASSERT_EQ(a.bandwidth(), 2);
  EXPECT_EQ(entries(a, 0), (Entries{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(entries(a, 2), (Entries{{0, 3}, {1, 5}, {2, 6}, {3, 0}, {4, 0}}));
  EXPECT_EQ(entries(a, 5), (Entries{{3, 8}, {4, 0}, {5, 1}}));
}

template <class Storage>
void expect_rows(const Storage& storage, const DenseMatrix& a) {
  for (Index i = 0; i < a.rows(); ++i) {
    Vector row = Vector::Zero(a.cols());
    for (const auto& [column, value] : entries(storage, i)) row[column] += value;
    EXPECT_EQ(row, a.row(i).transpose());
  }
}

TEST(RowEntries, EveryStorageHoldsTheRow) {
  Random random(1);
  const DenseMatrix a = random_spd(random, 12, 10.0);
  const CsrMatrix sparse = csr_from_dense(a);
  expect_rows(sparse, a);
  expect_rows(BandedMatrix(sparse), a);
  expect_rows(a, a);
}

}  // namespace slipstick::internal::row_entries_test
