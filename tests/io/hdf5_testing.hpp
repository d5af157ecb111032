// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/io/hdf5_file.hpp"

namespace slipstick::internal {

/// A matrix group as FCLib lays it out, whatever its arrays say.
struct RawMatrix {
  int m, n, nz, nzmax;
  std::vector<int> p, i;
  std::vector<double> x;
};
void write_raw_matrix(Hdf5File& file, const std::string& group, const RawMatrix& matrix);

/// A local problem of one contact in 2-D, W = [2 0.5; 0.25 3] by rows: what the tests spoil.
void write_small_local(const std::filesystem::path& path);
/// A global problem of one contact in 2-D with three velocities, M = diag(1, 2, 3), H (3 x 2) as triplets.
void write_small_global(const std::filesystem::path& path);

/// An HDF5 file opened for changes of every kind.
class Hdf5Editor {
 public:
  explicit Hdf5Editor(const std::filesystem::path& path);
  void remove(const std::string& name);
  /// Removes the dataset if there is one and writes another; extents of any rank.
  void replace(const std::string& name, hid_t type, const std::vector<hsize_t>& extents, const void* values);
  void replace(const std::string& name, const std::vector<int>& values);
  void replace(const std::string& name, const std::vector<double>& values);
  /// A dataset of that many doubles in chunks, none of them written.
  void replace_by_unwritten(const std::string& name, hsize_t entries, hsize_t chunk);

 private:
  Hdf5Silence silence_;
  Hdf5Handle file_;
};

}  // namespace slipstick::internal
