// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/mprgp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int default_max_iterations = 1000000;

double relative(double squared_error, const Ruler& ruler) {
  return squared_error == 0.0 ? 0.0 : std::sqrt(squared_error) / ruler.norm();
}

}  // namespace

Mprgp::Mprgp(const MprgpSettings& settings) {
  static_cast<MprgpSettings&>(settings_) = settings;
  settings_.preconditioner = Preconditioning::none;
}

Mprgp::Mprgp(const PmprgpSettings& settings) : settings_(settings) {}

std::string Mprgp::explain_unsupported(const Problem& problem) const {
  const std::string_view method = settings_.preconditioner == Preconditioning::none ? "mprgp" : "pmprgp";
  if (std::string reason = needs_no_linear_rows(problem, method); !reason.empty()) return reason;
  if (std::string reason = needs_box(problem, method); !reason.empty()) return reason;
  return needs_symmetry(problem, method);
}

template <class Body>
void Mprgp::for_working_rows(const Body& body) const {
  for (const WorkingRows::Run& rows : working_.runs()) body(rows.begin, rows.end);
}

void Mprgp::run(const Run& run) {
  Monitor monitor(run.settings, default_max_iterations, run.observer);
  run.start();
  prepare(run);
  settle_empty_rows(run, monitor);
  compute_gradient(run);
  bool exact_gradient = true;
  double best_verified = infinity;
  for (;;) {
    Split split = split_gradient(run);
    double error = relative(split.squared_error, run.ruler);
    if (error <= monitor.tolerance() && !exact_gradient) {
      // The recursion drifts: believe in convergence only with the true gradient.
      compute_gradient(run);
      exact_gradient = true;
      split = split_gradient(run);
      error = relative(split.squared_error, run.ruler);
      if (error > monitor.tolerance()) {
        if (error > 0.9 * best_verified) monitor.stop(Status::stalled);
        best_verified = std::min(best_verified, error);
      }
    }
    if (monitor.finished(error, run.result.x, split.active)) break;

    exact_gradient = false;
    const double limit = settings_.proportion * settings_.proportion * split.reduced_free;
    if (split.chopped > limit) release_rows(run);
    conjugate_gradient_or_expansion(run, monitor);
  }
  run.finish(monitor);
}

void Mprgp::prepare(const Run& run) {
  const Index n = run.problem.b.size();
  const Operator& A = run.problem.A;
  inverse_diagonal_.resize(n);
  A.diagonal(inverse_diagonal_);
  for (double& d : inverse_diagonal_) d = d > 0.0 ? 1.0 / d : 0.0;
  g_.resize(n);
  free_gradient_.resize(n);
  z_.resize(n);
  p_.setZero(n);
  Ap_.resize(n);
  trial_.resize(n);
  free_.resize(static_cast<std::size_t>(n));
  if (!seen_.same_storage(A)) {
    norm_ = 0.0;
    factored_ = false;
    seen_ = A;
    matrix_ = settings_.preconditioner == Preconditioning::none ? nullptr : A.assemble();
  }
  if (settings_.update == FactorUpdate::refactored) factored_ = false;
  working_.reset(A);
}

// A row with a zero diagonal is empty: w_i = b_i whatever x is.
void Mprgp::settle_empty_rows(const Run& run, Monitor& monitor) {
  const ProductSet& K = run.problem.K;
  for (Index i = 0; i < run.result.x.size(); ++i) {
    if (inverse_diagonal_[i] > 0.0 || run.problem.b[i] == 0.0) continue;
    const double bound = run.problem.b[i] > 0.0 ? K.lower()[i] : K.upper()[i];
    if (std::isfinite(bound)) {
      run.result.x[i] = bound;
    } else {
      monitor.stop(Status::unbounded);
    }
  }
}

// The true gradient of all rows; the working rows start anew from the rows that are free now.
void Mprgp::compute_gradient(const Run& run) {
  run.problem.A.multiply(run.result.x, g_, run.settings.threads);
  g_ += run.problem.b;
  ++run.result.counts.products;
  split_rows(run, 0, g_.size());
  working_.reset(run.problem.A);
  free_rows(run);
}

// Makes the free rows and their neighbours working rows, and notes what the other rows contribute for as long
// as the set stands.
void Mprgp::free_rows(const Run& run) {
  working_.add(free_);
  elsewhere_ = {};
  Index begin = 0;
  const auto add = [&](Index from, Index to) {
    const Split part = split_rows(run, from, to);
    elsewhere_.squared_error += part.squared_error;
    elsewhere_.chopped += part.chopped;
    elsewhere_.reduced_free += part.reduced_free;
    elsewhere_.active += part.active;
    p_.segment(from, to - from).setZero();
  };
  for_working_rows([&](Index from, Index to) {
    add(begin, from);
    begin = to;
  });
  add(begin, g_.size());
  fresh_ = true;
}

// Frees the rows at a bound whose gradient leads inside; the next step takes them along.
void Mprgp::release_rows(const Run& run) {
  const Vector& x = run.result.x;
  const auto lower = run.problem.K.lower();
  const auto upper = run.problem.K.upper();
  for (Index i = 0; i < x.size(); ++i) {
    const bool inward = (x[i] <= lower[i] && g_[i] < 0.0) || (x[i] >= upper[i] && g_[i] > 0.0);
    if (!inward || lower[i] == upper[i] || inverse_diagonal_[i] == 0.0) continue;
    free_[i] = 1;
    free_gradient_[i] = g_[i];
  }
  free_rows(run);
}

Mprgp::Split Mprgp::split_gradient(const Run& run) {
  Split sum = elsewhere_;
  for_working_rows([&](Index begin, Index end) {
    const Split part = split_rows(run, begin, end);
    sum.squared_error += part.squared_error;
    sum.chopped += part.chopped;
    sum.reduced_free += part.reduced_free;
    sum.active += part.active;
  });
  return sum;
}

Mprgp::Split Mprgp::split_rows(const Run& run, Index begin, Index end) {
  const double* x = run.result.x.data();
  const double* g = g_.data();
  const double* lower = run.problem.K.lower().data();
  const double* upper = run.problem.K.upper().data();
  const double* inverse = inverse_diagonal_.data();
  const double* scale = run.ruler.scale().data();
  double* phi = free_gradient_.data();
  char* is_free = free_.data();
  const double step = norm_ > 0.0 ? settings_.step / norm_ : 1.0;
  double squared_error = 0.0;
  double chopped = 0.0;
  double reduced_free = 0.0;
  Index active = 0;
#pragma omp simd reduction(+ : squared_error, chopped, reduced_free, active)
  for (Index i = begin; i < end; ++i) {
    const double to_lower = x[i] - lower[i];
    const double to_upper = x[i] - upper[i];
    const bool at_lower = to_lower <= 0.0;
    const bool at_upper = to_upper >= 0.0;
    const bool bound = at_lower || at_upper;
    // Natural map: w between the bounds, the scaled distance to the bound that the step would pass.
    const double natural = std::min(std::max(g[i], scale[i] * to_upper), scale[i] * to_lower);
    squared_error += natural * natural;
    // At a bound, the part of the gradient that leads inside; a fixed row has none.
    const double leaving_lower = at_lower && !at_upper ? std::min(g[i], 0.0) : 0.0;
    const double leaving_upper = at_upper && !at_lower ? std::max(g[i], 0.0) : 0.0;
    const double inward = leaving_lower + leaving_upper;
    chopped += inverse[i] * inward * inward;
    const double free_part = bound ? 0.0 : g[i];
    phi[i] = free_part;
    // inverse phibar phi = phi * min((x - lower) / step, inverse phi), likewise at the upper bound.
    const double reduced = std::min(std::max(step * inverse[i] * free_part, to_upper), to_lower);
    reduced_free += free_part * reduced / step;
    is_free[i] = static_cast<char>(bound ? 0 : 1);
    active += bound ? 1 : 0;
  }
  return {squared_error, chopped, reduced_free, active};
}

// z = P^-1 phi on the free rows, and phi'z.
void Mprgp::precondition(const Run& run) {
  double product = 0.0;
  if (settings_.preconditioner == Preconditioning::none) {
    for_working_rows([&](Index begin, Index end) {
#pragma omp simd reduction(+ : product)
      for (Index i = begin; i < end; ++i) {
        z_[i] = inverse_diagonal_[i] * free_gradient_[i];
        product += z_[i] * free_gradient_[i];
      }
    });
    phi_z_ = product;
    return;
  }
  if (fresh_) refresh_factor(run);
  for_working_rows([&](Index begin, Index end) {
    z_.segment(begin, end - begin) = free_gradient_.segment(begin, end - begin);
  });
  const auto& runs = working_.runs();
  for (const auto& rows : runs) factor_.forward(rows.begin, rows.end, free_.data(), z_.data());
  for (std::size_t r = runs.size(); r-- > 0;)
    factor_.backward(runs[r].begin, runs[r].end, free_.data(), z_.data());
  for_working_rows([&](Index begin, Index end) {
    product += free_gradient_.segment(begin, end - begin).dot(z_.segment(begin, end - begin));
  });
  phi_z_ = product;
}

void Mprgp::refresh_factor(const Run& run) {
  if (factored_ && settings_.update == FactorUpdate::masked) return;
  if (factored_) {
    std::size_t changed = 0;
    for (std::size_t i = 0; i < free_.size(); ++i) changed += free_[i] != factor_free_[i];
    if (static_cast<double>(changed) <= settings_.refactor * static_cast<double>(free_.size())) return;
  }
  IncompleteCholeskySettings factor_settings;
  factor_settings.compensation =
      settings_.preconditioner == Preconditioning::mic0 ? settings_.compensation : 0.0;
  const bool masked = settings_.update == FactorUpdate::masked;
  factor_.factor(*matrix_, masked ? std::span<const char>() : std::span<const char>(free_), factor_settings);
  factor_free_ = free_;
  factored_ = true;
  ++run.result.counts.factorizations;
}

void Mprgp::conjugate_gradient_or_expansion(const Run& run, Monitor& monitor) {
  Vector& x = run.result.x;
  // The residual is orthogonal to the previous direction, so phi'z / previous phi'z conjugates.
  const double previous = phi_z_;
  precondition(run);
  const double conjugation = fresh_ ? 0.0 : phi_z_ / previous;
  for_working_rows([&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) p_[i] = z_[i] + conjugation * p_[i];
  });
  working_.multiply(p_, Ap_, run.settings.threads);
  ++run.result.counts.products;

  double curvature = 0.0, slope = 0.0, size = 0.0, image = 0.0;
  for_working_rows([&](Index begin, Index end) {
#pragma omp simd reduction(+ : curvature, slope, size, image)
    for (Index i = begin; i < end; ++i) {
      curvature += p_[i] * Ap_[i];
      slope += p_[i] * free_gradient_[i];
      size += p_[i] * p_[i];
      image += Ap_[i] * Ap_[i];
    }
  });
  if (!(slope > 0.0)) {  // rounding has spoiled the direction
    if (fresh_) monitor.stop(Status::stalled);
    compute_gradient(run);
    return;
  }
  const double whole_step = curvature > 1e-15 * std::sqrt(size * image) ? slope / curvature : infinity;
  const double largest_step = feasible_step(run);
  if (whole_step > largest_step) {
    expand(run, whole_step, largest_step);
    fresh_ = true;
  } else if (whole_step == infinity) {
    monitor.stop(Status::unbounded);
  } else {
    for_working_rows([&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        x[i] -= whole_step * p_[i];
        g_[i] -= whole_step * Ap_[i];
      }
    });
    fresh_ = false;
  }
}

// The largest t with x - t p in the box.
double Mprgp::feasible_step(const Run& run) const {
  const double* x = run.result.x.data();
  const double* lower = run.problem.K.lower().data();
  const double* upper = run.problem.K.upper().data();
  double step = infinity;
  for_working_rows([&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      if (p_[i] == 0.0) continue;
      const double room = x[i] - (p_[i] > 0.0 ? lower[i] : upper[i]);
      if (room < step * p_[i] || p_[i] < 0.0) step = std::min(step, room / p_[i]);
    }
  });
  return step;
}

// Only free rows move here, so the gradient changes on the working rows alone.
void Mprgp::expand(const Run& run, double whole_step, double largest_step) {
  Vector& x = run.result.x;
  const auto lower = run.problem.K.lower();
  const auto upper = run.problem.K.upper();
  if (norm_ == 0.0) norm_ = estimate_norm(run);
  const auto step_and_project = [&](double step, const Vector& direction) {
    for_working_rows([&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        if (free_[i] != 0) x[i] = std::min(std::max(x[i] - step * direction[i], lower[i]), upper[i]);
      }
    });
  };
  const auto gradient_into = [&](Vector& gradient) {
    working_.multiply(x, gradient, run.settings.threads);
    for_working_rows([&](Index begin, Index end) {
      gradient.segment(begin, end - begin) += run.problem.b.segment(begin, end - begin);
    });
    ++run.result.counts.products;
  };

  if (settings_.expansion == Expansion::projected && whole_step < infinity) {
    for_working_rows(
        [&](Index begin, Index end) { trial_.segment(begin, end - begin) = x.segment(begin, end - begin); });
    step_and_project(whole_step, p_);
    gradient_into(z_);
    double change = 0.0;  // twice that of the objective: (new x - x)'(new g + g)
    for_working_rows([&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) change += (x[i] - trial_[i]) * (z_[i] + g_[i]);
    });
    const bool descends = change < 0.0;
    const Vector& kept = descends ? z_ : trial_;
    Vector& target = descends ? g_ : x;
    for_working_rows([&](Index begin, Index end) {
      target.segment(begin, end - begin) = kept.segment(begin, end - begin);
    });
    if (descends) return;
  }
  // To the boundary, then a projected gradient step of fixed length.
  for_working_rows([&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      z_[i] = inverse_diagonal_[i] * (g_[i] - largest_step * Ap_[i]);
    }
  });
  step_and_project(largest_step, p_);
  step_and_project(settings_.step / norm_, z_);
  gradient_into(g_);
}

// ||D^-1/2 A D^-1/2||: the row-sum bound where it is tight, else a few power iterations with a margin.
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
        bound = std::max(bound, sum * inverse_diagonal_[i]);
      }
    }
  });
  if (bound <= 2.5) return bound;
  // Power iterations from a fixed vector with all signs; z_ and trial_ are scratch here.
  for (Index i = 0; i < z_.size(); ++i) z_[i] = (i % 2 == 0 ? 1.0 : -0.7) + 0.1 * static_cast<double>(i % 7);
  double estimate = 1.0;
  for (int k = 0; k < 15; ++k) {
    z_ /= z_.norm();
    trial_ = z_.cwiseProduct(inverse_diagonal_.cwiseSqrt());
    A.multiply(trial_, z_, run.settings.threads);
    z_ = z_.cwiseProduct(inverse_diagonal_.cwiseSqrt());
    estimate = z_.norm();
    ++run.result.counts.products;
    if (estimate == 0.0) return 1.0;
  }
  return std::min(bound, 1.1 * estimate);
}

}  // namespace slipstick
