// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// A contact problem as the methods for Coulomb's law walk through it,
///     u = W r + V l + q,  0 = V' r + R l + s,
/// with W as given, symmetric or not, in square blocks of `dimension` rows that are stored row by row, zero
/// blocks left out. Contacts and bilateral rows are renumbered so that those of one connected component are
/// neighbours: a piece. Everything here is in that order; gather() and scatter() translate.
///
/// A condensed W = H' M^-1 H stays what it is: its only blocks are then the diagonal ones, of which the
/// diagonals alone are known, and has_rows() says so. Products with a W = J M^-1 J' of rigid bodies go
/// through the bodies where these have many contacts each.
///
/// Keeps its storage: preparing for a problem of no more contacts and blocks allocates nothing (bilateral
/// rows apart), and for the same W, V and R only q, s and mu are read anew.
class ContactBlocks {
 public:
  /// A connected component: contacts [begin, end) and bilateral rows [first_row, last_row).
  struct Piece {
    int begin, end;
    int first_row, last_row;
    int contacts() const { return end - begin; }
    int rows() const { return last_row - first_row; }
    int nodes() const { return contacts() + rows(); }
  };

  void prepare(const LocalContactProblem& problem);
  /// Changes with W, V and R, and is no other object's: what was derived from these matrices alone may be
  /// kept while it stays.
  std::uint64_t version() const { return version_; }

  int dimension() const { return dimension_; }
  /// The blocks are all of W.
  bool has_rows() const { return condensed_ == nullptr; }
  int contacts() const { return static_cast<int>(order_.size()); }
  int bilateral_rows() const { return static_cast<int>(row_order_.size()); }
  std::span<const Piece> pieces() const { return pieces_; }

  /// Blocks of contact i: k in [start()[i], start()[i + 1]), ascending columns()[k], the diagonal one always
  /// among them.
  const std::vector<int>& start() const { return start_; }
  const std::vector<int>& columns() const { return columns_; }
  const double* block(int k) const { return values_.data() + static_cast<std::size_t>(k) * block_entries(); }
  int diagonal(int i) const { return diagonal_[static_cast<std::size_t>(i)]; }
  /// dimension() numbers.
  const double* q(int i) const { return q_.data() + static_cast<Index>(i) * dimension_; }
  double mu(int i) const { return mu_[i]; }
  /// The ruler's d: the mean diagonal of the contact's block, 1 where that is not positive.
  double scale(int i) const { return scale_[i]; }

  /// dimension() * contacts() x bilateral_rows(), its transpose, and R; empty without bilateral rows.
  const CsrMatrix& V() const { return V_; }
  const CsrMatrix& transposed_V() const { return Vt_; }
  const CsrMatrix& R() const { return R_; }
  const Vector& s() const { return s_; }
  /// ||(q, s)||
  double norm() const { return norm_; }

  /// u = W r + V l + q of the piece's contacts, and V' r + R l + s of its rows. The vectors are whole ones.
  void velocities(const Piece& piece, const Vector& r, const Vector& l, Vector& u, Vector& residual) const;

  /// W = H' M^-1 H where that is known: M, and H' by rows in this order. Made anew with every call.
  struct Bodies {
    CsrMatrix mass;
    CsrMatrix rows;
  };
  std::optional<Bodies> bodies() const;

  /// From the order of the problem to this one, and back.
  void gather(const Vector& r, const Vector& l, Vector& own_r, Vector& own_l) const;
  void scatter(const Vector& own_r, const Vector& own_l, Vector& r, Vector& l) const;

 private:
  std::size_t block_entries() const { return static_cast<std::size_t>(dimension_) * dimension_; }
  void read_blocks(int contacts);
  template <class Rows>
  void read_rows(const Rows& rows, int contacts);
  template <int d, int dofs>
  void read_bodies(const DelassusOperator& graph);
  double* block_at(int column, std::size_t row_begin);
  void read_diagonal(const CondensedOperator& W, int contacts);
  CsrMatrix reordered(const CsrMatrix& rows) const;
  void condensed_velocities(const Piece& piece, const Vector& r, Vector& u) const;
  void find_pieces(const LocalContactProblem& problem);
  void reorder_blocks();
  void reorder_bilateral(const LocalBilateral& bilateral);
  void set_scale();
  const DelassusOperator* cheaper_graph() const;

  int dimension_ = 3;
  std::uint64_t version_ = 0;
  Operator seen_;
  const CondensedOperator* condensed_ = nullptr;  // seen_, where it is one
  CsrMatrix condensed_rows_;                      // its H', reordered
  const DelassusOperator* graph_ = nullptr;       // seen_, where products are cheaper by it than by blocks
  std::vector<int> order_, row_order_;            // of the problem, by own number
  std::vector<int> number_, row_number_;          // the inverses
  std::vector<Piece> pieces_;
  std::vector<int> start_, columns_, diagonal_;
  std::vector<double> values_;  // and one entry behind the last
  Vector q_, mu_, scale_, s_;
  CsrMatrix V_, Vt_, R_;
  double norm_ = 0.0;
  // Scratch of prepare(): blocks in the problem's order, and sets of contacts and rows.
  std::vector<int> read_start_, read_columns_, place_;
  DisjointSets sets_;
  std::vector<double> read_values_;
  std::vector<double> moved_;  // M^-1 J' of every contact and side
};

}  // namespace slipstick
