// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

// Common parts of the Krylov methods. A matrix is a callable apply(v, y) that sets y = A v. A preconditioner
// is a callable apply_inverse(r, z) that sets z = M^-1 r. Both get two different vectors of the method's
// workspace. A method object keeps its workspace: a second solve of the same size allocates nothing.

/// When to stop: ||b - A x|| <= max(tolerance ||b||, absolute_floor).
struct KrylovSettings {
  double tolerance = 1e-8;       ///< relative to ||b||; [0, 1)
  double absolute_floor = 0.0;   ///< in the unit of b; [0, inf)
  Index max_iterations = 10000;  ///< limit of this call; >= 0

  double target(double norm_b) const { return std::max(tolerance * norm_b, absolute_floor); }
};

enum class KrylovStatus {
  converged,           ///< the residual is at most the target
  least_squares,       ///< A r = 0 to the tolerance asked for: no x has a smaller residual (MINRES)
  iteration_limit,     ///< max_iterations were made
  stopped,             ///< the callback returned false
  breakdown,           ///< the recurrence cannot go on: a zero denominator or a value that is not finite
  negative_curvature,  ///< p'A p <= 0 for a search direction p: A is not positive definite (CG)
};

struct KrylovOutcome {
  Index iterations = 0;
  double residual = 0.0;  ///< the norm that the header of the method defines
  KrylovStatus status = KrylovStatus::converged;
};

/// The preconditioner M = I.
struct NoPreconditioner {
  void operator()(const Vector& r, Vector& z) const { z = r; }
};

/// The callback that never stops. A method calls the callback after every iteration with the number of
/// iterations and the residual. If the callback returns false, the method stops.
struct KeepGoing {
  bool operator()(Index, double) const { return true; }
};

/// The work of an iteration per row, at least. A product with a large sparse matrix costs as much.
inline constexpr double krylov_work = 50.0;

/// r = b - A x. The product is skipped if x = 0.
template <class Apply>
void residual_of(const Apply& apply, ConstVectorView b, const Vector& x, Vector& r) {
  if ((x.array() == 0.0).all()) {
    r = b;
  } else {
    apply(x, r);
    r = b - r;
  }
}

}  // namespace slipstick::internal
