// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/qp_families.hpp"

#include <gtest/gtest.h>

#include <set>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::qp_families_test {

bool same_problem(const Problem& a, const Problem& b) {
  return same_entries(*a.A.assemble(), *b.A.assemble()) && a.b == b.b && a.K.lower() == b.K.lower() &&
         a.K.upper() == b.K.upper() && same_entries(*a.rows->G, *b.rows->G) &&
         a.rows->lower == b.rows->lower && a.rows->upper == b.rows->upper && a.constant == b.constant;
}

TEST(QpFamilies, EveryFamilyIsValidFromTheSmallestSizeOn) {
  std::set<std::string_view> names;
  for (const QpFamily& family : qp_families()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    EXPECT_LE(family.smallest, family.standard);
    EXPECT_LE(family.standard, family.largest);
    for (const Index size : {family.smallest, std::min<Index>(2 * family.smallest + 4, family.largest)}) {
      const Problem problem = make_qp({std::string(family.name), size});
      EXPECT_EQ(validate(problem).defect, "") << family.name;
      ASSERT_TRUE(problem.rows) << family.name;
      EXPECT_EQ(problem.A.asymmetry(), 0.0) << family.name;
      EXPECT_EQ(classify(problem), ProblemClass::qp) << family.name;
    }
  }
}

TEST(QpFamilies, TheSeedMattersWhereTheTableSaysSo) {
  for (const QpFamily& family : qp_families()) {
    const std::string name(family.name);
    const Index size = 2 * family.smallest + 2;
    const Problem first = make_qp({name, size, 1});
    EXPECT_TRUE(same_problem(make_qp({name, size, 1}), first)) << name;
    EXPECT_EQ(same_problem(make_qp({name, size, 2}), first), !family.seeded) << name;
  }
}

TEST(QpFamilies, RefusesWhatItDoesNotKnow) {
  EXPECT_NE(message_of([] { make_qp({"cvxqp9"}); }).find("none of cvxqp1, cvxqp2"), std::string::npos);
  const std::string message = message_of([] { make_qp({"stcqp1", 30}); });
  EXPECT_NE(message.find("p of 2^p + 1 unknowns, 2 to 16, not 30"), std::string::npos) << message;
  EXPECT_THROW(make_qp({"yao", -1}), Error);
}

}  // namespace slipstick::internal::qp_families_test
