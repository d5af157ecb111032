// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/lemke.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/measures/certificate.hpp"

namespace slipstick::internal {
namespace {

constexpr int pivots_between_checks = 64;
// Most pivots of a run.
int pivot_limit(Index rows) {
  return static_cast<int>(std::min<Index>(1000 + 1000 * rows, 1'000'000));
}
// Most pivots of a turn. Every long path adds a quarter of the first one's.
int turn_limit(Index rows, int long_paths) {
  return static_cast<int>(std::min<Index>((100 + 10 * rows) * (4 + long_paths) / 4, 1'000'000));
}
// Error of a tableau above which it is computed again.
constexpr double tolerable_drift = 1e-10;
// Scaled natural map above which a basis, solved by LU, is not that of a solution. Smaller errors are those
// of its LU, for which exact pivots do nothing.
constexpr double wrong_basis = 1e-8;

}  // namespace

std::string Lemke::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, "lemke", {.sets = Needs::bounds}); !reason.empty())
    return reason;
  if (const Index rows = ScaledBox::count_rows(problem.K); rows > settings_.max_rows) {
    return fmt::format("lemke keeps a dense tableau, and the problem has {} rows, more than max_rows = {}",
                       rows, settings_.max_rows);
  }
  return {};
}

void Lemke::run(const Run& run) {
  run.start();
  Monitor monitor(run.settings, pivot_limit(BoxLcp::count_rows(run.problem.K)), run.observer);
  best_.reset(run.problem.b.size());
  entering_.clear();
  const double error = judge(run);
  best_.offer(error, run.result.x);
  if (!monitor.finished(error, run.result.x)) monitor.guard([&] { search(run, monitor, error); });
  run.result.x = best_.x();
  run.finish(monitor);
}

// From one basis and covering vector after the other.
void Lemke::search(const Run& run, Monitor& monitor, double error) {
  if (!lcp_.build(run.problem)) {
    monitor.stop(Status::infeasible);
    run.result.message = "no solution: the equality rows contradict each other";
    lcp_.find_contradiction(run.problem, run.result.ray);
    keep_proof(run);
  }
  int rays = 0, turn = 0, long_paths = 0;
  bool exact = false;
  for (int attempt = 0; attempt < settings_.attempts && monitor.status() == Status::not_run;) {
    load(turn);
    End end = pivot_to_the_end(run, monitor, turn_limit(lcp_.rows(), long_paths));
    if (end != End::lost && end != End::slow) error = read_solution(run, end);
    const bool misled =
        end == End::lost || (end == End::basis && error > std::max(run.settings.tolerance, wrong_basis));
    if (misled && !exact) {
      exact = true;
      best_.offer(error, run.result.x);
      if (const End exact_end = pivot_exactly(run, monitor); exact_end != End::lost) {
        end = exact_end;
        error = read_solution(run, end);
      }
    }
    best_.offer(error, run.result.x);
    if (end == End::interrupted || monitor.finished(error, run.result.x)) return;
    if (end == End::slow) {
      turn = std::max(turn + 1, 2);
      ++long_paths;
    } else {
      turn += end != End::basis;
      ++attempt;
    }
    if (end == End::ray) {
      ++rays;
      if (ray_proves_infeasibility()) {
        monitor.stop(Status::infeasible);
        run.result.message = "no solution: a nonnegative combination of the rows is negative everywhere";
        lcp_.combine_rows(run.problem, ray_, run.result.ray);
        keep_proof(run);
      }
    }
    choose_start(end, turn);
  }
  if (monitor.status() != Status::not_run) return;
  monitor.stop(Status::stalled);
  if (rays > 0) {
    append_format(run.result.message, "ray termination in {} attempts, which proves nothing for this matrix",
                  rays);
  }
}

// UIC survey, Alg. 1. Paths can be exponentially long. Another covering vector has another path, which is
// nearly always short.
Lemke::End Lemke::pivot_to_the_end(const Run& run, Monitor& monitor, int patience) {
  if (!tableau_.start(covering_)) return End::basis;
  bool fresh = false;  // the tableau has just been computed again
  for (int pivots = 1;; ++pivots) {
    if (run.observer != nullptr) lcp_.recover(tableau_, run.result.x, places_);
    if (monitor.interrupted(tableau_.artificial(), run.result.x)) return End::interrupted;
    switch (tableau_.pivot()) {
      case LemkeTableau::Outcome::solved:
        return End::basis;
      case LemkeTableau::Outcome::ray:
        if (fresh || is_accurate()) return End::ray;
        if (!compute_again(run)) return End::lost;
        fresh = true;
        break;
      case LemkeTableau::Outcome::repeated:
        return End::lost;
      case LemkeTableau::Outcome::pivoted:
        fresh = pivots % pivots_between_checks == 0 && !is_accurate();
        if (fresh && !compute_again(run)) return End::lost;
        if (pivots >= patience) return End::slow;
        break;
    }
  }
}

bool Lemke::is_accurate() {
  return tableau_.drift(lcp_.M(), lcp_.q()) <= tolerable_drift;
}

// Computes the tableau of the same basis from M and q. Returns false if the basis is none of the path.
bool Lemke::compute_again(const Run& run) {
  tableau_.copy_basis(basis_);
  load_first_basis();
  ++run.result.counts.factorizations;
  return tableau_.restore(basis_, covering_);
}

// Pivots in exact arithmetic from z = 0. The tableau gets the last basis. Returns lost if that is not
// possible.
Lemke::End Lemke::pivot_exactly(const Run& run, Monitor& monitor) {
  if (!exact_.load(lcp_.M(), lcp_.q(), lcp_.width()) || !exact_.start()) return End::lost;
  LemkeTableau::Outcome outcome = LemkeTableau::Outcome::pivoted;
  while (outcome == LemkeTableau::Outcome::pivoted) {
    if (monitor.interrupted(exact_.artificial(), run.result.x)) return End::interrupted;
    outcome = exact_.pivot();
  }
  exact_.copy_basis(basis_);
  entering_.clear();
  covering_.setOnes();
  load_first_basis();
  ++run.result.counts.factorizations;
  if (!tableau_.restore(basis_, covering_)) return End::lost;
  return outcome == LemkeTableau::Outcome::solved ? End::basis : End::ray;
}

// Loads the tableau of the first basis and sets the covering vector. The vector is all ones at first. From
// the second turn on, every turn gets a new random direction with a larger spread of magnitudes. A turn ends
// with a ray, because its path is long, or because rounding has misled it.
void Lemke::load(int turn) {
  load_first_basis();
  covering_.setOnes(lcp_.rows());
  if (turn < 2) return;
  Random random(static_cast<std::uint64_t>(turn));
  for (double& d : covering_) d = std::exp2(random.uniform(-0.5, 0.5) * std::min(turn, 16));
}

void Lemke::load_first_basis() {
  tableau_.load(lcp_.M(), lcp_.q(), &lcp_.width());
  if (!tableau_.enter(entering_)) tableau_.load(lcp_.M(), lcp_.q(), &lcp_.width());
}

// Chooses the basis for the next attempt.
void Lemke::choose_start(End end, int turn) {
  entering_.clear();
  for (int p = 0; p < lcp_.rows(); ++p) {
    // If the last basis is not a solution, rounding was the cause, and a fresh tableau of the same basis
    // continues. After the first ray, the start is the basis of the rows with a negative constant. Later
    // turns alternate between z = 0 and that basis.
    const bool enters = end == End::basis ? tableau_.z_is_basic(p) : turn % 2 == 1 && lcp_.q()[p] < 0.0;
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

// Removes a proof that is not accurate enough.
void Lemke::keep_proof(const Run& run) {
  if (!(unboundedness_defect(run.problem, run.result.ray) <= certain_defect)) run.result.ray.resize(0);
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
