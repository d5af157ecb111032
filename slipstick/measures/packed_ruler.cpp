// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/packed_ruler.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/linalg/vector.hpp"
#include "slipstick/measures/natural_map.hpp"

namespace slipstick {
namespace {}  // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

// What a pack of rows adds.
struct PackedRuler::Sums {
  Pack force = {}, natural = {}, heyn = {}, gradient = {};  // squares
  Pack gap = {}, energy = {}, objective = {}, looked_at = {};
  Pack largest_energy = {};
  // Of the survey: all rows, and the squares of rows with and without a bound.
  Pack outside = {}, negative = {}, complementarity = {}, equality = {}, bounded_load = {}, free_load = {};

  [[gnu::always_inline]] void add(const Sums& more) {
    constexpr Pack Sums::*all[] = {
        &Sums::force,           &Sums::natural,   &Sums::heyn,         &Sums::gradient, &Sums::gap,
        &Sums::energy,          &Sums::objective, &Sums::looked_at,    &Sums::outside,  &Sums::negative,
        &Sums::complementarity, &Sums::equality,  &Sums::bounded_load, &Sums::free_load};
    for (const auto sum : all) this->*sum += more.*sum;
    largest_energy = larger(largest_energy, more.largest_energy);
  }
};

void PackedRuler::prepare(const PackedProblem& problem, bool symmetric) {
  const Index n = problem.rows(), stride = problem.stride();
  for (auto* rows : {&scale_, &half_inverse_scale_, &far_below_, &far_above_, &moving_, &bounded_})
    rows->resize(static_cast<std::size_t>(stride));
  Pack scales = {};
  for (Index i = 0; i < stride; i += pack_size) {
    const auto entry = [&](Index k) { return problem.matrix().diagonal(i + k); };
    const Pack diagonal = {entry(0), entry(1), entry(2), entry(3)}, none = {};
    const Pack lower = load_pack(problem.lower() + i), upper = load_pack(problem.upper() + i);
    const PackMask has_lower = lower > -infinity, has_upper = upper < infinity;
    const Pack scale = select(diagonal > 0.0, diagonal, all_of(1.0));
    const Pack far_below = select(has_lower, lower, select(has_upper, upper, none));
    scales += select(Pack{0.0, 1.0, 2.0, 3.0} < static_cast<double>(n - i), scale, none);
    store_pack(scale_.data() + i, scale);
    store_pack(half_inverse_scale_.data() + i, 0.5 / scale);
    store_pack(far_below_.data() + i, far_below);
    store_pack(far_above_.data() + i, select(has_upper, upper, far_below));
    store_pack(moving_.data() + i, select(lower == upper, none, all_of(1.0)));
    store_pack(bounded_.data() + i, select(has_lower | has_upper, all_of(1.0), none));
  }
  share_ = 1.0 / static_cast<double>(n);
  mean_ = share_ * sum_of(scales);
  symmetric_ = symmetric;
}

double PackedRuler::judge(const PackedProblem& problem, const double* x, const double* b, double norm,
                          double* w) const {
  const double weight = 1.0 / norm;  // while the product is under way
  const bool bounds_above = !problem.is_orthant() && !problem.is_mixed_orthant();
  const double squared =
      bounds_above ? judge_rows<true>(problem, x, b, w) : judge_rows<false>(problem, x, b, w);
  return weight * std::sqrt(squared);
}

// ||d (x - P(x - w / d))||^2, see natural_map.hpp; NaN where x or w is not finite.
template <bool bounds_above>
[[gnu::always_inline]] inline double PackedRuler::judge_rows(const PackedProblem& problem,
                                                             const double* x_rows, const double* b,
                                                             double* w_rows) const {
  Pack squares = {};
  problem.matrix().for_product(
      x_rows, b, [&](Index i, Pack w) __attribute__((always_inline)) {
        store_pack(w_rows + i, w);
        const Pack x = load_pack(x_rows + i), d = load_pack(scale_.data() + i);
        Pack force = w;
        if constexpr (bounds_above) force = larger(force, d * (x - load_pack(problem.upper() + i)));
        force = smaller(force, d * (x - load_pack(problem.lower() + i)));
        squares += force * force + detail::poison(x + w);
      });
  return sum_of(squares);
}

void PackedRuler::measure(const PackedProblem& problem, const double* x, const double* b, double norm,
                          double* w, Measures& m) const {
  problem.matrix().multiply_add(x, b, w);
  const bool one = problem.stride() == pack_size;
  if (problem.is_orthant()) {
    one ? measure_packs<Kind::orthant, true>(problem, x, b, norm, w, m)
        : measure_packs<Kind::orthant, false>(problem, x, b, norm, w, m);
  } else if (problem.is_mixed_orthant()) {
    one ? measure_packs<Kind::mixed_orthant, true>(problem, x, b, norm, w, m)
        : measure_packs<Kind::mixed_orthant, false>(problem, x, b, norm, w, m);
  } else {
    measure_packs<Kind::box, false>(problem, x, b, norm, w, m);
  }
}

template <PackedRuler::Kind kind, bool one_pack>
void PackedRuler::measure_packs(const PackedProblem& problem, const double* x, const double* b, double norm,
                                const double* w, Measures& m) const {
  Sums s = sums_of_pack<kind>(problem, 0, x, b, w);
  if constexpr (!one_pack) {
    for (Index i = pack_size; i < problem.stride(); i += pack_size)
      s.add(sums_of_pack<kind>(problem, i, x, b, w));
  }

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
  m.linear_rows = m.desaxce = Measures::undefined;
  if constexpr (kind == Kind::orthant) {
    const Pack survey = sums_of(s.outside, s.negative, Pack{}, Pack{});
    m.survey = plain[0] - survey[0];
    m.mixed = std::max(roots[1], std::sqrt(survey[1])) / (1.0 + norm);
  } else if constexpr (kind == Kind::mixed_orthant) {
    const Pack parts = square_roots(sums_of(s.equality, s.complementarity, s.negative, s.free_load));
    m.survey = Measures::undefined;
    m.mixed = std::max(parts[0] / (1.0 + parts[3]),
                       std::max(parts[1], parts[2]) / (1.0 + std::sqrt(sum_of(s.bounded_load))));
  } else {
    m.survey = m.mixed = Measures::undefined;
  }
}

template <PackedRuler::Kind kind>
[[gnu::always_inline]] inline PackedRuler::Sums PackedRuler::sums_of_pack(const PackedProblem& problem,
                                                                          Index i, const double* x_rows,
                                                                          const double* b_rows,
                                                                          const double* w_rows) const {
  const Pack zero = {};
  const Pack x = load_pack(x_rows + i), w = load_pack(w_rows + i), b = load_pack(b_rows + i);
  const Pack d = load_pack(scale_.data() + i);
  const Pack below = kind == Kind::orthant ? x : x - load_pack(problem.lower() + i);
  const Pack negative = smaller(w, zero);
  Sums s;
  s.looked_at = x + w;
  s.objective = 0.5 * x * (w + b);
  // d (x - P(x - w / d)), see natural_map.hpp.
  Pack force, by_one, by_mean;
  if constexpr (kind == Kind::box) {
    const Pack above = x - load_pack(problem.upper() + i);
    force = smaller(larger(w, d * above), d * below);
    by_one = smaller(larger(w, above), below);
    by_mean = smaller(larger(w, mean_ * above), mean_ * below);
    const Pack far_bound =
        select(w > zero, load_pack(far_below_.data() + i), load_pack(far_above_.data() + i));
    s.gap = w * (x - far_bound);
    const Pack outside = larger(above, zero) - larger(-below, zero);
    Pack gradient = select(below <= zero, negative, w);
    gradient = load_pack(moving_.data() + i) * select(above >= zero, larger(gradient, zero), gradient);
    s.gradient = gradient * gradient + outside * outside;
  } else {
    force = smaller(w, d * below);
    by_one = smaller(w, below);
    by_mean = smaller(w, mean_ * below);
    s.gap = w * x;
    const Pack outside = smaller(below, zero), gradient = select(below <= zero, negative, w);
    s.gradient = gradient * gradient + outside * outside;
    s.outside = outside + negative;
    s.negative = negative * negative;
  }
  s.gap = larger(s.gap, -s.gap);
  s.force = force * force;
  s.natural = by_one * by_one;
  s.heyn = by_mean * by_mean;
  s.energy = s.largest_energy = s.force * load_pack(half_inverse_scale_.data() + i);
  if constexpr (kind == Kind::mixed_orthant) {
    const Pack bounded = load_pack(bounded_.data() + i), without = 1.0 - bounded;
    s.equality = without * s.natural;
    s.complementarity = bounded * s.natural;
    s.negative *= bounded;
    s.free_load = without * b * b;
    s.bounded_load = bounded * b * b;
  }
  return s;
}

#pragma GCC diagnostic pop

}  // namespace slipstick
