// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/few_contacts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/contact/stored_rows.hpp"

namespace slipstick {
namespace {

constexpr int most_steps = 60;         // sweeps and steps of Newton's method
constexpr int most_newton_steps = 8;   // without a sweep
constexpr double singular = 1e-13;     // of a row's diagonal: a pivot that is rounding
constexpr double loose_step = 1e-2;    // of a local solution that will be found again
constexpr double least_norm = 1e-125;  // neither its square nor the inverse of that overflow in sums

}  // namespace

template <int d>
bool FewContacts<d>::solve(const LocalContactProblem& problem, const Settings& settings, const Vector* given,
                           Result& result) {
  if (!problem.W.same_storage(seen_) || problem.contacts() != contacts_) prepare(problem);
  tolerance_ = settings.tolerance;
  published_alone_ = settings.published_alone;
  sweeps_ = newton_steps_ = 0;
  const int most = settings.max_iterations > 0 ? std::min(settings.max_iterations, most_steps) : most_steps;
  const bool solved = start(problem, given) || iterate(most);
  result.counts.iterations = sweeps_ + newton_steps_;
  result.counts.products = sweeps_ + newton_steps_;
  result.counts.factorizations = newton_steps_;
  if (!solved) return false;
  result.measures = measures_;
  result.r.resize(d * contacts_);
  result.u.resize(d * contacts_);
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
  // The matrix by rows, in the storage of Newton's system.
  for (int i = 0; i < rows; ++i) std::fill_n(system_[i].begin(), rows, 0.0);
  visit_rows(problem.W, [&](const auto& storage) {
    for (int i = 0; i < rows; ++i)
      for_row(storage, i, [&](int column, double value) { system_[i][column] += value; });
  });
  int count = 0;
  start_[0] = 0;
  for (int j = 0; j < contacts_; ++j) {
    coupled_[j] = 0;
    for (int i = 0; i < contacts_; ++i) {
      Block block{};
      bool zero = true;
      for (int a = 0; a < d; ++a) {
        for (int c = 0; c < d; ++c) {
          block.columns[c][a] = system_[d * i + a][d * j + c];
          zero = zero && block.columns[c][a] == 0.0;
        }
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
    scale_[j] = trace > 0.0 ? trace / d : 1.0;
  }
}

// The starting point; true where it is good enough.
template <int d>
bool FewContacts<d>::start(const LocalContactProblem& problem, const Vector* given) {
  const double* q = problem.q.data();
  double squared = 0.0;
  for (int i = 0; i < contacts_; ++i) {
    Pack rows = {};
    for (int a = 0; a < d; ++a) {
      rows[a] = q[d * i + a];
      squared += rows[a] * rows[a];
    }
    q_[i] = rows;
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
    good = good && normal * normal <= tolerance_ * tolerance_ * squared * (1.0 + mu_[i] * mu_[i]);
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
        small_step_ = 1e-9;
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
  double b[lanes], before[d], change[d];
  Pack rest = u_[i];
  if (x[0] != 0.0 || (moved_ & own) != 0) rest -= diagonal_[i].times(x);
  for (int a = 0; a < lanes; ++a) b[a] = rest[a];
  for (int a = 0; a < d; ++a) before[a] = x[a];
  const int mode_before = mode(i);
  // A contact that nothing moves again is solved at once.
  const double small_step = coupled_[i] == 0 ? 1e-7 : small_step_;
  local_[i].solve(b, mu_[i], slip_[i], x, small_step);
  modes_changed_ = modes_changed_ || mode(i) != mode_before;
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
    const double* x = r(j);
    bool at_rest = true;
    for (int a = 0; a < d; ++a) at_rest = at_rest && x[a] == 0.0;
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
    errors.fill(norm_, measures_);
    error_ = published_alone_ ? measures_.desaxce : contact_error(measures_, FrictionLaw::coulomb);
    if (!(error_ <= tolerance_ && measures_.desaxce <= tolerance_)) return false;
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
  for (int i = 0; i < unknowns_; ++i) std::fill_n(system_[i].begin(), unknowns_, 0.0);
  const auto place = [&](int i, int j, const Block& block) {
    const Directions &to = directions_[i], &of = directions_[j];
    for (int c = 0; c < of.count; ++c) {
      const Pack moved = block.times(of.moves[c]);
      for (int a = 0; a < to.count; ++a) {
        double sum = to.tests[a][0] * moved[0];
        for (int b = 1; b < d; ++b) sum += to.tests[a][b] * moved[b];
        system_[to.first + a][of.first + c] = sum;
      }
    }
  };
  for (int j = 0; j < contacts_; ++j) {
    const Directions& own = directions_[j];
    if (own.count == 0) continue;
    place(j, j, diagonal_[j]);
    if (own.stiffness != 0.0) system_[own.first + 1][own.first + 1] += own.stiffness;
    for (int k = start_[j]; k < start_[j + 1]; ++k) place(rows_[k], j, blocks_[k]);
    for (int a = 0; a < own.count; ++a) {
      double sum = own.tests[a][0] * u_[j][0];
      for (int b = 1; b < d; ++b) sum += own.tests[a][b] * u_[j][b];
      system_[own.first + a][unknowns_] = -sum;
    }
  }
  if (!eliminate()) return false;

  for (int i = 0; i < contacts_; ++i) {
    const Directions& own = directions_[i];
    if (own.count == 0) continue;
    double* x = r(i);
    for (int c = 0; c < own.count; ++c)
      for (int a = 0; a < d; ++a) x[a] += step_[own.first + c] * own.moves[c][a];
    if (!(slip_[i] > 0.0)) continue;
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

template <int d>
void FewContacts<d>::set_directions() {
  unknowns_ = 0;
  for (int i = 0; i < contacts_; ++i) {
    Directions& own = directions_[i];
    own.first = unknowns_;
    own.stiffness = 0.0;
    const double* x = r(i);
    const bool slips = slip_[i] > 0.0 && x[0] > 0.0 && mu_[i] > 0.0;
    own.count = mode(i) < 0 ? 0 : slips ? d - 1 : mu_[i] > 0.0 ? d : 1;
    unknowns_ += own.count;
    for (int c = 0; c < own.count; ++c) {
      own.tests[c] = Pack{};
      own.tests[c][c] = 1.0;
      for (int a = 0; a < d; ++a) own.moves[c][a] = a == c ? 1.0 : 0.0;
    }
    if (!slips) continue;
    const double share = 1.0 / x[0];  // mu e = r_T / r_N
    for (int a = 1; a < d; ++a) own.moves[0][a] = share * x[a];
    if constexpr (d == 3) {
      const double length = std::sqrt(x[1] * x[1] + x[2] * x[2]);
      const double h1 = -x[2] / length, h2 = x[1] / length;
      own.moves[1][1] = h1;
      own.moves[1][2] = h2;
      own.tests[1] = Pack{0.0, h1, h2, 0.0};
      own.stiffness = std::max(0.0, -(u_[i][1] * x[1] + u_[i][2] * x[2]) / (length * length));
    }
  }
}

// Gauss elimination with the right-hand side behind the last column. Columns without a pivot are skipped.
template <int d>
bool FewContacts<d>::eliminate() {
  using Four [[gnu::vector_size(32), gnu::may_alias]] = double;
  const int n = unknowns_;
  const int packs = n / 4 + 1;
  std::array<int, most_unknowns> pivot_column;
  std::array<std::array<double, row_length>*, most_unknowns> row;
  std::array<double, most_unknowns> size;
  for (int k = 0; k < n; ++k) {
    row[k] = &system_[k];
    size[k] = std::abs(system_[k][k]);
  }
  int rank = 0;
  for (int k = 0; k < n; ++k) {
    int best = rank;
    for (int i = rank + 1; i < n; ++i)
      if (std::abs((*row[i])[k]) > std::abs((*row[best])[k])) best = i;
    const double pivot = (*row[best])[k];
    if (!(std::abs(pivot) > singular * size[k])) continue;
    std::swap(row[rank], row[best]);
    const double inverse = 1.0 / pivot;
    const auto* from = reinterpret_cast<const Four*>(row[rank]->data());
    for (int i = rank + 1; i < n; ++i) {
      const double factor = (*row[i])[k] * inverse;
      if (factor == 0.0) continue;
      auto* to = reinterpret_cast<Four*>(row[i]->data());
      // What is left of the pivot's column in its pack is not read any more.
      for (int c = (k + 1) / 4; c < packs; ++c) to[c] -= factor * from[c];
    }
    pivot_column[rank++] = k;
  }
  std::fill_n(step_.begin(), n, 0.0);
  bool finite = true;
  for (int i = rank; i-- > 0;) {
    const int k = pivot_column[i];
    double sum = (*row[i])[n];
    for (int c = k + 1; c < n; ++c) sum -= (*row[i])[c] * step_[c];
    step_[k] = sum / (*row[i])[k];
    finite = finite && std::isfinite(step_[k]);
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
