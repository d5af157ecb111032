// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "slipstick/contact/coulomb/block_reader.hpp"
#include "slipstick/contact/coulomb/condensed_products.hpp"
#include "slipstick/contact/coulomb/islands.hpp"
#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/delassus_operator.hpp"

namespace slipstick::internal {

/// A contact problem in the form that the methods for Coulomb's law use:
///     u = W r + V l + q,  0 = V' r + R l + s.
/// W is as given, symmetric or not. It is in square blocks of `dimension` rows, stored column by column,
/// without zero blocks. These blocks are the only copy of W in a solve. Products, sweeps and factorizations
/// use them. Contacts and bilateral rows are renumbered so that the members of an island are neighbours.
/// Everything here is in that order. gather() and scatter() translate.
///
/// A condensed W = H' M^-1 H is known only by its products. Then products_only() is true, and the only blocks
/// are the diagonals of the diagonal blocks. If W = J M^-1 J' belongs to rigid bodies with many contacts
/// each, products go through the bodies.
///
/// The storage is kept: a problem of no more contacts, blocks and bilateral rows allocates nothing. For the
/// same W, V and R only q, s and mu are read again.
class ContactBlocks {
 public:
  void prepare(const LocalContactProblem& problem);
  /// Changes with W, V and R, and is unique among all objects. Data that depend only on these matrices may be
  /// kept while it stays the same.
  std::uint64_t version() const { return version_; }

  int dimension() const { return dimension_; }
  /// True if W has no blocks off the diagonal, only products.
  bool products_only() const { return condensed_ != nullptr; }
  int contacts() const { return static_cast<int>(islands_.order().size()); }
  int bilateral_rows() const { return static_cast<int>(islands_.row_order().size()); }
  std::span<const Island> islands() const { return islands_.list(); }

  /// Blocks of contact i: k in [start()[i], start()[i + 1]), ascending columns()[k]. The diagonal block is
  /// always present. Entry (a, c) of a block is block(k)[dimension() * c + a].
  const std::vector<int>& start() const { return start_; }
  const std::vector<int>& columns() const { return columns_; }
  const double* block(int k) const { return values_.data() + static_cast<std::size_t>(k) * block_entries(); }
  int diagonal(int i) const { return diagonal_[static_cast<std::size_t>(i)]; }
  /// dimension() numbers per contact.
  const double* q(int i) const { return q_.data() + static_cast<Index>(i) * dimension_; }
  const Vector& q() const { return q_; }
  double mu(int i) const { return mu_[i]; }
  /// The ruler's d: the mean diagonal of the contact's block, or 1 if that is not positive.
  double scale(int i) const { return scale_[i]; }

  /// Contacts that no impulse can move: their u is q.
  std::span<const int> immovable() const { return immovable_; }

  /// V is dimension() * contacts() x bilateral_rows(). All three are empty without bilateral rows.
  const CsrMatrix& V() const { return V_; }
  const CsrMatrix& transposed_V() const { return Vt_; }
  const CsrMatrix& R() const { return R_; }
  const Vector& s() const { return s_; }
  /// ||(q, s)||
  double norm() const { return norm_; }

  /// u = W r + V l + q of the island's contacts, and V' r + R l + s of its rows. The vectors have all
  /// islands. Threads may call it for different islands at the same time.
  void velocities(const Island& island, const Vector& r, const Vector& l, Vector& u, Vector& residual) const;

  /// W = H' M^-1 H: M, and H' by rows in this order.
  struct Bodies {
    CsrMatrix mass, rows;
    CsrMatrix given_rows = {};  ///< scratch: in the order of the problem
    DenseMatrix block = {};     ///< scratch: block of a body
  };
  /// Returns false if M and H are not known.
  bool copy_bodies(Bodies& to) const;

  /// From the order of the problem to this one, and back.
  void gather(const Vector& r, const Vector& l, Vector& own_r, Vector& own_l) const;
  void scatter(const Vector& own_r, const Vector& own_l, Vector& r, Vector& l) const;

 private:
  std::size_t block_entries() const { return static_cast<std::size_t>(dimension_) * dimension_; }
  void for_rows(const auto& row) const;
  void reorder_blocks();
  void reorder_bilateral(const LocalBilateral& bilateral);
  void set_scale();
  void find_immovable();
  const DelassusOperator* cheaper_graph() const;

  int dimension_ = 3;
  std::uint64_t version_ = 0;
  Operator seen_;
  const CondensedOperator* condensed_ = nullptr;  // seen_, if it is a CondensedOperator
  mutable CondensedProducts products_;            // products of condensed_; islands write to different parts
  // The operator seen_, if products through the bodies are cheaper than by blocks.
  const DelassusOperator* graph_ = nullptr;
  Islands islands_;
  std::vector<int> start_, columns_, diagonal_, immovable_;
  std::vector<double> values_;  // with one more entry after the last
  Vector q_, mu_, scale_, s_;
  CsrMatrix V_, Vt_, R_;
  CsrBuilder builder_;
  double norm_ = 0.0;
  BlockReader reader_;
  std::vector<int> row_;  // blocks of a row, to be sorted
};

}  // namespace slipstick::internal
