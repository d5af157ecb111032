// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/solve/contact_solver.hpp"
#include "slipstick/solve/options.hpp"

namespace slipstick {

/// Whether contact under the law is one convex problem, which a Solver takes. Else it is a ContactSolver's.
constexpr bool is_convex(FrictionLaw law) {
  return law == FrictionLaw::none || law == FrictionLaw::convex;
}

/// One method for contact under a law that is not convex.
struct ContactMethod {
  std::string_view name;
  std::string_view summary;
  std::string_view paper;
  std::string_view advice;
  std::span<const FrictionLaw> laws;
  bool warm_start;           ///< profits from a start near the solution
  bool matrix_free = false;  ///< needs products and diagonal blocks alone
  std::unique_ptr<ContactSolver> (*make)(FrictionLaw law, int dimension, const Options& options);
  std::vector<OptionInfo> (*options)();
};
/// The table of them, in the order of the documentation.
std::span<const ContactMethod> contact_methods();
/// nullptr where there is no such method.
const ContactMethod* find_contact_method(std::string_view name);

/// Whether `solver` can be asked for under the law: what make_contact_solver takes, but for the options. No
/// solver is one under a convex law.
bool is_contact_solver(FrictionLaw law, std::string_view solver);

/// The same for contacts of that dimension: some methods take a law in the plane alone.
bool takes_contacts(FrictionLaw law, int dimension, std::string_view solver);

/// The method for a law that is not convex. `solver` is a name of the table above; or one of the catalog, for
/// the convex problems on the way: those of `desaxce` under Coulomb's law, of `box` under the others; or two
/// of the catalog, "contact+friction", for staggered projections; or `auto`. Options are those of the method
/// of the table. In the plane the law() of what `auto` makes is Coulomb's, which the others are there. Fails
/// where there is no such method or an option is wrong.
std::unique_ptr<ContactSolver> make_contact_solver(FrictionLaw law, int dimension, std::string_view solver,
                                                   const Options& options = {});
/// What it is called: "staggered(mprgp, apgd)"
std::string contact_solver_name(FrictionLaw law, int dimension, std::string_view solver);

}  // namespace slipstick
