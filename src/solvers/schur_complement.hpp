// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/solvers/saddle_matrix.hpp"

namespace slipstick {

/// Solves the principal submatrix of M (see SaddleMatrix) of one set with the factor K_0 of another, by the
/// Schur complement of what has changed (Litven 2013, eq. 3.5-3.7; Gill, Murray, Saunders and Wright 1990):
///
///     [ K_0, U ; U', D ] (y, pi) = (r, s),    C = D - U'K_0^-1 U,    C pi = s - U'K_0^-1 r,  y = K_0^-1 (r -
///     U pi)
///
/// - An index that has left has the column e_k, so that y_k = 0, and zeros in D.
/// - One that has entered has its column of M, and its entries of M in D. In the thesis, where bounds are not
///   eliminated but rows of K_0, a freed bound has the column e_i as well; both cost one solve with K_0.
/// - A change that is undone loses its column. Columns and C are kept from set to set, so that only new
///   changes take a solve; all new ones are solved together.
class SchurComplement {
 public:
  /// No changes; room for `most`.
  void reset(Index rows, Index most);
  /// r <- the solution of the system of the set `now`, r and the solution zero outside of it; `base` is the
  /// set of K_0, solve(X) is X <- K_0^-1 X. New columns are solved together with r. False, and r is as it
  /// was, where the changes are too many or C is singular to working precision: K_0 must be replaced then.
  template <class Solve>
  bool solve(const SaddleMatrix& matrix, const std::vector<char>& base, const std::vector<char>& now,
             VectorView r, const Solve& solve_base) {
    if (!find_changes(matrix, base, now)) return false;
    columns_.col(changes()) = r;
    take_changed(columns_.col(changes()));
    solve_base(columns_.middleCols(changes() - added_, added_ + 1));
    if (added_ > 0) extend(matrix);
    if (!(ready_ = (ready_ && added_ + removed_ == 0) || factorize())) return false;
    correct(matrix, columns_.col(changes()));
    r = columns_.col(changes());
    return true;
  }

  Index changes() const { return static_cast<Index>(index_.size()); }

 private:
  bool find_changes(const SaddleMatrix& matrix, const std::vector<char>& base, const std::vector<char>& now);
  void remove(Index change);
  void extend(const SaddleMatrix& matrix);
  bool factorize();
  void take_changed(VectorView r);
  void correct(const SaddleMatrix& matrix, VectorView r);

  Index most_ = 0;
  Index added_ = 0;  // by the last change of the set
  Index removed_ = 0;
  bool ready_ = false;         // lu_ is that of C
  std::vector<int> index_;     // of each change
  std::vector<char> entered_;  // or left
  std::vector<int> place_;     // of an index among the changes, -1 where it has not changed
  DenseMatrix columns_;        // K_0^-1 U
  DenseMatrix complement_, lu_;
  std::vector<int> swaps_;
  Vector scale_;                // of C to a unit diagonal
  Vector changed_;              // s, then pi
  std::vector<int> row_index_;  // scratch: a row of M
  std::vector<double> row_value_;
};

}  // namespace slipstick
