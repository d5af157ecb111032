// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "run_contest.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>

#include "worker.hpp"

namespace slipstick::bench {
namespace {

// Of a contestant's own tolerance to the one asked for. A peer is tried with looser ones first, since its own
// measure may be stricter than the published error.
constexpr std::array rungs = {1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8};
constexpr std::size_t first_rung_of_ours = 2;
constexpr double smallest_tolerance = 1e-17;
// A solver that answers the same to so many tolerances in a row does not heed them.
constexpr int same_answers = 3;
// Times the best time beyond which one turn suffices.
constexpr double hopeless = 10.0;

class Entry {
 public:
  Entry(const Contestant& contestant, const ContestProblem& problem, double time_limit)
      : contestant_(&contestant), worker_(std::make_unique<Worker>(contestant, problem, time_limit)) {}

  // Looks for the loosest tolerance with which the answer meets the one asked for.
  void find_tolerance(double asked, double time_limit) {
    status_ = "inaccurate";
    seconds_ = std::numeric_limits<double>::infinity();
    int repeats = 1;
    double last_error = -1.0;
    for (std::size_t k = contestant_->ours ? first_rung_of_ours : 0; k < rungs.size(); ++k) {
      own_ = asked * rungs[k];
      if (own_ < smallest_tolerance || repeats >= same_answers) return;
      const auto answer = worker_->run(own_, 0.0, time_limit);
      if (!answer) break;
      verdict_ = answer->verdict;
      if (verdict_.published <= asked) {
        status_ = "solved";
        seconds_ = answer->seconds;
        return;
      }
      repeats = verdict_.published == last_error ? repeats + 1 : 1;
      last_error = verdict_.published;
    }
    if (worker_->state() == Worker::State::crashed) status_ = "crashed";
    if (worker_->state() == Worker::State::timed_out) status_ = "time_limit";
  }

  // One turn; the best counts.
  void take_turn(double batch_seconds, double time_limit) {
    if (const auto answer = worker_->run(own_, batch_seconds, time_limit)) {
      seconds_ = std::min(seconds_, answer->seconds);
    }
  }

  bool solved() const { return status_ == "solved"; }
  double seconds() const { return seconds_; }
  void fill(ContestRow& row) const {
    row.solver = contestant_->name;
    row.ours = contestant_->ours;
    row.status = status_;
    row.seconds = seconds_;
    row.published = verdict_.published;
    row.natural_map = verdict_.natural_map;
  }

 private:
  const Contestant* contestant_;
  std::unique_ptr<Worker> worker_;
  std::string status_;
  double own_ = 0.0;
  double seconds_ = 0.0;
  Verdict verdict_{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
};

}  // namespace

void run_contest(const ContestProblem& problem, const std::vector<Contestant>& contestants,
                 const ContestOptions& options, const std::function<void(const ContestRow&)>& report) {
  std::vector<Entry> entries;
  for (const Contestant& contestant : contestants) {
    if (contestant.takes(problem)) entries.emplace_back(contestant, problem, options.time_limit);
  }
  std::vector<double> tolerances = options.tolerances;
  std::sort(tolerances.begin(), tolerances.end(), std::greater<>());
  for (const double tolerance : tolerances) {
    double best = std::numeric_limits<double>::infinity();
    const auto time_limit = [&] {
      const double patience = options.patience > 0.0 ? options.patience * best : options.time_limit;
      return std::min(options.time_limit, std::max(options.shortest_limit, patience));
    };
    for (Entry& entry : entries) {
      entry.find_tolerance(tolerance, time_limit());
      best = std::min(best, entry.seconds());
    }
    for (int turn = 0; turn < options.repetitions; ++turn) {
      for (Entry& entry : entries) {
        if (!entry.solved() || (turn > 0 && entry.seconds() > hopeless * best)) continue;
        entry.take_turn(options.batch_seconds, 10.0 * options.time_limit);
        best = std::min(best, entry.seconds());
      }
    }
    for (const Entry& entry : entries) {
      ContestRow row;
      row.problem_class = name(problem.problem_class());
      row.problem = problem.name;
      row.contacts = problem.contacts();
      row.unknowns = unknowns(problem.problem);
      row.tolerance = tolerance;
      entry.fill(row);
      report(row);
    }
  }
}

}  // namespace slipstick::bench
