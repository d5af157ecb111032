// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::matrix_market_test {

MarketMatrix parse(const std::string& text) {
  return parse_matrix_market(text, "a.mtx");
}

DenseMatrix dense(const MarketMatrix& matrix) {
  if (const auto* values = std::get_if<DenseMatrix>(&matrix.values)) return *values;
  return csr_from_triplets(matrix.rows, matrix.columns, std::get<std::vector<Triplet>>(matrix.values));
}

std::string error_of(const std::string& text) {
  return message_of([&] { parse(text); });
}

TEST(MatrixMarket, CoordinateForm) {
  DenseMatrix expected = DenseMatrix::Zero(2, 3);
  expected(0, 2) = 1.5;
  expected(1, 0) = -2;
  const MarketMatrix matrix =
      parse("%%MatrixMarket MATRIX Coordinate REAL general\n% a remark\n\n2 3 2\n1 3 1.5\n2 1 -2\n");
  EXPECT_EQ(dense(matrix), expected);
  EXPECT_FALSE(matrix.symmetric);
}

TEST(MatrixMarket, SymmetricForms) {
  const DenseMatrix expected = mat({{4, 1}, {1, 3}});
  EXPECT_EQ(dense(parse("%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 4\n2 1 1\n2 2 3\n")),
            expected);
  EXPECT_EQ(dense(parse("%%MatrixMarket matrix array real symmetric\n2 2\n4\n1\n3\n")), expected);
}

TEST(MatrixMarket, ArrayFormGoesByColumns) {
  EXPECT_EQ(dense(parse("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n")),
            mat({{1, 3}, {2, 4}}));
}

TEST(MatrixMarket, RemarksOfOurs) {
  const MarketMatrix matrix = parse(
      "%%MatrixMarket matrix array real general\n%slipstick: type lcp\n%slipstick: title two words\n%\n1 "
      "1\n5\n");
  EXPECT_EQ(matrix.remarks.at("type"), "lcp");
  EXPECT_EQ(matrix.remarks.at("title"), "two words");
  EXPECT_TRUE(has(
      error_of("%%MatrixMarket matrix array real general\n%slipstick: type a\n%slipstick: type b\n1 1\n5\n"),
      "twice"));
}

TEST(MatrixMarket, WritesTheSmallerFormExactly) {
  DenseMatrix a = mat({{1.0 / 3.0, -0.0}, {0.1, 5e-324}});
  EXPECT_TRUE(same_matrix(csr(a), csr(dense(parse(matrix_market_text(csr(a)))))));
  EXPECT_EQ(dense(parse(matrix_market_text(a))), a);
  a(0, 1) = 0.1;
  const MarketMatrix symmetric = parse(matrix_market_text(csr(a)));
  EXPECT_TRUE(symmetric.symmetric);
  EXPECT_EQ(dense(symmetric), a);
  EXPECT_TRUE(parse(matrix_market_text(a)).symmetric);
  // Equal values, but one of the two is stored and the other is not.
  const CsrMatrix half = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 0.0}});
  EXPECT_FALSE(parse(matrix_market_text(half)).symmetric);
}

TEST(MatrixMarket, RefusalsSayWhatWasExpected) {
  EXPECT_TRUE(has(error_of("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n"), "'pattern'"));
  EXPECT_TRUE(
      has(error_of("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n"), "'complex'"));
  EXPECT_TRUE(has(error_of("%%MatrixMarket matrix array real skew-symmetric\n1 1\n0\n"), "'skew-symmetric'"));
  EXPECT_TRUE(
      has(error_of("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 5\n"), "above the diagonal"));
  EXPECT_TRUE(has(error_of("%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 5\n"), "from 1 to 2"));
  EXPECT_TRUE(has(error_of("%%MatrixMarket matrix array real general\n1 1\n1\n2\n"), "end of the file"));
  EXPECT_TRUE(has(error_of("%%MatrixMarket matrix array real general\n1 1\nnan\n"), "line 3"));
}

class MarketProblem : public testing::Test {
 protected:
  void expect_round_trip(const ProblemFile& file) {
    write_problem(folder_ / "p.mtx", file);
    const ProblemFile again = read_problem(folder_ / "p.mtx");
    EXPECT_EQ(again.format, FileFormat::matrix_market);
    EXPECT_TRUE(same_contents(file, again));
    EXPECT_TRUE(again.warnings.empty());
  }
  ScratchFolder folder_;
};

TEST_F(MarketProblem, EveryTypeSurvives) {
  // All under one name: what is left over from the one before must not be read.
  for (const ProblemFile& file : {local_example(), global_example(), quadratic_example(), box_example(),
                                  mixed_lcp_example(), lcp_example()})
    expect_round_trip(file);
}

TEST_F(MarketProblem, DenseStaysDense) {
  write_problem(folder_ / "p.mtx", box_example());
  EXPECT_EQ(std::get<Problem>(read_problem(folder_ / "p.mtx").problem).A.kind(), "dense");
}

TEST_F(MarketProblem, EmptyProblems) {
  ProblemFile file;
  file.problem = LcpProblem{};
  expect_round_trip(file);
  file.problem = Problem{};
  expect_round_trip(file);
  LocalContactProblem local;
  local.dimension = 2;
  file.problem = local;
  expect_round_trip(file);
}

TEST_F(MarketProblem, SymmetryIsKeptOrMeasured) {
  ProblemFile file = quadratic_example();
  std::get<Problem>(file.problem).symmetric = false;  // whatever the matrix looks like
  expect_round_trip(file);

  folder_.file("a.b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
  folder_.file("a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n1\n");
  EXPECT_TRUE(std::get<Problem>(read_problem(folder_ / "a.mtx").problem).symmetric);
  folder_.file("a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n1\n");
  EXPECT_FALSE(std::get<Problem>(read_problem(folder_ / "a.mtx").problem).symmetric);
}

TEST_F(MarketProblem, CompanionsTellTheTypeOfForeignFiles) {
  const std::string eye = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 1\n";
  const std::string two = "%%MatrixMarket matrix array real general\n2 1\n-1\n2\n";
  const std::string one = "%%MatrixMarket matrix array real general\n1 1\n0.5\n";
  const auto path = folder_.file("a.mtx", eye);
  const auto type = [&] { return classify(read_problem(path).problem); };

  const std::string message = read_error(path);
  for (const char* expected : {"a.q.mtx", "a.b.mtx", "a.mu.mtx"}) EXPECT_TRUE(has(message, expected));

  folder_.file("a.q.mtx", two);
  EXPECT_EQ(type(), ProblemClass::lcp);
  folder_.file("a.upper.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\ninf\n");
  EXPECT_EQ(type(), ProblemClass::boxed);
  folder_.file("a.lower.mtx", "%%MatrixMarket matrix array real general\n2 1\n-inf\n0\n");
  folder_.file("a.upper.mtx", "%%MatrixMarket matrix array real general\n2 1\ninf\ninf\n");
  EXPECT_EQ(type(), ProblemClass::mlcp);
  folder_.file("a.mu.mtx", one);
  EXPECT_EQ(type(), ProblemClass::contact2d);
  folder_.file("a.H.mtx", eye);
  folder_.file("a.f.mtx", two);
  folder_.file("a.w.mtx", two);
  EXPECT_EQ(type(), ProblemClass::global2d);
}

TEST_F(MarketProblem, MissingCompanionsAreNamed) {
  write_problem(folder_ / "p.mtx", quadratic_example());
  for (const char* part :
       {"p.b.mtx", "p.sets", "p.G.mtx", "p.G.lower.mtx", "p.G.upper.mtx", "p.solution.csv"}) {
    const std::string kept = bytes_of(folder_ / part);
    std::filesystem::remove(folder_ / part);
    EXPECT_TRUE(has(read_error(folder_ / "p.mtx"), part)) << part;
    folder_.file(part, kept);
  }
  EXPECT_NO_THROW(read_problem(folder_ / "p.mtx"));
}

TEST_F(MarketProblem, SizesMustAgree) {
  write_problem(folder_ / "p.mtx", local_example());
  folder_.file("p.q.mtx", "%%MatrixMarket matrix array real general\n9 1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n");
  EXPECT_TRUE(has(read_error(folder_ / "p.mtx"), "2 contacts have 7 rows"));
  write_problem(folder_ / "p.mtx", global_example());
  folder_.file("p.f.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
  EXPECT_TRUE(has(read_error(folder_ / "p.mtx"), "is 4 x 4, but the vectors of the problem ask for 2 x 2"));
}

TEST_F(MarketProblem, AFailedWriteLeavesTheOldProblem) {
  write_problem(folder_ / "p.mtx", lcp_example());
  // The folder in the way of a companion stops the writing before anything is renamed.
  std::filesystem::create_directory(folder_ / "p.upper.mtx");
  EXPECT_THROW(write_problem(folder_ / "p.mtx", mixed_lcp_example()), Error);
  EXPECT_TRUE(same_contents(lcp_example(), read_problem(folder_ / "p.mtx")));
}

}  // namespace slipstick::internal::matrix_market_test
