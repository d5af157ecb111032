// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/contact_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/contact/coulomb/coulomb_solver.hpp"
#include "slipstick/contact/coulomb/newton/admm.hpp"
#include "slipstick/contact/coulomb/newton/extragradient.hpp"
#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs_matrix_free.hpp"
#include "slipstick/contact/sequence/box_friction.hpp"
#include "slipstick/contact/sequence/desaxce.hpp"
#include "slipstick/contact/sequence/staggered.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"

namespace slipstick {
namespace {

using enum FrictionLaw;
constexpr FrictionLaw coulomb_alone[] = {coulomb};
constexpr FrictionLaw coulomb_and_diamonds[] = {coulomb, diamond};
constexpr FrictionLaw boxes[] = {diamond, box};
struct NoSettings {};

// The methods for convex problems that are taken where none is named.
constexpr std::string_view cone_solver = "ipm";
constexpr std::string_view box_solver = "mprgp";
std::string_view friction_solver(FrictionLaw law, int dimension) {
  return law == coulomb && dimension == 3 ? "apgd" : box_solver;  // disks, or boxes
}

// A Coulomb method by itself.
template <class Method, class MethodSettings>
std::unique_ptr<ContactSolver> make_coulomb(FrictionLaw, int, const Options& options) {
  const auto settings = read_options<MethodSettings>(options, Method().name());
  return std::make_unique<CoulombSolver>([settings] {
    CoulombSolver::Chain chain;
    chain.push_back({std::make_unique<Method>(settings)});
    return chain;
  });
}

std::unique_ptr<ContactSolver> make_desaxce(std::string_view solver, const Options& options) {
  return std::make_unique<Desaxce>(make_solver(solver), read_options<DesaxceSettings>(options, "desaxce"));
}

std::unique_ptr<ContactSolver> make_staggered(FrictionLaw law, std::string_view contact,
                                              std::string_view friction, const Options& options) {
  return std::make_unique<Staggered>(law, make_solver(contact), make_solver(friction),
                                     read_options<StaggeredSettings>(options, "staggered"));
}

std::unique_ptr<ContactSolver> make_box(FrictionLaw law, std::string_view solver, const Options& options) {
  read_options<NoSettings>(options, "box");
  return std::make_unique<BoxFriction>(law, make_solver(solver));
}

// Disks are not for it.
bool schurpa_sp_takes(FrictionLaw law, int dimension) {
  return law == diamond || dimension == 2;
}

// Litven 2013, Algorithm 4.2: staggered projections with one factorization for contact and one for friction,
// kept through all iterations. W_NN and W_TT must be definite for it.
std::unique_ptr<ContactSolver> make_schurpa_sp(FrictionLaw law, int dimension, const Options& options) {
  constexpr std::string_view shift = "1e-3";  // unless told otherwise
  if (!schurpa_sp_takes(law, dimension))
    fail("schurpa-sp takes the law of diamonds, or contacts in the plane");
  Options with_shift = options;
  with_shift.try_emplace("proximal", shift);
  const auto schurpa = [] { return std::make_unique<Schurpa>(SchurpaSettings{.keep = true}); };
  return std::make_unique<Staggered>(law, schurpa(), schurpa(),
                                     read_options<StaggeredSettings>(with_shift, "schurpa-sp"));
}

constexpr ContactMethod contact_methods_table[] = {
    {.name = "nsgs",
     .summary = "nonsmooth Gauss-Seidel, every contact solved exactly in turn",
     .paper = "Jourdan, Alart and Jean 1998",
     .advice = "moderate accuracy; the start of every other method",
     .laws = coulomb_alone,
     .warm_start = true,
     .make = make_coulomb<Nsgs, NsgsSettings>,
     .options = describe_options<NsgsSettings>},
    {.name = "nsgs-free",
     .summary = "the same without assembling W, through the bodies",
     .paper = "Jourdan, Alart and Jean 1998; Tasora and Anitescu 2010",
     .advice = "contacts by the hundred thousand, moderate accuracy",
     .laws = coulomb_alone,
     .warm_start = true,
     .matrix_free = true,
     .make = [](FrictionLaw, int, const Options& options) -> std::unique_ptr<ContactSolver> {
       return std::make_unique<NsgsMatrixFree>(read_options<NsgsSettings>(options, "nsgs-free"));
     },
     .options = describe_options<NsgsSettings>},
    {.name = "nsn",
     .summary = "semismooth Newton (Alart-Curnier or Jean-Moreau), globalized",
     .paper = "Alart and Curnier 1991",
     .advice = "high accuracy from a good start",
     .laws = coulomb_alone,
     .warm_start = true,
     .make = make_coulomb<Nsn, NsnSettings>,
     .options = describe_options<NsnSettings>},
    {.name = "prox",
     .summary = "proximal point iteration over semismooth Newton",
     .paper = "Alart and Curnier 1991; Rockafellar 1976",
     .advice = "redundant contacts, where Newton's method fails",
     .laws = coulomb_alone,
     .warm_start = true,
     .make = make_coulomb<Prox, ProxSettings>,
     .options = describe_options<ProxSettings>},
    {.name = "ncp-ipm",
     .summary = "interior point method on the exact law, arc length through folds",
     .paper = "beyond the papers (Acary et al. 2024 for the convex law)",
     .advice = "high accuracy without a start",
     .laws = coulomb_alone,
     .warm_start = true,
     .make = make_coulomb<NcpIpm, NcpIpmSettings>,
     .options = describe_options<NcpIpmSettings>},
    {.name = "admm",
     .summary = "alternating directions with spectral penalties, one factorization for each",
     .paper = "beyond the papers (Boyd et al. 2011)",
     .advice = "moderate accuracy where sweeps are slow",
     .laws = coulomb_alone,
     .warm_start = true,
     .make = make_coulomb<Admm, AdmmSettings>,
     .options = describe_options<AdmmSettings>},
    {.name = "eg",
     .summary = "extragradient steps of adaptive length on the shifted law",
     .paper = "beyond the papers (Korpelevich 1976; Khobotov 1987)",
     .advice = "a baseline; products alone",
     .laws = coulomb_alone,
     .warm_start = true,
     .make = make_coulomb<Extragradient, ExtragradientSettings>,
     .options = describe_options<ExtragradientSettings>},
    {.name = "desaxce",
     .summary = "fixed point over cone complementarity problems, accelerated",
     .paper = "De Saxc&eacute; and Feng 1998",
     .advice = "moderate friction, with any cone solver; large problems with apgd",
     .laws = coulomb_alone,
     .warm_start = false,
     .make = [](FrictionLaw, int, const Options& options) { return make_desaxce(cone_solver, options); },
     .options = describe_options<DesaxceSettings>},
    {.name = "staggered",
     .summary = "contact and friction as convex problems in turns",
     .paper = "Litven 2013, Alg. 4.1",
     .advice = "methods for bounds on contact problems; little friction",
     .laws = coulomb_and_diamonds,
     .warm_start = true,
     .make =
         [](FrictionLaw law, int dimension, const Options& options) {
           return make_staggered(law, box_solver, friction_solver(law, dimension), options);
         },
     .options = describe_options<StaggeredSettings>},
    {.name = "schurpa-sp",
     .summary = "the same by schurpa with one factorization each",
     .paper = "Litven 2013, Alg. 4.2",
     .advice = "diamonds, or the plane; slowly changing sets",
     .laws = coulomb_and_diamonds,
     .warm_start = true,
     .make = make_schurpa_sp,
     .options = describe_options<StaggeredSettings>},
    {.name = "box",
     .summary = "boxed problems with bounds from the last normals",
     .paper = "Ho 2022, ch. 2",
     .advice = "friction in boxes or diamonds",
     .laws = boxes,
     .warm_start = false,
     .make = [](FrictionLaw law, int, const Options& options) { return make_box(law, box_solver, options); },
     .options = describe_options<NoSettings>},
};

// What the word after --solver comes to.
struct Choice {
  const ContactMethod* method = nullptr;         // of the table
  std::string_view contact = {}, friction = {};  // else methods of the catalog, one or two
};

// With one tangent, boxes and diamonds are the cones of Coulomb's law.
Choice choice_of(FrictionLaw law, int dimension, std::string_view solver) {
  if (solver == "auto" && (law == coulomb || dimension == 2)) return {};
  if (solver == "auto") solver = "box";
  if (const ContactMethod* method = find_contact_method(solver)) {
    if (std::find(method->laws.begin(), method->laws.end(), law) == method->laws.end())
      fail("{} does not take the law '{}'", solver, name(law));
    return {.method = method};
  }
  const std::size_t plus = solver.find('+');
  if (plus == std::string_view::npos) return {.contact = solver};
  if (law == box) fail("box friction takes one solver, not '{}'", solver);
  return {.contact = solver.substr(0, plus), .friction = solver.substr(plus + 1)};
}

}  // namespace

std::span<const ContactMethod> contact_methods() {
  return contact_methods_table;
}

const ContactMethod* find_contact_method(std::string_view name) {
  const auto* row = std::find_if(std::begin(contact_methods_table), std::end(contact_methods_table),
                                 [&](const auto& method) { return method.name == name; });
  return row == std::end(contact_methods_table) ? nullptr : row;
}

bool is_contact_solver(FrictionLaw law, std::string_view solver) {
  if (is_convex(law)) return false;
  if (const ContactMethod* method = find_contact_method(solver))
    return std::find(method->laws.begin(), method->laws.end(), law) != method->laws.end();
  const std::size_t plus = solver.find('+');
  const bool pair = plus != std::string_view::npos;
  if (pair && law == box) return false;
  return solver == "auto" || (find_solver(solver.substr(0, plus)) != nullptr &&
                              (!pair || find_solver(solver.substr(plus + 1)) != nullptr));
}

bool takes_contacts(FrictionLaw law, int dimension, std::string_view solver) {
  return is_contact_solver(law, solver) && (solver != "schurpa-sp" || schurpa_sp_takes(law, dimension));
}

std::unique_ptr<ContactSolver> make_contact_solver(FrictionLaw law, int dimension, std::string_view solver,
                                                   const Options& options) {
  assert(!is_convex(law));
  const Choice choice = choice_of(law, dimension, solver);
  if (choice.method != nullptr) return choice.method->make(law, dimension, options);
  if (choice.contact.empty()) {
    if (!options.empty())
      fail("option '{}' belongs to a method: name one instead of auto", options.begin()->first);
    return std::make_unique<CoulombSolver>(automatic_coulomb_chain);
  }
  if (!choice.friction.empty()) return make_staggered(law, choice.contact, choice.friction, options);
  return law == coulomb ? make_desaxce(choice.contact, options) : make_box(law, choice.contact, options);
}

std::string contact_solver_name(FrictionLaw law, int dimension, std::string_view solver) {
  const Choice choice = choice_of(law, dimension, solver);
  if (choice.method == nullptr) {
    if (choice.contact.empty()) return "auto";
    if (!choice.friction.empty()) return fmt::format("staggered({}, {})", choice.contact, choice.friction);
    return fmt::format("{}({})", law == coulomb ? "desaxce" : "box", choice.contact);
  }
  const std::string_view name = choice.method->name;
  if (name == "desaxce") return fmt::format("desaxce({})", cone_solver);
  if (name == "box") return fmt::format("box({})", box_solver);
  if (name == "staggered")
    return fmt::format("staggered({}, {})", box_solver, friction_solver(law, dimension));
  return std::string(name);
}

}  // namespace slipstick
