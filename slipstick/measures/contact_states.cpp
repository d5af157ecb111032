// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/contact_error.hpp"
#include "slipstick/measures/contact_measures.hpp"

namespace slipstick {
namespace {

using namespace internal;

// A slip below this share of the impulse, in the ruler's units, is rounding.
constexpr double smallest_slip = 1e-8;

// The state of a point x = (N, T...) under a law. `bound` is that of friction under the laws of boxes and
// diamonds.
ContactState state_of(FrictionLaw law, double mu, const Eigen::Vector3d& x, double bound) {
  const auto tangent = x.tail<2>();
  switch (law) {
    case FrictionLaw::coulomb:
    case FrictionLaw::convex: {
      const double length = tangent.norm();
      if (x[0] <= -mu * length) return ContactState::open;
      return length <= mu * x[0] + smallest_slip * x[0] ? ContactState::stick : ContactState::slip;
    }
    case FrictionLaw::diamond:
    case FrictionLaw::box:
    case FrictionLaw::box_once: {
      if (!(x[0] > 0.0)) return ContactState::open;
      const double length =
          law == FrictionLaw::diamond ? tangent.lpNorm<1>() : tangent.lpNorm<Eigen::Infinity>();
      return length <= bound + smallest_slip * x[0] ? ContactState::stick : ContactState::slip;
    }
    default:
      return x[0] > 0.0 ? ContactState::slip : ContactState::open;
  }
}

// scale(i) is the d of contact i.
template <class Scale>
void set_states(const auto& problem, FrictionLaw law, const Solution& solution, const Scale& scale,
                std::vector<ContactState>& states) {
  const Vector &r = solution.r, &u = solution.u, &mu = problem.mu;
  const Index contacts = mu.size(), dimension = problem.dimension;
  const Vector* bounds =
      law == FrictionLaw::box_once ? &friction_bounds(problem, solution.friction_bounds) : nullptr;
  if (r.size() < dimension * contacts || u.size() != r.size())
    fail("{} impulses and {} velocities do not belong to {} contacts", r.size(), u.size(), contacts);
  states.resize(static_cast<std::size_t>(contacts));
  Eigen::Vector3d x = Eigen::Vector3d::Zero();  // in the plane the last entry stays zero
  for (Index i = 0; i < contacts; ++i) {
    const Index first = dimension * i;
    const double share = 1.0 / ruler_scale(scale(i));
    for (Index a = 0; a < dimension; ++a) x[a] = r[first + a] - share * u[first + a];
    if (law == FrictionLaw::coulomb) x[0] -= share * mu[i] * u.segment(first + 1, dimension - 1).norm();
    const double bound = bounds != nullptr ? (*bounds)[i] : mu[i] * r[first];
    states[static_cast<std::size_t>(i)] = state_of(law, mu[i], x, bound);
  }
}

}  // namespace

void contact_states(const LocalContactProblem& problem, FrictionLaw law, const Solution& solution,
                    std::vector<ContactState>& states) {
  const int d = problem.dimension;
  const auto mean_diagonal = [&](Index contact) {
    double sum = 0.0;
    for (Index row = d * contact; row < d * (contact + 1); ++row) sum += problem.W.entry(row, row);
    return sum / d;
  };
  set_states(problem, law, solution, mean_diagonal, states);
}

void internal::contact_states(const LocalContactProblem& problem, FrictionLaw law, const ContactRuler& ruler,
                              const Solution& solution, std::vector<ContactState>& states) {
  const auto scale = [&](Index contact) { return ruler.scale()[contact]; };
  set_states(problem, law, solution, scale, states);
}

void contact_states(const GlobalContactProblem& problem, FrictionLaw law, const Solution& solution,
                    std::vector<ContactState>& states) {
  const int d = problem.dimension;
  Vector scale = Vector::Zero(problem.contacts());
  for (Index i = 0; i < problem.H.rows(); ++i) {
    const double mass = d * entry(problem.M, i, i);
    for (CsrMatrix::InnerIterator it(problem.H, i); it; ++it)
      if (mass > 0.0 && it.col() / d < scale.size()) scale[it.col() / d] += it.value() * it.value() / mass;
  }
  set_states(
      problem, law, solution, [&](Index contact) { return scale[contact]; }, states);
}

}  // namespace slipstick
