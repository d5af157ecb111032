// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/schur_complement.hpp"

#include <cmath>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

constexpr double smallest_scaled_pivot = 1e-12;  // for C scaled to a unit diagonal

}  // namespace

void SchurComplement::reset(Index rows, Index most) {
  most_ = most;
  ready_ = false;
  index_.clear();
  entered_.clear();
  index_.reserve(static_cast<std::size_t>(most));
  entered_.reserve(static_cast<std::size_t>(most));
  place_.assign(static_cast<std::size_t>(rows), -1);
  columns_.resize(rows, most + 1);
  complement_.resize(most, most);
  lu_.resize(most, most);
  swaps_.resize(static_cast<std::size_t>(most));
  scale_.resize(most);
  changed_.resize(most);
  signed_.resize(rows);
}

bool SchurComplement::solve(const SaddleMatrix& matrix, const Base& base, const std::vector<char>& now,
                            VectorView r) {
  // False alarm of the analyzer: it assumes that r may be a null pointer.
  // NOLINTNEXTLINE(clang-analyzer-core.*,clang-analyzer-unix.Malloc)
  if (!find_changes(matrix, base.set, now)) return false;
  auto q = columns_.col(changes());
  q = r;
  take_changed(q);
  base.solve_lower(columns_.middleCols(changes() - added_, added_ + 1));
  if (added_ > 0) extend(matrix, base.factor);
  if (!ready_ || added_ + removed_ > 0) ready_ = factorize();
  if (!ready_) return false;
  correct(base.factor, q);
  base.solve_upper(q);
  for (Index c = 0; c < changes(); ++c)
    q[index_[static_cast<std::size_t>(c)]] = entered_[static_cast<std::size_t>(c)] != 0 ? changed_[c] : 0.0;
  r = q;
  return true;
}

// Drops the changes that were undone and appends the new changes with their columns of U.
bool SchurComplement::find_changes(const SaddleMatrix& matrix, const std::vector<char>& base,
                                   const std::vector<char>& now) {
  removed_ = 0;
  for (Index c = changes(); c-- > 0;) {
    const auto k = static_cast<std::size_t>(index_[static_cast<std::size_t>(c)]);
    if (base[k] != now[k]) continue;
    remove(c);
    ++removed_;
  }
  added_ = 0;
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (base[k] == now[k] || place_[k] >= 0) continue;
    if (changes() == most_) return false;
    place_[k] = static_cast<int>(changes());
    index_.push_back(static_cast<int>(k));
    entered_.push_back(now[k]);
    ++added_;
    auto column = columns_.col(changes() - 1);
    column.setZero();
    if (now[k] == 0) {
      column[static_cast<Index>(k)] = 1.0;
    } else {
      matrix.for_each_in_row(static_cast<Index>(k), [&](Index j, double value) {
        if (base[static_cast<std::size_t>(j)] != 0) column[j] += value;
      });
    }
  }
  return true;
}

// Removes a change that was undone. The last change takes its place.
void SchurComplement::remove(Index change) {
  const auto c = static_cast<std::size_t>(change);
  const Index last = changes() - 1;
  place_[static_cast<std::size_t>(index_[c])] = -1;
  if (change != last) {
    index_[c] = index_.back();
    entered_[c] = entered_.back();
    place_[static_cast<std::size_t>(index_[c])] = static_cast<int>(change);
    columns_.col(change) = columns_.col(last);
    complement_.row(change).head(last + 1) = complement_.row(last).head(last + 1);
    complement_.col(change).head(last + 1) = complement_.col(last).head(last + 1);
    complement_(change, change) = complement_(last, last);
  }
  index_.pop_back();
  entered_.pop_back();
}

// Computes the rows and columns of C for the new changes: D - Y'S Y.
void SchurComplement::extend(const SaddleMatrix& matrix, const SaddleFactor& factor) {
  const Index first = changes() - added_;
  for (Index a = first; a < changes(); ++a) {
    count_work(2.0 * static_cast<double>(signed_.size() * a));
    signed_ = columns_.col(a);
    factor.multiply_signs(signed_);
    complement_.col(a).head(a + 1).setZero();
    subtract_products(a + 1, complement_.col(a));
    if (entered_[static_cast<std::size_t>(a)] == 0) continue;
    matrix.for_each_in_row(index_[static_cast<std::size_t>(a)], [&](Index j, double value) {
      const int other = place_[static_cast<std::size_t>(j)];
      if (other >= 0 && other <= a && entered_[static_cast<std::size_t>(other)] != 0)
        complement_(other, a) += value;
    });
  }
  for (Index a = first; a < changes(); ++a)
    complement_.row(a).head(a) = complement_.col(a).head(a).transpose();
}

// LU with partial pivoting of C scaled to a unit diagonal.
bool SchurComplement::factorize() {
  const Index n = changes();
  for (Index c = 0; c < n; ++c) {
    const double diagonal = std::abs(complement_(c, c));
    scale_[c] = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 1.0;
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) lu_(i, j) = scale_[i] * complement_(i, j) * scale_[j];
  }
  for (Index k = 0; k < n; ++k) {
    Index pivot = 0;
    count_work(2.0 * static_cast<double>((n - k) * (n - k)));
    const double largest = lu_.col(k).segment(k, n - k).cwiseAbs().maxCoeff(&pivot);
    if (!(largest > smallest_scaled_pivot) || !std::isfinite(largest)) return false;
    swaps_[static_cast<std::size_t>(k)] = static_cast<int>(k + pivot);
    if (pivot > 0) lu_.row(k).head(n).swap(lu_.row(k + pivot).head(n));
    auto below = lu_.col(k).segment(k + 1, n - k - 1);
    below /= lu_(k, k);
    for (Index j = k + 1; j < n; ++j) lu_.col(j).segment(k + 1, n - k - 1) -= lu_(k, j) * below;
  }
  return true;
}

// Takes s from r, and zeroes the rows of r that have entered or left.
void SchurComplement::take_changed(VectorView r) {
  for (Index c = 0; c < changes(); ++c) {
    const Index k = index_[static_cast<std::size_t>(c)];
    changed_[c] = entered_[static_cast<std::size_t>(c)] != 0 ? r[k] : 0.0;
    r[k] = 0.0;
  }
}

// Computes pi, and q - Y pi.
void SchurComplement::correct(const SaddleFactor& factor, VectorView q) {
  const Index n = changes();
  if (n == 0) return;
  signed_ = q;
  factor.multiply_signs(signed_);
  subtract_products(n, changed_);
  changed_.head(n) = changed_.head(n).cwiseProduct(scale_.head(n));
  solve_complement();
  changed_.head(n) = changed_.head(n).cwiseProduct(scale_.head(n));
  q.noalias() -= columns_.leftCols(n) * changed_.head(n);
}

// Subtracts from y the inner products of the first `count` columns with signed_.
void SchurComplement::subtract_products(Index count, VectorView y) const {
  y.head(count).noalias() -= columns_.leftCols(count).transpose() * signed_;
}

// changed_ <- (LU)^-1 changed_
void SchurComplement::solve_complement() {
  const Index n = changes();
  auto pi = changed_.head(n);
  for (Index k = 0; k < n; ++k) std::swap(pi[k], pi[swaps_[static_cast<std::size_t>(k)]]);
  for (Index k = 0; k < n; ++k) pi.segment(k + 1, n - k - 1) -= pi[k] * lu_.col(k).segment(k + 1, n - k - 1);
  for (Index k = n; k-- > 0;) {
    pi[k] /= lu_(k, k);
    pi.head(k) -= pi[k] * lu_.col(k).head(k);
  }
}

}  // namespace slipstick::internal
