// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/hdf5_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <system_error>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/files.hpp"

namespace slipstick::internal {
namespace {

// How HDF5 reported errors before the first Hdf5Silence. Files are not closed in the order of their opening.
struct CallersReports {
  std::mutex mutex;
  int silences = 0;
  H5E_auto2_t report = nullptr;
  void* data = nullptr;
};
CallersReports callers_reports;

// The best compression of Deflate, HDF5's usual filter.
constexpr std::uint64_t best_compression = 1032;

Hdf5Handle dataspace_of(const Hdf5Handle& dataset) {
  return {H5Dget_space(dataset.id()), H5Sclose};
}

Hdf5Handle vector_space(hsize_t entries) {
  return {H5Screate_simple(1, &entries, nullptr), H5Sclose};
}

Index extent_of(const Hdf5Handle& dataset, const std::string& where) {
  const Hdf5Handle space = dataspace_of(dataset);
  const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.id()) : -1;
  if (rank < 0) fail("{}: its extent cannot be read", where);
  if (rank > 1) fail("{}: has rank {}, expected a vector", where, rank);
  const hssize_t extent = H5Sget_simple_extent_npoints(space.id());
  if (extent < 0) fail("{}: its extent cannot be read", where);
  if (extent > std::numeric_limits<int>::max())
    fail("{}: has {} entries, more than {}", where, extent, std::numeric_limits<int>::max());
  return extent;
}

// Whether a link on the path may lead out of the file. A soft one may lead to an external one.
bool leads_outside(hid_t file, const std::string& name) {
  for (std::size_t slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
    H5L_info_t info{};
    if (H5Lget_info(file, name.substr(0, slash).c_str(), &info, H5P_DEFAULT) < 0) return true;
    if (info.type != H5L_TYPE_HARD) return true;
    if (slash == name.npos) return false;
  }
}

// ": No space left on device"
std::string reason(int error) {
  return error == 0 ? std::string() : ": " + std::generic_category().message(error);
}

std::string_view name_of(H5T_class_t type_class) {
  switch (type_class) {
    case H5T_INTEGER:
      return "whole numbers";
    case H5T_FLOAT:
      return "floating-point numbers";
    case H5T_STRING:
      return "text";
    default:
      return "something else";
  }
}

}  // namespace

Hdf5Silence::Hdf5Silence() {
  const std::lock_guard lock(callers_reports.mutex);
  if (callers_reports.silences++ > 0) return;
  H5Eget_auto2(H5E_DEFAULT, &callers_reports.report, &callers_reports.data);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Silence::~Hdf5Silence() {
  const std::lock_guard lock(callers_reports.mutex);
  if (--callers_reports.silences == 0)
    H5Eset_auto2(H5E_DEFAULT, callers_reports.report, callers_reports.data);
}

Hdf5File::Hdf5File(const std::filesystem::path& path, Mode mode) : path_(path.string()) {
  if (mode != Mode::read) {
    status_ = std::make_unique<Hdf5WriteStatus>();
    const Hdf5Handle access = remembering_driver(*status_);
    if (mode == Mode::create_compact) H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
    file_ = {H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose};
    if (!file_.valid()) fail("{}: cannot be created{}", path_, reason(status_->error));
    return;
  }
  std::error_code error;
  file_bytes_ = std::filesystem::file_size(path, error);
  if (error) fail("{}: {}", path_, error.message());
  file_ = {H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  if (!file_.valid()) fail("{}: HDF5 cannot open it; it is damaged, cut off or not HDF5", path_);
}

bool Hdf5File::has(const std::string& name) const {
  // Every group on the path must exist before a query of its member.
  for (std::size_t slash = name.find('/', 1);; slash = name.find('/', slash + 1)) {
    if (H5Lexists(file_.id(), name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == name.npos) return true;
  }
}

std::vector<std::string> Hdf5File::links(const std::string& group) const {
  const Hdf5Handle id(H5Gopen2(file_.id(), group.c_str(), H5P_DEFAULT), H5Gclose);
  H5G_info_t info{};
  if (!id.valid() || H5Gget_info(id.id(), &info) < 0) fail("{}: the group {} cannot be read", path_, group);
  std::vector<std::string> names;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    char name[64] = {};  // longer names are cut; none of our names is so long
    if (H5Lget_name_by_idx(id.id(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name, H5P_DEFAULT) < 0)
      fail("{}: the group {} cannot be read", path_, group);
    names.emplace_back(name);
  }
  return names;
}

Hdf5Handle Hdf5File::open_dataset(const std::string& name) const {
  if (!has(name)) fail("{}: has no dataset {}", path_, name);
  if (leads_outside(file_.id(), name)) fail("{}: {} is a link, not a dataset of this file", path_, name);
  Hdf5Handle dataset(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail("{}: {} is not a readable dataset", path_, name);
  const Hdf5Handle properties(H5Dget_create_plist(dataset.id()), H5Pclose);
  if (!properties.valid() || H5Pget_layout(properties.id()) == H5D_VIRTUAL ||
      H5Pget_external_count(properties.id()) != 0)
    fail("{}: {} does not hold its own data", path_, name);
  return dataset;
}

std::uint64_t Hdf5File::most_bytes(const Hdf5Handle& dataset, const std::string& name) const {
  const Hdf5Handle properties(H5Dget_create_plist(dataset.id()), H5Pclose);
  if (!properties.valid()) fail("{}: {} cannot be read", path_, name);
  const std::uint64_t most =
      H5Pget_nfilters(properties.id()) > 0 ? best_compression * file_bytes_ : file_bytes_;
  // HDF5 allocates whole chunks.
  if (H5Pget_layout(properties.id()) == H5D_CHUNKED) {
    hsize_t chunk = 0;
    const int rank = H5Pget_chunk(properties.id(), 1, &chunk);
    const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
    if (rank != 1 || !type.valid() || chunk > std::max<std::uint64_t>(most, 1 << 20) / H5Tget_size(type.id()))
      fail("{}: {} has chunks that are larger than the file can hold", path_, name);
  }
  return most;
}

Index Hdf5File::checked_extent(const Hdf5Handle& dataset, const std::string& name, H5T_class_t type_class,
                               Index count, std::size_t entry_bytes) const {
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const H5T_class_t found = type.valid() ? H5Tget_class(type.id()) : H5T_NO_CLASS;
  if (found != type_class)
    fail("{}: {} holds {}, expected {}", path_, name, name_of(found), name_of(type_class));
  const Index extent = extent_of(dataset, path_ + ": " + name);
  if (count >= 0 && extent != count) fail("{}: {} has {} entries, expected {}", path_, name, extent, count);
  if (static_cast<std::uint64_t>(extent) >
      most_bytes(dataset, name) / std::min(H5Tget_size(type.id()), entry_bytes))
    fail("{}: {} declares {} entries, more than the file can hold", path_, name, extent);
  return extent;
}

Index Hdf5File::extent(const std::string& name) const {
  return extent_of(open_dataset(name), path_ + ": " + name);
}

std::vector<int> Hdf5File::integers(const std::string& name, Index count) const {
  const Hdf5Handle dataset = open_dataset(name);
  const Index size = checked_extent(dataset, name, H5T_INTEGER, count, sizeof(int));
  std::vector<long long> wide(static_cast<std::size_t>(size));
  if (size > 0 && H5Dread(dataset.id(), H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, wide.data()) < 0)
    fail("{}: {} cannot be read", path_, name);
  std::vector<int> values(wide.size());
  for (std::size_t k = 0; k < wide.size(); ++k) {
    if (!std::in_range<int>(wide[k]))
      fail("{}: entry {} of {} is {}, which is too large", path_, k, name, wide[k]);
    values[k] = static_cast<int>(wide[k]);
  }
  return values;
}

std::vector<std::uint64_t> Hdf5File::keys(const std::string& name, Index count) const {
  const Hdf5Handle dataset = open_dataset(name);
  const Index size = checked_extent(dataset, name, H5T_INTEGER, count, sizeof(std::uint64_t));
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  if (H5Tget_sign(type.id()) != H5T_SGN_NONE)
    fail("{}: {} has signed numbers, expected unsigned ones", path_, name);
  std::vector<std::uint64_t> values(static_cast<std::size_t>(size));
  if (size > 0 && H5Dread(dataset.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail("{}: {} cannot be read", path_, name);
  return values;
}

Vector Hdf5File::numbers(const std::string& name, Index count, bool infinite_values) const {
  const Hdf5Handle dataset = open_dataset(name);
  Vector values(checked_extent(dataset, name, H5T_FLOAT, count, sizeof(double)));
  if (values.size() > 0 &&
      H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail("{}: {} cannot be read", path_, name);
  for (Index k = 0; k < values.size(); ++k) {
    if (infinite_values ? std::isnan(values[k]) : !std::isfinite(values[k]))
      fail("{}: entry {} of {} is {}, expected a {}", path_, k, name, values[k],
           infinite_values ? "number" : "finite number");
  }
  return values;
}

std::string Hdf5File::text(const std::string& name) const {
  if (!has(name)) return {};
  const Hdf5Handle dataset = open_dataset(name);
  if (checked_extent(dataset, name, H5T_STRING, -1, 1) != 1) return {};
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  if (H5Tis_variable_str(type.id()) > 0) {
    char* text = nullptr;
    if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0)
      fail("{}: {} cannot be read", path_, name);
    std::string result = text != nullptr ? text : "";
    H5free_memory(text);
    return result;
  }
  const std::size_t bytes = H5Tget_size(type.id());
  if (bytes > most_bytes(dataset, name))
    fail("{}: the text {} declares {} bytes, more than the file can hold", path_, name, bytes);
  std::string result(bytes, '\0');
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0)
    fail("{}: {} cannot be read", path_, name);
  result.resize(std::min(result.find('\0'), result.size()));
  return result;
}

bool Hdf5File::has_attribute(const std::string& group, const char* attribute) const {
  return H5Aexists_by_name(file_.id(), group.c_str(), attribute, H5P_DEFAULT) > 0;
}

int Hdf5File::attribute(const std::string& group, const char* attribute) const {
  const Hdf5Handle id(H5Aopen_by_name(file_.id(), group.c_str(), attribute, H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
  if (!id.valid()) fail("{}: {} has no attribute {}", path_, group, attribute);
  const Hdf5Handle space(H5Aget_space(id.id()), H5Sclose);
  const Hdf5Handle type(H5Aget_type(id.id()), H5Tclose);
  int value = 0;
  if (H5Sget_simple_extent_npoints(space.id()) != 1 || H5Tget_class(type.id()) != H5T_INTEGER ||
      H5Aread(id.id(), H5T_NATIVE_INT, &value) < 0)
    fail("{}: the attribute {} of {} is no whole number", path_, attribute, group);
  return value;
}

void Hdf5File::write_group(const std::string& name) {
  const Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(link.id(), 1);
  const Hdf5Handle group(H5Gcreate2(file_.id(), name.c_str(), link.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group.valid()) fail("{}: the group {} cannot be written", path_, name);
}

void Hdf5File::write_dataset(const std::string& name, hid_t file_type, hid_t memory_type,
                             const Hdf5Handle& space, const void* values) {
  const Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(link.id(), 1);
  // Without time stamps the same problem gives the same bytes.
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.id(), false);
  const Hdf5Handle dataset(
      H5Dcreate2(file_.id(), name.c_str(), file_type, space.id(), link.id(), creation.id(), H5P_DEFAULT),
      H5Dclose);
  const bool empty = H5Sget_simple_extent_npoints(space.id()) == 0;
  if (!dataset.valid() ||
      (!empty && H5Dwrite(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0))
    fail("{}: {} cannot be written", path_, name);
  check_written();
}

void Hdf5File::write_integers(const std::string& name, std::span<const int> values) {
  write_dataset(name, H5T_STD_I32LE, H5T_NATIVE_INT, vector_space(values.size()), values.data());
}

void Hdf5File::write_keys(const std::string& name, std::span<const std::uint64_t> values) {
  write_dataset(name, H5T_STD_U64LE, H5T_NATIVE_UINT64, vector_space(values.size()), values.data());
}

void Hdf5File::write_numbers(const std::string& name, std::span<const double> values) {
  write_dataset(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, vector_space(values.size()), values.data());
}

void Hdf5File::write_text(const std::string& name, const std::string& text) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), text.size() + 1);
  write_dataset(name, type.id(), type.id(), {H5Screate(H5S_SCALAR), H5Sclose}, text.c_str());
}

void Hdf5File::write_attribute(const std::string& group, const char* attribute, int value) {
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle id(H5Acreate_by_name(file_.id(), group.c_str(), attribute, H5T_STD_I32LE, space.id(),
                                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
  if (!id.valid() || H5Awrite(id.id(), H5T_NATIVE_INT, &value) < 0)
    fail("{}: the attribute {} of {} cannot be written", path_, attribute, group);
}

void Hdf5File::close() {
  const bool flushed = H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0;
  file_ = {};
  check_written();
  if (!flushed) fail("{}: cannot be written", path_);
}

void Hdf5File::check_written() const {
  if (status_ && status_->error != 0) fail("{}: cannot be written{}", path_, reason(status_->error));
}

}  // namespace slipstick::internal

namespace slipstick {

void skip_hdf5_exit_handler() {
  H5dont_atexit();
}

}  // namespace slipstick
