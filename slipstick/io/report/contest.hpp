// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/io/csv_table.hpp"

namespace slipstick::internal::report {

/// What one solver did with one problem at one tolerance.
struct ContestRow {
  std::string problem_class;
  std::string problem;
  long contacts = 0;
  long unknowns = 0;
  std::string solver = {};
  bool ours = false;
  double tolerance = 0.0;
  std::string status;  ///< solved, inaccurate, refuted, time_limit or crashed
  double seconds = std::numeric_limits<double>::infinity();       ///< of one solve; infinite if not solved
  double published = std::numeric_limits<double>::quiet_NaN();    ///< error that peers report
  double natural_map = std::numeric_limits<double>::quiet_NaN();  ///< scaled, ours
  bool solved() const { return status == "solved" && std::isfinite(seconds); }
};

/// Names of our own solvers in a contest with others start with this.
inline constexpr std::string_view our_prefix = "slipstick:";
/// The rows of a table of slipstick-bench.
std::vector<ContestRow> contest_rows(const CsvTable& table);
/// The rows of a table of `slipstick compare`. All problems count as one class.
std::vector<ContestRow> comparison_rows(const CsvTable& table);

/// Rows of one class of problems and one tolerance.
struct ContestGroup {
  std::string problem_class;
  double tolerance = 0.0;
  std::vector<ContestRow> rows;
};
/// In the order of their first rows.
std::vector<ContestGroup> groups_of(const std::vector<ContestRow>& rows);
std::size_t problem_count(const ContestGroup& group);

/// The standing of one solver in a group.
struct Standing {
  std::string solver = {};
  int problems = 0;  ///< that it took
  int solved = 0;
  int within_twice = 0;  ///< of those, in at most twice the best time of all solvers
  int best = 0;          ///< of those, in the best time
};
/// Most solved first, then most within twice the best time; else in the order of their first rows.
std::vector<Standing> standings(const ContestGroup& group);

/// The share of a group's problems that a solver solves within a factor of the best time of all solvers. It
/// is a staircase over that factor (Dolan and More 2002). Problems that no solver solves count too.
struct Profile {
  std::string solver = {};
  std::vector<double> factor;
  std::vector<double> share;
};
/// One per solver that solves anything, up to the largest factor; every staircase starts at 1 and ends there.
std::vector<Profile> profiles(const ContestGroup& group, double largest_factor);

/// Our best time and the best peer's on one problem.
struct Duel {
  std::string problem;
  long contacts = 0;
  double ours = std::numeric_limits<double>::infinity();
  double peer = std::numeric_limits<double>::infinity();
  std::string our_solver = {};
  std::string peer_solver = {};  ///< empty if no peer solves it
  double ratio() const { return ours / peer; }
};
std::vector<Duel> duels(const ContestGroup& group);

/// How the duels end, over the problems that a peer solves. A problem that we do not solve counts as lost by
/// any factor.
struct Score {
  int problems = 0;
  int won = 0;                  ///< in at most the best peer's time
  double worst = 0.0;           ///< largest ratio of our time to the best peer's
  double median_speedup = 0.0;  ///< the best peer's time to ours; NaN if there is no problem
};
/// Only problems with more than so many contacts count.
Score score(const std::vector<Duel>& duels, long contacts = -1);

/// One solver of ours beside the best time of a peer. Solvers of a peer have its name up to a colon.
struct Pairing {
  std::string ours, peer;
  int problems = 0;  ///< that both solve
  int won = 0;       ///< in at most the peer's time
  double median_speedup = 0.0;
};
/// All pairs that solve a problem both, in the order of their first rows.
std::vector<Pairing> pairings(const ContestGroup& group);

/// A problem file, and how far solvers are from its published optimum. The published error is that distance.
struct Optima {
  std::string solver;
  int files = 0;   ///< that it took
  int within = 0;  ///< of those, solved within 1e-6
};
/// Only QPS files count, others have no published optimum.
std::vector<Optima> optima(const ContestGroup& group);

}  // namespace slipstick::internal::report
