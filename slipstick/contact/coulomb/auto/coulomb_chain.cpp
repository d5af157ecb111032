// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"

#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"

namespace slipstick {

CoulombSolver::Chain coulomb_chain(const CoulombRule& rule) {
  CoulombSolver::Chain chain;
  const auto add = [&](std::unique_ptr<CoulombMethod> method,
                       std::string_view reason) -> CoulombSolver::Stage& {
    chain.push_back({std::move(method), reason});
    return chain.back();
  };
  const auto add_warm = [&](std::unique_ptr<CoulombMethod> method, std::string_view reason, int iterations) {
    CoulombSolver::Stage& stage = add(std::move(method), reason);
    stage.max_iterations = iterations;
    stage.warm = true;
  };
  const auto system = std::make_shared<ContactSystem>();
  const NcpIpmSettings cold{.arc_factorizations = 0};
  add_warm(std::make_unique<Nsgs>(), "from the given start", 10);
  add_warm(
      std::make_unique<NcpIpm>(
          NcpIpmSettings{.max_factorizations = 6, .jump_factorizations = 0, .arc_factorizations = 0}, system),
      "near the given start", 6);
  const auto many = [rule](const auto& piece) {
    return piece.dimension == 3 && piece.contacts >= rule.many_contacts;
  };
  add(std::make_unique<Nsgs>(NsgsSettings{}, rule.sweeps, system), "to begin with").takes =
      [many](const auto& piece) { return !many(piece); };
  add(std::make_unique<Nsgs>(NsgsSettings{.test = rule.few_sweeps.trial}, rule.few_sweeps, system),
      "to begin with")
      .takes = many;
  CoulombSolver::Stage& alternating =
      add(std::make_unique<Admm>(AdmmSettings{}, rule.alternating, system), "many contacts");
  alternating.cold = true;
  alternating.takes = many;
  add(std::make_unique<Nsn>(NsnSettings{}, system), "from there");
  const std::uint64_t early = std::uint64_t{1} << chain.size();
  add(std::make_unique<NcpIpm>(cold, system), "many contacts, little friction, far from the solution").takes =
      [rule](const auto& piece) {
        return piece.contacts >= rule.interior_contacts && piece.friction <= rule.interior_friction &&
               piece.error >= rule.interior_error;
      };
  add(std::make_unique<Prox>(ProxSettings{}, system), "from there").takes = [=](const auto& piece) {
    return (piece.stages & early) == 0 || piece.error <= rule.fold_error;
  };
  add(std::make_unique<NcpIpm>(cold, system), "from the cold").takes = [early](const auto& piece) {
    return (piece.stages & early) == 0;
  };
  add(std::make_unique<Nsn>(NsnSettings{.max_factorizations = 20, .sweeps = 50, .escape_sweeps = 100},
                            system),
      "with more sweeps")
      .takes = [rule](const auto& piece) { return piece.error <= rule.fold_error; };
  add(std::make_unique<NcpIpm>(NcpIpmSettings{.max_factorizations = 0}, system), "through folds");
  add(std::make_unique<Nsgs>(), "many sweeps").max_iterations = 500;
  add(std::make_unique<Nsn>(
          NsnSettings{.max_factorizations = 100, .patience = 6, .sweeps = 100, .escape_sweeps = 500}, system),
      "last resort");
  add(std::make_unique<Admm>(AdmmSettings{}, Patience{}, system), "last resort").rowless = true;
  return chain;
}

CoulombSolver::Chain automatic_coulomb_chain() {
  return coulomb_chain({});
}

}  // namespace slipstick
