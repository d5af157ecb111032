// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/catalog/method_options.hpp"
#include "slipstick/settings.hpp"
#include "slipstick/solve/contact_solver.hpp"
#include "slipstick/solve/options.hpp"

namespace slipstick::internal {

/// Whether contact under the law is one convex problem, which a Solver takes. Else it is a ContactSolver's.
constexpr bool is_convex(FrictionLaw law) {
  return law == FrictionLaw::none || law == FrictionLaw::convex;
}

/// What a contact method is made for.
struct ContactSetup {
  FrictionLaw law;
  int dimension;              ///< of the contacts, 2 or 3
  std::string_view contact;   ///< the convex solver inside a sequence, in `staggered` that for contact
  std::string_view friction;  ///< in `staggered` that for friction
  const MethodOptions& options;
};

/// One method for contact under a law that is not convex.
struct ContactMethod {
  std::string_view name;
  std::string_view summary;
  std::string_view paper;
  std::string_view advice;
  std::span<const FrictionLaw> laws;
  bool warm_start = true;    ///< profits from a start near the solution
  bool matrix_free = false;  ///< needs products and diagonal blocks alone
  int inner_solvers = 0;     ///< convex solvers inside it: 1, or 2 for contact and friction
  std::unique_ptr<ContactSolver> (*make)(const ContactSetup& setup);
  std::vector<OptionInfo> (*options)();
};
/// The table of them, in the order of the documentation.
std::span<const ContactMethod> contact_methods();
/// nullptr where there is no such method.
const ContactMethod* find_contact_method(std::string_view name);

/// Whether make_contact_solver takes `solver` under the law for contacts of that dimension. No solver is one
/// under a convex law. What contacts in space take, those in the plane take too.
bool takes_contacts(FrictionLaw law, int dimension, std::string_view solver);

/// Fails, saying why and listing the names there are, where no problem could be solved by `solver` under the
/// law: it is unknown, was renamed, or does not take the law.
void check_solver(std::string_view solver, FrictionLaw law);

/// The method for a law that is not convex. `solver` is a name of the table above; or one of the catalog, for
/// the convex problems inside `desaxce-fixed-point` under Coulomb's law, inside `box-sequence` under the
/// others; or two of the catalog, "contact+friction", inside `staggered`; or `auto`. A plain option is one of
/// the method named, of `staggered` where two are named; NAME.KEY is one of the method NAME that works with
/// it. `typed` is the settings struct of the method named. In the plane the law() of what `auto` makes is
/// Coulomb's, which the others are there. Fails where there is no such method or an option is wrong.
std::unique_ptr<ContactSolver> make_contact_solver(FrictionLaw law, int dimension, std::string_view solver,
                                                   const Options& options = {},
                                                   const AnySettings& typed = {});
/// What it is called: "staggered(mprgp, apgd)"
std::string contact_solver_name(FrictionLaw law, int dimension, std::string_view solver);

}  // namespace slipstick::internal
