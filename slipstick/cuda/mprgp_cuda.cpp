// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/mprgp_cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/cuda/device.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

std::string MprgpCuda::explain_unsupported(const Problem& problem) const {
  if (std::string reason = explain_needs(problem, name_, {.sets = Needs::bounds, .symmetry = true});
      !reason.empty())
    return reason;
  if (std::string reason = explain_missing_device(name_); !reason.empty()) return reason;
  has_bodies_ =
      storage_of<DelassusOperator>(problem.A) != nullptr && bodies_.read(problem.A, problem.K, name_).empty();
  if (has_bodies_ || seen_.same_storage(problem.A)) return {};
  if (problem.A.matrix_free() && storage_of<DelassusOperator>(problem.A) == nullptr)
    return fmt::format(
        "{} needs a matrix of rigid bodies or one that can be assembled, and it is a {} matrix", name_,
        problem.A.kind());
  seen_ = no_operator();  // until all is known
  sparse_.set(*problem.A.assemble());
  seen_ = problem.A;
  ++sparse_version_;
  return {};
}

void MprgpCuda::run(const Run& run) {
  constexpr int default_max_iterations = 1000000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  run.start();
  bodies_.set_threads(run.settings.threads);
  const auto solve = [&] {
    start(run);
    settle_empty_rows(run, monitor);
    iterate(run, monitor);
    copy_current(run.result.x);
    run.problem.K.project(run.result.x);
    run.finish(monitor);
  };
  run_on_device(run, solve, [&] { engine_.reset(); });
}

void MprgpCuda::iterate(const Run& run, Monitor& monitor) {
  to_device_order(run.result.x, ordered_);
  engine_->start(ordered_.data());
  compute_gradient(run);
  const auto relative = [&] {
    return sums_.squared_error == 0.0 ? 0.0 : std::sqrt(sums_.squared_error) / run.ruler.norm();
  };
  bool exact_gradient = true;
  double best_verified = infinity;
  for (;;) {
    double error = relative();
    if (error <= monitor.tolerance() && !exact_gradient) {
      // The recursion drifts, so convergence is accepted only with the true gradient.
      compute_gradient(run);
      error = relative();
      if (error > monitor.tolerance()) {
        if (error > 0.9 * best_verified) monitor.stop(Status::stalled);
        best_verified = std::min(best_verified, error);
      }
    }
    if (run.observer != nullptr && run.observer->reads_iterate()) copy_current(x_);
    if (monitor.finished(error, x_, run.problem.b.size() - static_cast<Index>(sums_.inside))) break;

    exact_gradient = false;
    const double limit = settings_.proportion * settings_.proportion * sums_.reduced_free;
    if (sums_.chopped > limit) release_rows();
    conjugate_gradient_or_expansion(run, monitor);
  }
}

void MprgpCuda::start(const Run& run) {
  const Problem& problem = run.problem;
  inverse_.resize(problem.b.size());
  problem.A.diagonal(inverse_);
  for (double& d : inverse_) d = d > 0.0 ? 1.0 / d : 0.0;
  if (!norm_of_.same_storage(problem.A)) {
    norm_of_ = problem.A;
    norm_ = 0.0;
  }
  x_ = run.result.x;
  engine_.prepare(run.settings.device);
  copy_matrix();
  to_device_order(problem.b, load_);
  to_device_order(run.ruler.scale(), scale_);
  to_device_order(inverse_, inverse_diagonal_);
  bounds_.resize(2 * load_.size());
  work_ = problem.K.lower();
  to_device_order(work_, ordered_);
  for (std::size_t i = 0; i < ordered_.size(); ++i) bounds_[2 * i] = ordered_[i];
  work_ = problem.K.upper();
  to_device_order(work_, ordered_);
  for (std::size_t i = 0; i < ordered_.size(); ++i) bounds_[2 * i + 1] = ordered_[i];
  engine_->set_problem({load_, scale_, inverse_diagonal_, bounds_});
}

void MprgpCuda::copy_matrix() {
  if (has_bodies_) {
    engine_.take_matrix(bodies_.version(), [&](auto& engine) { engine.set_bodies(bodies_.matrix_arrays()); });
  } else {
    engine_.take_matrix(-sparse_version_, [&](auto& engine) { engine.set_sparse(sparse_.arrays()); });
  }
}

// A row with a zero diagonal is empty: w_i = b_i for every x.
void MprgpCuda::settle_empty_rows(const Run& run, Monitor& monitor) {
  const ProductSet& K = run.problem.K;
  for (Index i = 0; i < run.result.x.size(); ++i) {
    if (inverse_[i] > 0.0 || run.problem.b[i] == 0.0) continue;
    const double bound = run.problem.b[i] > 0.0 ? K.lower()[i] : K.upper()[i];
    if (std::isfinite(bound)) {
      run.result.x[i] = bound;
    } else {
      monitor.stop(Status::unbounded);
    }
  }
}

void MprgpCuda::compute_gradient(const Run& run) {
  sums_ = engine_->compute_gradient(reduced_step());
  ++run.result.counts.products;
  direction_ = Direction::fresh;
}

// Frees the rows at a bound whose gradient leads inside. The next step moves them.
void MprgpCuda::release_rows() {
  sums_ = engine_->release();
  sums_.free += sums_.released;
  direction_ = Direction::fresh;
}

void MprgpCuda::conjugate_gradient_or_expansion(const Run& run, Monitor& monitor) {
  const double previous = phi_z_;
  phi_z_ = sums_.free;
  const double factor = conjugation(previous);
  sums_ = engine_->find_direction(factor);
  ++run.result.counts.products;
  if (!(sums_.slope > 0.0)) {  // rounding has made the direction wrong
    if (direction_ == Direction::fresh) monitor.stop(Status::stalled);
    compute_gradient(run);
    return;
  }
  const double whole_step = sums_.curvature > 1e-15 * std::sqrt(sums_.squared_size * sums_.squared_image)
                                ? sums_.slope / sums_.curvature
                                : infinity;
  if (whole_step >= sums_.feasible_step && sums_.feasible_step < infinity) {
    expand(run, whole_step, sums_.feasible_step);
    direction_ = settings_.expansion == Expansion::projected ? Direction::expanded : Direction::fresh;
  } else if (whole_step == infinity) {
    monitor.stop(Status::unbounded);
  } else {
    sums_ = engine_->advance(whole_step, reduced_step());
    direction_ = Direction::conjugate;
  }
}

// c in p <- z + c p, see Mprgp.
double MprgpCuda::conjugation(double previous) {
  switch (direction_) {
    case Direction::fresh:
      return 0.0;
    case Direction::conjugate:
      return phi_z_ / previous;
    case Direction::expanded:
      break;
  }
  const BoundSums sums = engine_->compare_directions();
  return sums.last_curvature > 0.0 ? -sums.along / sums.last_curvature : 0.0;
}

void MprgpCuda::expand(const Run& run, double whole_step, double feasible_step) {
  if (norm_ == 0.0) norm_ = estimate_norm(run);
  bool descends = false;
  if (settings_.expansion == Expansion::projected && whole_step < infinity) {
    descends = engine_->try_whole_step(whole_step).change < 0.0;
    ++run.result.counts.products;
  }
  if (!descends) {
    engine_->try_fixed_step(feasible_step, settings_.step / norm_);
    ++run.result.counts.products;
  }
  sums_ = engine_->accept(reduced_step());
}

// ||D^-1/2 A D^-1/2|| as in Mprgp: the row-sum bound if it is tight, or power iterations with a margin.
double MprgpCuda::estimate_norm(const Run& run) {
  double bound = infinity;
  if (const auto* matrix = storage_of<CsrMatrix>(run.problem.A)) {
    bound = 0.0;
    for (Index i = 0; i < matrix->rows(); ++i) {
      double sum = 0.0;
      for (CsrMatrix::InnerIterator it(*matrix, i); it; ++it) sum += std::abs(it.value());
      bound = std::max(bound, sum * inverse_[i]);
    }
  }
  if (bound <= 2.5) return bound;
  work_.resize(run.problem.b.size());
  for (Index i = 0; i < work_.size(); ++i)
    work_[i] = (i % 2 == 0 ? 1.0 : -0.7) + 0.1 * static_cast<double>(i % 7);
  to_device_order(work_, ordered_);
  double squared = engine_->start_power(ordered_.data());
  for (int k = 0; k < 15; ++k) {
    squared = engine_->power(std::sqrt(squared));
    ++run.result.counts.products;
    if (squared == 0.0) return 1.0;
  }
  return std::min(bound, 1.1 * std::sqrt(squared));
}

void MprgpCuda::to_device_order(const Vector& from, std::vector<double>& to) {
  if (!has_bodies_) return to.assign(from.data(), from.data() + from.size());
  to.resize(static_cast<std::size_t>(bodies_.layout().size()));
  bodies_.layout().to_world(from, to.data());
  to.resize(static_cast<std::size_t>(from.size()));
}

void MprgpCuda::copy_current(Vector& x) {
  ordered_.resize(engine_->size());
  engine_->copy_current(ordered_.data());
  if (has_bodies_) {
    bodies_.layout().from_world(ordered_.data(), x);
  } else {
    std::copy(ordered_.begin(), ordered_.end(), x.data());
  }
}

}  // namespace slipstick::internal
