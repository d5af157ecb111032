// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/contact_methods.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/auto_choice.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/device_first.hpp"
#include "slipstick/catalog/renamed.hpp"
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/contact/coulomb/coulomb_solver.hpp"
#include "slipstick/contact/coulomb/newton/admm.hpp"
#include "slipstick/contact/coulomb/newton/extragradient.hpp"
#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact/coulomb/newton/shift_ipm.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs_fast.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs_matrix_free.hpp"
#include "slipstick/contact/sequence/box_friction.hpp"
#include "slipstick/contact/sequence/desaxce.hpp"
#include "slipstick/contact/sequence/staggered.hpp"
#include "slipstick/cuda/nsgs_cuda.hpp"
#include "slipstick/cuda/nsgs_fast_cuda.hpp"
#include "slipstick/cuda/schurpa_cuda.hpp"
#include "slipstick/solve/options.hpp"
#include "slipstick/solvers/active_set/schurpa.hpp"

namespace slipstick::internal {
namespace {

using enum FrictionLaw;
constexpr FrictionLaw coulomb_alone[] = {coulomb};
constexpr FrictionLaw coulomb_and_boxes[] = {coulomb, box};
constexpr FrictionLaw coulomb_and_diamonds[] = {coulomb, diamond};
constexpr FrictionLaw boxes[] = {diamond, box};
struct NoSettings {};

// In the plane boxes are the cones of Coulomb's law.
FrictionLaw law_in(FrictionLaw law, int dimension) {
  return dimension == 2 ? coulomb : law;
}

// A Coulomb method by itself.
template <class Method, class MethodSettings>
std::unique_ptr<ContactSolver> make_coulomb(const ContactSetup& setup) {
  const auto settings = setup.options.read<MethodSettings>(Method().name());
  const auto make = [settings] {
    CoulombSolver::Chain chain;
    chain.push_back({[settings] { return std::make_unique<Method>(settings); }});
    return chain;
  };
  return std::make_unique<CoulombSolver>(make, law_in(setup.law, setup.dimension));
}

// A convex solver inside a sequence.
std::unique_ptr<Solver> make_inner(std::string_view name, const MethodOptions& options) {
  return make_solver(name, options.text(name), options.typed(name));
}

bool schurpa_sp_takes(FrictionLaw law, int dimension) {
  return law == diamond || dimension == 2;  // it does not take disks
}

// Litven 2013, Algorithm 4.2: staggered projections with one factorization for contact and one for friction,
// kept through all iterations. W_NN and W_TT must be definite for it, hence a shift by default.
// On a device the Hessians of both are assembled from the bodies.
template <class Method>
std::unique_ptr<ContactSolver> make_schurpa_sp(const ContactSetup& setup, std::string_view name) {
  if (!schurpa_sp_takes(setup.law, setup.dimension))
    fail("{} takes the law of diamonds, or contacts in the plane", name);
  AnySettings settings = setup.options.typed(name);
  if (!settings.has_value()) settings = StaggeredSettings{.proximal = 1e-3};
  const auto schurpa = [] { return std::make_unique<Method>(SchurpaSettings{.keep = true}); };
  return std::make_unique<Staggered>(
      setup.law, schurpa(), schurpa(),
      read_options<StaggeredSettings>(setup.options.text(name), name, settings),
      std::is_same_v<Method, SchurpaCuda>);
}

constexpr ContactMethod contact_methods_table[] = {
    {.name = "nsgs",
     .summary = "nonsmooth Gauss-Seidel, every contact solved exactly in turn",
     .paper = "Jourdan, Alart and Jean 1998",
     .advice = "moderate accuracy; the start of every other method",
     .laws = coulomb_and_boxes,
     .make = make_coulomb<Nsgs, NsgsSettings>,
     .options = describe_options<NsgsSettings>},
    {.name = "nsgs-fast",
     .summary = "sweeps with momentum, through the bodies, in parts for threads",
     .paper = "beyond the papers (Nesterov 1983; O'Donoghue and Candès 2015)",
     .advice = "islands of many contacts, also from the step before, moderate accuracy",
     .laws = coulomb_and_boxes,
     .make = make_coulomb<NsgsFast, NsgsFastSettings>,
     .options = describe_options<NsgsFastSettings>},
    {.name = "nsgs-free",
     .summary = "the same without assembling W, through the bodies",
     .paper = "Jourdan, Alart and Jean 1998; Tasora and Anitescu 2010",
     .advice = "contacts by the hundred thousand, moderate accuracy",
     .laws = coulomb_alone,
     .matrix_free = true,
     .make = [](const ContactSetup& setup) -> std::unique_ptr<ContactSolver> {
       return std::make_unique<NsgsMatrixFree>(setup.options.read<NsgsSettings>("nsgs-free"));
     },
     .options = describe_options<NsgsSettings>},
    {.name = "nsgs-cuda",
     .summary = "nsgs on a CUDA device, by colours, through the bodies",
     .paper = "Jourdan, Alart and Jean 1998; Tasora and Anitescu 2010",
     .advice = "rigid bodies with contacts by the hundred thousand, where there is a device",
     .laws = coulomb_alone,
     .needs_device = true,
     .make = [](const ContactSetup& setup) -> std::unique_ptr<ContactSolver> {
       return std::make_unique<NsgsCuda>(setup.options.read<NsgsSettings>("nsgs-cuda"));
     },
     .options = describe_options<NsgsSettings>},
    {.name = "nsgs-fast-cuda",
     .summary = "nsgs-fast on a CUDA device, by colours, through the bodies",
     .paper = "beyond the papers (Nesterov 1983; O'Donoghue and Candès 2015)",
     .advice = "rigid bodies with contacts by the hundred thousand, where there is a device",
     .laws = coulomb_alone,
     .needs_device = true,
     .make = [](const ContactSetup& setup) -> std::unique_ptr<ContactSolver> {
       return std::make_unique<NsgsFastCuda>(setup.options.read<NsgsFastSettings>("nsgs-fast-cuda"));
     },
     .options = describe_options<NsgsFastSettings>},
    {.name = "nsn",
     .summary = "semismooth Newton (Alart-Curnier or Jean-Moreau), globalized",
     .paper = "Alart and Curnier 1991",
     .advice = "high accuracy from a good start",
     .laws = coulomb_and_boxes,
     .make = make_coulomb<Nsn, NsnSettings>,
     .options = describe_options<NsnSettings>},
    {.name = "prox",
     .summary = "proximal point iteration over semismooth Newton",
     .paper = "Alart and Curnier 1991; Rockafellar 1976",
     .advice = "redundant contacts, where Newton's method fails",
     .laws = coulomb_and_boxes,
     .make = make_coulomb<Prox, ProxSettings>,
     .options = describe_options<ProxSettings>},
    {.name = "ncp-ipm",
     .summary = "interior point method on the exact law, arc length through folds",
     .paper = "beyond the papers (Acary et al. 2024 for the convex law)",
     .advice = "high accuracy without a start",
     .laws = coulomb_alone,
     .make = make_coulomb<NcpIpm, NcpIpmSettings>,
     .options = describe_options<NcpIpmSettings>},
    {.name = "shift-ipm",
     .summary = "interior point method whose sliding shift follows by an implicit relaxation",
     .paper = "beyond the papers (De Saxcé and Feng 1998; Kelley and Keyes 1998)",
     .advice = "heaps and packings that jam, high accuracy without a start",
     .laws = coulomb_and_boxes,
     .warm_start = false,
     .make = make_coulomb<ShiftIpm, ShiftIpmSettings>,
     .options = describe_options<ShiftIpmSettings>},
    {.name = "admm",
     .summary = "alternating directions with spectral penalties, one factorization for each",
     .paper = "beyond the papers (Boyd et al. 2011)",
     .advice = "moderate accuracy where sweeps are slow",
     .laws = coulomb_alone,
     .make = make_coulomb<Admm, AdmmSettings>,
     .options = describe_options<AdmmSettings>},
    {.name = "eg",
     .summary = "extragradient steps of adaptive length on the shifted law",
     .paper = "beyond the papers (Korpelevich 1976; Khobotov 1987)",
     .advice = "a baseline; products alone",
     .laws = coulomb_alone,
     .make = make_coulomb<Extragradient, ExtragradientSettings>,
     .options = describe_options<ExtragradientSettings>},
    {.name = "desaxce-fixed-point",
     .summary = "fixed point over cone complementarity problems, accelerated",
     .paper = "De Saxcé and Feng 1998",
     .advice = "moderate friction, with any cone solver; large problems with apgd",
     .laws = coulomb_alone,
     .warm_start = false,
     .inner_solvers = 1,
     .make = [](const ContactSetup& setup) -> std::unique_ptr<ContactSolver> {
       return std::make_unique<Desaxce>(make_inner(setup.contact, setup.options),
                                        setup.options.read<DesaxceSettings>("desaxce-fixed-point"));
     },
     .options = describe_options<DesaxceSettings>},
    {.name = "desaxce-cuda",
     .summary = "desaxce-fixed-point with apgd-cuda inside",
     .paper = "De Saxcé and Feng 1998; Melanz 2015 (APGD)",
     .advice =
         "rigid bodies with contacts by the hundred thousand, moderate friction, where there is a device",
     .laws = coulomb_alone,
     .warm_start = false,
     .needs_device = true,
     .inner_solvers = 1,
     .make = [](const ContactSetup& setup) -> std::unique_ptr<ContactSolver> {
       return std::make_unique<Desaxce>(make_inner(setup.contact, setup.options),
                                        setup.options.read<DesaxceSettings>("desaxce-cuda"));
     },
     .options = describe_options<DesaxceSettings>},
    {.name = "staggered",
     .summary = "contact and friction as convex problems in turns",
     .paper = "Litven 2013, Alg. 4.1",
     .advice = "methods for bounds on contact problems; little friction",
     .laws = coulomb_and_diamonds,
     .inner_solvers = 2,
     .make = [](const ContactSetup& setup) -> std::unique_ptr<ContactSolver> {
       return std::make_unique<Staggered>(setup.law, make_inner(setup.contact, setup.options),
                                          make_inner(setup.friction, setup.options),
                                          setup.options.read<StaggeredSettings>("staggered"));
     },
     .options = describe_options<StaggeredSettings>},
    {.name = "schurpa-sp",
     .summary = "the same by schurpa with one factorization each",
     .paper = "Litven 2013, Alg. 4.2",
     .advice = "diamonds, or the plane; slowly changing sets",
     .laws = coulomb_and_diamonds,
     .make = [](const ContactSetup& setup) { return make_schurpa_sp<Schurpa>(setup, "schurpa-sp"); },
     .options = describe_options<StaggeredSettings>},
    {.name = "schurpa-sp-cuda",
     .summary = "the same by schurpa-cuda",
     .paper = "Litven 2013, Alg. 4.2, chapters 5 and 6",
     .advice = "the same with wide bands, where there is a device",
     .laws = coulomb_and_diamonds,
     .needs_device = true,
     .make = [](const ContactSetup& setup) { return make_schurpa_sp<SchurpaCuda>(setup, "schurpa-sp-cuda"); },
     .options = describe_options<StaggeredSettings>},
    {.name = "box-sequence",
     .summary = "boxed problems with bounds from the last normals",
     .paper = "Ho 2022, ch. 2",
     .advice = "friction in boxes or diamonds",
     .laws = boxes,
     .warm_start = false,
     .inner_solvers = 1,
     .make = [](const ContactSetup& setup) -> std::unique_ptr<ContactSolver> {
       setup.options.read<NoSettings>("box-sequence");
       return std::make_unique<BoxFriction>(setup.law, make_inner(setup.contact, setup.options));
     },
     .options = describe_options<NoSettings>},
};

// What `solver` means under a law that is not convex.
struct Choice {
  const ContactMethod* method = nullptr;         // nullptr: the chain of the law
  std::string_view contact = {}, friction = {};  // the convex solvers inside a sequence
  std::string_view named = {};                   // whose options need no name
  std::string problem = {};                      // why there is none
};

Choice choose(FrictionLaw law, int dimension, std::string_view solver) {
  if (solver == "auto") {
    solver = auto_contact_method(law, dimension);
    if (solver.empty()) return {.named = "auto"};
  }
  const std::size_t plus = solver.find('+');
  const std::string_view first = solver.substr(0, plus);
  const std::string_view second = plus == solver.npos ? std::string_view{} : solver.substr(plus + 1);
  Choice choice{.method = find_contact_method(solver), .named = solver};
  if (choice.method != nullptr) {
    choice.contact =
        choice.method->inner_solvers > 0 ? inner_solver(law, dimension, choice.method->name, 0) : "";
    choice.friction =
        choice.method->inner_solvers > 1 ? inner_solver(law, dimension, choice.method->name, 1) : "";
  } else {
    for (const std::string_view name : {first, second}) {
      if (find_solver(name) == nullptr && (name == first || plus != solver.npos))
        return {.problem = fmt::format("there is no solver '{}'", name)};
    }
    choice.contact = first;
    choice.friction = second;
    if (plus != solver.npos) choice.named = "staggered";
    choice.method = find_contact_method(plus != solver.npos ? "staggered"
                                        : law == coulomb    ? "desaxce-fixed-point"
                                                            : "box-sequence");
  }
  const auto& laws = choice.method->laws;
  if (std::find(laws.begin(), laws.end(), law) == laws.end()) {
    choice.problem = fmt::format("{} does not take the law '{}'", choice.method->name, name(law));
  } else if (choice.method->name.starts_with("schurpa-sp") && !schurpa_sp_takes(law, dimension)) {
    choice.problem =
        fmt::format("{} takes the law of diamonds, or contacts in the plane", choice.method->name);
  }
  return choice;
}

Choice checked_choice(FrictionLaw law, int dimension, std::string_view solver) {
  assert(!is_convex(law));
  check_renamed(WordKind::solver, solver);
  Choice choice = choose(law, dimension, solver);
  if (!choice.problem.empty()) throw Error(choice.problem);
  return choice;
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

bool needs_device(std::string_view solver) {
  const std::string_view name = solver.substr(0, solver.find('('));
  const ContactMethod* method = find_contact_method(name);
  const CatalogRow* row = find_solver(name);
  return (method != nullptr && method->needs_device) || (row != nullptr && row->needs_device);
}

bool takes_contacts(FrictionLaw law, int dimension, std::string_view solver) {
  return !is_convex(law) && choose(law, dimension, solver).problem.empty();
}

void check_solver(std::string_view solver, FrictionLaw law) {
  if (solver == "auto" || find_solver(solver) != nullptr || takes_contacts(law, 2, solver)) return;
  check_renamed(WordKind::solver, solver);
  if (find_contact_method(solver) != nullptr) fail("{} does not take the law '{}'", solver, name(law));
  if (solver.find('+') != solver.npos && !is_convex(law)) checked_choice(law, 2, solver);
  std::vector<std::string_view> names, contact_names;
  for (const CatalogRow& row : catalog()) names.push_back(row.name);
  for (const ContactMethod& row : contact_methods()) {
    if (takes_contacts(law, 2, row.name)) contact_names.push_back(row.name);
  }
  fail("there is no solver '{}'; there are: auto, {}{}{}", solver, fmt::join(names, ", "),
       contact_names.empty() ? "" : "; for contacts: ", fmt::join(contact_names, ", "));
}

std::unique_ptr<ContactSolver> make_contact_solver(FrictionLaw law, int dimension, std::string_view solver,
                                                   const Options& options, const AnySettings& typed) {
  const Choice choice = checked_choice(law, dimension, solver);
  const MethodOptions sorted(choice.named, options, typed);
  if (choice.method == nullptr) {
    if (!sorted.empty()) fail("auto has no options: name a method");
    law = law_in(law, dimension);
    if (law != box) return std::make_unique<CoulombSolver>(automatic_coulomb_chain, law);
    const auto last = [] { return make_contact_solver(box, 3, "box-sequence", {}, {}); };
    return std::make_unique<CoulombSolver>([last] { return box_chain(last); }, law);
  }
  sorted.check_methods({choice.method->name, choice.contact, choice.friction});
  return choice.method->make({law, dimension, choice.contact, choice.friction, sorted});
}

std::unique_ptr<ContactSolver> make_automatic_solver_with_device(FrictionLaw law, int dimension) {
  auto host = make_contact_solver(law, dimension, "auto");
  if (law != coulomb || dimension != 3) return host;
  constexpr std::string_view on_device = "nsgs-fast-cuda";
  return std::make_unique<DeviceFirst>(make_contact_solver(law, dimension, on_device), on_device,
                                       std::move(host));
}

std::string contact_solver_name(FrictionLaw law, int dimension, std::string_view solver) {
  const Choice choice = checked_choice(law, dimension, solver);
  if (choice.method == nullptr) return "auto";
  const std::string_view name = choice.method->name;
  if (!choice.friction.empty()) return fmt::format("{}({}, {})", name, choice.contact, choice.friction);
  return choice.contact.empty() ? std::string(name) : fmt::format("{}({})", name, choice.contact);
}

}  // namespace slipstick::internal
