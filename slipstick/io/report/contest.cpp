// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/contest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace slipstick::internal::report {
namespace {

// The element of a list that equals a key by `match`. If there is none, a new one at the end.
template <class List, class Match, class Make>
auto& find_or_add(List& list, const Match& match, const Make& make) {
  const auto found = std::find_if(list.begin(), list.end(), match);
  if (found != list.end()) return *found;
  list.push_back(make());
  return list.back();
}

std::map<std::string, double> best_times(const ContestGroup& group) {
  std::map<std::string, double> best;
  for (const ContestRow& row : group.rows) {
    double& time = best.try_emplace(row.problem, std::numeric_limits<double>::infinity()).first->second;
    if (row.solved()) time = std::min(time, row.seconds);
  }
  return best;
}

}  // namespace

std::vector<ContestRow> contest_rows(const CsvTable& table) {
  const auto problem_class = table.texts("class"), problem = table.texts("problem");
  const auto solver = table.texts("solver"), status = table.texts("status");
  const auto contacts = table.finite_numbers("contacts"), unknowns = table.finite_numbers("unknowns");
  const auto tolerance = table.finite_numbers("tolerance"), seconds = table.numbers("seconds");
  const auto published = table.numbers("published_error"), map = table.numbers("scaled_natural_map");
  std::vector<ContestRow> rows(table.rows());
  for (std::size_t k = 0; k < rows.size(); ++k)
    rows[k] = {.problem_class = problem_class[k],
               .problem = problem[k],
               .contacts = std::lround(contacts[k]),
               .unknowns = std::lround(unknowns[k]),
               .solver = solver[k],
               .ours = solver[k].starts_with(our_prefix),
               .tolerance = tolerance[k],
               .status = status[k],
               .seconds = seconds[k],
               .published = published[k],
               .natural_map = map[k]};
  return rows;
}

std::vector<ContestRow> comparison_rows(const CsvTable& table) {
  const auto file = table.texts("file"), solver = table.texts("solver"), status = table.texts("status");
  const auto tolerance = table.finite_numbers("tolerance"), seconds = table.numbers("seconds");
  std::vector<ContestRow> rows(table.rows());
  for (std::size_t k = 0; k < rows.size(); ++k)
    rows[k] = {.problem_class = "all",
               .problem = file[k],
               .solver = solver[k],
               .tolerance = tolerance[k],
               .status = status[k],
               .seconds = seconds[k]};
  return rows;
}

std::size_t problem_count(const ContestGroup& group) {
  return best_times(group).size();
}

std::vector<ContestGroup> groups_of(const std::vector<ContestRow>& rows) {
  std::vector<ContestGroup> groups;
  for (const ContestRow& row : rows) {
    find_or_add(
        groups,
        [&](const ContestGroup& group) {
          return group.problem_class == row.problem_class && group.tolerance == row.tolerance;
        },
        [&] {
          return ContestGroup{row.problem_class, row.tolerance, {}};
        })
        .rows.push_back(row);
  }
  return groups;
}

std::vector<Standing> standings(const ContestGroup& group) {
  const auto best = best_times(group);
  std::vector<Standing> list;
  for (const ContestRow& row : group.rows) {
    Standing& standing = find_or_add(
        list, [&](const Standing& s) { return s.solver == row.solver; },
        [&] { return Standing{row.solver}; });
    standing.problems += 1;
    if (!row.solved()) continue;
    standing.solved += 1;
    standing.within_twice += row.seconds <= 2.0 * best.at(row.problem) ? 1 : 0;
    standing.best += row.seconds <= best.at(row.problem) ? 1 : 0;
  }
  std::stable_sort(list.begin(), list.end(), [](const Standing& a, const Standing& b) {
    return a.solved != b.solved ? a.solved > b.solved : a.within_twice > b.within_twice;
  });
  return list;
}

std::vector<Profile> profiles(const ContestGroup& group, double largest_factor) {
  const auto best = best_times(group);
  const double problems = static_cast<double>(best.size());
  std::vector<Profile> list;
  for (const ContestRow& row : group.rows) {
    if (!row.solved()) continue;
    find_or_add(
        list, [&](const Profile& p) { return p.solver == row.solver; },
        [&] {
          return Profile{row.solver, {}, {}};
        })
        .factor.push_back(best.at(row.problem) > 0.0 ? row.seconds / best.at(row.problem) : 1.0);
  }
  for (Profile& profile : list) {
    std::sort(profile.factor.begin(), profile.factor.end());
    const std::vector<double> factors = profile.factor;
    const auto is_beyond = [&](double factor) { return factor > largest_factor; };
    profile.factor.erase(std::find_if(profile.factor.begin(), profile.factor.end(), is_beyond),
                         profile.factor.end());
    profile.factor.insert(profile.factor.begin(), 1.0);
    profile.factor.push_back(largest_factor);
    for (const double factor : profile.factor) {
      const auto end = std::upper_bound(factors.begin(), factors.end(), factor);
      profile.share.push_back(static_cast<double>(end - factors.begin()) / problems);
    }
  }
  return list;
}

std::vector<Duel> duels(const ContestGroup& group) {
  std::vector<Duel> list;
  for (const ContestRow& row : group.rows) {
    Duel& duel = find_or_add(
        list, [&](const Duel& d) { return d.problem == row.problem; },
        [&] {
          return Duel{row.problem, row.contacts};
        });
    if (!row.solved()) continue;
    double& time = row.ours ? duel.ours : duel.peer;
    if (!(row.seconds < time)) continue;
    time = row.seconds;
    (row.ours ? duel.our_solver : duel.peer_solver) = row.solver;
  }
  return list;
}

namespace {

// NaN if there is none.
double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace

Score score(const std::vector<Duel>& duels, long contacts) {
  Score result;
  std::vector<double> speedups;
  for (const Duel& duel : duels) {
    if (duel.contacts <= contacts || !std::isfinite(duel.peer)) continue;
    ++result.problems;
    result.won += duel.ratio() <= 1.0;
    result.worst = std::max(result.worst, duel.ratio());
    speedups.push_back(1.0 / duel.ratio());
  }
  result.median_speedup = median(std::move(speedups));
  return result;
}

std::vector<Pairing> pairings(const ContestGroup& group) {
  std::vector<std::string> ours, peers;
  std::map<std::string, std::map<std::string, double>> times;  // of a solver of ours or a peer, by problem
  for (const ContestRow& row : group.rows) {
    const std::string name = row.ours ? row.solver : row.solver.substr(0, row.solver.find(':'));
    std::vector<std::string>& names = row.ours ? ours : peers;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (!row.solved()) continue;
    double& time = times[name].try_emplace(row.problem, row.seconds).first->second;
    time = std::min(time, row.seconds);
  }
  std::vector<Pairing> list;
  for (const std::string& own : ours) {
    for (const std::string& peer : peers) {
      Pairing pairing{.ours = own, .peer = peer};
      std::vector<double> speedups;
      for (const auto& [problem, seconds] : times[own]) {
        const auto other = times[peer].find(problem);
        if (other == times[peer].end()) continue;
        ++pairing.problems;
        pairing.won += seconds <= other->second;
        speedups.push_back(other->second / seconds);
      }
      pairing.median_speedup = median(std::move(speedups));
      if (pairing.problems > 0) list.push_back(pairing);
    }
  }
  return list;
}

std::vector<Optima> optima(const ContestGroup& group) {
  constexpr double near = 1e-6;
  std::vector<Optima> list;
  for (const ContestRow& row : group.rows) {
    if (!row.problem.ends_with(".QPS")) continue;
    Optima& own = find_or_add(
        list, [&](const Optima& o) { return o.solver == row.solver; }, [&] { return Optima{row.solver}; });
    ++own.files;
    own.within += row.solved() && row.published <= near;
  }
  return list;
}

}  // namespace slipstick::internal::report
