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

// How far f + H r + G l - M v is from zero, in two ways that no impulse can buy off: as a momentum relative
// to the momenta in the data (f, and H q/d, which would stop the contacts one by one), and as the velocities
// of contacts and bilateral rows that it would cause, relative to ||(q, s)||. The first sees bodies without
// contact, the second light bodies among heavy ones.
double squared_momentum_error(const GlobalContactProblem& problem, const ContactRuler& ruler,
                              const ComponentInverse& inverse, const Vector& residual) {
  Vector velocity = problem.f;
  inverse.solve(velocity);
  Vector stopping = problem.H.transpose() * velocity + problem.w;
  for (Index i = 0; i < problem.contacts(); ++i)
    stopping.segment(problem.dimension * i, problem.dimension) /= ruler.scale()[i];
  const double momentum = std::max(problem.f.stableNorm(), Vector(problem.H * stopping).stableNorm());

  velocity = residual;
  inverse.solve(velocity);
  double caused = Vector(problem.H.transpose() * velocity).stableNorm();
  if (problem.bilateral)
    caused = std::hypot(caused, Vector(problem.bilateral->G.transpose() * velocity).stableNorm());
  const double as_momentum = ratio(residual.stableNorm(), momentum);
  const double as_velocity = ratio(caused, ruler.norm());
  return as_momentum * as_momentum + as_velocity * as_velocity;
}

}  // namespace

void measure(const LocalContactProblem& problem, const ContactRuler& ruler, Solution& solution,
             Measures& measures) {
  const Vector& r = solution.r;
  Vector& u = solution.u;
  check_size("contact impulses", r.size(), problem.q.size());
  measures = {};
  u.resize(problem.q.size());
  problem.W.multiply(r, u);
  u += problem.q;
  Vector bilateral;
  if (problem.bilateral) {
    const auto& [V, R, s] = *problem.bilateral;
    check_size("bilateral impulses", solution.l.size(), s.size());
    u += V * solution.l;
    bilateral = V.transpose() * r + R * solution.l + s;
  }
  measures.scaled_natural_map = ruler(r, u, bilateral);
  if (std::isnan(measures.scaled_natural_map)) return;
  measures.desaxce = ruler.published_error(r, solution.l, u, bilateral);
}

namespace {

void measure_global(const GlobalContactProblem& problem, FrictionLaw law, const ComponentInverse& inverse,
                    const Vector* diagonal, Solution& solution, Measures& measures) {
  const Vector& r = solution.r;
  Vector& v = solution.v;
  Vector& u = solution.u;
  check_size("contact impulses", r.size(), problem.w.size());
  if (problem.bilateral) check_size("bilateral impulses", solution.l.size(), problem.bilateral->b.size());
  measures = {};

  const Vector contact_momentum = problem.H * r;
  Vector bilateral_momentum = Vector::Zero(problem.f.size());
  if (problem.bilateral) bilateral_momentum = problem.bilateral->G * solution.l;
  const Vector momentum = problem.f + contact_momentum + bilateral_momentum;
  if (v.size() != momentum.size()) {
    if (inverse.singular()) return;
    v = momentum;
    inverse.solve(v);
  }
  const Vector mass_velocity = problem.M * v;
  const Vector residual = momentum - mass_velocity;
  u = problem.H.transpose() * v + problem.w;
  Vector bilateral;
  double norm_b = 0.0;
  if (problem.bilateral) {
    bilateral = problem.bilateral->G.transpose() * v + problem.bilateral->b;
    norm_b = problem.bilateral->b.norm();
  }
  if (!all_finite(r) || !all_finite(u) || !all_finite(residual) || !all_finite(bilateral)) return;

  ContactRuler ruler;
  ruler.prepare(problem, law, inverse, diagonal);
  if (!inverse.singular()) {
    const double contact = ruler(r, u, bilateral);
    measures.scaled_natural_map =
        std::sqrt(contact * contact + squared_momentum_error(problem, ruler, inverse, residual));
  }
  const double error = std::hypot(ruler.natural_map(r, u), bilateral.norm());
  const double momenta =
      std::max({problem.f.norm(), mass_velocity.norm(), contact_momentum.norm(), bilateral_momentum.norm()});
  const double largest = std::max({u.norm(), r.norm(), norm_b});
  measures.desaxce = std::isfinite(momenta) && std::isfinite(largest)
                         ? ratio(residual.norm(), momenta) + ratio(error, largest)
                         : std::numeric_limits<double>::infinity();
}

}  // namespace

void measure(const GlobalContactProblem& problem, FrictionLaw law, const ComponentInverse& inverse,
             const Vector& diagonal, Solution& solution, Measures& measures) {
  measure_global(problem, law, inverse, &diagonal, solution, measures);
}

std::vector<WorstRow> worst_contacts(const LocalContactProblem& problem, FrictionLaw law,
                                     const Solution& solution, Index k) {
  check_size("contact impulses", solution.r.size(), problem.q.size());
  check_size("contact velocities", solution.u.size(), problem.q.size());
  ContactRuler ruler;
  ruler.prepare(problem, law);
  std::vector<WorstRow> contacts;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const auto rows = [&](const Vector& x) { return x.segment(problem.dimension * i, problem.dimension); };
    const bool finite = all_finite(rows(solution.r)) && all_finite(rows(solution.u));
    const double error = ratio(ruler.contact_error(i, solution.r, solution.u), ruler.norm());
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
  ruler.prepare(problem, law);
  measure(problem, ruler, solution, measures);
}

void measure(const GlobalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures) {
  measure_global(problem, law, ComponentInverse(problem.M), nullptr, solution, measures);
}

}  // namespace slipstick
