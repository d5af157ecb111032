// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/problem.hpp"
#include "slipstick/solvers/common/place.hpp"

namespace slipstick {

/// The index sets of a pivoting method on a boxed problem (Ho 2022, eq. 2.37): F between the bounds, where
/// w = 0 decides x, and T_l, T_u at a bound, which decides x. Free rows are always in F, fixed and empty rows
/// never.
class PivotSet {
 public:
  /// A row and a place: one to go to, or one that it came from.
  struct Move {
    int row;
    Place place;
  };

  /// Every row that may be is tight. Keeps pointers to both.
  void reset(const Problem& problem, const Ruler& ruler);
  /// The set that x shows: rows at a bound are tight (Ho 2022, 5.3).
  void take(const Vector& x);
  /// The set that the natural map shows: the bound that x - w / d lies beyond, else between.
  void guess(const Vector& x, const Vector& w);

  /// Lists the rows that eq. 2.41-2.44 pivot, ascending, and returns their number. What is beyond a bound, or
  /// of the wrong sign, by a rounding of A x + b, or by `allowance` in w, does not count.
  Index find_violations(const Vector& x, const Vector& w, double allowance = 0.0);
  /// How large a w_i is rounding at the x of the last measure_rounding() or find_violations().
  double rounding(Index row) const;
  void measure_rounding(const Vector& x);

  /// Moves all the rows that were found, or the first alone.
  void pivot_all();
  void pivot_first();
  /// Moves one row, where it may.
  void put(int row, Place place);
  /// Takes the last pivot back.
  void undo();
  /// The rows of the last pivot, with the places they had.
  std::span<const Move> last_moves() const { return moves_; }

  /// Puts the tight rows of x on their bounds; whether that changes x.
  bool put_on_bounds(Vector& x) const;
  std::span<const char> free() const { return free_; }
  Place place(Index row) const { return places_[static_cast<std::size_t>(row)]; }
  Index tight() const { return tight_; }
  /// Equal for equal sets.
  std::uint64_t hash() const { return hash_; }

 private:
  void move(int row, Place to);

  const Problem* problem_ = nullptr;
  const Ruler* ruler_ = nullptr;
  std::vector<char> movable_;
  std::vector<Place> places_;
  std::vector<char> free_;
  Index tight_ = 0;
  std::uint64_t hash_ = 0;
  std::vector<Move> violations_;  // with the places to go to
  std::vector<Move> moves_;
  Vector root_;  // of the diagonal
  double energy_ = 0.0;
};

/// The sets that a method has been at, by their hashes: a set that comes again is a cycle. Keeps the first
/// few thousand since it was cleared.
class VisitedSets {
 public:
  void clear();
  /// False where the set was there already.
  bool insert(std::uint64_t hash);

 private:
  std::vector<std::uint64_t> table_ = std::vector<std::uint64_t>(8192, 0);  // 0: empty
  std::vector<std::size_t> used_;
};

}  // namespace slipstick
