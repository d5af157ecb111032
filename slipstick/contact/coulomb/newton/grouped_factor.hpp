// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/contact/coulomb/contact_unknowns.hpp"
#include "slipstick/contact/coulomb/newton/contact_groups.hpp"
#include "slipstick/contact/coulomb/newton/node_matrices.hpp"
#include "slipstick/linsolve/sparse/block_lu.hpp"

namespace slipstick::internal {

/// Newton's systems of an island whose contacts form groups, W = X W_pivots X' + C (see ContactGroups):
///     A y + L' X W_pivots X' R y = f,  A = added + L' C R, block diagonal by contacts like L and R.
/// v = W_pivots X' R y. y = A^-1 (f - L' X v) is eliminated contact by contact:
///     (I + W_pivots S) v = W_pivots X' R A^-1 f,  S = X' R A^-1 L' X, block diagonal by groups.
/// A group then has as many unknowns as its rank, at most six for two bodies. Otherwise it has three unknowns
/// for each of its contacts. S ranges from 0 (open) to 1 / alpha (sticking). Therefore v = B p with
///     [I; t S] = [B; t S B] R  (Gram and Schmidt), t the mean diagonal of its block of W_pivots.
/// (B + W_pivots S B) p is then as well scaled as W itself. If A is small, y is a small difference divided by
/// A. The caller must refine it, with residuals computed with W_pivots. S cannot hold numbers of very
/// different size. If A spans more than about ten orders of magnitude, as at the end of an interior point
/// method, the systems fail.
class GroupedFactor {
 public:
  /// Returns false if groups do not pay.
  bool prepare(const ContactBlocks& blocks, const Island& island);
  /// Number of blocks of the pattern.
  double entries() const { return static_cast<double>(groups_.columns().size()); }
  /// Number of values of W_pivots, which a solve multiplies with.
  double product_entries() const { return static_cast<double>(groups_.entries()); }

  /// `offset` has the first row of each contact. Returns false if a value is not finite.
  bool factorize(std::span<const ContactUnknowns> unknowns, std::span<const int> offset);
  /// x <- the solution, without refinement.
  void solve(std::span<const ContactUnknowns> unknowns, std::span<const int> offset, VectorView x);
  /// residual -= A x + L' X W_pivots X' R x
  void subtract_product(std::span<const ContactUnknowns> unknowns, std::span<const int> offset,
                        ConstVectorView x, VectorView residual);
  /// The sign of the system's determinant is sign() times that of the factor's, because that of B is
  /// positive.
  const BlockLu& factor() const { return lu_; }
  int sign() const { return sign_; }

 private:
  void multiply(const Vector& from, Vector& to);
  template <int fixed>
  void put_block(int entry, int row, int column);

  ContactGroups groups_;
  NodeMatrices matrices_;  // A
  int sign_ = 1;           // of det A
  BlockLu lu_;
  int dimension_ = 3;
  std::vector<int> first_;                  // first row of each group
  std::vector<double> left_, right_;        // L' X and X' R of contacts
  std::vector<std::size_t> contact_start_;  // start of a contact in left_ and right_
  std::vector<std::size_t> group_start_;    // start of a group in weight_
  std::vector<double> weight_;              // S, by groups
  std::vector<double> unit_, weighted_;     // B and S B
  std::vector<double> stack_, block_;
  Vector impulse_, velocity_;
  Vector around_;  // the vector that a group's rows of W_pivots are multiplied with
};

}  // namespace slipstick::internal
