// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "slipstick/solve/contact_solver.hpp"
#include "slipstick/solve/options.hpp"

namespace slipstick {

/// Whether contact under the law is one convex problem, which a Solver takes. Else it is a ContactSolver's.
constexpr bool is_convex(FrictionLaw law) {
  return law == FrictionLaw::none || law == FrictionLaw::convex;
}

/// The method for a law that is not convex, over the solvers that are named. Coulomb's law goes by staggered
/// projections with one for contact and one for friction, "contact+friction", or one name for both; boxes
/// and diamonds by boxed problems with one for these, and diamonds by staggered projections where two are
/// named; "schurpa-sp" is Litven's way with these, one factorization each. `auto` chooses. Options are those
/// of the method. Fails where there is no such solver or an option is wrong.
std::unique_ptr<ContactSolver> make_contact_solver(FrictionLaw law, int dimension, std::string_view solvers,
                                                   const Options& options = {});
/// What it is called: "staggered(mprgp, apgd)"
std::string contact_solver_name(FrictionLaw law, int dimension, std::string_view solvers);

}  // namespace slipstick
