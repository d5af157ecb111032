// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/contact_groups.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "slipstick/base/interruption.hpp"
#include "slipstick/base/random.hpp"

namespace slipstick::internal {
namespace {

// Pivots below this share of a group's largest diagonal entry are rounding.
constexpr double rank_tolerance = 1e-12;
// The test allows an error of W - X W_pivots X' up to this share of the terms of a row.
constexpr double exactness = 1e-10;
// Groups pay only if the number of unknowns falls below this share.
constexpr double largest_share = 0.75;
constexpr int fewest_contacts = 12;

}  // namespace

bool ContactGroups::find(const ContactBlocks& blocks, const Island& island) {
  if (island.nodes() < fewest_contacts) return false;
  group_contacts(blocks, island);
  const auto contacts = static_cast<std::size_t>(island.nodes());
  const int d = blocks.dimension();
  if (static_cast<double>(members_start_.size() - 1) > largest_share * island.nodes()) return false;
  rank_.clear();
  basis_.clear();
  basis_start_.resize(contacts);
  group_.resize(contacts);
  pivot_.assign(static_cast<std::size_t>(d) * contacts, -1);
  for (std::size_t g = 0; g + 1 < members_start_.size(); ++g) {
    const int first = members_start_[g], last = members_start_[g + 1];
    if (last - first > 1 && choose_pivots(blocks, island, first, last)) continue;
    for (int m = first; m < last; ++m) keep_alone(order_[m], d);
  }
  const int unknowns = std::accumulate(rank_.begin(), rank_.end(), 0);
  if (unknowns > largest_share * d * island.nodes()) return false;
  gather_pivots(blocks, island);
  return holds(blocks, island);
}

// Groups the contacts with the same columns, in the order of the first contact of each group.
void ContactGroups::group_contacts(const ContactBlocks& blocks, const Island& island) {
  const auto list = [&](int i) {
    const int* columns = blocks.columns().data();
    return std::span(columns + blocks.start()[island.begin + i],
                     columns + blocks.start()[island.begin + i + 1]);
  };
  // A contact is in its own list. Contacts with equal lists are therefore in each other's lists.
  mark_.assign(static_cast<std::size_t>(island.nodes()), 0);
  order_.clear();
  members_start_.assign(1, 0);
  for (int i = 0; i < island.nodes(); ++i) {
    if (mark_[i] != 0) continue;
    const auto own = list(i);
    count_work(10.0 * static_cast<double>(own.size()));
    for (const int column : own) {
      const int j = column - island.begin;
      if (j < i || mark_[j] != 0 || !std::ranges::equal(own, list(j))) continue;
      mark_[j] = 1;
      order_.push_back(j);
    }
    members_start_.push_back(static_cast<int>(order_.size()));
  }
}

// Pivoted Cholesky on the symmetric part of the group's diagonal block, L L': X = L L_pivots^-1. Returns
// false if the rank is not small enough.
bool ContactGroups::choose_pivots(const ContactBlocks& blocks, const Island& island, int first, int last) {
  const int d = blocks.dimension();
  const int n = d * (last - first);
  count_work(10.0 * n * n);
  own_.assign(static_cast<std::size_t>(n) * n, 0.0);
  const auto at = [&](int row, int column) -> double& {
    return own_[static_cast<std::size_t>(row) * n + column];
  };
  for (int m = first; m < last; ++m) {
    const int i = island.begin + order_[m];
    int k = blocks.start()[i];
    for (int other = first; other < last; ++other) {
      while (blocks.columns()[k] != island.begin + order_[other]) ++k;
      for (int a = 0; a < d; ++a) {
        for (int b = 0; b < d; ++b) {
          const double half = 0.5 * blocks.block(k)[d * b + a];
          at(d * (m - first) + a, d * (other - first) + b) += half;
          at(d * (other - first) + b, d * (m - first) + a) += half;
        }
      }
    }
  }
  const int most = std::min({highest_rank, n - 1});
  int chosen[highest_rank];
  factor_.assign(static_cast<std::size_t>(n) * highest_rank, 0.0);
  const auto factor = [&](int row, int k) -> double& {
    return factor_[static_cast<std::size_t>(row) * highest_rank + k];
  };
  double largest = 0.0;  // with the compliance, whose rounding stays
  for (int row = 0; row < n; ++row) {
    largest = std::max(largest, at(row, row));
    at(row, row) -= blocks.compliance(island.begin + order_[first + row / d], row % d);
  }
  int rank = 0;
  for (;; ++rank) {
    int pivot = 0;
    for (int row = 1; row < n; ++row)
      if (at(row, row) > at(pivot, pivot)) pivot = row;
    if (!(at(pivot, pivot) > rank_tolerance * largest)) break;
    if (rank == most) return false;
    chosen[rank] = pivot;
    const double root = std::sqrt(at(pivot, pivot));
    for (int row = 0; row < n; ++row) {
      double value = at(row, pivot) / root;
      for (int k = 0; k < rank; ++k)
        if (row == chosen[k]) value = 0.0;
      factor(row, rank) = row == pivot ? root : value;
    }
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < n; ++column) at(row, column) -= factor(row, rank) * factor(column, rank);
    at(pivot, pivot) = 0.0;
  }
  if (rank == 0) return false;
  // X = L L_pivots^-1, L_pivots lower triangular.
  const int g = groups();
  rank_.push_back(rank);
  const std::size_t place = basis_.size();
  basis_.resize(place + static_cast<std::size_t>(n) * rank);
  for (int row = 0; row < n; ++row) {
    double* x = basis_.data() + place + static_cast<std::size_t>(row) * rank;
    for (int k = rank - 1; k >= 0; --k) {
      double value = factor(row, k);
      for (int j = k + 1; j < rank; ++j) value -= x[j] * factor(chosen[j], k);
      x[k] = value / factor(chosen[k], k);
    }
  }
  for (int k = 0; k < rank; ++k) {
    const int m = first + chosen[k] / d;
    pivot_[static_cast<std::size_t>(d) * order_[m] + chosen[k] % d] = k;
    double* x = basis_.data() + place + static_cast<std::size_t>(chosen[k]) * rank;
    for (int j = 0; j < rank; ++j) x[j] = j == k ? 1.0 : 0.0;
  }
  for (int m = first; m < last; ++m) {
    group_[order_[m]] = g;
    basis_start_[order_[m]] = place + static_cast<std::size_t>(d) * (m - first) * rank;
  }
  return true;
}

void ContactGroups::keep_alone(int contact, int dimension) {
  group_[contact] = groups();
  rank_.push_back(dimension);
  basis_start_[contact] = basis_.size();
  for (int a = 0; a < dimension; ++a) {
    pivot_[static_cast<std::size_t>(dimension) * contact + a] = a;
    for (int b = 0; b < dimension; ++b) basis_.push_back(a == b ? 1.0 : 0.0);
  }
}

// Gathers W_pivots: the entries of W in the rows and columns of the pivots.
void ContactGroups::gather_pivots(const ContactBlocks& blocks, const Island& island) {
  const int d = blocks.dimension();
  std::vector<int>& first_member = members_start_;  // linked lists of the members of groups
  std::vector<int>& next_member = order_;
  first_member.assign(static_cast<std::size_t>(groups()), -1);
  next_member.resize(static_cast<std::size_t>(island.nodes()));
  for (int i = island.nodes() - 1; i >= 0; --i) {
    next_member[i] = first_member[group_[i]];
    first_member[group_[i]] = i;
  }
  mark_.assign(static_cast<std::size_t>(groups()), -1);  // the entry of a column in the current row
  start_.assign(1, 0);
  columns_.clear();
  width_.clear();
  value_start_.clear();
  values_.clear();
  for (int g = 0; g < groups(); ++g) {
    int width = 0;
    for (int i = first_member[g]; i >= 0; i = next_member[i]) {
      for (int k = blocks.start()[island.begin + i]; k < blocks.start()[island.begin + i + 1]; ++k) {
        const int other = group_[blocks.columns()[k] - island.begin];
        if (mark_[other] >= start_.back()) continue;
        mark_[other] = static_cast<int>(columns_.size());
        columns_.push_back(other);
        value_start_.push_back(values_.size() + static_cast<std::size_t>(width));
        width += rank_[other];
      }
    }
    values_.resize(values_.size() + static_cast<std::size_t>(rank_[g]) * width, 0.0);
    for (int i = first_member[g]; i >= 0; i = next_member[i]) {
      count_work(40.0 * (blocks.start()[island.begin + i + 1] - blocks.start()[island.begin + i]));
      for (int k = blocks.start()[island.begin + i]; k < blocks.start()[island.begin + i + 1]; ++k) {
        const int j = blocks.columns()[k] - island.begin;
        double* to = values_.data() + value_start_[mark_[group_[j]]];
        for (int a = 0; a < d; ++a) {
          const int row = pivot_[static_cast<std::size_t>(d) * i + a];
          if (row < 0) continue;
          for (int b = 0; b < d; ++b) {
            const int column = pivot_[static_cast<std::size_t>(d) * j + b];
            if (column < 0) continue;
            const double compliance = i == j && a == b ? blocks.compliance(island.begin + i, a) : 0.0;
            to[width * row + column] = blocks.block(k)[d * b + a] - compliance;
          }
        }
      }
    }
    width_.push_back(width);
    start_.push_back(static_cast<int>(columns_.size()));
  }
}

// True if (W - C) r = X W_pivots X' r for a random r, up to rounding.
bool ContactGroups::holds(const ContactBlocks& blocks, const Island& island) {
  const int d = blocks.dimension();
  const int n = d * island.nodes();
  Random random(1);
  r_.resize(n);
  for (int row = 0; row < n; ++row) r_[row] = random.uniform(-1.0, 1.0);
  std::vector<int>& offset = mark_;  // offsets of groups
  offset.assign(1, 0);
  for (const int rank : rank_) offset.push_back(offset.back() + rank);
  compressed_.setZero(offset.back());
  image_.setZero(offset.back());
  for (int i = 0; i < island.nodes(); ++i) {
    const int g = group_[i];
    for (int a = 0; a < d; ++a)
      for (int k = 0; k < rank_[g]; ++k)
        compressed_[offset[g] + k] += basis(i)[rank_[g] * a + k] * r_[d * i + a];
  }
  for (int g = 0; g < groups(); ++g) {
    for (int k = start_[g]; k < start_[g + 1]; ++k) {
      const int other = columns_[k];
      for (int a = 0; a < rank_[g]; ++a)
        for (int b = 0; b < rank_[other]; ++b)
          image_[offset[g] + a] += block(k)[width_[g] * a + b] * compressed_[offset[other] + b];
    }
  }
  for (int i = 0; i < island.nodes(); ++i) {
    const int g = group_[i];
    count_work(40.0 * (blocks.start()[island.begin + i + 1] - blocks.start()[island.begin + i]));
    for (int a = 0; a < d; ++a) {
      double difference = -blocks.compliance(island.begin + i, a) * r_[d * i + a], size = 0.0;
      for (int k = 0; k < rank_[g]; ++k) difference -= basis(i)[rank_[g] * a + k] * image_[offset[g] + k];
      for (int k = blocks.start()[island.begin + i]; k < blocks.start()[island.begin + i + 1]; ++k) {
        const double* r = r_.data() + static_cast<Index>(d) * (blocks.columns()[k] - island.begin);
        for (int b = 0; b < d; ++b) {
          const double term = blocks.block(k)[d * b + a] * r[b];
          difference += term;
          size += std::abs(term);
        }
      }
      if (!(std::abs(difference) <= exactness * (size + blocks.scale(island.begin + i)))) return false;
    }
  }
  return true;
}

}  // namespace slipstick::internal
