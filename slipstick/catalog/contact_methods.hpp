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
  return law == FrictionLaw::none || law == FrictionLaw::convex || law == FrictionLaw::box_once;
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
  bool warm_start = true;     ///< profits from a start near the solution
  bool matrix_free = false;   ///< needs products and diagonal blocks alone
  bool needs_device = false;  ///< refuses every problem where there is no CUDA device
  int inner_solvers = 0;      ///< convex solvers inside it: 1, or 2 for contact and friction
  std::unique_ptr<ContactSolver> (*make)(const ContactSetup& setup);
  std::vector<OptionInfo> (*options)();
};
/// The table of them, in the order of the documentation.
std::span<const ContactMethod> contact_methods();
/// nullptr if there is no such method.
const ContactMethod* find_contact_method(std::string_view name);

/// True if the method, also one with others inside, is one for a device.
bool needs_device(std::string_view solver);

/// True if make_contact_solver takes `solver` under the law for contacts of that dimension. It is false under
/// a convex law. A solver for contacts in space also takes contacts in the plane.
bool takes_contacts(FrictionLaw law, int dimension, std::string_view solver);

/// Fails if `solver` can solve no problem under the law: it is unknown, was renamed, or does not take the
/// law. The error says why and lists the names.
void check_solver(std::string_view solver, FrictionLaw law);

/// The method for a law that is not convex. `solver` is one of
/// - a name of the table above, or `auto`;
/// - a name of the catalog: it solves the convex problems inside `desaxce-fixed-point` under Coulomb's law,
/// or
///   inside `box-sequence` under the other laws;
/// - two names of the catalog, "contact+friction": they work inside `staggered`.
/// A plain option belongs to the named method, or to `staggered` if there are two names. NAME.KEY belongs to
/// the method NAME that works with it. `typed` is the settings struct of the named method. In the plane all
/// these laws are Coulomb's law, which is then the law() of what `auto` makes. Fails if there is no such
/// method or an option is wrong.
std::unique_ptr<ContactSolver> make_contact_solver(FrictionLaw law, int dimension, std::string_view solver,
                                                   const Options& options = {},
                                                   const AnySettings& typed = {});
/// `auto` where a device was asked for: many contacts in space are given to it first.
std::unique_ptr<ContactSolver> make_automatic_solver_with_device(FrictionLaw law, int dimension);
/// What it is called: "staggered(mprgp, apgd)"
std::string contact_solver_name(FrictionLaw law, int dimension, std::string_view solver);

}  // namespace slipstick::internal
