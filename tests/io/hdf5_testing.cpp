// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/io/hdf5_testing.hpp"

#include <gtest/gtest.h>

namespace slipstick::internal {
namespace {

void write_integer(Hdf5File& file, const std::string& name, int value) {
  file.write_integers(name, {&value, 1});
}

}  // namespace

void write_raw_matrix(Hdf5File& file, const std::string& group, const RawMatrix& matrix) {
  write_integer(file, group + "/m", matrix.m);
  write_integer(file, group + "/n", matrix.n);
  write_integer(file, group + "/nz", matrix.nz);
  write_integer(file, group + "/nzmax", matrix.nzmax);
  file.write_integers(group + "/p", matrix.p);
  file.write_integers(group + "/i", matrix.i);
  file.write_numbers(group + "/x", matrix.x);
}

void write_small_local(const std::filesystem::path& path) {
  Hdf5File file(path, Hdf5File::Mode::create);
  write_integer(file, "/fclib_local/spacedim", 2);
  write_raw_matrix(file, "/fclib_local/W", {2, 2, -2, 4, {0, 2, 4}, {0, 1, 0, 1}, {2, 0.5, 0.25, 3}});
  file.write_numbers("/fclib_local/vectors/q", std::vector<double>{-1, 0.5});
  file.write_numbers("/fclib_local/vectors/mu", std::vector<double>{0.4});
  file.close();
}

void write_small_global(const std::filesystem::path& path) {
  Hdf5File file(path, Hdf5File::Mode::create);
  write_integer(file, "/fclib_global/spacedim", 2);
  write_raw_matrix(file, "/fclib_global/M", {3, 3, -1, 3, {0, 1, 2, 3}, {0, 1, 2}, {1, 2, 3}});
  // (2, 0) = 5, (0, 1) = 7: rows in i, columns in p; room for one more.
  write_raw_matrix(file, "/fclib_global/H", {3, 2, 2, 3, {0, 1}, {2, 0}, {5, 7}});
  file.write_numbers("/fclib_global/vectors/f", std::vector<double>{1, 2, 3});
  file.write_numbers("/fclib_global/vectors/w", std::vector<double>{4, 5});
  file.write_numbers("/fclib_global/vectors/mu", std::vector<double>{0.4});
  file.close();
}

Hdf5Editor::Hdf5Editor(const std::filesystem::path& path)
    : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose) {
  EXPECT_TRUE(file_.valid()) << path;
}

void Hdf5Editor::remove(const std::string& name) {
  EXPECT_GE(H5Ldelete(file_.id(), name.c_str(), H5P_DEFAULT), 0) << name;
}

void Hdf5Editor::replace(const std::string& name, hid_t type, const std::vector<hsize_t>& extents,
                         const void* values) {
  H5Ldelete(file_.id(), name.c_str(), H5P_DEFAULT);
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(link.id(), 1);
  const Hdf5Handle dataset(
      H5Dcreate2(file_.id(), name.c_str(), type, space.id(), link.id(), H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  EXPECT_TRUE(dataset.valid()) << name;
  if (values != nullptr) {
    EXPECT_GE(H5Dwrite(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0) << name;
  }
}

void Hdf5Editor::replace(const std::string& name, const std::vector<int>& values) {
  replace(name, H5T_NATIVE_INT, {values.size()}, values.data());
}

void Hdf5Editor::replace(const std::string& name, const std::vector<double>& values) {
  replace(name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}

void Hdf5Editor::replace_by_unwritten(const std::string& name, hsize_t entries, hsize_t chunk) {
  H5Ldelete(file_.id(), name.c_str(), H5P_DEFAULT);
  const hsize_t unlimited = H5S_UNLIMITED;
  const Hdf5Handle space(H5Screate_simple(1, &entries, &unlimited), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.id(), 1, &chunk);
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT,
                                      creation.id(), H5P_DEFAULT),
                           H5Dclose);
  EXPECT_TRUE(dataset.valid()) << name;
}

}  // namespace slipstick::internal
