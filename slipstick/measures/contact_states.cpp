// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/measures.hpp"

namespace slipstick {
namespace {

using internal::fail;

// The state of a point x = (N, T...) under a law. `normal` is r_N, which bounds friction under the laws of
// boxes and diamonds.
ContactState state_of(FrictionLaw law, double mu, const Eigen::Vector3d& x, double normal) {
  const auto tangent = x.tail<2>();
  switch (law) {
    case FrictionLaw::coulomb:
    case FrictionLaw::convex: {
      const double length = tangent.norm();
      if (x[0] <= -mu * length) return ContactState::open;
      return length <= mu * x[0] ? ContactState::stick : ContactState::slip;
    }
    case FrictionLaw::diamond:
    case FrictionLaw::box: {
      if (!(x[0] > 0.0)) return ContactState::open;
      const double length = law == FrictionLaw::box ? tangent.lpNorm<Eigen::Infinity>() : tangent.lpNorm<1>();
      return length <= mu * normal ? ContactState::stick : ContactState::slip;
    }
    default:
      return x[0] > 0.0 ? ContactState::slip : ContactState::open;
  }
}

}  // namespace

void contact_states(const Vector& mu, FrictionLaw law, const Solution& solution,
                    std::vector<ContactState>& states) {
  const Vector &r = solution.r, &u = solution.u;
  const Index contacts = mu.size(), dimension = contacts > 0 ? r.size() / contacts : 2;
  if (r.size() != u.size() || r.size() != dimension * contacts || (dimension != 2 && dimension != 3))
    fail("{} impulses and {} velocities do not belong to {} contacts", r.size(), u.size(), contacts);
  const double impulses = r.stableNorm(), velocities = u.stableNorm();
  const double share = impulses > 0.0 && velocities > 0.0 ? impulses / velocities : 1.0;
  states.resize(static_cast<std::size_t>(contacts));
  Eigen::Vector3d x = Eigen::Vector3d::Zero();  // in the plane the last entry stays zero
  for (Index i = 0; i < contacts; ++i) {
    const Index first = dimension * i;
    for (Index a = 0; a < dimension; ++a) x[a] = r[first + a] - share * u[first + a];
    if (law == FrictionLaw::coulomb) x[0] -= share * mu[i] * u.segment(first + 1, dimension - 1).norm();
    states[static_cast<std::size_t>(i)] = state_of(law, mu[i], x, r[first]);
  }
}

}  // namespace slipstick
