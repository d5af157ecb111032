// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "slipstick/linalg/packed_matrix.hpp"

namespace slipstick {

/// The principal pivot transforms of a tiny matrix M, each made when it is first asked for and then kept. For
/// w = M z + q and a set F of rows, y = P(F) q holds z_F = -M_FF^-1 q_F, with z = 0 elsewhere, and the w of
/// the other rows. Where the right-hand side alone changes, a set costs one small product.
///
/// P(F) is found from M alone by Gauss-Jordan elimination with threshold pivoting: the same bits whatever was
/// asked for before.
class BasisTable {
 public:
  static constexpr Index most_rows = 16;
  using Mask = std::uint32_t;  ///< bit i: row i is in F

  /// Forgets what is kept, and makes room; allocates nothing for the same size.
  void reset(const PackedMatrix& matrix);
  /// The columns of P(F), padded as those of the matrix; null where M_FF is singular. What is asked for later
  /// may take its place.
  const double* transform(const PackedMatrix& matrix, Mask free) {
    const Slot& slot = slots_[slot_of(free)];
    return slot.free == free && slot.made_for == made_for_ ? slot.transform : find(matrix, free);
  }

 private:
  // Up to eight rows every set has a place of its own.
  static constexpr std::size_t places = 256;
  static constexpr Index most_transforms = 64;
  struct Slot {
    const double* transform = nullptr;
    Mask free = 0;
    std::uint32_t made_for = 0;
  };
  static std::size_t slot_of(Mask free) { return (free ^ free >> 8) & (places - 1); }
  void forget();
  const double* find(const PackedMatrix& matrix, Mask free);
  bool invert(const PackedMatrix& matrix, Mask free, double* p);
  template <int Packs>
  bool invert_packs(const PackedMatrix& matrix, Mask free, double* p);

  std::array<Slot, places> slots_;
  std::uint32_t made_for_ = 0;  // counts what was forgotten; slots of 0 are empty
  Index entries_ = -1;          // per transform
  Index used_ = 0;
  std::unique_ptr<double[]> room_;
  double* transforms_ = nullptr;                // in that room
  PackedArray<most_rows * most_rows> columns_;  // scratch: M_:F
};

}  // namespace slipstick
