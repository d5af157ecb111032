// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/packed_ruler.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/measures/natural_map.hpp"

namespace slipstick {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

struct PackedRuler::Sums {
  Pack force = {}, natural = {}, heyn = {}, gradient = {};  // squares
  Pack gap = {}, energy = {}, objective = {}, looked_at = {};
  Pack largest_energy = {};
  // Of the survey: rows without bounds, and the others.
  Pack survey = {}, equality = {}, complementarity = {}, negative = {}, free_load = {}, bounded_load = {};
};

void PackedRuler::prepare(const PackedProblem& problem, bool symmetric) {
  const Index n = problem.rows();
  const auto padded = static_cast<std::size_t>(problem.stride());
  for (auto* values : {&far_below_, &far_above_, &bounded_}) values->assign(padded, 0.0);
  for (auto* values : {&scale_, &moving_}) values->assign(padded, 1.0);
  half_inverse_scale_.assign(padded, 0.5);
  double sum_of_scales = 0.0;
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double lower = problem.lower()[i], upper = problem.upper()[i];
    const bool has_lower = lower > -infinity, has_upper = upper < infinity;
    if (const double diagonal = problem.matrix().diagonal(i); diagonal > 0.0) {
      scale_[k] = diagonal;
      half_inverse_scale_[k] = 0.5 / diagonal;
    }
    sum_of_scales += scale_[k];
    far_below_[k] = has_lower ? lower : has_upper ? upper : 0.0;
    far_above_[k] = has_upper ? upper : far_below_[k];
    moving_[k] = lower == upper ? 0.0 : 1.0;
    bounded_[k] = has_lower || has_upper ? 1.0 : 0.0;
  }
  share_ = n > 0 ? 1.0 / static_cast<double>(n) : 0.0;
  mean_ = n > 0 ? sum_of_scales / static_cast<double>(n) : 1.0;
  symmetric_ = symmetric;
}

void PackedRuler::measure(const PackedProblem& problem, const double* x, const double* b, double norm,
                          double* w, Measures& m) const {
  problem.matrix().multiply_add(x, b, w);
  if (problem.is_orthant()) {
    measure_packs<Kind::orthant>(problem, x, b, norm, w, m);
  } else if (problem.is_mixed_orthant()) {
    measure_packs<Kind::mixed_orthant>(problem, x, b, norm, w, m);
  } else {
    measure_packs<Kind::box>(problem, x, b, norm, w, m);
  }
}

template <PackedRuler::Kind kind>
void PackedRuler::measure_packs(const PackedProblem& problem, const double* x, const double* b, double norm,
                                const double* w, Measures& m) const {
  Sums s;
  add_pack<kind>(problem, 0, x, b, w, s);
  for (Index i = pack_size; i < problem.stride(); i += pack_size) add_pack<kind>(problem, i, x, b, w, s);

  const Pack roots = square_roots(sums_of(s.force, s.natural, s.heyn, s.gradient));
  const Pack plain = sums_of(s.gap, s.energy, s.objective, s.looked_at);
  const double weight = 1.0 / norm;
  m.scaled_natural_map = weight * roots[0] + detail::poison(plain[3]);
  if (std::isnan(m.scaled_natural_map)) {
    m = {};
    return;
  }
  m.natural_map = roots[1];
  m.natural_map_relative = weight * roots[1];
  m.heyn = roots[2];
  m.projected_gradient = roots[3];
  m.complementarity_gap = plain[0];
  m.energy_sum = plain[1];
  m.energy_mean = share_ * plain[1];
  m.energy_max = largest_of(s.largest_energy);
  m.objective = symmetric_ ? plain[2] : Measures::undefined;
  m.survey = m.mixed = m.linear_rows = m.desaxce = Measures::undefined;
  if constexpr (kind == Kind::orthant) {
    const Pack survey = sums_of(s.survey, s.complementarity, s.negative, Pack{});
    m.survey = survey[0];
    m.mixed = std::sqrt(std::max(survey[1], survey[2])) / (1.0 + norm);
  } else if constexpr (kind == Kind::mixed_orthant) {
    const Pack wrong = sums_of(s.equality, s.complementarity, s.negative, Pack{});
    const Pack load = square_roots(sums_of(s.free_load, s.bounded_load, Pack{}, Pack{}));
    m.mixed = std::max(std::sqrt(wrong[0]) / (1.0 + load[0]),
                       std::sqrt(std::max(wrong[1], wrong[2])) / (1.0 + load[1]));
  }
}

template <PackedRuler::Kind kind>
[[gnu::always_inline]] inline void PackedRuler::add_pack(const PackedProblem& problem, Index i,
                                                         const double* x_rows, const double* b_rows,
                                                         const double* w_rows, Sums& s) const {
  const Pack zero = {};
  const Pack x = load_pack(x_rows + i), w = load_pack(w_rows + i), b = load_pack(b_rows + i);
  const Pack lower = load_pack(problem.lower() + i), upper = load_pack(problem.upper() + i);
  const Pack d = load_pack(scale_.data() + i);
  const Pack below = x - lower, above = x - upper;
  // d (x - P(x - w / d)), see natural_map.hpp.
  const Pack force = smaller(larger(w, d * above), d * below);
  const Pack by_one = smaller(larger(w, above), below);
  const Pack by_mean = smaller(larger(w, mean_ * above), mean_ * below);
  const Pack energy = force * force * load_pack(half_inverse_scale_.data() + i);
  s.looked_at += x + w;
  s.force += force * force;
  s.natural += by_one * by_one;
  s.heyn += by_mean * by_mean;
  s.energy += energy;
  s.largest_energy = larger(s.largest_energy, energy);
  s.objective += 0.5 * x * (w + b);
  const Pack far_bound = w > zero ? load_pack(far_below_.data() + i) : load_pack(far_above_.data() + i);
  const Pack gap = w * (x - far_bound);
  s.gap += larger(gap, -gap);
  const Pack outside = larger(above, zero) - larger(-below, zero);
  Pack gradient = below <= zero ? smaller(w, zero) : w;
  gradient = load_pack(moving_.data() + i) * (above >= zero ? larger(gradient, zero) : gradient);
  s.gradient += gradient * gradient + outside * outside;
  if constexpr (kind != Kind::box) {
    const Pack least = smaller(x, w), wrong = smaller(w, zero);
    if constexpr (kind == Kind::orthant) {
      const Pack product = x * w;
      s.survey += larger(product, -product) - smaller(x, zero) - wrong;
      s.complementarity += least * least;
      s.negative += wrong * wrong;
    } else {
      const Pack bounded = load_pack(bounded_.data() + i), without = 1.0 - bounded, squared = b * b;
      s.equality += without * w * w;
      s.complementarity += bounded * least * least;
      s.negative += bounded * wrong * wrong;
      s.free_load += without * squared;
      s.bounded_load += bounded * squared;
    }
  }
}

#pragma GCC diagnostic pop

}  // namespace slipstick
