// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The QPs of the Maros-Meszaros collection under SLIPSTICK_DATA, to their published optima.
#include <gtest/gtest.h>

#include <cstdlib>

#include "slipstick/files.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::real_qp_test {

struct Published {
  const char* name;
  double optimum;
  bool strictly_convex;
};
constexpr Published collection[] = {
    {"AUG3DC", 7.7126244e+02, true},    {"AUG3DCQP", 9.9336215e+02, true}, {"CVXQP1_S", 1.1590718e+04, false},
    {"CVXQP2_S", 8.1209405e+03, false}, {"DUAL1", 3.5012966e-02, true},    {"DUAL4", 7.4609084e-01, true},
    {"DUALC1", 6.1552508e+03, true},    {"GENHS28", 9.2717369e-01, false}, {"HS118", 6.6482045e+02, true},
    {"HS21", -9.9960000e+01, true},     {"HS35", 1.1111111e-01, true},     {"HS35MOD", 2.5000000e-01, true},
    {"HS52", 5.3266476e+00, false},     {"HS76", -4.6818182e+00, true},    {"KSIP", 5.7579794e-01, true},
    {"MOSARQP2", -1.5974821e+03, true}, {"QPTEST", 4.3718750e+00, true},   {"YAO", 1.9770426e+02, true}};

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
    const double size = std::max(std::abs(GetParam().optimum), 1e-2);
    return result.solved() && std::abs(result.measures.objective - GetParam().optimum) <= 1e-6 * size;
  }
  AnyProblem problem_;
};

// A thousand and more rows of it are held. Of the active set methods, only the dense ones find them, one by
// one, in ten seconds each.
bool is_long(const Published& problem) {
  return std::string_view(problem.name) == "YAO";
}

TEST_P(RealQp, IsSolvedByAuto) {
  EXPECT_TRUE(reaches_optimum("auto"));
}

TEST_P(RealQp, IsSolvedByInteriorPoints) {
  EXPECT_TRUE(reaches_optimum("qp-ipm"));
}

std::vector<Published> strictly_convex() {
  std::vector<Published> list;
  for (const Published& problem : collection) {
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

INSTANTIATE_TEST_SUITE_P(Collection, RealQp, testing::ValuesIn(collection),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Collection, StrictlyConvexRealQp, testing::ValuesIn(strictly_convex()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace slipstick::internal::real_qp_test
