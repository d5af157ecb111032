// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp/qp_path.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {
namespace {

constexpr double boundary_share = 0.995;   // share of the way to the boundary that a step may go
constexpr double least_qp_step = 1e-11;    // a shorter step ends the path
constexpr double least_stiffness = 1e-14;  // of a row that is far from its bounds
constexpr double start_compliance = 1e-9;  // of equalities: nearly dependent ones get no huge multipliers
constexpr double near_bounds = 1e-2;       // half the distance of two bounds, over a usual slack
constexpr double narrow_lift = 1e3;        // most that the multipliers of narrow bounds are raised by
constexpr double far_bound = 10.0;         // distance over the size of the point
constexpr double least_lift = 1e-6;        // of slacks and multipliers near a solution
constexpr double spread_below = 0.1;  // products below and above these shares of the target are corrected
constexpr double spread_above = 10.0;
constexpr double longer_trial = 0.3;  // by how much longer a step the corrections aim at
constexpr double least_gain = 0.03;   // of the step length, for a correction that is kept
constexpr int weights = 5;            // tried for a corrector
// A step that removes a smaller share of the residuals than this share of its length had inexact equations.
constexpr double exact_share = 0.5;
constexpr double rounding_of_values = 1e-14;

// to -= G'y
void subtract_transposed(const CsrMatrix& G, const Vector& y, VectorView to) {
  for (Index i = 0; i < G.rows(); ++i) {
    const double force = y[i];
    for (CsrMatrix::InnerIterator it(G, i); it; ++it) to[it.col()] -= it.value() * force;
  }
}

}  // namespace

void QpPath::Direction::resize(Index values, Index rows, Index bounds) {
  v.resize(values);
  y.resize(rows);
  t.resize(bounds);
  z.resize(bounds);
}

void QpPath::Direction::combine(const Direction& first, double weight, const Direction& second) {
  v = first.v + weight * second.v;
  y = first.y + weight * second.y;
  t = first.t + weight * second.t;
  z = first.z + weight * second.z;
}

void QpPath::prepare(const StandardQp& qp, QpSystem& system) {
  qp_ = &qp;
  system_ = &system;
  n_ = qp.unknowns();
  m_ = qp.rows();
  list_bounds();
  const auto bounds = static_cast<Index>(bounds_.size());
  for (Vector* vector : {&v_, &forces_, &force_errors_, &stiffness_, &right_side_, &pull_})
    vector->setZero(n_ + m_);
  for (Vector* vector : {&y_, &values_, &value_errors_, &changes_, &compliance_}) vector->setZero(m_);
  diagonal_.setZero(n_);
  for (Vector* vector : {&t_, &z_, &bound_errors_, &products_}) vector->setOnes(bounds);
  for (Direction* direction : {&predictor_, &corrector_, &direction_, &trial_})
    direction->resize(n_ + m_, m_, bounds);
}

void QpPath::list_bounds() {
  bounds_.clear();
  bounds_.reserve(static_cast<std::size_t>(2 * (n_ + m_)));
  first_bound_.clear();
  for (Index k = 0; k < n_ + m_; ++k) {
    first_bound_.push_back(static_cast<int>(bounds_.size()));
    const double lower = k < n_ ? qp_->lower[k] : qp_->row_lower[k - n_];
    const double upper = k < n_ ? qp_->upper[k] : qp_->row_upper[k - n_];
    if (lower == upper) continue;
    if (lower != -infinity) bounds_.push_back({static_cast<int>(k), 1.0, lower});
    if (upper != infinity) bounds_.push_back({static_cast<int>(k), -1.0, upper});
  }
  first_bound_.push_back(static_cast<int>(bounds_.size()));
}

// Minimizes the objective with 1/2 ||v - a||^2 added, a the point between the bounds that is nearest to 0.
bool QpPath::start(double least_multiplier) {
  const auto nearest = [](double lower, double upper) { return std::clamp(0.0, lower, upper); };
  diagonal_.setOnes();
  for (Index j = 0; j < n_; ++j) right_side_[j] = nearest(qp_->lower[j], qp_->upper[j]) - qp_->c[j];
  for (Index i = 0; i < m_; ++i) {
    const bool equality = qp_->row_lower[i] == qp_->row_upper[i];
    compliance_[i] = qp_->compliance + (equality ? start_compliance : 1.0);
    right_side_[n_ + i] = nearest(qp_->row_lower[i], qp_->row_upper[i]);
  }
  if (!system_->factorize(diagonal_, compliance_)) return false;
  trial_.v = right_side_;
  system_->solve(trial_.v);
  if (!trial_.v.allFinite()) return false;
  v_.head(n_) = trial_.v.head(n_);
  y_ = -trial_.v.tail(m_);
  find_residuals();
  v_.tail(m_) = values_;
  lift_slacks(least_multiplier);
  find_residuals();
  return true;
}

// t and z of the point, raised where they are small or negative. The centre of two bounds is the highest t.
void QpPath::lift_slacks(double least_multiplier) {
  const auto count = static_cast<Index>(bounds_.size());
  if (count == 0) return;
  double mean_t = 0.0, mean_z = 0.0;
  for (Index b = 0; b < count; ++b) {
    const Bound& bound = bounds_[static_cast<std::size_t>(b)];
    t_[b] = bound.side * (v_[bound.index] - bound.value);
    z_[b] = bound.side * forces_[bound.index];
    if (t_[b] < 0.0) mean_t -= t_[b];
    mean_z += std::abs(z_[b]);
  }
  const double least_t = 1.0 + mean_t / static_cast<double>(count);
  const double least_z = least_multiplier + mean_z / static_cast<double>(count);
  // A bound that is much further away than the point is large has a small multiplier. Its product would hide
  // all others.
  const double reach = far_bound * (1.0 + v_.lpNorm<Eigen::Infinity>());
  for (Index b = 0; b < count; ++b) {
    const Bound& bound = bounds_[static_cast<std::size_t>(b)];
    const double half = half_way(bound);
    if (half < near_bounds * least_t) {
      // Two bounds near to each other have two large multipliers, so that their products are not small.
      z_[b] = std::max(0.0, z_[b]) + least_z * std::min(least_t / half, narrow_lift);
      t_[b] = half;
    } else {
      t_[b] = std::max(t_[b], std::min(least_t, half));
      z_[b] = std::max(z_[b], least_z) * std::min(1.0, reach / t_[b]);
    }
  }
}

// Half the distance to the other bound of the same value.
double QpPath::half_way(const Bound& bound) const {
  const auto first = static_cast<std::size_t>(first_bound_[static_cast<std::size_t>(bound.index)]);
  const auto end = static_cast<std::size_t>(first_bound_[static_cast<std::size_t>(bound.index) + 1]);
  return end - first == 2 ? 0.5 * (bounds_[first + 1].value - bounds_[first].value) : infinity;
}

void QpPath::start_near(ConstVectorView x, const Vector& y) {
  v_.head(n_) = x;
  y_ = y;
  find_residuals();
  v_.tail(m_) = values_;
  double squares = 0.0;
  for (std::size_t k = 0; k < bounds_.size(); ++k) {
    const Bound& bound = bounds_[k];
    const auto b = static_cast<Index>(k);
    t_[b] = bound.side * (v_[bound.index] - bound.value);
    z_[b] = std::max(0.0, bound.side * forces_[bound.index]);
    squares += std::pow(std::min(t_[b], z_[b]), 2);
  }
  const double error = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, bounds_.size())));
  const double least = std::max(least_lift, error);
  for (std::size_t k = 0; k < bounds_.size(); ++k) {
    const auto b = static_cast<Index>(k);
    t_[b] = std::max(t_[b], std::min(least, half_way(bounds_[k])));
    z_[b] = std::max(z_[b], least);
  }
  find_residuals();
}

void QpPath::find_residuals() {
  auto force = forces_.head(n_);
  multiply(qp_->H, v_.head(n_), force);
  force += qp_->c;
  subtract_transposed(qp_->G, y_, force);
  forces_.tail(m_) = y_;
  multiply(qp_->G, v_.head(n_), values_);
  values_ += qp_->compliance * y_;
  count_work(2.0 * static_cast<double>(qp_->H.nonZeros() + 2 * qp_->G.nonZeros()));
  force_errors_ = forces_;
  gap_ = 0.0;
  for (std::size_t b = 0; b < bounds_.size(); ++b) {
    const Bound& bound = bounds_[b];
    const auto at = static_cast<Index>(b);
    force_errors_[bound.index] -= bound.side * z_[at];
    bound_errors_[at] = bound.side * (v_[bound.index] - bound.value) - t_[at];
    gap_ += t_[at] * z_[at];
  }
  gap_ /= static_cast<double>(std::max<std::size_t>(1, bounds_.size()));
  for (Index i = 0; i < m_; ++i) {
    const bool equality = qp_->row_lower[i] == qp_->row_upper[i];
    value_errors_[i] = values_[i] - (equality ? qp_->row_lower[i] : v_[n_ + i]);
    if (equality) force_errors_[n_ + i] = 0.0;
  }
  value_residual_ = std::max(m_ > 0 ? value_errors_.lpNorm<Eigen::Infinity>() : 0.0,
                             bounds_.empty() ? 0.0 : bound_errors_.lpNorm<Eigen::Infinity>());
  force_residual_ = n_ + m_ > 0 ? force_errors_.lpNorm<Eigen::Infinity>() : 0.0;
}

bool QpPath::factorize() {
  stiffness_.setZero();
  for (std::size_t b = 0; b < bounds_.size(); ++b)
    stiffness_[bounds_[b].index] += z_[static_cast<Index>(b)] / t_[static_cast<Index>(b)];
  diagonal_ = stiffness_.head(n_);
  for (Index i = 0; i < m_; ++i) {
    const bool equality = qp_->row_lower[i] == qp_->row_upper[i];
    double& stiffness = stiffness_[n_ + i];
    stiffness = std::max(stiffness, least_stiffness);
    compliance_[i] = qp_->compliance + (equality ? 0.0 : 1.0 / stiffness);
  }
  return system_->factorize(diagonal_, compliance_);
}

// Newton's direction to t z + z dt + t dz = t z + products, with or without the residuals of the point.
void QpPath::solve(const Vector& products, bool with_residuals, Direction& direction) {
  if (with_residuals) {
    pull_ = -force_errors_;
  } else {
    pull_.setZero();
  }
  for (std::size_t b = 0; b < bounds_.size(); ++b) {
    const auto at = static_cast<Index>(b);
    const double error = with_residuals ? bound_errors_[at] : 0.0;
    pull_[bounds_[b].index] += bounds_[b].side * (products[at] - z_[at] * error) / t_[at];
  }
  right_side_.head(n_) = pull_.head(n_);
  for (Index i = 0; i < m_; ++i) {
    const bool equality = qp_->row_lower[i] == qp_->row_upper[i];
    right_side_[n_ + i] =
        (equality ? 0.0 : pull_[n_ + i] / stiffness_[n_ + i]) - (with_residuals ? value_errors_[i] : 0.0);
  }
  system_->solve(right_side_);
  direction.v.head(n_) = right_side_.head(n_);
  direction.y = -right_side_.tail(m_);
  // A row far from its bounds has a force that cancels out. Its activity follows from G dx.
  multiply(qp_->G, direction.v.head(n_), changes_);
  for (Index i = 0; i < m_; ++i) {
    const bool equality = qp_->row_lower[i] == qp_->row_upper[i];
    const double change =
        changes_[i] + qp_->compliance * direction.y[i] + (with_residuals ? value_errors_[i] : 0.0);
    const double stiffness = stiffness_[n_ + i];
    direction.v[n_ + i] = equality          ? 0.0
                          : stiffness > 1.0 ? (pull_[n_ + i] - direction.y[i]) / stiffness
                                            : change;
  }
  for (std::size_t b = 0; b < bounds_.size(); ++b) {
    const auto at = static_cast<Index>(b);
    const double error = with_residuals ? bound_errors_[at] : 0.0;
    direction.t[at] = bounds_[b].side * direction.v[bounds_[b].index] + error;
    direction.z[at] = (products[at] - z_[at] * direction.t[at]) / t_[at];
  }
}

// The step to the boundary, but not more than a full step needs.
double QpPath::longest_step(const Direction& direction) const {
  double shrink = boundary_share;  // the reciprocal
  for (Index b = 0; b < t_.size(); ++b)
    shrink = std::max({shrink, -direction.t[b] / t_[b], -direction.z[b] / z_[b]});
  return 1.0 / shrink;
}

// The weight of the corrector, between the square of the predictor's step and 1, that allows the longest
// step.
double QpPath::add_corrector() {
  const double least = std::pow(std::min(1.0, longest_step(direction_)), 2);
  double best = -1.0, best_weight = 1.0;
  for (int k = 0; k < weights; ++k) {
    const double weight = 1.0 - (1.0 - least) * k / (weights - 1);
    trial_.t = direction_.t + weight * corrector_.t;
    trial_.z = direction_.z + weight * corrector_.z;
    const double length = longest_step(trial_);
    if (length > best + 1e-3) {
      best = length;
      best_weight = weight;
    }
    if (length >= 1.0) break;
  }
  trial_.combine(direction_, best_weight, corrector_);
  return longest_step(trial_);
}

// Moves products that the trial step would leave far from the target.
void QpPath::correct_centrality(double target, int correctors, double& length) {
  for (int k = 0; k < correctors && length < 0.9; ++k) {
    const double trial = std::min(1.0, length + longer_trial);
    for (Index b = 0; b < t_.size(); ++b) {
      const double product = (t_[b] + trial * direction_.t[b]) * (z_[b] + trial * direction_.z[b]);
      const double wanted = std::clamp(product, spread_below * target, spread_above * target);
      products_[b] = std::max(wanted - product, -spread_above * target);
    }
    solve(products_, false, corrector_);
    const double corrected = add_corrector();
    if (!(corrected >= length + least_gain)) return;
    length = corrected;
    std::swap(direction_, trial_);
  }
}

bool QpPath::step(int correctors) {
  if (!factorize()) return false;
  products_ = -t_.cwiseProduct(z_);
  solve(products_, true, direction_);
  double length = longest_step(direction_);
  if (!bounds_.empty()) {
    length = std::min(1.0, length);
    const double after = (t_ + length * direction_.t).dot(z_ + length * direction_.z);
    const double ratio = std::clamp(after / (gap_ * static_cast<double>(bounds_.size())), 0.0, 1.0);
    const double target = ratio * ratio * ratio * gap_;
    products_ = Vector::Constant(t_.size(), target) - direction_.t.cwiseProduct(direction_.z);
    solve(products_, false, corrector_);
    length = add_corrector();
    std::swap(direction_, trial_);
    correct_centrality(target, correctors, length);
  }
  if (!std::isfinite(length) || !direction_.v.allFinite() || !direction_.y.allFinite()) return false;
  step_length_ = std::min(1.0, boundary_share * length);
  const double values_before = value_residual_, forces_before = force_residual_;
  v_ += step_length_ * direction_.v;
  y_ += step_length_ * direction_.y;
  t_ += step_length_ * direction_.t;
  z_ += step_length_ * direction_.z;
  find_residuals();
  // The shift of the system lets multipliers and unknowns move no further than by residual / shift.
  const auto stays = [&](double before, double now) {
    return before - now < exact_share * step_length_ * before && now > rounding_of_values;
  };
  if (stays(values_before, value_residual_) || stays(forces_before, force_residual_)) system_->lower_shift();
  return step_length_ > least_qp_step;
}

int QpPath::active_side(Index k) const {
  for (int b = first_bound_[static_cast<std::size_t>(k)]; b < first_bound_[static_cast<std::size_t>(k) + 1];
       ++b) {
    if (z_[b] > t_[b]) return bounds_[static_cast<std::size_t>(b)].side > 0.0 ? -1 : 1;
  }
  return 0;
}

}  // namespace slipstick::internal
