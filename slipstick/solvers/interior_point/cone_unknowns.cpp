// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/cone_unknowns.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {

void ConeUnknowns::prepare(const Problem& problem, const Vector& d) {
  const Index n = problem.b.size();
  blocks_.clear();
  cones_.clear();
  bounds_.clear();
  rows_.clear();
  for (Vector* vector : {&offset_, &scale_, &width_, &fixed_}) vector->resize(n);
  fixed_.setZero();
  for (const SetBlock& block : problem.K.blocks()) {
    if (block.kind == SetKind::cone) {
      add_cone(block, d);
    } else {
      add_rows(problem.K, block, d);
    }
  }
}

void ConeUnknowns::add_unknown(Index row, double offset, double scale, double width) {
  const Index k = size();
  rows_.push_back(static_cast<int>(row));
  offset_[k] = offset;
  scale_[k] = scale;
  width_[k] = width;
}

void ConeUnknowns::add_cone(const SetBlock& block, const Vector& d) {
  const double unit = 1.0 / std::sqrt(d[block.start]);
  const int start = static_cast<int>(size());
  add_unknown(block.start, 0.0, unit, 0.0);
  if (block.parameter == 0.0) {
    blocks_.push_back({start, 1});
    bounds_.push_back({start, 1.0});
    return;
  }
  for (Index k = 1; k < block.size; ++k) add_unknown(block.start + k, 0.0, unit * block.parameter, 0.0);
  blocks_.push_back({start, static_cast<int>(block.size)});
  cones_.push_back(blocks_.back());
}

void ConeUnknowns::add_rows(const ProductSet& K, const SetBlock& block, const Vector& d) {
  for (Index i = block.start; i < block.start + block.size; ++i) {
    const double lower = K.lower()[i];
    const double upper = K.upper()[i];
    if (lower == upper) {
      fixed_[i] = lower;
      continue;
    }
    const double unit = 1.0 / std::sqrt(d[i]);
    const int k = static_cast<int>(size());
    blocks_.push_back({k, 1});
    const bool from_below = std::isfinite(lower);
    const bool from_above = std::isfinite(upper);
    const double offset = from_below ? lower : from_above ? upper : 0.0;
    const bool flipped = from_above && !from_below;
    add_unknown(i, offset, flipped ? -unit : unit, from_below && from_above ? (upper - lower) / unit : 0.0);
    if (from_below || from_above) bounds_.push_back({k, 1.0});
    if (from_below && from_above) bounds_.push_back({k, -1.0});
  }
}

double ConeUnknowns::move_inside(Index unknown, double sign, double margin, Vector& y) const {
  const double width = width_[unknown];
  double& value = y[unknown];
  if (!(width > 0.0)) return value = std::max(value, margin);
  const double inside = std::min(margin, 0.5 * width);
  value = std::clamp(value, inside, width - inside);
  return sign > 0.0 ? value : width - value;
}

double ConeUnknowns::nearby_gap(const Vector& y, const Vector& g) const {
  constexpr double least = 1e-20;  // least tau, relative to the mean square of y - g
  double error = 0.0, size = 0.0;
  auto bound = bounds_.begin();
  for (const Block& block : blocks_) {
    const Index k = block.start;
    if (block.size > 1) {
      const ConePoint t = segment(y, block) - segment(g, block);
      error += (segment(y, block) - smoothed_projection(t, 0.0)).squaredNorm();
      size += t.squaredNorm();
    } else if (bound != bounds_.end() && bound->unknown == k) {
      const double t = y[k] - g[k];
      const double apart = y[k] - std::max(0.0, width_[k] > 0.0 ? std::min(t, width_[k]) : t);
      error += apart * apart;
      size += t * t;
      while (bound != bounds_.end() && bound->unknown == k) ++bound;
    } else {
      error += g[k] * g[k];
    }
  }
  const double count = static_cast<double>(std::max<std::size_t>(1, cones_.size() + bounds_.size()));
  return std::max(error, least * size) / count;
}

void ConeUnknowns::to_unknowns(const Vector& x, Vector& y) const {
  for (Index k = 0; k < size(); ++k) y[k] = (x[rows_[k]] - offset_[k]) / scale_[k];
}

void ConeUnknowns::to_rows(const Vector& y, Vector& x) const {
  x = fixed_;
  for (Index k = 0; k < size(); ++k) x[rows_[k]] = offset_[k] + scale_[k] * y[k];
}

void ConeUnknowns::gather(const Vector& w, Vector& g) const {
  for (Index k = 0; k < size(); ++k) g[k] = scale_[k] * w[rows_[k]];
}

void ConeUnknowns::scatter(const Vector& y, Vector& x) const {
  x.setZero();
  for (Index k = 0; k < size(); ++k) x[rows_[k]] = scale_[k] * y[k];
}

void BarrierTerms::resize(const ConeUnknowns& unknowns) {
  frames.resize(unknowns.cones().size());
  squares.resize(unknowns.size());
}

void BarrierTerms::to_frame(const ConeUnknowns& unknowns, Vector& v) const {
  for (std::size_t c = 0; c < frames.size(); ++c) {
    const ConeUnknowns::Block& cone = unknowns.cones()[c];
    ConeUnknowns::set_segment(v, cone, frames[c].transpose() * ConeUnknowns::segment(v, cone));
  }
}

void BarrierTerms::from_frame(const ConeUnknowns& unknowns, Vector& v) const {
  for (std::size_t c = 0; c < frames.size(); ++c) {
    const ConeUnknowns::Block& cone = unknowns.cones()[c];
    ConeUnknowns::set_segment(v, cone, frames[c] * ConeUnknowns::segment(v, cone));
  }
}

}  // namespace slipstick::internal
