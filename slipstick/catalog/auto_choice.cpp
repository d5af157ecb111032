// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/auto_choice.hpp"

#include "slipstick/catalog/device_first.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick::internal {
namespace {

constexpr Index rows_for_early_lemke = 64;  // at most

// What the choice rests on; all cheap.
struct Features {
  Index rows = 0;
  Index complementarity_rows = 0;  // neither free nor fixed
  bool indefinite = false;         // as far as the diagonal tells
  double entries_per_row = 0.0;
  bool matrix_free = false;
  bool has_bodies = false;  // A is known by its bodies, and can be assembled
};

Features features_of(const Problem& problem, const Vector& diagonal) {
  Features f;
  f.rows = problem.b.size();
  const auto lower = problem.K.lower();
  const auto upper = problem.K.upper();
  for (Index i = 0; i < f.rows; ++i) {
    const bool is_free = std::isinf(lower[i]) && std::isinf(upper[i]);
    f.complementarity_rows += !is_free && lower[i] < upper[i];
    // A symmetric semidefinite matrix has a zero on its diagonal only in an empty row.
    f.indefinite = f.indefinite || diagonal[i] < 0.0 || (diagonal[i] == 0.0 && !is_empty_row(problem.A, i));
  }
  f.matrix_free = problem.A.matrix_free();
  f.has_bodies = storage_of<DelassusOperator>(problem.A) != nullptr;
  f.entries_per_row =
      f.rows > 0 ? static_cast<double>(problem.A.nonzeros()) / static_cast<double>(f.rows) : 0.0;
  return f;
}

// An interior point method needs 5 to 20 factorizations for any condition. Products alone are cheaper if the
// factors do not fit, or for a loose tolerance. On packings of 100, 300 and 1,000 spheres apgd takes 0.05 to
// 0.85 of the time of ipm to 1e-3 and 1e-4. To 1e-8 it takes 0.08 to 17 times as long. A factorization costs
// the more products, the larger the problem is, so that gradients then get more iterations.
void choose_for_cones(const Problem& problem, double tolerance, std::vector<AutoStep>& chain) {
  constexpr Index factorizable = 30000;
  constexpr int most = 20000;
  const auto patience = static_cast<int>(std::clamp<Index>(problem.b.size(), 5000, most));
  if (!problem.symmetric) {
    chain = {{"gauss-seidel", 0, "friction cones, nonsymmetric"}};
  } else if (problem.b.size() > factorizable) {
    chain = {{"apgd", most, "friction cones, many"},
             {"ipm", 0, "friction cones, and gradients are too slow"}};
  } else if (tolerance >= loose_tolerance) {
    chain = {{"apgd", patience, "friction cones, loose tolerance"},
             {"ipm", 0, "friction cones, and gradients are too slow"}};
  } else {
    chain = {{"ipm", 0, "friction cones"},
             {"apgd", 0, "friction cones, and the interior point method stalled"}};
  }
}

// The interior point method needs 5 to 30 factorizations for any active set, and tries the set of a warm
// start first. On a few dozens of rows the dense methods are as fast. Active sets help where rows nearly
// depend on each other. Sparse ones need either a few iterations or many. The dense methods refuse large
// problems, and the dual one also singular ones. Only the interior point method proves that there is no
// solution.
void choose_for_rows(const Problem& problem, std::vector<AutoStep>& chain) {
  constexpr Index small = 100;
  const AutoStep interior{"qp-ipm", 0, "convex with linear rows, few iterations for any active set"};
  const AutoStep sparse{"pdasm", 200, "convex with linear rows"};
  const AutoStep dual{"dual-asm", 0, "strictly convex with linear rows"};
  const AutoStep primal{"primal-asm", 0, "convex with linear rows, and no larger than dense factors may be"};
  const AutoStep patient{"schurpa", 0, "convex with linear rows, and changes of the set one by one"};
  if (!problem.symmetric) {
    chain = {{"newton-fb", 0, "linear rows, nonsymmetric"}};
  } else if (problem.b.size() <= small) {
    chain = {dual, primal, interior, patient};
  } else {
    chain = {interior, sparse, dual, primal, patient};
  }
}

// Pivoting ends after a few sets if A is positive definite. Sparse factors are as fast as dense ones from 100
// rows with 20 entries each. pmprgp takes 2 to 10 times as long on random problems of up to 1000 rows
// (condition 10 to 1e4). On grids it is as fast. Lemke's method is more reliable, and takes 3 to 5 times as
// long.
void add_pivoting(const Features& f, bool convex, std::vector<AutoStep>& chain) {
  constexpr Index many = 1000;
  const bool dense = f.rows <= rows_for_early_lemke || 5.0 * f.entries_per_row >= static_cast<double>(f.rows);
  if (convex && f.rows <= many) {
    chain.push_back(dense ? AutoStep{"dense-bpp", 0, "symmetric, and few or dense rows"}
                          : AutoStep{"bpp", 50, "symmetric, and some hundreds of rows"});
  }
  if (f.rows <= rows_for_early_lemke) chain.push_back({"lemke", 0, "some dozens of rows"});
}

}  // namespace

void auto_choice(const Problem& problem, const Vector& diagonal, double tolerance,
                 std::vector<AutoStep>& chain) {
  if (!problem.K.is_box()) return choose_for_cones(problem, tolerance, chain);
  if (problem.rows) return choose_for_rows(problem, chain);
  const Features f = features_of(problem, diagonal);
  chain.clear();
  chain.reserve(8);
  const bool convex = problem.symmetric && !f.indefinite;
  if (!f.matrix_free) add_pivoting(f, convex, chain);
  // The steps of a simulator. Sets of the last step are nearly those of the next one. Masses of 1000:1 do not
  // harm a factor, but methods of products need many iterations there.
  if (convex && f.has_bodies && f.rows <= 10000) {
    chain.push_back({"bpp", 300, "bodies, and a factor of their rows fits"});
    chain.push_back({"ipm", 100, "bodies, and pivoting cycles"});
  }
  if (convex) {
    // The incomplete factor pays if rows are sparse.
    if (!f.matrix_free && f.entries_per_row <= 200.0) {
      // Up to this size a factor fits. A beam of 5,000 rows takes pmprgp 9,000 iterations, qp-ipm 16.
      constexpr Index factorizable = 30000;
      const bool fits = f.rows <= factorizable;
      chain.push_back({"pmprgp", fits ? 5000 : 100000, "symmetric and sparse"});
      if (fits) chain.push_back({"qp-ipm", 0, "symmetric and sparse, and conjugate gradients are slow"});
      chain.push_back({"mprgp", 200000, "symmetric"});
    } else {
      chain.push_back({"mprgp", 200000, f.matrix_free ? "symmetric and matrix-free" : "symmetric and dense"});
    }
    chain.push_back({"gp-sm", 2000, "symmetric, and conjugate gradients stalled"});
  } else if (f.rows > 1000) {
    chain.push_back({"newton-fb", 300, "nonsymmetric or indefinite, and large"});
    chain.push_back({"pgs", 5000, "nonsymmetric"});
  }
  // Exact methods for what is left; each refuses what is too large for it.
  if (f.complementarity_rows <= 6) chain.push_back({"enumerate", 0, "a handful of complementarity rows"});
  if (f.rows > rows_for_early_lemke || f.matrix_free) chain.push_back({"lemke", 0, "small"});
  chain.push_back({"newton-fb", 1000, "nonsymmetric or indefinite"});
  if (f.complementarity_rows > 6) chain.push_back({"enumerate", 0, "few complementarity rows"});
  chain.push_back({"pgs", 0, "last resort"});
}

bool add_device_methods(const Problem& problem, std::vector<AutoStep>& chain) {
  constexpr int most = 20000;
  const bool has_bodies = storage_of<DelassusOperator>(problem.A) != nullptr;
  if (!has_bodies || !problem.symmetric || problem.rows || problem.b.size() < fewest_rows_for_device ||
      problem.K.is_box())
    return false;
  chain.insert(chain.begin(), {"apgd-cuda", most, "a device, and many contacts"});
  return true;
}

std::string_view auto_contact_method(FrictionLaw law, int dimension) {
  return law == FrictionLaw::diamond && dimension == 3 ? "box-sequence" : "";
}

std::string_view inner_solver(FrictionLaw law, int dimension, std::string_view sequence, int index) {
  if (sequence == "desaxce-fixed-point") return "ipm";
  if (sequence == "desaxce-cuda") return "apgd-cuda";
  const bool disks = index == 1 && law == FrictionLaw::coulomb && dimension == 3;
  return disks ? "apgd" : "mprgp";
}

}  // namespace slipstick::internal
