// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "slipstick/measures/measures.hpp"

namespace slipstick {
namespace {

double clamp(double value, double low, double high) {
  return std::min(std::max(value, low), high);
}

// Relative error with 0/0 = 0.
double ratio(double error, double norm) {
  return error == 0.0 ? 0.0 : error / norm;
}

}  // namespace

void Ruler::prepare(const Problem& problem) {
  problem_ = &problem;
  const Index n = problem.b.size();
  scale_.resize(n);
  problem.A.diagonal(scale_);
  Index largest_block = 0;
  for (const SetBlock& block : problem.K.blocks()) {
    if (block.kind == SetKind::cone || block.kind == SetKind::diamond || block.kind == SetKind::disk) {
      scale_.segment(block.start, block.size).setConstant(scale_.segment(block.start, block.size).mean());
      largest_block = std::max(largest_block, block.size);
    }
  }
  block_.resize(largest_block);
  for (double& d : scale_) d = d > 0.0 ? d : 1.0;

  double squared = problem.b.squaredNorm();
  if (problem.rows) {
    const CsrMatrix& G = *problem.rows->G;
    activity_.resize(G.rows());
    row_delta_.resize(G.rows());
    row_weight_.resize(G.rows());
    for (Index i = 0; i < G.rows(); ++i) {
      double delta = 0.0;
      double length = 0.0;
      for (CsrMatrix::InnerIterator it(G, i); it; ++it) {
        delta += it.value() * it.value() / scale_[it.col()];
        length += it.value() * it.value();
      }
      row_delta_[i] = delta > 0.0 ? delta : 1.0;
      row_weight_[i] = delta > 0.0 ? std::sqrt(length) / delta : 1.0;
      const double nearest = clamp(0.0, problem.rows->lower[i], problem.rows->upper[i]);
      squared += row_weight_[i] * nearest * row_weight_[i] * nearest;
    }
  }
  norm_ = std::sqrt(squared);
  if (norm_ == 0.0 && problem.K.is_box()) {
    // b = 0 and perhaps bounds that exclude the origin: the b of the problem shifted to the nearest point of
    // K.
    Vector nearest = Vector::Zero(n);
    problem.K.project(nearest);
    if (nearest.squaredNorm() > 0.0) {
      Vector shifted(n);
      problem.A.multiply(nearest, shifted);
      norm_ = shifted.norm();
    }
  }
}

double Ruler::operator()(ConstVectorView x, ConstVectorView w) const {
  const ProductSet& K = problem_->K;
  double squared = 0.0;
  if (K.is_box()) {
    const double* lower = K.lower().data();
    const double* upper = K.upper().data();
    for (Index i = 0; i < x.size(); ++i) {
      // d e = w between the bounds, and d (x - bound) where the step would pass one.
      const double step = clamp(x[i] - w[i] / scale_[i], lower[i], upper[i]);
      const bool inside = step > lower[i] && step < upper[i];
      const double e = inside ? w[i] : scale_[i] * (x[i] - step);
      squared += e * e;
    }
  } else {
    for (const SetBlock& block : K.blocks()) {
      if (block.kind == SetKind::cone || block.kind == SetKind::diamond || block.kind == SetKind::disk) {
        auto step = block_.head(block.size);
        const double d = scale_[block.start];
        step = x.segment(block.start, block.size) - w.segment(block.start, block.size) / d;
        project(K, block, step);
        squared += d * d * (x.segment(block.start, block.size) - step).squaredNorm();
        continue;
      }
      for (Index i = block.start; i < block.start + block.size; ++i) {
        const double e = x[i] - clamp(x[i] - w[i] / scale_[i], K.lower()[i], K.upper()[i]);
        squared += scale_[i] * e * scale_[i] * e;
      }
    }
  }
  return ratio(std::sqrt(squared), norm_);
}

double Ruler::operator()(ConstVectorView x, ConstVectorView w, ConstVectorView multipliers) const {
  double error = (*this)(x, w) * (norm_ > 0.0 ? norm_ : 1.0);
  double squared = error * error;
  if (problem_->rows) {
    multiply(*problem_->rows->G, x, activity_);
    for (Index i = 0; i < activity_.size(); ++i) {
      const double step = activity_[i] - row_delta_[i] * multipliers[i];
      const double rho = activity_[i] - clamp(step, problem_->rows->lower[i], problem_->rows->upper[i]);
      squared += row_weight_[i] * rho * row_weight_[i] * rho;
    }
  }
  return ratio(std::sqrt(squared), norm_);
}

}  // namespace slipstick
