// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/ruler.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "slipstick/measures/natural_map.hpp"

namespace slipstick::internal {

using namespace detail;

void Ruler::prepare(const Problem& problem) {
  problem_ = &problem;
  const Index n = problem.b.size();
  scale_.resize(n);
  problem.A.diagonal(scale_);
  diagonal_ = scale_;
  Index largest_block = 0;
  for (const SetBlock& block : problem.K.blocks()) {
    if (has_independent_rows(block)) continue;
    scale_.segment(block.start, block.size).setConstant(scale_.segment(block.start, block.size).mean());
    largest_block = std::max(largest_block, block.size);
  }
  block_.resize(largest_block);
  for (double& d : scale_) d = ruler_scale(d);

  norm_ = problem.b.stableNorm();
  if (problem.rows) prepare_rows(*problem.rows);
  if (norm_ == 0.0 && problem.K.is_box()) {
    // Bounds may exclude the origin: the b of the problem shifted to the nearest point of K.
    nearest_.setZero(n);
    problem.K.project(nearest_);
    shifted_.resize(n);
    problem.A.multiply(nearest_, shifted_);
    norm_ = shifted_.stableNorm();
    if (problem.rows) norm_ = std::hypot(norm_, distance_of_rows(*problem.rows, nearest_));
  }
  if (norm_ > 0.0) norm_ = std::max(norm_, std::numeric_limits<double>::min());
}

void Ruler::prepare_rows(const LinearRows& rows) {
  const CsrMatrix& G = *rows.G;
  activity_.resize(G.rows());
  row_length_.resize(G.rows());
  row_weight_.resize(G.rows());
  for (Index i = 0; i < G.rows(); ++i) {
    double delta = 0.0;
    double squared_length = 0.0;
    for (CsrMatrix::InnerIterator it(G, i); it; ++it) {
      delta += it.value() * it.value() / scale_[it.col()];
      squared_length += it.value() * it.value();
    }
    row_length_[i] = delta > 0.0 ? std::sqrt(squared_length) : 1.0;
    row_weight_[i] = delta > 0.0 ? row_length_[i] / delta : 1.0;
    activity_[i] = row_weight_[i] * clamp(0.0, rows.lower[i], rows.upper[i]);
  }
  norm_ = std::hypot(norm_, activity_.stableNorm());
}

double Ruler::distance_of_rows(const LinearRows& rows, const Vector& x) {
  multiply(*rows.G, x, activity_);
  for (Index i = 0; i < activity_.size(); ++i)
    activity_[i] = row_weight_[i] * (activity_[i] - clamp(activity_[i], rows.lower[i], rows.upper[i]));
  return activity_.stableNorm();
}

double Ruler::operator()(ConstVectorView x, ConstVectorView w) const {
  assert(x.size() == scale_.size() && w.size() == scale_.size());
  return error_of(share(problem_->K.blocks(), x, w));
}

double Ruler::share(std::span<const SetBlock> blocks, ConstVectorView x, ConstVectorView w) const {
  return squared_natural_map(problem_->K, blocks, x, w, scale_, weight(), block_);
}

double Ruler::operator()(ConstVectorView x, ConstVectorView w, ConstVectorView multipliers) const {
  assert(x.size() == scale_.size() && w.size() == scale_.size());
  if (!all_finite(multipliers)) return Measures::undefined;
  double squared = share(problem_->K.blocks(), x, w);
  if (problem_->rows) {
    assert(multipliers.size() == activity_.size());
    multiply(*problem_->rows->G, x, activity_);
    for (Index i = 0; i < activity_.size(); ++i) {
      const double error = row_error(activity_[i], row_length_[i] * multipliers[i], row_weight_[i],
                                     problem_->rows->lower[i], problem_->rows->upper[i]);
      squared += (weight() * error) * (weight() * error);
    }
  }
  return error_of(squared);
}

double Ruler::natural_map(ConstVectorView x, ConstVectorView w, double d) const {
  constant_.setConstant(x.size(), d);
  return std::sqrt(squared_natural_map(problem_->K, problem_->K.blocks(), x, w, constant_, 1.0, block_));
}

}  // namespace slipstick::internal
