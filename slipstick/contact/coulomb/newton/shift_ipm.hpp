// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb/newton/mode_newton.hpp"
#include "slipstick/contact/coulomb/newton/shift_path.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Interior point method for Coulomb's law in heaps and packings. De Saxce's shift s is a variable of its own,
/// which follows the sliding speed by an implicit relaxation (see ShiftPath). For a given s the problem is
/// convex and needs no damping. The time step dt of the relaxation is the only control. A large dt is Newton's
/// method on the exact law, a small dt the damped fixed point over convex problems, with none of them solved
/// on the way.
///
///     1. Convex: from x = z = e, s = 0 down to tau_0, by Mehrotra's predictor and corrector (1992).
///     2. Relaxed: one step of x, z and s for each factorization. tau falls if the point has settled, or if
///        patience is over. dt grows with long steps, and falls with short ones or if rho - s has grown.
///     3. Polish: full steps with the modes of the natural map (see ModeNewton), once tau is small.
///
/// There is no merit function: rho - s may have to grow while the point leaves a branch that has ended. The
/// phases 2 and 3 are repeated with other constants until the problem is solved. A heap may have several
/// solutions. The start determines which one is found.
class ShiftIpm : public CoulombMethod {
 public:
  explicit ShiftIpm(const ShiftIpmSettings& settings = {},
                    SharedSystem system = std::make_shared<ContactSystem>());
  std::string_view name() const override { return "shift-ipm"; }
  bool takes_products_only() const override { return true; }
  int default_max_iterations() const override { return 10000; }
  void run(const Context& context) override;

  /// The constants of a start.
  struct Start {
    double tau = 0.1;         ///< tau at which the relaxation begins
    double smoothing = 0.3;   ///< eps / sqrt(tau)
    double settled = 0.03;    ///< largest norm of rho - s, relative to sqrt(tau), at which tau falls
    double step_share = 0.9;  ///< of the way to the boundary of the cones
    double growth = 2.0;      ///< of dt after a long step
  };

 private:
  bool descend(const Context& context, double tau);
  void relax(const Context& context, const Start& start);
  double find_direction(double tau, double share);
  void polish(const Context& context, const Vector& from);
  bool has_settled(double tau, const Start& start) const;
  void offer(const Context& context, double error, const Vector& r);
  bool has_ended(const Context& context) const { return context.monitor.status() != Status::not_run; }

  ShiftIpmSettings settings_;
  SharedSystem shared_;
  ShiftPath path_;
  ModeNewton modes_;
  ShiftPath::Direction direction_, trial_;
  ShiftPath::Point convex_;   // the end of phase 1
  double convex_tau_ = 0.0;   // its tau, 0: there is none
  double least_error_ = 0.0;  // of context.r
  Vector polished_, u_;
};

}  // namespace slipstick::internal
