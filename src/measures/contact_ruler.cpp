// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/contact_ruler.hpp"

#include <cassert>
#include <cmath>

#include "slipstick/measures/natural_map.hpp"

namespace slipstick {

using namespace detail;

void ContactRuler::prepare(const LocalContactProblem& problem, FrictionLaw law) {
  set_law(problem.dimension, problem.mu, law);
  diagonal_.resize(problem.W.rows());
  problem.W.diagonal(diagonal_);
  set_scale();
  norm_ = problem.q.stableNorm();
  if (problem.bilateral) norm_ = std::hypot(norm_, problem.bilateral->s.stableNorm());
}

void ContactRuler::prepare(const GlobalContactProblem& problem, FrictionLaw law,
                           const ComponentInverse& inverse) {
  set_law(problem.dimension, problem.mu, law);
  if (inverse.singular()) {
    diagonal_.setOnes(problem.H.cols());
    set_scale();
    norm_ = Measures::undefined;
    return;
  }
  diagonal_ = inverse.congruence_diagonal(problem.H);
  set_scale();
  Vector free_velocity = problem.f;
  inverse.solve(free_velocity);
  norm_ = Vector(problem.H.transpose() * free_velocity + problem.w).stableNorm();
  if (problem.bilateral) {
    const Vector s = problem.bilateral->G.transpose() * free_velocity + problem.bilateral->b;
    norm_ = std::hypot(norm_, s.stableNorm());
  }
}

void ContactRuler::set_law(int dimension, const Vector& mu, FrictionLaw law) {
  assert(dimension == 2 || dimension == 3);
  dimension_ = dimension;
  shifted_ = law == FrictionLaw::coulomb;
  mu_ = mu;
  if (law == FrictionLaw::none) mu_.setZero();
}

void ContactRuler::set_scale() {
  assert(diagonal_.size() == dimension_ * mu_.size());
  scale_.resize(mu_.size());
  for (Index i = 0; i < scale_.size(); ++i) {
    const double mean = diagonal_.segment(dimension_ * i, dimension_).mean();
    scale_[i] = mean > 0.0 ? mean : 1.0;
  }
}

double ContactRuler::operator()(ConstVectorView r, ConstVectorView u, ConstVectorView bilateral) const {
  if (std::isnan(norm_) || !all_finite(r) || !all_finite(u) || !all_finite(bilateral))
    return Measures::undefined;
  // Divided before they are squared, so that units do not matter.
  const double weight = norm_ > 0.0 ? 1.0 / norm_ : 1.0;
  double squared = (weight * bilateral).squaredNorm();
  for (Index i = 0; i < mu_.size(); ++i) {
    const double error = weight * contact_error(i, r, u);
    squared += error * error;
  }
  return norm_ > 0.0 || squared == 0.0 ? std::sqrt(squared) : std::numeric_limits<double>::infinity();
}

double ContactRuler::natural_map(ConstVectorView r, ConstVectorView u) const {
  double squared = 0.0;
  for (Index i = 0; i < mu_.size(); ++i) {
    const double error = cone_error(i, 1.0, r, u);
    squared += error * error;
  }
  return std::sqrt(squared);
}

double ContactRuler::contact_error(Index contact, ConstVectorView r, ConstVectorView u) const {
  return cone_error(contact, scale_[contact], r, u);
}

// ||d (r - P(r - u^ / d))||
double ContactRuler::cone_error(Index contact, double d, ConstVectorView r, ConstVectorView u) const {
  static const ProductSet no_bounds;
  auto velocity = velocity_.head(dimension_);
  auto error = error_.head(dimension_);
  velocity = u.segment(dimension_ * contact, dimension_);
  if (shifted_) velocity[0] += mu_[contact] * velocity.tail(dimension_ - 1).norm();
  const SetBlock cone = {SetKind::cone, Role::normal, 0, dimension_, mu_[contact]};
  block_error(no_bounds, cone, r.segment(dimension_ * contact, dimension_), velocity, d, error);
  return error.norm();
}

}  // namespace slipstick
