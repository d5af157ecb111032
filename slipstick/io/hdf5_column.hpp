// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "slipstick/io/hdf5_file.hpp"

namespace slipstick::internal {

enum class ColumnType { number, int64, int32, key, byte };
constexpr std::size_t size_of(ColumnType type) {
  constexpr std::size_t sizes[] = {8, 8, 4, 8, 1};
  return sizes[static_cast<int>(type)];
}

/// A dataset of rows with `width` entries each. Its rank is 1 if the width is 1, else 2.
struct ColumnSpec {
  std::string name;  ///< with its group
  ColumnType type = ColumnType::number;
  int width = 1;

  std::size_t row_bytes() const { return size_of(type) * static_cast<std::size_t>(width); }
};

/// A column in an open HDF5 file: compressed, with checksums, in chunks of 64 KiB. Rows are read and written
/// in any order. The file must stay open.
class Hdf5Column {
 public:
  /// A new column. Rows that are not written are 0.
  static Hdf5Column create(const Hdf5File& file, const ColumnSpec& spec, Index rows);
  /// A column of a file. Its type and sizes are checked, also against the size of the file. Columns that keep
  /// their data in other files are refused.
  static Hdf5Column open(const Hdf5File& file, const ColumnSpec& spec);

  const ColumnSpec& spec() const { return spec_; }
  Index rows() const { return rows_; }
  void read(Index first, Index count, std::byte* rows) const;
  void write(Index first, Index count, const std::byte* rows) const;

 private:
  Hdf5Column(const Hdf5File& file, ColumnSpec spec) : file_(&file), spec_(std::move(spec)) {}
  void select(Index first, Index count, Hdf5Handle& in_file, Hdf5Handle& in_memory) const;
  void check_stored() const;

  const Hdf5File* file_;
  ColumnSpec spec_;
  Index rows_ = 0;
  Hdf5Handle dataset_;
};

}  // namespace slipstick::internal
