// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What steps of a simulation cost under Coulomb's law and under the convex one. One law moves the bodies.
// Both see the same problems, and start from their own answers of the step before.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <span>
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
  explicit TimedSolver(const SolveRequest& request) : given(request.settings), driver_(request) {}

  void solve(const BodyProblem& problem, DriverResult& result, const WarmStart* start,
             Observer* observer) override {
    if (timed != nullptr && &problem != timed) return driver_.solve(problem, result, start, observer);
    const double before = processor_seconds();
    driver_.solve(problem, result, start, observer);
    seconds = processor_seconds() - before;
    status = result.status;
    answer = result;
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

  const Settings given;
  const BodyProblem* timed = nullptr;  // others, like impacts and projections, are not timed; null: all are
  double seconds = 0.0, error = 0.0;   // the largest error of an island
  int flags = 0;                       // islands that missed the tolerance
  int retried = 0;
  Status status = Status::not_run;
  DriverResult answer;

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

const IslandReport* largest_island(const DriverResult& result) {
  const auto less = [](const IslandReport& a, const IslandReport& b) { return a.contacts < b.contacts; };
  const auto found = std::max_element(result.islands.begin(), result.islands.end(), less);
  return found == result.islands.end() ? nullptr : &*found;
}

// The times to fall and to come to rest grow with the root of the height.
int steps_of(int spheres, int of_1000) {
  const auto layers = [](int count) {
    const double row = std::floor(std::cbrt(static_cast<double>(count)));
    return count / (row * row);
  };
  return std::max(1, static_cast<int>(std::lround(of_1000 * std::sqrt(layers(spheres) / layers(1000)))));
}

constexpr int steps_of_a_heap = 40;

// A phase ends at this share of the steps. Its window ends at the other share.
struct Phase {
  const char* name;
  double end, window_end;
};
constexpr Phase phases_of_a_fall[] = {
    {"falling", 0.35, 0.3}, {"compaction", 0.7, 0.55}, {"near rest", 1.0, 1.0}};
constexpr Phase phases_of_a_heap[] = {{"compaction", 0.4, 0.4}, {"near rest", 1.0, 1.0}};

class SettlingStudy {
 public:
  SettlingStudy(const SettlingStudyOptions& options, int spheres, int window, std::FILE* csv)
      : options_(options),
        spheres_(spheres),
        falls_(options.start == "spheres"),
        steps_(falls_ ? steps_of(spheres, options.steps) : steps_of_a_heap),
        phases_(falls_ ? std::span<const Phase>(phases_of_a_fall) : phases_of_a_heap),
        window_(window),
        csv_(csv),
        coulomb_({.settings = settings(options, spheres), .solver = options.solver}),
        convex_({.settings = {.tolerance = options.tolerance}, .friction = FrictionLaw::convex}),
        moves_(options.moved_by == "coulomb" ? coulomb_ : convex_),
        watches_(options.moved_by == "coulomb" ? convex_ : coulomb_),
        sequence_({.name = options.start, .seed = options.seed, .size = spheres, .steps = steps_}, moves_) {}

  void run() {
    while (sequence_.next([&](const SequenceStep& step) { visit(step); })) print();
  }

 private:
  static Settings settings(const SettlingStudyOptions& options, int spheres) {
    const double limit = options.time_limit * std::max(1.0, spheres / 1000.0);
    return {.tolerance = options.tolerance, .time_limit = limit};
  }
  const Phase& phase(int step) const {
    std::size_t k = 0;
    while (step >= phases_[k].end * steps_ && k + 1 < phases_.size()) ++k;
    return phases_[k];
  }
  // Steps that are left to the window of a step's phase: <= 0 in it, and >= its length after it.
  int before_window(int step) const {
    return static_cast<int>(std::lround(phase(step).window_end * steps_)) - window_ - step;
  }
  bool is_reported(int step) const {
    const int left = before_window(step);
    return window_ == 0 || (left <= 0 && left > -window_);
  }
  // In the steps just before a window both laws find their way.
  bool is_solved(int step) const {
    const int left = before_window(step);
    return window_ == 0 || (left <= options_.lead && left > -window_);
  }

  // While spheres meet, the convex law takes up to a hundred times as long as the other one. Larger sizes
  // have it only near rest.
  bool is_compared(int step) const {
    return spheres_ <= options_.convex_spheres || &phase(step) == &phases_.back();
  }

  bool is_solved(int step, const TimedSolver& law) const {
    return is_solved(step) && (&law == &coulomb_ || is_compared(step + options_.lead));
  }

  // The law that moves the bodies is loose in steps that are not reported. The other one starts the first
  // step of a window from its answer.
  void visit(const SequenceStep& step) {
    const BodyProblem& problem = step.problem;
    Settings settings = moves_.given;
    if (!is_solved(step.number, moves_)) settings.tolerance = options_.fall_tolerance;
    moves_.set(settings);
    moves_.timed = &problem;
    if (!is_solved(step.number, watches_)) {
      continues_ = false;
      return;
    }
    start_ = step.start;
    if (continues_) memory_.recall(problem.keys(), problem.first_rows(), start_);
    continues_ = true;
    watches_.solve(problem, result_, &start_, nullptr);
    memory_.keep(problem.keys(), problem.first_rows(), result_.r, result_.u);
  }

  void print() {
    const int step = sequence_.number() - 1;
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{} spheres: step {}", spheres_, step);
    if (!is_reported(step)) return;
    const DriverResult& answer = coulomb_.answer;
    const auto states = [&](ContactState state) {
      return std::count(answer.states.begin(), answer.states.end(), state);
    };
    const IslandReport* largest = largest_island(answer);
    fmt::print(csv_, "{},{},{},{},{},{},{},{},{},", spheres_, step, phase(step).name, answer.states.size(),
               answer.islands.size(), largest != nullptr ? largest->contacts : 0,
               largest != nullptr ? largest->iterations : 0, states(ContactState::slip),
               states(ContactState::open));
    fmt::print(csv_, "{:.6f},{},{:.2e},{},{},{},{},{},", coulomb_.seconds, name(coulomb_.status),
               coulomb_.error, coulomb_.flags, coulomb_.retried, answer.counts.factorizations,
               answer.counts.products, methods_of(answer));
    if (is_compared(step)) {
      fmt::print(csv_, "{:.6f},{},{:.2e},{}\n", convex_.seconds, name(convex_.status), convex_.error,
                 convex_.flags);
    } else {
      fmt::print(csv_, "nan,{},nan,0\n", name(Status::not_run));
    }
    std::fflush(csv_);
  }

  const SettlingStudyOptions& options_;
  int spheres_;
  bool falls_;
  int steps_;
  std::span<const Phase> phases_;
  int window_;
  std::FILE* csv_;
  TimedSolver coulomb_, convex_;
  TimedSolver &moves_, &watches_;
  Sequence sequence_;
  ContactMemory memory_;    // of watches_
  bool continues_ = false;  // memory_ has the step before
  WarmStart start_;
  DriverResult result_;
};

}  // namespace

void run_settling_study(const SettlingStudyOptions& options, std::FILE* csv) {
  if (options.window.size() != 1 && options.window.size() != options.spheres.size())
    fail("there are {} windows, expected 1 or {}", options.window.size(), options.spheres.size());
  fmt::print(csv,
             "# {}; tolerance {:g} for every island; time limit {:g} s for 1,000 spheres; seed {}; moved by "
             "the {} law\n",
             options.solver, options.tolerance, options.time_limit, options.seed, options.moved_by);
  fmt::print(csv, "{}\n", report::settling_header);
  for (std::size_t k = 0; k < options.spheres.size(); ++k)
    SettlingStudy(options, options.spheres[k], options.window[options.window.size() == 1 ? 0 : k], csv).run();
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
