// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The settings of the methods for contact. SolveRequest::method takes one of them.

#include "slipstick/methods.hpp"

namespace slipstick {

/// The order of the contacts in a sweep.
enum class SweepOrder {
  automatic,  ///< forward; symmetric if the error stops falling; forward again if that does not help
  forward,
  symmetric,  ///< every second sweep runs backward
};

struct NsgsSettings {
  double relaxation = 1.0;  ///< omega: r moves by omega times the local step; (0, 2)
  /// Forward sweeps usually need half as many as symmetric ones, but sometimes they cycle.
  SweepOrder order = SweepOrder::automatic;
  /// The error is computed at least every `test` sweeps. It is also computed if the last change of r is small
  /// enough. >= 1
  int test = 25;
  /// Share of a contact's mean diagonal that is added to its block. The centre is the present r, so that the
  /// term vanishes in the limit. >= 0
  double proximal = 0.0;

  static constexpr auto fields = Fields{
      Field{"relaxation", &NsgsSettings::relaxation, 1e-3, 1.999, "omega, between 0 and 2 (exclusive)"},
      Field{"order", &NsgsSettings::order, 0, 0, "of the contacts in a sweep", "automatic|forward|symmetric"},
      Field{"test", &NsgsSettings::test, 1, 1e6, "sweeps after which the error is computed at the latest"},
      Field{"proximal", &NsgsSettings::proximal, 0.0, 10.0,
            "shift of the local blocks, as a share of their mean diagonal, that vanishes in the limit"},
  };
};

struct NsgsFastSettings {
  /// The momentum restarts if a change of r is this many times the least one since the last such restart. > 1
  double restart = 1.5;
  /// The error is computed every `test` iterations. >= 1
  int test = 10;

  static constexpr auto fields = Fields{
      Field{"restart", &NsgsFastSettings::restart, 1.0, 1e6,
            "growth of the change of r at which the momentum restarts"},
      Field{"test", &NsgsFastSettings::test, 1, 1e6, "iterations after which the error is computed"},
  };
};

/// The equations of Coulomb's law that Newton's method solves.
enum class CoulombEquations {
  alart_curnier,  ///< the disk's radius is mu max(0, r_N - rho_N u_N) (Alart and Curnier 1991)
  jean_moreau,    ///< the disk's radius is mu max(0, r_N) (Jean and Moreau 1987; Christensen et al. 1998)
};

struct NsnSettings {
  CoulombEquations equations = CoulombEquations::alart_curnier;
  /// Limit of the factorizations.
  int max_factorizations = 10;
  /// Steps without a new best iterate before the method returns to the best one, with another shift.
  int stall_limit = 3;
  /// Gauss-Seidel sweeps after a step that did not help enough, and from the best iterate after steps without
  /// progress. 0: none.
  int sweeps = 20;
  int escape_sweeps = 20;

  static constexpr auto fields = Fields{
      Field{"equations", &NsnSettings::equations, 0.0, 0.0, "form of the law", "alart-curnier|jean-moreau"},
      Field{"max_factorizations", &NsnSettings::max_factorizations, 1, 100000, "factorizations at most"},
      Field{"stall_limit", &NsnSettings::stall_limit, 1, 1000,
            "steps without a new best iterate before going back to it"},
      Field{"sweeps", &NsnSettings::sweeps, 0, 10000, "Gauss-Seidel sweeps after a step that did not help"},
      Field{"escape_sweeps", &NsnSettings::escape_sweeps, 0, 10000,
            "Gauss-Seidel sweeps after steps that led nowhere"}};
};

struct ProxSettings {
  CoulombEquations equations = CoulombEquations::alart_curnier;
  /// Limit of the factorizations.
  int max_factorizations = 200;
  /// Factorizations in which the error must halve.
  int stall_limit = 20;
  /// Limit of the Newton steps on one proximal problem.
  int inner_steps = 6;
  /// Gauss-Seidel sweeps if a proximal problem made no progress. 0: none.
  int sweeps = 10;
  /// Fresh starts if the error no longer halves: from r = 0 by 40, 80, 160... sweeps.
  int restarts = 0;

  static constexpr auto fields = Fields{
      Field{"equations", &ProxSettings::equations, 0.0, 0.0, "form of the law", "alart-curnier|jean-moreau"},
      Field{"max_factorizations", &ProxSettings::max_factorizations, 1, 100000, "factorizations at most"},
      Field{"stall_limit", &ProxSettings::stall_limit, 1, 100000,
            "factorizations in which the error must halve"},
      Field{"inner_steps", &ProxSettings::inner_steps, 1, 1000,
            "Newton steps on one proximal problem at most"},
      Field{"sweeps", &ProxSettings::sweeps, 0, 10000,
            "Gauss-Seidel sweeps where a proximal problem led nowhere"},
      Field{"restarts", &ProxSettings::restarts, 0, 100,
            "fresh starts where the error does not halve any more"}};
};

/// How the penalty of alternating directions changes.
enum class PenaltyRule { fixed, balance, spectral };

struct AdmmSettings {
  /// First rho, relative to sqrt(a b) with the ends a and b of the spectrum. In the plane it is 2.5 times
  /// larger. > 0
  double penalty = 0.1;
  double relaxation = 1.5;  ///< alpha: z follows alpha r + (1 - alpha) z; (0, 2)
  PenaltyRule rule = PenaltyRule::spectral;
  /// Balance: rho changes if one residual is more than this many times the other; > 1
  double balance = 3.0;
  /// Iterations before the first change of rho. After each change the next one waits twice as long. >= 1
  int interval = 10;

  static constexpr auto fields = Fields{
      Field{"penalty", &AdmmSettings::penalty, 1e-9, 1e9,
            "rho at the start, relative to the root of the smallest times the largest eigenvalue seen, times "
            "2.5 in the plane"},
      Field{"relaxation", &AdmmSettings::relaxation, 1e-3, 1.999, "alpha, between 0 and 2 (exclusive)"},
      Field{"rule", &AdmmSettings::rule, 0, 0, "how rho changes: by residuals or by curvatures",
            "fixed|balance|spectral"},
      Field{"balance", &AdmmSettings::balance, 1.0, 1e9, "ratio of the residuals beyond which rho changes"},
      Field{"interval", &AdmmSettings::interval, 1, 1e6, "iterations before the first change of rho"},
  };
};

struct ExtragradientSettings {
  /// A step is accepted if rho ||F(r) - F(r')|| is at most this share of ||r - r'||; (0, 1).
  double upper = 0.9;
  /// The next step is longer if the ratio was below this share; [0, upper).
  double lower = 0.3;
  double shrink = 2.0 / 3.0;  ///< factor of rho after a step that was too long; (0, 1)

  static constexpr auto fields = Fields{
      Field{"upper", &ExtragradientSettings::upper, 1e-3, 0.999, "share up to which a step is accepted"},
      Field{"lower", &ExtragradientSettings::lower, 0.0, 0.999, "share below which the next step is longer"},
      Field{"shrink", &ExtragradientSettings::shrink, 1e-3, 0.999, "factor after a step that was too long"},
  };
};

struct NcpIpmSettings {
  /// Share of the way to the boundary of the cones that a step may go; (0, 1).
  double step_fraction = 0.95;
  /// s(z) = sqrt(||z_T||^2 + smoothing^2 det z) instead of ||z_T||; >= 0.
  double smoothing = 0.1;
  /// Limit of the factorizations of the interior point method. 0: the method is not used.
  int max_factorizations = 35;
  /// Newton steps (see Nsn) from a point whose error, relative to its target, is below 1e4. They are repeated
  /// from every point that is 30 times better. 0: none.
  int newton_steps = 2;
  /// Limit of the factorizations of damped steps after a stall. 0: none. They are tried if the error,
  /// relative to the target, is above jump_error.
  int jump_factorizations = 60;
  double jump_error = 1e4;
  /// Limit of the factorizations of the continuation that follows. 0: no continuation.
  int arc_factorizations = 1000;

  static constexpr auto fields =
      Fields{Field{"step_fraction", &NcpIpmSettings::step_fraction, 0.1, 0.9999,
                   "share of the way to the boundary of the cones that a step may go"},
             Field{"smoothing", &NcpIpmSettings::smoothing, 0.0, 1.0, "of the norm of the sliding velocity"},
             Field{"max_factorizations", &NcpIpmSettings::max_factorizations, 0, 100000,
                   "factorizations of the interior point method at most"},
             Field{"newton_steps", &NcpIpmSettings::newton_steps, 0, 1000,
                   "semismooth Newton steps tried from good points"},
             Field{"jump_factorizations", &NcpIpmSettings::jump_factorizations, 0, 100000,
                   "factorizations of damped steps from where it stalls at most"},
             Field{"jump_error", &NcpIpmSettings::jump_error, 0.0, 1e300,
                   "relative to the target, above which they are tried"},
             Field{"arc_factorizations", &NcpIpmSettings::arc_factorizations, 0, 100000,
                   "factorizations of the continuation through folds at most"}};
};

struct ShiftIpmSettings {
  static constexpr int most_starts = 6, most_turns = 21;
  /// Starts with different constants, which take turns until one of them solves the problem; 1 to 6.
  int starts = most_starts;
  /// The turns of the starts. The first ones are short, and enough for most packings that jam; 1 to 21.
  int turns = most_turns;
  /// delta: share of the mean diagonal that is added to A. The centre is the present iterate, so that the
  /// term vanishes in the limit. Below 1e-7 the systems of redundant contacts lose their digits. > 0
  double proximal = 1e-6;
  /// Limit of the Newton steps with the modes of the contacts, from points near the end. 0: none.
  int polish_steps = 12;

  static constexpr auto fields =
      Fields{Field{"starts", &ShiftIpmSettings::starts, 1, most_starts,
                   "starts with different constants, which take turns"},
             Field{"turns", &ShiftIpmSettings::turns, 1, most_turns, "turns of the starts"},
             Field{"proximal", &ShiftIpmSettings::proximal, 1e-12, 1.0,
                   "shift of the matrix, as a share of its mean diagonal, that vanishes in the limit"},
             Field{"polish_steps", &ShiftIpmSettings::polish_steps, 0, 1000,
                   "Newton steps with the modes of the contacts at most, from points near the end"}};
};

struct DesaxceSettings {
  static constexpr int largest_memory = 10;
  /// Differences of earlier iterates that Anderson's acceleration combines; 0 is the plain fixed point.
  int memory = 5;

  static constexpr auto fields = Fields{Field{"memory", &DesaxceSettings::memory, 0.0, largest_memory,
                                              "iterates that Anderson's acceleration combines, 0 for none"}};
};

struct StaggeredSettings {
  /// Ends the iteration at a relative kinetic error (eq. 4.19) of at most this, for any measure. 0 leaves the
  /// decision to the measure. Litven 2013 gives no value. >= 0
  double kinetic_tolerance = 0.0;
  /// Share of the mean diagonal that is added to W_NN and W_TT. The centre is the present iterate, so that
  /// the term vanishes in the limit. It helps methods that need a definite matrix if contacts are redundant.
  /// >= 0
  double proximal = 0.0;

  static constexpr auto fields =
      Fields{Field{"kinetic_tolerance", &StaggeredSettings::kinetic_tolerance, 0.0, 1.0,
                   "relative kinetic error that ends the iteration, 0 for none"},
             Field{"proximal", &StaggeredSettings::proximal, 0.0, 1.0,
                   "shift of the diagonals, as a share of their mean, that vanishes in the limit"}};
};

}  // namespace slipstick
