// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/lemke.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/random.hpp"

namespace slipstick::internal {

std::string Lemke::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, "lemke", {.sets = Needs::bounds}); !reason.empty())
    return reason;
  if (const Index rows = BoxLcp::count_rows(problem.K); rows > settings_.max_rows) {
    return fmt::format("lemke keeps a dense tableau, and the LCP has {} rows, more than max_rows = {}", rows,
                       settings_.max_rows);
  }
  return {};
}

void Lemke::run(const Run& run) {
  run.start();
  const Index m = BoxLcp::count_rows(run.problem.K);
  Monitor monitor(run.settings, static_cast<int>(std::min<Index>(1000 + 100 * m, 1000000)), run.observer);
  best_.reset(run.problem.b.size());
  entering_.clear();
  int rays = 0;
  double error = judge(run);
  best_.offer(error, run.result.x);
  if (!monitor.finished(error, run.result.x))
    monitor.guard([&] {
      if (!lcp_.build(run.problem)) {
        monitor.stop(Status::infeasible);
        run.result.message = "no solution: the equality rows contradict each other";
      }
      for (int attempt = 0; attempt < settings_.attempts && monitor.status() == Status::not_run; ++attempt) {
        load(rays);
        const End end = pivot_to_the_end(run, monitor);
        error = read_solution(run, end);
        best_.offer(error, run.result.x);
        if (end == End::interrupted || monitor.finished(error, run.result.x)) break;
        if (end == End::ray) {
          ++rays;
          if (ray_proves_infeasibility()) {
            monitor.stop(Status::infeasible);
            run.result.message = "no solution: a nonnegative combination of the rows is negative everywhere";
          }
        }
        choose_start(end, rays);
      }
    });
  if (monitor.status() == Status::not_run) {
    monitor.stop(Status::stalled);
    if (rays > 0) {
      append_format(run.result.message,
                    "ray termination in {} attempts, which proves nothing for this matrix", rays);
    }
  }
  run.result.x = best_.x();
  run.finish(monitor);
}

// UIC survey, Alg. 1.
Lemke::End Lemke::pivot_to_the_end(const Run& run, Monitor& monitor) {
  if (!tableau_.start(covering_)) return End::basis;
  for (;;) {
    if (run.observer != nullptr) lcp_.recover(tableau_, run.result.x, places_);
    if (monitor.interrupted(tableau_.artificial(), run.result.x)) return End::interrupted;
    switch (tableau_.pivot()) {
      case LemkeTableau::Outcome::solved:
        return End::basis;
      case LemkeTableau::Outcome::ray:
        return End::ray;
      case LemkeTableau::Outcome::pivoted:
        break;
    }
  }
}

// Loads the tableau of the first basis and sets the covering vector. The vector is all ones at first. From
// the second ray on, every ray gets a new random direction with a larger spread of magnitudes.
void Lemke::load(int rays) {
  tableau_.load(lcp_.M(), lcp_.q(), &lcp_.width());
  if (!tableau_.enter(entering_)) tableau_.load(lcp_.M(), lcp_.q(), &lcp_.width());
  covering_.setOnes(lcp_.rows());
  if (rays < 2) return;
  Random random(static_cast<std::uint64_t>(rays));
  for (double& d : covering_) d = std::exp2(random.uniform(-0.5, 0.5) * rays);
}

// Chooses the basis for the next attempt.
void Lemke::choose_start(End end, int rays) {
  entering_.clear();
  for (int p = 0; p < lcp_.rows(); ++p) {
    // If the last basis is not a solution, rounding was the cause, and a fresh tableau of the same basis
    // continues. After the first ray, the start is the basis of the rows with a negative constant. Later rays
    // alternate between z = 0 and that basis.
    const bool enters = end == End::basis ? tableau_.z_is_basic(p) : rays % 2 == 1 && lcp_.q()[p] < 0.0;
    if (enters && lcp_.width()[p] == infinity) entering_.push_back(p);
  }
}

// Reads x of the tableau's basis and returns its scaled natural map. If rounding has made x inaccurate, the
// basis is solved again. The basis at a ray is not a solution, unless rounding caused the ray.
double Lemke::read_solution(const Run& run, End end) {
  constexpr double no_rounding = 1e-2;
  lcp_.recover(tableau_, run.result.x, places_);
  run.problem.K.project(run.result.x);
  const double error = judge(run);
  if (error <= run.settings.tolerance || (end == End::ray && error > no_rounding)) return error;
  ++run.result.counts.factorizations;
  return polish_(run.problem, run.ruler, system_, places_, error, run.result.x);
}

double Lemke::judge(const Run& run) {
  w_.resize(run.result.x.size());
  run.gradient(run.result.x, w_);
  return run.ruler(run.result.x, w_);
}

// Farkas: v >= 0 with M'v <= 0 and q'v < 0 contradicts v'(M z + q) >= 0 for every z >= 0. The ray's z is such
// a v for copositive-plus M. A z with two bounds may have a positive (M'v)_j. Its product with the width is
// added.
bool Lemke::ray_proves_infeasibility() {
  const DenseMatrix& M = lcp_.M();
  const Vector& width = lcp_.width();
  ray_.resize(lcp_.rows());
  for (Index p = 0; p < ray_.size(); ++p)
    ray_[p] = width[p] == infinity ? std::max(tableau_.ray(p), 0.0) : 0.0;
  const double largest = ray_.size() > 0 ? ray_.maxCoeff() : 0.0;
  if (!(largest > 0.0)) return false;
  ray_ /= largest;
  double most = lcp_.q().dot(ray_), size = lcp_.q().cwiseAbs().dot(ray_);
  for (Index j = 0; j < M.cols(); ++j) {
    const double product = M.col(j).dot(ray_);
    if (!(product > 1e-12 * M.col(j).cwiseAbs().dot(ray_))) continue;
    if (width[j] == infinity) return false;
    most += product * width[j];
    size += product * width[j];
  }
  return most < -1e-9 * size;
}

}  // namespace slipstick::internal
