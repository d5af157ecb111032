// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Solving without files: the component core alone, a time loop, typed settings, the version.
#include <cstdio>
#include <slipstick/methods.hpp>
#include <slipstick/solve.hpp>
#include <slipstick/version.hpp>
#include <string>

using namespace slipstick;

int main() {
  const std::string headers = std::to_string(SLIPSTICK_VERSION_MAJOR) + "." +
                              std::to_string(SLIPSTICK_VERSION_MINOR) + "." +
                              std::to_string(SLIPSTICK_VERSION_PATCH);
  if (version() != headers) return std::puts("headers and library are of different versions"), 1;

  // Two unit masses on a line that are pushed to the ground, as a body graph.
  const Operator W =
      Operator::delassus(1, 2, {1.0, 0.5}, {{0, 1, {0, -1}}, {1, 1, {0, 1}}}, {1, 0, -1, 1}, Vector::Zero(2));
  Driver driver({.solver = "pgs", .method = PgsSettings{.relaxation = 1.1}});
  DriverResult result;
  WarmStart start;
  for (int step = 0; step < 3; ++step) {
    driver.solve(LcpProblem{W, Vector{{-1.0 - step, -1.0}}}, result, &start);
    if (!result.solved()) return std::puts(result.message.c_str()), 1;
    if (result.start_used != (step > 0)) return std::puts("the start was not used"), 1;
    start.x = result.x;
  }
  const Operator band = Operator::banded(DenseMatrix{{2.0, 2.0, 2.0}, {-1.0, -1.0, 0.0}});
  if (!solve(LcpProblem{band, Vector{{-1.0, 1.0, -1.0}}}).solved()) return std::puts("banded"), 1;
  return 0;
}
