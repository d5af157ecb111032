// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/qps_writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/io/qps.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::qps_writer_test {

ProblemFile read_back(const Problem& problem, const std::string& title = "") {
  ProblemFile file;
  file.problem = problem;
  file.title = title;
  return read_qps(qps_text(file), "written.qps");
}

// Every kind of bound and row, digits that need seventeen places, stored zeros, and an empty column.
Problem every_kind() {
  constexpr double third = 1.0 / 3.0, tiny = std::numeric_limits<double>::denorm_min();
  const Vector lower = vec({0, -infinity, -infinity, third, -2.5, 0, -7, 0}),
               upper = vec({infinity, infinity, -third, infinity, -2.5, 0.1, 1e19, infinity});
  Problem problem;
  problem.A = csr_from_triplets(
      8, 8, std::vector<Triplet>{{0, 0, third}, {0, 1, -tiny}, {1, 0, -tiny}, {1, 1, 0.0}, {5, 5, 1e-300}});
  problem.b = vec({0.1, 0, -1e19, third, 0, 0, 5, 0});
  problem.K = ProductSet::box(lower, upper);
  problem.constant = -0.7;
  const std::vector<Triplet> g = {{0, 0, third}, {0, 1, 0.0}, {1, 3, -1}, {2, 4, 2},
                                  {3, 5, 1},     {4, 6, 1},   {5, 2, 3},  {6, 2, 1}};
  problem.rows = LinearRows{.G = std::make_shared<const CsrMatrix>(csr_from_triplets(7, 8, g)),
                            .lower = vec({third, -infinity, 0, -0.25, 1e-5, -infinity, -1e10}),
                            .upper = vec({third, third, infinity, 0.5, 3e8, infinity, 1e-3})};
  return problem;
}

TEST(QpsWriter, EveryDigitComesBack) {
  const ProblemFile back = read_back(every_kind(), "a title with spaces");
  EXPECT_TRUE(back.warnings.empty());
  EXPECT_EQ(back.title, "a title with spaces");
  EXPECT_TRUE(same_problem(back.problem, every_kind()));
}

// No width takes -1 to the double above 1: those near 2 are twice as far apart.
TEST(QpsWriter, ARangeMayLoseTheLastBit) {
  Problem problem = every_kind();
  problem.rows->lower[3] = -1.0;
  problem.rows->upper[3] = std::nextafter(1.0, 2.0);
  const Problem back = std::get<Problem>(read_back(problem).problem);
  EXPECT_LE(std::abs(back.rows->lower[3] + 1.0), machine_epsilon);
  EXPECT_LE(std::abs(back.rows->upper[3] - problem.rows->upper[3]), machine_epsilon);
}

TEST(QpsWriter, NoRowsAndNoUnknowns) {
  Problem box = every_kind();
  box.rows.reset();
  EXPECT_TRUE(same_problem(read_back(box).problem, box));
  Problem nothing{.A = CsrMatrix(0, 0), .b = Vector(0), .K = ProductSet()};
  EXPECT_EQ(unknowns(read_back(nothing).problem), 0);
}

TEST(QpsWriter, DenseAndBandedMatricesAreWrittenToo) {
  Problem problem = every_kind();
  problem.A = DenseMatrix::Identity(8, 8).eval();
  EXPECT_EQ(dense(std::get<Problem>(read_back(problem).problem).A), DenseMatrix::Identity(8, 8));
}

TEST(QpsWriter, ATitleStaysInItsLine) {
  EXPECT_EQ(read_back(every_kind(), "two\nlines").title, "two lines");
}

TEST(QpsWriter, RefusesWhatTheFormatCannotHold) {
  const auto refusal = [](const AnyProblem& problem) {
    ProblemFile file;
    file.problem = problem;
    return message_of([&] { qps_text(file); });
  };
  Problem huge = every_kind();
  huge.b[3] = 1e20;
  EXPECT_TRUE(has(refusal(huge), "an entry of b of 1e+20 cannot be written"));
  Problem nonsymmetric = every_kind();
  nonsymmetric.symmetric = false;
  EXPECT_TRUE(has(refusal(nonsymmetric), "symmetric"));
  Problem cone = every_kind();
  cone.rows.reset();
  cone.K = ProductSet::cones(vec({0.5, 0.5, 0.5, 0.5}), 2);
  EXPECT_TRUE(has(refusal(cone), "over bounds"));
  EXPECT_TRUE(has(refusal(lcp_example().problem), "not this problem"));
}

TEST(QpsWriter, FilesOfTheCollectionComeBack) {
  const char* data = std::getenv("SLIPSTICK_DATA");
  if (data == nullptr) GTEST_SKIP() << "SLIPSTICK_DATA is not set";
  const ScratchFolder folder;
  for (const char* name : {"DUALC1", "GENHS28", "HS118", "HS35MOD", "HS52", "CVXQP2_S", "QPTEST"}) {
    const ProblemFile file = read_problem(std::filesystem::path(data) / "qp" / (std::string(name) + ".QPS"));
    write_problem(folder / "copy.qps", file);
    EXPECT_TRUE(same_contents(read_problem(folder / "copy.qps"), file)) << name;
  }
}

}  // namespace slipstick::internal::qps_writer_test
