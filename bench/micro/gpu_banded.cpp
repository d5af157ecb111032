// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Banded systems on a CUDA device and on one thread of the host, and the experiments of Litven 2013, section
// 7.1, on both. Writes CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/band_engine.hpp"
#include "slipstick/cuda/body_band_layout.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/cuda/pdasm_cuda.hpp"
#include "slipstick/cuda/schurpa_cuda.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/linsolve/banded/banded_cholesky.hpp"
#include "slipstick/problems/convert_delassus.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/solvers/active_set/pdasm.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"

using namespace slipstick;
using namespace slipstick::internal;

namespace {

struct BandedBench {
  std::vector<int> sizes = {1000, 2000, 4000, 8000};
  int rows = 8000;  // the one that is measured
  int bandwidth = 1000;
  int turns = 5;
  int spheres = 2000;
  std::vector<int> columns = {1, 2, 4, 8, 10, 16, 32, 64};
  std::vector<int> wrong = {0, 10, 20, 30, 40, 50, 100, 200};
};

struct Line {
  const char* operation;
  const char* variant;
  int count;
  double microseconds;
  double work = 0.0;  // operations of arithmetic
  double bytes = 0.0;
  std::int64_t iterations = 0, factorizations = 0, solves = 0;
  double error = 0.0;
  double thesis_ms = 0.0;  // on a GTX 580 in single precision
  bool on_host = false;
};

void print(const BandedBench& options, const Line& line) {
  fmt::print("{},{},{},{},{},{},{:.2f},{:.3f},{:.3f},{},{},{},{:.2e},{}\n",
             line.on_host ? "host" : device_info().name.c_str(), line.operation, line.variant, options.rows,
             options.bandwidth, line.count, line.microseconds, 1e-6 * line.work / line.microseconds,
             1e-6 * line.bytes / line.microseconds, line.iterations, line.factorizations, line.solves,
             line.error, line.thesis_ms > 0.0 ? fmt::format("{:.1f}", line.thesis_ms) : std::string());
  std::fflush(stdout);
}

// The matrix of the study of chapter 7 on the host (bench/suites/litven_study.cpp).
BandedMatrix random_band(const BandedBench& options, Random& random) {
  BandedMatrix a(options.rows, std::min(options.bandwidth, options.rows - 1));
  const double radius = 2.0 * std::sqrt(2.0 / 3.0 * options.bandwidth);
  for (Index j = 0; j < a.rows(); ++j) {
    a.at(j, j) = 1.0 + 1.02 * radius;
    for (Index i = j + 1; i <= std::min(j + a.bandwidth(), a.rows() - 1); ++i)
      a.at(i, j) = random.uniform(-1.0, 1.0);
  }
  return a;
}

// The relative residual of a solve on the device.
double residual_of(BandEngine& engine, const BandedMatrix& a, int columns, Random& random) {
  DenseMatrix b(a.rows(), columns);
  for (Index j = 0; j < columns; ++j)
    for (double& entry : b.col(j)) entry = random.uniform(-1.0, 1.0);
  DenseMatrix x = b;
  engine.solve(x.data(), columns);
  Vector product(a.rows());
  double worst = 0.0;
  for (Index j = 0; j < columns; ++j) {
    a.multiply(x.col(j), product, 1);
    worst = std::max(worst, (product - b.col(j)).norm() / b.col(j).norm());
  }
  return worst;
}

void time_kernels(const BandedBench& options, const BandedMatrix& a, Random& random) {
  BandEngine engine;
  const BandShape shape(options.rows, static_cast<int>(a.bandwidth()));
  engine.set_matrix(shape, 0, a.lower().data());
  const std::vector<char> inside(static_cast<std::size_t>(options.rows), 1);
  if (engine.factorize(inside.data(), nullptr) >= 0) {
    fmt::print(stderr, "the matrix is not positive definite\n");
    return;
  }
  const double n = options.rows, k = static_cast<double>(a.bandwidth());
  const std::size_t copied = std::size_t{144} << 20;
  print(options, {.operation = "copy",
                  .variant = "plain",
                  .count = 0,
                  .microseconds = 2e6 * static_cast<double>(copied) / copy_bandwidth(copied),
                  .bytes = 2.0 * static_cast<double>(copied)});
  const double band_bytes = 8.0 * static_cast<double>(shape.band_size());
  const double inverse_bytes = 8.0 * static_cast<double>(shape.inverse_size());
  constexpr int turns = 21;
  for (const bool with_inverses : {true, false}) {
    print(options, {.operation = "factorize",
                    .variant = with_inverses ? "with inverses" : "alone",
                    .count = 1,
                    .microseconds = engine.time_factorization(with_inverses, turns),
                    .work = n * k * k,
                    .factorizations = 1,
                    .thesis_ms = n != 8000       ? 0.0
                                 : with_inverses ? 279.574
                                                 : 193.128});
  }
  engine.factorize(inside.data(), nullptr);
  print(options, {.operation = "multiply",
                  .variant = "vector",
                  .count = 1,
                  .microseconds = engine.time_product(turns),
                  .work = 4.0 * n * k,
                  .bytes = band_bytes});
  for (const int columns : options.columns) {
    print(options, {.operation = "solve",
                    .variant = "blocks",
                    .count = columns,
                    .microseconds = engine.time_solve(columns, turns),
                    .work = 4.0 * n * k * columns,
                    .bytes = 2.0 * (band_bytes + inverse_bytes),
                    .solves = columns,
                    .error = residual_of(engine, a, columns, random),
                    .thesis_ms = n == 8000 && columns == 1 ? 44.5667 : 0.0});
  }
  struct Kernel {
    BandProduct how;
    const char* name;
  };
  for (const int columns : options.columns) {
    for (const Kernel kernel : {Kernel{BandProduct::naive, "naive"},
                                {BandProduct::shared, "shared"},
                                {BandProduct::tiles, "tiles"}}) {
      print(options, {.operation = "symbgmm",
                      .variant = kernel.name,
                      .count = columns,
                      .microseconds = engine.time_product(columns, kernel.how,
                                                          kernel.how == BandProduct::tiles ? turns : 3),
                      .work = 4.0 * n * k * columns,
                      .bytes = band_bytes});
    }
  }
}

// Median microseconds of calls on the host, after one that does not count.
template <class Body>
double host_microseconds(const BandedBench& options, const Body& body) {
  std::vector<double> seconds;
  for (int turn = -1; turn < options.turns; ++turn) {
    const Timer timer;
    body();
    if (turn >= 0) seconds.push_back(timer.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return 1e6 * seconds[seconds.size() / 2];
}

// The same operations by the kernels of the host, on one thread.
void time_host(const BandedBench& options, const BandedMatrix& a, Random& random) {
  const double n = options.rows, k = static_cast<double>(a.bandwidth());
  BandedCholesky cholesky;
  print(options, {.operation = "factorize",
                  .variant = "host",
                  .count = 1,
                  .microseconds = host_microseconds(options, [&] { cholesky.factorize(a); }),
                  .work = n * k * k,
                  .factorizations = 1,
                  .on_host = true});
  for (const int columns : options.columns) {
    DenseMatrix x(a.rows(), columns), y(a.rows(), columns);
    for (Index j = 0; j < columns; ++j)
      for (double& entry : x.col(j)) entry = random.uniform(-1.0, 1.0);
    print(options, {.operation = "solve",
                    .variant = "host",
                    .count = columns,
                    .microseconds = host_microseconds(options,
                                                      [&] {
                                                        y = x;
                                                        cholesky.solve(y);
                                                      }),
                    .work = 4.0 * n * k * columns,
                    .solves = columns,
                    .on_host = true});
    print(options, {.operation = "symbgmm",
                    .variant = "host",
                    .count = columns,
                    .microseconds = host_microseconds(options,
                                                      [&] {
                                                        for (Index j = 0; j < columns; ++j)
                                                          a.multiply(x.col(j), y.col(j), 1);
                                                      }),
                    .work = 4.0 * n * k * columns,
                    .on_host = true});
  }
}

// The band of J M^-1 J' + C of a packing: the kernel, and the assembly of the host as a sparse matrix.
void time_assembly(const BandedBench& options) {
  const GlobalContactProblem packing = sphere_packing({.spheres = options.spheres, .friction = 0.5});
  const std::optional<DelassusOperator> graph = body_graph(packing);
  BodyBandLayout layout;
  layout.set(*graph);
  BandedBench of_packing = options;
  of_packing.rows = static_cast<int>(graph->rows());
  of_packing.bandwidth = layout.bandwidth();
  BandEngine engine;
  const BodyBand numbers = layout.numbers(*graph);
  engine.set_matrix(BandShape(of_packing.rows, of_packing.bandwidth), 0, numbers);
  print(of_packing, {.operation = "assemble",
                     .variant = "device",
                     .count = options.spheres,
                     .microseconds = engine.time_assembly(numbers, 11)});
  std::vector<double> seconds;
  for (int turn = 0; turn < 3; ++turn) {
    const Timer timer;
    const CsrMatrix a = graph->to_csr();
    seconds.push_back(a.nonZeros() > 0 ? timer.seconds() : 0.0);
  }
  print(of_packing, {.operation = "assemble",
                     .variant = "host",
                     .count = options.spheres,
                     .microseconds = 1e6 * *std::min_element(seconds.begin(), seconds.end())});
}

// A start whose set differs from that of the solution in the first `wrong` indices.
WarmStart wrong_start(const Vector& solution, Index wrong) {
  WarmStart start{Vector::Ones(solution.size())};
  for (Index i = 0; i < solution.size(); ++i)
    if ((solution[i] == 0.0) != (i < wrong)) start.x[i] = 0.0;
  return start;
}

// Table 7.1: milliseconds in all, of factorizations and of solves.
struct ThesisTimes {
  double total = 0.0, factorizations = 0.0, solves = 0.0;
};
ThesisTimes thesis_milliseconds(bool direct, int wrong) {
  constexpr ThesisTimes schurpa[] = {{350.912, 279.574, 44.5667}, {484.104, 282.66, 169.643},
                                     {540.222, 278.669, 227.727}, {574.07, 281.972, 257.621},
                                     {593.343, 284.377, 274.522}, {678.072, 283.504, 359.458}};
  constexpr ThesisTimes of_direct[] = {{263.926, 193.128, 45.9466}, {1004.63, 767.985, 183.745},
                                       {1229.05, 938.094, 229.483}, {1260.15, 967.221, 229.828},
                                       {1253.28, 959.715, 230.715}, {1265.25, 972.877, 229.687}};
  if (wrong % 10 != 0 || wrong > 50) return {};
  return (direct ? of_direct : schurpa)[wrong / 10];
}

// The objects are kept, and so is the matrix on the device. The time of a device is that of a solve without
// the certificate, which the host computes. On the host the certificate is part of it.
template <class Method>
void time_method(const BandedBench& options, const char* name, Method& method, const Problem& problem,
                 const Vector& solution, int wrong) {
  constexpr bool on_host = !std::is_base_of_v<DeviceActiveSet, Method>;
  constexpr bool direct = std::is_same_v<Method, PdasmCuda> || std::is_same_v<Method, Pdasm>;
  const WarmStart start = wrong_start(solution, wrong);
  std::vector<double> seconds;
  Result result;
  for (int turn = -1; turn < options.turns; ++turn) {
    const Timer timer;
    method.solve(problem, {.tolerance = 1e-8}, result, &start);
    double own = timer.seconds();
    if constexpr (!on_host) own = method.seconds();
    if (turn >= 0) seconds.push_back(own);
  }
  std::sort(seconds.begin(), seconds.end());
  const ThesisTimes thesis = on_host ? ThesisTimes{} : thesis_milliseconds(direct, wrong);
  print(options, {.operation = "qp",
                  .variant = name,
                  .count = wrong,
                  .microseconds = 1e6 * seconds[seconds.size() / 2],
                  .iterations = static_cast<std::int64_t>(result.counts.iterations),
                  .factorizations = method.work().factorizations,
                  .solves = method.work().solves,
                  .error = result.measures.scaled_natural_map,
                  .thesis_ms = thesis.total,
                  .on_host = on_host});
  print(options, {.operation = "qp-factorize",
                  .variant = name,
                  .count = wrong,
                  .microseconds = 1e6 * method.work().factor_seconds,
                  .factorizations = method.work().factorizations,
                  .thesis_ms = thesis.factorizations,
                  .on_host = on_host});
  print(options, {.operation = "qp-solve",
                  .variant = name,
                  .count = wrong,
                  .microseconds = 1e6 * method.work().solve_seconds,
                  .solves = method.work().solves,
                  .thesis_ms = thesis.solves,
                  .on_host = on_host});
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Banded systems and active sets on a CUDA device, as CSV");
  BandedBench options;
  app.add_option("--rows", options.sizes, "Rows of the band; the last number is that of the active sets")
      ->delimiter(',');
  app.add_option("--bandwidth", options.bandwidth, "Its bandwidth");
  app.add_option("--turns", options.turns, "Turns of a method, whose median counts");
  app.add_option("--spheres", options.spheres, "Spheres of the packing whose band is assembled");
  app.add_option("--columns", options.columns, "Numbers of right-hand sides")->delimiter(',');
  app.add_option("--wrong", options.wrong, "Numbers of wrong indices of the start")->delimiter(',');
  CLI11_PARSE(app, argc, argv);
  if (!device_info().usable()) {
    fmt::print(stderr, "{}\n", explain_missing_device("slipstick-gpu-banded"));
    return 1;
  }
  fmt::print("{}\n", report::gpu_banded_header);
  Random random(1);
  Problem problem;
  for (const int rows : options.sizes) {
    options.rows = rows;
    BandedMatrix a = random_band(options, random);
    time_kernels(options, a, random);
    time_host(options, a, random);
    problem.A = Operator(std::move(a));
  }
  time_assembly(options);
  problem.K = ProductSet::nonnegative(options.rows);
  problem.b.resize(options.rows);
  for (double& b : problem.b) b = random.normal();
  PdasmCuda direct;
  SchurpaCuda schurpa;
  Pdasm host_direct;
  Schurpa host_schurpa;
  Result result;
  direct.solve(problem, {.tolerance = 1e-10}, result);
  const Vector solution = result.x;
  for (const int wrong : options.wrong) {
    time_method(options, "pdasm-cuda", direct, problem, solution, wrong);
    time_method(options, "schurpa-cuda", schurpa, problem, solution, wrong);
    time_method(options, "pdasm", host_direct, problem, solution, wrong);
    time_method(options, "schurpa", host_schurpa, problem, solution, wrong);
  }
  return 0;
}
