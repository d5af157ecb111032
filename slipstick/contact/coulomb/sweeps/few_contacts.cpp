// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/few_contacts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

constexpr int most_steps = 60;        // sweeps and steps of Newton's method
constexpr int most_newton_steps = 8;  // limit without a sweep
constexpr double singular = 1e-13;    // relative to a row's diagonal: a smaller pivot is rounding
// Relative to a row's diagonal: a larger pivot is taken without comparison.
constexpr double safe_pivot = 1e-2;
constexpr double loose_step = 1e-2;  // small_step of a local solution that will be computed again
constexpr double tight_step = 1e-8;
// Least square of norms of q, so that neither it nor its inverse overflows in sums.
constexpr double least_square = 1e-250;

// Columns [0, count) <- column - column[row] * factors. Columns are `stride` apart and `length` packs of four
// long. The compiler keeps them in registers.
template <int most_packs, int packs = 1>
void subtract(int length, const double* factors, double* columns, int count, int stride, int row) {
  if constexpr (packs < most_packs) {
    if (length > packs) return subtract<most_packs, packs + 1>(length, factors, columns, count, stride, row);
  }
  Pack x[packs];
  for (Index p = 0; p < packs; ++p) x[p] = load_pack(factors + 4 * p);
  for (double* column = columns; count > 0; --count, column += stride) {
    const double share = column[row];
    for (Index p = 0; p < packs; ++p) {
      double* const rows = column + 4 * p;
      store_pack(rows, load_pack(rows) - share * x[p]);
    }
  }
}

}  // namespace

template <int d>
void FewContactsIn<d>::run(const CoulombMethod::Context& context) {
  const ContactBlocks& blocks = context.blocks;
  const Island& island = context.island;
  if (version_ != blocks.version() || first_ != island.begin) load(blocks, island);
  start(context);
  if (context.monitor.finished(error_, iterate_view())) return;
  iterate(context);
  if (context.monitor.status() == Status::not_run) context.monitor.stop(Status::stalled);
  if (context.monitor.status() != Status::solved && !(judge(context.target) < context.error)) return;
  std::copy_n(r_.begin(), d * nodes_, context.r.data() + static_cast<Index>(d) * first_);
  if (!drifted_ && context.errors != nullptr) *context.errors = errors_;
}

// Loads the blocks by columns.
template <int d>
void FewContactsIn<d>::load(const ContactBlocks& blocks, const Island& island) {
  version_ = blocks.version();
  first_ = island.begin;
  contacts_ = island.contacts();
  nodes_ = island.nodes();
  const int* row_start = blocks.start().data() + first_;
  const int* columns = blocks.columns().data();
  std::fill_n(start_.begin(), nodes_ + 1, 0);
  std::fill_n(coupled_.begin(), nodes_, Set{0});
  for (int k = row_start[0]; k < row_start[nodes_]; ++k) ++start_[columns[k] - first_ + 1];
  for (int j = 0; j < nodes_; ++j) start_[j + 1] += start_[j] - 1;  // without the diagonal
  int next[most_nodes];
  std::copy_n(start_.begin(), nodes_, next);
  for (int i = 0; i < nodes_; ++i) {
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
      const int j = columns[k] - first_;
      Block& block = i == j ? diagonal_[i] : blocks_[next[j]];
      for (int c = 0; c < d; ++c) block.columns[c] = Lanes::load_rows(blocks.block(k) + d * c);
      if (i == j) continue;
      rows_[next[j]++] = static_cast<std::uint8_t>(i);
      coupled_[j] |= Set{1} << i;
    }
    if (i >= contacts_) {
      for (int a = 0; a < d; ++a) row_scale_[d * i + a] = blocks.row_scale(first_ + i, a);
      continue;
    }
    double own[d * d];
    for (int a = 0; a < d; ++a)
      for (int c = 0; c < d; ++c) own[d * a + c] = diagonal_[i].columns[c][a];
    local_[i] = CoulombContact<d>(own);
    scale_[i] = blocks.scale(first_ + i);
    weight_[i] = blocks.weight(first_ + i);
  }
}

// Sets the starting point.
template <int d>
void FewContactsIn<d>::start(const CoulombMethod::Context& context) {
  const double* given = context.r.data() + static_cast<Index>(d) * first_;
  squared_norm_ = 0.0;
  bool at_rest = true;
  for (int i = 0; i < nodes_; ++i) {
    q_[i] = Lanes::load_rows(context.blocks.q(first_ + i));
    mu_[i] = context.blocks.mu(first_ + i);
    for (int a = 0; a < d; ++a) {
      squared_norm_ += q_[i][a] * q_[i][a];
      r(i)[a] = given[d * i + a];
      at_rest = at_rest && r(i)[a] == 0.0;
    }
  }
  if (squared_norm_ == 0.0) {  // without a load the solution is zero
    std::fill_n(r_.begin(), d * nodes_, 0.0);
    at_rest = true;
  }
  for (int i = contacts_; i < nodes_; ++i) {
    for (int a = 0; a < d; ++a) {
      lower_[d * i + a] = context.blocks.lower(first_ + i, a);
      upper_[d * i + a] = context.blocks.upper(first_ + i, a);
      r(i)[a] = context.blocks.clamp(first_ + i, a, r(i)[a]);
      at_rest = at_rest && r(i)[a] == 0.0;
    }
  }
  small_step_ = loose_step;
  final_step_ =
      std::clamp(0.1 * std::sqrt(context.target.change / std::sqrt(squared_norm_)), tight_step, loose_step);
  if (at_rest) {
    unsettled_ = 0;
    for (int i = 0; i < nodes_; ++i) {
      u_[i] = q_[i];
      slip_[i] = -1.0;
      if (i >= contacts_ || q_[i][0] < 0.0) unsettled_ |= Set{1} << i;
    }
    moved_ = 0;
    drifted_ = false;
  } else {
    multiply();
    for (int i = 0; i < contacts_; ++i) {
      const Pack own = u_[i] - diagonal_[i].times(r(i));
      slip_[i] = local_[i].mode_of(reinterpret_cast<const double*>(&own), mu_[i], r(i));
    }
    unsettled_ = all();
  }
  error_ = context.error;
}

template <int d>
void FewContactsIn<d>::iterate(const CoulombMethod::Context& context) {
  if (!(squared_norm_ > least_square && squared_norm_ < 1.0 / least_square)) return;
  double ratio = 0.5 / context.target.change;  // ratio of error and change
  double last = 0.0;
  int pause = 2, since = 0, left = most_steps;
  if (contacts_ < nodes_) newton(context, left);
  while (left > 0 && context.monitor.status() == Status::not_run) {
    modes_changed_ = false;
    const double change = sweep();
    ++context.counts.products;
    --left;
    if (unsettled_ == 0 || change * ratio <= 1.0) {
      judge(context.target);
      if (context.monitor.finished(error_, iterate_view())) return;
      if (change > 0.0) ratio = error_ / change;
      if (unsettled_ == 0) {
        // Nothing moves any more. Only loose local solutions can still improve.
        if (small_step_ < loose_step) return newton(context, left);
        small_step_ = final_step_ = tight_step;
        unsettled_ = all();
      }
    } else if (context.monitor.interrupted(change * ratio, iterate_view())) {
      return;
    }
    // Starts Newton's method if the modes do not change and three more sweeps would not suffice.
    ++since;
    const double fall = last > 0.0 ? change / last : 1.0;
    if (!modes_changed_ && since >= pause && change * fall * fall * fall * ratio > 1.0) {
      newton(context, left);
      pause = std::min(2 * pause, 16);
      since = 0;
      last = 0.0;
    } else {
      last = change;
    }
  }
}

// Solves the nodes that are not settled, in order. Returns the weighted change of r.
template <int d>
double FewContactsIn<d>::sweep() {
  double squared = 0.0;
  for (Set left = unsettled_; left != 0;) {
    const int i = std::countr_zero(left);
    squared += i < contacts_ ? visit(i) : visit_joint(i);
    left = unsettled_ & ~((Set{2} << i) - 1);
  }
  return std::sqrt(squared);
}

template <int d>
double FewContactsIn<d>::visit(int i) {
  const Set own = Set{1} << i;
  unsettled_ &= ~own;
  double* x = r(i);
  double b[Lanes::lanes], before[d], change[d];
  Pack rest = u_[i];
  if (x[0] != 0.0 || (moved_ & own) != 0) rest -= diagonal_[i].times(x);
  Lanes::store(b, rest);
  for (int a = 0; a < d; ++a) before[a] = x[a];
  const int mode_before = mode(i);
  // A contact without coupling is solved to full accuracy at once.
  const double small_step = coupled_[i] == 0 ? final_step_ : small_step_;
  local_[i].solve(b, mu_[i], slip_[i], x, small_step);
  modes_changed_ |= mode(i) != mode_before;
  double squared = 0.0;
  for (int a = 0; a < d; ++a) {
    change[a] = x[a] - before[a];
    squared += change[a] * change[a];
  }
  if (squared == 0.0) return 0.0;
  u_[i] = rest + diagonal_[i].times(x);
  spread(i, change);
  return weight_[i] * scale_[i] * scale_[i] * squared;
}

// Solves the rows of a joint one after another.
template <int d>
double FewContactsIn<d>::visit_joint(int i) {
  double* x = r(i);
  double change[d], squared = 0.0;
  Pack own = u_[i];
  for (int a = 0; a < d; ++a) {
    const int row = d * i + a;
    change[a] = std::clamp(x[a] - own[a] / row_scale_[row], lower_[row], upper_[row]) - x[a];
    x[a] += change[a];
    own += diagonal_[i].columns[a] * change[a];
    squared += row_scale_[row] * change[a] * change[a];
  }
  if (squared == 0.0) {
    unsettled_ &= ~(Set{1} << i);
    return 0.0;
  }
  u_[i] = own;
  spread(i, change);
  return squared;
}

// Adds the effect of a change of r_i to the other nodes.
template <int d>
void FewContactsIn<d>::spread(int i, const double* change) {
  const Set own = Set{1} << i;
  for (int k = start_[i]; k < start_[i + 1]; ++k) u_[rows_[k]] += blocks_[k].times(change);
  unsettled_ |= coupled_[i];
  drifted_ = drifted_ || (moved_ & own) != 0;
  moved_ |= own;
}

// u = W r + q
template <int d>
void FewContactsIn<d>::multiply() {
  for (int i = 0; i < nodes_; ++i) u_[i] = q_[i] + diagonal_[i].times(r(i));
  for (int j = 0; j < nodes_; ++j) {
    double x[d];
    bool at_rest = true;
    for (int a = 0; a < d; ++a) {
      x[a] = r(j)[a];
      at_rest = at_rest && x[a] == 0.0;
    }
    if (at_rest) continue;
    for (int k = start_[j]; k < start_[j + 1]; ++k) u_[rows_[k]] += blocks_[k].times(x);
  }
  moved_ = all();
  drifted_ = false;
}

// The error of the iterate. If it looks small, u is computed again as a product.
template <int d>
double FewContactsIn<d>::judge(const CoulombTarget& target) {
  for (;;) {
    errors_ = {};
    errors_.template add<d>(0, contacts_, [&](Index i) {
      return ContactPoint{r(static_cast<int>(i)), u(static_cast<int>(i)), mu_[i], scale_[i], weight_[i]};
    });
    for (int i = contacts_; i < nodes_; ++i)
      for (int a = 0; a < d; ++a)
        errors_.add_row(r(i)[a], u(i)[a], row_scale_[d * i + a], lower_[d * i + a], upper_[d * i + a]);
    error_ = relative_error(errors_, target);
    if (!drifted_ || !(error_ <= 1.0)) return error_;
    multiply();
    unsettled_ = all();
  }
}

// Makes steps with fixed modes of contacts, while the error falls and the modes stay right.
template <int d>
void FewContactsIn<d>::newton(const CoulombMethod::Context& context, int& left) {
  if (drifted_) multiply();
  const double error_before = judge(context.target);
  const std::array<double, most_unknowns> from = r_;
  Pack from_u[most_nodes];
  std::copy_n(u_, nodes_, from_u);
  const std::array<double, most_nodes> from_slip = slip_;
  unsettled_ = all();
  for (int k = 0; k < most_newton_steps && left > 0; ++k, --left) {
    const double last = error_;
    ++context.counts.factorizations;
    if (!newton_step()) break;
    multiply();
    ++context.counts.products;
    judge(context.target);
    if (context.monitor.finished(error_, iterate_view())) break;
    if (!(error_ < 0.5 * last) || !keeps_modes()) break;
  }
  if (error_ < error_before) return;
  r_ = from;
  std::copy_n(from_u, nodes_, u_);
  slip_ = from_slip;
  error_ = error_before;
}

// Returns false if there are no unknowns.
template <int d>
bool FewContactsIn<d>::newton_step() {
  set_directions();
  if (unknowns_ == 0) return false;
  const int length = 4 * (unknowns_ / 4 + 1);
  for (int c = 0; c <= unknowns_; ++c) std::fill_n(system_[c].begin(), length, 0.0);
  for (int j = 0; j < nodes_; ++j) {
    const Directions& own = directions_[j];
    if (own.count == 0) continue;
    // Goes downwards, because the zeros after a node's rows must not overwrite the next node.
    int k = start_[j];
    for (; k < start_[j + 1] && rows_[k] < j; ++k) place(rows_[k], j, blocks_[k]);
    place(j, j, diagonal_[j]);
    if (own.slips && d == 3) system_[own.first + 1][own.first + 1] += own.stiffness;
    for (; k < start_[j + 1]; ++k) place(rows_[k], j, blocks_[k]);
    const Pack rest = -own.test(u_[j]);
    Lanes::store(&system_[unknowns_][own.first], rest);
  }
  for (int i = contacts_; i < nodes_; ++i) hold_rows(i);
  for (int k = 0; k < unknowns_; ++k) sizes_[k] = std::abs(system_[k][k]);
  if (!eliminate()) return false;
  for (int i = 0; i < contacts_; ++i) move_contact(i);
  for (int i = contacts_; i < nodes_; ++i)
    for (int a = 0; a < d; ++a)
      r(i)[a] = std::clamp(r(i)[a] + step_[directions_[i].first + a], lower_[d * i + a], upper_[d * i + a]);
  return true;
}

// Applies the step to a contact.
template <int d>
void FewContactsIn<d>::move_contact(int i) {
  const Directions& own = directions_[i];
  double* x = r(i);
  if (!own.slips) {
    for (int a = 0; a < own.count; ++a) x[a] += step_[own.first + a];
    return;
  }
  for (int c = 0; c < own.count; ++c)
    for (int a = 0; a < d; ++a) x[a] += step_[own.first + c] * own.moves[c][a];
  // Projects back to the cone.
  if (!(x[0] > 0.0)) {
    for (int a = 0; a < d; ++a) x[a] = 0.0;
    slip_[i] = -1.0;
    return;
  }
  if constexpr (d == 3) {
    const double share = mu_[i] * x[0] / std::sqrt(x[1] * x[1] + x[2] * x[2]);
    x[1] *= share;
    x[2] *= share;
  } else {
    x[1] = std::copysign(mu_[i] * x[0], x[1]);
  }
}

// Replaces the equations of a joint's rows that are at a bound.
template <int d>
void FewContactsIn<d>::hold_rows(int i) {
  for (int a = 0; a < d; ++a) {
    const int row = directions_[i].first + a;
    const double lower = lower_[d * i + a], upper = upper_[d * i + a], x = r(i)[a];
    const double wanted = x - u_[i][a] / row_scale_[d * i + a];
    if (wanted > lower && wanted < upper) continue;
    for (int c = 0; c < unknowns_; ++c) system_[c][row] = c == row ? 1.0 : 0.0;
    system_[unknowns_][row] = std::clamp(wanted, lower, upper) - x;
  }
}

// Places the effect of node j on node i.
template <int d>
void FewContactsIn<d>::place(int i, int j, const Block& block) {
  const Directions &to = directions_[i], &of = directions_[j];
  if (to.count == 0) return;
  for (int c = 0; c < of.count; ++c) {
    const Pack rows = to.test(of.slips ? block.times(of.moves[c]) : block.columns[c]);
    Lanes::store(&system_[of.first + c][to.first], rows);
  }
}

template <int d>
void FewContactsIn<d>::set_directions() {
  unknowns_ = 0;
  for (int i = 0; i < contacts_; ++i) {
    Directions& own = directions_[i];
    const double* x = r(i);
    own.slips = slip_[i] > 0.0 && x[0] > 0.0 && mu_[i] > 0.0;
    own.count = mode(i) < 0 ? 0 : own.slips ? d - 1 : mu_[i] > 0.0 ? d : 1;
    own.first = unknowns_;
    unknowns_ += own.count;
    if (!own.slips) continue;
    own.moves[0][0] = 1.0;
    const double share = 1.0 / x[0];  // mu e = r_T / r_N
    for (int a = 1; a < d; ++a) own.moves[0][a] = share * x[a];
    if constexpr (d == 3) {
      const double length = std::sqrt(x[1] * x[1] + x[2] * x[2]);
      own.moves[1][0] = 0.0;
      own.moves[1][1] = -x[2] / length;
      own.moves[1][2] = x[1] / length;
      own.stiffness = std::max(0.0, -(u_[i][1] * x[1] + u_[i][2] * x[2]) / (length * length));
    }
  }
  for (int i = contacts_; i < nodes_; ++i) {
    directions_[i].slips = false;
    directions_[i].count = d;
    directions_[i].first = unknowns_;
    unknowns_ += d;
  }
}

// Gauss elimination. The right-hand side is the last column. Columns without a pivot are skipped.
template <int d>
bool FewContactsIn<d>::eliminate() {
  const int n = unknowns_;
  const int packs = n / 4 + 1;
  std::array<int, most_unknowns> pivot_column;
  int rank = 0;
  for (int k = 0; k < n; ++k) {
    double* column = system_[k].data();
    int best = rank;
    if (!(std::abs(column[rank]) > safe_pivot * sizes_[k])) {
      for (int i = rank + 1; i < n; ++i)
        if (std::abs(column[i]) > std::abs(column[best])) best = i;
      if (!(std::abs(column[best]) > singular * sizes_[k])) continue;
      for (int c = k; best != rank && c <= n; ++c) std::swap(system_[c][best], system_[c][rank]);
    }
    alignas(32) double factors[column_length];
    const double inverse = 1.0 / column[rank];
    const int first = rank / 4;
    for (int i = 4 * first; i <= rank; ++i) factors[i] = 0.0;
    for (int i = rank + 1; i < 4 * packs; ++i) factors[i] = column[i] * inverse;
    subtract<column_length / 4>(packs - first, factors + 4 * first, system_[k + 1].data() + 4 * first, n - k,
                                column_length, rank - 4 * first);
    pivot_column[rank++] = k;
  }
  std::fill_n(step_.begin(), n, 0.0);
  double* rest = system_[n].data();
  bool finite = true;
  for (int i = rank; i-- > 0;) {
    const double* column = system_[pivot_column[i]].data();
    const double value = rest[i] / column[i];
    for (int a = 0; a < i; ++a) rest[a] -= value * column[a];
    step_[pivot_column[i]] = value;
    finite = finite && std::isfinite(value);
  }
  return finite;
}

// True if the fixed modes are the modes of r and u.
template <int d>
bool FewContactsIn<d>::keeps_modes() const {
  for (int i = 0; i < contacts_; ++i) {
    const double* x = r(i);
    double tangent = 0.0, along = 0.0;
    for (int a = 1; a < d; ++a) {
      tangent += x[a] * x[a];
      along += x[a] * u_[i][a];
    }
    const double limit = mu_[i] * x[0];
    const bool right = mode(i) < 0   ? u_[i][0] >= 0.0 || x[0] == 0.0
                       : mode(i) > 0 ? x[0] > 0.0 && along <= 0.0
                                     : x[0] >= 0.0 && tangent <= limit * limit;
    if (!right) return false;
  }
  return true;
}

template class FewContactsIn<2>;
template class FewContactsIn<3>;

void FewContacts::run(const Context& context) {
  if (context.island.nodes() > most_nodes) return context.monitor.stop(Status::stalled);
  const auto run_in = [&]<int d>(std::unique_ptr<FewContactsIn<d>>& few) {
    if (few == nullptr) few = std::make_unique_for_overwrite<FewContactsIn<d>>();
    few->run(context);
  };
  if (context.blocks.dimension() == 3) {
    run_in(space_);
  } else {
    run_in(plane_);
  }
}

}  // namespace slipstick::internal
