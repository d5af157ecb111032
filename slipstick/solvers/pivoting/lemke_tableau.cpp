// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/pivoting/lemke_tableau.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace slipstick {
namespace {

// Relative to the largest entry of a column: smaller ones are rounding, not pivots.
constexpr double pivot_tolerance = 1e-11;
// Ratios closer than this, relative to the size of the constants, count as equal.
constexpr double tie_tolerance = 1e-13;

}  // namespace

void exchange(DenseMatrix& T, Index columns, Index r, Index s, Vector& scratch) {
  const double pivot = T(r, s);
  assert(pivot != 0.0);
  scratch = T.col(s);
  scratch[r] = 0.0;
  for (Index j = 0; j < columns; ++j) {
    if (j == s) continue;
    const double factor = -T(r, j) / pivot;
    if (factor != 0.0) T.col(j).noalias() += factor * scratch;
    T(r, j) = factor;
  }
  T.col(s) = scratch / pivot;
  T(r, s) = 1.0 / pivot;
}

void LemkeTableau::load(const DenseMatrix& M, const Vector& q) {
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
  ties_.resize(m);
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
  // Principal pivoting on the largest entry left among the rows and columns of the pairs.
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
  const std::size_t leaving = row_variable_[static_cast<std::size_t>(row)];
  swap_basis(row, m_ + 1);
  driving_ = leaving < static_cast<std::size_t>(m_) ? leaving + static_cast<std::size_t>(m_)
                                                    : leaving - static_cast<std::size_t>(m_);
  return true;
}

LemkeTableau::Outcome LemkeTableau::pivot() {
  const Index s = -position_[driving_];
  assert(s > 0);
  const Index r = choose_row(s);
  if (r < 0) return Outcome::ray;
  const std::size_t leaving = row_variable_[static_cast<std::size_t>(r)];
  swap_basis(r, s);
  if (leaving == artificial_label()) return Outcome::solved;
  const auto m = static_cast<std::size_t>(m_);
  driving_ = leaving < m ? leaving + m : leaving - m;
  return Outcome::pivoted;
}

// The ratio test: the row whose variable is the first to reach zero as the driving variable grows, -1 where
// none does.
Index LemkeTableau::choose_row(Index s) {
  const auto column = T_.col(s);
  const double largest = m_ > 0 ? column.cwiseAbs().maxCoeff() : 0.0;
  const double smallest_pivot = pivot_tolerance * largest;
  const double size = T_.col(0).cwiseAbs().maxCoeff();
  double step = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < m_; ++i) {
    if (column[i] < -smallest_pivot) step = std::min(step, std::max(T_(i, 0), 0.0) / -column[i]);
  }
  if (step == std::numeric_limits<double>::infinity()) return -1;

  ties_.clear();
  for (Index i = 0; i < m_; ++i) {
    if (!(column[i] < -smallest_pivot)) continue;
    if (std::max(T_(i, 0), 0.0) + column[i] * step > tie_tolerance * size) continue;
    // z_0 among the ties: a solution.
    if (row_variable_[static_cast<std::size_t>(i)] == artificial_label()) return i;
    ties_.push_back(i);
  }
  break_ties(s);
  return ties_.front();
}

// Leaves in ties_ the row that comes first when the constants are perturbed by (e, e^2, e^3, ...) in the
// initial basis: the constants' column of each initial basic variable is minus its own where it is nonbasic
// now, and a unit vector where it is basic.
void LemkeTableau::break_ties(Index s) {
  for (std::size_t k = 0; k < initial_basis_.size() && ties_.size() > 1; ++k) {
    const Index place = position_[initial_basis_[k]];
    const auto ratio = [&](Index i) {
      const double perturbation = place >= 0 ? (place == i ? 1.0 : 0.0) : -T_(i, -place);
      return perturbation / -T_(i, s);
    };
    double least = std::numeric_limits<double>::infinity();
    double size = 0.0;
    for (const Index i : ties_) {
      least = std::min(least, ratio(i));
      size = std::max(size, std::abs(ratio(i)));
    }
    std::size_t kept = 0;
    for (const Index i : ties_) {
      if (ratio(i) <= least + 1e-12 * size) ties_[kept++] = i;
    }
    ties_.resize(kept);
  }
}

void LemkeTableau::swap_basis(Index r, Index s) {
  exchange(T_, m_ + 2, r, s, scratch_);
  std::size_t& basic = row_variable_[static_cast<std::size_t>(r)];
  std::size_t& nonbasic = column_variable_[static_cast<std::size_t>(s)];
  std::swap(basic, nonbasic);
  position_[basic] = r;
  position_[nonbasic] = -s;
}

double LemkeTableau::value(std::size_t variable) const {
  const Index place = position_[variable];
  return place >= 0 ? T_(place, 0) : 0.0;
}

double LemkeTableau::ray(Index pair) const {
  const std::size_t variable = label(pair, false);
  if (variable == driving_) return 1.0;
  const Index place = position_[variable];
  return place >= 0 ? T_(place, -position_[driving_]) : 0.0;
}

}  // namespace slipstick
