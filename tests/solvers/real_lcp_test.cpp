// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The LCPs and mixed LCPs of other projects: nonsymmetric, degenerate, with singular equality blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "slipstick/files.hpp"
#include "slipstick/problems/convert.hpp"
#include "slipstick/solvers/newton/newton_fb.hpp"
#include "slipstick/solvers/pivoting/enumerate.hpp"
#include "slipstick/solvers/pivoting/lemke.hpp"

namespace slipstick::internal::real_lcp_test {

struct RealProblem {
  std::string name;
  Problem problem;
};

// Empty if SLIPSTICK_DATA is not set.
std::vector<RealProblem> real_problems() {
  std::vector<RealProblem> list;
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) return list;
  for (const char* folder : {"lcp", "mlcp"}) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(data) / folder)) {
      paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
      const ProblemFile file = read_problem(path);
      if (const auto* lcp = std::get_if<LcpProblem>(&file.problem)) {
        list.push_back({path.filename().string(), to_problem(*lcp)});
      } else {
        list.push_back({path.filename().string(), to_problem(std::get<MixedLcp>(file.problem))});
      }
    }
  }
  return list;
}

void expect_solves(Solver& solver, const RealProblem& real) {
  Result result;
  solver.solve(real.problem, {.tolerance = 1e-12}, result);
  EXPECT_TRUE(result.solved()) << real.name << ": " << result.message;
}

TEST(RealLcp, AllHaveASolution) {
  if (std::getenv("SLIPSTICK_DATA") == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  const std::vector<RealProblem> problems = real_problems();
  EXPECT_GE(problems.size(), 21u);
  Lemke lemke;
  NewtonFb newton;
  Enumerate enumerate({.max_bounded_rows = 12});
  for (const RealProblem& real : problems) {
    expect_solves(lemke, real);
    expect_solves(newton, real);
    if (enumerate.explain_unsupported(real.problem).empty()) expect_solves(enumerate, real);
  }
}

}  // namespace slipstick::internal::real_lcp_test
