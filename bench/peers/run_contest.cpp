// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/run_contest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include "bench/peers/worker.hpp"
#include "slipstick/solve/settings.hpp"

namespace slipstick::internal::bench {
namespace {

// Ratios of a contestant's own tolerance to the one asked for. A peer is tried with looser ones first,
// because its own measure may be stricter than the one it is judged by. 0 is its default, for direct methods.
constexpr std::array rungs = {0.0, 1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8};
constexpr std::size_t first_rung_of_peers = 1;
constexpr std::size_t first_rung_of_ours = 3;
// A solver that answers the same to so many tolerances in a row does not heed them.
constexpr int same_answers = 3;
// Limits grow by this factor. If others are quick, contestants that never end are ended soon.
constexpr double limit_growth = 5.0;
// Times the best peer's time beyond which one turn suffices.
constexpr double hopeless = 3.0;

class Entry {
 public:
  Entry(const Contestant& contestant, const ContestProblem& problem, const ContestOptions& options)
      : contestant_(&contestant), problem_(&problem), options_(&options) {}

  void start(double asked) {
    asked_ = asked;
    rung_ = contestant_->ours ? first_rung_of_ours : contestant_->direct ? 0 : first_rung_of_peers;
    repeats_ = 1;
    last_error_ = -1.0;
    limit_ = 0.0;
    status_ = Status::open;
    seconds_ = std::numeric_limits<double>::infinity();
    if (!worker_ || worker_->state() != Worker::State::ready)
      worker_ = std::make_unique<Worker>(*contestant_, *problem_, options_->time_limit);
  }

  // Looks for the loosest tolerance with which the answer meets the one asked for. Goes on with the tolerance
  // that it had reached in less time.
  void climb(double time_limit) {
    if (status_ != Status::open || time_limit <= limit_) return;
    limit_ = time_limit;
    for (; rung_ < rungs.size() && repeats_ < same_answers; ++rung_) {
      const bool stopped = worker_->state() == Worker::State::busy;
      const auto answer =
          stopped ? worker_->go_on(time_limit) : worker_->run(own_tolerance(), 0.0, time_limit);
      if (!answer) {
        // One that was too slow stays open: others may turn out to be no quicker.
        if (worker_->state() == Worker::State::ended) status_ = Status::crashed;
        return;
      }
      verdict_ = answer->verdict;
      const double error = error_of(verdict_);
      if (error <= asked_) {
        status_ = Status::solved;
        seconds_ = answer->seconds;
        return;
      }
      if (is_refuted(error)) {
        status_ = Status::refuted;
        return;
      }
      repeats_ = error == last_error_ ? repeats_ + 1 : 1;
      last_error_ = error;
    }
    status_ = Status::inaccurate;
  }

  // One turn; the best counts.
  void take_turn() {
    const double time_limit = 10.0 * options_->time_limit;
    if (const auto answer = worker_->run(own_tolerance(), options_->batch_seconds, time_limit)) {
      seconds_ = std::min(seconds_, answer->seconds);
    }
  }

  bool ours() const { return contestant_->ours; }
  bool open() const { return status_ == Status::open; }
  bool solved() const { return status_ == Status::solved; }
  double seconds() const { return seconds_; }
  void fill(ContestRow& row) const {
    constexpr const char* names[] = {"time_limit", "solved", "inaccurate", "refuted", "crashed"};
    row.solver = contestant_->name;
    row.ours = contestant_->ours;
    row.status = names[static_cast<int>(status_)];
    // A peer that has tried its tightest tolerance and still calls a wrong answer solved.
    if (status_ == Status::inaccurate && verdict_.called_solved && problem_->is_qp()) row.status = "refuted";
    row.seconds = seconds_;
    row.published = verdict_.published;
    row.natural_map = verdict_.natural_map;
  }

 private:
  enum class Status { open, solved, inaccurate, refuted, crashed };

  // Ours is asked for the measure that it is judged by, so what it calls solved must pass. The published
  // error has a bound beside it that ours does not know.
  bool is_refuted(double error) const {
    return contestant_->ours && options_->measure == ContestMeasure::natural_map && verdict_.called_solved &&
           !(error <= asked_);
  }
  double own_tolerance() const { return asked_ * rungs[rung_]; }
  double error_of(const Verdict& verdict) const {
    switch (options_->measure) {
      case ContestMeasure::published:
        // A huge impulse can meet it and be worse than none. Every answer has the bound of our driver.
        return verdict.natural_map > largest_scaled_error ? verdict.natural_map : verdict.published;
      case ContestMeasure::natural_map:
        return verdict.natural_map;
      case ContestMeasure::both:
        break;
    }
    // A NaN of either is one of both.
    return verdict.published > verdict.natural_map || std::isnan(verdict.published) ? verdict.published
                                                                                    : verdict.natural_map;
  }

  const Contestant* contestant_;
  const ContestProblem* problem_;
  const ContestOptions* options_;
  std::unique_ptr<Worker> worker_;
  double asked_ = 0.0;
  std::size_t rung_ = 0;
  int repeats_ = 1;
  double last_error_ = -1.0;
  double limit_ = 0.0;
  Status status_ = Status::open;
  double seconds_ = 0.0;
  Verdict verdict_{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
};

// Lets all of them find their tolerances, with longer and longer limits. The options give the longest limit
// and the patience. Returns the best time of a peer.
double find_tolerances(std::vector<Entry>& entries, const ContestOptions& options) {
  double best = std::numeric_limits<double>::infinity(), best_of_ours = best;
  for (Entry& entry : entries) {
    // Ours has all the time there is: a row that says how slow it is tells more than none.
    if (!entry.ours()) continue;
    entry.climb(options.time_limit);
    best_of_ours = std::min(best_of_ours, entry.seconds());
  }
  for (double limit = options.shortest_limit;; limit *= limit_growth) {
    const double patience = options.patience > 0.0 ? options.patience * best : options.time_limit;
    const double lead = options.lead > 0.0 ? options.lead * best_of_ours : options.time_limit;
    const double allowed =
        std::min(options.time_limit, std::max(options.shortest_limit, std::min(patience, lead)));
    for (Entry& entry : entries) {
      if (entry.ours()) continue;
      entry.climb(std::min(limit, allowed));
      best = std::min(best, entry.seconds());
    }
    const bool any_open =
        std::any_of(entries.begin(), entries.end(), [](const Entry& e) { return e.open(); });
    if (!any_open || limit >= allowed) return best;
  }
}

}  // namespace

void run_contest(const ContestProblem& problem, const std::vector<Contestant>& contestants,
                 const ContestOptions& options, const std::function<void(const ContestRow&)>& report) {
  std::vector<Entry> entries;
  for (const Contestant& contestant : contestants) {
    if (contestant.takes(problem)) entries.emplace_back(contestant, problem, options);
  }
  std::vector<double> tolerances = options.tolerances;
  std::sort(tolerances.begin(), tolerances.end(), std::greater<>());
  for (const double tolerance : tolerances) {
    for (Entry& entry : entries) entry.start(tolerance);
    double best = find_tolerances(entries, options);
    for (int turn = 0; turn < options.repetitions; ++turn) {
      for (Entry& entry : entries) {
        if (!entry.solved() || entry.seconds() > options.long_solve ||
            (turn > 0 && !entry.ours() && entry.seconds() > hopeless * best))
          continue;
        entry.take_turn();
        if (!entry.ours()) best = std::min(best, entry.seconds());
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

}  // namespace slipstick::internal::bench
