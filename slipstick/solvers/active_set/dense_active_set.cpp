// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/dense_active_set.hpp"

#include <cmath>
#include <limits>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/solvers/common/dense_copy.hpp"

namespace slipstick::internal {
void DenseActiveSet::prepare(const Problem& problem, const Ruler& ruler) {
  const Index n = problem.b.size();
  set_.reset(problem, ruler, ActiveSet::EmptyRows::move);
  g_ = problem.rows ? problem.rows->G.get() : nullptr;
  diagonal_ = ruler.scale();
  if (!has_matrix_ || !problem.A.same_storage(a_)) {
    has_matrix_ = false;
    a_ = problem.A;
    share_ = indefinite_share_ = -1.0;
    dense_ = &dense_form(a_, copy_);
    has_matrix_ = true;
  }
  held_.clear();
  held_.reserve(static_cast<std::size_t>(n));
  is_held_.assign(static_cast<std::size_t>(set_.size()), 0);
  for (Vector* vector : {&multiplier_, &x_, &z_, &coefficients_, &residual_}) vector->setZero(n);
}

bool DenseActiveSet::use_matrix(double share) {
  factor_ = &matrix_factor_;
  if (share <= indefinite_share_) return false;
  if (share_ == share) {
    factor_->clear();
    return true;
  }
  share_ = -1.0;
  shifted_ = *dense_;
  shifted_.diagonal() += share * diagonal_;
  if (matrix_factor_.set_metric(shifted_)) {
    share_ = share;
    return true;
  }
  indefinite_share_ = share;
  return false;
}

void DenseActiveSet::use_diagonal() {
  factor_ = &diagonal_factor_;
  diagonal_factor_.set_diagonal_metric(diagonal_);
}

double DenseActiveSet::value(Index k, const Vector& x) const {
  return k < set_.unknowns() ? x[k] : row_dot(*g_, k - set_.unknowns(), x.data());
}

template <class Visit>
void DenseActiveSet::for_each_in_normal(Index k, int side, const Visit& visit) const {
  if (k < set_.unknowns()) {
    visit(k, -side);
  } else {
    for (CsrMatrix::InnerIterator it(*g_, k - set_.unknowns()); it; ++it) visit(it.col(), -side * it.value());
  }
}

void DenseActiveSet::transform_normal(Index k, int side) {
  factor_->transform_entries([&](const auto& visit) { for_each_in_normal(k, side, visit); });
}

void DenseActiveSet::name_touching(const Vector& x, double band) {
  values_.resize(set_.size());
  for (Index k = 0; k < set_.size(); ++k) values_[k] = value(k, x);
  set_.take(values_, band);
}

DenseActiveSet::Violation DenseActiveSet::most_violated(double band) const {
  Violation worst{.constraint = -1, .size = band};
  for (Index k = 0; k < set_.size(); ++k) {
    if (is_held_[static_cast<std::size_t>(k)] != 0) continue;
    const double now = value(k, x_);
    const double outside = set_.value_scale(k) * std::max(set_.lower(k) - now, now - set_.upper(k));
    if (outside > worst.size) worst = {k, outside};
  }
  return worst;
}

void DenseActiveSet::start_dual(const Vector& b) {
  residual_ = -b;
  factor_->solve(residual_, multiplier_.head(0));
  x_ = residual_;
}

void DenseActiveSet::start_dual_from_named(const Vector& b, double band) {
  for (Index k = 0; k < set_.size(); ++k) {
    if (set_.is_active(k) && held() < x_.size()) hold(k, set_.place(k) == Place::at_lower ? -1 : 1);
  }
  for (;;) {
    // Computes x and u of the held constraints from scratch.
    residual_ = -b;
    for (Index j = 0; j < held(); ++j) {
      const Held& held = held_[static_cast<std::size_t>(j)];
      multiplier_[j] =
          -held.side * (held.side < 0 ? set_.lower(held.constraint) : set_.upper(held.constraint));
    }
    factor_->solve(residual_, multiplier_.head(held()));
    x_ = residual_;
    const Index worst = worst_multiplier(band, false);
    if (worst < 0) return;
    drop(worst);
  }
}

bool DenseActiveSet::hold_by_dual_steps(Index k, double band) {
  const int side = value(k, x_) < set_.lower(k) ? -1 : 1;
  const double bound = side < 0 ? set_.lower(k) : set_.upper(k);
  double multiplier = 0.0;
  for (;;) {
    transform_normal(k, side);
    const double independent = factor_->independent_part();
    auto r = coefficients_.head(held());
    factor_->coefficients(r);
    // Finds the multiplier that vanishes first, if any.
    double dual_step = infinity;
    Index leaving = -1;
    for (Index j = 0; j < held(); ++j) {
      if (!(r[j] > 0.0) || set_.is_equality(held_[static_cast<std::size_t>(j)].constraint)) continue;
      const double step = multiplier_[j] / r[j];
      if (step < dual_step) {
        dual_step = step;
        leaving = j;
      }
    }
    const double missing = side * (value(k, x_) - bound);
    const double full_step = independent > 0.0 ? missing / independent : infinity;
    const double step = std::min(dual_step, full_step);
    if (std::isinf(step)) {
      is_held_[static_cast<std::size_t>(k)] = 1;
      return set_.value_scale(k) * missing <= band;
    }
    multiplier_.head(held()) -= step * r;
    multiplier += step;
    if (independent > 0.0) {
      factor_->along(z_);
      x_ += step * z_;
    }
    if (full_step <= dual_step) {
      append(k, side, multiplier);
      return true;
    }
    drop(leaving);
  }
}

bool DenseActiveSet::hold_equalities(double band) {
  for (Index k = 0; k < set_.size(); ++k) {
    if (!set_.is_equality(k) || is_held_[static_cast<std::size_t>(k)] != 0) continue;
    if (!hold_by_dual_steps(k, band)) return false;
  }
  return true;
}

void DenseActiveSet::hold_again() {
  factor_->clear();
  Index kept = 0;
  for (Index j = 0; j < held(); ++j) {
    const Held again = held_[static_cast<std::size_t>(j)];
    transform_normal(again.constraint, again.side);
    const bool independent = factor_->independent_part() > 0.0;
    is_held_[static_cast<std::size_t>(again.constraint)] = independent;
    if (!independent) continue;
    factor_->along(z_);
    factor_->append(z_);
    held_[static_cast<std::size_t>(kept)] = again;
    ++kept;
  }
  held_.resize(static_cast<std::size_t>(kept), Held{});
}

void DenseActiveSet::find_step(const Vector& g, Vector& p) {
  factor_->transform_vector(g);
  factor_->along(p);
  p = -p;
}

void DenseActiveSet::find_multipliers(const Vector& g) {
  // False alarm of the analyzer: it assumes that g may be a null pointer.
  // NOLINTNEXTLINE(clang-analyzer-core.*,clang-analyzer-unix.Malloc)
  factor_->transform_vector(g);
  factor_->coefficients(multiplier_.head(held()));
}

Index DenseActiveSet::worst_multiplier(double band, bool least_index) const {
  Index worst = -1;
  double smallest = -band;
  int least = std::numeric_limits<int>::max();
  for (Index j = 0; j < held(); ++j) {
    const int k = held_[static_cast<std::size_t>(j)].constraint;
    const double scaled = multiplier_[j] * set_.force_scale(k);
    if (set_.is_equality(k) || !(scaled < -band)) continue;
    if (least_index ? k < least : scaled < smallest) {
      worst = j;
      smallest = scaled;
      least = k;
    }
  }
  return worst;
}

void DenseActiveSet::drop(Index position) {
  const auto at = static_cast<std::size_t>(position);
  is_held_[static_cast<std::size_t>(held_[at].constraint)] = 0;
  factor_->remove(position);
  held_.erase(held_.begin() + position);
  for (Index j = position; j < held(); ++j) multiplier_[j] = multiplier_[j + 1];
}

DenseActiveSet::Block DenseActiveSet::first_block(const Vector& p, bool least_index) const {
  constexpr double along = 1e-14;  // smaller slopes, relative to the length of the step, are rounding
  Block block;
  double size = 0.0;
  for (Index i = 0; i < p.size(); ++i) size = std::max(size, diagonal_[i] * std::abs(p[i]));
  double steepest = 0.0;
  for (Index k = 0; k < set_.size(); ++k) {
    if (is_held_[static_cast<std::size_t>(k)] != 0) continue;
    const double slope = value(k, p);
    const double scaled = set_.value_scale(k) * std::abs(slope);
    const double bound = slope < 0.0 ? set_.lower(k) : set_.upper(k);
    if (!(scaled > along * size) || std::isinf(bound)) continue;
    const double step = std::max(0.0, (bound - value(k, x_)) / slope);
    // If several constraints stop the step at once, the steepest is taken, because it is the safest divisor.
    const bool better = step < block.step ||
                        (step == block.step && block.constraint >= 0 && !least_index && scaled > steepest);
    if (!better) continue;
    block = {step, k, slope < 0.0 ? -1 : 1};
    steepest = scaled;
  }
  return block;
}

bool DenseActiveSet::hold(Index k, int side) {
  transform_normal(k, side);
  is_held_[static_cast<std::size_t>(k)] = 1;
  if (!(factor_->independent_part() > 0.0)) return false;
  factor_->along(z_);
  append(k, side, 0.0);
  return true;
}

// z_ must belong to the normal.
void DenseActiveSet::append(Index k, int side, double multiplier) {
  factor_->append(z_);
  held_.push_back({static_cast<int>(k), side});
  is_held_[static_cast<std::size_t>(k)] = 1;
  multiplier_[held() - 1] = multiplier;
}

// Corrects x and u, so that g - N u and the distances to the bounds go to zero.
void DenseActiveSet::refine(const Vector& g) {
  residual_ = -g;
  for (Index j = 0; j < held(); ++j) {
    const auto [k, side] = held_[static_cast<std::size_t>(j)];
    for_each_in_normal(k, side, [&](Index i, double entry) { residual_[i] += multiplier_[j] * entry; });
    coefficients_[j] = -side * ((side < 0 ? set_.lower(k) : set_.upper(k)) - value(k, x_));
  }
  factor_->solve(residual_, coefficients_.head(held()));
  x_ += residual_;
  multiplier_.head(held()) += coefficients_.head(held());
}

void DenseActiveSet::multipliers(Vector& y) const {
  y.setZero();
  for (Index j = 0; j < held(); ++j) {
    const auto [k, side] = held_[static_cast<std::size_t>(j)];
    if (k >= set_.unknowns()) y[k - set_.unknowns()] = -side * multiplier_[j];
  }
}

void DenseActiveSet::put_on_bounds() {
  for (const auto& [k, side] : held_) {
    if (k < set_.unknowns()) x_[k] = side < 0 ? set_.lower(k) : set_.upper(k);
  }
}

}  // namespace slipstick::internal
