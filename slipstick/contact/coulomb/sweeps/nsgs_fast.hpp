// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/error_descent.hpp"
#include "slipstick/contact/coulomb/iteration_forecast.hpp"
#include "slipstick/contact/coulomb/sweeps/body_contacts.hpp"
#include "slipstick/contact/coulomb/sweeps/momentum_limit.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/contact/coulomb/sweeps/sweep_parts.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Gauss-Seidel sweeps over contacts (see Nsgs) with Nesterov's momentum (1983):
///     x+ = S(y),   y+ = x+ + beta (x+ - x),   beta from Nesterov's sequence.
/// S is a forward sweep. Every contact is solved exactly under Coulomb's law, so that no shift has to be
/// found. One iteration is one sweep. With a backward sweep in every iteration most heaps take as many
/// iterations, and twice the time. The answer is x, which is in the cones.
///
/// Sweeps carry a load through a heap one layer after the other. Momentum does in the root of the number of
/// sweeps what they would do alone. It is not proven to converge under Coulomb's law, which is not convex. It
/// therefore restarts from beta = 0 in two cases:
/// - it leads uphill: (y - x+)'D(x+ - x) > 0 (O'Donoghue and Candes 2015);
/// - ||x+ - y||_D is more than `restart` times the least one since the last such restart. If much slips,
///   sweeps are not the descent of any function, and momentum may amplify a change.
/// If the error grows or wanders nevertheless, the momentum is limited (see MomentumLimit), and sweeps are
/// under-relaxed. Near the target an ErrorDescent is tried from time to time, beside the sweeps.
///
/// The contacts of rigid bodies in space are swept through the velocities of the bodies (see BodyContacts).
/// Others are swept by the blocks of W. With several threads each one sweeps its own part of the contacts
/// (see SweepParts). The bits depend on the number of threads, not on the timing.
class NsgsFast : public CoulombMethod {
 public:
  explicit NsgsFast(const NsgsFastSettings& settings = {},
                    SharedSweeps workspace = std::make_shared<SweepWorkspace>());
  /// Ends when `switch_to_newton` is due.
  NsgsFast(const NsgsFastSettings& settings, SharedSweeps workspace, const SwitchToNewton& switch_to_newton,
           SweepsPerNewtonStep newton_cost);
  std::string_view name() const override { return "nsgs-fast"; }
  int default_max_iterations() const override { return switch_to_newton_.most; }
  void run(const Context& context) override;

  /// Iterations before the momentum may be limited. If Newton's method takes over near the solution, it never
  /// is.
  static constexpr int full_momentum = 1000;
  /// While the momentum may be limited, sweeps change a contact by this share. They then turn less around. No
  /// sweep may be a full one: one of ten is enough to keep the error of flows above the tolerance.
  static constexpr double late_relaxation = 0.7;

 private:
  template <int d>
  using Sweeper = SweepWorkspace::In<d>;
  // Sums over an iteration, in the norm of D, the diagonal of W.
  struct Sums {
    double moved = 0.0;   // ||x+ - y||^2
    double uphill = 0.0;  // (y - x+)'D(x+ - x)
  };
  template <int d>
  void run_in(const Context& context, Sweeper<d>& sweeper);
  template <int d>
  void start(const Context& context, Sweeper<d>& sweeper);
  void extrapolate(const Context& context);
  template <int d>
  void sweep(const Context& context, Sweeper<d>& sweeper);
  template <int d>
  void project(const Context& context);
  Sums compare(const Context& context);
  void set_momentum(const Sums& sums);
  void restart_momentum();
  int stall_limit(const Context& context);
  template <int d>
  double error(const Context& context);
  double descend(const Context& context, double error);
  bool gives_up(const Context& context, const IterationForecast& forecast, bool is_near);
  template <class Body>
  void in_chunks(Index count, const Body& body);

  NsgsFastSettings settings_;
  SharedSweeps workspace_;
  SwitchToNewton switch_to_newton_;
  SweepsPerNewtonStep newton_cost_;
  SweepParts parts_;
  BodyContacts bodies_;
  int threads_ = 1;
  bool through_bodies_ = false;
  double theta_ = 1.0, momentum_ = 0.0;  // Nesterov's theta, and beta
  MomentumLimit limit_;
  ErrorDescent descent_;
  double next_descent_ = 0.0;       // the error at which the next one is tried
  double least_moved_ = 0.0;        // since the last restart because of a large change
  int since_restart_ = 0;           // iterations since then
  Vector x_, y_, last_;             // vectors of all islands; last_ is the x before x_
  Vector lowered_;                  // x_ after a descent
  std::vector<double> v_, last_v_;  // velocities of the bodies for x_ and last_
  Vector weight_;                   // D
  Vector u_;
  std::vector<Sums> chunk_sums_;
  std::vector<ContactErrors> chunk_errors_;
};

}  // namespace slipstick::internal
