// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-micro: the kernels by themselves. Operations that stream through memory take turns with a copy of
// as many bytes and report how near they come to it. Usage: slipstick-micro [ROWS] [--benchmark_... options]
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/micro/copy.hpp"
#include "bench/micro/operators.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/linsolve/incomplete/incomplete_cholesky.hpp"
#include "slipstick/scenes/uic.hpp"

namespace slipstick::internal::bench {
namespace {

Vector random_vector(Index rows) {
  Random random(1);
  Vector x(rows);
  for (double& value : x) value = random.uniform(-1.0, 1.0);
  return x;
}

// `operation` against the copy of as many bytes, in turns; the counters are those of the best of either.
template <class Operation>
void against_copy(benchmark::State& state, double bytes, const Operation& operation) {
  Copy copy(bytes);
  Versus best;
  for (auto _ : state) {
    const double copied = seconds_of([&] { copy(1); });
    const double worked = seconds_of(operation);
    best.add(worked, copied);
    state.SetIterationTime(worked);
  }
  const double speed = bytes / best.seconds;
  const double copy_speed = copy.bytes() / best.copy_seconds;
  state.counters["GB/s"] = 1e-9 * speed;
  state.counters["copy_GB/s"] = 1e-9 * copy_speed;
  state.counters["ratio"] = speed / copy_speed;
}

void product(benchmark::State& state, const OperatorFamily& family, Index rows) {
  const Operator a = family.make(rows);
  const Vector x = random_vector(a.rows());
  Vector y(a.rows());
  against_copy(state, a.bytes_per_product(), [&] { a.multiply(x, y); });
}

// x is read from one vector and projected in another, so that every pass has the same work.
void projection(benchmark::State& state, const ProductSet& set, double bytes_of_set) {
  const Vector x = random_vector(set.rows());
  Vector projected(set.rows());
  const double bytes = 32.0 * static_cast<double>(set.rows()) + bytes_of_set;
  against_copy(state, bytes, [&] {
    projected = x;
    set.project(projected);
  });
}

void box_projection(benchmark::State& state, Index rows) {
  const ProductSet set = ProductSet::box(Vector::Constant(rows, -0.5), Vector::Constant(rows, 0.5));
  projection(state, set, 16.0 * static_cast<double>(rows));
}

void cone_projection(benchmark::State& state, Index rows) {
  const ProductSet set = ProductSet::cones(Vector::Constant(rows / 3, 0.5), 3);
  projection(state, set, static_cast<double>(sizeof(SetBlock)) * static_cast<double>(rows / 3));
}

// Forward and backward substitution read the factor once each: three entries per row, pivot, two vectors.
void incomplete_substitution(benchmark::State& state, Index rows) {
  const Operator a = operator_families()[0].make(rows);
  const auto matrix = a.assemble();
  IncompleteCholesky factor;
  factor.factor(*matrix, {}, {});
  const Vector r = random_vector(a.rows());
  Vector z(a.rows());
  const double n = static_cast<double>(a.rows());
  const double below = (static_cast<double>(matrix->nonZeros()) - n) / 2.0;
  against_copy(state, 2.0 * (12.0 * below + 12.0 * n) + 6.0 * 8.0 * n, [&] {
    z = r;
    factor.solve(z);
  });
}

class Stamps : public Observer {
 public:
  bool observe(const Iteration& iteration) override {
    seconds.push_back(iteration.seconds);
    return true;
  }
  std::vector<double> seconds;
};

// One iteration of a method, as the median of the gaps between its calls of the observer.
void iteration(benchmark::State& state, std::string_view solver_name, const Problem& problem) {
  const std::unique_ptr<Solver> solver = make_solver(solver_name);
  const Settings settings{.tolerance = 0.0, .max_iterations = 12};
  Result result;
  for (auto _ : state) {
    Stamps stamps;
    solver->solve(problem, settings, result, nullptr, &stamps);
    std::vector<double> gaps;
    for (std::size_t k = 1; k < stamps.seconds.size(); ++k)
      gaps.push_back(stamps.seconds[k] - stamps.seconds[k - 1]);
    if (gaps.empty()) {
      state.SkipWithError("no iteration was made");
      return;
    }
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
    state.SetIterationTime(gaps[gaps.size() / 2]);
  }
}

template <class Function>
void add(const std::string& name, const Function& function) {
  benchmark::RegisterBenchmark(name.c_str(), function)->UseManualTime()->Unit(benchmark::kMillisecond);
}

void register_all(Index rows) {
  for (const OperatorFamily& family : operator_families()) {
    add(fmt::format("product/{}", family.name),
        [&family, rows](benchmark::State& state) { product(state, family, rows); });
  }
  add("projection/box", [rows](benchmark::State& state) { box_projection(state, rows); });
  add("projection/cone", [rows](benchmark::State& state) { cone_projection(state, rows); });
  add("substitution/mic0", [rows](benchmark::State& state) { incomplete_substitution(state, rows); });

  // The unilateral incompressibility problem whose cube has about as many cells.
  const auto problem = std::make_shared<const Problem>(uic_pressure(
      {.dimension = 3, .resolution = static_cast<int>(std::lround(std::cbrt(static_cast<double>(rows))))}));
  for (const std::string_view solver : {"pgs", "pjacobi", "mprgp", "pmprgp"}) {
    if (find_solver(solver) == nullptr) continue;
    add(fmt::format("iteration/{}", solver),
        [solver, problem](benchmark::State& state) { iteration(state, solver, *problem); });
  }
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const slipstick::Index rows = argc > 1 ? std::atol(argv[1]) : 1000000;
  if (argc > 2 || rows < 1000) {
    fmt::print(stderr, "usage: slipstick-micro [ROWS >= 1000] [--benchmark_... options]\n");
    return 2;
  }
  slipstick::internal::bench::register_all(rows);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
