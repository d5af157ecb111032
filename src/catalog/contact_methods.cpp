// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/contact_methods.hpp"

#include <fmt/format.h>

#include <cassert>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/contact/box_friction.hpp"
#include "slipstick/contact/staggered.hpp"
#include "slipstick/solvers/schurpa.hpp"

namespace slipstick {
namespace {

// Litven 2013, Algorithm 4.2: staggered projections with one factorization for contact and one for friction,
// kept through all iterations. W_NN and W_TT must be definite for it.
constexpr std::string_view schurpa_sp = "schurpa-sp";
constexpr std::string_view schurpa_sp_shift = "1e-3";  // unless told otherwise

// What the words of --solver come to.
struct Choice {
  bool staggered;
  std::string_view contact, friction;
};

Choice choice_of(FrictionLaw law, int dimension, std::string_view solvers) {
  if (solvers == schurpa_sp) {
    if (law == FrictionLaw::box || (law == FrictionLaw::coulomb && dimension == 3))
      fail("{} takes the law of diamonds, or contacts in the plane", schurpa_sp);
    return {true, solvers, solvers};
  }
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
  if (choice.contact == schurpa_sp) {
    Options with_shift = options;
    with_shift.try_emplace("proximal", schurpa_sp_shift);
    const auto schurpa = [] { return std::make_unique<Schurpa>(SchurpaSettings{.keep = true}); };
    return std::make_unique<Staggered>(law, schurpa(), schurpa(),
                                       read_options<StaggeredSettings>(with_shift, schurpa_sp));
  }
  if (choice.staggered) {
    return std::make_unique<Staggered>(law, make_solver(choice.contact), make_solver(choice.friction),
                                       read_options<StaggeredSettings>(options, "staggered"));
  }
  if (!options.empty()) fail_unknown_option(options.begin()->first, "box friction", {});
  return std::make_unique<BoxFriction>(law, make_solver(choice.contact));
}

std::string contact_solver_name(FrictionLaw law, int dimension, std::string_view solvers) {
  const Choice choice = choice_of(law, dimension, solvers);
  if (choice.contact == schurpa_sp) return std::string(schurpa_sp);
  return choice.staggered ? fmt::format("staggered({}, {})", choice.contact, choice.friction)
                          : fmt::format("box({})", choice.contact);
}

}  // namespace slipstick
