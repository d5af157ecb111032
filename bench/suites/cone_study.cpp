// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "bench/suites/packing_problem.hpp"
#include "bench/suites/study.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/measures/measures.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr double sphere_mass = 6.28;  // kg

// One optimization problem of the study. Its origin makes no difference.
struct ConeSystem {
  int test;
  Index bodies;
  Index contacts;
  double plate_mass;  // kg
  Problem problem;
};

ConeSystem packing(int test, Index spheres, double container_radius, double friction, double plate_mass,
                   std::uint64_t seed) {
  PackingProblem packing =
      packing_problem({.spheres = spheres,
                       .container_radius = container_radius,
                       .radius_spread = 0.01,
                       .friction = friction,
                       .plate_mass_ratio = plate_mass / (sphere_mass * static_cast<double>(spheres)),
                       .seed = seed});
  return {test, spheres, packing.contacts, plate_mass, std::move(packing.problem)};
}

// Heyn 2012, section 5. The unit of length is the radius of a sphere. Test 1: 1,000 bodies without friction.
// Test 2: 1,000 to 4,000 bodies in a cylinder of radius 20. Test 3: a heavy plate on 1,000 bodies in a
// cylinder of radius 15.
std::vector<ConeSystem> systems_of(int test, std::uint64_t seed) {
  std::vector<ConeSystem> systems;
  if (test == 1) systems.push_back(packing(1, 1000, 0.0, 0.0, 0.0, seed));
  if (test == 2) {
    for (const Index spheres : {1000, 2000, 4000})
      systems.push_back(packing(2, spheres, 20.0, 0.3, 0.0, seed));
  }
  if (test == 3) {
    for (const double plate : {1000.0, 4000.0, 16000.0})
      systems.push_back(packing(3, 1000, 15.0, 0.3, plate, seed));
  }
  return systems;
}

// Contacts on the boundary of their cones, the apex included.
Index active_contacts(const ProductSet& K, const ConstVectorView& x) {
  Index active = 0;
  for (const SetBlock& block : K.blocks()) {
    const auto rows = x.segment(block.start, block.size);
    if (block.kind == SetKind::cone) {
      active += rows.tail(block.size - 1).norm() >= (1.0 - 1e-9) * block.parameter * rows[0];
    } else if (block.kind == SetKind::nonnegative) {
      active += (rows.array() <= 0.0).count();
    }
  }
  return active;
}

// Measures iterates at numbers that grow by a tenth, in seconds of the processor; what measuring takes is not
// the method's.
class Course : public Observer {
 public:
  Course(const Problem& problem, std::string line_start, std::FILE* csv)
      : problem_(problem), line_start_(std::move(line_start)), csv_(csv) {
    ruler_.prepare(problem);
  }
  bool observe(const Iteration& iteration) override {
    if (iteration.number < next_) return true;
    next_ = std::max(iteration.number + 1, static_cast<int>(1.1 * iteration.number));
    print(iteration.number, iteration.x);
    return true;
  }
  void print(int number, const ConstVectorView& x) {
    const double seconds = processor_seconds() - start_;
    solution_.x = x;
    measure(problem_, ruler_, solution_, 1, measures_);
    fmt::print(csv_, "{},{},{:.6f},{:.12e},{:.4e},{:.4e},{},{:.4e}\n", line_start_, number, seconds,
               measures_.objective, measures_.heyn, measures_.complementarity_gap,
               active_contacts(problem_.K, x), measures_.scaled_natural_map);
    start_ = processor_seconds() - seconds;
  }

 private:
  const Problem& problem_;
  std::string line_start_;
  std::FILE* csv_;
  Ruler ruler_;
  Solution solution_;
  Measures measures_;
  int next_ = 0;
  double start_ = processor_seconds();
};

}  // namespace

void run_cone_study(const ConeStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# tolerance {:g} of the scaled natural map, {:g} s per solve; seconds of the processor\n",
             options.tolerance, options.time_limit);
  fmt::print(csv, "{}\n", report::cone_header);
  for (const int test : options.tests) {
    for (const ConeSystem& system : systems_of(test, options.seed)) {
      for (const std::string& name : options.solvers) {
        if (isatty(STDERR_FILENO) != 0)
          fmt::print(stderr, "\r\033[Ktest {}, {} contacts: {}", test, system.contacts, name);
        Course course(system.problem,
                      fmt::format("{},{},{},{:g},{}", system.test, system.bodies, system.contacts,
                                  system.plate_mass, name),
                      csv);
        Result result;
        make_solver(name)->solve(system.problem,
                                 {.tolerance = options.tolerance, .time_limit = options.time_limit}, result,
                                 nullptr, &course);
        course.print(result.counts.iterations, result.x);
        std::fflush(csv);
      }
    }
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
