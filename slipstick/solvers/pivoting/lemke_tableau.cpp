// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/lemke_tableau.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "slipstick/base/interruption.hpp"
#include "slipstick/base/random.hpp"

namespace slipstick::internal {
namespace {

// Smaller entries, relative to the largest entry of a column, are rounding and not pivots.
constexpr double pivot_tolerance = 1e-11;
// Ratios closer than this, relative to the size of the constants, count as equal.
constexpr double tie_tolerance = 1e-11;
// A restored basis with more negative constants, relative to the largest one before or after, is not one of
// the path.
constexpr double infeasible = 1e-7;
// Smaller pivots of a restored basis mean that it is singular.
constexpr double singular_pivot = 1e-13;
// Perturbations closer than this, relative to the least one, count as equal.
constexpr double perturbation_tie = 1e-12;

}  // namespace

void exchange(DenseMatrix& T, Index columns, Index r, Index s, Vector& scratch) {
  const double pivot = T(r, s);
  count_work(2.0 * static_cast<double>(columns * T.rows()));
  assert(pivot != 0.0);
  scratch = T.col(s);
  scratch[r] = 0.0;
  for (Index j = 0; j < columns; ++j) {
    double* const column = &T(0, j);
    if (j == s || column[r] == 0.0) continue;
    const double factor = -column[r] / pivot;
#pragma omp simd
    for (Index i = 0; i < T.rows(); ++i) column[i] += factor * scratch[i];
    column[r] = factor;
  }
  T.col(s) = scratch / pivot;
  T(r, s) = 1.0 / pivot;
}

void LemkeTableau::load(const DenseMatrix& M, const Vector& q, const Vector* width) {
  assert(M.rows() == q.size() && M.cols() == q.size());
  m_ = q.size();
  const auto m = static_cast<std::size_t>(m_);
  T_.resize(m_, m_ + 3);
  T_.col(0) = q;
  T_.middleCols(1, m_) = M;
  T_.rightCols(2).setZero();
  scratch_.resize(m_);
  cover_.resize(m_);
  values_.resize(m_ + 3);
  z_.resize(m_);
  w_.resize(m_);
  position_.resize(2 * m + 1);
  row_variable_.resize(m);
  column_variable_.resize(m + 2);
  initial_basis_.resize(m);
  ties_.reserve(m + 1);
  two_sided_ = width != nullptr && (width->array() < infinity).any();
  if (two_sided_) width_ = *width;
  reflected_.assign(m, 0);
  ratio_.resize(m_);
  for (Index p = 0; p < m_; ++p) {
    row_variable_[static_cast<std::size_t>(p)] = label(p, true);
    position_[label(p, true)] = p;
    column_variable_[static_cast<std::size_t>(p + 1)] = label(p, false);
    position_[label(p, false)] = -(p + 1);
  }
  column_variable_[m + 1] = artificial_label();
  position_[artificial_label()] = -(m_ + 1);
  hash_ = 0;
}

bool LemkeTableau::enter(const std::vector<int>& pairs) {
  // Principal pivoting on the largest remaining entry among the rows and columns of the pairs.
  for (std::size_t done = 0; done < pairs.size(); ++done) {
    Index row = -1, column = -1;
    double largest = 1e-9;
    for (const int p : pairs) {
      const Index s = -position_[label(p, false)];
      if (s <= 0) continue;
      for (const int k : pairs) {
        const Index r = position_[label(k, true)];
        if (r < 0 || !(std::abs(T_(r, s)) > largest)) continue;
        largest = std::abs(T_(r, s));
        row = r;
        column = s;
      }
    }
    count_work(static_cast<double>(pairs.size() * pairs.size()));
    if (row < 0) return false;
    swap_basis(row, column);
  }
  return true;
}

bool LemkeTableau::start(const Vector& d) {
  assert(d.size() == m_ && (d.array() > 0.0).all());
  const double size = m_ > 0 ? T_.col(0).cwiseAbs().maxCoeff() : 0.0;
  double least = -1e-14 * size;
  bool feasible = true;
  for (Index i = 0; i < m_; ++i) {
    if (T_(i, 0) / d[i] <= least && T_(i, 0) < 0.0) {
      least = T_(i, 0) / d[i];
      feasible = false;
    }
  }
  if (feasible) return false;
  cover(d);
  Index row = none;
  for (Index i = 0; i < m_; ++i) {
    if (T_(i, 0) / d[i] > least * (1.0 - tie_tolerance)) continue;
    if (row == none || T_(i, m_ + 2) / d[i] < T_(row, m_ + 2) / d[row]) row = i;
  }
  memory_.clear(m_);
  driving_ = complement(row_variable_[static_cast<std::size_t>(row)]);
  swap_basis(row, m_ + 1);
  return true;
}

// Sets the columns of z_0 and of the perturbation.
void LemkeTableau::cover(const Vector& d) {
  initial_basis_ = row_variable_;
  cover_ = d;
  T_.col(m_ + 1) = d;
  Random random(1);
  for (Index i = 0; i < m_; ++i) T_(i, m_ + 2) = random.uniform(1.0, 2.0);
}

void LemkeTableau::copy_basis(LemkeBasis& basis) const {
  basis.is_basic.resize(position_.size());
  for (std::size_t v = 0; v < position_.size(); ++v) basis.is_basic[v] = position_[v] >= 0;
  basis.reflected = reflected_;
  basis.driving = driving_;
}

bool LemkeTableau::restore(const LemkeBasis& basis, const Vector& d) {
  assert(basis.is_basic.size() == position_.size());
  cover(d);
  const double size = m_ > 0 ? T_.col(0).cwiseAbs().maxCoeff() : 0.0;
  for (Index p = 0; p < m_; ++p) {
    if (!basis.reflected[static_cast<std::size_t>(p)]) continue;
    // z is nonbasic and w basic here: enter() takes pairs with one bound only.
    const Index r = position_[label(p, true)], s = -position_[label(p, false)];
    T_.col(0) += width_[p] * T_.col(s);
    T_.col(s) = -T_.col(s);
    T_.row(r) = -T_.row(r);
    toggle_reflected(p);
  }
  // Gauss-Jordan with complete pivoting among the variables that must change their places.
  for (;;) {
    Index row = none, column = none;
    double largest = 0.0;
    bool complete = true;
    for (Index s = 1; s <= m_ + 1; ++s) {
      if (!basis.is_basic[column_variable_[static_cast<std::size_t>(s)]]) continue;
      complete = false;
      for (Index r = 0; r < m_; ++r) {
        if (basis.is_basic[row_variable_[static_cast<std::size_t>(r)]] || !(std::abs(T_(r, s)) > largest))
          continue;
        largest = std::abs(T_(r, s));
        row = r;
        column = s;
      }
    }
    if (complete) break;
    if (!(largest > singular_pivot)) return false;
    swap_basis(row, column);
  }
  driving_ = basis.driving;
  if (!T_.col(0).allFinite()) return false;
  return m_ == 0 || T_.col(0).minCoeff() >= -infeasible * std::max(size, T_.col(0).maxCoeff());
}

double LemkeTableau::drift(const DenseMatrix& M, const Vector& q) {
  Random random(2);
  for (double& value : values_) value = random.uniform(-1.0, 1.0);
  values_[0] = 1.0;
  values_[m_ + 2] = 0.0;
  scratch_.noalias() = T_ * values_;
  const auto current = [&](std::size_t variable) {
    const Index place = position_[variable];
    return coordinate(variable, place >= 0 ? scratch_[place] : values_[-place]);
  };
  for (Index p = 0; p < m_; ++p) {
    z_[p] = current(label(p, false));
    w_[p] = current(label(p, true));
  }
  const double artificial = current(artificial_label());
  const double size = scratch_.cwiseAbs().maxCoeff() + q.cwiseAbs().maxCoeff() + 1.0;
  // d z_0 belongs to the variables of the first basis.
  for (Index i = 0; i < m_; ++i) {
    const std::size_t variable = initial_basis_[static_cast<std::size_t>(i)];
    (variable < static_cast<std::size_t>(m_) ? z_ : w_)[pair_of(variable)] -= cover_[i] * artificial;
  }
  w_ -= q;
  w_.noalias() -= M * z_;
  return w_.cwiseAbs().maxCoeff() / size;
}

LemkeTableau::Outcome LemkeTableau::pivot() {
  const Index s = -position_[driving_];
  assert(s > 0);
  const Index r = choose_row(s);
  if (r == none) {
    // Only the other bound of the driving variable limits the step.
    if (!has_two_bounds(driving_)) return Outcome::ray;
    reflect_column(s);
    driving_ = complement(driving_);
    return memory_.insert(hash_) ? Outcome::pivoted : Outcome::repeated;
  }
  if (T_(r, s) > 0.0) reflect_row(r);
  const std::size_t leaving = row_variable_[static_cast<std::size_t>(r)];
  swap_basis(r, s);
  if (leaving == artificial_label()) return Outcome::solved;
  driving_ = complement(leaving);
  return memory_.insert(hash_) ? Outcome::pivoted : Outcome::repeated;
}

// The ratio test returns the row whose variable is the first to meet a bound as the driving variable grows.
// It returns none if the driving variable meets its other bound first, or if nothing limits it.
Index LemkeTableau::choose_row(Index s) {
  const auto column = T_.col(s), constant = T_.col(0);
  const double smallest_pivot = pivot_tolerance * (m_ > 0 ? column.cwiseAbs().maxCoeff() : 0.0);
  const double size = m_ > 0 ? constant.cwiseAbs().maxCoeff() : 0.0;
  const double own = has_two_bounds(driving_) ? width_[static_cast<Index>(driving_)] : infinity;
  double step = own;
  for (Index i = 0; i < m_; ++i) {
    ratio_[i] = column[i] < -smallest_pivot ? std::max(constant[i], 0.0) / -column[i] : infinity;
    const std::size_t variable = row_variable_[static_cast<std::size_t>(i)];
    if (column[i] > smallest_pivot && has_two_bounds(variable))
      ratio_[i] = std::max(width_[static_cast<Index>(variable)] - constant[i], 0.0) / column[i];
    step = std::min(step, ratio_[i]);
  }
  if (!(step < infinity)) return none;

  ties_.clear();
  for (Index i = 0; i < m_; ++i) {
    if (!((ratio_[i] - step) * std::abs(column[i]) <= tie_tolerance * size)) continue;
    // If z_0 can leave the basis, there is a solution.
    if (row_variable_[static_cast<std::size_t>(i)] == artificial_label()) return i;
    ties_.push_back(i);
  }
  if (own <= step) ties_.push_back(none);
  if (ties_.size() > 1) break_ties(s);
  return ties_.empty() ? none : ties_.front();  // empty if a constant has overflowed
}

// Leaves in ties_ the row that comes first if the constants are perturbed. The driving variable's own bound
// is not perturbed. Of rows that still tie, the largest pivot is best.
void LemkeTableau::break_ties(Index s) {
  const auto ratio = [&](Index i) { return i == none ? 0.0 : T_(i, m_ + 2) / -T_(i, s); };
  double least = infinity;
  for (const Index i : ties_) least = std::min(least, ratio(i));
  std::erase_if(ties_, [&](Index i) { return ratio(i) > least + perturbation_tie * std::abs(least); });
  const auto pivot_size = [&](Index i) { return i == none ? infinity : std::abs(T_(i, s)); };
  for (const Index i : ties_) {
    if (pivot_size(i) > pivot_size(ties_.front())) ties_.front() = i;
  }
}

// Reflects a basic z with two bounds: measures it from the other bound.
void LemkeTableau::reflect_row(Index r) {
  const std::size_t variable = row_variable_[static_cast<std::size_t>(r)];
  T_.row(r) = -T_.row(r);
  T_(r, 0) += width_[static_cast<Index>(variable)];
  const Index slack = -position_[complement(variable)];
  T_.col(slack) = -T_.col(slack);
  toggle_reflected(static_cast<Index>(variable));
}

// Reflects a nonbasic z, whose w is nonbasic too.
void LemkeTableau::reflect_column(Index s) {
  const std::size_t variable = column_variable_[static_cast<std::size_t>(s)];
  T_.col(0) += width_[static_cast<Index>(variable)] * T_.col(s);
  T_.col(s) = -T_.col(s);
  const Index slack = -position_[complement(variable)];
  T_.col(slack) = -T_.col(slack);
  toggle_reflected(static_cast<Index>(variable));
}

void LemkeTableau::swap_basis(Index r, Index s) {
  exchange(T_, m_ + 3, r, s, scratch_);
  std::size_t& basic = row_variable_[static_cast<std::size_t>(r)];
  std::size_t& nonbasic = column_variable_[static_cast<std::size_t>(s)];
  std::swap(basic, nonbasic);
  position_[basic] = r;
  position_[nonbasic] = -s;
  hash_ ^= BasisMemory::key(basic) ^ BasisMemory::key(nonbasic);
}

void LemkeTableau::toggle_reflected(Index pair) {
  reflected_[static_cast<std::size_t>(pair)] ^= 1;
  hash_ ^= BasisMemory::key(static_cast<std::size_t>(2 * m_ + 1 + pair));
}

double LemkeTableau::value(std::size_t variable) const {
  const Index place = position_[variable];
  return coordinate(variable, place >= 0 ? T_(place, 0) : 0.0);
}

// The variable without reflections, from its value in the dictionary.
double LemkeTableau::coordinate(std::size_t variable, double current) const {
  if (variable == artificial_label() || !reflected(pair_of(variable))) return current;
  return variable < static_cast<std::size_t>(m_) ? width_[static_cast<Index>(variable)] - current : -current;
}

double LemkeTableau::ray(Index pair) const {
  const std::size_t variable = label(pair, false);
  if (variable == driving_) return 1.0;
  const Index place = position_[variable];
  return place >= 0 ? T_(place, -position_[driving_]) : 0.0;
}

}  // namespace slipstick::internal
