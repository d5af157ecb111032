// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <vector>

#include "slipstick/base/cache_lines.hpp"
#include "slipstick/contact/coulomb/contact_blocks.hpp"
#include "slipstick/contact/coulomb/contact_lanes.hpp"
#include "slipstick/contact/coulomb/iteration_forecast.hpp"
#include "slipstick/contact/coulomb/sweeps/box_contact.hpp"
#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"
#include "slipstick/contact_methods.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {

// The kernel of Gauss-Seidel under Coulomb's law, private to this room. A sweep goes over contacts. Their
// rows come from blocks or from a matrix-free operator.

/// The data of a sweep about the contacts, in addition to the rows of W.
template <int d>
struct SweepContacts {
  std::vector<CoulombContact<d>, CacheLines<CoulombContact<d>>> local;
  std::vector<BoxContact> boxes;  ///< instead of `local` under the law of boxes, in space
  Vector mu;
  Vector weight;  ///< weight of a change of r in the estimate: the ruler's d
  Vector slip;    ///< mode of each contact, see CoulombContact or BoxContact
  double relaxation = 1.0;
  double proximal = 0.0;  ///< share of weight that is added to D, with the present r as the centre
  /// See CoulombContact. It is large, because a contact is solved again in the next sweep.
  double small_step = 1e-2;
};

/// Rows of W without the diagonal blocks, read from ContactBlocks. In row i the columns after i come first,
/// then those before it. In a forward or backward sweep, the newest r is therefore read last. The processor
/// is still computing it.
template <int d>
class BlockRows {
 public:
  explicit BlockRows(const ContactBlocks& blocks)
      : blocks_(&blocks),
        start_(blocks.start().data()),
        columns_(blocks.columns().data()),
        values_(blocks.block(0)) {}

  /// b += the contribution of the other contacts to contact i.
  template <bool backward>
  void add(Index i, const double* r, double* b) const {
    using Lanes = ContactLanes<d>;
    typename Lanes::Pack sum[d] = {};
    sum[0] = Lanes::load_rows(b);
    const auto visit = [&](int k) {
      const double* block = values_ + static_cast<Index>(d * d) * k;
      const double* x = r + static_cast<Index>(d) * columns_[k];
      for (Index c = 0; c < d; ++c) sum[c] += Lanes::load(block + d * c) * x[c];
    };
    const int diagonal = blocks_->diagonal(static_cast<int>(i));
    const int first = start_[i], last = start_[i + 1];
    if constexpr (backward) {
      for (int k = diagonal; k-- > first;) visit(k);
      for (int k = last; --k > diagonal;) visit(k);
    } else {
      for (int k = diagonal + 1; k < last; ++k) visit(k);
      for (int k = first; k < diagonal; ++k) visit(k);
    }
    for (int c = 1; c < d; ++c) sum[0] += sum[c];
    for (int a = 0; a < d; ++a) b[a] = sum[0][a];
  }
  void changed(Index, const double*) {}

 private:
  const ContactBlocks* blocks_;
  const int* start_;
  const int* columns_;
  const double* values_;
};

/// The same from any storage of W, symmetric or not. Its rows include the diagonal blocks. The body
/// velocities of a matrix-free operator follow r.
template <int d, class Storage>
class StorageRows {
 public:
  /// `diagonal`: d * d entries for every contact, row by row.
  StorageRows(const Storage& W, const Vector& r, Vector& velocities, const std::vector<double>& diagonal)
      : rows_(W, r, velocities), diagonal_(diagonal.data()) {}

  template <bool backward>
  void add(Index i, const double* r, double* b) const {
    double product[d];
    rows_.products(d * i, d, product);
    const double* D = diagonal_ + d * d * i;
    const double* own = r + d * i;
    for (int a = 0; a < d; ++a) {
      for (int c = 0; c < d; ++c) product[a] -= D[d * a + c] * own[c];
      b[a] += product[a];
    }
  }
  void changed(Index i, const double* change) { rows_.changed(d * i, d, change); }

  /// Row of W r, and what follows a change of its r.
  double row_product(Index row) const { return rows_.product(row); }
  void row_changed(Index row, double change) { rows_.changed(row, change); }

 private:
  SweepRows<Storage> rows_;
  const double* diagonal_;
};

/// Solves contact i alone and returns the square of the weighted change of its r. `b` is u_i without the
/// contribution of r_i.
template <int d, class Rows>
[[gnu::always_inline]] inline double solve_contact(SweepContacts<d>& contacts, Rows&& rows, Index i,
                                                   double* b, double* r) {
  double* own = r + d * i;
  double before[d];
  for (int a = 0; a < d; ++a) before[a] = own[a];
  const double weight = contacts.weight[i];
  if (contacts.proximal != 0.0) {
    for (int a = 0; a < d; ++a) b[a] -= contacts.proximal * weight * before[a];
  }
  const auto k = static_cast<std::size_t>(i);
  if (d == 3 && !contacts.boxes.empty()) {
    contacts.boxes[k].solve(b, contacts.mu[i], contacts.slip[i], own);
  } else {
    contacts.local[k].solve(b, contacts.mu[i], contacts.slip[i], own, contacts.small_step);
  }
  if (contacts.relaxation != 1.0) {
    for (int a = 0; a < d; ++a) own[a] = before[a] + contacts.relaxation * (own[a] - before[a]);
  }
  double change[d], squared = 0.0;
  for (int a = 0; a < d; ++a) {
    change[a] = own[a] - before[a];
    squared += change[a] * change[a];
  }
  if (squared != 0.0) rows.changed(i, change);
  return weight * weight * squared;
}

/// Solves contact_at(0), contact_at(1), ... one after another. Returns the sum of solve_contact. rest(i, b)
/// adds the terms that do not depend on other contacts.
template <int d, bool backward, class Rows, class ContactAt, class Rest>
double sweep_contacts(SweepContacts<d>& contacts, Rows&& rows, Index count, const ContactAt& contact_at,
                      const Rest& rest, double* r) {
  double squared = 0.0;
  for (Index k = 0; k < count; ++k) {
    const Index i = contact_at(k);
    double b[d];
    rest(i, b);
    rows.template add<backward>(i, r, b);
    squared += solve_contact<d>(contacts, rows, i, b, r);
  }
  return squared;
}
template <int d, class Rows, class Rest>
double sweep_contacts(SweepContacts<d>& contacts, Rows&& rows, Index begin, Index end, bool backward,
                      const Rest& rest, double* r) {
  if (backward)
    return sweep_contacts<d, true>(
        contacts, rows, end - begin, [last = end - 1](Index k) { return last - k; }, rest, r);
  return sweep_contacts<d, false>(
      contacts, rows, end - begin, [begin](Index k) { return begin + k; }, rest, r);
}

/// Sets the modes of contacts [begin, end) from their r. `rest` is as in sweep_contacts.
template <int d, class Rows, class Rest>
void set_modes(SweepContacts<d>& contacts, const Rows& rows, Index begin, Index end, const Rest& rest,
               const double* r) {
  for (Index i = begin; i < end; ++i) {
    const double* own = r + d * i;
    double b[d];
    rest(i, b);
    if (own[0] > 0.0) rows.template add<false>(i, r, b);
    const auto k = static_cast<std::size_t>(i);
    contacts.slip[i] = d == 3 && !contacts.boxes.empty() ? contacts.boxes[k].mode_of(contacts.mu[i], own)
                                                         : contacts.local[k].mode_of(b, contacts.mu[i], own);
  }
}

/// Directs a sequence of sweeps: the direction of the next sweep, and when to compute the error. The error
/// costs about as much as a sweep. It is computed if the change of r, times the last ratio of error and
/// change, is small enough. It is also computed every `interval` sweeps.
class SweepRule {
 public:
  SweepRule(SweepOrder order, int interval, double first_ratio)
      : order_(order), alternate_(order == SweepOrder::symmetric), interval_(interval), ratio_(first_ratio) {}

  bool due(double change) const { return sweeps_ >= interval_ || !(change * ratio_ > 1.0); }
  /// Takes the error, relative to its target, after a sweep with that change.
  void tested(double change, double error) {
    sweeps_ = 0;
    forecast_.tested(total_, error);
    if (change > 0.0) ratio_ = error / change;
    if (error < little * slow_mark_) {
      slow_mark_ = error;
      since_little_ = 0;
    }
    if (error < much * stall_mark_) {
      stall_mark_ = error;
      since_much_ = 0;
    }
    if (order_ == SweepOrder::automatic && since_little_ >= order_limit) {
      alternate_ = !alternate_;
      since_little_ = 0;
    }
  }
  /// The error estimated from the change.
  double estimate(double change) const { return change * ratio_; }
  const IterationForecast& forecast() const { return forecast_; }
  int sweeps() const { return total_; }
  /// True after many sweeps without progress, because of rounding or a cycle.
  bool stalled() const { return since_much_ > stall_limit; }
  /// Counts the next sweep. Returns true if it runs backward.
  bool next_backward() {
    ++sweeps_;
    ++total_;
    ++since_little_;
    ++since_much_;
    backward_ = alternate_ && !backward_;
    return backward_;
  }

 private:
  // Progress is a fall of the error to these shares. The limits are the sweeps to wait for each.
  static constexpr double little = 0.97, much = 0.9;
  static constexpr int order_limit = 75, stall_limit = 5000;
  SweepOrder order_;
  bool alternate_, backward_ = false;
  int interval_;
  double ratio_;
  int sweeps_ = 0, since_little_ = 0, since_much_ = 0;
  int total_ = 0;
  IterationForecast forecast_;
  double slow_mark_ = std::numeric_limits<double>::infinity();
  double stall_mark_ = std::numeric_limits<double>::infinity();
};

}  // namespace slipstick::internal
