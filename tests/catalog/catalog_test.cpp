// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/catalog.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/solve/options.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::catalog_test {

std::string error_of(std::string_view solver, const Options& options) {
  return message_of([&] { make_solver(solver, options); });
}

TEST(Catalog, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const CatalogRow& row : catalog()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(find_solver(row.name), &row);
    EXPECT_NE(make_solver(row.name), nullptr);
  }
  for (const char* name : {"auto", "", "Pgs", "pgs ", "pg"}) EXPECT_EQ(find_solver(name), nullptr) << name;
}

TEST(Catalog, RowsAreFilledIn) {
  for (const CatalogRow& row : catalog()) {
    SCOPED_TRACE(row.name);
    EXPECT_FALSE(row.summary.empty());
    EXPECT_FALSE(row.paper.empty());
    EXPECT_FALSE(row.advice.empty());
    const std::set<ProblemClass> classes(row.classes.begin(), row.classes.end());
    EXPECT_EQ(classes.size(), row.classes.size());
    EXPECT_TRUE(classes.contains(ProblemClass::lcp));
    std::set<std::string> keys;
    for (const OptionInfo& option : row.options()) {
      EXPECT_TRUE(keys.insert(option.key).second) << option.key;
      EXPECT_FALSE(option.summary.empty()) << option.key;
      // The default that is shown is one that is taken.
      EXPECT_EQ(error_of(row.name, {{option.key, option.default_value}}), "") << option.key;
    }
  }
}

TEST(Catalog, WrongRequestsNameWhatThereIs) {
  const std::string unknown = error_of("magic", {});
  EXPECT_NE(unknown.find("'magic'"), std::string::npos) << unknown;
  for (const CatalogRow& row : catalog())
    EXPECT_NE(unknown.find(std::string(row.name)), std::string::npos) << unknown;
  for (const CatalogRow& row : catalog()) {
    const std::string wrong = error_of(row.name, {{"weather", "fine"}});
    EXPECT_NE(wrong.find("weather"), std::string::npos) << row.name << ": " << wrong;
    EXPECT_NE(wrong.find(row.name), std::string::npos) << row.name << ": " << wrong;
  }
}

TEST(Catalog, WhatItSaysOfSymmetryIsTrue) {
  Problem problem{csr_from_dense(mat({{2, 1}, {-1, 2}})), vec({-1, 1}), ProductSet::nonnegative(2)};
  problem.symmetric = false;
  for (const CatalogRow& row : catalog())
    EXPECT_EQ(make_solver(row.name)->explain_unsupported(problem).empty(), row.nonsymmetric) << row.name;
  problem.symmetric = true;
  for (const CatalogRow& row : catalog()) {
    if (row.needs_device) continue;  // there may be none, and some take contacts of bodies alone
    EXPECT_EQ(make_solver(row.name)->explain_unsupported(problem), "") << row.name;
  }
}

TEST(Catalog, WhatItSaysOfMatrixFreeIsTrue) {
  // Two contacts of one row on one body.
  const Problem problem{
      DelassusOperator(1, 1, {1}, {{0, 1, {0, -1}}, {1, 1, {0, -1}}}, {1, 0, -1, 0}, vec({0, 0})),
      vec({-1, 1}), ProductSet::nonnegative(2)};
  for (const CatalogRow& row : catalog()) {
    if (!row.matrix_free) continue;
    Result result;
    make_solver(row.name)->solve(problem, {}, result);
    EXPECT_TRUE(result.solved()) << row.name << ": " << result.message;
  }
}

}  // namespace slipstick::internal::catalog_test
