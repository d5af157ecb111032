// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// The answer is a function of problem, settings and warm start. An object that is kept over a sequence of
// problems gives the same bits as a new one for each.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/cuda/device.hpp"
#include "tests/contract/zoo.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::kept_test {

// The problem with other numbers of the same size: b is scaled and turned, and A scaled if `matrix` is set.
Problem changed(const Problem& problem, int step, bool matrix) {
  Problem next = problem;
  for (Index i = 0; i < next.b.size(); ++i)
    next.b[i] *= 1.0 + 0.05 * std::sin(1.7 * static_cast<double>(i + step));
  if (matrix) {
    CsrMatrix a = *problem.A.assemble();
    a *= 1.0 + 0.125 * step;
    next.A = Operator(std::move(a));
  }
  return next;
}

class KeptSolver : public testing::TestWithParam<std::size_t> {};

TEST_P(KeptSolver, GivesTheBitsOfANewOne) {
  const CatalogRow& method = catalog()[GetParam()];
  if (method.needs_device && !device_info().usable())
    GTEST_SKIP() << explain_missing_device(std::string(method.name));
  int compared = 0;
  const auto kept = make_solver(method.name);  // over all specimens, which differ in size, storage and set
  for (const Specimen& specimen : zoo()) {
    if (!kept->explain_unsupported(specimen.problem).empty()) continue;
    const std::vector<Problem> sequence = {specimen.problem, changed(specimen.problem, 1, false),
                                           changed(specimen.problem, 2, true),
                                           changed(specimen.problem, 3, true)};
    WarmStart start;
    for (std::size_t k = 0; k < sequence.size(); ++k) {
      const auto fresh = make_solver(method.name);
      const Settings settings{.tolerance = 1e-6, .max_iterations = sanitized ? 50 : 200};
      Result one, other;
      const WarmStart* warm_start = k == 0 ? nullptr : &start;
      kept->solve(sequence[k], settings, one, warm_start);
      fresh->solve(sequence[k], settings, other, warm_start);
      EXPECT_EQ(one.x, other.x) << specimen.name << ", step " << k;
      EXPECT_EQ(one.status, other.status) << specimen.name << ", step " << k;
      EXPECT_EQ(one.message, other.message);
      EXPECT_EQ(one.counts.iterations, other.counts.iterations) << specimen.name << ", step " << k;
      start.x = other.x;
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

std::string method_name(const testing::TestParamInfo<std::size_t>& info) {
  std::string text(catalog()[info.param].name);
  for (char& c : text) c = c == '-' ? '_' : c;
  return text;
}
INSTANTIATE_TEST_SUITE_P(Catalog, KeptSolver, testing::Range(std::size_t{0}, catalog().size()), method_name);

}  // namespace slipstick::internal::kept_test
