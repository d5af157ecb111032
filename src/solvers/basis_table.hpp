// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/linalg/packed_matrix.hpp"

namespace slipstick {

/// The principal pivot transforms of a tiny matrix M, each made when it is first asked for and then kept. For
/// w = M z + q and a set F of rows, y = P(F) q holds z_F = -M_FF^-1 q_F, with z = 0 elsewhere, and the w of
/// the other rows. Where the right-hand side alone changes, a set costs one small product.
///
/// P(F) is found from M alone by Gauss-Jordan elimination with partial pivoting: the same bits whatever was
/// asked for before.
class BasisTable {
 public:
  static constexpr Index most_rows = 16;
  using Mask = std::uint32_t;  ///< bit i: row i is in F

  /// Forgets what is kept. `hashed` rows decide where transforms are kept: with up to six there is room for
  /// the sets of all of them.
  void reset(const PackedMatrix& matrix, Mask hashed);
  /// The columns of P(F), padded as those of the matrix; null where M_FF is singular.
  const double* transform(const PackedMatrix& matrix, Mask free);

 private:
  static constexpr Index slots = 64;
  struct Slot {
    Mask free = 0;
    bool known = false;
    bool singular = false;
  };
  Index slot_of(Mask free) const;
  bool invert(const PackedMatrix& matrix, Mask free, double* p);

  Slot slot_[slots];
  int place_[most_rows] = {};  // of a row's bit in the number of a slot
  Index entries_ = 0;          // per transform
  std::vector<double> transforms_;
  std::vector<double> columns_;  // scratch: M_:F
};

}  // namespace slipstick
