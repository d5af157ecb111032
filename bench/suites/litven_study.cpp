// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Litven 2013, section 7.1. A new factorization for every active set (DIRECT, our pdasm) competes with one
// and a Schur complement of the changes (SCHURPA). The problems are random banded QPs whose initial set is
// wrong in a few indices.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/solvers/active_set/pdasm.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"

namespace slipstick::internal::bench {
namespace {

// A QP with an active set that is known.
struct KnownQp {
  Problem problem;
  Vector x;
};

// Litven draws the matrix and the linear term c = -b at random and solves the QP first. The thesis does not
// say how. Here c is uniform in [0, 1], and the entries within the band in [-1, 1]. Their spectrum is a
// semicircle of radius 2 sqrt(2 bandwidth / 3). The diagonal lifts it a little above zero.
KnownQp random_qp(const LitvenStudyOptions& options) {
  Random random(options.seed);
  BandedMatrix a(options.rows, std::min(options.bandwidth, options.rows - 1));
  const double radius = 2.0 * std::sqrt(2.0 / 3.0 * static_cast<double>(a.bandwidth()));
  for (Index j = 0; j < a.rows(); ++j) {
    a.at(j, j) = 1.0 + 1.02 * radius;
    for (Index i = j + 1; i <= std::min(j + a.bandwidth(), a.rows() - 1); ++i)
      a.at(i, j) = random.uniform(-1.0, 1.0);
  }
  KnownQp qp;
  qp.problem.A = Operator(std::move(a));
  qp.problem.K = ProductSet::nonnegative(options.rows);
  qp.problem.b.resize(options.rows);
  for (double& b : qp.problem.b) b = options.normal_load ? random.normal() : -random.uniform();
  Pdasm method;
  Result result;
  method.solve(qp.problem, {.tolerance = options.tolerance}, result);
  if (!result.solved()) fail("the QP with seed {} is not solved: {}", options.seed, result.message);
  qp.x = result.x;
  return qp;
}

// A start whose set differs from that of the solution in the first `wrong` indices.
WarmStart wrong_start(const KnownQp& qp, Index wrong) {
  WarmStart start{Vector::Ones(qp.x.size())};
  for (Index i = 0; i < qp.x.size(); ++i) {
    if ((qp.x[i] == 0.0) != (i < wrong)) start.x[i] = 0.0;
  }
  return start;
}

// The least times of the turns of one method; counts and the answer are the same every time.
struct Best {
  double seconds = std::numeric_limits<double>::infinity();
  PrimalDualActiveSet::Work work;
  Result result;
};

template <class Method>
void take_turn(const KnownQp& qp, const WarmStart& start, const LitvenStudyOptions& options, Best& best) {
  Method method;
  Result result;
  const double begin = processor_seconds();
  method.solve(qp.problem, {.tolerance = options.tolerance}, result, &start);
  const double seconds = processor_seconds() - begin;
  PrimalDualActiveSet::Work work = method.work();
  if (!std::isinf(best.seconds)) {
    work.factor_seconds = std::min(work.factor_seconds, best.work.factor_seconds);
    work.solve_seconds = std::min(work.solve_seconds, best.work.solve_seconds);
  }
  best = {std::min(seconds, best.seconds), work, std::move(result)};
}

void print(std::FILE* csv, Index wrong, const char* method, const Best& best, const KnownQp& qp,
           double ratio) {
  const PrimalDualActiveSet::Work& work = best.work;
  fmt::print(csv, "{},{},{},{:.6f},{:.6f},{},{:.6f},{},{},{:.3e},{:.3e},{:.2f}\n", wrong, method,
             name(best.result.status), best.seconds, work.factor_seconds, work.factorizations,
             work.solve_seconds, work.solves, best.result.counts.iterations,
             best.result.measures.scaled_natural_map, (best.result.x - qp.x).norm() / qp.x.norm(), ratio);
}

}  // namespace

void run_litven_study(const LitvenStudyOptions& options, std::FILE* csv) {
  fmt::print(csv, "# {} unknowns, bandwidth {}; best of {} turns, seconds of the processor\n", options.rows,
             options.bandwidth, options.repetitions);
  fmt::print(csv, "{}\n", report::litven_header);
  const KnownQp qp = random_qp(options);
  for (const int wrong : options.wrong_indices) {
    const WarmStart start = wrong_start(qp, wrong);
    Best direct;
    Best schur;
    for (int turn = 0; turn < options.repetitions; ++turn) {
      if (isatty(STDERR_FILENO) != 0)
        fmt::print(stderr, "\r\033[K{} wrong indices, turn {}", wrong, turn + 1);
      take_turn<Pdasm>(qp, start, options, direct);
      take_turn<Schurpa>(qp, start, options, schur);
    }
    print(csv, wrong, "pdasm", direct, qp, 1.0);
    print(csv, wrong, "schurpa", schur, qp, direct.seconds / schur.seconds);
    std::fflush(csv);
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace slipstick::internal::bench
