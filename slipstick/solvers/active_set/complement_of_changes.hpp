// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// The changes of a set since its system K_0 = L S L' was factorized. They give the dense matrix
/// C = D - Y'S Y with Y = L^-1 U, eq. 3.5-3.7 of Litven 2013 (see SchurComplement). Derived classes have the
/// columns of Y, in the memory of the host or of a device.
class ComplementOfChanges {
 public:
  virtual ~ComplementOfChanges() = default;
  Index changes() const { return static_cast<Index>(index_.size()); }

 protected:
  /// Removes all changes and makes room for `most`.
  void forget_changes(Index rows, Index most);
  /// r <- the solution of the system of the set `now`, if K_0 is that of the set `base`. r and the solution
  /// are zero outside the set. Returns false, and r is unchanged, if there are too many changes or C is
  /// singular to working precision. K_0 must be replaced then.
  bool solve_changed(const std::vector<char>& base, const std::vector<char>& now, VectorView r);

  /// Column `to` of Y becomes column `from`.
  virtual void move_column(Index from, Index to) = 0;
  /// Computes the columns of Y for the changes from `first` on, their columns of C as far as the diagonal,
  /// and q = L^-1 r. r is zero in the changed rows. Subtracts Y'S q from s.
  virtual void extend(Index first, ConstVectorView r, DenseMatrix& complement, VectorView s) = 0;
  /// x <- L^-T S (q - Y pi)
  virtual void correct(ConstVectorView pi, VectorView x) = 0;

  int index(Index change) const { return index_[static_cast<std::size_t>(change)]; }
  bool entered(Index change) const { return entered_[static_cast<std::size_t>(change)] != 0; }
  /// The change of a row, or -1.
  int change_of(Index row) const { return place_[static_cast<std::size_t>(row)]; }

 private:
  bool find_changes(const std::vector<char>& base, const std::vector<char>& now);
  void remove(Index change);
  bool factorize();
  void solve_complement();

  Index most_ = 0;
  Index added_ = 0;  // number of changes added by the last change of the set
  Index removed_ = 0;
  bool ready_ = false;         // lu_ belongs to C
  std::vector<int> index_;     // index of each change
  std::vector<char> entered_;  // 1: the index entered, 0: it left
  std::vector<int> place_;     // place of an index among the changes, -1 if it has not changed
  DenseMatrix complement_, lu_;
  std::vector<int> swaps_;
  Vector scale_;    // scales C to a unit diagonal
  Vector changed_;  // s, then pi
  Vector kept_;     // r without the changed rows
};

}  // namespace slipstick::internal
