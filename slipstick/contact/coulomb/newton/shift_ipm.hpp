// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/newton/mode_newton.hpp"
#include "slipstick/contact/coulomb/newton/shift_path.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Interior point method for Coulomb's law in heaps and packings. De Saxce's shift s is a variable of its
/// own, which follows the sliding speed by an implicit relaxation (see ShiftPath). For a given s the problem
/// is convex and needs no damping. The time step dt of the relaxation is the only control. A large dt is
/// Newton's method on the exact law. A small dt is the damped fixed point over convex problems, but none of
/// them is solved on the way.
///
///     1. Convex: from x = z = e, s = 0 down to tau = 0.1, by Mehrotra's predictor and corrector (1992).
///     2. Relaxed: one step of x, z and s for each factorization. Few contacts would end a step early. New
///        targets for them, with the same factor, make it longer (Gondzio 1996). tau falls if the point has
///        settled, or if patience is over. dt grows with long steps. It falls with short ones, or if rho - s
///        has grown.
///     3. Polish: full steps with the modes of the natural map (see ModeNewton), once tau is small.
///
/// There is no merit function: rho - s may have to grow while the point leaves a branch that has ended.
///
/// No single smoothing of the shift solves all problems. Several starts from the end of phase 1 take turns
/// until one of them has solved the problem. A start that converges keeps its turn. A heap may have several
/// solutions. The start determines which one is found.
class ShiftIpm : public CoulombMethod {
 public:
  explicit ShiftIpm(const ShiftIpmSettings& settings = {},
                    SharedSystem system = std::make_shared<ContactSystem>(least_fill_ordering()));
  std::string_view name() const override { return "shift-ipm"; }
  bool takes_products_only() const override { return true; }
  int default_max_iterations() const override { return 10000; }
  void run(const Context& context) override;

  /// The constants of a start.
  struct Start {
    double smoothing = 0.1;  ///< eps / sqrt(tau)
    double settled = 0.03;   ///< largest norm of rho - s, relative to sqrt(tau), at which tau falls
    double growth = 2.0;     ///< of dt after a long step
  };

 private:
  // Phase 2 of a start, which may be interrupted.
  struct Progress {
    ShiftPath::Point point;
    double tau, dt, polish_tau;
    double last_gap;       // norm of rho - s at the last step
    int steps, here;       // in all, and at this tau
    bool converges, over;  // it has settled at the last tau; it cannot go on
  };
  bool descend(const Context& context);
  void relax(const Context& context, const Start& start, Progress& now, int most_steps);
  void lower_tau(const Context& context, const Start& start, Progress& now);
  bool has_settled(const Start& start, double tau) const;
  double find_direction(double tau);
  void adapt_dt(const Start& start, double step, double gap, Progress& now) const;
  void polish(const Context& context, const Vector& from);
  void polish_best(const Context& context);
  void offer(const Context& context, double error, const Vector& r);
  static bool has_ended(const Context& context) { return context.monitor.status() != Status::not_run; }

  ShiftIpmSettings settings_;
  SharedSystem shared_;
  ShiftPath path_;
  ModeNewton modes_;
  ShiftPath::Direction direction_, trial_;
  std::vector<Progress> progress_;  // by start
  int patience_ = 0;                // steps at one tau
  double least_error_ = 0.0;        // error of context.r
  double polished_error_ = 0.0;     // error of the last point that was polished
  Vector polished_, u_;
};

}  // namespace slipstick::internal
