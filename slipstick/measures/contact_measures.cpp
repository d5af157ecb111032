// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/contact_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/measures/natural_map.hpp"

namespace slipstick::internal {

using namespace detail;

namespace {

void check_size(std::string_view what, Index have, Index need) {
  if (have != need) fail("the solution has {} {}, the problem {}", have, what, need);
}

// How far f + H r - M v is from zero, in two ways that large impulses cannot hide. First, as a momentum
// relative to the momenta in the data: f, and H q/d, which would stop the contacts one by one. Second, as the
// velocities that it causes at the rows, relative to q. The first sees bodies without contact, the second
// light bodies among heavy ones.
double squared_momentum_error(const GlobalContactProblem& problem, const ComponentInverse& inverse,
                              GlobalMeasureScratch& scratch) {
  auto& [ruler, residual, product, rows] = scratch;
  rows = ruler.load();
  for (Index i = 0; i < problem.contacts(); ++i)
    rows.segment(problem.dimension * i, problem.dimension) /= ruler.scale()[i];
  rows.tail(problem.joint_rows()).array() /= ruler.joint_scale().array();
  product.noalias() = problem.H * rows;
  const double momentum = std::max(problem.f.stableNorm(), product.stableNorm());

  product = residual;
  inverse.solve(product);
  rows.noalias() = problem.H.transpose() * product;
  const double caused = ruler.weighted_norm(rows);
  const double as_momentum = ratio(residual.stableNorm(), momentum);
  const double as_velocity = ratio(caused, ruler.weighted_norm());
  return as_momentum * as_momentum + as_velocity * as_velocity;
}

}  // namespace

void measure(const LocalContactProblem& problem, ContactRuler& ruler, Solution& solution, int threads,
             Measures& measures) {
  const Vector& r = solution.r;
  Vector& u = solution.u;
  check_size("impulses", r.size(), problem.q.size());
  measures = {};
  u.resize(problem.q.size());
  problem.W.multiply(r, u, threads);
  u += problem.q;
  ruler.judge(r, u, measures);
}

namespace {

void measure_global(const GlobalContactProblem& problem, FrictionLaw law, const ComponentInverse& inverse,
                    const Vector* diagonal, GlobalMeasureScratch& scratch, Solution& solution,
                    Measures& measures) {
  const Vector& r = solution.r;
  Vector& v = solution.v;
  Vector& u = solution.u;
  check_size("impulses", r.size(), problem.w.size());
  measures = {};

  Vector& product = scratch.product;
  Vector& residual = scratch.momentum;
  double momenta = problem.f.norm();
  const auto include = [&](const Vector& momentum) { momenta = std::max(momenta, momentum.norm()); };
  product.noalias() = problem.H * r;
  include(product);
  residual = problem.f + product;
  if (v.size() != residual.size()) {
    if (inverse.singular()) return;
    v = residual;
    inverse.solve(v);
  }
  product.noalias() = problem.M * v;
  include(product);
  residual -= product;
  u.noalias() = problem.H.transpose() * v;
  u += problem.w;
  if (problem.compliance.size() > 0) u.array() += problem.compliance.array() * r.array();
  if (!all_finite(residual)) return;

  ContactRuler& ruler = scratch.ruler;
  ruler.prepare(problem, law, inverse, diagonal, solution.friction_bounds);
  const ContactNorms norms = ruler.norms(r, u), joints = ruler.joint_norms(r, u);
  if (std::isnan(norms.velocities) || std::isnan(joints.velocities)) return;
  if (!inverse.singular()) {
    const double contact = ratio(std::hypot(norms.scaled, joints.scaled), ruler.weighted_norm());
    measures.scaled_natural_map =
        std::sqrt(contact * contact + squared_momentum_error(problem, inverse, scratch));
  }
  const double error = std::hypot(norms.natural_map, joints.natural_map);
  const double largest =
      std::max({norms.velocities, norms.impulses, problem.w.tail(problem.joint_rows()).norm()});
  measures.desaxce = std::isfinite(momenta) && std::isfinite(largest)
                         ? ratio(residual.norm(), momenta) + ratio(error, largest)
                         : std::numeric_limits<double>::infinity();
}

}  // namespace

void measure(const GlobalContactProblem& problem, FrictionLaw law, const ComponentInverse& inverse,
             const Vector& diagonal, GlobalMeasureScratch& scratch, Solution& solution, Measures& measures) {
  measure_global(problem, law, inverse, &diagonal, scratch, solution, measures);
}

std::vector<WorstRow> worst_contacts(const LocalContactProblem& problem, FrictionLaw law,
                                     const Solution& solution, Index k) {
  check_size("impulses", solution.r.size(), problem.q.size());
  check_size("velocities", solution.u.size(), problem.q.size());
  ContactRuler ruler;
  ruler.prepare(problem, law, solution.friction_bounds);
  std::vector<WorstRow> contacts;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const auto rows = [&](const Vector& x) { return x.segment(problem.dimension * i, problem.dimension); };
    const bool finite = all_finite(rows(solution.r)) && all_finite(rows(solution.u));
    const double error =
        ratio(ruler.contact_error(i, ruler.scale()[i], solution.r, solution.u), ruler.norm());
    contacts.push_back({i, finite ? error : std::numeric_limits<double>::infinity()});
  }
  keep_worst(contacts, k);
  return contacts;
}

}  // namespace slipstick::internal

namespace slipstick {
using namespace internal;

void measure(const LocalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures) {
  ContactRuler ruler;
  ruler.prepare(problem, law, solution.friction_bounds);
  measure(problem, ruler, solution, 1, measures);
}

void measure(const GlobalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures) {
  GlobalMeasureScratch scratch;
  measure_global(problem, law, ComponentInverse(problem.M), nullptr, scratch, solution, measures);
}

}  // namespace slipstick
