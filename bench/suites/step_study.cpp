// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What the islands of a step cost, what joints cost beside contacts, what threads gain, and what a step costs
// in which nothing has changed. Both sides of each comparison take turns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bench/suites/study.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/body_problem.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/rigid_contacts.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr double time_step = 0.01, half = 0.1;
const Eigen::Matrix3d upright{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
const Eigen::Matrix3d sideways{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// A crate that slides and turns on four corners.
void add_crate(BodyProblem& problem, int body, double mass, double phase) {
  problem.set_body(body, RigidBody::space(1.0 / mass, 150.0 / mass * Eigen::Matrix3d::Identity(),
                                          {0.3 * std::sin(phase), 0.2 * std::cos(3.0 * phase), 0, 0, 0,
                                           0.5 * std::sin(2.0 * phase)},
                                          {0, 0, -mass * standard_gravity * time_step, 0, 0, 0}));
  for (const int corner : {0, 1, 2, 3}) {
    const SmallVector arm{corner % 2 == 0 ? -half : half, corner < 2 ? -half : half, -half};
    problem.add_contact(static_cast<std::uint64_t>(8 * body + corner),
                        {.bodies = {body, -1}, .frame = upright, .arms = {arm}, .mu = 0.4});
  }
}

// A contact or a ball joint between the faces of neighbours.
void connect(BodyProblem& problem, int body, bool joint) {
  const auto key = static_cast<std::uint64_t>(8 * body + 4);
  if (!joint) {
    problem.add_contact(key, {.bodies = {body, body + 1},
                              .frame = sideways,
                              .arms = {SmallVector{half, 0, 0}, SmallVector{-half, 0, 0}},
                              .mu = 0.3});
    return;
  }
  // Velocity of the points (half, 0, 0) and (-half, 0, 0).
  SmallMatrix first = SmallMatrix::Zero(3, 6), second = SmallMatrix::Zero(3, 6);
  for (Index k = 0; k < 3; ++k) {
    first(k, k) = 1.0;
    second(k, k) = -1.0;
  }
  first(1, 5) = second(1, 5) = half;
  first(2, 4) = second(2, 4) = -half;
  problem.add_rows(key, {.bodies = {body, body + 1}, .jacobians = {first, second}});
}

void fill_chains(BodyProblem& problem, int chains, int links, bool joints, double phase) {
  problem.reset(static_cast<Index>(chains) * links);
  for (int body = 0; body < chains * links; ++body) {
    const int link = body % links;
    add_crate(problem, body, 1.0 + 0.01 * link, phase + body);
    if (link + 1 < links) connect(problem, body, joints);
  }
  problem.contact_form();
}

// The seconds between the first iteration and the last. Before the first one a method prepares its data.
class SweepTimer : public Observer {
 public:
  bool observe(const Iteration&) override {
    if (count_++ == 0) timer_ = {};
    seconds_ = timer_.seconds();
    return true;
  }
  double seconds() const { return seconds_; }

 private:
  int count_ = 0;
  Timer timer_;
  double seconds_ = 0.0;
};

struct Best {
  double seconds[2] = {infinity, infinity};
  bool solved = true;
  void offer(int side, double value) { seconds[side] = std::min(seconds[side], value); }
};

class Study {
 public:
  Study(const StepStudyOptions& options, std::FILE* csv) : options_(options), csv_(csv) {}

  // N islands of four contacts in one step, against N steps of one island.
  void run_islands(int islands, FrictionLaw law) {
    Best best;
    BodyProblem one, many;
    Driver single(request(1, law)), whole(request(1, law));
    DriverResult result;
    for (int repeat = 0; repeat < options_.repetitions; ++repeat) {
      double sum = 0.0;
      for (int i = 0; i < islands; ++i) {
        one.reset(1);
        add_crate(one, 0, 1.0, repeat + i);
        one.contact_form();
        const Timer timer;
        single.solve(one, result);
        sum += timer.seconds();
        best.solved = best.solved && result.solved();
      }
      best.offer(0, sum);
      many.reset(islands);
      for (int i = 0; i < islands; ++i) add_crate(many, i, 1.0, repeat + i);
      many.contact_form();
      time(whole, many, 1, 1.0, best);
    }
    print(fmt::format("islands under the {} law", name(law)), "single solves", "one step", islands, best);
  }

  // Per row: chains of crates that are connected by contacts, and by ball joints.
  void run_joints(int chains, int links) {
    Best best;
    BodyProblem problems[2];
    Driver drivers[2] = {Driver(request(1)), Driver(request(1))};
    for (int repeat = 0; repeat < options_.repetitions; ++repeat) {
      for (const int side : {0, 1}) {
        fill_chains(problems[side], chains, links, side == 1, 0.1 * repeat);
        time(drivers[side], problems[side], side, static_cast<double>(problems[side].rows()), best);
      }
    }
    print(fmt::format("joints in {} chains", chains), "contacts per row", "joints per row", chains * links,
          best);
  }

  // Equal islands on one thread and on two. What two threads can gain is shown by independent arithmetic, and
  // by two solvers that have half of the islands each: threads of one core share its arithmetic units.
  void run_threads(int islands, int links) {
    Best best, arithmetic, separate;
    BodyProblem problem, halves[2];
    Driver drivers[2] = {Driver(request(1)), Driver(request(2))};
    Driver alone[2] = {Driver(request(1)), Driver(request(1))};
    DriverResult results[2];
    double sums[2] = {};
    const auto compute = [&](int threads) {
      const Timer timer;
      parallel_for(2, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t part = begin; part < end; ++part) {
          double sum = 0.0;  // two in one cache line would not be independent
          for (int k = 1; k < 3000000; ++k) sum += std::sqrt(static_cast<double>(k)) / k;
          sums[part] = sum;
        }
      });
      return timer.seconds();
    };
    const auto solve_halves = [&](int threads) {
      const Timer timer;
      parallel_for(2, threads, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t part = begin; part < end; ++part) alone[part].solve(halves[part], results[part]);
      });
      return timer.seconds();
    };
    for (int repeat = 0; repeat < options_.repetitions; ++repeat) {
      for (const int side : {0, 1}) {
        fill_chains(problem, islands, links, true, 0.1 * repeat);
        time(drivers[side], problem, side, 1.0, best);
        arithmetic.offer(side, compute(side + 1));
        for (BodyProblem& part : halves) fill_chains(part, islands / 2, links, true, 0.1 * repeat);
        separate.offer(side, solve_halves(side + 1));
      }
    }
    print(fmt::format("threads on {} islands", islands), "one thread", "two threads", islands * links, best);
    print(fmt::format("threads on two solvers of {} islands", islands / 2), "one thread", "two threads",
          islands * links, separate);
    print("threads on arithmetic", "one thread", "two threads", sums[0] == sums[1] ? 2 : 0, arithmetic);
  }

  // One island that has all contacts: the same number of sweeps on one thread and on two. A copy of as much
  // memory as the contacts take shows what two threads can gain.
  void run_large_island(int spheres) {
    constexpr int sweeps = 60;
    Best island, copy;
    const AnyProblem heap = sphere_packing({.spheres = spheres, .friction = 0.6});
    const Index contacts = std::get<GlobalContactProblem>(heap).contacts();
    const std::vector<double> from(static_cast<std::size_t>(48 * contacts), 1.0);
    std::vector<double> to(from.size());
    const auto half_size = static_cast<std::ptrdiff_t>(from.size() / 2);
    for (int repeat = 0; repeat < options_.repetitions; ++repeat) {
      for (const int side : {0, 1}) {
        SweepTimer timed;
        Driver driver({.settings = {.tolerance = 1e-12, .max_iterations = sweeps, .threads = side + 1},
                       .solver = "nsgs-fast"});
        DriverResult result;
        driver.solve(heap, result, nullptr, &timed);
        island.offer(side, timed.seconds());
        island.solved = island.solved && result.counts.iterations >= sweeps;
        const Timer timer;
        for (int again = 0; again < 10; ++again) {
          parallel_for(2, side + 1, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            std::copy(from.begin() + begin * half_size, from.begin() + end * half_size,
                      to.begin() + begin * half_size);
          });
        }
        copy.offer(side, timer.seconds());
      }
    }
    const auto bodies = static_cast<int>(spheres);
    print(fmt::format("threads on one island of {} contacts", contacts), "one thread", "two threads", bodies,
          island);
    copy.solved = to == from;
    print("threads on a copy", "one thread", "two threads", bodies, copy);
  }

  // The same step again, from its own answer.
  void run_unchanged(int chains, int links) {
    Best best;
    BodyProblem problem;
    Driver driver(request(1));
    DriverResult result;
    for (int repeat = 0; repeat < options_.repetitions; ++repeat) {
      fill_chains(problem, chains, links, true, 0.1 * repeat);
      time(driver, problem, 0, 1.0, best);
      driver.solve(problem, result);
      const WarmStart start{result.r};
      fill_chains(problem, chains, links, true, 0.1 * repeat);
      const Timer timer;
      driver.solve(problem, result, &start);
      best.offer(1, timer.seconds());
      best.solved =
          best.solved && result.solved() && result.counts.factorizations == 0 && result.counts.products == 1;
    }
    print(fmt::format("unchanged step of {} chains", chains), "cold", "from its answer", chains * links,
          best);
  }

 private:
  SolveRequest request(int threads, FrictionLaw law = FrictionLaw::coulomb) const {
    return {.settings = {.tolerance = options_.tolerance, .threads = threads}, .friction = law};
  }
  static void time(Driver& driver, const BodyProblem& problem, int side, double share, Best& best) {
    static DriverResult result;
    const Timer timer;
    driver.solve(problem, result);
    best.offer(side, timer.seconds() / share);
    best.solved = best.solved && result.solved();
  }
  void print(const std::string& name, const char* first, const char* second, int size, const Best& best) {
    fmt::print(csv_, "{},{},{},{},{},{:.4g},{:.4g},{:.3f}\n", name, size, first, second,
               best.solved ? "yes" : "no", 1e6 * best.seconds[0], 1e6 * best.seconds[1],
               best.seconds[1] / best.seconds[0]);
    std::fflush(csv_);
  }

  const StepStudyOptions& options_;
  std::FILE* csv_;
};

}  // namespace

void run_step_study(const StepStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# best of {} repetitions, tolerance {}, Coulomb's law if no other is named\n",
             options.repetitions, options.tolerance);
  fmt::print(csv, "{}\n", report::step_header);
  Study study(options, csv);
  for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::convex})
    for (const int islands : {10, 100, 1000}) study.run_islands(islands, law);
  for (const auto& [chains, links] : {std::pair{1, 3}, {10, 10}, {100, 15}, {1, 100}, {1, 300}})
    study.run_joints(chains, links);
  for (const int links : {4, 15}) study.run_threads(100, links);
  study.run_large_island(options.spheres);
  for (const auto& [chains, links] : {std::pair{10, 10}, {100, 15}}) study.run_unchanged(chains, links);
}

}  // namespace slipstick::internal::bench
