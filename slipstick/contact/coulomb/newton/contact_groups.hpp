// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"

namespace slipstick::internal {

/// Groups of contacts that act on the same bodies, for example the four corners of two faces. Their rows of W
/// have the same pattern and a small rank, six for two rigid bodies. Some of the rows, the pivots, determine
/// all others,
///     W_g = X_g W_pivots(g)  and the same for columns,  W = X W_pivots X'.
/// W_pivots has the entries of W in the rows and columns of pivots. X_g is the identity in the rows of
/// pivots. All this is about W without the compliance of its rows, which would give it full rank. W may come
/// from a file with rounded numbers. Therefore the equation is tested, and groups are not used if it fails.
class ContactGroups {
 public:
  /// Largest rank of a group; contacts of groups with a larger rank stay alone.
  static constexpr int highest_rank = 12;

  /// Finds the groups of an island. Returns true if they make the problem small enough to pay.
  bool find(const ContactBlocks& blocks, const Island& island);

  int groups() const { return static_cast<int>(rank_.size()); }
  int rank(int g) const { return rank_[static_cast<std::size_t>(g)]; }
  /// Contacts are numbered from 0 in the island.
  int group_of(int i) const { return group_[static_cast<std::size_t>(i)]; }
  /// The rows of X of a contact of the island: dimension x rank(group_of(i)), row by row.
  const double* basis(int i) const { return basis_.data() + basis_start_[static_cast<std::size_t>(i)]; }

  /// W_pivots in blocks by groups, like ContactBlocks. The diagonal block is always present. The blocks of a
  /// group lie side by side: rank(g) rows of width(g) numbers, which begin with the numbers of the first
  /// block.
  const std::vector<int>& start() const { return start_; }
  const std::vector<int>& columns() const { return columns_; }
  const std::vector<int>& ranks() const { return rank_; }
  int width(int g) const { return width_[static_cast<std::size_t>(g)]; }
  /// Number of values of W_pivots.
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
  std::vector<int> pivot_;  // place of each row of the island among the pivots of its group, or -1
  std::vector<int> start_, columns_, width_;
  std::vector<std::size_t> value_start_;
  std::vector<double> values_;
  // Scratch. Contacts with equal patterns are neighbours in order_. Also a group's rows of W, and its factor.
  std::vector<int> order_, members_start_, mark_;
  std::vector<double> own_, factor_;
  Vector r_, compressed_, image_;
};

}  // namespace slipstick::internal
