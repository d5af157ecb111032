// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/packed_ruler.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "slipstick/measures/natural_map.hpp"

namespace slipstick {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Index pack = PackedMatrix::pack;
typedef double Pack __attribute__((vector_size(pack * sizeof(double))));

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

[[gnu::always_inline]] inline Pack load(const double* from) {
  Pack value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
[[gnu::always_inline]] inline Pack smaller(Pack a, Pack b) {
  return a < b ? a : b;
}
[[gnu::always_inline]] inline Pack larger(Pack a, Pack b) {
  return a > b ? a : b;
}
[[gnu::always_inline]] inline double sum(Pack a) {
  return (a[0] + a[2]) + (a[1] + a[3]);
}

}  // namespace

struct PackedRuler::Sums {
  Pack scaled = {}, natural = {}, heyn = {}, gap = {}, gradient = {}, energy = {}, largest_energy = {};
  Pack objective = {}, looked_at = {};
  // Of the survey: rows without bounds, and the others.
  Pack survey = {}, equality = {}, complementarity = {}, negative = {}, free_load = {}, bounded_load = {};
};

void PackedRuler::prepare(const Problem& problem) {
  assert(problem.K.is_box() && !problem.rows);
  if (!matrix_.holds(problem.A)) matrix_.load(problem.A);
  const Index n = matrix_.rows();
  const auto padded = static_cast<std::size_t>(std::max(pack, matrix_.stride()));
  for (auto* values : {&lower_, &far_below_, &far_above_, &bounded_}) values->assign(padded, 0.0);
  for (auto* values : {&scale_, &moving_}) values->assign(padded, 1.0);
  half_inverse_scale_.assign(padded, 0.5);
  upper_.assign(padded, infinity);
  double sum_of_scales = 0.0;
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double lower = lower_[k] = problem.K.lower()[i];
    const double upper = upper_[k] = problem.K.upper()[i];
    const bool has_lower = lower > -infinity, has_upper = upper < infinity;
    if (matrix_.diagonal(i) > 0.0) scale_[k] = matrix_.diagonal(i);
    half_inverse_scale_[k] = 0.5 / scale_[k];
    sum_of_scales += scale_[k];
    far_below_[k] = has_lower ? lower : has_upper ? upper : 0.0;
    far_above_[k] = has_upper ? upper : far_below_[k];
    moving_[k] = lower == upper ? 0.0 : 1.0;
    bounded_[k] = has_lower || has_upper ? 1.0 : 0.0;
  }
  share_ = n > 0 ? 1.0 / static_cast<double>(n) : 0.0;
  mean_ = n > 0 ? sum_of_scales / static_cast<double>(n) : 1.0;
  constant_ = problem.constant;
  symmetric_ = problem.symmetric;
  orthant_ = problem.K.is_nonnegative_orthant();
  mixed_orthant_ = detail::is_mixed_orthant(problem.K);
}

void PackedRuler::measure(const double* x, const double* b, double norm, double* w, Measures& m) const {
  matrix_.multiply_add(x, b, w);
  if (mixed_orthant_) {
    measure_packs<true>(x, b, norm, w, m);
  } else {
    measure_packs<false>(x, b, norm, w, m);
  }
}

template <bool mixed>
void PackedRuler::measure_packs(const double* x, const double* b, double norm, const double* w,
                                Measures& m) const {
  const double weight = 1.0 / norm;
  Sums s;
  add_pack<mixed>(0, x, b, w, weight, s);
  for (Index i = pack; i < stride(); i += pack) add_pack<mixed>(i, x, b, w, weight, s);

  m = {};
  m.scaled_natural_map = std::sqrt(sum(s.scaled)) + detail::poison(sum(s.looked_at));
  if (std::isnan(m.scaled_natural_map)) return;
  if (symmetric_) m.objective = sum(s.objective) + constant_;
  m.natural_map = std::sqrt(sum(s.natural));
  m.natural_map_relative = weight * m.natural_map;
  m.heyn = std::sqrt(sum(s.heyn));
  m.complementarity_gap = sum(s.gap);
  m.projected_gradient = std::sqrt(sum(s.gradient));
  m.energy_sum = sum(s.energy);
  m.energy_max = std::max(std::max(s.largest_energy[0], s.largest_energy[1]),
                          std::max(s.largest_energy[2], s.largest_energy[3]));
  m.energy_mean = share_ * m.energy_sum;
  if constexpr (mixed) {
    const double by_load = 1.0 + std::sqrt(sum(s.bounded_load));
    m.mixed = std::sqrt(std::max(sum(s.complementarity), sum(s.negative))) / by_load;
    if (orthant_) {
      m.survey = sum(s.survey);
    } else {
      m.mixed = std::max(std::sqrt(sum(s.equality)) / (1.0 + std::sqrt(sum(s.free_load))), m.mixed);
    }
  }
}

template <bool mixed>
[[gnu::always_inline]] inline void PackedRuler::add_pack(Index i, const double* x_rows, const double* b_rows,
                                                         const double* w_rows, double weight, Sums& s) const {
  const Pack zero = {};
  const Pack x = load(x_rows + i), w = load(w_rows + i), b = load(b_rows + i);
  const Pack lower = load(lower_.data() + i), upper = load(upper_.data() + i);
  const Pack d = load(scale_.data() + i);
  const Pack below = x - lower, above = x - upper;
  // d (x - P(x - w / d)), see natural_map.hpp.
  const Pack force = smaller(larger(w, d * above), d * below);
  const Pack by_one = smaller(larger(w, above), below);
  const Pack by_mean = smaller(larger(w, mean_ * above), mean_ * below);
  const Pack energy = force * force * load(half_inverse_scale_.data() + i);
  s.looked_at += x + w;
  s.scaled += (weight * force) * (weight * force);
  s.natural += by_one * by_one;
  s.heyn += by_mean * by_mean;
  s.energy += energy;
  s.largest_energy = larger(s.largest_energy, energy);
  s.objective += 0.5 * x * (w + b);
  const Pack gap = w > zero ? w * (x - load(far_below_.data() + i)) : w * (x - load(far_above_.data() + i));
  s.gap += larger(gap, -gap);
  const Pack outside = larger(above, zero) - larger(-below, zero);
  Pack gradient = below <= zero ? smaller(w, zero) : w;
  gradient = load(moving_.data() + i) * (above >= zero ? larger(gradient, zero) : gradient);
  s.gradient += gradient * gradient + outside * outside;
  if constexpr (mixed) {
    const Pack bounded = load(bounded_.data() + i), without = 1.0 - bounded;
    const Pack product = x * w, least = smaller(x, w), wrong = smaller(w, zero), squared = b * b;
    s.survey += larger(product, -product) - smaller(x, zero) - wrong;
    s.equality += without * w * w;
    s.complementarity += bounded * least * least;
    s.negative += bounded * wrong * wrong;
    s.free_load += without * squared;
    s.bounded_load += bounded * squared;
  }
}

#pragma GCC diagnostic pop

}  // namespace slipstick
