// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-dense: our dense factorizations against LAPACK, in turns, as CSV. Both sides copy the matrix into
// the storage of the factors, which is timed. Seconds are those of the processor, one thread, of one
// operation. Short operations are repeated.
#include <fmt/format.h>
#include <lapacke.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/linsolve/dense/column_qr.hpp"
#include "slipstick/linsolve/dense/dense_ldl.hpp"
#include "slipstick/linsolve/dense/dense_lu.hpp"
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"

// If the BLAS is OpenBLAS, it gets one thread, as we do.
extern "C" void openblas_set_num_threads(int threads) __attribute__((weak));

namespace slipstick::internal::bench {
namespace {

constexpr double shortest_batch = 2e-3;  // seconds

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Body>
double seconds_of(const Body& body) {
  double seconds = 0.0;
  int count = 0;
  for (const double start = processor_seconds(); seconds < shortest_batch; ++count) {
    body();
    seconds = processor_seconds() - start;
  }
  return seconds / count;
}

class DenseBench {
 public:
  explicit DenseBench(int repetitions) : repetitions_(repetitions) {}

  void run(Index rows) {
    Random random(static_cast<std::uint64_t>(rows));
    a_ = DenseMatrix::NullaryExpr(rows, rows, [&] { return random.uniform(-1.0, 1.0); });
    positive_ = a_ * a_.transpose() + DenseMatrix::Identity(rows, rows);
    b_ = Vector::NullaryExpr(rows, [&] { return random.uniform(-1.0, 1.0); });
    pivots_.resize(static_cast<std::size_t>(rows));
    const auto n = static_cast<double>(rows);
    if (rows <= largest_small_kernel) {
      measure_cholesky(n * n * n / 3.0);
      measure_inverse(2.0 * n * n * n);
      measure_qr(4.0 / 3.0 * n * n * n);
    }
    measure_ldl(n * n * n / 3.0);
    measure_lu(2.0 / 3.0 * n * n * n);
    measure_full_panel(n * n * n / 3.0);
  }

 private:
  static constexpr Index largest_small_kernel = 100;

  lapack_int rows() const { return static_cast<lapack_int>(a_.rows()); }

  template <class Ours, class Theirs>
  void take_turns(std::string_view operation, std::string_view peer, double flops, const Ours& ours,
                  const Theirs& theirs) {
    double our_time = infinity, their_time = infinity;
    for (int repetition = 0; repetition < repetitions_; ++repetition) {
      their_time = std::min(their_time, seconds_of(theirs));
      our_time = std::min(our_time, seconds_of(ours));
    }
    const double difference = (ours_ - theirs_).norm() / theirs_.norm();
    fmt::print("\"{}\",\"{}\",{},{:.3e},{:.3e},{:.2f},{:.3f},{:.1e}\n", operation, peer, rows(), our_time,
               their_time, 1e-9 * flops / our_time, their_time / our_time, difference);
    std::fflush(stdout);
  }

  void solve_by_dpotrf() {
    theirs_factor_ = positive_;
    theirs_ = b_;
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', rows(), theirs_factor_.data(), rows());
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', rows(), 1, theirs_factor_.data(), rows(), theirs_.data(),
                        rows());
  }

  // The masses of bodies, and blocks of contacts.
  void measure_cholesky(double flops) {
    take_turns(
        "small Cholesky", "dpotrf and dpotrs", flops,
        [&] {
          ours_factor_ = positive_;
          ours_ = b_;
          cholesky(ours_factor_);
          solve_cholesky(ours_factor_, ours_);
        },
        [&] { solve_by_dpotrf(); });
  }

  void measure_inverse(double flops) {
    Vector work(64 * a_.rows());
    take_turns(
        "inverse", "dgetrf and dgetri", flops,
        [&] {
          ours_factor_ = a_;
          invert(ours_factor_);
          ours_ = ours_factor_.reshaped();
        },
        [&] {
          theirs_factor_ = a_;
          LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, rows(), rows(), theirs_factor_.data(), rows(),
                              pivots_.data());
          LAPACKE_dgetri_work(LAPACK_COL_MAJOR, rows(), theirs_factor_.data(), rows(), pivots_.data(),
                              work.data(), static_cast<lapack_int>(work.size()));
          theirs_ = theirs_factor_.reshaped();
        });
  }

  // All columns, one after the other, as searches append them.
  void measure_qr(double flops) {
    constexpr double tolerance = 1e-12;
    Vector work(64 * a_.rows()), transformed;
    take_turns(
        "QR by columns", "dgels", flops,
        [&] {
          qr_.reset(a_.rows(), a_.rows());
          for (Index j = 0; j < a_.cols(); ++j) qr_.append(a_.col(j), tolerance);
          transformed = b_;
          qr_.transform(transformed);
          ours_.resize(b_.size());
          qr_.solve(transformed, ours_);
        },
        [&] {
          theirs_factor_ = a_;
          theirs_ = b_;
          LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', rows(), rows(), 1, theirs_factor_.data(), rows(),
                             theirs_.data(), rows(), work.data(), static_cast<lapack_int>(work.size()));
        });
  }

  void measure_ldl(double flops) {
    ldl_.reserve(a_.rows());
    take_turns(
        "L D L'", "dpotrf and dpotrs", flops,
        [&] {
          ldl_.resize(a_.rows());
          for (Index j = 0; j < a_.rows(); ++j) {
            double* column = ldl_.column(j);
            std::copy(&positive_(j, j), &positive_(j, j) + (a_.rows() - j), column + j);
            column[a_.rows()] = b_[j];
          }
          const double* x = ldl_.solve(1e-14);
          if (x != nullptr) ours_ = Eigen::Map<const Vector>(x, a_.rows());
        },
        [&] { solve_by_dpotrf(); });
  }

  void measure_lu(double flops) {
    take_turns(
        "LU", "dgetrf and dgetrs", flops,
        [&] {
          ours_ = b_;
          lu_.factorize(a_);
          lu_.solve(ours_);
        },
        [&] {
          theirs_factor_ = a_;
          theirs_ = b_;
          LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, rows(), rows(), theirs_factor_.data(), rows(),
                              pivots_.data());
          LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', rows(), 1, theirs_factor_.data(), rows(), pivots_.data(),
                              theirs_.data(), rows());
        });
  }

  // A full matrix is one panel of the sparse Cholesky factorization.
  void measure_full_panel(double flops) {
    std::vector<Triplet> lower;
    for (int i = 0; i < rows(); ++i)
      for (int j = 0; j <= i; ++j) lower.push_back({i, j, positive_(i, j)});
    const CsrMatrix a = csr_from_triplets(a_.rows(), a_.rows(), lower);
    SparseCholesky factor;
    factor.analyze(a);
    take_turns(
        "sparse Cholesky, full", "dpotrf and dpotrs", flops,
        [&] {
          ours_ = b_;
          factor.factorize(a);
          factor.solve(ours_);
        },
        [&] { solve_by_dpotrf(); });
  }

  int repetitions_;
  DenseMatrix a_, positive_, ours_factor_, theirs_factor_;
  Vector b_, ours_, theirs_;
  std::vector<lapack_int> pivots_;
  DenseLu lu_;
  DenseLdl ldl_;
  ColumnQr qr_;
};

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  using namespace slipstick::internal;
  std::vector<slipstick::Index> rows = {3, 6, 12, 24, 50, 100, 200, 400, 800, 1600};
  int repetitions = 7;
  CLI::App app("our dense factorizations against LAPACK, as CSV", "slipstick-dense");
  app.add_option("--rows", rows, "of the matrices")->capture_default_str();
  app.add_option("--repetitions", repetitions, "of which the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  fmt::print("{}\n", report::dense_header);
  bench::DenseBench bench(repetitions);
  for (const slipstick::Index n : rows) bench.run(n);
}
