// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/siconos.hpp"

#include <gtest/gtest.h>

#include "slipstick/error.hpp"
#include "slipstick/io/siconos_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::siconos_test {

ProblemFile read(const std::string& text, std::optional<ProblemClass> kind = std::nullopt) {
  return read_siconos(text, "test.dat", kind);
}

std::string error_of(const std::string& text, std::optional<ProblemClass> kind = std::nullopt) {
  return message_of([&] { read(text, kind); });
}

DenseMatrix matrix(const std::string& text, int rows, int columns) {
  TextScanner scanner(text, "test.dat");
  std::vector<std::string> warnings;
  DenseMatrix result = read_siconos_matrix(scanner, "A", rows, columns, warnings);
  EXPECT_TRUE(scanner.rest().find("1 1 1") != std::string_view::npos) << "read too far: " << scanner.rest();
  return result;
}

// Vectors follow a matrix in every file, and its sizes are compared with the bytes that are left for them.
const std::string padding = "\n1 1 1 1 1 1 1 1 1 1";
const std::string csparse =
    "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n";

TEST(Siconos, DenseValuesComeColumnByColumn) {
  EXPECT_EQ(matrix("0\n2\n3\n2\t3\n1 2\n3 4\n5 6" + padding, 2, 3), mat({{1, 3, 5}, {2, 4, 6}}));
}

TEST(Siconos, BlocksComeColumnByColumn) {
  // Blocks of 1 + 2 rows and 2 + 1 columns; the block (0, 1) is absent.
  const DenseMatrix expected = mat({{1, 2, 0}, {3, 5, 7}, {4, 6, 8}});
  EXPECT_EQ(matrix("1\n3\n3\n3\n2\n2\n1\t3\n2\t3\n3\n3\n0\t1\t3\n0\t0\t1\n0\n1\n2\n1\n3\n4\n5\n6\n2\n7\n8" +
                       padding,
                   3, 3),
            expected);
}

TEST(Siconos, BlocksMayBeAbsent) {
  EXPECT_EQ(matrix("1 2 2 0" + padding, 2, 2), DenseMatrix::Zero(2, 2));
  // The last block row is empty and has no row pointer.
  DenseMatrix expected = DenseMatrix::Zero(2, 2);
  expected(0, 1) = 5;
  EXPECT_EQ(matrix("1 2 2 1 2 2 1 2 1 2 2 1 0 1 1 0 5" + padding, 2, 2), expected);
}

TEST(Siconos, SparseStorages) {
  DenseMatrix expected = DenseMatrix::Zero(3, 2);
  expected(0, 1) = 2.5;
  expected(2, 0) = -1;
  EXPECT_EQ(matrix("2\n3\n2\n1\n" + csparse +
                       "triplet: 3-by-2, nzmax: 7 nnz: 2\n    2 0 : -1\n    0 1 : 2.5\n" + padding,
                   3, 2),
            expected);
  EXPECT_EQ(matrix("2\n3\n2\n2\n" + csparse +
                       "3-by-2, nzmax: 2 nnz: 2, 1-norm: 2.5\n    col 0 : locations 0 to 0\n      2 : -1\n"
                       "    col 1 : locations 1 to 1\n      0 : 2.5\n" +
                       padding,
                   3, 2),
            expected);
  EXPECT_EQ(
      matrix("2\n3\n2\n3\n" + csparse +
                 "csr: 3-by-2, nzmax: 2 nnz: 2, 1-norm: 2.5\n    row 0 : locations 0 to 0\n      1 : 2.5\n"
                 "    row 1 : locations 1 to 0\n    row 2 : locations 1 to 1\n      0 : -1\n" +
                 padding,
             3, 2),
      expected);
}

TEST(Siconos, RepeatedTripletsAddUp) {
  EXPECT_EQ(matrix("2 1 1 1\n" + csparse + "triplet: 1-by-1, nzmax: 2 nnz: 2\n0 0 : 1\n0 0 : 2\n" + padding,
                   1, 1)(0, 0),
            3.0);
}

TEST(Siconos, HalfTripletsAreMirrored) {
  const std::string text =
      "2\n2\n2\n2\n4\n" + csparse + "triplet: 2-by-2, nzmax: 3 nnz: 3\n0 0 : 4\n0 1 : 1\n1 1 : 3\n-1 -2\n";
  const ProblemFile file = read(text);
  EXPECT_EQ(DenseMatrix(*std::get<LcpProblem>(file.problem).M.assemble()), mat({{4, 1}, {1, 3}}));
  ASSERT_EQ(file.warnings.size(), 2u);
  EXPECT_TRUE(has(file.warnings[0], "mirrored"));
  // Entries of both triangles are no half.
  EXPECT_TRUE(has(
      error_of("2\n2\n2\n2\n4\n" + csparse + "triplet: 2-by-2, nzmax: 3 nnz: 2\n0 1 : 1\n1 0 : 1\n-1 -2\n"),
      "both triangles"));
}

TEST(Siconos, LinearComplementarity) {
  const ProblemFile file = read("2\n0\n2\n2\n2\t2\n2 1\n0.5 2\n-5 -6\n");
  const auto& lcp = std::get<LcpProblem>(file.problem);
  EXPECT_EQ(lcp.M.entry(1, 0), 1.0);
  EXPECT_EQ(lcp.M.entry(0, 1), 0.5);
  EXPECT_NE(storage_of<DenseMatrix>(lcp.M), nullptr);
  EXPECT_EQ(lcp.q, vec({-5, -6}));
  EXPECT_TRUE(file.warnings.empty());
  const ProblemFile half_empty = read("2\n0\n2\n2\n2\t2\n2 0\n0 2\n-5 -6\n");
  EXPECT_EQ(storage_of<DenseMatrix>(std::get<LcpProblem>(half_empty.problem).M), nullptr);
}

TEST(Siconos, WhatFollowsTheProblemIsLeftUnread) {
  for (const char* tail : {"\nfrom Murty (1988), chapter 6", " 0.5 0.5 0 0"}) {
    const ProblemFile file = read(std::string("2\n0\n2\n2\n2\t2\n2 1\n1 2\n-5 -6") + tail);
    ASSERT_EQ(file.warnings.size(), 1u) << tail;
    EXPECT_TRUE(has(file.warnings[0], "left unread"));
  }
}

TEST(Siconos, MixedComplementarityOfBothStorages) {
  // One equality, two complementarity rows: M = [1 2 0; 0 3 4; 5 0 6], q = (7, 8, 9).
  const std::string blocks = "0 1 3\n0 1\n0\n3\n3\n3 3\n1 0 5\n2 3 0\n0 4 6\n7 8 9\n";
  const std::string parts = "1\n3 4\n0 6\n2 0\n0\n5\n7\n8 9\n";
  const DenseMatrix expected = mat({{1, 2, 0}, {0, 3, 4}, {5, 0, 6}});
  for (const std::string& text : {"1 0 1 2 " + blocks, "0 1 1 2 " + parts, "1 1 1 2 " + blocks + parts}) {
    const ProblemFile file = read(text);
    const auto& mixed = std::get<MixedLcp>(file.problem);
    EXPECT_EQ(DenseMatrix(*mixed.M.assemble()), expected) << text;
    EXPECT_EQ(mixed.q, vec({7, 8, 9}));
    EXPECT_EQ(mixed.lower, vec({-infinity, 0, 0}));
    EXPECT_EQ(mixed.upper, vec({infinity, infinity, infinity}));
    EXPECT_TRUE(file.warnings.empty());
  }
}

TEST(Siconos, BlockListDecidesWhichRowsAreEqualities) {
  const ProblemFile file = read("1 0 1 2  0 1 2 3  1 0 1  0 3 3 3 3  1 0 0 0 1 0 0 0 1  1 2 3");
  EXPECT_EQ(std::get<MixedLcp>(file.problem).lower, vec({0, -infinity, 0}));
  EXPECT_TRUE(has(error_of("1 0 1 2  0 1 2 3  0 0 1  0 3 3 3 3  1 0 0 0 1 0 0 0 1  1 2 3"), "2 equalities"));
}

TEST(Siconos, StoragesThatDifferAreReported) {
  const ProblemFile file = read("1 1 1 1  0 1 2  0 1  0 2 2 2 2  1 0 0 1  5 6   1 1 0 0.25  5 6");
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_TRUE(has(file.warnings[0], "0.25"));
}

const std::string contact2d = "2\n1\n0\n2\n2\n2 2\n3 0.5\n0.25 4\n-1 -2\n0.3\n";

TEST(Siconos, ContactProblem) {
  for (const char* flag : {"", "1\n", "0\n"}) {  // some writers end with a number of their own
    const ProblemFile file = read(contact2d + flag);
    const auto& contact = std::get<LocalContactProblem>(file.problem);
    EXPECT_EQ(contact.dimension, 2);
    EXPECT_EQ(contact.W.entry(1, 0), 0.5);
    EXPECT_EQ(contact.q, vec({-1, -2}));
    EXPECT_EQ(contact.mu, Vector::Constant(1, 0.3));
    EXPECT_TRUE(file.warnings.empty());
  }
}

TEST(Siconos, GlobalContactProblemThatStartsLikeALocalOne) {
  // n = dim * nc, so W, q and mu can be read off the first numbers, but most of the file would be left.
  const ProblemFile file = read("2 1  0 2 2 2 2  1 0 0 2  0 2 2 2 2  1 3 0 1  5 6  7 8  0.4  1");
  const auto& global = std::get<GlobalContactProblem>(file.problem);
  EXPECT_EQ(global.M.coeff(1, 1), 2.0);
  EXPECT_EQ(global.H.coeff(1, 0), 3.0);
  EXPECT_EQ(global.f, vec({5, 6}));
  EXPECT_EQ(global.w, vec({7, 8}));
  EXPECT_EQ(global.mu[0], 0.4);
  EXPECT_TRUE(file.warnings.empty());
}

TEST(Siconos, KindForcesTheReading) {
  const std::string global = "2 1  0 2 2 2 2  1 0 0 2  0 2 2 2 2  1 3 0 1  5 6  7 8  0.4";
  EXPECT_TRUE(std::holds_alternative<LocalContactProblem>(read(global, ProblemClass::contact2d).problem));
  EXPECT_FALSE(read(global, ProblemClass::contact2d).warnings.empty());
  EXPECT_TRUE(has(error_of(global, ProblemClass::contact3d), "space dimension"));
  EXPECT_TRUE(has(error_of(global, ProblemClass::qp), "holds no qp problem"));
}

TEST(Siconos, ProblemsWithoutContacts) {
  EXPECT_TRUE(std::holds_alternative<LocalContactProblem>(read("2 0  0 0 0 0 0").problem));
  EXPECT_TRUE(std::holds_alternative<GlobalContactProblem>(read("2 0  0 0 0 0 0  0 0 0 0 0").problem));
}

TEST(Siconos, ErrorsNameLineAndReading) {
  EXPECT_EQ(error_of("2\n1\n0\n2\n2\n2 2\n3 0.5\n0.25 nan\n-1 -2\n0.3\n"),
            "test.dat: line 8: expected a finite number (a matrix value), found 'nan' (read as contact2d)");
  EXPECT_TRUE(has(error_of("hello world"), "line 1"));
  EXPECT_TRUE(has(error_of("2 1 0 2 2 2 2 3 0.5 0.25 4 -1 -2"), "friction coefficients"));
}

}  // namespace slipstick::internal::siconos_test
