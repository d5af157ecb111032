// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/simulate_job.hpp"
#include "slipstick/files.hpp"
#include "slipstick/world.hpp"

namespace slipstick::internal::cli {

using DumpPlace = std::pair<std::int64_t, std::int64_t>;  ///< step, island
/// The files of a flight recorder in a folder, in order. None if there is no folder.
std::map<DumpPlace, std::filesystem::path> list_dumps(const std::filesystem::path& folder);

/// The flight recorder: writes problems of islands as files "step-000123-island-004.h5" that `solve` reads.
/// The worst are held in memory until keep(), the others are written at once.
class IslandDumps {
 public:
  explicit IslandDumps(const SimulateJob& job);

  /// Looks at the islands of the last step of a world.
  void look(const World& world);
  /// Writes what is in memory. Call it before the checkpoint is written.
  void keep();
  /// Removes the files that do not belong to the steps up to `last`. For the worst, these are those that
  /// worse ones have displaced.
  void prune(std::int64_t last) const;

  /// The paths: the worst first, the others by step.
  std::vector<std::string> files() const;

  void save(std::ostream& to) const;
  /// Dumps of steps after `last` are left out: the simulation comes to that step again.
  void restore(std::istream& from, std::int64_t last);

 private:
  struct Dump {
    std::int64_t step = 0;
    int island = 0;
    double error = 0.0;
    std::optional<ProblemFile> problem = {};  // not yet written

    bool operator<(const Dump& other) const;  // worse
    std::string name() const;
  };
  Dump describe(const World& world, int island) const;
  ProblemFile problem_of(const World& world, int island);
  void write(const Dump& dump, const ProblemFile& problem) const;

  const SimulateJob& job_;
  std::filesystem::path folder_;
  std::vector<Dump> worst_;  // the worst first
  std::vector<int> rows_;
};

}  // namespace slipstick::internal::cli
