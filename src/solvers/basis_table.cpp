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

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

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

bool BasisTable::invert(const PackedMatrix& matrix, Mask free, double* p) {
  switch (matrix.stride() / pack_size) {
    case 1:
      return invert_packs<1>(matrix, free, p);
    case 2:
      return invert_packs<2>(matrix, free, p);
    case 3:
      return invert_packs<3>(matrix, free, p);
    default:
      return invert_packs<4>(matrix, free, p);
  }
}

// The columns F of the dictionary w = M z + q, with z_F exchanged for w_F.
template <int Packs>
bool BasisTable::invert_packs(const PackedMatrix& matrix, Mask free, double* p) {
  constexpr Index stride = Packs * pack_size;
  const auto pack_of = [](double* column, int r) { return column + r * pack_size; };
  int unknown[most_rows], row[most_rows];
  double least[most_rows];  // pivots that are large enough
  int count = 0;
  for (Mask left = free; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    Pack largest = {};
    for (int r = 0; r < Packs; ++r) {
      const Pack rows = load_pack(matrix.column(i) + r * pack_size);
      largest = larger(larger(rows, -rows), largest);
      store_pack(pack_of(columns_.get() + count * stride, r), rows);
    }
    least[count] = pivot_tolerance * largest_of(largest);
    unknown[count++] = i;
  }
  Mask open = free;
  bool in_order = true;
  for (int k = 0; k < count; ++k) {
    double* const entering = columns_.get() + k * stride;
    double largest = least[k];
    int pivot = -1;
    for (Mask left = open; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (!(std::abs(entering[i]) > largest)) continue;
      largest = std::abs(entering[i]);
      pivot = i;
    }
    if (pivot < 0) return false;
    open &= ~(Mask{1} << pivot);
    row[k] = pivot;
    in_order = in_order && pivot == unknown[k];
    // A one in the row of the pivot gives that row its new entries.
    const double inverse = 1.0 / entering[pivot];
    PackMask in_row[Packs];
    Pack rows[Packs];
    for (int r = 0; r < Packs; ++r) {
      in_row[r] = lanes_of((Mask{1} << pivot) >> (r * pack_size));
      rows[r] = in_row[r] ? all_of(1.0) : load_pack(pack_of(entering, r));
    }
    for (int c = 0; c < count; ++c) {
      double* const column = columns_.get() + c * stride;
      if (c == k || column[pivot] == 0.0) continue;
      const Pack factor = all_of(-column[pivot] * inverse);
      for (int r = 0; r < Packs; ++r) {
        const Pack others = in_row[r] ? Pack{} : load_pack(pack_of(column, r));
        store_pack(pack_of(column, r), multiply_add(factor, rows[r], others));
      }
    }
    for (int r = 0; r < Packs; ++r) store_pack(pack_of(entering, r), inverse * rows[r]);
  }

  // Row row[k] of the dictionary is now z of unknown[k], and column k belongs to w of row[k].
  std::fill_n(p, entries_, 0.0);
  for (Mask left = ~free & ((Mask{1} << matrix.rows()) - 1); left != 0; left &= left - 1)
    p[std::countr_zero(left) * (stride + 1)] = 1.0;
  for (int k = 0; k < count; ++k) {
    double* const from = columns_.get() + k * stride;
    double* const to = p + row[k] * stride;
    for (int r = 0; r < Packs; ++r) store_pack(pack_of(to, r), -load_pack(pack_of(from, r)));
    for (int c = 0; !in_order && c < count; ++c) to[unknown[c]] = -from[row[c]];
  }
  return true;
}

#pragma GCC diagnostic pop

}  // namespace slipstick
