// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The QPs of the Maros-Meszaros collection under SLIPSTICK_DATA, to their published optima.
#include <gtest/gtest.h>

#include <cstdlib>

#include "bench/peers/published_optima.hpp"
#include "slipstick/files.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::real_qp_test {

using bench::published_optima;
using Published = bench::PublishedOptimum;

class RealQp : public testing::TestWithParam<Published> {
 protected:
  void SetUp() override {
    const char* data = std::getenv("SLIPSTICK_DATA");
    if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
    problem_ =
        read_problem(std::filesystem::path(data) / "qp" / (std::string(GetParam().name) + ".QPS")).problem;
  }
  // Relative to the optimum; the published ones have eight digits.
  bool reaches_optimum(const std::string& solver) const {
    const DriverResult result = solve(problem_, {.solver = solver});
    const double size = std::max(std::abs(GetParam().optimum), bench::smallest_optimum);
    return result.solved() && std::abs(result.measures.objective - GetParam().optimum) <= 1e-6 * size;
  }
  AnyProblem problem_;
};

// A thousand and more rows of it are held. Of the active set methods, only the dense ones find them, one by
// one, in ten seconds each.
bool is_long(const Published& problem) {
  return problem.name == "YAO";
}

TEST_P(RealQp, IsSolvedByAuto) {
  EXPECT_TRUE(reaches_optimum("auto"));
}

TEST_P(RealQp, IsSolvedByInteriorPoints) {
  EXPECT_TRUE(reaches_optimum("qp-ipm"));
}

std::vector<Published> strictly_convex() {
  std::vector<Published> list;
  for (const Published& problem : published_optima) {
    if (problem.strictly_convex && !is_long(problem)) list.push_back(problem);
  }
  return list;
}

class StrictlyConvexRealQp : public RealQp {};

TEST_P(StrictlyConvexRealQp, IsSolvedByTwoActiveSetMethods) {
  int methods = 0;
  for (const char* name : {"pdasm", "schurpa", "dual-asm", "primal-asm"}) {
    methods += reaches_optimum(name);
    if (methods == 2) return;
  }
  FAIL() << methods << " of the methods";
}

INSTANTIATE_TEST_SUITE_P(Collection, RealQp, testing::ValuesIn(published_optima),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Collection, StrictlyConvexRealQp, testing::ValuesIn(strictly_convex()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace slipstick::internal::real_qp_test
