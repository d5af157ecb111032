// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "slipstick/solvers/active_set/complement_of_changes.hpp"
#include "slipstick/solvers/active_set/saddle_factor.hpp"

namespace slipstick::internal {

/// Solves the principal submatrix of M (see SaddleMatrix) of one set with the factor K_0 = L S L' of another
/// set. It uses the Schur complement of the changes (Litven 2013, eq. 3.5-3.7; Gill, Murray, Saunders and
/// Wright 1990):
///
///     [ K_0, U ; U', D ] (y, pi) = (r, s),    C = D - U'K_0^-1 U,    C pi = s - U'K_0^-1 r,
///     K_0 y = r - U pi
///
/// - An index that has left has the column e_k, so that y_k = 0, and zeros in D.
/// - An index that has entered has its column of M, and its entries of M in D. In the thesis bounds are not
///   eliminated but are rows of K_0, and a freed bound has the column e_i as well. Both forms cost one solve
///   with K_0.
/// - A change that is undone loses its column. Columns and C are kept from set to set, so that only new
///   changes need a solve. All new columns and r are solved together.
/// - The thesis keeps K_0^-1 U. This class keeps Y = L^-1 U, so that C = D - Y'S Y. With q = L^-1 r, y = L^-T
///   S (q - Y pi). A change therefore costs half a solve, and each right-hand side a whole one.
class SchurComplement : public ComplementOfChanges {
 public:
  /// The factorized set, its factor, and the two halves of a solve with it.
  struct Base {
    const std::vector<char>& set;
    const SaddleFactor& factor;
    std::function<void(MatrixView)> solve_lower;
    std::function<void(VectorView)> solve_upper;
  };

  /// Removes all changes and makes room for `most`.
  void reset(Index rows, Index most);
  /// r <- the solution of the system of the set `now`. r and the solution are zero outside the set. Returns
  /// false, and r is unchanged, if there are too many changes or C is singular to working precision. K_0 must
  /// be replaced then.
  bool solve(const SaddleMatrix& matrix, const Base& base, const std::vector<char>& now, VectorView r);

 protected:
  void move_column(Index from, Index to) override;
  void extend(Index first, ConstVectorView r, DenseMatrix& complement, VectorView s) override;
  void correct(ConstVectorView pi, VectorView x) override;

 private:
  void set_column(Index change);
  void subtract_products(Index column, VectorView y);

  const SaddleMatrix* matrix_ = nullptr;  // of the solve under way
  const Base* base_ = nullptr;
  DenseMatrix columns_;  // Y, then q
  Vector signed_;        // S times a column
};

}  // namespace slipstick::internal
