// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/natural_map.hpp"

namespace slipstick::internal::detail {

void block_error(const ProductSet& K, const SetBlock& block, ConstVectorView x, ConstVectorView w, double d,
                 VectorView error) {
  error = x - w / d;
  project(K, block, error);
  // Two ways to write the same; the smaller of x and w / d is not rounded away.
  if (x.squaredNorm() * d * d <= w.squaredNorm()) {
    error = d * (x - error);
  } else {
    error = w + d * ((x - w / d) - error);
  }
}

double squared_natural_map(const ProductSet& K, std::span<const SetBlock> blocks, ConstVectorView x,
                           ConstVectorView w, const Vector& scale, double weight, VectorView scratch) {
  if (blocks.empty()) return 0.0;
  if (K.is_box()) {
    const RowRange range = rows_of(blocks);
    const auto rows = [&](const auto& vector) { return vector.segment(range.start, range.size); };
    const auto lower = K.lower();
    const auto upper = K.upper();
    return poison(rows(x).sum() + rows(w).sum()) +
           (weight * box_error(rows(x), rows(w), rows(scale), rows(lower), rows(upper))).squaredNorm();
  }
  Pack squared = {}, sum = {};
  const auto on_cones = [&]<int Contacts, int Rows>(const SetBlock* cones) {
    using Points = ConePoints<Contacts>;
    const Index start = cones[0].start;
    const Points x_rows = Points::template load<Rows>(x.data() + start);
    const Points w_rows = Points::template load<Rows>(w.data() + start);
    const Lane<Contacts> all = Lane<Contacts>{} + weight;
    const Lane<Contacts> d = all * lane_of<Contacts>([&](Index i) { return scale[start + Rows * i]; });
    sum += first_lane((x_rows + w_rows).sum());
    squared += first_lane(squared_cone_error(friction_of<Contacts>(cones), x_rows, all * w_rows, d));
  };
  const auto on_other = [&](const SetBlock& block) {
    const auto rows = [&](const auto& vector) { return vector.segment(block.start, block.size); };
    sum += first_lane(rows(x).sum() + rows(w).sum());
    if (rows_depend(block.kind)) {
      auto error = scratch.head(block.size);
      block_error(K, block, rows(x), rows(w), scale[block.start], error);
      squared += first_lane((weight * error).squaredNorm());
    } else {
      const auto lower = K.lower();
      const auto upper = K.upper();
      squared += first_lane(
          (weight * box_error(rows(x), rows(w), rows(scale), rows(lower), rows(upper))).squaredNorm());
    }
  };
  visit_cones(blocks, on_cones, on_other);
  return poison(sum_of(sum)) + sum_of(squared);
}

void keep_worst(std::vector<WorstRow>& rows, Index k) {
  const Index count = std::clamp<Index>(k, 0, static_cast<Index>(rows.size()));
  std::partial_sort(rows.begin(), rows.begin() + count, rows.end(), [](const WorstRow& a, const WorstRow& b) {
    return a.error != b.error ? a.error > b.error : a.index < b.index;
  });
  rows.resize(static_cast<std::size_t>(count));
}

}  // namespace slipstick::internal::detail
