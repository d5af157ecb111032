// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "slipstick/matrix.hpp"

namespace slipstick {

enum class Status {
  not_run,
  solved,  ///< the requested measure is below the tolerance on the original problem
  iteration_limit,
  time_limit,
  stalled,      ///< the method makes no more progress (rounding, cycling, a singular system)
  infeasible,   ///< no solution exists; see Result::proved
  unbounded,    ///< the objective falls without end; see Result::proved
  unsupported,  ///< the method cannot take this problem; the message says why
  cancelled,
  numerical_error,  ///< a NaN or an overflow
};

constexpr std::string_view name(Status status) {
  constexpr std::string_view names[] = {"not_run",   "solved",         "iteration_limit", "time_limit",
                                        "stalled",   "infeasible",     "unbounded",       "unsupported",
                                        "cancelled", "numerical_error"};
  return names[static_cast<int>(status)];
}

enum class ContactState { open, stick, slip };

constexpr std::string_view name(ContactState state) {
  constexpr std::string_view names[] = {"open", "stick", "slip"};
  return names[static_cast<int>(state)];
}

/// The vectors of an answer. A vector that the problem class does not have is empty.
struct Solution {
  Vector x;            ///< unknowns of a Problem (z of an LCP or mixed LCP)
  Vector w;            ///< A x + b
  Vector multipliers;  ///< y of the linear rows, w = A x + b - G' y
  Vector r;            ///< impulses of contacts, `dimension` rows each, then those of joints
  Vector u;            ///< velocities of the same rows
  /// Bounds of the friction of each contact, if the law is box_once and the problem gives none.
  Vector friction_bounds;
  Vector v;  ///< generalized velocities of the global form, or of the bodies of a BodyProblem
};

/// Every error measure, computed on the problem as given. NaN: not defined for this class of problem.
struct Measures {
  static constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

  double scaled_natural_map = undefined;    ///< the ruler: ||(d_i e_i)|| / ||b||, see Ruler
  double natural_map = undefined;           ///< ||x - P(x - w)||, with g - P(g - y) of linear rows g = G x
  double natural_map_relative = undefined;  ///< the same / ||b|| (Siconos' LCP error)
  double survey = undefined;  ///< UIC survey: sum |z_i w_i| - min(z_i, 0) - min(w_i, 0); orthant only
  double mixed = undefined;   ///< UIC survey's mixed-LCP error, with corrected misprints
  double complementarity_gap = undefined;  ///< sum over rows of |w| times the distance to its bound; |x'w| of
                                           ///< cones
  double objective = undefined;            ///< 1/2 x'Ax + b'x + constant; symmetric A only
  double energy_sum = undefined;  ///< Ho 2022: sum of 1/2 A_ii e_i^2, e_i = x_i - clamp(x_i - w_i / A_ii)
  double energy_mean = undefined;
  double energy_max = undefined;
  double heyn = undefined;  ///< Heyn 2012, eq. 24: ||x - P(x - tau w)|| / tau, tau = 1 / mean diagonal
  double projected_gradient = undefined;  ///< ||free gradient + chopped gradient||; boxes, x in K
  double linear_rows = undefined;         ///< ||G x - clamp(G x)||; QPs with linear rows
  double desaxce = undefined;  ///< published contact error: relative natural map of the law that is solved
};

/// How much work a solve took.
struct Counts {
  std::int64_t iterations = 0;      ///< iterations of the method's main loop
  std::int64_t products = 0;        ///< products with A
  std::int64_t factorizations = 0;  ///< factorizations of all matrices, also incomplete ones

  Counts& operator+=(const Counts& other) {
    iterations += other.iterations;
    products += other.products;
    factorizations += other.factorizations;
    return *this;
  }
};

/// The answer of a solve, with its certificate. A kept Result is filled in place. For the same sizes this
/// allocates nothing.
struct Result : Solution {
  Status status = Status::not_run;
  std::string message;  ///< why there is no solution, or a note of the method
  Measures measures;    ///< measures of x, on the problem as given
  Counts counts;
  double seconds = 0.0;     ///< wall-clock time of the whole solve
  bool start_used = false;  ///< a warm start was given, and it fits
  /// Proof that no solution exists: a direction d of K and the linear rows, with x'A'd + b'd < 0 for every x
  /// in K. For symmetric A it is A d = 0, b'd < 0. For an LCP it is d >= 0, M'd <= 0, q'd < 0. Or empty.
  Vector ray;
  /// Proof that no point meets bounds and linear rows: multipliers y of the rows. The greatest y'G x over K
  /// is less than the least y'g over lower <= g <= upper. Or empty.
  Vector farkas;
  /// The status is `infeasible` or `unbounded`, and `ray` or `farkas` was checked on the problem as given.
  /// If false, it is only what the method says.
  bool proved = false;
  bool solved() const { return status == Status::solved; }
};

/// A method that was tried for an answer.
struct Attempt {
  std::string_view solver;
  std::string_view reason;  ///< why it was chosen
  Status status = Status::not_run;
  std::int64_t iterations = 0;
  double error = 0.0;  ///< error by the requested measure; for islands, relative to the tolerance
  int islands = 0;     ///< number of islands that it was given, 0 for the whole problem
  int solved_islands = 0;
  int contacts = 0;  ///< contacts of these islands
};

/// The starting point: the solution of an earlier, similar problem. Result::start_used says whether it fits.
struct WarmStart {
  Vector x;
  Vector u = {};  ///< velocities of contacts and joints in that solution; empty: not known
};

}  // namespace slipstick
