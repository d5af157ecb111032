// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/measures.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/measures/natural_map.hpp"

namespace slipstick::internal {

using namespace detail;

namespace {

// UIC survey 3.1.
double survey_error(const Vector& z, const Vector& w) {
  double sum = 0.0;
  for (Index i = 0; i < z.size(); ++i)
    sum += std::abs(z[i] * w[i]) - std::min(z[i], 0.0) - std::min(w[i], 0.0);
  return sum;
}

// UIC survey 3.1 for rows u (free) and v (one-sided from 0):
// max(||Au + Cv + a|| / (1 + ||a||), ||min(v, s)|| / (1 + ||b||), ||max(0, -s)|| / (1 + ||b||)), s = C'u + Bv
// + b.
double mixed_error(const Problem& problem, const Vector& z, const Vector& w) {
  double norm_a = 0.0, norm_b = 0.0, equality = 0.0, complementarity = 0.0, negative = 0.0;
  for (Index i = 0; i < z.size(); ++i) {
    const double constant = problem.b[i] * problem.b[i];
    if (problem.K.lower()[i] == -infinity) {
      norm_a += constant;
      equality += w[i] * w[i];
    } else {
      const double smaller = std::min(z[i], w[i]);
      const double below = std::max(0.0, -w[i]);
      norm_b += constant;
      complementarity += smaller * smaller;
      negative += below * below;
    }
  }
  const double by_b = 1.0 + std::sqrt(norm_b);
  return std::max({std::sqrt(equality) / (1.0 + std::sqrt(norm_a)), std::sqrt(complementarity) / by_b,
                   std::sqrt(negative) / by_b});
}

// |w| times the distance from x to the bound that w pushes it to. If there is no such bound, w is a rounding
// error and the other bound counts; without any bound, the origin.
double row_gap(double x, double w, double lower, double upper) {
  double bound = w > 0.0 ? lower : upper;
  if (std::isinf(bound)) bound = w > 0.0 ? upper : lower;
  if (std::isinf(bound)) bound = 0.0;
  return std::abs(w * (x - bound));
}

// |x'w - min over y in the set of y'w|. The minimum over a cone is 0 if w is in the dual cone.
double block_gap(const SetBlock& block, ConstVectorView x, ConstVectorView w) {
  const double product = x.dot(w);
  switch (block.kind) {
    case SetKind::disk:
      return std::abs(product + block.parameter * w.norm());
    case SetKind::diamond:
      return std::abs(product + block.parameter * w.lpNorm<Eigen::Infinity>());
    default:
      return std::abs(product);
  }
}

// Free gradient plus chopped gradient, squared. A row outside its bounds also counts with its distance.
double squared_projected_gradient(double x, double w, double lower, double upper) {
  if (x <= lower) w = std::min(w, 0.0);
  if (x >= upper) w = std::max(w, 0.0);
  if (lower == upper) w = 0.0;
  const double outside = x - clamp(x, lower, upper);
  return w * w + outside * outside;
}

// All measures that are sums over the rows of a box, in one pass.
void measure_rows(const ProductSet& K, const Vector& scale, const Vector& x, const Vector& w, Measures& m) {
  const Index rows = x.size();
  const double* const lower = K.lower().data();
  const double* const upper = K.upper().data();
  const double mean = rows > 0 ? scale.mean() : 1.0;
  double natural = 0.0, heyn = 0.0, gap = 0.0, gradient = 0.0, energy_sum = 0.0, energy_max = 0.0;
  for (Index i = 0; i < rows; ++i) {
    const double by_one = row_error(x[i], w[i], 1.0, lower[i], upper[i]);
    const double by_mean = row_error(x[i], w[i], mean, lower[i], upper[i]);
    const double force = row_error(x[i], w[i], scale[i], lower[i], upper[i]);
    // Ho 2022, error in Joules: 1/2 A_ii e_i^2.
    const double energy = 0.5 * force * force / scale[i];
    natural += by_one * by_one;
    heyn += by_mean * by_mean;
    gap += row_gap(x[i], w[i], lower[i], upper[i]);
    gradient += squared_projected_gradient(x[i], w[i], lower[i], upper[i]);
    energy_sum += energy;
    energy_max = std::max(energy_max, energy);
  }
  m.natural_map = std::sqrt(natural);
  m.heyn = std::sqrt(heyn);
  m.complementarity_gap = gap;
  m.projected_gradient = std::sqrt(gradient);
  m.energy_sum = energy_sum;
  m.energy_max = energy_max;
  m.energy_mean = rows > 0 ? energy_sum / static_cast<double>(rows) : 0.0;
}

// w -= G'y
void subtract_row_forces(const CsrMatrix& G, const Vector& y, Vector& w) {
  assert(y.size() == G.rows());
  for (Index i = 0; i < G.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(G, i); it; ++it) w[it.col()] -= it.value() * y[i];
  }
}

// Adds the linear rows to the measures that include them.
void add_row_errors(const LinearRows& rows, const Vector& x, const Vector& y, Measures& m) {
  double outside = 0.0, natural = 0.0;
  for (Index i = 0; i < rows.G->rows(); ++i) {
    const double activity = row_dot(*rows.G, i, x.data());
    const double distance = activity - clamp(activity, rows.lower[i], rows.upper[i]);
    const double error = row_error(activity, y[i], 1.0, rows.lower[i], rows.upper[i]);
    outside += distance * distance;
    natural += error * error;
  }
  m.linear_rows = std::sqrt(outside);
  m.natural_map = std::hypot(m.natural_map, std::sqrt(natural));
}

}  // namespace

std::span<const MeasureName> measure_names() {
  static constexpr MeasureName names[] = {
      {"scaled_natural_map", &Measures::scaled_natural_map, true, "||(d_i e_i)|| / ||b||, the default"},
      {"natural_map", &Measures::natural_map, true, "||x - P(x - w)||"},
      {"natural_map_relative", &Measures::natural_map_relative, true, "||x - P(x - w)|| / ||b||"},
      {"survey", &Measures::survey, true, "sum of |z w| and of the negative parts of z and w (LCP)"},
      {"mixed", &Measures::mixed, true, "the survey's mixed-LCP error"},
      {"complementarity_gap", &Measures::complementarity_gap, false,
       "sum of |w| times the distance to its bound"},
      {"objective", &Measures::objective, false, "1/2 x'Ax + b'x (symmetric A)"},
      {"energy_sum", &Measures::energy_sum, true, "sum of 1/2 A_ii e_i^2"},
      {"energy_mean", &Measures::energy_mean, true, "mean of 1/2 A_ii e_i^2"},
      {"energy_max", &Measures::energy_max, true, "largest 1/2 A_ii e_i^2"},
      {"heyn", &Measures::heyn, true, "||x - P(x - tau w)|| / tau, tau = 1 / mean diagonal"},
      {"projected_gradient", &Measures::projected_gradient, true, "norm of the projected gradient (bounds)"},
      {"linear_rows", &Measures::linear_rows, false, "||G x - clamp(G x)|| (linear rows)"},
      {"desaxce", &Measures::desaxce, true, "the published contact error under the law in force"},
  };
  return names;
}

const MeasureName* find_measure(std::string_view name) {
  for (const MeasureName& row : measure_names()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

double complementarity_gap(const Problem& problem, const Vector& x, const Vector& w, const Vector& y) {
  const ProductSet& K = problem.K;
  double sum = 0.0;
  for (const SetBlock& block : K.blocks()) {
    if (!has_independent_rows(block)) {
      sum += block_gap(block, x.segment(block.start, block.size), w.segment(block.start, block.size));
      continue;
    }
    for (Index i = block.start; i < block.start + block.size; ++i)
      sum += row_gap(x[i], w[i], K.lower()[i], K.upper()[i]);
  }
  if (!problem.rows) return sum;
  const LinearRows& rows = *problem.rows;
  for (Index i = 0; i < rows.G->rows(); ++i)
    sum += row_gap(row_dot(*rows.G, i, x.data()), y[i], rows.lower[i], rows.upper[i]);
  return sum;
}

void measure(const Problem& problem, const Ruler& ruler, Solution& solution, int threads,
             Measures& measures) {
  const Vector& x = solution.x;
  const Vector& y = solution.multipliers;
  Vector& w = solution.w;
  measures = {};
  w.resize(x.size());
  problem.A.multiply(x, w, threads);
  const double quadratic = x.dot(w);
  w += problem.b;
  if (problem.rows) subtract_row_forces(*problem.rows->G, y, w);
  measures.scaled_natural_map = problem.rows ? ruler(x, w, y) : ruler(x, w);
  if (std::isnan(measures.scaled_natural_map)) return;  // x or w is not finite

  if (problem.symmetric) measures.objective = 0.5 * quadratic + problem.b.dot(x) + problem.constant;
  const bool by_rows = problem.K.is_box() && !problem.rows;
  if (by_rows) {
    measure_rows(problem.K, ruler.scale(), x, w, measures);
  } else {
    measures.natural_map = ruler.natural_map(x, w, 1.0);
    measures.complementarity_gap = complementarity_gap(problem, x, w, y);
    if (problem.rows) add_row_errors(*problem.rows, x, y, measures);
    if (!problem.rows) measures.heyn = ruler.natural_map(x, w, x.size() > 0 ? ruler.scale().mean() : 1.0);
  }
  measures.natural_map_relative = ratio(measures.natural_map, problem.b.norm());
  if (by_rows && problem.K.is_nonnegative_orthant()) measures.survey = survey_error(x, w);
  if (by_rows && is_mixed_orthant(problem.K)) measures.mixed = mixed_error(problem, x, w);
}

std::vector<WorstRow> worst_rows(const Problem& problem, const Solution& solution, Index k) {
  assert(solution.x.size() == problem.b.size() && solution.w.size() == problem.b.size());
  Ruler ruler;
  ruler.prepare(problem);
  std::vector<WorstRow> rows;
  for (const SetBlock& block : problem.K.blocks()) {
    if (!has_independent_rows(block)) {
      const auto x = solution.x.segment(block.start, block.size);
      const auto w = solution.w.segment(block.start, block.size);
      Vector error(block.size);
      block_error(problem.K, block, x, w, ruler.scale()[block.start], error);
      const bool finite = all_finite(x) && all_finite(w);
      rows.push_back({block.start, finite ? ratio(error.norm(), ruler.norm()) : infinity});
      continue;
    }
    for (Index i = block.start; i < block.start + block.size; ++i) {
      const bool finite = std::isfinite(solution.x[i]) && std::isfinite(solution.w[i]);
      const double error = row_error(solution.x[i], solution.w[i], ruler.scale()[i], problem.K.lower()[i],
                                     problem.K.upper()[i]);
      rows.push_back({i, finite ? ratio(std::abs(error), ruler.norm()) : infinity});
    }
  }
  keep_worst(rows, k);
  return rows;
}

}  // namespace slipstick::internal
