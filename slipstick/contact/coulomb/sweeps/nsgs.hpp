// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/sweeps/contact_colours.hpp"
#include "slipstick/contact/coulomb/sweeps/coulomb_sweep.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Fails where the relaxation is not between 0 and 2.
void check_relaxation(const NsgsSettings& settings);

/// What sweeps keep for a W, besides its blocks. Methods that take turns share one.
struct SweepWorkspace {
  template <int d>
  struct In {
    std::uint64_t version = 0;  // of the blocks
    SweepContacts<d> contacts;
    ContactColours colours;
  };
  In<2> plane;
  In<3> space;
};
using SharedSweeps = std::shared_ptr<SweepWorkspace>;

/// The cost of a step of Newton's method on an island, in sweeps.
using SweepsPerNewtonStep = std::function<double(const ContactBlocks&, const Island&)>;

/// Nonsmooth Gauss-Seidel for contact under Coulomb's law (Jourdan, Alart and Jean 1998): in every sweep each
/// contact in turn is solved exactly for its own r with the newest r of all others (see CoulombContact), and
/// each bilateral row for its own l; rows with R_kk <= 0 are left alone. One iteration is one sweep.
///
/// Nothing is proven about convergence for Coulomb's law, but as a rule it gets to moderate accuracy quickly,
/// asymmetric and rank-deficient matrices included. Where it makes no more progress it ends as stalled.
///
/// With several threads the contacts of large islands are swept by colours, those of one colour together: the
/// bits are the same for any number of threads but one.
class Nsgs : public CoulombMethod {
 public:
  explicit Nsgs(const NsgsSettings& settings = {},
                SharedSweeps workspace = std::make_shared<SweepWorkspace>());
  /// Ends when `switch_to_newton` says so.
  Nsgs(const NsgsSettings& settings, SharedSweeps workspace, const SwitchToNewton& switch_to_newton,
       SweepsPerNewtonStep newton_cost);
  std::string_view name() const override { return "nsgs"; }
  int default_max_iterations() const override { return 20000; }
  void run(const Context& context) override;
  /// Sweeps of the island, every second one backward, whatever becomes of the error: for other methods.
  void sweep(const Context& context, int count);

 private:
  template <int d>
  using Sweeper = SweepWorkspace::In<d>;
  template <int d>
  void run_in(const Context& context, Sweeper<d>& sweeper);
  template <int d>
  void prepare(const Context& context, Sweeper<d>& sweeper);
  template <int d>
  double sweep(const Context& context, Sweeper<d>& sweeper, bool backward);
  template <int d, class Rest>
  double sweep_colours(const Context& context, Sweeper<d>& sweeper, bool backward, const Rest& rest);
  template <int d>
  double error(const Context& context);
  bool gives_up(const Context& context, const SweepRule& rule);
  bool is_alone(const Context& context) const;
  double sweep_rows(const Context& context, bool backward);
  void keep_best(const Context& context, double error);
  void restore_best(const Context& context, double error) const;

  NsgsSettings settings_;
  SharedSweeps workspace_;
  SwitchToNewton switch_to_newton_;
  SweepsPerNewtonStep newton_cost_;
  Vector u_, residual_;
  Vector squares_;  // of the changes of a colour
  Vector best_r_, best_l_;
  double best_error_ = 0.0;
};

}  // namespace slipstick::internal
