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

namespace {

// The laws whose normals and tangents are judged row by row.
bool has_facets(FrictionLaw law) {
  return law == FrictionLaw::diamond || law == FrictionLaw::box || law == FrictionLaw::box_once;
}

// Squares that do not overflow. Errors whose squares vanish are nothing beside the load.
bool is_safe(double squared) {
  return squared > 1e-200 && squared < 1e200;
}

}  // namespace

void ContactRuler::prepare(const LocalContactProblem& problem, FrictionLaw law, const Vector& bounds) {
  const bool same = seen_ && problem.W.same_storage(*seen_) && dimension_ == problem.dimension &&
                    joint_scale_.size() == problem.joint_rows();
  set_law(problem, law, bounds);
  if (!same) {
    seen_ = problem.W;
    diagonal_.resize(problem.W.rows());
    problem.W.diagonal(diagonal_);
    set_scale();
  }
  set_norms(problem.q);
}

void ContactRuler::prepare(const GlobalContactProblem& problem, FrictionLaw law,
                           const ComponentInverse& inverse, const Vector* diagonal, const Vector& bounds) {
  set_law(problem, law, bounds);
  seen_.reset();
  if (inverse.singular()) {
    diagonal_.setOnes(problem.H.cols());
    set_scale();
    norm_ = weighted_norm_ = Measures::undefined;
    load_.resize(0);
    return;
  }
  if (diagonal != nullptr) {
    diagonal_ = *diagonal;
  } else {
    diagonal_ = inverse.congruence_diagonal(problem.H.transpose());
    if (problem.compliance.size() > 0) diagonal_ += problem.compliance;
  }
  set_scale();
  free_velocity_ = problem.f;
  inverse.solve(free_velocity_);
  load_.noalias() = problem.H.transpose() * free_velocity_;
  load_ += problem.w;
  set_norms(load_);
}

void ContactRuler::set_law(const auto& problem, FrictionLaw law, const Vector& bounds) {
  assert(problem.dimension == 2 || problem.dimension == 3);
  dimension_ = problem.dimension;
  law_ = law;
  mu_ = problem.mu;
  if (law == FrictionLaw::none) mu_.setZero();
  if (law == FrictionLaw::box_once) bounds_ = friction_bounds(problem, bounds);
  lower_ = problem.lower;
  upper_ = problem.upper;
}

void ContactRuler::set_norms(const Vector& q) {
  norm_ = safe_norm(q);
  weighted_norm_ = joint_scale_.size() == 0 ? norm_ : weighted_norm(q);
}

double ContactRuler::weighted_norm(ConstVectorView u) const {
  if (joint_scale_.size() == 0) return u.stableNorm();
  double largest = u.size() > 0 ? u.cwiseAbs().maxCoeff() : 0.0, sum = 0.0;
  if (!(largest > 0.0 && std::isfinite(largest))) return largest;
  for (Index i = 0; i < mu_.size(); ++i)
    sum += (u.segment(dimension_ * i, dimension_) / largest).squaredNorm() / scale_[i];
  for (Index j = 0; j < joint_scale_.size(); ++j) {
    const double value = u[dimension_ * mu_.size() + j] / largest;
    sum += value / joint_scale_[j] * value;
  }
  return largest * std::sqrt(sum);
}

void ContactRuler::set_scale() {
  assert(diagonal_.size() == dimension_ * mu_.size() + lower_.size());
  joint_scale_.resize(lower_.size());
  for (Index j = 0; j < joint_scale_.size(); ++j)
    joint_scale_[j] = ruler_scale(diagonal_[dimension_ * mu_.size() + j]);
  scale_.resize(mu_.size());
  scaled_errors_.resize(mu_.size());
  errors_.resize(mu_.size());
  for (Index i = 0; i < scale_.size(); ++i)
    scale_[i] = ruler_scale(diagonal_.segment(dimension_ * i, dimension_).mean());
}

template <int dimension>
ContactErrors ContactRuler::squares(const Vector& r, const Vector& u) const {
  const auto point = [&](Index i) {
    return ContactPoint{r.data() + dimension * i, u.data() + dimension * i, mu_[i], scale_[i], weight(i)};
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
  if (!has_facets(law_)) {
    const auto [scaled, published, impulses, velocities] =
        dimension_ == 3 ? squares<3>(r, u) : squares<2>(r, u);
    if (is_safe(norm_ * norm_) && is_safe(std::max(impulses, velocities)))
      return {std::sqrt(scaled), std::sqrt(published), std::sqrt(impulses), std::sqrt(velocities)};
  }
  const Index rows = dimension_ * mu_.size();
  if (!all_finite(r.head(rows)) || !all_finite(u.head(rows))) return {};
  for (Index i = 0; i < mu_.size(); ++i) {
    scaled_errors_[i] = std::sqrt(weight(i)) * contact_error(i, scale_[i], r, u);
    errors_[i] = contact_error(i, 1.0, r, u);
  }
  // Impulses whose squares overflow are infinite: an error relative to them would vanish.
  return {scaled_errors_.stableNorm(), errors_.stableNorm(), r.head(rows).norm(), u.head(rows).norm()};
}

ContactNorms ContactRuler::joint_norms(const Vector& r, const Vector& u) const {
  const Index first = dimension_ * mu_.size();
  ContactErrors errors;
  for (Index j = 0; j < joint_scale_.size(); ++j)
    errors.add_row(r[first + j], u[first + j], joint_scale_[j], lower_[j], upper_[j]);
  const double velocities = u.tail(joint_scale_.size()).norm();
  if (!std::isfinite(errors.impulses + velocities)) return {};
  return {std::sqrt(errors.scaled), std::sqrt(errors.published), std::sqrt(errors.impulses), velocities};
}

void ContactRuler::judge(const Vector& r, const Vector& u, Measures& measures) const {
  auto [scaled, natural_map, impulses, velocities] = norms(r, u);
  if (joint_scale_.size() > 0) {
    const ContactNorms joints = joint_norms(r, u);
    scaled = std::hypot(scaled, joints.scaled);
    natural_map = std::hypot(natural_map, joints.natural_map);
    impulses = std::hypot(impulses, joints.impulses);
  }
  if (std::isnan(norm_) || std::isnan(velocities) || std::isnan(scaled)) return;
  measures.scaled_natural_map = ratio(scaled, weighted_norm_);
  const double largest = std::max({norm_, impulses, velocities});
  measures.desaxce =
      std::isfinite(largest) ? ratio(natural_map, largest) : std::numeric_limits<double>::infinity();
}

double ContactRuler::squared_error(Index i, const Vector& r, const Vector& u) const {
  if (is_safe(norm_ * norm_) && !has_facets(law_)) {
    const double *impulse = r.data() + dimension_ * i, *velocity = u.data() + dimension_ * i;
    const auto squared = [&]<int dimension>() {
      return law_ == FrictionLaw::coulomb
                 ? squared_contact_error<dimension, true>(impulse, velocity, mu_[i], scale_[i])
                 : squared_contact_error<dimension, false>(impulse, velocity, mu_[i], scale_[i]);
    };
    return weight(i) *
           (dimension_ == 3 ? squared.template operator()<3>() : squared.template operator()<2>());
  }
  const double error = contact_error(i, scale_[i], r, u);
  return weight(i) * error * error;
}

double ContactRuler::contact_error(Index contact, double d, const Vector& r, const Vector& u) const {
  const double mu = mu_[contact];
  const double* impulse = r.data() + dimension_ * contact;
  const double* velocity = u.data() + dimension_ * contact;
  if (has_facets(law_)) {
    const double radius = law_ == FrictionLaw::box_once ? bounds_[contact] : mu * std::max(impulse[0], 0.0);
    return std::hypot(row_error(impulse[0], velocity[0], d, 0.0, infinity),
                      tangent_error(radius, d, r.segment(dimension_ * contact + 1, dimension_ - 1),
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
