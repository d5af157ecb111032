// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/qp_models.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "slipstick/base/random.hpp"
#include "slipstick/scenes/qp_builder.hpp"

namespace slipstick::internal {
namespace {

constexpr Index points_per_feature = 10;
constexpr Index entries_per_point = 10;

// Data of a fit: each point has normal entries in random features. A feature may be drawn twice.
std::vector<QpTerms> random_points(Index features, Random& random) {
  std::vector<QpTerms> points(static_cast<std::size_t>(points_per_feature * features));
  for (QpTerms& point : points) {
    for (Index k = 0; k < std::min(entries_per_point, features); ++k)
      point.push_back({random.below(features), random.normal()});
  }
  return points;
}

Vector random_normal(Index size, Random& random) {
  Vector values(size);
  for (double& value : values) value = random.normal();
  return values;
}

double dot(const QpTerms& terms, const Vector& x) {
  double sum = 0.0;
  for (const QpTerm& term : terms) sum += term.factor * x[term.unknown];
  return sum;
}

}  // namespace

Problem mass_chain(Index steps, std::uint64_t seed) {
  constexpr Index masses = 6, forces = 3;
  constexpr double h = 0.5, damping = 0.1, reach = 4.0, strength = 0.5;
  Random random(seed);
  QpBuilder qp((2 * masses + forces) * steps + 2 * masses);
  const auto place = [&](Index t, Index i) { return 2 * masses * t + i; };
  const auto speed = [&](Index t, Index i) { return place(t, i) + masses; };
  const auto force = [&](Index t, Index i) { return 2 * masses * (steps + 1) + forces * t + i; };
  for (Index i = 0; i < masses; ++i) {
    const double start = random.uniform(-0.5, 0.5);
    qp.set_bounds(place(0, i), start, start);
    qp.set_bounds(speed(0, i), 0.0, 0.0);
  }
  for (Index t = 0; t < steps; ++t) {
    const double aim = 3.0 * std::sin(0.1 * static_cast<double>(t + 1));
    for (Index i = 0; i < masses; ++i) {
      const Index y = place(t + 1, i), v = speed(t + 1, i);
      qp.add_square(1.0, {{y, 1.0}}, aim);
      qp.add_square(0.1, {{v, 1.0}});
      qp.set_bounds(y, -reach, reach);
      qp.add_equality({{y, 1.0}, {place(t, i), -1.0}, {v, -h}}, 0.0);
      // Force k pulls masses 2k and 2k + 1 in opposite directions.
      const double sign = i % 2 == 0 ? 1.0 : -1.0;
      QpTerms motion = {
          {v, 1.0 + h * damping}, {speed(t, i), -1.0}, {y, 2.0 * h}, {force(t, i / 2), -sign * h}};
      if (i > 0) motion.push_back({y - 1, -h});
      if (i + 1 < masses) motion.push_back({y + 1, -h});
      qp.add_equality(motion, 0.0);
    }
    for (Index i = 0; i < forces; ++i) {
      qp.add_square(1.0, {{force(t, i), 1.0}});
      qp.set_bounds(force(t, i), -strength, strength);
    }
  }
  return qp.finish();
}

Problem portfolio(Index assets, std::uint64_t seed) {
  const Index factors = (assets + 99) / 100;
  Random random(seed);
  QpBuilder qp(assets + factors);
  QpTerms sum;
  for (Index i = 0; i < assets; ++i) {
    qp.set_bounds(i, 0.0, infinity);
    qp.add_square(2.0 * std::sqrt(static_cast<double>(factors)) * random.uniform(), {{i, 1.0}});
    qp.add_linear(i, -random.normal());
    sum.push_back({i, 1.0});
  }
  qp.add_equality(sum, 1.0);
  for (Index k = 0; k < factors; ++k) {
    qp.add_square(2.0, {{assets + k, 1.0}});
    QpTerms loads = {{assets + k, -1.0}};
    for (Index i = 0; i < assets; ++i) {
      if (random.uniform() < 0.5) loads.push_back({i, random.normal()});
    }
    qp.add_equality(loads, 0.0);
  }
  return qp.finish();
}

Problem lasso(Index features, std::uint64_t seed) {
  Random random(seed);
  const std::vector<QpTerms> points = random_points(features, random);
  Vector truth = random_normal(features, random) / std::sqrt(static_cast<double>(features));
  for (double& value : truth) {
    if (random.uniform() < 0.5) value = 0.0;
  }
  const auto m = static_cast<Index>(points.size());
  QpBuilder qp(2 * features + m);  // x, y, t
  Vector correlation = Vector::Zero(features);
  for (Index i = 0; i < m; ++i) {
    QpTerms row = points[static_cast<std::size_t>(i)];
    const double measured = dot(row, truth) + random.normal();
    for (const QpTerm& term : row) correlation[term.unknown] += measured * term.factor;
    row.push_back({features + i, -1.0});
    qp.add_equality(row, measured);
    qp.add_square(2.0, {{features + i, 1.0}});
  }
  const double lambda = 0.2 * correlation.lpNorm<Eigen::Infinity>();  // a tenth of what makes x zero
  for (Index j = 0; j < features; ++j) {
    const Index t = features + m + j;
    qp.add_linear(t, lambda);
    qp.add_row({{j, 1.0}, {t, 1.0}}, 0.0, infinity);
    qp.add_row({{j, 1.0}, {t, -1.0}}, -infinity, 0.0);
  }
  return qp.finish();
}

Problem support_vectors(Index features, std::uint64_t seed) {
  Random random(seed);
  const std::vector<QpTerms> points = random_points(features, random);
  const auto m = static_cast<Index>(points.size());
  QpBuilder qp(features + m);  // x, t
  for (Index j = 0; j < features; ++j) qp.add_square(1.0, {{j, 1.0}});
  for (Index i = 0; i < m; ++i) {
    // Two clouds of points: one is shifted up, the other down.
    const double label = i % 2 == 0 ? 1.0 : -1.0;
    QpTerms row;
    for (const QpTerm& term : points[static_cast<std::size_t>(i)])
      row.push_back({term.unknown, label * (0.3 * term.factor + 0.1 * label)});
    row.push_back({features + i, -1.0});
    qp.add_row(row, -infinity, -1.0);
    qp.add_linear(features + i, 1.0);
    qp.set_bounds(features + i, 0.0, infinity);
  }
  return qp.finish();
}

Problem huber_fit(Index features, std::uint64_t seed) {
  Random random(seed);
  const std::vector<QpTerms> points = random_points(features, random);
  const Vector truth = random_normal(features, random) / std::sqrt(static_cast<double>(features));
  const auto m = static_cast<Index>(points.size());
  QpBuilder qp(features + 3 * m);  // x, u, r, s
  for (Index i = 0; i < m; ++i) {
    const Index u = features + i, r = u + m, s = r + m;
    QpTerms row = points[static_cast<std::size_t>(i)];
    const double noise = random.uniform() < 0.05 ? random.uniform(0.0, 10.0) : 0.5 * random.normal();
    const double measured = dot(row, truth) + noise;
    row.insert(row.end(), {{u, -1.0}, {r, -1.0}, {s, 1.0}});
    qp.add_equality(row, measured);
    qp.add_square(2.0, {{u, 1.0}});
    for (const Index k : {r, s}) {
      qp.add_linear(k, 2.0);
      qp.set_bounds(k, 0.0, infinity);
    }
  }
  return qp.finish();
}

}  // namespace slipstick::internal
