// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"

namespace slipstick::internal {

/// Groups of contacts that act on the same bodies, such as the four corners of two faces: their rows of W
/// have the same pattern and a small rank, six for two rigid bodies. Some of the rows, the pivots, give all
/// others,
///     W_g = X_g W_pivots(g)  and the same for columns,  W = X W_pivots X',
/// where W_pivots is made of W's entries in the rows and columns of pivots, and X_g is the identity in the
/// pivots' rows. Rows of W are as exact as the file they come from: this is tested, and given up where it
/// fails.
class ContactGroups {
 public:
  static constexpr int highest_rank = 12;  ///< of a group; contacts of larger ones stay alone

  /// The groups of an island, and whether they make the problem so much smaller that they pay.
  bool find(const ContactBlocks& blocks, const Island& island);

  int groups() const { return static_cast<int>(rank_.size()); }
  int rank(int g) const { return rank_[static_cast<std::size_t>(g)]; }
  /// By contact of the island, from 0 on.
  int group_of(int i) const { return group_[static_cast<std::size_t>(i)]; }
  /// The rows of X of a contact of the island: dimension x rank(group_of(i)), row by row.
  const double* basis(int i) const { return basis_.data() + basis_start_[static_cast<std::size_t>(i)]; }

  /// W_pivots in blocks by groups, as ContactBlocks; the diagonal block always among them. The blocks of a
  /// group lie side by side: rank(g) rows of width(g) numbers, which begin with those of the first block.
  const std::vector<int>& start() const { return start_; }
  const std::vector<int>& columns() const { return columns_; }
  const std::vector<int>& ranks() const { return rank_; }
  int width(int g) const { return width_[static_cast<std::size_t>(g)]; }
  /// Numbers of W_pivots.
  std::size_t entries() const { return values_.size(); }
  const double* block(int k) const { return values_.data() + value_start_[static_cast<std::size_t>(k)]; }

 private:
  void group_contacts(const ContactBlocks& blocks, const Island& island);
  bool choose_pivots(const ContactBlocks& blocks, const Island& island, int first, int last);
  void keep_alone(int contact, int dimension);
  void gather_pivots(const ContactBlocks& blocks, const Island& island);
  bool holds(const ContactBlocks& blocks, const Island& island);

  std::vector<int> rank_, group_;
  std::vector<std::size_t> basis_start_;
  std::vector<double> basis_;
  std::vector<int> pivot_;  // of each row of the island: its place among the pivots of the group, or -1
  std::vector<int> start_, columns_, width_;
  std::vector<std::size_t> value_start_;
  std::vector<double> values_;
  // Scratch: contacts with equal patterns are neighbours in order_; a group's rows of W, and its factor.
  std::vector<int> order_, members_start_, mark_;
  std::vector<double> own_, factor_;
  Vector r_, compressed_, image_;
};

}  // namespace slipstick::internal
