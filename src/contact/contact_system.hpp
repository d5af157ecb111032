// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "slipstick/contact/contact_blocks.hpp"
#include "slipstick/linsolve/block_lu.hpp"

namespace slipstick {

/// The unknowns and equations of one contact in a ContactSystem, matrices row by row: r_i = right y_i and
/// left' u_i, both dimension x size, and what is added to the diagonal block, size x size.
struct ContactUnknowns {
  int size = 0;
  bool plain = false;  ///< left and right are the identity, and not read
  double left[9];
  double right[9];
  double added[9];
};

/// The linear systems of Newton's method on a piece: for the unknowns y_i of contacts and l of bilateral
/// rows,
///     left_i' (sum_j W_ij right_j y_j + V_i l) + added_i y_i = f_i,
///     sum_j V_j' right_j y_j + (R + shift) l = g.
/// Keeps orderings and storage for every piece it has seen, so that running over the pieces of a problem
/// again allocates nothing.
class ContactSystem {
 public:
  /// To be called first for a piece; `blocks` must stay.
  void prepare(const ContactBlocks& blocks, const ContactBlocks::Piece& piece);
  /// Of contact i of the problem, which must be in the piece.
  ContactUnknowns& unknowns(int i) { return unknowns_[static_cast<std::size_t>(i - piece_.begin)]; }
  /// Added to the diagonal of R by bilateral row of the problem.
  double& row_shift(int row) { return row_shift_[static_cast<std::size_t>(row - piece_.first_row)]; }

  /// Returns false where a value is not finite or there are no unknowns.
  bool factorize();
  /// Rows of the system, after factorize().
  int rows() const { return factor().rows(); }
  /// Where the rows of contact i and of a bilateral row start.
  int offset(int i) const { return factor().offset(i - piece_.begin); }
  int row_offset(int row) const { return factor().offset(piece_.contacts() + row - piece_.first_row); }
  /// x <- A^-1 x with the given number of refinements.
  void solve(VectorView x, int refinements);
  int determinant_sign() const { return factor().determinant_sign(); }
  const BlockLu& factor() const { return now_->lu; }

 private:
  // What is kept for a piece. The pattern: W's blocks, then V's, of contacts; V's blocks, then R with its
  // diagonal, of rows.
  struct Kept {
    std::uint64_t version = 0;  // of the blocks
    std::vector<int> start, columns;
    BlockLu lu;
  };
  template <int d>
  void put_contacts();
  template <int d>
  void put_rows();
  template <int d>
  void subtract_product(ConstVectorView x, VectorView residual);
  void list_pattern();

  const ContactBlocks* blocks_ = nullptr;
  ContactBlocks::Piece piece_{};
  Kept* now_ = nullptr;
  std::vector<std::unique_ptr<Kept>> kept_;  // by piece
  std::vector<ContactUnknowns> unknowns_;
  std::vector<double> row_shift_;
  std::vector<int> largest_, sizes_;
  std::vector<int> mark_;
  Vector r_, l_, u_, residual_;     // of the whole problem, for products
  Vector right_side_, correction_;  // of refinements
};

}  // namespace slipstick
