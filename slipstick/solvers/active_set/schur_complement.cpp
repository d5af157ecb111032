// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/schur_complement.hpp"

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {

void SchurComplement::reset(Index rows, Index most) {
  forget_changes(rows, most);
  columns_.resize(rows, most + 1);
  signed_.resize(rows);
}

bool SchurComplement::solve(const SaddleMatrix& matrix, const Base& base, const std::vector<char>& now,
                            VectorView r) {
  matrix_ = &matrix;
  base_ = &base;
  return solve_changed(base.set, now, r);
}

void SchurComplement::move_column(Index from, Index to) {
  columns_.col(to) = columns_.col(from);
}

void SchurComplement::extend(Index first, ConstVectorView r, DenseMatrix& complement, VectorView s) {
  const Index n = changes();
  for (Index a = first; a < n; ++a) set_column(a);
  columns_.col(n) = r;
  base_->solve_lower(columns_.middleCols(first, n - first + 1));
  for (Index a = first; a < n; ++a) {
    count_work(2.0 * static_cast<double>(signed_.size() * a));
    complement.col(a).head(a + 1).setZero();
    subtract_products(a, complement.col(a).head(a + 1));
    if (!entered(a)) continue;
    matrix_->for_each_in_row(index(a), [&](Index j, double value) {
      const int other = change_of(j);
      if (other >= 0 && other <= a && entered(other)) complement(other, a) += value;
    });
  }
  if (n > 0) subtract_products(n, s);
}

// The column of U.
void SchurComplement::set_column(Index change) {
  auto column = columns_.col(change);
  column.setZero();
  if (!entered(change)) {
    column[index(change)] = 1.0;
    return;
  }
  matrix_->for_each_in_row(index(change), [&](Index j, double value) {
    if (base_->set[static_cast<std::size_t>(j)] != 0) column[j] += value;
  });
}

// Subtracts from y the inner products of the first columns with S times one column.
void SchurComplement::subtract_products(Index column, VectorView y) {
  signed_ = columns_.col(column);
  base_->factor.multiply_signs(signed_);
  y.noalias() -= columns_.leftCols(y.size()).transpose() * signed_;
}

void SchurComplement::correct(ConstVectorView pi, VectorView x) {
  auto q = columns_.col(changes());
  q.noalias() -= columns_.leftCols(changes()) * pi;
  base_->solve_upper(q);
  x = q;
}

}  // namespace slipstick::internal
