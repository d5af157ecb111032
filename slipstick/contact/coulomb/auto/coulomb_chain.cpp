// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"

#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"
#include "slipstick/contact/coulomb/newton/newton_cost.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact/coulomb/newton/shift_ipm.hpp"
#include "slipstick/contact/coulomb/sweeps/few_contacts.hpp"

namespace slipstick::internal {

CoulombSolver::Chain coulomb_chain(const CoulombRule& rule) {
  CoulombSolver::Chain chain;
  const auto add = [&](std::unique_ptr<CoulombMethod> method,
                       std::string_view reason) -> CoulombSolver::Stage& {
    chain.push_back({std::move(method), reason});
    return chain.back();
  };
  // The methods run in turn, so they share their kept objects.
  const auto system = std::make_shared<ContactSystem>(), newton_system = std::make_shared<ContactSystem>();
  const auto sweeps = std::make_shared<SweepWorkspace>();
  const SweepsPerNewtonStep newton_cost = [cost = std::make_shared<NewtonCost>(system)](
                                              const ContactBlocks& blocks, const Island& island) {
    return cost->in_sweeps(blocks, island);
  };
  const auto nsgs = [&](const NsgsSettings& settings, const SwitchToNewton& switch_to_newton) {
    return std::make_unique<Nsgs>(settings, sweeps, switch_to_newton, newton_cost);
  };
  const auto nsn = [&](const NsnSettings& settings) {
    return std::make_unique<Nsn>(settings, system, sweeps);
  };
  const auto ncp_ipm = [&](const NcpIpmSettings& settings) {
    return std::make_unique<NcpIpm>(settings, system, newton_system);
  };

  add(std::make_unique<FewContacts>(), "few contacts").takes = [](const auto& island) {
    return island.contacts + island.joints <= FewContacts::most_nodes;
  };
  const NcpIpmSettings cold{.arc_factorizations = 0};
  const auto many = [rule](const auto& island) {
    return island.dimension == 3 && island.contacts >= rule.many_contacts;
  };
  add(nsgs({}, rule.sweeps), "to begin with").takes = [many](const auto& island) { return !many(island); };
  add(nsgs({.test = rule.few_sweeps.trial}, rule.few_sweeps), "many contacts, to begin with").takes = many;
  CoulombSolver::Stage& alternating =
      add(std::make_unique<Admm>(AdmmSettings{}, rule.alternating, system), "many contacts");
  alternating.cold = true;
  alternating.takes = many;
  const auto heap_system = std::make_shared<ContactSystem>(least_fill_ordering());
  const auto shift_ipm = [&] {
    return std::make_unique<ShiftIpm>(ShiftIpmSettings{.starts = rule.heap_starts}, heap_system);
  };
  const std::uint64_t heap = std::uint64_t{1} << chain.size();
  add(shift_ipm(), "many contacts, far from the solution").takes = [rule, many](const auto& island) {
    return many(island) && island.error >= rule.heap_error;
  };
  add(nsn({}), "from there");
  add(shift_ipm(), "many contacts, and Newton's method led nowhere").takes =
      [many, heap](const auto& island) { return many(island) && (island.stages & heap) == 0; };
  const std::uint64_t early = std::uint64_t{1} << chain.size();
  add(ncp_ipm(cold), "many contacts, little friction, far from the solution").takes =
      [rule](const auto& island) {
        return island.contacts >= rule.interior_contacts && island.friction <= rule.interior_friction &&
               island.error >= rule.interior_error;
      };
  add(std::make_unique<Prox>(ProxSettings{}, system, sweeps), "from there").takes = [=](const auto& island) {
    return (island.stages & early) == 0 || island.error <= rule.fold_error;
  };
  add(ncp_ipm(cold), "from the cold").takes = [early](const auto& island) {
    return (island.stages & early) == 0;
  };
  add(ncp_ipm({.max_factorizations = 0}), "through folds");
  add(nsn({.max_factorizations = 100, .stall_limit = 6, .sweeps = 100, .escape_sweeps = 500}), "last resort");
  add(std::make_unique<Admm>(AdmmSettings{}, SwitchToNewton{}, system), "last resort").products_only = true;
  return chain;
}

CoulombSolver::Chain automatic_coulomb_chain() {
  return coulomb_chain({});
}

}  // namespace slipstick::internal
