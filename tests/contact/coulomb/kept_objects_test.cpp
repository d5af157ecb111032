// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// A kept object gives the same bits as a new one: what it remembers saves work, and changes no answer.
#include <gtest/gtest.h>

#include "slipstick/contact/coulomb/auto/coulomb_chain.hpp"
#include "slipstick/contact/coulomb/newton/extragradient.hpp"
#include "slipstick/contact/coulomb/newton/ncp_ipm.hpp"
#include "slipstick/contact/coulomb/newton/nsn.hpp"
#include "slipstick/contact/coulomb/sweeps/few_contacts.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs_matrix_free.hpp"
#include "tests/contact/coulomb_cases.hpp"

namespace slipstick::internal::kept_objects_test {

template <class Method>
CoulombSolver::Chain alone() {
  CoulombSolver::Chain chain;
  chain.push_back({[] { return std::make_unique<Method>(); }});
  return chain;
}

struct NamedSolver {
  const char* name;
  std::unique_ptr<ContactSolver> (*make)();
};
template <CoulombSolver::Chain (*chain)()>
std::unique_ptr<ContactSolver> make_coulomb() {
  return std::make_unique<CoulombSolver>(chain);
}
constexpr NamedSolver solvers[] = {
    {"few-contacts", make_coulomb<alone<FewContacts>>},
    {"nsgs", make_coulomb<alone<Nsgs>>},
    {"nsn", make_coulomb<alone<Nsn>>},
    {"prox", make_coulomb<alone<Prox>>},
    {"ncp-ipm", make_coulomb<alone<NcpIpm>>},
    {"admm", make_coulomb<alone<Admm>>},
    {"eg", make_coulomb<alone<Extragradient>>},
    {"auto", make_coulomb<automatic_coulomb_chain>},
    {"nsgs-free", [] { return std::unique_ptr<ContactSolver>(std::make_unique<NsgsMatrixFree>()); }},
};

// Problems of changing size, dimension and matrix, some of them twice with another load, as in a simulation
// whose contacts come and go.
std::vector<LocalContactProblem> sequence() {
  std::vector<LocalContactProblem> problems;
  for (const int dimension : {3, 2}) {
    for (const Index contacts : {6, 14, 9}) {
      problems.push_back(random_contacts({.dimension = dimension,
                                          .contacts = contacts,
                                          .dofs = 4 * contacts,
                                          .friction = 0.4,
                                          .seed = static_cast<std::uint64_t>(contacts)}));
      problems.push_back(problems.back());
      problems.back().q *= 1.25;
      problems.back().q[0] -= 0.1;
    }
  }
  problems.push_back(side_by_side(problems[0], problems[4]));
  problems.push_back(sphere_contacts(30, 0.4));
  problems.push_back(problems.front());
  return problems;
}

TEST(KeptObjects, GiveTheBitsOfNewOnesWithAndWithoutAStart) {
  const std::vector<LocalContactProblem> problems = sequence();
  for (const NamedSolver& solver : solvers) {
    SCOPED_TRACE(solver.name);
    const auto kept = solver.make();
    Vector last;
    for (std::size_t k = 0; k < problems.size(); ++k) {
      const LocalContactProblem& problem = problems[k];
      for (const bool warm : {false, true}) {
        if (warm && last.size() != problem.q.size()) continue;
        const WarmStart start{warm ? last : Vector()};
        Result old, fresh;
        kept->solve(problem, {.tolerance = 1e-8, .max_iterations = 3000}, old, warm ? &start : nullptr);
        solver.make()->solve(problem, {.tolerance = 1e-8, .max_iterations = 3000}, fresh,
                             warm ? &start : nullptr);
        EXPECT_EQ(old.r, fresh.r) << "problem " << k << (warm ? " from the last one" : "");
        EXPECT_EQ(old.status, fresh.status);
        EXPECT_EQ(old.counts.iterations, fresh.counts.iterations);
        last = old.r;
      }
    }
  }
}

}  // namespace slipstick::internal::kept_objects_test
