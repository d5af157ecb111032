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
/// the other rows. Where the right-hand side alone changes, a set costs one small product. The z may come out
/// multiplied by weights, so that one bound tells which of all the rows are negative.
///
/// P(F) is found from M alone by Gauss-Jordan elimination with threshold pivoting: the same bits whatever was
/// asked for before.
class BasisTable {
 public:
  static constexpr Index most_rows = 16;
  using Mask = std::uint32_t;  ///< bit i: row i is in F

  /// Forgets what is kept, and makes room; allocates nothing for the same size. Weights of the z are powers
  /// of two, one for each row; null stands for ones.
  void reset(const PackedMatrix& matrix, const double* weights = nullptr);
  /// The columns of P(F), padded as those of the matrix; null where M_FF is singular. What is asked for later
  /// may take its place.
  const double* transform(const PackedMatrix& matrix, Mask free) { return transform(matrix, free, entries_); }
  /// The same where it is known that a transform has so many entries, the square of the stride.
  [[gnu::always_inline]] const double* transform(const PackedMatrix& matrix, Mask free, std::size_t entries) {
    // Where it lies follows from the set alone: who goes on with it need not wait for a pointer.
    const std::size_t place = place_of(free, entries);
    if (slots_[place] != key_of(free) && !make(matrix, free)) [[unlikely]]
      return nullptr;
    return transforms_ + place * entries;
  }

 private:
  // Up to eight rows every set has a place of its own.
  static constexpr std::size_t places = 256;
  static std::size_t place_of(Mask free, std::size_t entries) {
    return entries <= 8 * 8 ? free : (free ^ free >> 8) & (places - 1);
  }
  // A slot holds the key of a set, the matrix that it belongs to included, or its complement where the set is
  // singular.
  std::uint64_t key_of(Mask free) const { return std::uint64_t{made_for_} << 32 | free; }
  bool make(const PackedMatrix& matrix, Mask free);
  bool invert(const PackedMatrix& matrix, Mask free, double* p);
  template <int Packs>
  bool invert_packs(const PackedMatrix& matrix, Mask free, double* p);

  std::array<std::uint64_t, places> slots_ = {};
  std::uint32_t made_for_ = 0;  // counts matrices, up to 2^31; slots of 0 are empty
  std::size_t entries_ = 0;     // per transform
  std::unique_ptr<double[]> room_;
  double* transforms_ = nullptr;                // in that room
  PackedArray<most_rows * most_rows> columns_;  // scratch: M_:F
  PackedArray<most_rows> weights_;
};

}  // namespace slipstick
