// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/hdf5_column.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "slipstick/base/error.hpp"
#include "tests/io/hdf5_testing.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::hdf5_column_test {

const ColumnSpec pairs = {"/group/pairs", ColumnType::int32, 2};

std::byte* bytes(std::vector<int>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

// Several chunks: rows 0 to 19,999 are (2 k, 2 k + 1).
void write_pairs(const std::filesystem::path& path) {
  std::vector<int> values(40'000);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<int>(k);
  Hdf5File file(path, Hdf5File::Mode::create_compact);
  {
    const Hdf5Column column = Hdf5Column::create(file, pairs, 20'000);
    column.write(5'000, 15'000, bytes(values) + 5'000 * pairs.row_bytes());
    column.write(0, 5'000, bytes(values));
  }
  Hdf5Column::create(file, {"/group/nothing", ColumnType::number}, 0);
  file.close();
}

TEST(Hdf5Column, RowsAreReadInAnyOrder) {
  const ScratchFolder folder;
  write_pairs(folder / "a.h5");
  EXPECT_LT(std::filesystem::file_size(folder / "a.h5"), 80'000U);
  const Hdf5File file(folder / "a.h5", Hdf5File::Mode::read);
  const Hdf5Column column = Hdf5Column::open(file, pairs);
  ASSERT_EQ(column.rows(), 20'000);
  for (const Index first : {19'998, 0, 8'190}) {
    std::vector<int> two(4, -1);
    column.read(first, 2, bytes(two));
    for (int k = 0; k < 4; ++k) EXPECT_EQ(two[static_cast<std::size_t>(k)], 2 * first + k);
  }
  EXPECT_EQ(Hdf5Column::open(file, {"/group/nothing", ColumnType::number}).rows(), 0);
}

TEST(Hdf5Column, AnotherShapeOrTypeIsRefused) {
  const ScratchFolder folder;
  write_pairs(folder / "a.h5");
  const Hdf5File file(folder / "a.h5", Hdf5File::Mode::read);
  const auto refusal = [&](const ColumnSpec& spec) {
    return message_of([&] { Hdf5Column::open(file, spec); });
  };
  EXPECT_TRUE(has(refusal({"/group/pairs", ColumnType::int32, 3}), "has 2 columns, expected 3"));
  EXPECT_TRUE(has(refusal({"/group/pairs", ColumnType::int32, 1}), "has rank 2, expected 1"));
  EXPECT_TRUE(has(refusal({"/group/pairs", ColumnType::int64, 2}), "signed 64-bit numbers"));
  EXPECT_TRUE(has(refusal({"/group/missing", ColumnType::int32, 2}), "no dataset /group/missing"));
  EXPECT_TRUE(has(refusal({"/group", ColumnType::int32, 2}), "/group"));
}

TEST(Hdf5Column, AChangedByteIsFound) {
  const ScratchFolder folder;
  write_pairs(folder / "a.h5");
  std::string content = bytes_of(folder / "a.h5");
  int found = 0;
  for (std::size_t place = content.size() / 4; place < content.size(); place += content.size() / 16) {
    std::string changed = content;
    changed[place] = static_cast<char>(changed[place] ^ 16);
    const Hdf5File file(folder.file("b.h5", changed), Hdf5File::Mode::read);
    std::vector<int> values(40'000);
    try {
      Hdf5Column::open(file, pairs).read(0, 20'000, bytes(values));
      for (std::size_t k = 0; k < values.size(); ++k) ASSERT_EQ(values[k], static_cast<int>(k));
    } catch (const Error&) {
      ++found;
    }
  }
  EXPECT_GT(found, 6);
}

}  // namespace slipstick::internal::hdf5_column_test
