// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-banded: our banded routines against LAPACK and BLAS, in turns, as CSV (Litven 2013, Figures 5.3
// and 6.2). The banded Cholesky factorization competes with dpbtrf and dpbtrs. symbgmm competes with dsbmv
// for each column and with dgemm on the full matrix.
//
// Flops per row with bandwidth k: factorization k^2, substitution and product 4 k per column; the same count
// for everybody, the dense product's rate included. The copy of the matrix into the storage of the factors is
// timed with the factorization, on both sides. Seconds are those of the processor, one thread.
#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string_view>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/symbgmm.hpp"
#include "slipstick/linsolve/banded/banded_cholesky.hpp"

// If the BLAS is OpenBLAS, it gets one thread, as we do.
extern "C" void openblas_set_num_threads(int threads) __attribute__((weak));

namespace slipstick::internal::bench {
namespace {

struct BandedBenchOptions {
  std::vector<Index> rows = {1000, 2000, 4000, 8000};
  std::vector<Index> bandwidths = {100, 500, 1000};
  std::vector<Index> columns = {1, 8, 50};
  std::vector<Index> blocks = {0};
  Index dense_rows = 4000;
  int repetitions = 5;
};

constexpr double never = std::numeric_limits<double>::infinity();

// Entries in [-1, 1] and a diagonal that dominates.
BandedMatrix random_positive(Index n, Index k) {
  Random random(1);
  BandedMatrix a(n, k);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < std::min(n, j + k + 1); ++i) a.at(i, j) = random.uniform(-1.0, 1.0);
    a.at(j, j) = 2.2 * static_cast<double>(k) + 1.0;
  }
  return a;
}

DenseMatrix random_columns(Index rows, Index columns) {
  Random random(2);
  return DenseMatrix::NullaryExpr(rows, columns, [&] { return random.uniform(-1.0, 1.0); });
}

// A line of the table: ours and the peer's best times.
struct Line {
  std::string_view operation;
  std::string_view peer;
  Index block = 0;
  Index columns = 0;
  double ours = never;
  double theirs = never;
  double difference = 0.0;  // ||ours - theirs|| / ||theirs||

  void print(const BandedMatrix& a) const {
    const auto n = static_cast<double>(a.rows());
    const auto k = static_cast<double>(a.bandwidth());
    const double flops = columns == 0 ? n * k * k : 4.0 * n * k * static_cast<double>(columns);
    fmt::print("{},{},{},{},{},{},{:.3e},{:.3e},{:.2f},{:.3f},{:.1e}\n", operation, peer, a.rows(),
               a.bandwidth(), columns, block, ours, theirs, 1e-9 * flops / ours, theirs / ours, difference);
    std::fflush(stdout);
  }
};

// Processor time of this thread. Unlike the time of the day, it hardly depends on other programs.
template <class Body>
double processor_seconds_of(const Body& body) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  body();
  return now() - start;
}

template <class Ours, class Theirs>
void take_turns(int repetitions, Line& line, const Ours& ours, const Theirs& theirs) {
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    line.theirs = std::min(line.theirs, processor_seconds_of(theirs));
    line.ours = std::min(line.ours, processor_seconds_of(ours));
  }
}

double difference(const DenseMatrix& ours, const DenseMatrix& theirs) {
  return (ours - theirs).norm() / theirs.norm();
}

void measure_factor(const BandedMatrix& a, Index block, const BandedBenchOptions& options) {
  const auto n = static_cast<lapack_int>(a.rows());
  const auto k = static_cast<lapack_int>(a.bandwidth());
  BandedCholesky cholesky;
  cholesky.set_block_size(block);
  DenseMatrix lapack = a.lower();
  Line factor{.operation = "factor", .peer = "dpbtrf", .block = block};
  take_turns(
      options.repetitions, factor, [&] { cholesky.factorize(a); },
      [&] {
        lapack = a.lower();
        LAPACKE_dpbtrf_work(LAPACK_COL_MAJOR, 'L', n, k, lapack.data(), k + 1);
      });
  factor.print(a);
  for (const Index columns : options.columns) {
    Line solve{.operation = "solve", .peer = "dpbtrs", .block = block, .columns = columns};
    const DenseMatrix b = random_columns(n, columns);
    DenseMatrix x = b, y = b;
    for (int repetition = 0; repetition < options.repetitions; ++repetition) {
      x = b;
      y = b;
      take_turns(
          1, solve, [&] { cholesky.solve(x); },
          [&] {
            LAPACKE_dpbtrs_work(LAPACK_COL_MAJOR, 'L', n, k, static_cast<lapack_int>(columns), lapack.data(),
                                k + 1, y.data(), n);
          });
    }
    solve.difference = difference(x, y);
    solve.print(a);
  }
}

void measure_product(const BandedMatrix& a, const BandedBenchOptions& options) {
  const auto n = static_cast<int>(a.rows());
  const auto k = static_cast<int>(a.bandwidth());
  Symbgmm symbgmm;
  const DenseMatrix dense = n <= options.dense_rows ? DenseMatrix(a.to_csr()) : DenseMatrix();
  for (const Index columns : options.columns) {
    const DenseMatrix x = random_columns(n, columns);
    DenseMatrix y(n, columns), z(n, columns);
    Line product{.operation = "multiply", .peer = "dsbmv", .columns = columns};
    take_turns(
        options.repetitions, product, [&] { symbgmm.multiply(a, x, y); },
        [&] {
          for (Index c = 0; c < columns; ++c) {
            cblas_dsbmv(CblasColMajor, CblasLower, n, k, 1.0, a.lower().data(), k + 1, x.col(c).data(), 1,
                        0.0, z.col(c).data(), 1);
          }
        });
    product.difference = difference(y, z);
    product.print(a);
    if (dense.size() == 0) continue;
    Line general{.operation = "multiply", .peer = "dgemm", .columns = columns};
    take_turns(
        options.repetitions, general, [&] { symbgmm.multiply(a, x, y); },
        [&] {
          cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, static_cast<int>(columns), n, 1.0,
                      dense.data(), n, x.data(), n, 0.0, z.data(), n);
        });
    general.difference = difference(y, z);
    general.print(a);
  }
}

int run(int argc, char** argv) {
  BandedBenchOptions options;
  CLI::App app("Banded Cholesky and products against LAPACK and BLAS, one thread, best of several, in turns");
  app.add_option("--rows", options.rows, "sizes of the matrices")->delimiter(',');
  app.add_option("--bandwidths", options.bandwidths, "half-bandwidths")->delimiter(',');
  app.add_option("--columns", options.columns, "numbers of right-hand sides")->delimiter(',');
  app.add_option("--blocks", options.blocks, "block sizes, multiples of 24; 0: the default")->delimiter(',');
  app.add_option("--dense-rows", options.dense_rows, "largest size that dgemm is tried on");
  app.add_option("--repetitions", options.repetitions, "turns, the best counts")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  fmt::print("{}\n", report::banded_header);
  for (const Index k : options.bandwidths) {
    for (const Index n : options.rows) {
      if (n <= k) continue;
      const BandedMatrix a = random_positive(n, k);
      for (const Index block : options.blocks) measure_factor(a, block, options);
      measure_product(a, options);
    }
  }
  return 0;
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  return slipstick::internal::bench::run(argc, argv);
}
