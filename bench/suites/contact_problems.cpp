// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/suites/contact_problems.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "slipstick/base/error.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/files.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "slipstick/scenes/disk_pyramid.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/sheet.hpp"

namespace slipstick::internal::bench {
namespace {

std::string family_of(const std::string& name) {
  const auto end = std::find_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalpha(c); });
  return {name.begin(), end};
}

void read_files(const std::filesystem::path& folder, std::vector<NamedContacts>& list) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::filesystem::path& path : paths) {
    try {
      const AnyProblem problem = read_problem(path).problem;
      const std::string name = path.stem().string();
      if (const auto* local = std::get_if<LocalContactProblem>(&problem)) {
        list.push_back({family_of(name), name, *local});
      } else if (const auto* global = std::get_if<GlobalContactProblem>(&problem)) {
        list.push_back({family_of(name), name, CondensedProblem(*global, Condensation::by_cost).local()});
      }
    } catch (const Error&) {  // not a problem
    }
  }
}

// Every size with every coefficient, each with a seed of its own.
template <class Options, class Set, class Make>
void generate(const char* family, int seed, const std::vector<int>& sizes,
              const std::vector<double>& frictions, const Set& set_size, const Make& make,
              std::vector<NamedContacts>& list) {
  for (const int size : sizes) {
    for (const double friction : frictions) {
      Options options;
      set_size(options, size);
      options.friction = friction;
      if constexpr (requires { options.seed; }) options.seed = list.size() + static_cast<std::size_t>(seed);
      list.push_back({family, fmt::format("{}-{}-{}", family, size, friction),
                      CondensedProblem(make(options), Condensation::by_cost).local()});
    }
  }
}

}  // namespace

std::vector<NamedContacts> contact_problems(const std::filesystem::path& folder, int seed) {
  std::vector<NamedContacts> list;
  if (!folder.empty()) read_files(folder, list);
  const std::vector<double> frictions = {0.1, 0.3, 0.5, 0.8};
  generate<PackingOptions>(
      "packing", seed, {8, 12, 20, 30, 45, 60, 150, 300}, frictions,
      [](auto& options, int size) { options.spheres = size; }, sphere_packing, list);
  generate<TowerOptions>(
      "tower", seed, {1, 2, 3, 5, 15}, frictions, [](auto& options, int size) { options.courses = size; },
      brick_tower, list);
  generate<RocksOptions>(
      "rocks", seed, {3, 5, 8, 12, 30, 60}, frictions, [](auto& options, int size) { options.rocks = size; },
      rock_pile, list);
  generate<DiskPyramidOptions>(
      "pyramid", seed, {4, 6, 8, 15}, frictions,
      [](auto& options, int size) { options.width = options.layers = size; }, disk_pyramid, list);
  generate<SheetOptions>(
      "sheet", seed, {5, 7, 10, 16}, frictions, [](auto& options, int size) { options.side = size; },
      elastic_sheet, list);
  return list;
}

void write_tables(const std::vector<NamedContacts>& problems, int jobs,
                  const std::function<std::string(const NamedContacts&)>& table_of, std::FILE* csv) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  int done = 0;
#pragma omp parallel for num_threads(jobs) schedule(dynamic, 1)
  for (std::ptrdiff_t k = std::ssize(problems) - 1; k >= 0; --k) {
    const NamedContacts& problem = problems[static_cast<std::size_t>(k)];
    const std::string lines = table_of(problem);
#pragma omp critical
    {
      fmt::print(csv, "{}", lines);
      std::fflush(csv);
      if (terminal) fmt::print(stderr, "\r\033[K{} of {}: {}", ++done, problems.size(), problem.name);
    }
  }
  if (terminal) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
