// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/solvers/interior_point/qp/standard_qp.hpp"

namespace slipstick::internal {

/// Removes from a QP what needs no method, and puts it back into the answer (Gould and Toint 2004):
///
/// - fixed unknowns, and rows without a bound;
/// - rows with one unknown left: they are bounds of it;
/// - rows that the bounds of the unknowns imply, and such sides of rows;
/// - rows that are multiples of another row: they become one row with the stricter bounds;
/// - unknowns that are in no row and no product: b decides where they go.
///
/// A bound from 1e20 on counts as none.
class QpReduction {
 public:
  /// qp <- what is left. If not `all`, only fixed unknowns and rows without a bound are removed. Returns
  /// false if bounds and rows contradict each other; qp is then not set.
  bool reduce(const Problem& problem, const CsrMatrix& a, bool all, StandardQp& qp);

  const std::vector<int>& columns() const { return columns_; }
  const std::vector<int>& rows() const { return rows_; }
  /// Size of the given problem.
  Index given_rows() const { return static_cast<Index>(row_lower_.size()); }
  /// x <- the x of the given problem.
  void restore(ConstVectorView reduced, Vector& x) const;
  /// y <- the multipliers of the given problem, and w -= G'y. w is A x + b before.
  void restore_multipliers(ConstVectorView reduced, const Vector& x, Vector& w, Vector& y) const;

 private:
  enum class RowState : char { kept, removed };
  struct Singleton {
    int row, column;
    double entry;
  };
  // The row that a side of a kept row comes from: it is `factor` times the kept row.
  struct Source {
    int row;
    double factor;
  };
  bool remove_rows();
  bool look_at_row(int row, bool& changed);
  bool tighten(int row, int column, double entry, double lower, double upper, bool& changed);
  bool merge_duplicates();
  void settle_free_columns(const Problem& problem, const CsrMatrix& a);
  void gather(const Problem& problem, const CsrMatrix& a, StandardQp& qp);
  bool is_fixed(int column) const { return fixed_[static_cast<std::size_t>(column)] != 0; }

  const CsrMatrix* g_ = nullptr;
  Vector lower_, upper_, row_lower_, row_upper_;
  Vector value_;  // of fixed columns
  std::vector<char> fixed_;
  std::vector<RowState> state_;
  std::vector<int> lower_source_, upper_source_;  // the row that a bound comes from, or -1
  std::vector<Singleton> singletons_;             // in the order of removal
  std::vector<Source> low_source_, high_source_;  // of rows
  std::vector<int> columns_, rows_, new_column_, order_;
  std::vector<std::uint64_t> key_;
  std::vector<char> used_;
};

}  // namespace slipstick::internal
