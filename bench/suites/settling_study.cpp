// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What steps of a simulation cost under Coulomb's law and under the convex one. Both see the same problems
// and start from their own answers of the step before.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/contact_memory.hpp"
#include "slipstick/sim/rigid/sequence.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::bench {
namespace {

// A driver that times its solves, and remembers how the last one ended.
class TimedSolver : public StepSolver {
 public:
  explicit TimedSolver(SolveRequest request) : driver_(std::move(request)) {}

  void solve(const BodyProblem& problem, DriverResult& result, const WarmStart* start,
             Observer* observer) override {
    const double before = processor_seconds();
    driver_.solve(problem, result, start, observer);
    seconds = processor_seconds() - before;
    status = result.status;
    error = 0.0;
    flags = retried = 0;
    for (const IslandReport& island : result.islands) {
      error = std::max(error, island.error);
      flags += island.status != Status::solved;
      retried += island.remedy != Remedy::none;
    }
    if (status != Status::solved) flags = std::max(flags, 1);
  }

  void set(const Settings& settings) { driver_.set(settings); }

  double seconds = 0.0, error = 0.0;  // the largest error of an island
  int flags = 0;                      // islands that missed the tolerance
  int retried = 0;
  Status status = Status::not_run;

 private:
  Driver driver_;
};

// The stages of `auto`: islands solved of islands taken.
std::string methods_of(const DriverResult& result) {
  std::string text;
  for (const Attempt& attempt : result.attempts)
    text += fmt::format("{}{} {}/{}", text.empty() ? "" : "; ", attempt.solver, attempt.solved_islands,
                        attempt.islands);
  return text;
}

Index largest_island(const DriverResult& result) {
  Index largest = 0;
  for (const IslandReport& island : result.islands) largest = std::max(largest, island.contacts);
  return largest;
}

class SettlingStudy {
 public:
  SettlingStudy(const SettlingStudyOptions& options, int spheres, int first, int steps, std::FILE* csv)
      : spheres_(spheres),
        first_(first),
        csv_(csv),
        coulomb_({.settings = settings(options, spheres), .solver = options.solver}),
        tolerance_(options.tolerance),
        convex_({.settings = {.tolerance = options.fall_tolerance}, .friction = FrictionLaw::convex}),
        sequence_({.name = "spheres", .seed = options.seed, .size = spheres, .steps = steps}, convex_) {}

  void run() {
    while (sequence_.next([&](const SequenceStep& step) { visit(step); })) print();
  }

 private:
  static Settings settings(const SettlingStudyOptions& options, int spheres) {
    const double limit = options.time_limit * std::max(1.0, spheres / 1000.0);
    return {.tolerance = options.tolerance, .time_limit = limit};
  }

  // The first step starts from the answer under the convex law.
  void visit(const SequenceStep& step) {
    if (step.number < first_) return;
    if (step.number == first_) convex_.set({.tolerance = tolerance_});
    const BodyProblem& problem = step.problem;
    if (step.number == first_) {
      start_ = step.start;
    } else {
      memory_.recall(problem.keys(), problem.first_rows(), start_);
    }
    coulomb_.solve(problem, result_, &start_, nullptr);
    memory_.keep(problem.keys(), problem.first_rows(), result_.r, result_.u);
  }

  void print() {
    const int step = sequence_.number() - 1;
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{} spheres: step {}", spheres_, step);
    if (step < first_) return;
    const auto states = [&](ContactState state) {
      return std::count(result_.states.begin(), result_.states.end(), state);
    };
    fmt::print(csv_, "{},{},{},{},{},{},{},", spheres_, step, result_.states.size(), result_.islands.size(),
               largest_island(result_), states(ContactState::slip), states(ContactState::open));
    fmt::print(csv_, "{:.6f},{},{:.2e},{},{},{},{},{},", coulomb_.seconds, name(coulomb_.status),
               coulomb_.error, coulomb_.flags, coulomb_.retried, result_.counts.factorizations,
               result_.counts.products, methods_of(result_));
    fmt::print(csv_, "{:.6f},{},{:.2e},{}\n", convex_.seconds, name(convex_.status), convex_.error,
               convex_.flags);
    std::fflush(csv_);
  }

  int spheres_, first_;
  std::FILE* csv_;
  TimedSolver coulomb_;
  double tolerance_;
  TimedSolver convex_;
  Sequence sequence_;
  ContactMemory memory_;
  WarmStart start_;
  DriverResult result_;
};

int entry(const std::vector<int>& list, std::size_t k) {
  return list.size() == 1 ? list.front() : list[k];
}

}  // namespace

void run_settling_study(const SettlingStudyOptions& options, std::FILE* csv) {
  for (const std::vector<int>* list : {&options.first, &options.steps})
    if (list->size() != 1 && list->size() != options.spheres.size())
      fail("a list of steps has {} entries, expected 1 or {}", list->size(), options.spheres.size());
  fmt::print(csv, "# {}; tolerance {:g} for every island; time limit {:g} s for 1,000 spheres; seed {}\n",
             options.solver, options.tolerance, options.time_limit, options.seed);
  fmt::print(csv, "{}\n", settling_study_header);
  for (std::size_t k = 0; k < options.spheres.size(); ++k)
    SettlingStudy(options, options.spheres[k], entry(options.first, k), entry(options.steps, k), csv).run();
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
