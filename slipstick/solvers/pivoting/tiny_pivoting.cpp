// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/tiny_pivoting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "slipstick/linalg/vector.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick {
namespace {

// Of ||b||: what is wrong by less than this is rounding.
constexpr double rounding = 1e-13;
constexpr int most_rows_to_try = 6;

// The ruler's d to a power of two: multiplied by it, the x of a free row may be wrong by as much as w.
double weight_of(double scale) {
  return std::scalbn(1.0, std::clamp(std::ilogb(scale), -500, 500));
}

}  // namespace

void TinyPivoting::load(const PackedProblem& problem, const double* scale, bool other_matrix) {
  Padded weights;
  std::transform(scale, scale + problem.rows(), weights.begin(), weight_of);
  if (other_matrix) table_.reset(problem.matrix(), weights.data());
  load_bounds(problem, weights.data());
  from_below_ = two_sided_ == 0;
  for (Index i = 0; i < problem.rows(); ++i) {
    const bool from_above = problem.lower()[i] == -infinity && problem.upper()[i] < infinity;
    sign_[static_cast<std::size_t>(i)] = from_above ? -0.0 : 0.0;
    from_below_ = from_below_ && !from_above;
  }
  most_sets_ = 8 + 4 * std::popcount(movable_);
}

PivotEnd TinyPivoting::solve(const PackedProblem& problem, const double* b, double norm, int patience,
                             PivotWatch* watch) {
  const bool plain = from_below_ && watch == nullptr;
  switch (problem.stride() / pack_size) {
    case 1:
      return plain ? pivot<1, true>(problem, b, norm, patience, watch)
                   : pivot<1, false>(problem, b, norm, patience, watch);
    case 2:
      return plain ? pivot<2, true>(problem, b, norm, patience, watch)
                   : pivot<2, false>(problem, b, norm, patience, watch);
    case 3:
      return plain ? pivot<3, true>(problem, b, norm, patience, watch)
                   : pivot<3, false>(problem, b, norm, patience, watch);
    default:
      return plain ? pivot<4, true>(problem, b, norm, patience, watch)
                   : pivot<4, false>(problem, b, norm, patience, watch);
  }
}

// Judice and Pires 1994.
template <int Packs, bool plain>
PivotEnd TinyPivoting::pivot(const PackedProblem& problem, const double* b, double norm, int patience,
                             PivotWatch* watch) {
  const double slack = rounding * norm;
  Padded q;
  for (int r = 0; r < Packs; ++r)
    store_pack(q.data() + r * pack_size, load_pack(b + r * pack_size) + pack_at(base_, r));
  Pack y[Packs] = {};
  Set set = start_;
  const auto end = [&](PivotEnd how, int left) __attribute__((always_inline)) {
    sets_ = most_sets_ - left;
    recover(problem, set, y);
    return how;
  };

  int least = most_rows + 1, left_patience = patience, left = most_sets_;
  while (left > 0) {
    if constexpr (!plain) {
      if (watch != nullptr) {
        recover(problem, set, y);
        if (watch->interrupts()) return end(PivotEnd::interrupted, left);
      }
    }
    --left;
    if (!solve_set<Packs, plain>(problem, set, q, y)) break;
    Wrong wrong = find_wrong_rows<Packs, plain>(problem, set, slack, y);
    if (wrong.rows == 0) return end(PivotEnd::found, left);
    const int count = std::popcount(wrong.rows);
    if (count < least) {
      least = count;
      left_patience = patience;
    } else if (--left_patience < 0) [[unlikely]] {
      wrong.rows &= -wrong.rows;
    }
    set.free = foreseen(left, set.free ^ wrong.rows);
    set.upper = (set.upper & ~wrong.rows) | (wrong.above & wrong.rows);
  }
  end(PivotEnd::nowhere, left);
  if (two_sided_ != 0 || std::popcount(movable_) > most_rows_to_try) return PivotEnd::nowhere;
  return try_all_sets<Packs, plain>(problem, q, slack, watch);
}

// The same set, taken from where it was in the last solve: where it has not changed, and a branch foresees
// that, the processor goes on with the next product before it knows the signs of this one.
[[gnu::always_inline]] inline TinyPivoting::Mask TinyPivoting::foreseen(int left, Mask free) {
  Mask& place = path_[static_cast<std::size_t>(left) % path_.size()];
  Mask last = place;
  asm("" : "+r"(last));
  Mask same = last;
  asm("" : "+r"(same));  // lest the compiler sees that it is
  if (last == free) [[likely]]
    return same;
  place = free;
  return free;
}

// In the order of the binary numbers.
template <int Packs, bool plain>
[[gnu::noinline]] PivotEnd TinyPivoting::try_all_sets(const PackedProblem& problem, const Padded& q,
                                                      double slack, PivotWatch* watch) {
  Pack y[Packs] = {};
  Set set;
  PivotEnd end = PivotEnd::nowhere;
  Mask moved = 0;
  do {
    set.free = always_free_ | moved;
    if (watch != nullptr) {
      recover(problem, set, y);
      if (watch->interrupts()) {
        end = PivotEnd::interrupted;
        break;
      }
    }
    ++sets_;
    if (solve_set<Packs, true>(problem, set, q, y) &&
        find_wrong_rows<Packs, plain>(problem, set, slack, y).rows == 0) {
      end = PivotEnd::found;
      break;
    }
    moved = (moved - movable_) & movable_;  // the next subset of the movable rows
  } while (moved != 0);
  recover(problem, set, y);
  return end;
}

// False where the set is singular.
template <int Packs, bool plain>
[[gnu::always_inline]] inline bool TinyPivoting::solve_set(const PackedProblem& problem, Set set,
                                                           const Padded& q, Pack (&y)[Packs]) {
  if constexpr (!plain) {
    if (set.upper != 0) {
      Padded shifted = q;
      shift(problem, set.upper, shifted);
      return solve_set<Packs, true>(problem, set, shifted, y);
    }
  }
  if (set.free == 0) {
    for (int r = 0; r < Packs; ++r) y[r] = pack_at(q, r);
    return true;
  }
  constexpr std::size_t stride = Packs * pack_size;
  const double* const transform = table_.transform(problem.matrix(), set.free, stride * stride);
  if (transform == nullptr) return false;
  multiply(transform, stride, problem.rows(), q.data(), y);
  return true;
}

template <int Packs>
[[gnu::always_inline]] inline void TinyPivoting::recover(const PackedProblem& problem, Set set,
                                                         const Pack (&y)[Packs]) {
  Pack moved[Packs];
  for (int r = 0; r < Packs; ++r) moved[r] = pack_at(grace_, r) * y[r];
  PivotRows::recover(problem, set, moved);
}

// Adds what rows at their upper bounds do to the others.
[[gnu::noinline]] void TinyPivoting::shift(const PackedProblem& problem, Mask upper, Padded& q) const {
  for (Mask left = upper; left != 0; left &= left - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(left));
    const double* const column = problem.matrix().column(static_cast<Index>(k));
    const Pack width = all_of(problem.upper()[k] - origin_[k]);
    for (Index i = 0; i < problem.stride(); i += pack_size)
      store_pack(q.data() + i, multiply_add(width, load_pack(column + i), load_pack(q.data() + i)));
  }
}

template <int Packs, bool plain>
[[gnu::always_inline]] inline TinyPivoting::Wrong TinyPivoting::find_wrong_rows(
    const PackedProblem& problem, Set set, double slack, const Pack (&y)[Packs]) const {
  PackMask right[Packs];
  for (int r = 0; r < Packs; ++r) right[r] = (plain ? y[r] : flip_signs(y[r], pack_at(sign_, r))) >= -slack;
  Wrong wrong{.rows = ~bits_of(right)};
  if constexpr (!plain) {
    Padded rows;
    for (int r = 0; r < Packs; ++r) store_pack(rows.data() + r * pack_size, y[r]);
    look_at_upper_bounds(problem, set, slack, rows, wrong);
  }
  wrong.rows &= movable_;
  return wrong;
}

// With two bounds: those at the upper one want w <= 0, those between may be beyond it.
[[gnu::noinline]] void TinyPivoting::look_at_upper_bounds(const PackedProblem& problem, Set set, double slack,
                                                          const Padded& y, Wrong& wrong) const {
  for (Mask left = two_sided_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    const Mask bit = Mask{1} << i;
    if ((set.upper & bit) != 0) {
      wrong.rows = (wrong.rows & ~bit) | (y[i] <= slack ? 0 : bit);
    } else if ((set.free & bit) != 0 &&
               grace_[i] * y[i] > problem.upper()[i] - origin_[i] + slack * grace_[i]) {
      wrong.rows |= bit;
      wrong.above |= bit;
    }
  }
}

}  // namespace slipstick

#pragma GCC diagnostic pop
