// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/contact_ruler.hpp"

#include <cassert>
#include <cmath>
#include <limits>

#include "slipstick/linalg/norm.hpp"
#include "slipstick/measures/contact_error.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/measures/natural_map.hpp"

namespace slipstick::internal {

using namespace detail;

void ContactRuler::prepare(const LocalContactProblem& problem, FrictionLaw law) {
  const bool same = seen_ && problem.W.same_storage(*seen_) && dimension_ == problem.dimension;
  set_law(problem.dimension, problem.mu, law);
  if (!same) {
    seen_ = problem.W;
    diagonal_.resize(problem.W.rows());
    problem.W.diagonal(diagonal_);
    set_scale();
  }
  norm_ = safe_norm(problem.q);
  if (problem.bilateral) norm_ = std::hypot(norm_, safe_norm(problem.bilateral->s));
}

void ContactRuler::prepare(const GlobalContactProblem& problem, FrictionLaw law,
                           const ComponentInverse& inverse, const Vector* diagonal) {
  set_law(problem.dimension, problem.mu, law);
  seen_.reset();
  if (inverse.singular()) {
    diagonal_.setOnes(problem.H.cols());
    set_scale();
    norm_ = Measures::undefined;
    load_.resize(0);
    return;
  }
  if (diagonal != nullptr) {
    diagonal_ = *diagonal;
  } else {
    diagonal_ = inverse.congruence_diagonal(problem.H.transpose());
  }
  set_scale();
  free_velocity_ = problem.f;
  inverse.solve(free_velocity_);
  load_.noalias() = problem.H.transpose() * free_velocity_;
  load_ += problem.w;
  norm_ = load_.stableNorm();
  if (problem.bilateral) {
    bilateral_.noalias() = problem.bilateral->G.transpose() * free_velocity_;
    bilateral_ += problem.bilateral->b;
    norm_ = std::hypot(norm_, bilateral_.stableNorm());
  }
}

void ContactRuler::set_law(int dimension, const Vector& mu, FrictionLaw law) {
  assert(dimension == 2 || dimension == 3);
  dimension_ = dimension;
  law_ = law;
  mu_ = mu;
  if (law == FrictionLaw::none) mu_.setZero();
}

void ContactRuler::set_scale() {
  assert(diagonal_.size() == dimension_ * mu_.size());
  scale_.resize(mu_.size());
  scaled_errors_.resize(mu_.size());
  errors_.resize(mu_.size());
  for (Index i = 0; i < scale_.size(); ++i)
    scale_[i] = ruler_scale(diagonal_.segment(dimension_ * i, dimension_).mean());
}

template <int dimension>
ContactErrors ContactRuler::squares(const Vector& r, const Vector& u) const {
  const auto point = [&](Index i) {
    return ContactPoint{r.data() + dimension * i, u.data() + dimension * i, mu_[i], scale_[i]};
  };
  ContactErrors errors;
  if (law_ == FrictionLaw::coulomb) {
    errors.add<dimension, true>(0, mu_.size(), point);
  } else {
    errors.add<dimension, false>(0, mu_.size(), point);
  }
  return errors;
}

ContactNorms ContactRuler::norms(const Vector& r, const Vector& u) const {
  if (law_ != FrictionLaw::diamond && law_ != FrictionLaw::box) {
    const auto [scaled, published, impulses, velocities] =
        dimension_ == 3 ? squares<3>(r, u) : squares<2>(r, u);
    // Squares do not overflow, and errors whose squares vanish are nothing beside the load.
    const auto is_safe = [](double squared) { return squared > 1e-200 && squared < 1e200; };
    if (is_safe(norm_ * norm_) && is_safe(std::max(impulses, velocities)))
      return {std::sqrt(scaled), std::sqrt(published), std::sqrt(impulses), std::sqrt(velocities)};
  }
  if (!all_finite(r) || !all_finite(u)) return {};
  for (Index i = 0; i < mu_.size(); ++i) {
    scaled_errors_[i] = contact_error(i, scale_[i], r, u);
    errors_[i] = contact_error(i, 1.0, r, u);
  }
  // Impulses whose squares overflow are infinite: an error relative to them would vanish.
  return {scaled_errors_.stableNorm(), errors_.stableNorm(), r.norm(), u.norm()};
}

void ContactRuler::judge(const Vector& r, const Vector& l, const Vector& u, const Vector& bilateral,
                         Measures& measures) const {
  auto [scaled, natural_map, impulses, velocities] = norms(r, u);
  if (std::isnan(norm_) || std::isnan(velocities) || !all_finite(bilateral)) return;
  if (bilateral.size() > 0) {
    const double residual = bilateral.stableNorm();
    scaled = std::hypot(scaled, residual);
    natural_map = std::hypot(natural_map, residual);
    impulses = std::hypot(impulses, l.stableNorm());
  }
  measures.scaled_natural_map = ratio(scaled, norm_);
  const double largest = std::max({norm_, impulses, velocities});
  measures.desaxce =
      std::isfinite(largest) ? ratio(natural_map, largest) : std::numeric_limits<double>::infinity();
}

double ContactRuler::contact_error(Index contact, double d, const Vector& r, const Vector& u) const {
  const double mu = mu_[contact];
  const double* impulse = r.data() + dimension_ * contact;
  const double* velocity = u.data() + dimension_ * contact;
  if (law_ == FrictionLaw::diamond || law_ == FrictionLaw::box) {
    return std::hypot(
        row_error(impulse[0], velocity[0], d, 0.0, infinity),
        tangent_error(mu * std::max(impulse[0], 0.0), d, r.segment(dimension_ * contact + 1, dimension_ - 1),
                      u.segment(dimension_ * contact + 1, dimension_ - 1)));
  }
  double x[3] = {}, w[3] = {}, largest = 0.0;
  for (int a = 0; a < dimension_; ++a)
    largest = std::max({largest, std::abs(d * impulse[a]), std::abs(velocity[a])});
  // The error is homogeneous in r and u, so in these units no square underflows. Large values are not
  // scaled down: a huge r would hide u.
  const int exponent = largest > 0.0 ? std::min(0, std::ilogb(largest)) : 0;
  for (int a = 0; a < dimension_; ++a) {
    x[a] = std::scalbn(d * impulse[a], -exponent);
    w[a] = std::scalbn(velocity[a], -exponent);
  }
  const auto squared = [&]<int dimension>() {
    return law_ == FrictionLaw::coulomb ? squared_contact_error<dimension, true>(x, w, mu, 1.0)
                                        : squared_contact_error<dimension, false>(x, w, mu, 1.0);
  };
  const double sum = dimension_ == 3 ? squared.template operator()<3>() : squared.template operator()<2>();
  return std::scalbn(std::sqrt(sum), exponent);
}

// ||d (r_T - P(r_T - u_T / d))|| on the diamond or box of that radius.
double ContactRuler::tangent_error(double radius, double d, ConstVectorView r, ConstVectorView u) const {
  static const ProductSet no_bounds;
  auto error = error_.head(r.size());
  if (law_ == FrictionLaw::diamond) {
    block_error(no_bounds, {SetKind::diamond, Role::friction, 0, r.size(), radius}, r, u, d, error);
  } else {
    for (Index k = 0; k < r.size(); ++k) error[k] = row_error(r[k], u[k], d, -radius, radius);
  }
  return error.norm();
}

}  // namespace slipstick::internal
