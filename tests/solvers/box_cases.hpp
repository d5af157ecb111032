// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

// Boxed problems with known answers, and what every method for them must do.
namespace slipstick::internal::box_cases {

using internal::one_row;
using internal::solve_with;
using internal::vec;

Problem make(const DenseMatrix& A, const Vector& b, const Vector& lower, const Vector& upper);
Problem make(const DenseMatrix& A, const Vector& b, double lower, double upper);
/// x >= 0.
Problem lcp(const DenseMatrix& M, const Vector& q);

struct Case {
  std::string name;
  Problem problem;
  Vector x;
};

/// A problem, and the same in units that differ from row to row by up to nine magnitudes. x is scale times
/// the x of `scaled`, whose entries spread over eighteen.
struct TwoUnits {
  Problem unscaled, scaled;
  Vector scale;
};
TwoUnits entries_over_eighteen_magnitudes();

/// 1e3 conditioned but for so many zero eigenvalues, degenerate, with rows of every kind.
KnownProblem rank_deficient(Index rows, Index deficiency, std::uint64_t seed);

/// A repeated contact, a repeated equality and an empty free row: x_0 + x_1 = 1 and x_2 + x_3 = 3.
Problem repeated_rows();

/// Problems with one solution, worked out by hand, in every regime.
std::vector<Case> closed_forms();

/// LCP with an upper triangle of twos: 2^n - 1 pivots for some principal pivoting methods. x_n = 1.
Case murtys_example(Index n);
/// LCP of three rows on which Lemke's method without a rule for ties cycles; nondegenerate in the solution.
Case kostrevas_example();
/// LCP of a game between two: every covering vector ends on a ray at once, since the diagonal is zero and
/// nothing is negative.
Problem bimatrix_game();

/// Two rows with two bounds each, every one of them met from both sides, by one solver that is kept.
void expect_two_bounds(Solver& solver);
/// Solves every closed form; `accuracy` in x.
void expect_closed_forms(Solver& solver, double tolerance = 1e-13, double accuracy = 1e-11);

/// Two-row constraints between random pairs of planar bodies and the ground, with full or diagonal inverse
/// masses.
DelassusOperator random_bodies(std::uint64_t seed, bool full_mass, double compliance);

/// The problem with every entry of the load changed by about this share of it.
Problem with_changed_load(Problem problem, double share);

/// Contacts of a normal and two friction rows, these within fixed bounds, coupled by a random matrix.
Problem contacts_in_boxes(std::uint64_t seed, double condition);

/// A method that shifts friction rows ends without the shifts, with the answer of one that does not, and says
/// so. At least `shifted` of ten problems make it shift.
void expect_unshifted_end(Solver& plain, Solver& shifting, double condition, double tolerance,
                          double accuracy, int shifted);

/// Stops after a number of calls.
class CancelAfter : public Observer {
 public:
  explicit CancelAfter(int calls) : left_(calls) {}
  bool observe(const Iteration&) override { return --left_ > 0; }

 private:
  int left_;
};

/// Expects an objective that does not rise, and iterates in K.
class ExpectDescent : public Observer {
 public:
  explicit ExpectDescent(const Problem& problem) : problem_(problem), product_(problem.b.size()) {}
  bool observe(const Iteration& iteration) override;

 private:
  const Problem& problem_;
  Vector product_;
  double last_ = infinity;
};

/// A chain of `rows` springs, slow for every sweep.
Problem chain(Index rows);

/// Limits, cancellation and warm starts. `slow` must take the method more than 3 iterations.
void expect_good_manners(Solver& solver, const Problem& slow);

/// A kept object that has solved another problem meanwhile gives the bits of a fresh one, on a nonsymmetric
/// boxed problem with that many rows.
void expect_kept_object_repeats_bits(Solver& kept, Solver& fresh, Index rows);

/// Random boxed problems with that many rows and seeds, of conditions up to `hardest`; `accuracy` in x.
void expect_known_solutions(Solver& solver, Index rows, std::uint64_t seeds, double hardest, double accuracy);

/// Free rows are a linear system, here with that many rows and that condition; `accuracy` relative to x.
Result expect_linear_solve(Solver& solver, Index rows, double condition, double accuracy,
                           double tolerance = 1e-13);

/// Upper triangular with a positive diagonal: P-matrices whose symmetric part is indefinite.
void expect_p_matrices(Solver& solver);

/// A matrix-free problem has the answer of the assembled one, after as many iterations but for those given.
void expect_matrix_free_agrees(Solver& solver, std::uint64_t seed, double compliance,
                               double iterations_apart = infinity);

/// Objectives that fall for ever along a row or along (1, 1), and the same with a bound in the way.
void expect_unbounded(Solver& solver);

/// b = 0: the solution is the origin, from whatever start.
void expect_zero_without_load(Solver& solver);

}  // namespace slipstick::internal::box_cases
