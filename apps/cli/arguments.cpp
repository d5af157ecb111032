// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/arguments.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "slipstick/catalog/renamed.hpp"

namespace slipstick::internal::cli {
namespace {

constexpr std::array all_classes = {ProblemClass::lcp,      ProblemClass::mlcp,      ProblemClass::boxed,
                                    ProblemClass::qp,       ProblemClass::contact2d, ProblemClass::contact3d,
                                    ProblemClass::global2d, ProblemClass::global3d};

std::optional<ProblemClass> parse_type(std::string_view word) {
  if (word.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  for (const ProblemClass problem_class : all_classes) {
    if (name(problem_class) == word) return problem_class;
    names.push_back(name(problem_class));
  }
  fail("--type: '{}' is none of {}", word, fmt::join(names, ", "));
}

}  // namespace

std::string about_file(std::string_view file, std::string_view message) {
  if (message.find(file) != std::string_view::npos) return std::string(message);
  return fmt::format("{}: {}", file, message);
}

ProblemFile read_input(const std::string& file, const std::string& type) {
  const std::optional<ProblemClass> kind = parse_type(type);
  return about(file, [&] { return read_problem(file, kind); });
}

void check_positive(std::string_view option, double value) {
  if (!(value > 0.0) || !std::isfinite(value)) fail("{}: {} is not a positive number", option, value);
}

void check_range(std::string_view option, long value, long low, long high) {
  if (value < low || value > high) fail("{}: {} is not from {} to {}", option, value, low, high);
}

void check_target(std::string_view option, const std::filesystem::path& path,
                  std::span<const std::string_view> extensions) {
  const std::string extension = path.extension().string();
  if (std::find(extensions.begin(), extensions.end(), extension) == extensions.end()) {
    fail("{} {}: the extension '{}' is none of {}", option, path.string(), extension,
         fmt::join(extensions, ", "));
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("{} {}: this is a folder", option, path.string());
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, ignored)) {
    fail("{} {}: there is no folder {}", option, path.string(), folder.string());
  }
  if (access(folder.c_str(), W_OK) != 0) {
    fail("{} {}: the folder {} cannot be written to", option, path.string(), folder.string());
  }
}

void check_distinct(std::string_view option, const std::filesystem::path& target,
                    const std::filesystem::path& source) {
  std::error_code ignored;
  if (target == source || std::filesystem::equivalent(target, source, ignored)) {
    fail("{} {}: this would overwrite {}", option, target.string(), source.string());
  }
}

FrictionLaw parse_friction(std::string_view word) {
  using enum FrictionLaw;
  check_renamed(WordKind::friction, word);
  constexpr std::array laws = {coulomb, convex, box, box_once, diamond, none};
  std::vector<std::string_view> words;
  for (const FrictionLaw law : laws) {
    if (name(law) == word) return law;
    words.push_back(name(law));
  }
  fail("--friction: '{}' is none of {}", word, fmt::join(words, ", "));
}

std::vector<std::string> split_list(std::string_view option, std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (end == start) fail("{}: '{}' has an empty item", option, text);
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

double parse_real(std::string_view option, std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail("{}: '{}' is not a number", option, text);
  return value;
}

Options parse_options(const std::vector<std::string>& pairs) {
  Options options;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) fail("--set: '{}' is not key=value", pair);
    const std::string key = pair.substr(0, equals);
    if (!options.emplace(key, pair.substr(equals + 1)).second) fail("--set: {} is given twice", key);
  }
  return options;
}

void add_scene_parameter(const std::string& assignment, SceneParameters& parameters) {
  const std::size_t equals = assignment.find('=');
  const std::size_t begin = scene_parameter_prefix.size();
  if (equals == assignment.npos || !assignment.starts_with(scene_parameter_prefix) || equals <= begin)
    fail("--set: '{}' is not scene.KEY=VALUE", assignment);
  const std::string key = assignment.substr(begin, equals - begin);
  const double value = parse_real("--set scene." + key, std::string_view(assignment).substr(equals + 1));
  if (!parameters.emplace(key, value).second) fail("--set scene.{}: it is set twice", key);
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string format_count(long count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

}  // namespace slipstick::internal::cli
