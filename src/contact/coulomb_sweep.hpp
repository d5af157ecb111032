// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "slipstick/base/cache_lines.hpp"
#include "slipstick/contact/contact_blocks.hpp"
#include "slipstick/contact/coulomb_contact.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick {

// The kernel of Gauss-Seidel under Coulomb's law, private to this room: a sweep goes over contacts, with rows
// that come from blocks or from a matrix-free operator.

/// What a sweep knows about the contacts besides the rows of W.
template <int d>
struct SweepContacts {
  std::vector<CoulombContact<d>, CacheLines<CoulombContact<d>>> local;
  Vector mu;
  Vector weight;  ///< of a change of r in the estimate: the ruler's d
  Vector slip;    ///< mode of each contact, see CoulombContact
  double relaxation = 1.0;
  double proximal = 0.0;  ///< share of weight that is added to D, with the r at hand as the center
  /// See CoulombContact: loose, for a contact is solved again in the next sweep.
  double small_step = 1e-2;
};

/// Rows of W without the diagonal blocks, each block by columns. In row i the columns after i come first,
/// ascending, then those before it: read forward or backward, the newest r comes last, which the processor is
/// still computing in a forward or backward sweep.
template <int d>
class BlockRows {
 public:
  void assign(const ContactBlocks& blocks) {
    const int contacts = blocks.contacts();
    start_.assign(1, 0);
    columns_.clear();
    values_.clear();
    for (int i = 0; i < contacts; ++i) {
      const int first = blocks.start()[static_cast<std::size_t>(i)];
      const int last = blocks.start()[static_cast<std::size_t>(i) + 1];
      for (int k = blocks.diagonal(i) + 1; k < last; ++k) append(blocks, k);
      for (int k = first; k < blocks.diagonal(i); ++k) append(blocks, k);
      start_.push_back(static_cast<int>(columns_.size()));
    }
    values_.push_back(0.0);  // the last column of a block is read with what follows it
  }

  /// b += what the other contacts' r give to contact i.
  template <bool backward>
  void add(Index i, const double* r, double* b) const {
    if constexpr (d == 3) {
      using Pack [[gnu::vector_size(32)]] = double;
      Pack s0 = {b[0], b[1], b[2], 0.0}, s1 = {}, s2 = {};
      each<backward>(i, r, [&](const double* block, const double* x) {
        Pack c0, c1, c2;
        std::memcpy(&c0, block, sizeof(Pack));
        std::memcpy(&c1, block + 3, sizeof(Pack));
        std::memcpy(&c2, block + 6, sizeof(Pack));
        s0 += c0 * x[0];
        s1 += c1 * x[1];
        s2 += c2 * x[2];
      });
      s0 += s1 + s2;
      for (int a = 0; a < 3; ++a) b[a] = s0[a];
    } else {
      using Pack [[gnu::vector_size(16)]] = double;
      Pack s0 = {b[0], b[1]}, s1 = {};
      each<backward>(i, r, [&](const double* block, const double* x) {
        Pack c0, c1;
        std::memcpy(&c0, block, sizeof(Pack));
        std::memcpy(&c1, block + 2, sizeof(Pack));
        s0 += c0 * x[0];
        s1 += c1 * x[1];
      });
      s0 += s1;
      for (int a = 0; a < 2; ++a) b[a] = s0[a];
    }
  }
  void changed(Index, const double*) {}

  const std::vector<int>& start() const { return start_; }
  /// First rows of the contacts.
  const std::vector<int>& columns() const { return columns_; }

 private:
  void append(const ContactBlocks& blocks, int k) {
    columns_.push_back(d * blocks.columns()[static_cast<std::size_t>(k)]);
    for (int c = 0; c < d; ++c)
      for (int a = 0; a < d; ++a) values_.push_back(blocks.block(k)[d * a + c]);
  }
  template <bool backward, class Visit>
  void each(Index i, const double* r, const Visit& visit) const {
    const int* column = columns_.data();
    const double* value = values_.data();
    const int first = start_[static_cast<std::size_t>(i)], last = start_[static_cast<std::size_t>(i) + 1];
    if constexpr (backward) {
      for (int k = last; k-- > first;) visit(value + static_cast<Index>(d * d) * k, r + column[k]);
    } else {
      for (int k = first; k < last; ++k) visit(value + static_cast<Index>(d * d) * k, r + column[k]);
    }
  }

  std::vector<int> start_, columns_;
  std::vector<double> values_;
};

/// Solves contact i for itself; gives the square of the weighted change of its r. `b` is u_i without what r_i
/// itself gives.
template <int d, class Rows>
double sweep_contact(SweepContacts<d>& contacts, Rows& rows, Index i, double* b, double* r) {
  double* ri = r + d * i;
  double before[d];
  for (int a = 0; a < d; ++a) before[a] = ri[a];
  const double weight = contacts.weight[i];
  if (contacts.proximal != 0.0) {
    for (int a = 0; a < d; ++a) b[a] -= contacts.proximal * weight * before[a];
  }
  contacts.local[static_cast<std::size_t>(i)].solve(b, contacts.mu[i], contacts.slip[i], ri,
                                                    contacts.small_step);
  if (contacts.relaxation != 1.0) {
    for (int a = 0; a < d; ++a) ri[a] = before[a] + contacts.relaxation * (ri[a] - before[a]);
  }
  double change[d], squared = 0.0;
  for (int a = 0; a < d; ++a) {
    change[a] = ri[a] - before[a];
    squared += change[a] * change[a];
  }
  if (squared != 0.0) rows.changed(i, change);
  return weight * weight * squared;
}

/// The order of the contacts in a sweep.
enum class SweepOrder {
  automatic,  ///< forward; where the error stops falling, symmetric, and forward again where that does not
              ///< help
  forward,
  symmetric,  ///< every second sweep runs backward
};

/// Directs a sequence of sweeps: which way the next one goes, and whether the error after the last one is
/// worth its price, about that of a sweep: where the change of r promises it, by the ratio of error and
/// change found the last time, and every `interval` sweeps.
class SweepRule {
 public:
  SweepRule(SweepOrder order, int interval, double first_ratio)
      : order_(order), alternate_(order == SweepOrder::symmetric), interval_(interval), ratio_(first_ratio) {}

  bool due(double change) const { return sweeps_ >= interval_ || !(change * ratio_ > 1.0); }
  /// The error, relative to its target, after a sweep of that change.
  void tested(double change, double error) {
    sweeps_ = 0;
    if (change > 0.0) ratio_ = error / change;
    if (error < little * slow_mark_) {
      slow_mark_ = error;
      since_little_ = 0;
    }
    if (error < much * stall_mark_) {
      stall_mark_ = error;
      since_much_ = 0;
    }
    if (order_ == SweepOrder::automatic && since_little_ >= patience) {
      alternate_ = !alternate_;
      since_little_ = 0;
    }
  }
  /// The error that the change promises.
  double estimate(double change) const { return change * ratio_; }
  /// Rounding, or a cycle: many sweeps without progress.
  bool stalled() const { return since_much_ > most_sweeps; }
  /// Whether the next sweep runs backward; counts it.
  bool next_backward() {
    ++sweeps_;
    ++since_little_;
    ++since_much_;
    backward_ = alternate_ && !backward_;
    return backward_;
  }

 private:
  // Progress is a fall of the error to these shares; sweeps to wait for either.
  static constexpr double little = 0.97, much = 0.9;
  static constexpr int patience = 75, most_sweeps = 5000;
  SweepOrder order_;
  bool alternate_, backward_ = false;
  int interval_;
  double ratio_;
  int sweeps_ = 0, since_little_ = 0, since_much_ = 0;
  double slow_mark_ = std::numeric_limits<double>::infinity();
  double stall_mark_ = std::numeric_limits<double>::infinity();
};

}  // namespace slipstick
