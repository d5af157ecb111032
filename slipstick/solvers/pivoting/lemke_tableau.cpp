// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/lemke_tableau.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

// Smaller entries, relative to the largest entry of a column, are rounding and not pivots.
constexpr double pivot_tolerance = 1e-11;
// Ratios closer than this, relative to the size of the constants, count as equal.
constexpr double tie_tolerance = 1e-13;

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
  T_.resize(m_, m_ + 2);
  T_.col(0) = q;
  T_.middleCols(1, m_) = M;
  T_.col(m_ + 1).setZero();
  scratch_.resize(m_);
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
  initial_basis_ = row_variable_;
  const double size = m_ > 0 ? T_.col(0).cwiseAbs().maxCoeff() : 0.0;
  Index row = -1;
  double most_negative = -1e-14 * size;
  for (Index i = 0; i < m_; ++i) {
    // The last of equal rows is the lexicographic minimum of (q_i, e_i) / d_i.
    if (T_(i, 0) / d[i] <= most_negative && T_(i, 0) < 0.0) {
      most_negative = T_(i, 0) / d[i];
      row = i;
    }
  }
  if (row < 0) return false;
  T_.col(m_ + 1) = d;
  driving_ = complement(row_variable_[static_cast<std::size_t>(row)]);
  swap_basis(row, m_ + 1);
  return true;
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
    return Outcome::pivoted;
  }
  if (T_(r, s) > 0.0) reflect_row(r);
  const std::size_t leaving = row_variable_[static_cast<std::size_t>(r)];
  swap_basis(r, s);
  if (leaving == artificial_label()) return Outcome::solved;
  driving_ = complement(leaving);
  return Outcome::pivoted;
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

// Leaves in ties_ the row that comes first if the constants are perturbed by (e, e^2, e^3, ...) in the
// initial basis. If an initial basic variable is nonbasic now, its perturbation of the constants is minus its
// own column. If it is still basic, its perturbation is a unit vector. Reflected variables have the opposite
// sign. The driving variable's own bound is not perturbed.
void LemkeTableau::break_ties(Index s) {
  for (std::size_t k = 0; k < initial_basis_.size() && ties_.size() > 1; ++k) {
    const Index place = position_[initial_basis_[k]];
    const double sign = reflected(pair_of(initial_basis_[k])) ? -1.0 : 1.0;
    const auto ratio = [&](Index i) {
      if (i == none) return 0.0;
      const double perturbation = place >= 0 ? (place == i ? 1.0 : 0.0) : -T_(i, -place);
      return sign * perturbation / -T_(i, s);
    };
    double least = infinity, size = 0.0;
    for (const Index i : ties_) {
      least = std::min(least, ratio(i));
      size = std::max(size, std::abs(ratio(i)));
    }
    std::erase_if(ties_, [&](Index i) { return ratio(i) > least + 1e-12 * size; });
  }
}

// Reflects a basic z with two bounds: measures it from the other bound.
void LemkeTableau::reflect_row(Index r) {
  const std::size_t variable = row_variable_[static_cast<std::size_t>(r)];
  T_.row(r) = -T_.row(r);
  T_(r, 0) += width_[static_cast<Index>(variable)];
  const Index slack = -position_[complement(variable)];
  T_.col(slack) = -T_.col(slack);
  reflected_[variable] ^= 1;
}

// Reflects a nonbasic z, whose w is nonbasic too.
void LemkeTableau::reflect_column(Index s) {
  const std::size_t variable = column_variable_[static_cast<std::size_t>(s)];
  T_.col(0) += width_[static_cast<Index>(variable)] * T_.col(s);
  T_.col(s) = -T_.col(s);
  const Index slack = -position_[complement(variable)];
  T_.col(slack) = -T_.col(slack);
  reflected_[variable] ^= 1;
}

void LemkeTableau::swap_basis(Index r, Index s) {
  exchange(T_, m_ + 2, r, s, scratch_);
  std::size_t& basic = row_variable_[static_cast<std::size_t>(r)];
  std::size_t& nonbasic = column_variable_[static_cast<std::size_t>(s)];
  std::swap(basic, nonbasic);
  position_[basic] = r;
  position_[nonbasic] = -s;
}

// The value of the variable without reflections.
double LemkeTableau::value(std::size_t variable) const {
  const Index place = position_[variable];
  const double current = place >= 0 ? T_(place, 0) : 0.0;
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
