// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/few_contacts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/linalg/row_entries.hpp"
#include "slipstick/measures/contact_error.hpp"

namespace slipstick {
namespace {

constexpr int most_steps = 60;        // sweeps and steps of Newton's method
constexpr int most_newton_steps = 8;  // without a sweep
constexpr double singular = 1e-13;    // of a row's diagonal: a pivot that is rounding
constexpr double safe_pivot = 1e-2;   // the same for one that others need not be compared with
constexpr double loose_step = 1e-2;   // of a local solution that will be found again
constexpr double tight_step = 1e-8;
constexpr double least_norm = 1e-125;  // neither its square nor the inverse of that overflow in sums

// Columns [0, count) <- column - column[row] * factors, `stride` apart and `length` packs of four long, which
// the compiler keeps in registers.
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
bool FewContacts<d>::solve(const LocalContactProblem& problem, const Settings& settings, const Vector* given,
                           Result& result, bool published_by_load) {
  if (!problem.W.same_storage(seen_) || problem.contacts() != contacts_) prepare(problem);
  tolerance_ = settings.tolerance;
  final_step_ = std::clamp(0.1 * std::sqrt(tolerance_), tight_step, loose_step);
  published_alone_ = settings.measure == ErrorMeasure::desaxce;
  published_by_load_ = published_by_load;
  sweeps_ = newton_steps_ = 0;
  const int most = settings.max_iterations > 0 ? std::min(settings.max_iterations, most_steps) : most_steps;
  const bool solved = start(problem, given) || iterate(most);
  result.counts.iterations = sweeps_ + newton_steps_;
  result.counts.products = sweeps_ + newton_steps_;
  result.counts.factorizations = newton_steps_;
  if (!solved) return false;
  result.measures = {};
  result.measures.scaled_natural_map = scaled_;
  result.measures.desaxce = published_;
  result.r.resize(d * problem.contacts());
  result.u.resize(d * problem.contacts());
  for (int i = 0; i < contacts_; ++i) {
    for (int a = 0; a < d; ++a) {
      result.r[d * i + a] = r(i)[a];
      result.u[d * i + a] = u_[i][a];
    }
  }
  return true;
}

template <int d>
void FewContacts<d>::prepare(const LocalContactProblem& problem) {
  seen_ = problem.W;
  contacts_ = static_cast<int>(problem.contacts());
  const int rows = d * contacts_;
  // The matrix by columns, in the storage of Newton's system.
  for (int i = 0; i < rows; ++i) std::fill_n(system_[i].begin(), rows, 0.0);
  visit_rows(problem.W, [&](const auto& storage) {
    for (int i = 0; i < rows; ++i)
      for_row(storage, i, [&](int column, double value) { system_[column][i] += value; });
  });
  int count = 0;
  start_[0] = 0;
  for (int j = 0; j < contacts_; ++j) {
    coupled_[j] = 0;
    for (int i = 0; i < contacts_; ++i) {
      Block block;
      bool zero = true;
      for (int c = 0; c < d; ++c) {
        block.columns[c] = Lanes::load_rows(&system_[d * j + c][d * i]);
        for (int a = 0; a < d; ++a) zero = zero && block.columns[c][a] == 0.0;
      }
      if (i == j) {
        diagonal_[i] = block;
      } else if (!zero) {
        blocks_[count] = block;
        rows_[count++] = static_cast<std::uint8_t>(i);
        coupled_[j] |= Set{1} << i;
      }
    }
    start_[j + 1] = count;
    double own[d * d], trace = 0.0;
    for (int a = 0; a < d; ++a) {
      for (int c = 0; c < d; ++c) own[d * a + c] = diagonal_[j].columns[c][a];
      trace += own[(d + 1) * a];
    }
    local_[j] = CoulombContact<d>(own);
    scale_[j] = ruler_scale(trace / d);
  }
}

// The starting point; true where it is good enough.
template <int d>
bool FewContacts<d>::start(const LocalContactProblem& problem, const Vector* given) {
  const double* q = problem.q.data();
  double squared = 0.0;
  for (Index i = 0; i < contacts_; ++i) {
    q_[i] = Lanes::load_rows(q + d * i);
    for (int a = 0; a < d; ++a) squared += q_[i][a] * q_[i][a];
    mu_[i] = problem.mu[i];
  }
  error_ = std::numeric_limits<double>::infinity();
  moved_ = 0;
  drifted_ = false;
  unsettled_ = 0;
  small_step_ = loose_step;
  norm_ = std::sqrt(squared);
  if (given != nullptr && squared != 0.0) {
    for (int k = 0; k < d * contacts_; ++k) r_[k] = (*given)[k];
    multiply();
    for (int i = 0; i < contacts_; ++i) {
      const Pack own = u_[i] - diagonal_[i].times(r(i));
      slip_[i] = local_[i].mode_of(reinterpret_cast<const double*>(&own), mu_[i], r(i));
    }
    unsettled_ = all();
    return judge();
  }
  // At r = 0 the error of a contact that closes is at least -q_N / sqrt(1 + mu^2), under both rulers.
  bool good = true;
  for (int i = 0; i < contacts_; ++i) {
    u_[i] = q_[i];
    slip_[i] = -1.0;
    for (int a = 0; a < d; ++a) r(i)[a] = 0.0;
    const double normal = q_[i][0];
    if (normal >= 0.0) continue;
    unsettled_ |= Set{1} << i;
    good = good && norm_ > least_norm &&
           normal * normal <= tolerance_ * tolerance_ * squared * (1.0 + mu_[i] * mu_[i]);
  }
  return good && judge();
}

template <int d>
bool FewContacts<d>::iterate(int most) {
  if (!(norm_ > least_norm && norm_ < 1.0 / least_norm)) return false;
  double ratio = 0.5 / norm_;  // of error and change
  double last = 0.0;
  int pause = 2, since = 0;
  for (int left = most; left > 0;) {
    modes_changed_ = false;
    const double change = sweep();
    --left;
    if (unsettled_ == 0 || change * ratio <= tolerance_) {
      if (judge()) return true;
      if (change > 0.0) ratio = error_ / change;
      if (unsettled_ == 0) {
        // Nothing moves any more, if not for local solutions that were loose.
        if (small_step_ < loose_step) return newton(left);
        small_step_ = final_step_ = tight_step;
        unsettled_ = all();
      }
    }
    // Newton's method where the modes stay and three more sweeps would not do.
    ++since;
    const double fall = last > 0.0 ? change / last : 1.0;
    if (!modes_changed_ && since >= pause && change * fall * fall * fall * ratio > tolerance_) {
      if (newton(left)) return true;
      pause = std::min(2 * pause, 16);
      since = 0;
      last = 0.0;
    } else {
      last = change;
    }
  }
  return false;
}

// Solves the contacts that are not settled, in their order; gives the weighted change of r.
template <int d>
double FewContacts<d>::sweep() {
  ++sweeps_;
  double squared = 0.0;
  for (Set left = unsettled_; left != 0;) {
    const int i = std::countr_zero(left);
    squared += visit(i);
    left = unsettled_ & ~((Set{2} << i) - 1);
  }
  return std::sqrt(squared);
}

template <int d>
double FewContacts<d>::visit(int i) {
  const Set own = Set{1} << i;
  unsettled_ &= ~own;
  double* x = r(i);
  double b[Lanes::lanes], before[d], change[d];
  Pack rest = u_[i];
  if (x[0] != 0.0 || (moved_ & own) != 0) rest -= diagonal_[i].times(x);
  Lanes::store(b, rest);
  for (int a = 0; a < d; ++a) before[a] = x[a];
  const int mode_before = mode(i);
  // A contact that nothing moves again is solved at once.
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
  for (int k = start_[i]; k < start_[i + 1]; ++k) u_[rows_[k]] += blocks_[k].times(change);
  unsettled_ |= coupled_[i];
  drifted_ = drifted_ || (moved_ & own) != 0;
  moved_ |= own;
  return scale_[i] * scale_[i] * squared;
}

// u = W r + q
template <int d>
void FewContacts<d>::multiply() {
  for (int i = 0; i < contacts_; ++i) u_[i] = q_[i] + diagonal_[i].times(r(i));
  for (int j = 0; j < contacts_; ++j) {
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

// Both errors of the iterate; where they look small, with u as a product.
template <int d>
bool FewContacts<d>::judge() {
  for (;;) {
    CoulombErrors errors;
    for (int i = 0; i < contacts_; ++i) errors.template add<d>(r(i), u(i), mu_[i], scale_[i]);
    scaled_ = errors.scaled_natural_map(norm_);
    published_ = errors.desaxce(published_by_load_ ? norm_ : 0.0);
    error_ = published_alone_ && scaled_ <= largest_scaled_error ? published_ : std::max(scaled_, published_);
    if (!(error_ <= tolerance_ && published_ <= tolerance_)) return false;
    if (!drifted_) return true;
    multiply();
    unsettled_ = all();
  }
}

// Steps with the modes held, while the error falls and the modes stay right.
template <int d>
bool FewContacts<d>::newton(int& left) {
  if (drifted_) multiply();
  judge();
  const std::array<double, most_unknowns> from = r_;
  Pack from_u[most_contacts];
  std::copy_n(u_, contacts_, from_u);
  const std::array<double, most_contacts> from_slip = slip_;
  const double error_before = error_;
  unsettled_ = all();
  for (int k = 0; k < most_newton_steps && left > 0; ++k, --left) {
    const double last = error_;
    if (!newton_step()) break;
    multiply();
    if (judge()) return true;
    if (!(error_ < 0.5 * last) || !keeps_modes()) break;
  }
  if (!(error_ < error_before)) {
    r_ = from;
    std::copy_n(from_u, contacts_, u_);
    slip_ = from_slip;
    error_ = error_before;
  }
  return false;
}

// False where there is nothing to do.
template <int d>
bool FewContacts<d>::newton_step() {
  ++newton_steps_;
  set_directions();
  if (unknowns_ == 0) return false;
  const int length = 4 * (unknowns_ / 4 + 1);
  for (int c = 0; c <= unknowns_; ++c) std::fill_n(system_[c].begin(), length, 0.0);
  for (int j = 0; j < contacts_; ++j) {
    const Directions& own = directions_[j];
    if (own.count == 0) continue;
    // Downwards: the zeros behind a contact's rows must not hide the next one's.
    int k = start_[j];
    for (; k < start_[j + 1] && rows_[k] < j; ++k) place(rows_[k], j, blocks_[k]);
    place(j, j, diagonal_[j]);
    if (own.slips && d == 3) system_[own.first + 1][own.first + 1] += own.stiffness;
    for (; k < start_[j + 1]; ++k) place(rows_[k], j, blocks_[k]);
    const Pack rest = -own.test(u_[j]);
    Lanes::store(&system_[unknowns_][own.first], rest);
  }
  for (int k = 0; k < unknowns_; ++k) sizes_[k] = std::abs(system_[k][k]);
  if (!eliminate()) return false;

  for (int i = 0; i < contacts_; ++i) {
    const Directions& own = directions_[i];
    if (own.count == 0) continue;
    double* x = r(i);
    if (!own.slips) {
      for (int a = 0; a < own.count; ++a) x[a] += step_[own.first + a];
      continue;
    }
    for (int c = 0; c < own.count; ++c)
      for (int a = 0; a < d; ++a) x[a] += step_[own.first + c] * own.moves[c][a];
    // Back to the cone.
    if (!(x[0] > 0.0)) {
      for (int a = 0; a < d; ++a) x[a] = 0.0;
      slip_[i] = -1.0;
      continue;
    }
    if constexpr (d == 3) {
      const double share = mu_[i] * x[0] / std::sqrt(x[1] * x[1] + x[2] * x[2]);
      x[1] *= share;
      x[2] *= share;
    } else {
      x[1] = std::copysign(mu_[i] * x[0], x[1]);
    }
  }
  return true;
}

// What moving contact j does to contact i.
template <int d>
void FewContacts<d>::place(int i, int j, const Block& block) {
  const Directions &to = directions_[i], &of = directions_[j];
  if (to.count == 0) return;
  for (int c = 0; c < of.count; ++c) {
    const Pack rows = to.test(of.slips ? block.times(of.moves[c]) : block.columns[c]);
    Lanes::store(&system_[of.first + c][to.first], rows);
  }
}

template <int d>
void FewContacts<d>::set_directions() {
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
}

// Gauss elimination; the right-hand side is the last column. Columns without a pivot are skipped.
template <int d>
bool FewContacts<d>::eliminate() {
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

// The modes that were held are those of r and u.
template <int d>
bool FewContacts<d>::keeps_modes() const {
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

template class FewContacts<2>;
template class FewContacts<3>;

}  // namespace slipstick
