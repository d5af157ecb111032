// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/basis_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace slipstick {
namespace {

// Relative to the largest entry of a column: smaller ones are rounding, not pivots.
constexpr double pivot_tolerance = 1e-11;
}  // namespace

void BasisTable::reset(const PackedMatrix& matrix) {
  forget();
  const Index entries = matrix.stride() * matrix.stride();
  if (entries == entries_) return;
  entries_ = entries;
  // One entry more, so that an empty transform is not null.
  transforms_ =
      std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(most_transforms * entries + 1));
  columns_ = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(entries + 1));
}

void BasisTable::forget() {
  used_ = 0;
  if (++made_for_ != 0) return;
  slots_ = {};
  made_for_ = 1;
}

const double* BasisTable::find(const PackedMatrix& matrix, Mask free) {
  if (used_ == most_transforms) forget();
  double* const p = transforms_.get() + used_ * entries_;
  const bool regular = invert(matrix, free, p);
  if (regular) ++used_;
  slots_[slot_of(free)] = {regular ? p : nullptr, free, made_for_};
  return slots_[slot_of(free)].transform;
}

// The columns F of the dictionary w = M z + q, with z_F exchanged for w_F.
bool BasisTable::invert(const PackedMatrix& matrix, Mask free, double* p) {
  const Index stride = matrix.stride(), n = matrix.rows();
  int unknown[most_rows], row[most_rows];
  int count = 0;
  for (Mask left = free; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    std::copy_n(matrix.column(i), stride, columns_.get() + count * stride);
    unknown[count++] = i;
  }
  Mask open = free;
  for (int k = 0; k < count; ++k) {
    double* const entering = columns_.get() + k * stride;
    double size = 0.0;
    const double* const before = matrix.column(unknown[k]);
    for (Index i = 0; i < n; ++i) size = std::max(size, std::abs(before[i]));
    double largest = pivot_tolerance * size;
    int r = -1;
    for (Mask left = open; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (!(std::abs(entering[i]) > largest)) continue;
      largest = std::abs(entering[i]);
      r = i;
    }
    if (r < 0) return false;
    open &= ~(Mask{1} << r);
    row[k] = r;
    const double inverse = 1.0 / entering[r];
    for (int c = 0; c < count; ++c) {
      if (c == k) continue;
      double* const column = columns_.get() + c * stride;
      const double factor = column[r] * inverse;
      if (factor == 0.0) continue;
      for (Index i = 0; i < stride; ++i) column[i] -= factor * entering[i];
      column[r] = -factor;
    }
    for (Index i = 0; i < stride; ++i) entering[i] *= inverse;
    entering[r] = inverse;
  }

  // Row row[k] of the dictionary is now z of unknown[k], and column k belongs to w of row[k].
  std::fill_n(p, entries_, 0.0);
  for (Index i = 0; i < n; ++i) {
    if ((free >> i & 1u) == 0) p[i * stride + i] = 1.0;
  }
  for (int k = 0; k < count; ++k) {
    const double* const from = columns_.get() + k * stride;
    double* const to = p + row[k] * stride;
    for (Index i = 0; i < n; ++i) to[i] = -from[i];
    for (int c = 0; c < count; ++c) to[unknown[c]] = -from[row[c]];
  }
  return true;
}

}  // namespace slipstick
