// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What every method gains from a warm start. In a sequence of problems the matrix stays and the load turns
// slowly. Each problem is solved cold and from the solution of the one before.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/suites/study.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/scenes/disk_pyramid.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/uic.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::bench {
namespace {

// Problem k has the load cos(k drift) first + sin(k drift) second.
struct Family {
  std::string name;
  AnyProblem problem;
  FrictionLaw law = FrictionLaw::coulomb;
  Vector first, second;

  void set_load(double angle) {
    std::visit(
        [&](auto& p) {
          if constexpr (requires { p.b; }) p.b = std::cos(angle) * first + std::sin(angle) * second;
          if constexpr (requires { p.q; }) p.q = std::cos(angle) * first + std::sin(angle) * second;
        },
        problem);
  }
};

Family turning(std::string name, const Problem& problem, const Vector& second) {
  return {std::move(name), problem, FrictionLaw::convex, problem.b, second};
}

// The second load is a force, -A y: the solution moves no more than y does, in the norm of A.
Family random_family(const std::string& name, const KnownProblem& known) {
  const Vector y = known.x.reverse();
  Vector second(y.size());
  known.problem.A.multiply(y, second);
  return turning(name, known.problem, -second);
}

Family pressure_family() {
  UicOptions options{.resolution = 32};
  Problem problem = uic_pressure(options);
  options.seed = 2;
  return turning("pressure", problem, uic_pressure(options).b);
}

// The weight turns towards the first axis of every body.
Family heap_family(const std::string& name, GlobalContactProblem heap, FrictionLaw law) {
  const int dofs = heap.dimension == 3 ? 6 : 3, down = heap.dimension - 1;
  LocalContactProblem local = CondensedProblem(heap).local();
  for (Index body = 0; body < heap.f.size(); body += dofs) std::swap(heap.f[body], heap.f[body + down]);
  const LocalContactProblem sideways = CondensedProblem(heap).local();
  if (!is_convex(law)) return {name, local, law, local.q, sideways.q};
  const Problem problem = impulse_problem(local, law).problem;
  return turning(name, problem, impulse_problem(sideways, law).problem.b);
}

std::vector<Family> make_families() {
  std::vector<Family> list;
  RandomBoxOptions options{.rows = 300, .condition = 1e4};
  list.push_back(random_family("lcp", random_lcp(options)));
  options.free = options.two_sided = 0.3;
  list.push_back(random_family("boxed", random_box(options)));
  list.push_back(pressure_family());
  const auto heap = [&] { return sphere_packing({.spheres = 60}); };
  const auto disks = [] { return disk_pyramid({.width = 12, .layers = 6, .slope = 0.1}); };
  list.push_back(heap_family("smooth spheres", heap(), FrictionLaw::none));
  list.push_back(heap_family("cones", heap(), FrictionLaw::convex));
  list.push_back(heap_family("disks", disks(), FrictionLaw::coulomb));
  list.push_back(heap_family("spheres", heap(), FrictionLaw::coulomb));
  list.push_back(heap_family("disks in diamonds", disks(), FrictionLaw::diamond));
  list.push_back(heap_family("spheres in boxes", heap(), FrictionLaw::box));
  return list;
}

// One method on one family, as a function that takes a problem and a start.
using Solve = std::function<void(const AnyProblem&, const WarmStart*, Result&)>;
struct Contestant {
  std::string name;
  bool claims = true;
  std::function<Solve()> make;  // a new object
};

std::vector<Contestant> contestants_of(const Family& family, const Settings& settings) {
  std::vector<Contestant> list;
  if (const auto* problem = std::get_if<Problem>(&family.problem)) {
    for (const CatalogRow& row : catalog()) {
      if (!make_solver(row.name)->explain_unsupported(*problem).empty()) continue;
      list.push_back({std::string(row.name), row.warm_start, [&row, settings]() -> Solve {
                        std::shared_ptr<Solver> solver = make_solver(row.name);
                        return [=](const AnyProblem& p, const WarmStart* start, Result& result) {
                          solver->solve(std::get<Problem>(p), settings, result, start);
                        };
                      }});
    }
    list.push_back({"auto", true, [settings]() -> Solve {
                      auto driver = std::make_shared<Driver>(SolveRequest{.settings = settings});
                      return [=, kept = std::make_shared<DriverResult>()](
                                 const AnyProblem& p, const WarmStart* start, Result& result) {
                        driver->solve(p, *kept, start);
                        result = *kept;
                      };
                    }});
    return list;
  }
  const int dimension = std::get<LocalContactProblem>(family.problem).dimension;
  const auto add = [&](const std::string& name, bool claims) {
    if (!takes_contacts(family.law, dimension, name)) return;
    list.push_back({name, claims, [=, law = family.law]() -> Solve {
                      std::shared_ptr<ContactSolver> solver = make_contact_solver(law, dimension, name);
                      return [=](const AnyProblem& p, const WarmStart* start, Result& result) {
                        solver->solve(std::get<LocalContactProblem>(p), settings, result, start);
                      };
                    }});
  };
  for (const ContactMethod& row : contact_methods()) add(std::string(row.name), row.warm_start);
  add("auto", true);
  return list;
}

// Sums over the problems behind the first.
struct Sums {
  std::int64_t solved = 0, iterations = 0, products = 0, factorizations = 0;
  void add(const Result& result) {
    solved += result.solved();
    iterations += result.counts.iterations;
    products += result.counts.products;
    factorizations += result.counts.factorizations;
  }
};

void run_contestant(Family& family, const Contestant& contestant, const WarmStudyOptions& options,
                    std::FILE* csv) {
  const Solve cold = contestant.make(), warm = contestant.make();
  const bool contact = std::holds_alternative<LocalContactProblem>(family.problem);
  Result result;
  WarmStart start;
  Sums cold_sums, warm_sums;
  std::int64_t at_solution = 0;  // iterations
  for (int k = 0; k <= options.problems; ++k) {
    family.set_load(k * options.drift);
    if (k > 0) {
      cold(family.problem, nullptr, result);
      cold_sums.add(result);
    }
    warm(family.problem, k > 0 ? &start : nullptr, result);
    if (k > 0) warm_sums.add(result);
    start.x = contact ? result.r : result.x;
    if (!result.solved()) continue;
    warm(family.problem, &start, result);
    at_solution += result.counts.iterations;
  }
  fmt::print(csv, "{},{},{},{},{},{},{},{},{},{},{},{},{:.3f}\n", family.name, unknowns(family.problem),
             contestant.name, contestant.claims ? "yes" : "no", options.problems, cold_sums.solved,
             warm_sums.solved, at_solution, cold_sums.iterations, warm_sums.iterations, cold_sums.products,
             warm_sums.products,
             static_cast<double>(warm_sums.iterations) /
                 static_cast<double>(std::max<std::int64_t>(1, cold_sums.iterations)));
  std::fflush(csv);
}

}  // namespace

void run_warm_study(const WarmStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# {} problems after the first, drift {} radians, tolerance {}\n", options.problems,
             options.drift, options.tolerance);
  fmt::print(csv, "{}\n", report::warm_header);
  const Settings settings{.tolerance = options.tolerance, .time_limit = options.time_limit};
  const auto wanted = [](const std::vector<std::string>& list, const std::string& name) {
    return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
  };
  for (Family& family : make_families()) {
    if (!wanted(options.families, family.name)) continue;
    for (const Contestant& contestant : contestants_of(family, settings)) {
      if (!wanted(options.methods, contestant.name)) continue;
      if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}: {}", family.name, contestant.name);
      run_contestant(family, contestant, options, csv);
    }
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
