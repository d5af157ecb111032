// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb/coulomb_solver.hpp"
#include "slipstick/contact/coulomb/newton/admm.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"

namespace slipstick::internal {

/// The limits of the chain of `auto`. `fitted`: chosen by bench/fit-rule from measurements of
/// `slipstick-study rule`. `by hand`: set while the method was written, and not varied in any table.
struct CoulombRule {
  SwitchToNewton sweeps{.trial = 50, .newton_steps = 10.0};  ///< by hand
  /// Islands of at least this many contacts in space get alternating directions after fewer sweeps. In the
  /// plane cones have no curvature, and Newton's method ends soon. Fitted.
  int many_contacts = 100;
  SwitchToNewton few_sweeps{.trial = 5, .newton_steps = 2.0};  ///< by hand
  /// The same islands if they have a warm start: sweeps with momentum. The error falls slowly at first. To
  /// 1e-6 it often stands still before it falls. What follows costs more than the wait. By hand: settling
  /// spheres.
  SwitchToNewton warm_sweeps{
      .trial = 1000, .trial_per_contact = 5.0, .newton_steps = 20.0, .patience = 12000};
  /// `trial` fitted, `newton_steps` by hand.
  SwitchToNewton alternating{.trial = 200, .newton_steps = 20.0};
  /// Islands of at least this many contacts in space begin with sweeps with momentum. A factorization costs
  /// as much as many sweeps there, about `newton_sweeps` for each contact. It is not analyzed, because that
  /// takes long, too. By hand: packings of 400 to 35,000 spheres, seeds 1 and 2.
  int large_contacts = 1000;
  double newton_sweeps = 0.2;
  /// A method that factorizes takes about this many steps. If they cost more than `most_sweeps`, an island
  /// with a warm start gets more sweeps instead. By hand: 10,000 spheres that settle.
  double factorizations = 20.0;
  int most_sweeps = 20000;
  /// By hand: packings of 1,000 spheres, seeds 1 to 10.
  SwitchToNewton fast_sweeps{.trial = 1000, .newton_steps = 5.0, .near = 1e-4};
  /// Large islands whose error is at most this many times their target get sweeps with momentum that go on
  /// where the error wanders. They follow a flow to where it is solved. By hand: the same, friction 0.2,
  /// 0.25.
  SwitchToNewton patient_sweeps{.patience = 60000, .most = 60000};
  double patient_excess = 10.0;
  /// An island of at least many_contacts whose error is still as large as this is taken for a heap: the
  /// interior point method with a relaxed shift comes before Newton's method. Otherwise it comes after it. By
  /// hand: packings of 200 to 1,000 spheres, seeds 1 to 8.
  double heap_error = 1e-3;
  int heap_starts = 4;
  /// Turns of the starts of large islands before the patient sweeps: most that jam need no more. By hand: the
  /// same.
  int first_turns = 1;
  /// The interior point method comes before prox if an island has at least this many contacts (fitted). Also,
  /// its mean friction coefficient must be at most the second number, and its error after nsn at least the
  /// third (both by hand). prox takes more steps if more contacts have not yet found their state.
  int interior_contacts = 200;
  double interior_friction = 0.5;
  double interior_error = 5e-4;
  /// If the interior point method ends with an error above this one, it has met a fold, and continuation
  /// comes next. By hand.
  double fold_error = 2e-3;
};

/// The chain of methods for an island under Coulomb's law, the cheapest first.
/// - Few contacts and joints have a method of fixed size.
/// - Islands with many joints get Newton's method at once, if they have contacts. Otherwise the joints are
///   eliminated. So they are if that method fails.
/// - Sweeps solve most islands and give the others a start. Many contacts with a warm start, and very large
///   islands, get many sweeps with momentum. Without a warm start it is never limited, because Newton's
///   method comes sooner.
/// - Alternating directions solve many contacts. They need a single factorization. Very large islands do not
///   get them: sweeps with momentum have come as far. With a warm start more sweeps follow, if a few
///   factorizations cost more than these. Then Newton's method follows.
/// - Heaps get the interior point method with a relaxed shift: before Newton's method if they are far from a
///   solution, otherwise after it. Large ones get a short turn of it, then patient sweeps, then all of it.
/// - Newton's method continues from there, first plainly, then as a proximal point method. Near a solution,
///   after sweeps with momentum, the proximal point method comes before the interior point method.
/// - The interior point method starts from zero. For some islands it comes before the proximal point method.
/// - The interior point method through folds, and Newton's method with higher limits, come last.
/// docs/contact.md has the table. `make stage-study` measures the value of each stage.
CoulombSolver::Chain coulomb_chain(const CoulombRule& rule);
/// The chain with the default rule.
CoulombSolver::Chain automatic_coulomb_chain();

/// Makes a sequence of convex problems for the law of boxes.
using MakeSequence = std::function<std::unique_ptr<ContactSolver>()>;

/// The chain under the law of boxes, in space. The equations are piecewise linear there. `last` is its last
/// resort.
CoulombSolver::Chain box_chain(const MakeSequence& last);

}  // namespace slipstick::internal
