// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problem.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/banded_matrix.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/sanitized.hpp"

namespace slipstick::internal::validate_test {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

CsrMatrix csr(const DenseMatrix& a) {
  return csr_from_dense(a);
}

LcpProblem good_lcp() {
  return {csr(mat({{2, 1}, {1, 2}})), vec({1, -1})};
}

MixedLcp good_mixed() {
  return {csr(mat({{2, 1}, {1, 2}})), vec({1, -1}), vec({-inf, 0}), vec({inf, 3})};
}

Problem good_problem() {
  Problem p{.A = csr(mat({{2, 1, 0}, {1, 2, 0}, {0, 0, 1}})), .b = vec({1, -1, 0}), .K = {}};
  p.K.append_interval(-1.0, 1.0);
  p.K.append_cone(0.5, 2);
  p.rows = LinearRows{std::make_shared<CsrMatrix>(csr(mat({{1, 1, 1}}))), vec({0}), vec({inf})};
  return p;
}

LocalContactProblem good_local() {
  LocalContactProblem p{.dimension = 2, .W = csr(mat({{2, 1}, {1, 2}})), .q = vec({1, -1}), .mu = vec({0.3})};
  add_joints(csr(mat({{1}, {2}})), csr(mat({{3}})), vec({4}), p);
  return p;
}

GlobalContactProblem good_global() {
  GlobalContactProblem p{.dimension = 2,
                         .M = csr(mat({{2, 0, 0}, {0, 2, 0}, {0, 0, 1}})),
                         .H = csr(mat({{1, 0}, {0, 1}, {1, 1}})),
                         .f = vec({0, 0, -9.8}),
                         .w = vec({0, 0}),
                         .mu = vec({0.3})};
  add_joints(csr(mat({{1}, {0}, {0}})), vec({0}), p);
  return p;
}

std::string defect(const AnyProblem& problem) {
  return validate(problem).defect;
}

/// The defect after a change of a good problem.
template <class P, class Change>
std::string defect_after(P problem, const Change& change) {
  change(problem);
  return defect(std::move(problem));
}

TEST(Validate, GoodProblemsHaveNoDefect) {
  EXPECT_EQ(defect(good_lcp()), "");
  EXPECT_EQ(defect(good_mixed()), "");
  EXPECT_EQ(defect(good_problem()), "");
  EXPECT_EQ(defect(good_local()), "");
  EXPECT_EQ(defect(good_global()), "");
  EXPECT_EQ(defect(LcpProblem{}), "");
  EXPECT_EQ(defect(GlobalContactProblem{}), "");
  EXPECT_TRUE(inspect(good_global()).ok());
  EXPECT_EQ(inspect(good_global()).warnings, std::vector<std::string>{});
  EXPECT_EQ(inspect(good_local()).warnings, std::vector<std::string>{});
}

TEST(Validate, LcpSizesAndValues) {
  EXPECT_EQ(defect_after(good_lcp(), [](auto& p) { p.q = vec({1}); }), "q has 1 entries, not 2");
  EXPECT_EQ(defect_after(good_lcp(), [](auto& p) { p.q[1] = nan; }), "q[1] is nan");
  EXPECT_EQ(defect_after(good_lcp(), [](auto& p) { p.q[0] = -inf; }), "q[0] is -inf");
  EXPECT_EQ(defect_after(good_lcp(),
                         [](auto& p) {
                           p.M = Operator(csr(mat({{2, 1}, {inf, 2}})));
                         }),
            "M(1, 0) is inf");
}

TEST(Validate, EveryStorageIsSearched) {
  const DenseMatrix bad = mat({{2, 1, 0}, {1, nan, 0}, {0, 0, 2}});
  const Vector q = vec({0, 0, 0});
  EXPECT_EQ(defect(LcpProblem{bad, q}), "M(1, 1) is nan");
  BandedMatrix banded(3, 1);
  banded.at(2, 1) = inf;
  EXPECT_EQ(defect(LcpProblem{banded, q}), "M(2, 1) is inf");
  const std::vector<Constraint> constraints = {{0, 3, {0, -1}}};
  const std::vector<double> jacobian = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const DelassusOperator good(3, 1, {1, 1, 1}, constraints, jacobian, vec({0, 0, 0}));
  EXPECT_EQ(defect(LcpProblem{good, q}), "");
  const DelassusOperator heavy(3, 1, {1, inf, 1}, constraints, jacobian, vec({0, 0, 0}));
  EXPECT_EQ(defect(LcpProblem{heavy, q}), "the inverse mass of M(1, 1) is inf");
  const DelassusOperator soft(3, 1, {1, 1, 1}, constraints, jacobian, vec({0, 0, nan}));
  EXPECT_EQ(defect(LcpProblem{soft, q}), "the compliance of M[2] is nan");
}

/// A matrix from a stranger: 3 x 3 with the arrays changed behind its back.
template <class Change>
std::string defect_of_arrays(const Change& change) {
  auto a = std::make_shared<CsrMatrix>(csr(mat({{1, 2, 0}, {3, 4, 5}, {0, 6, 7}})));
  change(*a);
  return defect(LcpProblem{Operator(std::shared_ptr<const CsrMatrix>(a)), vec({0, 0, 0})});
}

TEST(Validate, RawArraysOfACsrMatrix) {
  EXPECT_EQ(defect_of_arrays([](CsrMatrix&) {}), "");
  EXPECT_EQ(defect_of_arrays([](CsrMatrix& a) { a.innerIndexPtr()[2] = -1; }),
            "row 1 of M has an entry in column -1 of 3");
  EXPECT_EQ(defect_of_arrays([](CsrMatrix& a) { a.innerIndexPtr()[6] = 3; }),
            "row 2 of M has an entry in column 3 of 3");
  EXPECT_EQ(defect_of_arrays([](CsrMatrix& a) { std::swap(a.innerIndexPtr()[2], a.innerIndexPtr()[3]); }),
            "row 1 of M has column 0 after column 1");
  EXPECT_EQ(defect_of_arrays([](CsrMatrix& a) { a.innerIndexPtr()[1] = 0; }),
            "row 0 of M has column 0 after column 0");
  EXPECT_EQ(defect_of_arrays([](CsrMatrix& a) { a.outerIndexPtr()[0] = 1; }),
            "the row pointers of M start at 1, not 0");
  EXPECT_EQ(defect_of_arrays([](CsrMatrix& a) { a.outerIndexPtr()[2] = 1; }),
            "row 1 of M ends at entry 1, before its start at 2");
  EXPECT_EQ(defect_of_arrays([](CsrMatrix& a) { a.outerIndexPtr()[3] = 1000; }),
            "row 2 of M ends at entry 1000, but there are 7");
}

TEST(Validate, BoundsOfAMixedLcp) {
  const auto with = [](double lower, double upper) {
    return defect_after(good_mixed(), [&](MixedLcp& p) {
      p.lower[1] = lower;
      p.upper[1] = upper;
    });
  };
  EXPECT_EQ(with(-inf, inf), "");
  EXPECT_EQ(with(2, 2), "");
  EXPECT_EQ(with(nan, 1), "row 1 has the bounds [nan, 1]");
  EXPECT_EQ(with(0, nan), "row 1 has the bounds [0, nan]");
  EXPECT_EQ(with(inf, inf), "row 1 has the lower bound inf");
  EXPECT_EQ(with(-inf, -inf), "row 1 has the upper bound -inf");
  EXPECT_EQ(with(2, 1), "row 1 has the lower bound 2 above the upper bound 1");
  EXPECT_EQ(defect_after(good_mixed(), [](auto& p) { p.lower = vec({0}); }),
            "the lower bound of the rows has 1 entries, not 2");
  EXPECT_EQ(defect_after(good_mixed(), [](auto& p) { p.upper = vec({0}); }),
            "the upper bound of the rows has 1 entries, not 2");
}

TEST(Validate, SetsAndLinearRowsOfAProblem) {
  using P = Problem;
  EXPECT_EQ(defect_after(good_problem(), [](P& p) { p.K.append_free(1); }), "K has 4 rows, A has 3");
  EXPECT_EQ(defect_after(good_problem(), [](P& p) { p.b = vec({1}); }), "b has 1 entries, not 3");
  EXPECT_EQ(defect_after(good_problem(), [](P& p) { p.constant = nan; }),
            "the constant of the objective is nan");
  const auto with_set = [](const auto& append) {
    return defect_after(good_problem(), [&](P& p) {
      p.K = ProductSet::free(1);
      append(p.K);
    });
  };
  EXPECT_EQ(with_set([](ProductSet& K) { K.append_cone(-0.1, 2); }),
            "the cone from row 1 on has the friction coefficient -0.1");
  EXPECT_EQ(with_set([](ProductSet& K) { K.append_disk(nan, 2); }),
            "the disk from row 1 on has the radius nan");
  EXPECT_EQ(with_set([](ProductSet& K) { K.append_diamond(-1.0, 2); }),
            "the diamond from row 1 on has the radius -1");
  EXPECT_EQ(with_set([](ProductSet& K) {
              K.append_interval(0.0, 1.0);
              K.append_interval(1.0, 0.0);
            }),
            "row 2 has the lower bound 1 above the upper bound 0");
  EXPECT_EQ(defect_after(good_problem(), [](P& p) { p.rows->G = nullptr; }),
            "the linear rows have no matrix");
  EXPECT_EQ(defect_after(good_problem(),
                         [](P& p) {
                           p.rows->G = std::make_shared<CsrMatrix>(csr(mat({{1, 1}})));
                         }),
            "G has 2 columns, A has 3 rows");
  const auto loose = std::make_shared<CsrMatrix>(csr(mat({{1, 1, 1}})));
  loose->uncompress();
  EXPECT_EQ(defect_after(good_problem(), [&](P& p) { p.rows->G = loose; }), "G is not compressed");
  EXPECT_EQ(defect_after(good_problem(),
                         [](P& p) {
                           p.rows->lower = vec({1, 2});
                         }),
            "the lower bound of the linear rows has 2 entries, not 1");
  EXPECT_EQ(defect_after(good_problem(), [](P& p) { p.rows->lower[0] = nan; }),
            "linear row 0 has the bounds [nan, inf]");
}

TEST(Validate, LocalContactProblem) {
  using P = LocalContactProblem;
  EXPECT_EQ(defect_after(good_local(), [](P& p) { p.dimension = 4; }), "a contact has 2 or 3 rows, not 4");
  EXPECT_EQ(defect_after(good_local(), [](P& p) { p.dimension = 3; }),
            "W has 3 rows, but 1 contacts in 3 dimensions and 1 rows of joints have 4");
  EXPECT_EQ(defect_after(good_local(),
                         [](P& p) {
                           p.mu = vec({0.3, 0.3});
                         }),
            "W has 3 rows, but 2 contacts in 2 dimensions and 1 rows of joints have 5");
  EXPECT_EQ(defect_after(good_local(), [](P& p) { p.mu[0] = -1e-9; }),
            "contact 0 has the friction coefficient -1e-09");
  EXPECT_EQ(defect_after(good_local(), [](P& p) { p.mu[0] = nan; }),
            "contact 0 has the friction coefficient nan");
  EXPECT_EQ(defect_after(good_local(), [](P& p) { p.q = vec({1, 2}); }), "q has 2 entries, not 3");
  EXPECT_EQ(defect_after(good_local(), [](P& p) { p.lower[0] = nan; }),
            "joint row 0 has the bounds [nan, inf]");
  EXPECT_EQ(defect_after(good_local(), [](P& p) { p.upper.resize(0); }),
            "the upper bound of the joint rows has 0 entries, not 1");
  EXPECT_EQ(defect_after(good_local(), [](P& p) { p.lower[0] = inf; }),
            "joint row 0 has the lower bound inf");
}

TEST(Validate, GlobalContactProblem) {
  using P = GlobalContactProblem;
  EXPECT_EQ(defect_after(good_global(), [](P& p) { p.M = csr(mat({{1, 2}})); }), "M is 1 x 2, not square");
  EXPECT_EQ(defect_after(good_global(), [](P& p) { p.H = csr(mat({{1, 2}})); }), "H is 1 x 2, not 3 x 3");
  EXPECT_EQ(defect_after(good_global(), [](P& p) { p.f = vec({1}); }), "f has 1 entries, not 3");
  EXPECT_EQ(defect_after(good_global(), [](P& p) { p.w[1] = inf; }), "w[1] is inf");
  EXPECT_EQ(defect_after(good_global(), [](P& p) { p.dimension = 1; }), "a contact has 2 or 3 rows, not 1");
  EXPECT_EQ(defect_after(good_global(),
                         [](P& p) {
                           p.compliance = vec({1, 2});
                         }),
            "the compliance has 2 entries, not 3");
  EXPECT_EQ(defect_after(good_global(),
                         [](P& p) {
                           p.compliance = vec({1, -2, 0});
                         }),
            "the compliance of row 1 is -2, below 0");
  EXPECT_EQ(defect_after(good_global(), [](P& p) { p.H.valuePtr()[2] = nan; }), "H(1, 1) is nan");
}

using Warnings = std::vector<std::string>;

TEST(Inspect, WarnsWithFigures) {
  EXPECT_EQ(inspect(LcpProblem{mat({{2, 1}, {1.5, 4}}), vec({0, 0})}).warnings,
            Warnings{"M is asymmetric by 1.2e-01 of the largest entry"});
  EXPECT_EQ(inspect(LcpProblem{csr(mat({{1, 2}, {2, 1}})), vec({0, 0})}).warnings,
            Warnings{"M is indefinite: its smallest eigenvalue is -1.0e+00, its largest 3.0e+00"});
  EXPECT_EQ(
      inspect(MixedLcp{csr(mat({{1, 3}, {1, 1}})), vec({0, 0}), vec({0, 0}), vec({1, 1})}).warnings,
      (Warnings{"M is asymmetric by 6.7e-01 of the largest entry",
                "the symmetric part of M is indefinite: its smallest eigenvalue is -1.0e+00, its largest "
                "3.0e+00"}));
  EXPECT_EQ(inspect(LcpProblem{csr(mat({{1, 0, 0}, {0, 0, 0}, {0, 0, 0}})), vec({0, 0, 0})}).warnings,
            Warnings{"2 of the 3 rows of M are zero, the first is 1"});
  // A defect comes alone.
  EXPECT_EQ(inspect(LcpProblem{mat({{1, 2}, {2, 1}}), vec({0})}).warnings, Warnings{});
}

TEST(Inspect, SemidefiniteAndSkewMatricesPass) {
  EXPECT_EQ(inspect(LcpProblem{mat({{1, 1}, {1, 1}}), vec({0, 0})}).warnings, Warnings{});
  EXPECT_EQ(inspect(LcpProblem{mat({{0, 1}, {-1, 0}}), vec({0, 0})}).warnings,
            Warnings{"M is asymmetric by 2.0e+00 of the largest entry"});
}

TEST(Inspect, GlobalForm) {
  GlobalContactProblem p = good_global();
  p.M = csr(mat({{1, 0, 0}, {0, 0, 0}, {0, 0, 1}}));
  p.H = csr(mat({{1, 0, 1}, {0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(inspect(p).warnings, (Warnings{"M(1, 1) is 0, so M is not positive definite",
                                           "1 of the 3 columns of H are zero, the first is 1"}));
  p.M = csr(mat({{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(inspect(p).warnings.front(),
            "M is indefinite: its smallest eigenvalue is -1.0e+00, its largest 3.0e+00");
}

TEST(Inspect, DelassusOperator) {
  const DelassusOperator a(1, 2, {1, 1}, {{0, 1, {0, 1}}, {1, 1, {-1, -1}}}, {1, -1, 1, 1}, vec({0, 0}));
  EXPECT_EQ(inspect(LcpProblem{a, vec({0, 0})}).warnings,
            Warnings{"1 of the 2 rows of M are zero, the first is 1"});
}

TEST(Inspect, SmallIndefinitenessOfAMatrixOfMiddleSize) {
  // Eigenvalues between 1e-7 and 1, mixed by a reflection, and one of -1e-8 that Lanczos steps would not see.
  const Index n = sanitized ? 320 : 800;
  Random random(4);
  const Vector normal = random_vector(n, random).normalized();
  Vector spectrum = Vector::LinSpaced(n, 1e-7, 1.0);
  spectrum[n / 2] = -1e-8;
  DenseMatrix a = spectrum.asDiagonal();
  a -= 2.0 * normal * (normal.transpose() * a).eval();
  a -= (2.0 * (a * normal).eval()) * normal.transpose();
  const CsrMatrix sparse = csr_from_dense(a);
  const Warnings found = inspect(LcpProblem{symmetric_part(sparse), Vector::Zero(n)}).warnings;
  EXPECT_EQ(found, Warnings{"M is indefinite: its smallest eigenvalue is -1.0e-08, its largest 1.0e+00"});
}

/// A tridiagonal matrix of 1,000 rows, positive semidefinite with eigenvalues in [0, 4] + shift.
CsrMatrix laplacian(double shift) {
  const int n = 1000;
  std::vector<Triplet> triplets;
  for (int i = 0; i < n; ++i) {
    triplets.push_back({i, i, 2.0 + shift});
    if (i > 0) triplets.push_back({i, i - 1, -1.0});
    if (i + 1 < n) triplets.push_back({i, i + 1, -1.0});
  }
  return csr_from_triplets(n, n, triplets);
}

TEST(Inspect, LanczosFindsANegativeEigenvalue) {
  const Vector q = Vector::Zero(1000);
  EXPECT_EQ(inspect(LcpProblem{laplacian(0.0), q}).warnings, Warnings{});
  const Warnings found = inspect(LcpProblem{laplacian(-0.1), q}).warnings;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].substr(0, 54), "M is indefinite: its smallest eigenvalue is at most -9");
  EXPECT_EQ(inspect(LcpProblem{laplacian(-0.1), q}).warnings, found);
  // Nonsymmetric, banded and diagonal matrices (whose Krylov space is small) take the same way.
  CsrMatrix skewed = laplacian(-0.1);
  skewed.coeffRef(5, 4) += 0.5;
  EXPECT_EQ(inspect(LcpProblem{skewed, q}).warnings.size(), 2u);
  EXPECT_EQ(inspect(LcpProblem{BandedMatrix(laplacian(-0.1)), q}).warnings.size(), 1u);
  Vector diagonal = Vector::Ones(1000);
  EXPECT_EQ(inspect(LcpProblem{CsrMatrix(DenseMatrix(diagonal.asDiagonal()).sparseView()), q}).warnings,
            Warnings{});
  diagonal[7] = -1e-9;
  EXPECT_EQ(inspect(LcpProblem{CsrMatrix(DenseMatrix(diagonal.asDiagonal()).sparseView()), q}).warnings,
            Warnings{"M is indefinite: its smallest eigenvalue is at most -1.0e-09, its largest 1.0e+00"});
  EXPECT_EQ(inspect(LcpProblem{CsrMatrix(1000, 1000), q}).warnings,
            Warnings{"1000 of the 1000 rows of M are zero, the first is 0"});
}

}  // namespace slipstick::internal::validate_test
