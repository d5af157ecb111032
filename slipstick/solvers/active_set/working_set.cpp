// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/working_set.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick {

void WorkingSet::prepare(const Problem& problem, const Ruler& ruler) {
  unknowns_ = problem.b.size();
  const Index rows = problem.rows ? problem.rows->G->rows() : 0;
  const Index count = unknowns_ + rows;
  for (Vector* vector : {&lower_, &upper_, &value_scale_, &force_scale_}) vector->resize(count);
  side_.assign(static_cast<std::size_t>(count), 0);
  lower_.head(unknowns_) = problem.K.lower();
  upper_.head(unknowns_) = problem.K.upper();
  value_scale_.head(unknowns_) = ruler.scale();
  force_scale_.head(unknowns_).setOnes();
  for (Index i = 0; i < rows; ++i) {
    // As in the ruler: ||G_i|| / sum_j G_ij^2 / d_j and ||G_i||.
    double delta = 0.0;
    double squared_length = 0.0;
    for (CsrMatrix::InnerIterator it(*problem.rows->G, i); it; ++it) {
      delta += it.value() * it.value() / ruler.scale()[it.col()];
      squared_length += it.value() * it.value();
    }
    lower_[unknowns_ + i] = problem.rows->lower[i];
    upper_[unknowns_ + i] = problem.rows->upper[i];
    force_scale_[unknowns_ + i] = delta > 0.0 ? std::sqrt(squared_length) : 1.0;
    value_scale_[unknowns_ + i] = delta > 0.0 ? force_scale_[unknowns_ + i] / delta : 1.0;
  }
}

Index WorkingSet::held() const {
  return std::count_if(side_.begin(), side_.end(), [](signed char side) { return side != 0; });
}

void WorkingSet::hold_touching(ConstVectorView values, double band) {
  for (Index k = 0; k < size(); ++k) {
    const bool low = value_scale_[k] * (values[k] - lower_[k]) <= band;
    const bool high = value_scale_[k] * (upper_[k] - values[k]) <= band;
    set_side(k, is_equality(k) || low ? -1 : high ? 1 : 0);
  }
}

void WorkingSet::hold_predicted(ConstVectorView values, ConstVectorView forces) {
  for (Index k = 0; k < size(); ++k) {
    const double moved = values[k] - forces[k] * force_scale_[k] / value_scale_[k];
    const bool bound_of_x = k < unknowns_;
    const bool low = bound_of_x ? moved <= lower_[k] : moved < lower_[k];
    const bool high = bound_of_x ? moved >= upper_[k] : moved > upper_[k];
    set_side(k, is_equality(k) || low ? -1 : high ? 1 : 0);
  }
}

int WorkingSet::wanted_side(Index k, double value, double force, double band) const {
  if (is_equality(k)) return -1;
  const int now = side(k);
  if (now == 0) {
    if (value_scale_[k] * (lower_[k] - value) > band) return -1;
    return value_scale_[k] * (value - upper_[k]) > band ? 1 : 0;
  }
  // The force as it should be is positive, at either bound.
  return -now * force * force_scale_[k] >= -band ? now : 0;
}

Index WorkingSet::revise(ConstVectorView values, ConstVectorView forces, double band, Move move) {
  Index wrong = 0;
  for (Index k = 0; k < size(); ++k) {
    const int wanted = wanted_side(k, values[k], forces[k], band);
    if (wanted == side(k)) continue;
    if (move == Move::all || (move == Move::first && wrong == 0)) set_side(k, wanted);
    ++wrong;
  }
  return wrong;
}

std::uint64_t WorkingSet::fingerprint() const {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const signed char side : side_) {
    hash = (hash ^ static_cast<std::uint64_t>(side + 1)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace slipstick
