// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/hdf5_column.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

constexpr std::size_t chunk_bytes = 65536;
// Chunks of other writers: HDF5 allocates them whole.
constexpr std::uint64_t largest_chunk_bytes = std::uint64_t{64} << 20;
// The best that Deflate can do.
constexpr std::uint64_t deflate_ratio = 1032;
// Higher levels take longer and hardly shrink floating-point numbers.
constexpr unsigned compression_level = 1;

hid_t stored_type(ColumnType type) {
  const hid_t types[] = {H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_STD_I32LE, H5T_STD_U64LE, H5T_STD_U8LE};
  return types[static_cast<int>(type)];
}
hid_t memory_type(ColumnType type) {
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT64, H5T_NATIVE_INT32, H5T_NATIVE_UINT64,
                         H5T_NATIVE_UINT8};
  return types[static_cast<int>(type)];
}
std::string_view description(ColumnType type) {
  constexpr std::string_view words[] = {"64-bit floating-point numbers", "signed 64-bit numbers",
                                        "signed 32-bit numbers", "unsigned 64-bit numbers", "bytes"};
  return words[static_cast<int>(type)];
}

int rank_of(const ColumnSpec& spec) {
  return spec.width > 1 ? 2 : 1;
}

}  // namespace

Hdf5Column Hdf5Column::create(const Hdf5File& file, const ColumnSpec& spec, Index rows) {
  Hdf5Column column(file, spec);
  column.rows_ = rows;
  const hsize_t extents[] = {static_cast<hsize_t>(rows), static_cast<hsize_t>(spec.width)};
  const Hdf5Handle space(H5Screate_simple(rank_of(spec), extents, nullptr), H5Sclose);
  const Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(link.id(), 1);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.id(), false);
  if (rows > 0) {
    const hsize_t chunk[] = {
        std::min<hsize_t>(extents[0], std::max<std::size_t>(chunk_bytes / spec.row_bytes(), 1)), extents[1]};
    H5Pset_chunk(creation.id(), rank_of(spec), chunk);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
      H5Pset_shuffle(creation.id());
      H5Pset_deflate(creation.id(), compression_level);
    }
    H5Pset_fletcher32(creation.id());
  }
  column.dataset_ = {H5Dcreate2(file.id(), spec.name.c_str(), stored_type(spec.type), space.id(), link.id(),
                                creation.id(), H5P_DEFAULT),
                     H5Dclose};
  if (!column.dataset_.valid()) fail("{}: {} cannot be written", file.path(), spec.name);
  return column;
}

Hdf5Column Hdf5Column::open(const Hdf5File& file, const ColumnSpec& spec) {
  Hdf5Column column(file, spec);
  column.dataset_ = file.open_dataset(spec.name);
  const Hdf5Handle type(H5Dget_type(column.dataset_.id()), H5Tclose);
  if (!type.valid() || H5Tequal(type.id(), stored_type(spec.type)) <= 0)
    fail("{}: {} does not hold {}", file.path(), spec.name, description(spec.type));
  const Hdf5Handle space(H5Dget_space(column.dataset_.id()), H5Sclose);
  hsize_t extents[2] = {0, 1};
  const bool simple = space.valid() && H5Sget_simple_extent_type(space.id()) == H5S_SIMPLE;
  const int rank = simple ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank != rank_of(spec))
    fail("{}: {} has rank {}, expected {}", file.path(), spec.name, rank, rank_of(spec));
  H5Sget_simple_extent_dims(space.id(), extents, nullptr);
  if (extents[1] != static_cast<hsize_t>(spec.width))
    fail("{}: {} has {} columns, expected {}", file.path(), spec.name, extents[1], spec.width);
  if (extents[0] > static_cast<hsize_t>(std::numeric_limits<Index>::max()) / spec.row_bytes())
    fail("{}: {} declares {} rows, which is too many", file.path(), spec.name, extents[0]);
  column.rows_ = static_cast<Index>(extents[0]);
  column.check_stored();
  return column;
}

void Hdf5Column::check_stored() const {
  const Hdf5Handle properties(H5Dget_create_plist(dataset_.id()), H5Pclose);
  if (!properties.valid()) fail("{}: {} cannot be read", file_->path(), spec_.name);
  if (H5Pget_layout(properties.id()) == H5D_CHUNKED) {
    hsize_t chunk[2] = {1, 1};
    if (H5Pget_chunk(properties.id(), 2, chunk) != rank_of(spec_) || chunk[0] > largest_chunk_bytes ||
        chunk[1] > largest_chunk_bytes || chunk[0] * chunk[1] > largest_chunk_bytes / size_of(spec_.type))
      fail("{}: {} has chunks that are too large", file_->path(), spec_.name);
  }
  const bool filtered = H5Pget_nfilters(properties.id()) > 0;
  const std::uint64_t most = filtered ? deflate_ratio * file_->bytes() : file_->bytes();
  if (static_cast<std::uint64_t>(rows_) > most / spec_.row_bytes())
    fail("{}: {} declares {} rows, more than the file can hold", file_->path(), spec_.name, rows_);
}

void Hdf5Column::select(Index first, Index count, Hdf5Handle& in_file, Hdf5Handle& in_memory) const {
  assert(first >= 0 && count >= 0 && first <= rows_ - count);
  const hsize_t start[] = {static_cast<hsize_t>(first), 0};
  const hsize_t extents[] = {static_cast<hsize_t>(count), static_cast<hsize_t>(spec_.width)};
  in_file = {H5Dget_space(dataset_.id()), H5Sclose};
  in_memory = {H5Screate_simple(rank_of(spec_), extents, nullptr), H5Sclose};
  H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, start, nullptr, extents, nullptr);
}

void Hdf5Column::read(Index first, Index count, std::byte* rows) const {
  if (count == 0) return;
  Hdf5Handle in_file, in_memory;
  select(first, count, in_file, in_memory);
  if (H5Dread(dataset_.id(), memory_type(spec_.type), in_memory.id(), in_file.id(), H5P_DEFAULT, rows) < 0)
    fail("{}: {} cannot be read; the file is damaged", file_->path(), spec_.name);
}

void Hdf5Column::write(Index first, Index count, const std::byte* rows) const {
  if (count == 0) return;
  Hdf5Handle in_file, in_memory;
  select(first, count, in_file, in_memory);
  if (H5Dwrite(dataset_.id(), memory_type(spec_.type), in_memory.id(), in_file.id(), H5P_DEFAULT, rows) < 0)
    fail("{}: {} cannot be written", file_->path(), spec_.name);
  file_->check_written();
}

}  // namespace slipstick::internal
