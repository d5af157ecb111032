// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/measures/measures.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/solvers/common/place.hpp"

namespace slipstick::internal {

/// The constraints of a boxed problem in one numbering, and the active set: the constraints held at a bound
/// (Ho 2022, eq. 2.37). Constraints 0 ... n - 1 are the bounds of x, and n ... n + m - 1 the linear rows.
/// Each is lower <= value <= upper with a force: w_i for a bound, the multiplier for a row. A force is >= 0
/// at the lower bound, <= 0 at the upper bound, and 0 between. Constraints with equal bounds are always
/// active. Constraints without a bound are never active.
///
/// Values and forces are compared in the ruler's units. A constraint adds value_scale (value - bound) and
/// force_scale force to the scaled natural map, before the division by the norm.
class ActiveSet {
 public:
  /// A constraint and a place: its new place, or its old place.
  struct Move {
    int constraint;
    Place place;
  };
  /// What happens to the bounds of an unknown with an empty row of A. No pivot can move such an unknown.
  enum class EmptyRows { stay_active, move };

  /// All constraints that can be active become active. Keeps a pointer to the problem.
  void reset(const Problem& problem, const Ruler& ruler, EmptyRows empty_rows = EmptyRows::stay_active);

  Index unknowns() const { return unknowns_; }
  Index size() const { return static_cast<Index>(places_.size()); }
  Place place(Index k) const { return places_[static_cast<std::size_t>(k)]; }
  bool is_active(Index k) const { return place(k) != Place::between; }
  /// The number of active constraints.
  Index active() const { return active_; }
  /// One flag per constraint: 1 if it is not active.
  std::span<const char> free() const { return free_; }
  double lower(Index k) const { return lower_[k]; }
  double upper(Index k) const { return upper_[k]; }
  bool is_equality(Index k) const { return lower_[k] == upper_[k]; }
  /// The bound at which an active constraint is held.
  double bound(Index k) const {
    const double low = lower_[k], high = upper_[k];
    return place(k) == Place::at_lower ? low : high;
  }
  double value_scale(Index k) const { return value_scale_[k]; }
  double force_scale(Index k) const { return force_scale_[k]; }
  /// Equal for equal sets. Different for different sets, except for rare coincidences.
  std::uint64_t hash() const { return hash_; }

  /// Takes the set from values: a constraint within `band` of a bound, in the ruler's units, is active (Ho
  /// 2022, 5.3).
  void take(ConstVectorView values, double band = 0.0);
  /// Takes the set from the natural map: a constraint that a projected step along the forces would put on a
  /// bound is active.
  void guess(ConstVectorView values, ConstVectorView forces);

  /// Lists the constraints in a wrong place, ascending, and returns their number (Ho 2022, eq. 2.41-2.44;
  /// Litven 2013, eq. 2.12). They are free constraints beyond a bound, and active constraints with a force of
  /// the wrong sign. Violations below rounding() or below `allowance`, in the ruler's units, do not count.
  Index find_violations(ConstVectorView values, ConstVectorView forces, double allowance = 0.0);
  /// A w_i below this is rounding, at the x of the last measure_rounding(). Without such a call, at x = 0.
  double rounding(Index row) const;
  void measure_rounding(const Vector& x);

  /// Moves all constraints that were found, or only the first.
  void pivot_all();
  void pivot_first();
  /// Moves one constraint, if it may move.
  void put(int constraint, Place place);
  /// Takes the last pivot back.
  void undo();
  /// The constraints of the last pivot, with the places they had.
  std::span<const Move> last_moves() const { return moves_; }

  /// Puts the active unknowns of x on their bounds. Returns true if x changes.
  bool put_on_bounds(Vector& x) const;

 private:
  bool is_violated(Index k, double value, double force, double slack) const;
  void move(Index k, Place to);

  const Problem* problem_ = nullptr;
  Index unknowns_ = 0;
  Vector lower_, upper_, value_scale_, force_scale_;
  std::vector<char> movable_;
  std::vector<Place> places_;
  std::vector<char> free_;
  Index active_ = 0;
  std::uint64_t hash_ = 0;
  std::vector<Move> violations_;  // with their new places
  std::vector<Move> moves_;
  Vector root_;  // square root of the diagonal
  double energy_ = 0.0;
};

/// The sets that a method has visited, as hashes. A set that appears again means a cycle. Keeps the first few
/// thousand sets since the last clear().
class VisitedSets {
 public:
  void clear();
  /// Returns false if the set was visited before.
  bool insert(std::uint64_t hash);

 private:
  std::vector<std::uint64_t> table_ = std::vector<std::uint64_t>(8192, 0);  // 0: empty
  std::vector<std::size_t> used_;
};

}  // namespace slipstick::internal
