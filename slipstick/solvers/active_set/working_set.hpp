// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// The constraints of a QP under one numbering, and which of them are held as equalities: 0 ... n - 1 are the
/// bounds of x, n ... n + m - 1 the linear rows, each lower <= value <= upper with a force (multiplier) that
/// is >= 0 at the lower and <= 0 at the upper bound. Equal bounds are always held.
///
/// Values and forces are compared in the ruler's units: value_scale (value - bound) and force_scale force are
/// what a constraint adds to the scaled natural map before it is divided by the norm.
class WorkingSet {
 public:
  void prepare(const Problem& problem, const Ruler& ruler);

  Index unknowns() const { return unknowns_; }
  Index size() const { return static_cast<Index>(side_.size()); }
  /// -1: held at the lower bound, 1: at the upper one, 0: not held.
  int side(Index k) const { return side_[static_cast<std::size_t>(k)]; }
  void set_side(Index k, int side) { side_[static_cast<std::size_t>(k)] = static_cast<signed char>(side); }
  double lower(Index k) const { return lower_[k]; }
  double upper(Index k) const { return upper_[k]; }
  bool is_equality(Index k) const { return lower_[k] == upper_[k]; }
  /// The bound at which a held constraint is held.
  double bound(Index k) const { return side(k) < 0 ? lower_[k] : upper_[k]; }
  double value_scale(Index k) const { return value_scale_[k]; }
  double force_scale(Index k) const { return force_scale_[k]; }
  /// Constraints held.
  Index held() const;

  /// Holds what is at a bound, within `band` in the ruler's units.
  void hold_touching(ConstVectorView values, double band);
  /// Holds what a projected step along the forces would put on a bound.
  void hold_predicted(ConstVectorView values, ConstVectorView forces);

  /// The side on which primal and dual violations above `band` want constraint k (Litven 2013, eq. 2.12, for
  /// two bounds): unheld and outside: held; held with a force of the wrong sign: let go.
  int wanted_side(Index k, double value, double force, double band) const;
  /// How many constraints want another side; moves all of them, or the first alone, where asked to.
  enum class Move { none, all, first };
  Index revise(ConstVectorView values, ConstVectorView forces, double band, Move move);

  /// A number that differs between different sets but for rare coincidences.
  std::uint64_t fingerprint() const;

 private:
  Index unknowns_ = 0;
  std::vector<signed char> side_;
  Vector lower_, upper_, value_scale_, force_scale_;
};

}  // namespace slipstick
