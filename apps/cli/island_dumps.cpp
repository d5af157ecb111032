// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/island_dumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <map>
#include <ostream>
#include <system_error>
#include <tuple>
#include <utility>

#include "apps/cli/arguments.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/problems/island_rows.hpp"

namespace slipstick::internal::cli {
namespace {

bool is_flagged(const IslandReport& island) {
  return island.status != Status::solved ||
         (island.remedy != Remedy::none && island.remedy != Remedy::retried);
}

// The number behind a word, and what follows it. Nothing if something else is there.
std::optional<std::int64_t> take_number(std::string_view& text, std::string_view word, std::size_t digits) {
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || length < digits) return std::nullopt;
  text.remove_prefix(length);
  return number;
}

// What the name of a dump says.
std::optional<DumpPlace> place_of(std::string_view name) {
  const auto step = take_number(name, "step-", 6);
  const auto island = step ? take_number(name, "-island-", 3) : std::nullopt;
  if (!island || name != ".h5") return std::nullopt;
  return DumpPlace{*step, *island};
}

}  // namespace

std::map<DumpPlace, std::filesystem::path> list_dumps(const std::filesystem::path& folder) {
  std::map<DumpPlace, std::filesystem::path> dumps;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (const auto place = place_of(entry->path().filename().string())) dumps.emplace(*place, entry->path());
  return dumps;
}

bool IslandDumps::Dump::operator<(const Dump& other) const {
  return std::tuple(-error, step, island) < std::tuple(-other.error, other.step, other.island);
}

std::string IslandDumps::Dump::name() const {
  return fmt::format("step-{:06}-island-{:03}.h5", step, island);
}

IslandDumps::IslandDumps(const SimulateJob& job) : job_(job), folder_(job.dump_folder()) {}

IslandDumps::Dump IslandDumps::describe(const World& world, int island) const {
  const double error = world.result().islands[static_cast<std::size_t>(island)].error;
  return {world.record().number, island, std::isnan(error) ? infinity : error};
}

void IslandDumps::look(const World& world) {
  using enum DumpRule::Kind;
  // Without an answer there are no islands.
  if (job_.dump.kind == none || std::cmp_not_equal(world.result().island_of.size(), world.problem().rows()))
    return;
  const std::vector<IslandReport>& islands = world.result().islands;
  for (std::size_t k = 0; k < islands.size(); ++k) {
    const auto island = static_cast<int>(k);
    Dump dump = describe(world, island);
    if (job_.dump.kind == worst) {
      const auto most = static_cast<std::size_t>(job_.dump.count);
      if (worst_.size() == most && !(dump < worst_.back())) continue;
      dump.problem = problem_of(world, island);
      if (worst_.size() == most) worst_.pop_back();
      worst_.insert(std::upper_bound(worst_.begin(), worst_.end(), dump), std::move(dump));
    } else if (job_.dump.kind == failed ? is_flagged(islands[k])
               : job_.dump.kind == step ? dump.step == job_.dump.count
                                        : dump.step % job_.dump.count == 0) {
      write(dump, problem_of(world, island));
    }
  }
}

// The problem of an island, with the start that the step had.
ProblemFile IslandDumps::problem_of(const World& world, int island) {
  const DriverResult& result = world.result();
  const IslandReport& report = result.islands[static_cast<std::size_t>(island)];
  find_island_rows(result.island_of, island, rows_);
  ProblemFile file;
  LocalContactProblem problem = assembled_island(world.problem(), rows_);
  const auto part_of = [&](const Vector& whole) {
    Vector part(static_cast<Index>(rows_.size()));
    for (std::size_t k = 0; k < rows_.size(); ++k) part[static_cast<Index>(k)] = whole[rows_[k]];
    return part;
  };
  const WarmStart& start = world.start();
  Solution guess;
  if (start.x.size() == world.problem().rows()) guess.r = part_of(start.x);
  if (start.u.size() == world.problem().rows()) guess.u = part_of(start.u);
  if (guess.r.size() > 0) file.guesses.push_back(std::move(guess));

  const auto first = world.problem().first_rows();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const bool of_contact = static_cast<Index>(k) < problem.contact_rows();
    if (of_contact && static_cast<Index>(k) % problem.dimension != 0) continue;
    const auto place = std::upper_bound(first.begin(), first.end(), rows_[k]) - first.begin() - 1;
    file.keys.push_back(world.problem().keys()[static_cast<std::size_t>(place)]);
  }
  file.title = fmt::format("{}: step {}, island {}", job_.scene.name, world.record().number, island);
  file.description = fmt::format("time {} s, step {} s, law {}, tolerance {}, error {}, status {}, remedy {}",
                                 world.record().time, world.record().step, name(job_.law), job_.tolerance,
                                 report.error, name(report.status), name(report.remedy));
  file.problem = std::move(problem);
  return file;
}

void IslandDumps::write(const Dump& dump, const ProblemFile& problem) const {
  std::error_code error;
  std::filesystem::create_directory(folder_, error);
  if (error) fail("cannot make the folder {}: {}", folder_.string(), error.message());
  write_problem(folder_ / dump.name(), problem);
}

void IslandDumps::keep() {
  for (Dump& dump : worst_) {
    if (!dump.problem) continue;
    write(dump, *dump.problem);
    dump.problem.reset();
  }
}

void IslandDumps::prune(std::int64_t last) const {
  // A run that dumps nothing leaves the folder alone, unless it replaces the run that the dumps are of.
  if (job_.dump.kind == DumpRule::Kind::none && !job_.arguments.force) return;
  const auto is_kept = [&](const DumpPlace& place) {
    if (job_.dump.kind != DumpRule::Kind::worst) return place.first <= last;
    return std::any_of(worst_.begin(), worst_.end(), [&](const Dump& dump) {
      return DumpPlace{dump.step, dump.island} == place;
    });
  };
  std::error_code error;
  for (const auto& [place, path] : list_dumps(folder_)) {
    if (is_kept(place)) continue;
    std::filesystem::remove(path, error);
    if (error) fail("cannot remove {}: {}", path.string(), error.message());
  }
}

std::vector<std::string> IslandDumps::files() const {
  std::vector<std::string> names;
  if (job_.dump.kind == DumpRule::Kind::none) return names;
  const std::map<DumpPlace, std::filesystem::path> dumps = list_dumps(folder_);
  if (job_.dump.kind == DumpRule::Kind::worst) {
    for (const Dump& dump : worst_)
      if (dumps.contains({dump.step, dump.island})) names.push_back((folder_ / dump.name()).string());
  } else {
    for (const auto& [place, path] : dumps) names.push_back(path.string());
  }
  return names;
}

void IslandDumps::save(std::ostream& to) const {
  to << "dumps " << worst_.size() << '\n';
  for (const Dump& dump : worst_) to << fmt::format("{} {} {}\n", dump.step, dump.island, dump.error);
}

void IslandDumps::restore(std::istream& from, std::int64_t last) {
  std::string word;
  std::int64_t count = -1;
  from >> word >> count;
  if (!from || word != "dumps" || count < 0 || (count > 0 && count > job_.dump.count))
    fail("the state of a simulation has no list of dumps");
  worst_.clear();
  for (std::int64_t k = 0; k < count; ++k) {
    Dump dump;
    std::string error;
    from >> dump.step >> dump.island >> error;
    if (!from) fail("the state of a simulation: the list of dumps is too short");
    dump.error = parse_real("the state of a simulation: error of a dump", error);
    if (dump.step <= last) worst_.push_back(std::move(dump));
  }
}

}  // namespace slipstick::internal::cli
