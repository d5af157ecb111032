// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/contact/coulomb/contact_unknowns.hpp"
#include "slipstick/contact/coulomb/newton/contact_groups.hpp"
#include "slipstick/linsolve/sparse/block_lu.hpp"

namespace slipstick::internal {

/// Newton's systems of an island whose contacts come in groups, W = X W_pivots X' (see ContactGroups):
///     A y + L' X W_pivots X' R y = f,  A positive and diagonal, L and R block diagonal by contacts.
/// With v = W_pivots X' R y the unknowns y = A^-1 (f - L' X v) are eliminated contact by contact,
///     (I + W_pivots S) v = W_pivots X' R A^-1 f,  S = X' R A^-1 L' X, block diagonal by groups,
/// which leaves the rank of a group, at most six for two bodies, instead of three unknowns for each of its
/// contacts. S is from 0 (open) to 1 / alpha (sticking), so v = B p with
///     [I; t S] = [B; t S B] R  (Gram and Schmidt), t the mean diagonal of its block of W_pivots,
/// and (B + W_pivots S B) p is as well scaled as W itself. Where A is small, y is a small difference over A,
/// to be refined by the caller with residuals that are formed with W_pivots. S has no room for numbers of
/// very different size: where A spans more than about ten orders of magnitude, as at the end of an interior
/// point method, they fail.
class GroupedFactor {
 public:
  /// False where groups do not pay.
  bool prepare(const ContactBlocks& blocks, const Island& island);
  /// Blocks of the pattern.
  double entries() const { return static_cast<double>(groups_.columns().size()); }
  /// Numbers of W_pivots, which a solve multiplies with.
  double product_entries() const { return static_cast<double>(groups_.entries()); }

  /// `offset` are those of the contacts' rows. False where a value is not finite.
  bool factorize(std::span<const ContactUnknowns> unknowns, std::span<const int> offset);
  /// x <- the solution, not refined.
  void solve(std::span<const ContactUnknowns> unknowns, std::span<const int> offset, VectorView x);
  /// residual -= A x + L' X W_pivots X' R x
  void subtract_product(std::span<const ContactUnknowns> unknowns, std::span<const int> offset,
                        ConstVectorView x, VectorView residual);
  /// Its determinant has the sign of the system's: A's and B's are positive.
  const BlockLu& factor() const { return lu_; }

 private:
  void multiply(const Vector& from, Vector& to);
  template <int fixed>
  void put_block(int entry, int row, int column);

  ContactGroups groups_;
  BlockLu lu_;
  int dimension_ = 3;
  std::vector<int> first_;                  // row of each group
  std::vector<double> left_, right_;        // L' X and X' R of contacts
  std::vector<std::size_t> contact_start_;  // of a contact there
  std::vector<std::size_t> group_start_;    // of a group below
  std::vector<double> weight_;              // S, by groups
  std::vector<double> unit_, weighted_;     // B and S B
  std::vector<double> stack_, block_;
  Vector impulse_, velocity_;
  Vector around_;  // what a group's rows of W_pivots are multiplied with
};

}  // namespace slipstick::internal
