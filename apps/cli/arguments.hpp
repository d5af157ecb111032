// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/files.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/scenes/scene_row.hpp"
#include "slipstick/settings.hpp"

namespace slipstick::internal::cli {

// Endings of the files that are written.
inline constexpr std::string_view problem_extensions[] = {".hdf5", ".h5", ".mtx", ".qps"};
inline constexpr std::string_view solution_extensions[] = {".hdf5", ".h5", ".csv"};
inline constexpr std::string_view csv_extension[] = {".csv"};
inline constexpr std::string_view svg_extension[] = {".svg"};
inline constexpr std::string_view html_extensions[] = {".html", ".htm"};

/// The message with the file in front, unless the message has it already.
std::string about_file(std::string_view file, std::string_view message);

/// Calls body; complaints about its input name the file.
template <class Body>
decltype(auto) about(const std::string& file, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Error& error) {
    throw Error(about_file(file, error.what()));
  } catch (const std::bad_alloc&) {
    throw Error(about_file(file, "out of memory"));
  }
}

/// Reads a problem file; `type` is the word of --type, or empty.
ProblemFile read_input(const std::string& file, const std::string& type);

// Checks of settings; `option` is named in the complaint.
void check_positive(std::string_view option, double value);
void check_range(std::string_view option, long value, long low, long high);
inline constexpr long most_devices = 1023;

/// A file that is going to be written: its extension is one of the list and its folder can be written to.
void check_target(std::string_view option, const std::filesystem::path& path,
                  std::span<const std::string_view> extensions);
/// Writing `target` would not destroy `source`.
void check_distinct(std::string_view option, const std::filesystem::path& target,
                    const std::filesystem::path& source);

/// The law of the word after --friction.
FrictionLaw parse_friction(std::string_view word);

/// The parts of a comma-separated list; empty parts are refused.
std::vector<std::string> split_list(std::string_view option, std::string_view text);

/// A whole text that is a number.
double parse_real(std::string_view option, std::string_view text);

/// The options of --set KEY=VALUE, each key once.
Options parse_options(const std::vector<std::string>& pairs);

/// Adds the parameter of --set scene.KEY=VALUE, each key once.
inline constexpr std::string_view scene_parameter_prefix = "scene.";
void add_scene_parameter(const std::string& assignment, SceneParameters& parameters);

/// "12.3 ms"
std::string format_seconds(double seconds);
/// "1 row", "2 rows"
std::string format_count(long count, std::string_view singular);

}  // namespace slipstick::internal::cli
