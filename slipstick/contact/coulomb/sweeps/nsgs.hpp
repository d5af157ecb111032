// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/sweeps/contact_colours.hpp"
#include "slipstick/contact/coulomb/sweeps/coulomb_sweep.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Throws Error if the relaxation is not between 0 and 2.
void check_relaxation(const NsgsSettings& settings);

/// Data that sweeps keep for a W, in addition to its blocks. Methods that run in turn share one.
struct SweepWorkspace {
  template <int d>
  struct In {
    std::vector<std::uint64_t> versions;  // version of the blocks, by the first node of an island
    SweepContacts<d> contacts;
    ContactColours colours;
  };
  In<2> plane;
  In<3> space;
};
using SharedSweeps = std::shared_ptr<SweepWorkspace>;

/// Reads what a sweep needs of an island: the contacts and the modes of their r. Data that depend on the
/// matrices and on `proximal` are kept while these are the same.
template <int d>
void prepare_contacts(const ContactBlocks& blocks, const Island& island, double proximal, const Vector& r,
                      SweepWorkspace::In<d>& to);
/// Sweeps over the rows of joints of an island, each with the newest impulses of all others. Returns the sum
/// of the squared changes of r, times d.
template <int d>
double sweep_joints(const ContactBlocks& blocks, const Island& island, double relaxation, bool backward,
                    Vector& r);

/// The cost of a step of Newton's method on an island, in sweeps.
using SweepsPerNewtonStep = std::function<double(const ContactBlocks&, const Island&)>;

/// Nonsmooth Gauss-Seidel for contact under Coulomb's law (Jourdan, Alart and Jean 1998). In every sweep each
/// contact in turn is solved exactly for its own r with the newest r of all others (see CoulombContact). So
/// is each row of a joint, within its bounds. Rows with W_kk <= 0 are left unchanged. One iteration is one
/// sweep.
///
/// Convergence is not proven for Coulomb's law. Usually the method reaches moderate accuracy quickly, also
/// with asymmetric and rank-deficient matrices. If it makes no more progress, it ends as stalled.
///
/// With several threads the contacts of large islands are swept by colours, the contacts of one colour
/// together. The bits are the same for any number of threads above one.
class Nsgs : public CoulombMethod {
 public:
  explicit Nsgs(const NsgsSettings& settings = {},
                SharedSweeps workspace = std::make_shared<SweepWorkspace>());
  /// Ends when `switch_to_newton` is due.
  Nsgs(const NsgsSettings& settings, SharedSweeps workspace, const SwitchToNewton& switch_to_newton,
       SweepsPerNewtonStep newton_cost);
  std::string_view name() const override { return "nsgs"; }
  int default_max_iterations() const override { return 20000; }
  void run(const Context& context) override;
  /// Makes sweeps of the island for other methods, every second one backward, without a look at the error.
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
  void keep_best(const Context& context, double error);
  void restore_best(const Context& context, double error) const;

  NsgsSettings settings_;
  SharedSweeps workspace_;
  SwitchToNewton switch_to_newton_;
  SweepsPerNewtonStep newton_cost_;
  Vector u_;
  Vector squares_;  // squared changes of the contacts of a colour
  Vector best_r_;
  double best_error_ = 0.0;
};

}  // namespace slipstick::internal
