// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench/peers/contest.hpp"
#include "slipstick/scenes/qp_families.hpp"

namespace slipstick::internal::bench {

std::vector<ContestProblem> generated_qps() {
  // What the family counts, three times.
  struct Sizes {
    const char* family;
    Index small, medium, large;
  };
  constexpr Sizes list[] = {
      {"cvxqp1", 1000, 5000, 20'000},   {"cvxqp3", 500, 3000, 15'000},
      {"liswet1", 500, 2000, 20'000},   {"liswet8", 500, 2000, 20'000},
      {"aug2dc", 25, 60, 141},          {"aug2dqp", 25, 60, 141},
      {"aug3dcqp", 9, 15, 27},          {"cont", 30, 60, 140},
      {"powell20", 500, 3000, 20'000},  {"dtoc3", 300, 2000, 10'000},
      {"ubh1", 100, 500, 3000},         {"yao", 500, 2000, 20'000},
      {"hues-mod", 1000, 5000, 20'000}, {"stcqp1", 9, 11, 14},
      {"ksip", 500, 3000, 20'000},      {"mass-chain", 40, 300, 1700},
      {"portfolio", 500, 2000, 10'000}, {"lasso", 40, 250, 1600},
      {"svm", 50, 300, 2000},           {"huber", 50, 300, 2000},
  };
  std::vector<ContestProblem> problems;
  for (const Sizes& sizes : list) {
    for (const Index size : {sizes.small, sizes.medium, sizes.large})
      problems.push_back({fmt::format("qp/{}-{}", sizes.family, size), make_qp({sizes.family, size})});
  }
  return problems;
}

}  // namespace slipstick::internal::bench
