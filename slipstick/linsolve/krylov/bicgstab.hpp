// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>

#include "slipstick/base/random.hpp"
#include "slipstick/linsolve/krylov/bicgstab_in.hpp"

namespace slipstick::internal {

/// Vectors of the host, for BicgstabIn.
struct HostSpace {
  using Vector = slipstick::Vector;
  static void resize(Vector& v, Index n) { v.resize(n); }
  static void copy(const Vector& from, Vector& to) { to = from; }
  static void clear(Vector& v) { v.setZero(); }
  static void add(double a, const Vector& x, Vector& y) { y += a * x; }
  static void turn(const Vector& x, double a, Vector& y) { y = x + a * y; }
  static double dot(const Vector& x, const Vector& y) { return x.dot(y); }
  static double norm(const Vector& x) { return x.norm(); }
  static bool is_zero(const Vector& x) { return (x.array() == 0.0).all(); }
  static void randomize(Vector& v, int seed) {
    Random random(static_cast<std::uint64_t>(seed));
    for (double& value : v) value = random.uniform(-1.0, 1.0);
  }
};

/// BiCGStab(l) on the host (see BicgstabIn).
class Bicgstab {
 public:
  template <class Apply, class ApplyInverse = NoPreconditioner, class Callback = KeepGoing>
  KrylovOutcome solve(const Apply& apply, const Vector& b, Vector& x, const BicgstabSettings& settings = {},
                      const ApplyInverse& apply_inverse = {}, const Callback& callback = {}) {
    assert(b.size() == x.size());
    return iteration_.solve(b.size(), apply, b, x, settings, apply_inverse, callback);
  }

 private:
  BicgstabIn<HostSpace> iteration_;
};

}  // namespace slipstick::internal
