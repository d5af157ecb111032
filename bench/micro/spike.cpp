// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-spike: SPIKE against LAPACK's dgbtrf and dgbtrs on random banded matrices, in turns, as CSV.
//
// Flops per row with half-bandwidth k. LAPACK: dgbtrf 2 k^2 without row exchanges, up to 4 k^2 with them;
// dgbtrs 6 k, as its U has 2 k diagonals. SPIKE: one or two partitions 2 k^2 and 4 k; of more, the inner ones
// 8 k^2 (full) or 4 k^2 (truncated) and 8 k. The rates in the table count 2 k^2 and 4 k for everybody. The
// copy of the matrix into the storage of the factors is timed with the factorization, on both sides.
#include <fmt/format.h>
#include <lapacke.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "bench/micro/copy.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/linsolve/banded/spike.hpp"

// If the BLAS is OpenBLAS, it gets as many threads as we do.
extern "C" void openblas_set_num_threads(int threads) __attribute__((weak));

namespace slipstick::internal::bench {
namespace {

struct SpikeBenchOptions {
  Index rows = 100000;
  std::vector<Index> half_bandwidths = {4, 8, 16, 32, 64, 128};
  std::vector<int> threads = {1, 2};
  std::vector<int> partitions = {1, 2, 4, 8};
  double dominance = 1.1;
  int repetitions = 5;
};

// The diagonal is `dominance` times the sum of the sizes of the other entries of its row.
GeneralBand random_band(Index n, Index k, double dominance) {
  Random random(1);
  GeneralBand a(n, k);
  for (Index i = 0; i < n; ++i) {
    double sum = 0.0;
    for (Index j = std::max<Index>(0, i - k); j < std::min(n, i + k + 1); ++j) {
      a.at(i, j) = random.uniform(-1.0, 1.0);
      if (i != j) sum += std::abs(a.at(i, j));
    }
    a.at(i, i) = dominance * sum;
  }
  return a;
}

struct Best {
  double factor = std::numeric_limits<double>::infinity();
  double solve = std::numeric_limits<double>::infinity();
  double residual = 0.0;  // ||b - A x|| / ||b||

  void add(double factor_seconds, double solve_seconds) {
    factor = std::min(factor, factor_seconds);
    solve = std::min(solve, solve_seconds);
  }
};

class Lapack {
 public:
  explicit Lapack(const GeneralBand& a)
      : a_(a), storage_(3 * a.half_bandwidth() + 1, a.rows()), pivots_(static_cast<std::size_t>(a.rows())) {}

  void factorize_and_solve(Vector& x, Best& best) {
    const auto n = static_cast<lapack_int>(a_.rows());
    const auto k = static_cast<lapack_int>(a_.half_bandwidth());
    const double factor = seconds_of([&] {
      storage_.bottomRows(2 * k + 1) = a_.columns();  // dgbtrf clears the rest itself
      LAPACKE_dgbtrf_work(LAPACK_COL_MAJOR, n, n, k, k, storage_.data(), 3 * k + 1, pivots_.data());
    });
    const double solve = seconds_of([&] {
      LAPACKE_dgbtrs_work(LAPACK_COL_MAJOR, 'N', n, k, k, 1, storage_.data(), 3 * k + 1, pivots_.data(),
                          x.data(), n);
    });
    best.add(factor, solve);
  }

 private:
  const GeneralBand& a_;
  DenseMatrix storage_;
  std::vector<lapack_int> pivots_;
};

template <class Scalar>
void factorize_and_solve(Spike<Scalar>& spike, const GeneralBand& a, const SpikeSettings& settings, Vector& x,
                         Best& best) {
  const double factor = seconds_of([&] { spike.factorize(a, settings); });
  const double solve = seconds_of([&] { spike.solve(x); });
  best.add(factor, solve);
}

void print(std::string_view method, const GeneralBand& a, int partitions, int threads, const Best& best,
           const Best& lapack) {
  const auto n = static_cast<double>(a.rows());
  const auto k = static_cast<double>(a.half_bandwidth());
  fmt::print("{},{},{},{},{},{:.3e},{:.3e},{:.2f},{:.2f},{:.3f},{:.3f},{:.1e}\n", method, a.rows(),
             a.half_bandwidth(), partitions, threads, best.factor, best.solve, 2e-9 * k * k * n / best.factor,
             4e-9 * k * n / best.solve, lapack.factor / best.factor, lapack.solve / best.solve,
             best.residual);
  std::fflush(stdout);
}

void measure(const GeneralBand& a, int threads, const SpikeBenchOptions& options) {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(threads);
  const Vector b = Vector::LinSpaced(a.rows(), -1.0, 1.0);
  Vector x(b.size()), product(b.size());
  const auto residual = [&] {
    a.multiply(x, product);
    return (b - product).norm() / b.norm();
  };
  Lapack lapack(a);
  Spike<double> spike;
  Spike<float> single;
  for (const int partitions : options.partitions) {
    if (partitions < threads) continue;
    Best reference, full, truncated, full_single;
    SpikeSettings settings{.partitions = partitions, .threads = threads};
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
      x = b;
      lapack.factorize_and_solve(x, reference);
      reference.residual = residual();
      x = b;
      settings.truncated = false;
      factorize_and_solve(spike, a, settings, x, full);
      full.residual = residual();
      x = b;
      factorize_and_solve(single, a, settings, x, full_single);
      full_single.residual = residual();
      if (partitions < 3) continue;  // the same as the full method
      x = b;
      settings.truncated = true;
      factorize_and_solve(spike, a, settings, x, truncated);
      truncated.residual = residual();
    }
    print("lapack", a, 1, threads, reference, reference);
    print("full", a, spike.partitions(), threads, full, reference);
    print("full-single", a, single.partitions(), threads, full_single, reference);
    if (partitions >= 3) print("truncated", a, spike.partitions(), threads, truncated, reference);
  }
}

int run(int argc, char** argv) {
  SpikeBenchOptions options;
  CLI::App app("SPIKE against LAPACK's banded LU, factorization and solution, best of several, in turns");
  app.add_option("--rows", options.rows, "rows of the matrices")->check(CLI::Range(1000, 100000000));
  app.add_option("--half-bandwidths", options.half_bandwidths, "these")->delimiter(',');
  app.add_option("--threads", options.threads, "numbers of threads, LAPACK's BLAS included")->delimiter(',');
  app.add_option("--partitions", options.partitions, "numbers of partitions, not below the threads")
      ->delimiter(',');
  app.add_option("--dominance", options.dominance, "diagonal over the sum of the rest of its row");
  app.add_option("--repetitions", options.repetitions, "turns, the best counts")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  fmt::print("{}\n", report::spike_header);
  for (const Index k : options.half_bandwidths) {
    const GeneralBand a = random_band(options.rows, k, options.dominance);
    for (const int threads : options.threads) measure(a, threads, options);
  }
  return 0;
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  return slipstick::internal::bench::run(argc, argv);
}
