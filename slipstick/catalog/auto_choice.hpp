// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// One step of the chain that `auto` works through.
struct AutoStep {
  std::string_view solver;
  int max_iterations;  ///< its budget if other methods follow; 0: the method's own limit
  std::string_view reason;
};

/// chain <- the methods that `auto` tries on a problem, in order, chosen by class, size, structure and
/// tolerance. A method that turns out not to support the problem is passed over. `diagonal` is that of A, and
/// read only if K is a box and there are no linear rows.
void auto_choice(const Problem& problem, const Vector& diagonal, double tolerance,
                 std::vector<AutoStep>& chain);
/// Puts the methods for a device first that take the problem, if it is large enough for one. True if there
/// are any.
bool add_device_methods(const Problem& problem, std::vector<AutoStep>& chain);
/// Tolerances from this one on, and looser ones, are met by gradients alone before an interior point method
/// has made its factorizations. The rule uses the tolerance in no other way. Parts of a problem get shares of
/// its tolerance, so that this is less than the 1e-4 of a simulator.
inline constexpr double loose_tolerance = 2e-5;

/// The method that `auto` takes for contact under a law that is not convex. It is empty for the chains of
/// Coulomb's law and of boxes (contact/coulomb/auto). With one tangent boxes and diamonds are the cones of
/// Coulomb's law.
std::string_view auto_contact_method(FrictionLaw law, int dimension);
/// The convex solver inside a sequence if the user names none. `index` is 1 for the friction of `staggered`.
std::string_view inner_solver(FrictionLaw law, int dimension, std::string_view sequence, int index);

}  // namespace slipstick::internal
