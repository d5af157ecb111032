// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/qps.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/problem.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::qps_test {

Problem read(const std::string& text) {
  return std::get<Problem>(read_qps(text, "test.qps").problem);
}

std::string error_of(const std::string& text) {
  return message_of([&] { read_qps(text, "test.qps"); });
}

// 4 + 1.5 x1 - 2 x2 + 1/2 (8 x1^2 + 4 x1 x2 + 10 x2^2), the example of Maros and Meszaros.
const std::string example =
    "NAME          QP example\n"
    "ROWS\n N  obj\n G  r1\n L  r2\n"
    "COLUMNS\n"
    "    c1        r1                 2.0   r2                -1.0\n"
    "    c1        obj                1.5\n"
    "    c2        r1                 1.0   r2                 2.0\n"
    "    c2        obj               -2.0\n"
    "RHS\n"
    "    rhs1      obj               -4.0\n"
    "    rhs1      r1                 2.0   r2                 6.0\n"
    "BOUNDS\n"
    " UP bnd1      c1                20.0\n"
    "QUADOBJ\n"
    "    c1        c1                 8.0\n"
    "    c1        c2                 2.0\n"
    "    c2        c2                10.0\n"
    "ENDATA\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Qps, ReadsTheExampleOfTheCollection) {
  const ProblemFile file = read_qps(example, "test.qps");
  EXPECT_EQ(file.format, FileFormat::qps);
  EXPECT_EQ(file.title, "QP example");
  EXPECT_TRUE(file.warnings.empty());
  const auto& problem = std::get<Problem>(file.problem);
  EXPECT_EQ(dense(problem.A), mat({{8, 2}, {2, 10}}));
  EXPECT_EQ(problem.b, vec({1.5, -2}));
  EXPECT_EQ(problem.constant, 4.0);
  EXPECT_TRUE(problem.symmetric);
  EXPECT_EQ(problem.K.lower(), vec({0, 0}));
  EXPECT_EQ(problem.K.upper(), vec({20, infinity}));
  ASSERT_TRUE(problem.rows);
  EXPECT_EQ(DenseMatrix(*problem.rows->G), mat({{2, 1}, {-1, 2}}));
  EXPECT_EQ(problem.rows->lower, vec({2, -infinity}));
  EXPECT_EQ(problem.rows->upper, vec({infinity, 6}));
  EXPECT_TRUE(validate(file.problem).ok());
}

TEST(Qps, FixedColumnsAllowSpacesInNames) {
  const std::string spaced =
      "NAME\nROWS\n N  my cost\n G  row one\nCOLUMNS\n"
      "    col a     my cost          -2.0    row one          3.0\n"
      "    col b     row one           1.0\n"
      "RHS\n    my rhs    row one           5.0\n"
      "BOUNDS\n FR my bnds   col a\nQUADOBJ\n    col b     col b             4.0\nENDATA\n";
  const Problem problem = read(spaced);
  EXPECT_EQ(problem.b, vec({-2, 0}));
  EXPECT_EQ(DenseMatrix(*problem.rows->G), mat({{3, 1}}));
  EXPECT_EQ(problem.rows->lower, vec({5}));
  EXPECT_EQ(problem.K.lower(), vec({-infinity, 0}));
  EXPECT_EQ(problem.A.entry(1, 1), 4.0);
}

TEST(Qps, FreeFieldsNeedNoColumnsAndNoNamesOfSets) {
  const Problem problem = read(
      "* a remark\r\nNAME free\r\nROWS\r\n\tN cost\r\n E a_row_with_a_long_name\r\n N other\r\nCOLUMNS\r\n"
      " x cost 1 a_row_with_a_long_name 2\r\n x other 7\r\n y a_row_with_a_long_name -.5e+01\r\n\r\n"
      "RHS\r\n a_row_with_a_long_name 3\r\nRANGES\r\nBOUNDS\r\n UP x 4\r\n FR y\r\nENDATA\r\nbehind the "
      "end\r\n");
  EXPECT_EQ(problem.b, vec({1, 0}));
  EXPECT_EQ(DenseMatrix(*problem.rows->G), mat({{2, -5}}));
  EXPECT_EQ(problem.rows->lower, vec({3}));
  EXPECT_EQ(problem.rows->upper, vec({3}));
  EXPECT_EQ(problem.K.lower(), vec({0, -infinity}));
  EXPECT_EQ(problem.K.upper(), vec({4, infinity}));
  EXPECT_EQ(problem.A.nonzeros(), 0);
}

TEST(Qps, FurtherObjectivesAreLeftOut) {
  const ProblemFile file =
      read_qps("ROWS\n N cost\n N other\n G r\nCOLUMNS\n x cost 1 other 2\n x r 1\nRHS\n other 9\nENDATA\n",
               "test.qps");
  const auto& problem = std::get<Problem>(file.problem);
  EXPECT_EQ(problem.b, vec({1}));
  EXPECT_EQ(problem.constant, 0.0);
  EXPECT_EQ(problem.rows->G->rows(), 1);
  ASSERT_EQ(file.warnings.size(), 1U);
  EXPECT_TRUE(has(file.warnings[0], "type N"));
}

TEST(Qps, BoundsOfEveryKind) {
  const ProblemFile file = read_qps(
      "ROWS\n N f\nCOLUMNS\n a f 1\n b f 1\n c f 1\n d f 1\n e f 1\n g f 1\n h f 1\n i f 1\n j f 1\n k f 1\n "
      "l f 1\n"
      "BOUNDS\n UP s a 3\n LO s b -2\n FX s c 1.5\n FR s d\n MI s e\n PL s g\n BV s h\n UP s i -1\n LI s j "
      "2\n"
      " UI s j 5\n MI s k\n UP s k 1e20\n UP s l -4\n LO s l -6\nENDATA\n",
      "test.qps");
  const auto& problem = std::get<Problem>(file.problem);
  EXPECT_FALSE(problem.rows);
  EXPECT_EQ(problem.K.lower(), vec({0, -2, 1.5, -infinity, -infinity, 0, 0, -infinity, 2, -infinity, -6}));
  EXPECT_EQ(problem.K.upper(), vec({3, infinity, 1.5, infinity, infinity, infinity, 1, -1, 5, infinity, -4}));
  ASSERT_EQ(file.warnings.size(), 2U);
  EXPECT_TRUE(has(file.warnings[0], "integrality"));
  EXPECT_TRUE(has(file.warnings[1], "upper bound below zero"));
}

TEST(Qps, RangesOfEveryRow) {
  const Problem problem = read(
      "ROWS\n N f\n L l\n G g\n E p\n E m\n L unranged\nCOLUMNS\n x l 1 g 1\n x p 1 m 1\n"
      "RHS\n r l 10 g 20\n r p 30 m 40\n r unranged 1e30\n"
      "RANGES\n r l 1 g -2\n r p 3 m -4\nENDATA\n");
  EXPECT_EQ(problem.rows->lower, vec({9, 20, 30, 36, -infinity}));
  EXPECT_EQ(problem.rows->upper, vec({10, 22, 33, 40, infinity}));
}

TEST(Qps, TheWholeMatrixAndTheOtherSense) {
  const std::string start = "OBJSENSE\n    MAX\nROWS\n N f\nCOLUMNS\n x f 1\n y f 2\nRHS\n r f 5\n";
  const ProblemFile file =
      read_qps(start + "QMATRIX\n x x -2\n x y 1\n y x 1\n y y -3\nENDATA\n", "test.qps");
  const auto& problem = std::get<Problem>(file.problem);
  EXPECT_EQ(dense(problem.A), mat({{2, -1}, {-1, 3}}));
  EXPECT_EQ(problem.b, vec({-1, -2}));
  EXPECT_EQ(problem.constant, 5.0);
  EXPECT_EQ(file.warnings.size(), 1U);
  const ProblemFile skew = read_qps(start + "QMATRIX\n x x -2\n x y 1\n y y -3\nENDATA\n", "test.qps");
  EXPECT_EQ(std::get<Problem>(skew.problem).A.entry(0, 1), -0.5);
  EXPECT_EQ(skew.warnings.size(), 2U);
}

TEST(Qps, KeywordsMayHaveSmallLetters) {
  const Problem problem = read(
      "objsense\n max\nname t\nrows\n n f\n g r\ncolumns\n x f 1 r 1\n y r 1\nrhs\n s r 2\nbounds\n up s x "
      "4\n "
      "fr s y\nendata\n");
  EXPECT_EQ(problem.b, vec({-1, 0}));
  EXPECT_EQ(problem.rows->lower, vec({2}));
  EXPECT_EQ(problem.K.lower(), vec({0, -infinity}));
}

TEST(Qps, TheSenseMayStandInTheFirstColumn) {
  EXPECT_EQ(read("NAME t\nOBJSENSE\nMAXIMIZE\nROWS\n N f\nCOLUMNS\n x f 3\nENDATA\n").b, vec({-3}));
}

TEST(Qps, NumbersOfFortranAndWordsForInfinity) {
  const Problem problem = read(
      "ROWS\n N f\nCOLUMNS\n x f 1.5D+02\n y f -2d0\n z f 1\nBOUNDS\n UP b x INF\n LO b y -Infinity\n UP b y "
      "1.D1\n LO b z -1d30\nENDATA\n");
  EXPECT_EQ(problem.b, vec({150, -2, 1}));
  EXPECT_EQ(problem.K.lower(), vec({0, -infinity, -infinity}));
  EXPECT_EQ(problem.K.upper(), vec({infinity, 10, infinity}));
}

TEST(Qps, ASectionOfTheObjectiveIsATriangle) {
  for (const char* section : {"QSECTION\n", "QSECTION      obj\n"}) {
    const Problem problem = read(with(example, "QUADOBJ\n", section));
    EXPECT_EQ(dense(problem.A), mat({{8, 2}, {2, 10}}));
  }
}

TEST(Qps, LinesWithoutTheNameOfASetBelongToIt) {
  const ProblemFile file = read_qps(
      "ROWS\n N f\n G g\n G h\n G i\nCOLUMNS\n x g 1 h 1\n x i 1\nRHS\n g 1\n one h 2\n i 3\nENDATA\n",
      "test.qps");
  EXPECT_EQ(std::get<Problem>(file.problem).rows->lower, vec({1, 2, 3}));
  EXPECT_TRUE(file.warnings.empty());
}

TEST(Qps, AMarkOfTheByteOrderIsSkipped) {
  EXPECT_EQ(read("\xef\xbb\xbf" + example).constant, 4.0);
}

// FORPLAN has such names, and no names of the sets.
TEST(Qps, FixedColumnsMayLeaveTheNamesOfSetsBlank) {
  const Problem problem = read(
      "NAME          FORPLAN  (FORPLAN1)\nROWS\n E  LC123   \n N  OB1PNW20\n L  A$ 4-8 1\n E  GP+++ "
      "0R\nCOLUMNS\n"
      "    GP+++ 0   OB1PNW20        .02466   GP+++ 0R           -1.   \n"
      "    A   21 1  LC123               1.   A$ 4-8 1       1.59091   \n"
      "RHS\n              A$ 4-8 1         1000.   GP+++ 0R         -.18   \n"
      "BOUNDS\n UP           A   21 1          50.\nENDATA\n");
  EXPECT_EQ(problem.b, vec({.02466, 0}));
  EXPECT_EQ(problem.rows->upper, vec({0, 1000, -.18}));
  EXPECT_EQ(problem.K.upper(), vec({infinity, 50}));
}

TEST(Qps, OnlyTheFirstSetCounts) {
  const ProblemFile file = read_qps(
      "ROWS\n N f\n G g\nCOLUMNS\n x g 1\nRHS\n one g 1\n two g 2\nBOUNDS\n UP one x 3\n UP two x "
      "4\nENDATA\n",
      "test.qps");
  EXPECT_EQ(std::get<Problem>(file.problem).rows->lower, vec({1}));
  EXPECT_EQ(std::get<Problem>(file.problem).K.upper(), vec({3}));
  EXPECT_EQ(file.warnings.size(), 1U);
}

TEST(Qps, FailuresNameTheLineAndWhatWasExpected) {
  const std::map<std::string, std::string> failures = {
      {with(example, "NAME", "NAMES"), "line 1: unknown section 'NAMES'"},
      {with(example, "ENDATA\n", ""), "without ENDATA"},
      {with(example, " L  r2", " L  r1"), "line 5: a second row 'r1'"},
      {with(example, " L  r2", " K  r2"), "line 5: expected a row of type N, E, L or G, found 'K'"},
      {with(example, " N  obj\n", " E  obj\n"), "there is no objective"},
      {with(example, "    c2        obj", "    c1        obj"), "line 10: column 'c1' was given before"},
      {with(example, "    c1        obj", "    c1        obi"), "line 8: there is no row 'obi'"},
      {with(example, "1.5", "nan"), "line 8: expected a finite number (a value), found 'nan'"},
      {with(example, "1.5", "1e400"), "line 8: expected a number that a double can hold"},
      {with(example, "1.5", "1e25"), "line 8: expected a value below 1e20"},
      {with(example, "1.5", "1,5"), "line 8: expected a number"},
      {with(example, "    c1        obj                1.5\n",
            "    c1        obj                1.5\n    c1        r1                 1.5\n"),
       "line 9: an entry of a row is given twice, the other time in line 7"},
      {with(example, "COLUMNS\n", "COLUMNS\n    m  'MARKER'  'INTORG'\n"),
       "integer columns are not supported"},
      {with(example, " UP bnd1      c1 ", " UX bnd1      c1 "), "expected a bound of kind"},
      {with(example, " UP bnd1      c1                20.0\n",
            " UP bnd1      c1                20.0\n UP bnd1      c1                20.0\n"),
       "line 16: a second upper bound of 'c1'"},
      {with(example, "UP bnd1      c1                20.0", "LO bnd1      c1                 inf"),
       "no number lies between its bounds"},
      {with(example, "    c1        c2                 2.0\n",
            "    c1        c2                 2.0\n    c2        c1                 2.0\n"),
       "line 19: an entry of Q is given twice, the other time in line 18"},
      {with(example, "    rhs1      r1 ", "    rhs1      r3 "), "there is no row 'r3'"},
      {with(example, "    rhs1      r1 ", "    rhs1      r2 "), "a second right-hand side of 'r2'"},
      {with(example, "BOUNDS\n", "RANGES\n    rhs1      obj                1.0\nBOUNDS\n"),
       "a row of type N"},
      {with(example, "ROWS\n N  obj\n G  r1\n L  r2\n", ""), "section COLUMNS before ROWS"},
      {with(example, "BOUNDS\n", "RHS\n"), "a second section RHS"},
      {with(example, "QUADOBJ\n", "QCMATRIX\n"), "unknown section 'QCMATRIX'"},
      {with(example, "QUADOBJ\n", "QSECTION r1\n"), "line 16: QSECTION of 'r1', which is not the objective"},
      {with(example, "QUADOBJ\n", "QSECTION r3\n"), "line 16: there is no row 'r3'"},
      {with(example, "ENDATA\n", "QSECTION\n    c1        c1                 8.0\nENDATA\n"),
       "more than one of QUADOBJ, QMATRIX and QSECTION"},
      {with(example, "20.0\n", "20.0\n LO bnd1      c1                21.0\n"),
       "line 16: column 'c1': no number lies between its bounds 21 and 20"},
      {with(example, "1.5", "1.5D"), "line 8: expected a number"},
      {with(example, "1.5", "D05"), "line 8: expected a number"},
      {"  x y 1\n", "outside of a section"},
      {"OBJSENSE\n  UP\n", "expected MIN or MAX"},
  };
  for (const auto& [text, message] : failures) {
    const std::string error = error_of(text);
    EXPECT_TRUE(has(error, message)) << error << "\nexpected: " << message;
    EXPECT_EQ(error.find("test.qps: line "), 0U) << error;
  }
}

TEST(Qps, EveryCutIsRefused) {
  for (std::size_t length = 0; length < example.find("ENDATA") + 5; ++length)
    EXPECT_THROW(read_qps(example.substr(0, length), "cut.qps"), Error) << length;
}

TEST(Qps, FilesAreToldByExtensionOrTheirFirstWord) {
  const ScratchFolder folder;
  EXPECT_EQ(read_problem(folder.file("a.QPS", "* remark\n" + example)).format, FileFormat::qps);
  EXPECT_EQ(read_problem(folder.file("b.txt", example)).format, FileFormat::qps);
  write_problem(folder / "c.mtx", read_problem(folder / "a.QPS"));
  EXPECT_TRUE(same_problem(read_problem(folder / "c.mtx").problem, read_problem(folder / "a.QPS").problem));
  EXPECT_EQ(name(FileFormat::qps), "QPS");
}

// Columns, rows and entries of Q (both triangles) of the collection's files, as its index gives them.
struct Sizes {
  Index columns;
  Index rows;
};

TEST(Qps, RealFilesHaveTheirPublishedSizes) {
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  const std::map<std::string, Sizes> sizes = {
      {"AUG3DC", {3873, 1000}}, {"AUG3DCQP", {3873, 1000}}, {"CVXQP1_S", {100, 50}}, {"CVXQP2_S", {100, 25}},
      {"DUAL1", {85, 1}},       {"DUAL4", {75, 1}},         {"DUALC1", {9, 215}},    {"GENHS28", {10, 8}},
      {"HS118", {15, 17}},      {"HS21", {2, 1}},           {"HS35", {3, 1}},        {"HS35MOD", {3, 1}},
      {"HS52", {5, 3}},         {"HS76", {4, 3}},           {"KSIP", {20, 1001}},    {"MOSARQP2", {900, 600}},
      {"QPTEST", {2, 2}},       {"YAO", {2002, 2000}}};
  for (const auto& [name, size] : sizes) {
    const ProblemFile file = read_problem(std::filesystem::path(data) / "qp" / (name + ".QPS"));
    const auto& problem = std::get<Problem>(file.problem);
    EXPECT_EQ(problem.b.size(), size.columns) << name;
    EXPECT_EQ(problem.rows->G->rows(), size.rows) << name;
    EXPECT_TRUE(file.warnings.empty()) << name << ": " << file.warnings.front();
    EXPECT_EQ(classify(file.problem), ProblemClass::qp);
  }
  // HS21: 0.01 x1^2 + x2^2 - 100 has its optimum at (2, 0).
  const ProblemFile file = read_problem(std::filesystem::path(data) / "qp/HS21.QPS");
  const auto& problem = std::get<Problem>(file.problem);
  const Vector x = vec({2, 0});
  EXPECT_NEAR(0.5 * x.dot(dense(problem.A) * x) + problem.b.dot(x) + problem.constant, -99.96, 1e-12);
}

}  // namespace slipstick::internal::qps_test
