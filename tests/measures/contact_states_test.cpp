// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "slipstick/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::contact_states_test {

using enum ContactState;
using States = std::vector<ContactState>;

Solution answer(const Vector& r, const Vector& u) {
  Solution solution;
  solution.r = r;
  solution.u = u;
  return solution;
}

States states_of(FrictionLaw law, const Vector& mu, const Vector& r, const Vector& u, double scale = 1.0) {
  const int dimension = mu.size() > 0 && r.size() == 2 * mu.size() ? 2 : 3;
  const LocalContactProblem problem{dimension,
                                    Operator(DenseMatrix(scale * DenseMatrix::Identity(r.size(), r.size()))),
                                    Vector::Zero(r.size()), mu};
  States states;
  contact_states(problem, law, answer(r, u), states);
  return states;
}

TEST(ContactStates, OfCoulombsLaw) {
  const Vector mu = vec({0.5, 0.5, 0.5, 0.0});
  EXPECT_EQ(states_of(FrictionLaw::coulomb, mu, vec({0, 0, 0, 4, 1, 1, 2, 0.6, -0.8, 3, 0, 0}),
                      vec({1, 3, 0, 0, 0, 0, 0, -0.3, 0.4, 0, 1, 0})),
            (States{open, stick, slip, slip}));
  EXPECT_EQ(
      states_of(FrictionLaw::coulomb, mu.head(3), vec({0, 0, 2, -1, 2, -0.5}), vec({0.1, 5, 0, 1e-3, 0, 0})),
      (States{open, slip, stick}));
}

// The units of impulses and velocities do not matter, nor does an error that is small beside all of them.
TEST(ContactStates, SmallErrorsChangeNothing) {
  for (const double unit : {1e-8, 1.0, 1e8}) {
    const Vector r = unit * vec({1e-10, 1e-10, 0, 4, 1, 1, 2, 0.6, -0.8});
    const Vector u = vec({1, 3, 0, 1e-9, -1e-9, 0, 1e-9, -0.3, 0.4});
    EXPECT_EQ(states_of(FrictionLaw::coulomb, Vector::Constant(3, 0.5), r, u, 1.0 / unit),
              (States{open, stick, slip}));
    // At the limit of friction, but u is rounding.
    EXPECT_EQ(states_of(FrictionLaw::coulomb, vec({0.5}), unit * vec({2, 0.6, -0.8}), vec({0, -6e-17, 8e-17}),
                        1.0 / unit),
              States{stick});
    // All contacts stick: u is rounding.
    EXPECT_EQ(states_of(FrictionLaw::coulomb, vec({0.5}), unit * vec({4, 0, 0}), vec({1e-17, -3e-17, 1e-17}),
                        1.0 / unit),
              States{stick});
  }
}

TEST(ContactStates, OfTheOtherLaws) {
  const Vector mu = vec({0.5, 0.5, 0.5});
  // Under the convex law a contact that slips also opens: u_N = mu ||u_T||.
  EXPECT_EQ(states_of(FrictionLaw::convex, mu, vec({0, 0, 4, 1, 2, -1}), vec({1, 1, 0, 0, 1, 2})),
            (States{open, stick, slip}));
  // |r_i| <= mu r_N for each tangent, or for their sum.
  const Vector r = vec({0, 0, 0, 2, 0.9, 0.9, 2, 1, 0.3});
  const Vector u = vec({1, 0, 0, 0, 0, 0, 0, -1, 0});
  EXPECT_EQ(states_of(FrictionLaw::box, mu, r, u), (States{open, stick, slip}));
  EXPECT_EQ(states_of(FrictionLaw::diamond, mu, vec({0, 0, 0, 2, 0.4, 0.4, 2, 1, 0}), u),
            (States{open, stick, slip}));
  EXPECT_EQ(states_of(FrictionLaw::none, mu, vec({0, 0, 2, 0, 1, 0}), vec({1, 1, 0, 0, 0, 3})),
            (States{open, slip, slip}));
}

// H' M^-1 H = diag(2, 0.5, 0.5) for the first contact, and zero for the second.
TEST(ContactStates, OfTheGlobalForm) {
  GlobalContactProblem problem;
  problem.M = csr_from_dense(mat({{0.5, 0}, {0, 2}}));
  problem.H = csr_from_dense(mat({{1, 0, 0, 0, 0, 0}, {0, 1, 1, 0, 0, 0}}));
  problem.mu = vec({0.5, 0.5});
  States states;
  contact_states(problem, FrictionLaw::coulomb, answer(vec({2, 1, 0, 0, 0, 0}), vec({0, -1, 0, 1, 1, 0})),
                 states);
  EXPECT_EQ(states, (States{slip, open}));
}

TEST(ContactStates, DegenerateInput) {
  EXPECT_EQ(states_of(FrictionLaw::coulomb, Vector(), Vector(), Vector()), States{});
  EXPECT_EQ(states_of(FrictionLaw::coulomb, vec({1}), vec({0, 0}), vec({0, 0})), States{open});
  EXPECT_EQ(states_of(FrictionLaw::coulomb, vec({1}), vec({1, 0}), vec({0, 0})), States{stick});
  EXPECT_THROW(states_of(FrictionLaw::coulomb, vec({1}), vec({1, 0}), vec({0, 0, 0})), Error);
  EXPECT_THROW(states_of(FrictionLaw::coulomb, vec({1, 1}), vec({1, 0}), vec({0, 0})), Error);
}

}  // namespace slipstick::internal::contact_states_test
