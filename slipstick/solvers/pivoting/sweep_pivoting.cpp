// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/sweep_pivoting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "slipstick/linalg/vector.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slipstick {
namespace {

// Of the largest entry of the column: smaller pivots are rounding.
constexpr double smallest_pivot = 1e-13;

}  // namespace

void SweepPivoting::load(const PackedProblem& problem, const double* scale) {
  load_bounds(problem, scale);
  width_ = least_ = y_ = {};
  for (Padded* padded : {&low_, &tight_low_}) padded->fill(-infinity);
  for (Padded* padded : {&high_, &tight_high_}) padded->fill(infinity);
  for (Index i = 0; i < problem.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Mask bit = Mask{1} << i;
    const Eigen::Map<const Vector> column(problem.matrix().column(i), problem.rows());
    least_[k] = smallest_pivot * column.cwiseAbs().maxCoeff();
    if ((movable_ & bit) == 0) continue;
    const double lower = problem.lower()[i], upper = problem.upper()[i];
    low_[k] = lower - origin_[k];
    high_[k] = upper - origin_[k];
    (lower > -infinity ? tight_low_ : tight_high_)[k] = 0.0;
    if ((two_sided_ & bit) != 0) width_[k] = upper - lower;
  }
  most_sets_ = 16 + 2 * static_cast<int>(problem.rows());
  tableau_.resize(static_cast<std::size_t>(problem.stride() * (problem.rows() + 1)));
  symmetric_ = problem.matrix().asymmetry() == 0.0;
}

PivotEnd SweepPivoting::solve(const PackedProblem& problem, const double* b, double slack, int patience,
                              PivotWatch* watch) {
  const auto pivot_in = [&]<bool symmetric>(std::bool_constant<symmetric>) {
    using Pivot = decltype(&SweepPivoting::pivot<1, symmetric>);
    static constexpr Pivot pivots[] = {
        &SweepPivoting::pivot<1, symmetric>, &SweepPivoting::pivot<2, symmetric>,
        &SweepPivoting::pivot<3, symmetric>, &SweepPivoting::pivot<4, symmetric>,
        &SweepPivoting::pivot<5, symmetric>, &SweepPivoting::pivot<6, symmetric>,
        &SweepPivoting::pivot<7, symmetric>, &SweepPivoting::pivot<8, symmetric>};
    return (this->*pivots[problem.stride() / pack_size - 1])(problem, b, slack, patience, watch);
  };
  return symmetric_ ? pivot_in(std::true_type()) : pivot_in(std::false_type());
}

// Judice and Pires 1994.
template <int Packs, bool symmetric>
PivotEnd SweepPivoting::pivot(const PackedProblem& problem, const double* b, double slack, int patience,
                              PivotWatch* watch) {
  const Index n = problem.rows(), entries = problem.stride() * n;
  std::copy_n(problem.matrix().data(), entries, tableau_.data());
  for (int r = 0; r < Packs; ++r)
    store_pack(tableau_.data() + entries + r * pack_size, load_pack(b + r * pack_size) + pack_at(base_, r));
  Set set = start_;
  y_.fill(0.0);
  sets_ = 0;
  bool regular = move<Packs, symmetric>(problem, set.free, set.free);
  int least = most_rows + 1, left_patience = patience;
  PivotEnd end = PivotEnd::nowhere;
  for (int left = most_sets_; regular && left > 0; --left) {
    if (watch != nullptr) recover_x<Packs>(problem, set);
    if (watch != nullptr && watch->interrupts()) {
      end = PivotEnd::interrupted;
      break;
    }
    ++sets_;
    Wrong wrong = find_wrong_rows<Packs, symmetric>(problem, set, slack);
    if (wrong.rows == 0) {
      end = PivotEnd::found;
      break;
    }
    const int count = std::popcount(wrong.rows);
    if (count < least) {
      least = count;
      left_patience = patience;
    } else if (--left_patience < 0) {
      wrong.rows &= -wrong.rows;
    }
    set.free ^= wrong.rows;
    set.upper = (set.upper & ~wrong.rows) | (wrong.above & wrong.rows);
    regular = move<Packs, symmetric>(problem, wrong.rows, set.free);
  }
  recover_x<Packs>(problem, set);
  return end;
}

// Those of the rows that are in `free` enter the free set, the others leave it; false where that is singular.
template <int Packs, bool symmetric>
bool SweepPivoting::move(const PackedProblem& problem, Mask rows, Mask free) {
  for (Mask left = rows; left != 0; left &= left - 1) {
    const int k = std::countr_zero(left);
    if (!sweep<Packs, symmetric>(problem.rows(), k, (free >> k & 1u) != 0)) return false;
  }
  return true;
}

// Column k of T. What is not stored is read from row k.
template <int Packs, bool symmetric>
[[gnu::always_inline]] inline void SweepPivoting::load_column(Index k, Pack (&rows)[Packs]) const {
  constexpr Index stride = Packs * pack_size;
  const double* const column = tableau_.data() + k * stride;
  for (int r = 0; r < Packs; ++r) {
    const double* const row = tableau_.data() + k + r * pack_size * stride;
    rows[r] = symmetric && r < k / pack_size ? Pack{row[0], row[stride], row[2 * stride], row[3 * stride]}
                                             : load_pack(column + r * pack_size);
  }
}

// Row and column k of T, and c, change sides.
template <int Packs, bool symmetric>
[[gnu::always_inline]] inline bool SweepPivoting::sweep(Index n, Index k, bool enters) {
  constexpr Index stride = Packs * pack_size;
  double* const pivot_column = tableau_.data() + k * stride;
  const double pivot = pivot_column[k];
  if (!(std::abs(pivot) > (enters ? least_[static_cast<std::size_t>(k)] : 0.0))) return false;
  const double inverse = 1.0 / pivot, side = enters ? inverse : -inverse;
  Pack rows[Packs];
  load_column<Packs, symmetric>(k, rows);
  Padded entries;
  for (int r = 0; symmetric && r < Packs; ++r) store_pack(entries.data() + r * pack_size, rows[r]);
  for (Pack& row : rows) row = -row;
  // From the pack `first` on; what is written above it is not part of a symmetric T.
  const auto subtract_from = [&]<int first>(std::integral_constant<int, first>, double* column, double entry)
      __attribute__((always_inline)) {
    const Pack factor = all_of(entry * inverse);
    for (int r = first; r < Packs; ++r) {
      double* const at = column + r * pack_size;
      store_pack(at, multiply_add(factor, rows[r], load_pack(at)));
    }
    column[k] = entry * side;
  };
  constexpr std::integral_constant<int, 0> whole;
  if constexpr (symmetric) {
    const auto subtract_from_columns = [&]<int group>(std::integral_constant<int, group> first)
        __attribute__((always_inline)) {
      for (Index j = group * pack_size, end = std::min(j + pack_size, n); j < end; ++j) {
        if (j != k) subtract_from(first, tableau_.data() + j * stride, entries[static_cast<std::size_t>(j)]);
      }
    };
    [&]<int... groups>(std::integer_sequence<int, groups...>) __attribute__((always_inline)) {
      (subtract_from_columns(std::integral_constant<int, groups>()), ...);
    }
    (std::make_integer_sequence<int, Packs>());
  } else {
    for (double *column = tableau_.data(), *const end = column + n * stride; column != end;
         column += stride) {
      if (column != pivot_column) subtract_from(whole, column, column[k]);
    }
  }
  double* const c = tableau_.data() + n * stride;
  subtract_from(whole, c, c[k]);
  for (int r = 0; r < Packs; ++r) store_pack(pivot_column + r * pack_size, rows[r] * all_of(-side));
  pivot_column[k] = -inverse;
  return true;
}

template <int Packs, bool symmetric>
[[gnu::always_inline]] inline SweepPivoting::Wrong SweepPivoting::find_wrong_rows(
    const PackedProblem& problem, Set set, double slack) {
  constexpr Index stride = Packs * pack_size;
  const double* const c = tableau_.data() + problem.rows() * stride;
  Pack y[Packs];
  for (int r = 0; r < Packs; ++r) y[r] = load_pack(c + r * pack_size);
  for (Mask left = set.upper; left != 0; left &= left - 1) {
    const auto k = static_cast<std::size_t>(std::countr_zero(left));
    Pack column[Packs];
    load_column<Packs, symmetric>(static_cast<Index>(k), column);
    for (int r = 0; r < Packs; ++r) y[r] = multiply_add(all_of(width_[k]), column[r], y[r]);
  }
  PackMask wrong[Packs], too_high[Packs];
  for (int r = 0; r < Packs; ++r) {
    const int i = r * static_cast<int>(pack_size);
    const PackMask free = lanes_of(set.free >> i), upper = lanes_of(set.upper >> i);
    const Pack rows = select(free, -y[r], y[r]);
    const Pack low = select(free, pack_at(low_, r), select(upper, all_of(-infinity), pack_at(tight_low_, r)));
    const Pack high = select(free, pack_at(high_, r), select(upper, Pack{}, pack_at(tight_high_, r)));
    const Pack allowed = slack * select(free, pack_at(grace_, r), all_of(1.0));
    const PackMask above = ~(rows <= high + allowed);
    wrong[r] = ~(rows >= low - allowed) | above;
    too_high[r] = above & free;
    store_pack(y_.data() + i, rows);
  }
  return {bits_of(wrong) & movable_, bits_of(too_high) & two_sided_};
}

template <int Packs>
void SweepPivoting::recover_x(const PackedProblem& problem, Set set) {
  Pack y[Packs];
  for (int r = 0; r < Packs; ++r) y[r] = pack_at(y_, r);
  recover(problem, set, y);
}

}  // namespace slipstick

#pragma GCC diagnostic pop
