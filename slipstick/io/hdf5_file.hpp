// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "slipstick/io/hdf5_driver.hpp"
#include "slipstick/io/hdf5_handle.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// While one of these lives, HDF5 does not print its error stack. The last one that dies restores the
/// caller's setting.
class Hdf5Silence {
 public:
  Hdf5Silence();
  ~Hdf5Silence();
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;
};

/// An open HDF5 file with vectors and texts under absolute names ("/fclib_local/vectors/q"). Errors name the
/// file and the dataset. Rank, type and extent of a dataset are checked, also against the size of the file,
/// before memory is allocated.
class Hdf5File {
 public:
  /// create_compact: with the formats of HDF5 1.10, which take less room for small datasets.
  enum class Mode { read, create, create_compact };
  Hdf5File(const std::filesystem::path& path, Mode mode);

  const std::string& path() const { return path_; }
  hid_t id() const { return file_.id(); }
  std::uint64_t bytes() const { return file_bytes_; }  ///< of a file that is read
  bool has(const std::string& name) const;
  /// Names of the links in a group, cut after 63 letters.
  std::vector<std::string> links(const std::string& group) const;

  /// Throws Error if there is none, or if its data lie in another file.
  Hdf5Handle open_dataset(const std::string& name) const;
  /// The number of entries of a dataset of rank 0 or 1.
  Index extent(const std::string& name) const;
  /// Whole numbers that fit an int. `count` < 0: any number of them.
  std::vector<int> integers(const std::string& name, Index count = -1) const;
  /// Whole numbers of 64 bits, not negative.
  std::vector<std::uint64_t> keys(const std::string& name, Index count) const;
  int integer(const std::string& name) const { return integers(name, 1).front(); }
  /// Finite numbers, or also infinite ones. `count` < 0: any number of them.
  Vector numbers(const std::string& name, Index count = -1, bool infinite_values = false) const;
  /// Returns a text, empty if there is none.
  std::string text(const std::string& name) const;
  bool has_attribute(const std::string& group, const char* attribute) const;
  /// A whole number.
  int attribute(const std::string& group, const char* attribute) const;

  // These make missing groups.
  void write_group(const std::string& name);
  void write_integers(const std::string& name, std::span<const int> values);
  void write_keys(const std::string& name, std::span<const std::uint64_t> values);
  void write_numbers(const std::string& name, std::span<const double> values);
  void write_text(const std::string& name, const std::string& text);
  void write_attribute(const std::string& group, const char* attribute, int value);
  /// Flushes and closes. The file is complete only after this returns.
  void close();
  /// Throws Error if something could not be written so far.
  void check_written() const;

 private:
  Index checked_extent(const Hdf5Handle& dataset, const std::string& name, H5T_class_t type_class,
                       Index count, std::size_t entry_bytes) const;
  std::uint64_t most_bytes(const Hdf5Handle& dataset, const std::string& name) const;
  void write_dataset(const std::string& name, hid_t file_type, hid_t memory_type, const Hdf5Handle& space,
                     const void* values);

  Hdf5Silence silence_;
  std::string path_;
  std::uint64_t file_bytes_ = 0;
  std::unique_ptr<Hdf5WriteStatus> status_;  // of a file that is written
  Hdf5Handle file_;
};

}  // namespace slipstick::internal
