// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-gpu-spike: SPIKE on a CUDA device, beside LAPACK's dgbtrf and dgbtrs on the host and a plain copy
// on the device in the same run, as CSV.
//
// The rates count 2 k^2 flops per row for a factorization (k^2 if the matrix is symmetric), and for a
// solution the bytes of the band, twice if there are several partitions. Loading copies the band to tiles and
// measures its rows, on the device.
#include <fmt/format.h>
#if defined(SLIPSTICK_HAVE_LAPACKE)
#include <lapacke.h>
#endif

#include <CLI/CLI.hpp>
#include <cmath>
#include <vector>

#include "bench/micro/copy.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/cuda/apgd_engine.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/cuda/spike_engine.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/linsolve/banded/general_band.hpp"

namespace slipstick::internal::bench {
namespace {

struct GpuSpikeOptions {
  std::vector<int> rows = {20000, 200000};
  std::vector<int> half_bandwidths = {10, 50, 100, 200, 500, 1000};
  double dominance = 1.2;
  double most_numbers = 1.3e8;  ///< of a band
  double most_lapack_flops = 4e10;
  int repetitions = 5;
};

// The diagonal is `dominance` times the sum of the sizes of the other entries of its row.
GeneralBand symmetric_band(Index n, Index k, double dominance) {
  Random random(1);
  GeneralBand a(n, k);
  Vector sums = Vector::Zero(n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j + 1; i < std::min(n, j + k + 1); ++i) {
      const double value = random.uniform(-1.0, 1.0);
      a.at(i, j) = a.at(j, i) = value;
      sums[i] += std::abs(value);
      sums[j] += std::abs(value);
    }
  }
  for (Index i = 0; i < n; ++i) a.at(i, i) = dominance * std::max(1.0, sums[i]);
  return a;
}

struct Lapack {
  double factor = 0.0, solve = 0.0;  // seconds; 0: not measured
};

Lapack time_lapack(const GeneralBand& a, const Vector& b, const GpuSpikeOptions& options) {
  Lapack times;
#if defined(SLIPSTICK_HAVE_LAPACKE)
  const auto n = static_cast<lapack_int>(a.rows()), k = static_cast<lapack_int>(a.half_bandwidth());
  if (2.0 * k * k * n > options.most_lapack_flops) return times;
  DenseMatrix storage(3 * k + 1, n);
  std::vector<lapack_int> pivots(static_cast<std::size_t>(n));
  for (int turn = 0; turn < 2; ++turn) {
    storage.bottomRows(2 * k + 1) = a.columns();
    Vector x = b;
    const double factor = seconds_of(
        [&] { LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, n, n, k, k, storage.data(), 3 * k + 1, pivots.data()); });
    const double solve = seconds_of([&] {
      LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, k, k, 1, storage.data(), 3 * k + 1, pivots.data(),
                          x.data(), n);
    });
    times.factor = turn == 0 ? factor : std::min(times.factor, factor);
    times.solve = turn == 0 ? solve : std::min(times.solve, solve);
  }
#else
  (void)a, (void)b, (void)options;
#endif
  return times;
}

void measure(const GeneralBand& a, const GpuSpikeOptions& options) {
  const Vector b = Vector::LinSpaced(a.rows(), -1.0, 1.0);
  Vector x(b.size()), product(b.size());
  const Lapack lapack = time_lapack(a, b, options);
  const auto n = static_cast<double>(a.rows()), k = static_cast<double>(a.half_bandwidth());
  const double copy = copy_bandwidth(std::size_t{1} << 29);
  for (const bool symmetric : {false, true}) {
    for (const int partitions : {0, 1}) {
      for (const bool truncated : {true, false}) {
        if (partitions == 1 && truncated) continue;
        for (const int columns : {1, 8}) {
          SpikeEngine engine;
          engine.set_size({.rows = static_cast<int>(a.rows()),
                           .half_bandwidth = static_cast<int>(a.half_bandwidth()),
                           .partitions = partitions,
                           .truncated = truncated,
                           .symmetric = symmetric,
                           .columns = columns});
          engine.factorize(a.columns().data());
          engine.solve(b.data(), x.data());
          a.multiply(x, product);
          const double residual = (b - product).norm() / b.norm();
          const double load = engine.time_load(options.repetitions);
          const double factor = engine.time_factorization(options.repetitions);
          const double solve = engine.time_solution(options.repetitions);
          const double flops = (symmetric ? 1.0 : 2.0) * k * k * n;
          const double bytes = 8.0 * (2.0 * k + 1.0) * n * (engine.plan().partitions > 1 ? 2.0 : 1.0);
          fmt::print(
              "{},{},{},{},{},{},{},{:.0f},{:.0f},{:.0f},{:.2f},{:.3f},{:.3f},{:.2f},{:.0f},{:.0f},{:.1e}\n",
              present_device().name, truncated ? "truncated" : "full", symmetric ? "symmetric" : "general",
              a.rows(), a.half_bandwidth(), engine.plan().partitions, columns, load, factor, solve,
              1e-6 * flops / factor, 1e-6 * bytes / solve, 1e-12 * copy, 1e6 * bytes / solve / copy,
              1e6 * lapack.factor, 1e6 * lapack.solve, residual);
          std::fflush(stdout);
        }
      }
    }
  }
}

int run(int argc, char** argv) {
  GpuSpikeOptions options;
  CLI::App app("SPIKE on a CUDA device: microseconds of factorizations and solutions, as CSV");
  app.add_option("--rows", options.rows, "rows of the matrices")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000000));
  app.add_option("--half-bandwidths", options.half_bandwidths, "these")->delimiter(',');
  app.add_option("--dominance", options.dominance, "diagonal over the sum of the rest of its row");
  app.add_option("--most-numbers", options.most_numbers, "matrices with more are left out");
  app.add_option("--most-lapack-flops", options.most_lapack_flops, "LAPACK is left out above");
  app.add_option("--repetitions", options.repetitions, "the median counts")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  if (!device_info().usable()) {
    fmt::print(stderr, "{}\n", explain_missing_device("slipstick-gpu-spike"));
    return 1;
  }
  fmt::print("{}\n", report::gpu_spike_header);
  for (const int rows : options.rows) {
    for (const int k : options.half_bandwidths) {
      if ((2.0 * k + 1.0) * rows > options.most_numbers) continue;
      measure(symmetric_band(rows, k, options.dominance), options);
    }
  }
  return 0;
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  return slipstick::internal::bench::run(argc, argv);
}
