// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/measures.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double clamp(double value, double low, double high) {
  return std::min(std::max(value, low), high);
}

double ratio(double error, double norm) {
  return error == 0.0 ? 0.0 : error / norm;
}

// ||x - P(x - tau w)||, block by block so that no vector is needed.
double natural_map(const ProductSet& K, const Vector& x, const Vector& w, double tau) {
  double squared = 0.0;
  for (const SetBlock& block : K.blocks()) {
    if (block.kind == SetKind::cone || block.kind == SetKind::diamond || block.kind == SetKind::disk) {
      constexpr Index most = 8;
      double storage[most];
      Eigen::Map<Vector> step(storage, std::min(block.size, most));
      step = x.segment(block.start, block.size) - tau * w.segment(block.start, block.size);
      project(K, block, step);
      squared += (x.segment(block.start, block.size) - step).squaredNorm();
      continue;
    }
    for (Index i = block.start; i < block.start + block.size; ++i) {
      const double e = x[i] - clamp(x[i] - tau * w[i], K.lower()[i], K.upper()[i]);
      squared += e * e;
    }
  }
  return std::sqrt(squared);
}

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

// Sum of w^+ (x - lower) + w^- (upper - x); infinite where w pushes towards a bound that is not there.
double complementarity_gap(const ProductSet& K, const Vector& x, const Vector& w) {
  if (!K.is_box()) return std::abs(x.dot(w));
  double sum = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    const double distance = w[i] > 0.0 ? x[i] - K.lower()[i] : K.upper()[i] - x[i];
    if (w[i] != 0.0 && distance != 0.0) sum += std::abs(w[i] * distance);
  }
  return sum;
}

// Ho 2022, error in Joules: per row 1/2 A_ii e_i^2.
void energy_errors(const Problem& problem, const Vector& scale, const Vector& x, const Vector& w,
                   Measures& m) {
  m.energy_sum = 0.0;
  m.energy_max = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    const double e = x[i] - clamp(x[i] - w[i] / scale[i], problem.K.lower()[i], problem.K.upper()[i]);
    const double energy = 0.5 * scale[i] * e * e;
    m.energy_sum += energy;
    m.energy_max = std::max(m.energy_max, energy);
  }
  m.energy_mean = x.size() > 0 ? m.energy_sum / static_cast<double>(x.size()) : 0.0;
}

// Free gradient plus chopped gradient; a row outside its bounds counts with its distance as well.
double projected_gradient(const ProductSet& K, const Vector& x, const Vector& w) {
  double squared = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    const double lower = K.lower()[i];
    const double upper = K.upper()[i];
    double g = w[i];
    if (x[i] <= lower) g = std::min(g, 0.0);
    if (x[i] >= upper) g = std::max(g, 0.0);
    if (lower == upper) g = 0.0;
    const double outside = x[i] - clamp(x[i], lower, upper);
    squared += g * g + outside * outside;
  }
  return std::sqrt(squared);
}

}  // namespace

std::span<const MeasureName> measure_names() {
  static constexpr MeasureName names[] = {
      {"scaled_natural_map", &Measures::scaled_natural_map, true, "||(d_i e_i)|| / ||b||, the default"},
      {"natural_map", &Measures::natural_map, true, "||x - P(x - w)||"},
      {"natural_map_relative", &Measures::natural_map_relative, true, "||x - P(x - w)|| / ||b||"},
      {"survey", &Measures::survey, true, "sum of |z w| and of the negative parts of z and w (LCP)"},
      {"mixed", &Measures::mixed, true, "the survey's mixed-LCP error"},
      {"complementarity_gap", &Measures::complementarity_gap, true,
       "sum of |w| times the distance to its bound"},
      {"objective", &Measures::objective, false, "1/2 x'Ax + b'x (symmetric A)"},
      {"energy_sum", &Measures::energy_sum, true, "sum of 1/2 A_ii e_i^2"},
      {"energy_mean", &Measures::energy_mean, true, "mean of 1/2 A_ii e_i^2"},
      {"energy_max", &Measures::energy_max, true, "largest 1/2 A_ii e_i^2"},
      {"heyn", &Measures::heyn, true, "||x - P(x - tau w)|| / tau, tau = 1 / mean diagonal"},
      {"projected_gradient", &Measures::projected_gradient, true, "norm of the projected gradient (bounds)"},
      {"linear_rows", &Measures::linear_rows, true, "||G x - clamp(G x)|| (linear rows)"},
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

void measure(const Problem& problem, const Ruler& ruler, Solution& solution, int threads,
             Measures& measures) {
  const Vector& x = solution.x;
  Vector& w = solution.w;
  measures = {};
  w.resize(x.size());
  problem.A.multiply(x, w, threads);
  const double quadratic = x.dot(w);
  w += problem.b;
  if (problem.symmetric) measures.objective = 0.5 * quadratic + problem.b.dot(x) + problem.constant;

  if (problem.rows) {
    const LinearRows& rows = *problem.rows;
    double squared = 0.0;
    for (Index i = 0; i < rows.G->rows(); ++i) {
      const double activity = row_dot(*rows.G, i, x.data());
      const double outside = activity - clamp(activity, rows.lower[i], rows.upper[i]);
      squared += outside * outside;
      for (CsrMatrix::InnerIterator it(*rows.G, i); it; ++it)
        w[it.col()] -= it.value() * solution.multipliers[i];
    }
    measures.linear_rows = std::sqrt(squared);
    measures.scaled_natural_map = ruler(x, w, solution.multipliers);
  } else {
    measures.scaled_natural_map = ruler(x, w);
  }
  measures.natural_map = natural_map(problem.K, x, w, 1.0);
  measures.natural_map_relative = ratio(measures.natural_map, problem.b.norm());
  measures.complementarity_gap = complementarity_gap(problem.K, x, w);
  const double mean_diagonal = x.size() > 0 ? ruler.scale().mean() : 1.0;
  measures.heyn = natural_map(problem.K, x, w, 1.0 / mean_diagonal) * mean_diagonal;
  if (!problem.K.is_box() || problem.rows) return;
  energy_errors(problem, ruler.scale(), x, w, measures);
  measures.projected_gradient = projected_gradient(problem.K, x, w);
  const ProblemClass shape = classify(problem);
  if (shape == ProblemClass::lcp) measures.survey = survey_error(x, w);
  if (shape == ProblemClass::lcp || shape == ProblemClass::mlcp) measures.mixed = mixed_error(problem, x, w);
}

std::vector<WorstRow> worst_rows(const Problem& problem, const Solution& solution, Index k) {
  Ruler ruler;
  ruler.prepare(problem);
  const double norm = ruler.norm();
  std::vector<WorstRow> rows;
  for (const SetBlock& block : problem.K.blocks()) {
    const bool whole =
        block.kind == SetKind::cone || block.kind == SetKind::diamond || block.kind == SetKind::disk;
    for (Index i = block.start; i < block.start + block.size; i += whole ? block.size : 1) {
      const Index size = whole ? block.size : 1;
      Vector step = solution.x.segment(i, size) - solution.w.segment(i, size) / ruler.scale()[i];
      if (whole) {
        project(problem.K, block, step);
      } else {
        step[0] = clamp(step[0], problem.K.lower()[i], problem.K.upper()[i]);
      }
      const double e = ruler.scale()[i] * (solution.x.segment(i, size) - step).norm();
      rows.push_back({i, ratio(e, norm)});
    }
  }
  const std::size_t count = std::min(rows.size(), static_cast<std::size_t>(std::max<Index>(k, 0)));
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(),
                    [](const WorstRow& a, const WorstRow& b) {
                      return a.error != b.error ? a.error > b.error : a.index < b.index;
                    });
  rows.resize(count);
  return rows;
}

}  // namespace slipstick
