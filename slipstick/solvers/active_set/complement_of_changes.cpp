// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/complement_of_changes.hpp"

#include <cmath>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

constexpr double smallest_scaled_pivot = 1e-12;  // for C scaled to a unit diagonal

}  // namespace

void ComplementOfChanges::forget_changes(Index rows, Index most) {
  most_ = most;
  ready_ = false;
  index_.clear();
  entered_.clear();
  index_.reserve(static_cast<std::size_t>(most));
  entered_.reserve(static_cast<std::size_t>(most));
  place_.assign(static_cast<std::size_t>(rows), -1);
  complement_.resize(most, most);
  lu_.resize(most, most);
  swaps_.resize(static_cast<std::size_t>(most));
  scale_.resize(most);
  changed_.resize(most);
  kept_.resize(rows);
}

bool ComplementOfChanges::solve_changed(const std::vector<char>& base, const std::vector<char>& now,
                                        VectorView r) {
  // False alarm of the analyzer: it assumes that r may be a null pointer.
  // NOLINTNEXTLINE(clang-analyzer-core.*,clang-analyzer-unix.Malloc)
  if (!find_changes(base, now)) return false;
  const Index n = changes();
  kept_ = r;
  for (Index c = 0; c < n; ++c) {
    changed_[c] = entered(c) ? r[index(c)] : 0.0;
    kept_[index(c)] = 0.0;
  }
  extend(n - added_, kept_, complement_, changed_.head(n));
  for (Index a = n - added_; a < n; ++a) complement_.row(a).head(a) = complement_.col(a).head(a).transpose();
  if (!ready_ || added_ + removed_ > 0) ready_ = factorize();
  if (!ready_) return false;
  solve_complement();
  correct(changed_.head(n), r);
  for (Index c = 0; c < n; ++c) r[index(c)] = entered(c) ? changed_[c] : 0.0;
  return true;
}

// Drops the changes that were undone and appends the new changes.
bool ComplementOfChanges::find_changes(const std::vector<char>& base, const std::vector<char>& now) {
  removed_ = 0;
  for (Index c = changes(); c-- > 0;) {
    const auto k = static_cast<std::size_t>(index(c));
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
  }
  return true;
}

// Removes a change that was undone. The last change takes its place.
void ComplementOfChanges::remove(Index change) {
  const auto c = static_cast<std::size_t>(change);
  const Index last = changes() - 1;
  place_[static_cast<std::size_t>(index_[c])] = -1;
  if (change != last) {
    index_[c] = index_.back();
    entered_[c] = entered_.back();
    place_[static_cast<std::size_t>(index_[c])] = static_cast<int>(change);
    move_column(last, change);
    complement_.row(change).head(last + 1) = complement_.row(last).head(last + 1);
    complement_.col(change).head(last + 1) = complement_.col(last).head(last + 1);
    complement_(change, change) = complement_(last, last);
  }
  index_.pop_back();
  entered_.pop_back();
}

// LU with partial pivoting of C scaled to a unit diagonal.
bool ComplementOfChanges::factorize() {
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

// changed_ <- C^-1 changed_
void ComplementOfChanges::solve_complement() {
  const Index n = changes();
  auto pi = changed_.head(n);
  pi = pi.cwiseProduct(scale_.head(n));
  for (Index k = 0; k < n; ++k) std::swap(pi[k], pi[swaps_[static_cast<std::size_t>(k)]]);
  for (Index k = 0; k < n; ++k) pi.segment(k + 1, n - k - 1) -= pi[k] * lu_.col(k).segment(k + 1, n - k - 1);
  for (Index k = n; k-- > 0;) {
    pi[k] /= lu_(k, k);
    pi.head(k) -= pi[k] * lu_.col(k).head(k);
  }
  pi = pi.cwiseProduct(scale_.head(n));
}

}  // namespace slipstick::internal
