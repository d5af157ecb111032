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

namespace {

// The squared natural map of independent rows, four at a time.
double squared_box_error(const ProductSet& K, Index start, Index size, ConstVectorView x, ConstVectorView w,
                         const Vector& scale, double weight) {
  const double *const lower = K.lower().data(), *const upper = K.upper().data();
  const auto add = [&]<class Number>(const auto& load, Index i, Number& sum, Number& squared) {
    const Number x_rows = load(x.data() + i), w_rows = load(w.data() + i), d = load(scale.data() + i);
    const Number error =
        weight * smaller(larger(w_rows, d * (x_rows - load(upper + i))), d * (x_rows - load(lower + i)));
    sum += x_rows + w_rows;
    squared += error * error;
  };
  Pack pack_sum = {}, pack_squared = {};
  Index i = start, end = start + size;
  for (; i + pack_size <= end; i += pack_size)
    add([](const double* from) { return load_pack(from); }, i, pack_sum, pack_squared);
  double sum = sum_of(pack_sum), squared = sum_of(pack_squared);
  for (; i < end; ++i) add([](const double* from) { return *from; }, i, sum, squared);
  return poison(sum) + squared;
}

}  // namespace

double squared_natural_map(const ProductSet& K, std::span<const SetBlock> blocks, ConstVectorView x,
                           ConstVectorView w, const Vector& scale, double weight, VectorView scratch) {
  if (blocks.empty()) return 0.0;
  if (K.is_box()) {
    const RowRange range = rows_of(blocks);
    return squared_box_error(K, range.start, range.size, x, w, scale, weight);
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
    if (has_independent_rows(block)) {
      squared += first_lane(squared_box_error(K, block.start, block.size, x, w, scale, weight));
      return;
    }
    const auto rows = [&](const auto& vector) { return vector.segment(block.start, block.size); };
    auto error = scratch.head(block.size);
    block_error(K, block, rows(x), rows(w), scale[block.start], error);
    sum += first_lane(rows(x).sum() + rows(w).sum());
    squared += first_lane((weight * error).squaredNorm());
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
