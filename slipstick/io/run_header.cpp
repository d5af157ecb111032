// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/run_header.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/io/hdf5_column.hpp"
#include "slipstick/io/hdf5_file.hpp"

namespace slipstick::internal {
namespace {

// No name is longer.
constexpr std::size_t longest_name = 4096;

// Names as text of one length, filled up with zeros, by column of bytes.
ColumnSpec names_column(const std::string& name, std::size_t length) {
  return {name, ColumnType::byte, static_cast<int>(length)};
}

void write_names(const Hdf5File& file, const std::string& name, const std::vector<std::string>& names) {
  std::size_t length = 2;  // one more than the longest; a column of width 1 has another rank
  for (const std::string& each : names) length = std::max(length, each.size() + 1);
  std::string text(names.size() * length, '\0');
  for (std::size_t k = 0; k < names.size(); ++k) names[k].copy(text.data() + k * length, names[k].size());
  const auto rows = static_cast<Index>(names.size());
  Hdf5Column::create(file, names_column(name, length), rows)
      .write(0, rows, reinterpret_cast<const std::byte*>(text.data()));
}

std::size_t width_of(const Hdf5File& file, const std::string& name) {
  const Hdf5Handle dataset = file.open_dataset(name);
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  hsize_t extents[2] = {0, 0};
  if (!space.valid() || H5Sget_simple_extent_ndims(space.id()) != 2 ||
      H5Sget_simple_extent_dims(space.id(), extents, nullptr) != 2 || extents[1] < 2 ||
      extents[1] > longest_name + 1)
    fail("{}: {} is no list of names", file.path(), name);
  return extents[1];
}

std::vector<std::string> read_names(const Hdf5File& file, const std::string& name) {
  const std::size_t length = width_of(file, name);
  const Hdf5Column column = Hdf5Column::open(file, names_column(name, length));
  if (column.rows() > std::numeric_limits<int>::max())
    fail("{}: {} has {} names, which is too many", file.path(), name, column.rows());
  std::string text(static_cast<std::size_t>(column.rows()) * length, '\0');
  column.read(0, column.rows(), reinterpret_cast<std::byte*>(text.data()));
  std::vector<std::string> names(static_cast<std::size_t>(column.rows()));
  for (std::size_t k = 0; k < names.size(); ++k) {
    const char* start = text.data() + k * length;
    names[k].assign(start, strnlen(start, length));
  }
  return names;
}

std::string needed_text(const Hdf5File& file, const std::string& name) {
  if (!file.has(name)) fail("{}: has no dataset {}", file.path(), name);
  return file.text(name);
}

void write_whole(Hdf5File& file, const std::string& name, std::uint64_t number) {
  file.write_keys(name, {&number, 1});
}

std::int64_t whole_number(const Hdf5File& file, const std::string& name) {
  const std::uint64_t number = file.keys(name, 1).front();
  if (!std::in_range<std::int64_t>(number))
    fail("{}: {} is {}, which is too large", file.path(), name, number);
  return static_cast<std::int64_t>(number);
}

}  // namespace

void check_header(const RunHeader& header) {
  const auto check_text = [](std::string_view what, const std::string& text) {
    if (text.find('\0') != text.npos) fail("the {} of a run must not hold the character 0", what);
  };
  check_text("scene", header.scene);
  check_text("law", header.law);
  check_text("solver", header.solver);
  check_text("settings", header.settings);
  check_text("program version", header.program_version);
  for (const std::vector<std::string>* names : {&header.bodies, &header.joints}) {
    for (const std::string& name : *names) {
      check_text("names", name);
      if (name.size() > longest_name) fail("a name has {} letters, more than {}", name.size(), longest_name);
    }
  }
  if (!std::isfinite(header.tolerance)) fail("the tolerance of a run is {}", header.tolerance);
  if (!std::isfinite(header.step)) fail("the step of a run is {}", header.step);
  if (header.record_every < 1) fail("a run records every {} steps, expected 1 or more", header.record_every);
}

void write_header(Hdf5File& file, const RunHeader& header) {
  file.write_text("/header/scene", header.scene);
  write_whole(file, "/header/seed", header.seed);
  file.write_text("/header/law", header.law);
  file.write_text("/header/solver", header.solver);
  file.write_numbers("/header/tolerance", {&header.tolerance, 1});
  file.write_numbers("/header/step", {&header.step, 1});
  file.write_text("/header/settings", header.settings);
  write_names(file, "/header/bodies", header.bodies);
  write_names(file, "/header/joints", header.joints);
  write_whole(file, "/header/record_every", static_cast<std::uint64_t>(header.record_every));
  file.write_text("/header/program_version", header.program_version);
}

RunHeader read_header(const Hdf5File& file) {
  RunHeader header;
  header.scene = needed_text(file, "/header/scene");
  header.seed = file.keys("/header/seed", 1).front();
  header.law = needed_text(file, "/header/law");
  header.solver = needed_text(file, "/header/solver");
  header.tolerance = file.numbers("/header/tolerance", 1)[0];
  header.step = file.numbers("/header/step", 1)[0];
  header.settings = needed_text(file, "/header/settings");
  header.bodies = read_names(file, "/header/bodies");
  header.joints = read_names(file, "/header/joints");
  header.record_every = whole_number(file, "/header/record_every");
  header.program_version = needed_text(file, "/header/program_version");
  if (header.record_every < 1) fail("{}: /header/record_every is 0", file.path());
  return header;
}

void write_checkpoint(Hdf5File& file, const Checkpoint& checkpoint) {
  write_whole(file, "/checkpoint/step", static_cast<std::uint64_t>(checkpoint.step));
  const auto bytes = static_cast<Index>(checkpoint.state.size());
  Hdf5Column::create(file, {"/checkpoint/state", ColumnType::byte}, bytes)
      .write(0, bytes, reinterpret_cast<const std::byte*>(checkpoint.state.data()));
}

std::optional<Checkpoint> read_checkpoint(const Hdf5File& file) {
  if (!file.has("/checkpoint")) return std::nullopt;
  Checkpoint checkpoint;
  checkpoint.step = whole_number(file, "/checkpoint/step");
  const Hdf5Column state = Hdf5Column::open(file, {"/checkpoint/state", ColumnType::byte});
  checkpoint.state.resize(static_cast<std::size_t>(state.rows()));
  state.read(0, state.rows(), reinterpret_cast<std::byte*>(checkpoint.state.data()));
  return checkpoint;
}

}  // namespace slipstick::internal
