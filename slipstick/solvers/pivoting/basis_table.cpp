// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/basis_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace slipstick {
namespace {

// Relative to the largest entry of a column: smaller ones are rounding, not pivots.
constexpr double pivot_tolerance = 1e-11;
// Of the largest entry of its column, for a pivot on the diagonal.
constexpr double small_enough = 0.1;

}  // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

void BasisTable::reset(const PackedMatrix& matrix, const double* weights) {
  if (++made_for_ >> 31 != 0) {
    slots_ = {};
    made_for_ = 1;
  }
  weights_.fill(1.0);
  if (weights != nullptr) std::copy_n(weights, matrix.rows(), weights_.data());
  const auto entries = static_cast<std::size_t>(matrix.stride() * matrix.stride());
  if (entries == entries_) return;
  entries_ = entries;
  // Only what is asked for is ever touched.
  std::size_t bytes = (places * entries + pack_size) * sizeof(double);
  room_ = std::make_unique_for_overwrite<double[]>(bytes / sizeof(double));
  void* start = room_.get();
  transforms_ = static_cast<double*>(std::align(sizeof(Pack), 1, start, bytes));
}

// False where the set is singular.
bool BasisTable::make(const PackedMatrix& matrix, Mask free) {
  const std::size_t place = place_of(free, entries_);
  if (slots_[place] == ~key_of(free)) return false;
  const bool regular = invert(matrix, free, transforms_ + place * entries_);
  slots_[place] = regular ? key_of(free) : ~key_of(free);
  return regular;
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
      store_pack(pack_of(columns_.data() + count * stride, r), rows);
    }
    least[count] = pivot_tolerance * largest_of(largest);
    unknown[count++] = i;
  }
  Mask open = free;
  bool in_order = true;
  for (int k = 0; k < count; ++k) {
    double* const entering = columns_.data() + k * stride;
    // The diagonal where it is not much smaller than the largest.
    Pack sizes[Packs], highest = {};
    for (int r = 0; r < Packs; ++r) {
      const Pack rows = load_pack(pack_of(entering, r));
      sizes[r] = select(lanes_of(open >> (r * pack_size)), larger(rows, -rows), Pack{});
      highest = larger(sizes[r], highest);
    }
    const double largest = largest_of(highest);
    if (!(largest > least[k])) return false;
    int pivot = unknown[k];
    if ((open >> pivot & 1u) == 0 || !(std::abs(entering[pivot]) >= small_enough * largest)) {
      PackMask candidates[Packs];
      for (int r = 0; r < Packs; ++r) candidates[r] = sizes[r] == largest;
      pivot = std::countr_zero(bits_of(candidates));
    }
    open &= ~(Mask{1} << pivot);
    row[k] = pivot;
    in_order = in_order && pivot == unknown[k];
    // A one in the row of the pivot gives that row its new entries.
    const double inverse = 1.0 / entering[pivot];
    PackMask in_row[Packs];
    Pack rows[Packs];
    for (int r = 0; r < Packs; ++r) {
      in_row[r] = lanes_of((Mask{1} << pivot) >> (r * pack_size));
      rows[r] = select(in_row[r], all_of(1.0), load_pack(pack_of(entering, r)));
    }
    for (int c = 0; c < count; ++c) {
      double* const column = columns_.data() + c * stride;
      if (c == k || column[pivot] == 0.0) continue;
      const Pack factor = all_of(-column[pivot] * inverse);
      for (int r = 0; r < Packs; ++r) {
        const Pack others = select(in_row[r], Pack{}, load_pack(pack_of(column, r)));
        store_pack(pack_of(column, r), multiply_add(factor, rows[r], others));
      }
    }
    for (int r = 0; r < Packs; ++r) store_pack(pack_of(entering, r), inverse * rows[r]);
  }

  // Row row[k] of the dictionary is now z of unknown[k], and column k belongs to w of row[k].
  std::fill_n(p, entries_, 0.0);
  for (Mask left = ~free & ((Mask{1} << matrix.rows()) - 1); left != 0; left &= left - 1)
    p[std::countr_zero(left) * (stride + 1)] = 1.0;
  Pack weights[Packs];
  for (int r = 0; r < Packs; ++r)
    weights[r] =
        select(lanes_of(free >> (r * pack_size)), -load_pack(weights_.data() + r * pack_size), all_of(-1.0));
  for (int k = 0; k < count; ++k) {
    double* const from = columns_.data() + k * stride;
    double* const to = p + row[k] * stride;
    for (int r = 0; r < Packs; ++r) store_pack(pack_of(to, r), weights[r] * load_pack(pack_of(from, r)));
    for (int c = 0; !in_order && c < count; ++c)
      to[unknown[c]] = -weights_[static_cast<std::size_t>(unknown[c])] * from[row[c]];
  }
  return true;
}

#pragma GCC diagnostic pop

}  // namespace slipstick
