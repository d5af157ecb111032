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
constexpr int slot_bits = 6;

}  // namespace

void BasisTable::reset(const PackedMatrix& matrix, Mask hashed) {
  for (Slot& slot : slot_) slot.known = false;
  int bit = 0;
  for (Index i = 0; i < matrix.rows(); ++i) place_[i] = (hashed >> i & 1u) != 0 ? bit++ % slot_bits : -1;
  entries_ = matrix.stride() * matrix.rows();
  transforms_.resize(static_cast<std::size_t>(std::max<Index>(1, slots * entries_)));  // null means singular
  columns_.resize(static_cast<std::size_t>(entries_));
}

// Later rows share the bits of the first six.
Index BasisTable::slot_of(Mask free) const {
  Index number = 0;
  for (; free != 0; free &= free - 1) {
    const int place = place_[std::countr_zero(free)];
    if (place >= 0) number ^= Index{1} << place;
  }
  return number;
}

const double* BasisTable::transform(const PackedMatrix& matrix, Mask free) {
  const Index number = slot_of(free);
  Slot& slot = slot_[number];
  double* const p = transforms_.data() + number * entries_;
  if (!slot.known || slot.free != free) {
    slot.free = free;
    slot.singular = !invert(matrix, free, p);
    slot.known = true;
  }
  return slot.singular ? nullptr : p;
}

// The columns F of the dictionary w = M z + q, with z_F exchanged for w_F.
bool BasisTable::invert(const PackedMatrix& matrix, Mask free, double* p) {
  const Index stride = matrix.stride(), n = matrix.rows();
  int unknown[most_rows], row[most_rows];
  int count = 0;
  for (Mask left = free; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    std::copy_n(matrix.column(i), stride, columns_.data() + count * stride);
    unknown[count++] = i;
  }
  Mask open = free;
  for (int k = 0; k < count; ++k) {
    double* const entering = columns_.data() + k * stride;
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
      double* const column = columns_.data() + c * stride;
      const double factor = column[r] * inverse;
      if (factor == 0.0) continue;
      for (Index i = 0; i < stride; ++i) column[i] -= factor * entering[i];
      column[r] = -factor;
    }
    for (Index i = 0; i < stride; ++i) entering[i] *= inverse;
    entering[r] = inverse;
  }

  // Row row[k] of the dictionary is now z of unknown[k], and column k belongs to w of row[k].
  std::fill_n(p, stride * n, 0.0);
  for (Index i = 0; i < n; ++i) {
    if ((free >> i & 1u) == 0) p[i * stride + i] = 1.0;
  }
  for (int k = 0; k < count; ++k) {
    const double* const from = columns_.data() + k * stride;
    double* const to = p + row[k] * stride;
    for (Index i = 0; i < n; ++i) to[i] = -from[i];
    for (int c = 0; c < count; ++c) to[unknown[c]] = -from[row[c]];
  }
  return true;
}

}  // namespace slipstick
