// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/contact_methods.hpp"

#include <fmt/format.h>

#include <cassert>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/contact/box_friction.hpp"
#include "slipstick/contact/staggered.hpp"

namespace slipstick {
namespace {

// What the words of --solver come to.
struct Choice {
  bool staggered;
  std::string_view contact, friction;
};

Choice choice_of(FrictionLaw law, int dimension, std::string_view solvers) {
  const std::size_t plus = solvers.find('+');
  const bool pair = plus != std::string_view::npos;
  if (law == FrictionLaw::box && pair) fail("box friction takes one solver, not '{}'", solvers);
  const bool staggered = law == FrictionLaw::coulomb || pair;
  if (solvers == "auto") {
    const bool disks = law == FrictionLaw::coulomb && dimension == 3;
    return {staggered, "mprgp", disks ? "apgd" : "mprgp"};
  }
  if (!pair) return {staggered, solvers, solvers};
  return {staggered, solvers.substr(0, plus), solvers.substr(plus + 1)};
}

}  // namespace

std::unique_ptr<ContactSolver> make_contact_solver(FrictionLaw law, int dimension, std::string_view solvers,
                                                   const Options& options) {
  assert(!is_convex(law));
  const Choice choice = choice_of(law, dimension, solvers);
  if (choice.staggered) {
    return std::make_unique<Staggered>(law, make_solver(choice.contact), make_solver(choice.friction),
                                       read_options<StaggeredSettings>(options, "staggered"));
  }
  if (!options.empty()) fail_unknown_option(options.begin()->first, "box friction", {});
  return std::make_unique<BoxFriction>(law, make_solver(choice.contact));
}

std::string contact_solver_name(FrictionLaw law, int dimension, std::string_view solvers) {
  const Choice choice = choice_of(law, dimension, solvers);
  return choice.staggered ? fmt::format("staggered({}, {})", choice.contact, choice.friction)
                          : fmt::format("box({})", choice.contact);
}

}  // namespace slipstick
