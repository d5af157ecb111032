// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/natural_map.hpp"

namespace slipstick::detail {

namespace {

// Two ways to write the same; the smaller of x and w / d is not rounded away.
template <class X, class W, class Projected>
void error_from_projection(const X& x, const W& w, double d, Projected&& projected) {
  if (x.squaredNorm() * d * d <= w.squaredNorm()) {
    projected = d * (x - projected);
  } else {
    projected = w + d * ((x - w / d) - projected);
  }
}

template <int Rows>
void cone_error(double mu, const double* x_rows, const double* w_rows, double d, double* error_rows) {
  using Point = Eigen::Matrix<double, Rows, 1>;
  const Point x = Eigen::Map<const Point>(x_rows);
  const Point w = Eigen::Map<const Point>(w_rows);
  Point error = x - w / d;
  project_on_cone<Rows>(mu, error.data());
  error_from_projection(x, w, d, error);
  Eigen::Map<Point>{error_rows} = error;
}

}  // namespace

void block_error(const ProductSet& K, const SetBlock& block, ConstVectorView x, ConstVectorView w, double d,
                 VectorView error) {
  if (block.kind == SetKind::cone && block.size == 3)
    return cone_error<3>(block.parameter, x.data(), w.data(), d, error.data());
  if (block.kind == SetKind::cone && block.size == 2)
    return cone_error<2>(block.parameter, x.data(), w.data(), d, error.data());
  error = x - w / d;
  project(K, block, error);
  error_from_projection(x, w, d, error);
}

void keep_worst(std::vector<WorstRow>& rows, Index k) {
  const Index count = std::clamp<Index>(k, 0, static_cast<Index>(rows.size()));
  std::partial_sort(rows.begin(), rows.begin() + count, rows.end(), [](const WorstRow& a, const WorstRow& b) {
    return a.error != b.error ? a.error > b.error : a.index < b.index;
  });
  rows.resize(static_cast<std::size_t>(count));
}

}  // namespace slipstick::detail
