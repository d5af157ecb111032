// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp/qp_polish.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {
namespace {

constexpr int polish_corrections = 5;
constexpr double polished = 1e-15;  // a smaller residual, relative to the forces and values, is rounding

}  // namespace

void QpPolish::prepare(const StandardQp& qp, QpSystem& system) {
  qp_ = &qp;
  system_ = &system;
  n_ = qp.unknowns();
  m_ = qp.rows();
  x_.resize(n_);
  y_.resize(m_);
  diagonal_.setZero(n_);
  compliance_.setZero(m_);
  for (Vector* vector : {&values_, &forces_, &step_, &scale_}) vector->resize(n_ + m_);
  places_.assign(static_cast<std::size_t>(n_ + m_), Place::between);
  inside_.assign(places_.size(), 0);
  // A step of a force changes a value by its reciprocal: the diagonal of H, and of G diag(H)^-1 G'.
  for (Index j = 0; j < n_; ++j) {
    const double own = entry(qp.H, j, j);
    scale_[j] = own > 0.0 ? own : 1.0;
  }
  for (Index i = 0; i < m_; ++i) {
    double sum = 0.0;
    for (CsrMatrix::InnerIterator it(qp.G, i); it; ++it) sum += it.value() * it.value() / scale_[it.col()];
    scale_[n_ + i] = sum > 0.0 ? 1.0 / sum : 1.0;
  }
}

void QpPolish::take(const QpPath& path) {
  x_ = path.x();
  y_ = path.y();
  for (Index k = 0; k < n_ + m_; ++k) {
    const int side = path.active_side(k);
    put(k, side < 0 ? Place::at_lower : side > 0 ? Place::at_upper : Place::between);
  }
}

void QpPolish::take_touching(ConstVectorView x, double band) {
  x_ = x;
  y_.setZero();
  find_values_and_forces();
  for (Index k = 0; k < n_ + m_; ++k) {
    const bool low = values_[k] - lower(k) <= band, high = upper(k) - values_[k] <= band;
    put(k, low ? Place::at_lower : high ? Place::at_upper : Place::between);
  }
}

// Equalities are always held. Returns true if the place is new.
bool QpPolish::put(Index k, Place place) {
  const auto at = static_cast<std::size_t>(k);
  if (lower(k) == upper(k)) place = Place::at_lower;
  const bool changed = places_[at] != place;
  places_[at] = place;
  inside_[at] = (place == Place::between) == (k < n_);
  return changed;
}

// v = (x, G x) and f = (H x + c - G'y, y)
void QpPolish::find_values_and_forces() {
  values_.head(n_) = x_;
  auto activity = values_.tail(m_);
  multiply(qp_->G, x_, activity);
  auto force = forces_.head(n_);
  multiply(qp_->H, x_, force);
  force += qp_->c;
  for (Index i = 0; i < m_; ++i) {
    for (CsrMatrix::InnerIterator it(qp_->G, i); it; ++it) force[it.col()] -= it.value() * y_[i];
  }
  forces_.tail(m_) = y_;
  count_work(2.0 * static_cast<double>(qp_->H.nonZeros() + 2 * qp_->G.nonZeros()));
}

bool QpPolish::solve() {
  for (Index k = 0; k < n_ + m_; ++k) {
    const Place place = places_[static_cast<std::size_t>(k)];
    if (k >= n_ && place == Place::between) y_[k - n_] = 0.0;
    if (k < n_ && place != Place::between) x_[k] = place == Place::at_lower ? lower(k) : upper(k);
  }
  if (!system_->factorize(diagonal_, compliance_, inside_)) return false;
  double before = infinity;
  for (int correction = 0; correction < polish_corrections; ++correction) {
    find_values_and_forces();
    double left = 0.0;
    for (Index k = 0; k < n_ + m_; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double bound = places_[at] == Place::at_upper ? upper(k) : lower(k);
      step_[k] = inside_[at] == 0 ? 0.0 : k < n_ ? -forces_[k] : bound - values_[k];
      left = std::max(left, std::abs(step_[k]));
    }
    if (!std::isfinite(left)) return false;
    const double size = 1.0 + values_.lpNorm<Eigen::Infinity>() + forces_.lpNorm<Eigen::Infinity>();
    if (left <= polished * size || left > 0.5 * before) break;
    before = left;
    system_->solve(step_);
    x_ += step_.head(n_);
    y_ -= step_.tail(m_);
  }
  return x_.allFinite() && y_.allFinite();
}

bool QpPolish::revise() {
  find_values_and_forces();
  bool changed = false;
  for (Index k = 0; k < n_ + m_; ++k) {
    const double target = values_[k] - forces_[k] / scale_[k];
    // A row on its bound without a force is free.
    const bool low = k < n_ ? target <= lower(k) : target < lower(k);
    const bool high = k < n_ ? target >= upper(k) : target > upper(k);
    changed = put(k, low ? Place::at_lower : high ? Place::at_upper : Place::between) || changed;
  }
  return changed;
}

}  // namespace slipstick::internal
