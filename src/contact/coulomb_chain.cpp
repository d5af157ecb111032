// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb_chain.hpp"

#include "slipstick/contact/ncp_ipm.hpp"
#include "slipstick/contact/nsn.hpp"

namespace slipstick {

CoulombSolver::Chain coulomb_chain(const CoulombRule& rule) {
  CoulombSolver::Chain chain;
  const auto add = [&](std::unique_ptr<CoulombMethod> method, std::string_view reason, int max_iterations = 0,
                       bool warm = false) {
    chain.push_back({std::move(method), reason, max_iterations, warm});
  };
  add(std::make_unique<Nsgs>(), "from the given start", 10, true);
  add(std::make_unique<NcpIpm>(NcpIpmSettings{.max_factorizations = 6, .arc_factorizations = 0}),
      "near the given start", 6, true);
  add(std::make_unique<Nsgs>(NsgsSettings{}, rule.sweeps), "to begin with");
  if (rule.proximal_first) add(std::make_unique<Prox>(), "from there");
  add(std::make_unique<Nsn>(), "from there");
  if (!rule.proximal_first) add(std::make_unique<Prox>(), "from there");
  add(std::make_unique<NcpIpm>(NcpIpmSettings{.arc_factorizations = 0}), "from the cold");
  add(std::make_unique<Nsn>(NsnSettings{.max_factorizations = 20, .sweeps = 50, .escape_sweeps = 100}),
      "with more sweeps");
  add(std::make_unique<NcpIpm>(NcpIpmSettings{.max_factorizations = 0}), "through folds");
  add(std::make_unique<Nsgs>(), "many sweeps", 500);
  add(std::make_unique<Nsn>(
          NsnSettings{.max_factorizations = 100, .patience = 6, .sweeps = 100, .escape_sweeps = 500}),
      "last resort");
  return chain;
}

CoulombSolver::Chain automatic_coulomb_chain() {
  return coulomb_chain({});
}

}  // namespace slipstick
