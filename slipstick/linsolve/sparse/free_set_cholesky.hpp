// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "slipstick/linalg/sparsity_pattern.hpp"
#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// The Cholesky factor of A_FF + diag(shift)_FF for a set F of rows that changes.
///
/// The factorized matrix is A, with the rows and columns outside F replaced by those of the identity. One
/// symbolic analysis of the whole pattern therefore serves every F. Rows leave or enter F by the row
/// modifications of Davis and Hager (2005). With the factor partitioned at row k:
///     remove: the row and the column of L become those of the identity, L33 L33' += l32 l32';
///     add:    L11 l12 = a12, l22^2 = a22 - l12'l12, l32 = (a32 - L31 l12) / l22, L33 L33' -= l32 l32'.
/// The changes of L33 touch only the columns on the path from k to the root of the elimination tree. They are
/// made within the panels of the supernodal factor, whose columns are dense and contiguous.
///
/// Singular blocks are normal input: set_free() reports them. Changing the set and solving allocate nothing.
class FreeSetCholesky {
 public:
  /// The ordering is as in SparseCholesky.
  explicit FreeSetCholesky(std::optional<Ordering> ordering = {}) : factor_(ordering) {}
  /// Sets the matrix, symmetric with both triangles stored. A missing diagonal entry is zero. Analyzes the
  /// pattern if it is new. The set becomes empty and the shift zero.
  void prepare(std::shared_ptr<const CsrMatrix> a);
  /// shift[i] is added to the diagonal entry of row i. The next set_free() makes a new factor.
  void set_shift(const Vector& shift);
  /// Adds to the shift of one row, and to the factor.
  void add_shift(Index row, double amount);
  /// F becomes the rows with free[row] != 0. Returns false if the block is singular to working precision.
  /// There is no factor then until the set or the shift changes.
  bool set_free(std::span<const char> free, FactorChange change = FactorChange::cheapest);
  /// Makes the factor of the present set from scratch, without the rounding errors of earlier changes.
  bool refactorize();
  /// x_F <- (A_FF + shift)^-1 x_F; the other rows of x stay.
  void solve(VectorView x) const { factor_.solve(x); }

  Index rows() const { return factor_.rows(); }
  bool has_factor() const { return current_; }
  /// The factor was changed in place, so it may have more rounding error than a new one.
  bool was_changed() const { return changed_; }
  const std::shared_ptr<const CsrMatrix>& matrix() const { return a_; }
  std::span<const char> free() const { return free_; }
  const Vector& shift() const { return shift_; }
  /// Counted since the construction of the object.
  std::int64_t refactorizations() const { return refactorizations_; }
  std::int64_t row_changes() const { return row_changes_; }

 private:
  void analyze();
  void estimate_costs();
  bool rows_are_cheaper() const;
  void set_idle(int step, bool idle);
  void list_panels(int step);
  void remove_row(int row);
  bool add_row(int row);
  bool change_rank_one(int step, double sign);
  int row_in_panel(int panel, int step) const;
  int parent_panel(int panel) const;
  double* values_of(int panel) { return factor_.values_.data() + factor_.value_start_[panel]; }

  std::shared_ptr<const CsrMatrix> a_;
  SparsityPattern pattern_;
  bool analyzed_ = false;    // that pattern
  CsrMatrix lower_;          // the masked matrix
  std::vector<int> source_;  // position in A of each entry of lower_; -1: a missing diagonal
  SparseCholesky factor_;
  std::vector<char> free_;
  Vector shift_;
  bool current_ = false;  // the factor belongs to free_
  bool changed_ = false;
  Vector diagonal_;  // diagonal of the masked matrix, by step
  std::vector<int> removed_, added_;
  std::int64_t refactorizations_ = 0, row_changes_ = 0;

  std::vector<double> panel_cost_, row_entries_;  // data of the cost model
  // Scratch: a sparse vector by step, its rows in one panel, and panels in ascending order.
  std::vector<double> sparse_, dense_;
  std::vector<int> panels_;
  std::vector<std::int64_t> mark_;
  std::int64_t marked_ = 0;
  double row_work_ = 0.0;  // operations of row changes that are not counted yet
};

}  // namespace slipstick::internal
