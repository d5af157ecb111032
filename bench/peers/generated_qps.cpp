// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bench/peers/contest.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/scenes/qp_families.hpp"

namespace slipstick::internal::bench {
namespace {

// What the family counts, three times. A name that ends with * is the beginning of several families.
struct Sizes {
  std::string_view family;
  Index small, medium, large;

  bool fits(std::string_view name) const {
    return family.ends_with('*') ? name.starts_with(family.substr(0, family.size() - 1)) : name == family;
  }
};
constexpr Sizes sizes[] = {
    {"cvxqp1", 1000, 5000, 20'000}, {"cvxqp2", 1000, 5000, 20'000},
    {"cvxqp3", 500, 3000, 15'000},  {"liswet*", 500, 2000, 20'000},
    {"aug2d*", 25, 60, 141},        {"aug3d*", 9, 15, 27},
    {"cont", 30, 60, 140},          {"powell20", 500, 3000, 20'000},
    {"dtoc3", 300, 2000, 10'000},   {"ubh1", 100, 500, 3000},
    {"yao", 500, 2000, 20'000},     {"hues*", 1000, 5000, 20'000},
    {"stcqp*", 9, 11, 14},          {"ksip", 500, 3000, 20'000},
    {"mass-chain", 40, 300, 1700},  {"portfolio", 500, 2000, 10'000},
    {"lasso", 40, 250, 1600},       {"svm", 50, 300, 2000},
    {"huber", 50, 300, 2000},
};

}  // namespace

std::vector<ContestProblem> generated_qps() {
  std::vector<ContestProblem> problems;
  for (const QpFamily& family : qp_families()) {
    const auto* const found =
        std::ranges::find_if(sizes, [&](const Sizes& s) { return s.fits(family.name); });
    if (found == std::end(sizes)) fail("the family {} has no sizes for the contest", family.name);
    for (const Index size : {found->small, found->medium, found->large}) {
      for (const std::uint64_t seed : {1, 2}) {
        if (seed > 1 && !family.seeded) continue;
        const std::string name = fmt::format("qp/{}-{}{}", family.name, size, seed > 1 ? "-seed2" : "");
        problems.push_back({name, make_qp({std::string(family.name), size, seed})});
      }
    }
  }
  return problems;
}

}  // namespace slipstick::internal::bench
