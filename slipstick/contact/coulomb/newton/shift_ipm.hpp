// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "slipstick/contact/coulomb/newton/shift_path.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Interior point method for Coulomb's law in heaps and packings, and for the law of boxes. De Saxce's shift
/// s is a variable of its own, which follows the sliding speed by an implicit relaxation (see ShiftPath). For
/// a given s the problem is convex and needs no damping. The time step dt of the relaxation is the only
/// control. A large dt is Newton's method on the exact law. A small dt is the damped fixed point over convex
/// problems, but none of them is solved on the way.
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
///
/// If context.warm, phase 2 first begins at the point of the path near context.r, with the shift of its
/// velocities, at a tau of about the square of the change (see ShiftPath::start_near). It is likely to stay
/// on the branch of that answer.
class ShiftIpm : public CoulombMethod {
 public:
  explicit ShiftIpm(const ShiftIpmSettings& settings = {},
                    SharedSystem system = std::make_shared<ContactSystem>(least_fill_ordering()));
  ~ShiftIpm() override;
  std::string_view name() const override { return "shift-ipm"; }
  bool takes_products_only() const override { return true; }
  int default_max_iterations() const override { return 10000; }
  void run(const Context& context) override;

 private:
  template <class Barrier>
  class Phases;

  ShiftIpmSettings settings_;
  SharedSystem shared_;
  std::unique_ptr<Phases<ConeBarrier>> cones_;
  std::unique_ptr<Phases<PyramidBarrier>> pyramids_;
};

}  // namespace slipstick::internal
