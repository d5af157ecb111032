// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/mprgp.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

double relative(double squared_error, const Ruler& ruler) {
  return squared_error == 0.0 ? 0.0 : std::sqrt(squared_error) / ruler.norm();
}

// Functions of a row by its distances to the bounds, to_lower = x - lower and to_upper = x - upper. They have
// no branches, so that loops over them are vectorized.

// The natural map: g between the bounds, or the scaled distance to the bound that the step would pass.
inline double natural_map(double g, double scale, double to_lower, double to_upper) {
  return std::min(std::max(g, scale * to_upper), scale * to_lower);
}

// The part of the gradient at a bound that leads inside. A fixed row has none.
inline double inward_gradient(double g, double to_lower, double to_upper) {
  const double from_lower = to_upper < 0.0 ? std::min(g, 0.0) : 0.0;
  const double from_upper = to_lower > 0.0 ? std::max(g, 0.0) : 0.0;
  const double at_lower = to_lower <= 0.0 ? from_lower : 0.0;
  const double at_upper = to_upper >= 0.0 ? from_upper : 0.0;
  return at_lower + at_upper;
}

}  // namespace

Mprgp::Mprgp(const MprgpSettings& settings) {
  static_cast<MprgpSettings&>(settings_) = settings;
  settings_.preconditioner = Preconditioning::none;
}

Mprgp::Mprgp(const PmprgpSettings& settings) : settings_(settings) {}

std::string Mprgp::explain_unsupported(const Problem& problem) const {
  const std::string_view method = settings_.preconditioner == Preconditioning::none ? "mprgp" : "pmprgp";
  return explain_needs(problem, method, {.sets = Needs::bounds, .symmetry = true});
}

void Mprgp::run(const Run& run) {
  constexpr int default_max_iterations = 1000000;
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  run.start();
  prepare(run);
  settle_empty_rows(run, monitor);
  monitor.guard([&] { iterate(run, monitor); });
  scatter(run);
  run.finish(monitor);
}

void Mprgp::iterate(const Run& run, Monitor& monitor) {
  compute_gradient(run);
  bool exact_gradient = true;
  double best_verified = infinity;
  for (;;) {
    double error = relative(split_.squared_error, run.ruler);
    if (error <= monitor.tolerance() && !exact_gradient) {
      // The recursion drifts, so convergence is accepted only with the true gradient.
      scatter(run);
      compute_gradient(run);
      error = relative(split_.squared_error, run.ruler);
      if (error > monitor.tolerance()) {
        if (error > 0.9 * best_verified) monitor.stop(Status::stalled);
        best_verified = std::min(best_verified, error);
      }
    }
    if (run.observer != nullptr) working_.scatter(x_.data(), run.result.x.data());
    if (monitor.finished(error, run.result.x, split_.active)) break;

    exact_gradient = false;
    const double limit = settings_.proportion * settings_.proportion * split_.reduced_free;
    if (split_.chopped > limit) release_rows(run);
    conjugate_gradient_or_expansion(run, monitor);
  }
}

void Mprgp::prepare(const Run& run) {
  const Index n = run.problem.b.size();
  const Operator& A = run.problem.A;
  full_inverse_diagonal_.resize(n);
  A.diagonal(full_inverse_diagonal_);
  for (double& d : full_inverse_diagonal_) d = d > 0.0 ? 1.0 / d : 0.0;
  for (Vector* vector : {&full_gradient_, &x_, &lower_, &upper_, &inverse_diagonal_, &scale_, &g_, &z_, &p_,
                         &Ap_, &trial_, &move_, &Amove_}) {
    vector->resize(n);
  }
  full_free_.resize(static_cast<std::size_t>(n));
  free_.reserve(full_free_.size());
  factor_free_.reserve(full_free_.size());
  if (!seen_.same_storage(A)) {
    norm_ = 0.0;
    factored_ = false;
    seen_ = no_operator();  // until all is known
    matrix_ = settings_.preconditioner == Preconditioning::none ? nullptr : A.assemble();
    seen_ = A;
  }
  if (matrix_ != nullptr) working_factor_.reserve(n, (matrix_->nonZeros() + 1) / 2);
  working_.reset(A);
}

// A row with a zero diagonal is empty: w_i = b_i for every x.
void Mprgp::settle_empty_rows(const Run& run, Monitor& monitor) {
  const ProductSet& K = run.problem.K;
  for (Index i = 0; i < run.result.x.size(); ++i) {
    if (full_inverse_diagonal_[i] > 0.0 || run.problem.b[i] == 0.0) continue;
    const double bound = run.problem.b[i] > 0.0 ? K.lower()[i] : K.upper()[i];
    if (std::isfinite(bound)) {
      run.result.x[i] = bound;
    } else {
      monitor.stop(Status::unbounded);
    }
  }
}

// Computes the true gradient of all rows and chooses the working rows again from the present free rows.
void Mprgp::compute_gradient(const Run& run) {
  const Vector& x = run.result.x;
  run.gradient(x, full_gradient_);
  const auto lower = run.problem.K.lower();
  const auto upper = run.problem.K.upper();
  for (Index i = 0; i < x.size(); ++i) {
    full_free_[i] = static_cast<char>(lower[i] < x[i] && x[i] < upper[i] ? 1 : 0);
  }
  choose_working_rows(run);
}

// Makes the free rows and their neighbours working rows. Keeps the contributions of the other rows while the
// set stays the same.
void Mprgp::choose_working_rows(const Run& run) {
  working_.choose(full_free_);
  working_.gather(run.result.x.data(), x_.data());
  working_.gather(run.problem.K.lower().data(), lower_.data());
  working_.gather(run.problem.K.upper().data(), upper_.data());
  working_.gather(full_inverse_diagonal_.data(), inverse_diagonal_.data());
  working_.gather(run.ruler.scale().data(), scale_.data());
  working_.gather(full_gradient_.data(), g_.data());
  free_.resize(static_cast<std::size_t>(working_.size()));
  p_.head(working_.size()).setZero();
  Ap_.head(working_.size()).setZero();
  factor_free_.clear();

  elsewhere_ = {};
  if (!working_.everything()) {
    Index begin = 0;
    const auto add = [&](Index end) {
      const Split part = split_row_range(run, begin, end);
      elsewhere_.squared_error += part.squared_error;
      elsewhere_.chopped += part.chopped;
      elsewhere_.active += part.active;
    };
    for (const int row : working_.rows()) {
      if (row > begin) add(row);
      begin = row + 1;
    }
    add(run.problem.b.size());
  }
  split_gradient();
  if (matrix_ != nullptr && settings_.update == FactorUpdate::masked) refresh_factor(run);
  direction_ = Direction::fresh;
}

void Mprgp::scatter(const Run& run) {
  working_.scatter(x_.data(), run.result.x.data());
  working_.scatter(g_.data(), full_gradient_.data());
}

// Frees the rows at a bound whose gradient leads inside. The next step moves them.
void Mprgp::release_rows(const Run& run) {
  scatter(run);
  const Vector& x = run.result.x;
  const auto lower = run.problem.K.lower();
  const auto upper = run.problem.K.upper();
  for (Index i = 0; i < x.size(); ++i) {
    const bool inside = lower[i] < x[i] && x[i] < upper[i];
    const bool leaves = full_inverse_diagonal_[i] > 0.0 &&
                        inward_gradient(full_gradient_[i], x[i] - lower[i], x[i] - upper[i]) != 0.0;
    full_free_[i] = static_cast<char>(inside || leaves ? 1 : 0);
  }
  choose_working_rows(run);
  // The split leaves out rows at a bound. The released rows are free from here on.
  const bool plain = settings_.preconditioner == Preconditioning::none;
  working_.gather(full_free_.data(), free_.data());
  for (Index i = 0; i < working_.size(); ++i) {
    const bool inside = lower_[i] < x_[i] && x_[i] < upper_[i];
    if (free_[i] == 0 || inside) continue;
    z_[i] = plain ? inverse_diagonal_[i] * g_[i] : g_[i];
    split_.free += inverse_diagonal_[i] * g_[i] * g_[i];
  }
}

// Rows at their bounds: the natural map, and the gradient that leads inside.
Mprgp::Split Mprgp::split_row_range(const Run& run, Index begin, Index end) const {
  const double* x = run.result.x.data();
  const double* lower = run.problem.K.lower().data();
  const double* upper = run.problem.K.upper().data();
  const double* scale = run.ruler.scale().data();
  double squared_error = 0.0;
  double chopped = 0.0;
#pragma omp simd reduction(+ : squared_error, chopped)
  for (Index i = begin; i < end; ++i) {
    const double g = full_gradient_[i];
    const double to_lower = x[i] - lower[i];
    const double to_upper = x[i] - upper[i];
    const double natural = natural_map(g, scale[i], to_lower, to_upper);
    squared_error += natural * natural;
    const double inward = inward_gradient(g, to_lower, to_upper);
    chopped += full_inverse_diagonal_[i] * inward * inward;
  }
  return {squared_error, chopped, 0.0, 0.0, end - begin};
}

// Computes the free rows and gradients of the working rows. z is the input of the preconditioner, or D^-1 phi
// if there is none.
void Mprgp::split_gradient() {
  advance(0.0);
  for (Index i = 0; i < working_.size(); ++i) {
    free_[i] = static_cast<char>(lower_[i] < x_[i] && x_[i] < upper_[i] ? 1 : 0);
  }
}

// x <- x - step p, and the split of the gradient there.
void Mprgp::advance(double move) {
  const Index size = working_.size();
  const double* lower = lower_.data();
  const double* upper = upper_.data();
  const double* inverse = inverse_diagonal_.data();
  const double* scale = scale_.data();
  const double* p = p_.data();
  const double* Ap = Ap_.data();
  double* x = x_.data();
  double* g = g_.data();
  double* z = z_.data();
  const bool plain = settings_.preconditioner == Preconditioning::none;
  const double step = norm_ > 0.0 ? settings_.step / norm_ : 1.0;
  double squared_error = 0.0, chopped = 0.0, reduced_free = 0.0, free = 0.0, inside = 0.0;
#pragma omp simd reduction(+ : squared_error, chopped, reduced_free, free, inside)
  for (Index i = 0; i < size; ++i) {
    const double xi = x[i] - move * p[i];
    const double gi = g[i] - move * Ap[i];
    x[i] = xi;
    g[i] = gi;
    const double to_lower = xi - lower[i];
    const double to_upper = xi - upper[i];
    const double natural = natural_map(gi, scale[i], to_lower, to_upper);
    squared_error += natural * natural;
    const double inward = inward_gradient(gi, to_lower, to_upper);
    chopped += inverse[i] * inward * inward;
    const double above = to_lower > 0.0 ? 1.0 : 0.0;
    const double is_inside = to_upper < 0.0 ? above : 0.0;
    const double phi = is_inside * gi;
    const double scaled = inverse[i] * phi;
    free += phi * scaled;
    z[i] = plain ? scaled : phi;
    // inverse phibar phi = phi * min((x - lower) / step, inverse phi), likewise at the upper bound.
    reduced_free += phi * std::min(std::max(step * scaled, to_upper), to_lower);
    inside += is_inside;
  }
  split_.squared_error = elsewhere_.squared_error + squared_error;
  split_.chopped = elsewhere_.chopped + chopped;
  split_.reduced_free = reduced_free / step;
  split_.free = free;
  split_.active = elsewhere_.active + size - static_cast<Index>(inside);
}

// z = P^-1 phi on the free rows, and phi'z.
void Mprgp::precondition(const Run& run) {
  if (settings_.preconditioner == Preconditioning::none) {
    phi_z_ = split_.free;
    return;
  }
  if (settings_.update == FactorUpdate::refactored && direction_ != Direction::conjugate) refresh_factor(run);
  const bool whole = working_.everything() && settings_.update == FactorUpdate::masked;
  (whole ? factor_ : working_factor_).solve(free_, z_.data());
  const Index size = working_.size();
  phi_z_ = g_.head(size).dot(z_.head(size));
}

// The factor of the working rows: taken from the factor of the whole matrix, or made again for the free rows.
void Mprgp::refresh_factor(const Run& run) {
  const IncompleteCholeskySettings factor_settings{
      .compensation = settings_.preconditioner == Preconditioning::mic0 ? settings_.compensation : 0.0};
  if (settings_.update == FactorUpdate::masked) {
    if (!factored_) {
      factor_.factor(*matrix_, {}, factor_settings);
      factored_ = true;
      ++run.result.counts.factorizations;
    }
    if (!working_.everything()) working_factor_.take_rows(factor_, working_.rows(), working_.places());
    return;
  }
  if (factor_free_.size() == free_.size()) {
    std::size_t changed = 0;
    for (std::size_t i = 0; i < free_.size(); ++i) changed += free_[i] != factor_free_[i];
    if (static_cast<double>(changed) <= settings_.refactor * static_cast<double>(free_.size())) return;
  }
  working_factor_.factor(working_.everything() ? CsrView(*matrix_) : working_.matrix(), free_,
                         factor_settings);
  factor_free_.assign(free_.begin(), free_.end());
  ++run.result.counts.factorizations;
}

void Mprgp::conjugate_gradient_or_expansion(const Run& run, Monitor& monitor) {
  const Index size = working_.size();
  const double previous = phi_z_;
  precondition(run);
  const double factor = conjugation(previous);
  const double* x = x_.data();
  const double* g = g_.data();
  const double* z = z_.data();
  const double* lower = lower_.data();
  const double* upper = upper_.data();
  double* p = p_.data();
  double slope = 0.0, squared_size = 0.0, feasible_step = infinity;
#pragma omp simd reduction(+ : slope, squared_size) reduction(min : feasible_step)
  for (Index i = 0; i < size; ++i) {
    const double pi = z[i] + factor * p[i];
    p[i] = pi;
    slope += pi * g[i];
    squared_size += pi * pi;
    // The largest t with x - t p in the box.
    const double room = x[i] - (pi > 0.0 ? lower[i] : upper[i]);
    const double step = pi != 0.0 ? room / pi : infinity;
    feasible_step = std::min(feasible_step, step);
  }
  if (!(slope > 0.0)) {  // rounding has made the direction wrong
    if (direction_ == Direction::fresh) monitor.stop(Status::stalled);
    scatter(run);
    compute_gradient(run);
    return;
  }
  working_.multiply(p_.head(size), Ap_.head(size), run.settings.threads);
  ++run.result.counts.products;
  const double curvature = p_.head(size).dot(Ap_.head(size));
  const double squared_image = Ap_.head(size).squaredNorm();

  const double whole_step =
      curvature > 1e-15 * std::sqrt(squared_size * squared_image) ? slope / curvature : infinity;
  if (whole_step >= feasible_step && feasible_step < infinity) {
    expand(run, whole_step, feasible_step);
    direction_ = settings_.expansion == Expansion::projected ? Direction::expanded : Direction::fresh;
  } else if (whole_step == infinity) {
    monitor.stop(Status::unbounded);
  } else {
    advance(whole_step);
    direction_ = Direction::conjugate;
  }
}

// c in p <- z + c p. The residual is orthogonal to the previous direction, so phi'z / previous phi'z makes it
// conjugate. After an expansion it is not orthogonal. Then z is made conjugate to the rest of the direction.
double Mprgp::conjugation(double previous) {
  switch (direction_) {
    case Direction::fresh:
      return 0.0;
    case Direction::conjugate:
      return phi_z_ / previous;
    case Direction::expanded:
      break;
  }
  double along = 0.0, curvature = 0.0;
  for (Index i = 0; i < working_.size(); ++i) {
    if (free_[i] == 0) p_[i] = 0.0;
    along += z_[i] * Ap_[i];
    curvature += p_[i] * Ap_[i];
  }
  return curvature > 0.0 ? -along / curvature : 0.0;
}

// Only free rows move here, so the gradient changes only on the working rows.
void Mprgp::expand(const Run& run, double whole_step, double feasible_step) {
  const Index size = working_.size();
  if (norm_ == 0.0) norm_ = estimate_norm(run);
  // Evaluates the move to trial_ and its product. Returns twice the change of the objective.
  const auto evaluate_move = [&] {
    move_.head(size) = trial_.head(size) - x_.head(size);
    working_.multiply(move_.head(size), Amove_.head(size), run.settings.threads);
    ++run.result.counts.products;
    double change = 0.0;
#pragma omp simd reduction(+ : change)
    for (Index i = 0; i < size; ++i) change += move_[i] * (2.0 * g_[i] + Amove_[i]);
    return change;
  };
  bool descends = false;
  if (settings_.expansion == Expansion::projected && whole_step < infinity) {
    for (Index i = 0; i < size; ++i) {
      trial_[i] =
          free_[i] != 0 ? std::min(std::max(x_[i] - whole_step * p_[i], lower_[i]), upper_[i]) : x_[i];
    }
    descends = evaluate_move() < 0.0;
  }
  if (!descends) {
    // Moves to the boundary, then makes a projected gradient step of fixed length.
    const double step = settings_.step / norm_;
    for (Index i = 0; i < size; ++i) {
      const double gradient = g_[i] - feasible_step * Ap_[i];
      const double target = x_[i] - feasible_step * p_[i] - step * inverse_diagonal_[i] * gradient;
      trial_[i] = free_[i] != 0 ? std::min(std::max(target, lower_[i]), upper_[i]) : x_[i];
    }
    evaluate_move();
  }
  x_.head(size) = trial_.head(size);
  g_.head(size) += Amove_.head(size);
  split_gradient();
}

// ||D^-1/2 A D^-1/2||: the row-sum bound if it is tight, otherwise a few power iterations with a margin.
double Mprgp::estimate_norm(const Run& run) {
  const Operator& A = run.problem.A;
  double bound = infinity;
  A.visit([&](const auto& storage) {
    if constexpr (std::is_same_v<std::decay_t<decltype(storage)>, CsrMatrix>) {
      bound = 0.0;
      for (Index i = 0; i < storage.rows(); ++i) {
        // Row sums of D^-1/2 |A| D^-1/2 are bounded by those of the similar D^-1 |A|.
        double sum = 0.0;
        for (CsrMatrix::InnerIterator it(storage, i); it; ++it) sum += std::abs(it.value());
        bound = std::max(bound, sum * full_inverse_diagonal_[i]);
        count_work(storage.outerIndexPtr()[i + 1] - storage.outerIndexPtr()[i]);
      }
    }
  });
  if (bound <= 2.5) return bound;
  // Power iterations from a fixed vector with all signs; move_ and trial_ are scratch here.
  for (Index i = 0; i < move_.size(); ++i)
    move_[i] = (i % 2 == 0 ? 1.0 : -0.7) + 0.1 * static_cast<double>(i % 7);
  double estimate = 1.0;
  for (int k = 0; k < 15; ++k) {
    move_ /= move_.norm();
    trial_ = move_.cwiseProduct(full_inverse_diagonal_.cwiseSqrt());
    run.multiply(trial_, move_);
    count_work(Interruption::usual_stride);
    move_ = move_.cwiseProduct(full_inverse_diagonal_.cwiseSqrt());
    estimate = move_.norm();
    if (estimate == 0.0) return 1.0;
  }
  return std::min(bound, 1.1 * estimate);
}

}  // namespace slipstick::internal
