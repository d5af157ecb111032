// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "slipstick/solvers/active_set/saddle_factor.hpp"

namespace slipstick::internal {

/// Solves the principal submatrix of M (see SaddleMatrix) of one set with the factor K_0 = L S L' of another,
/// by the Schur complement of what has changed (Litven 2013, eq. 3.5-3.7; Gill, Murray, Saunders and Wright
/// 1990):
///
///     [ K_0, U ; U', D ] (y, pi) = (r, s),    C = D - U'K_0^-1 U,    C pi = s - U'K_0^-1 r,
///     K_0 y = r - U pi
///
/// - An index that has left has the column e_k, so that y_k = 0, and zeros in D.
/// - One that has entered has its column of M, and its entries of M in D. In the thesis, where bounds are not
///   eliminated but rows of K_0, a freed bound has the column e_i as well; both cost one solve with K_0.
/// - A change that is undone loses its column. Columns and C are kept from set to set, so that only new
///   changes take a solve; all new ones, and r, are solved together.
/// - Unlike the thesis, which keeps K_0^-1 U, this keeps Y = L^-1 U: C = D - Y'S Y, and with q = L^-1 r it is
///   y = L^-T S (q - Y pi), so that a change costs half a solve, and each right-hand side a whole one.
class SchurComplement {
 public:
  /// The set whose system was factorized, its factor, and the halves of a solve with it.
  struct Base {
    const std::vector<char>& set;
    const SaddleFactor& factor;
    std::function<void(MatrixView)> solve_lower;
    std::function<void(VectorView)> solve_upper;
  };

  /// No changes; room for `most`.
  void reset(Index rows, Index most);
  /// r <- the solution of the system of the set `now`, r and the solution zero outside of it. False, and r is
  /// as it was, where the changes are too many or C is singular to working precision: K_0 must be replaced
  /// then.
  bool solve(const SaddleMatrix& matrix, const Base& base, const std::vector<char>& now, VectorView r);

  Index changes() const { return static_cast<Index>(index_.size()); }

 private:
  bool find_changes(const SaddleMatrix& matrix, const std::vector<char>& base, const std::vector<char>& now);
  void remove(Index change);
  void extend(const SaddleMatrix& matrix, const SaddleFactor& factor);
  bool factorize();
  void take_changed(VectorView r);
  void correct(const SaddleFactor& factor, VectorView q);
  void subtract_products(Index count, VectorView y) const;
  void solve_complement();

  Index most_ = 0;
  Index added_ = 0;  // by the last change of the set
  Index removed_ = 0;
  bool ready_ = false;         // lu_ is that of C
  std::vector<int> index_;     // of each change
  std::vector<char> entered_;  // or left
  std::vector<int> place_;     // of an index among the changes, -1 where it has not changed
  DenseMatrix columns_;        // Y, and q
  DenseMatrix complement_, lu_;
  std::vector<int> swaps_;
  Vector scale_;    // of C to a unit diagonal
  Vector changed_;  // s, then pi
  Vector signed_;   // S times a column
};

}  // namespace slipstick::internal
