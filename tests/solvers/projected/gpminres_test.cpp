// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/gpminres.hpp"

#include "tests/solvers/cone_cases.hpp"

namespace slipstick::internal::gpminres_test {

TEST(Gpminres, AgreesWithApgd) {
  for (const bool rescale : {true, false}) {
    GpminresPSettings settings;
    settings.rescale = rescale;
    Gpminres plain(static_cast<const GpminresSettings&>(settings));
    cone_cases::expect_agreement(plain, cone_cases::packing(30, 0.3));
    cone_cases::expect_agreement(plain, cone_cases::cones_and_rows(3));
    Gpminres preconditioned(settings);
    cone_cases::expect_agreement(preconditioned, cone_cases::packing(30, 0.3));
    cone_cases::expect_agreement(preconditioned, cone_cases::cones_and_rows(3));
  }
}

TEST(Gpminres, FactorsAMatrixOnce) {
  const Problem problem = cone_cases::cones_and_rows(5);
  Gpminres solver{GpminresPSettings{}};
  Result result = solve_with(solver, problem);
  EXPECT_EQ(result.counts.factorizations, 1);
  solver.solve(problem, {}, result);
  EXPECT_EQ(result.counts.factorizations, 0);
}

}  // namespace slipstick::internal::gpminres_test
