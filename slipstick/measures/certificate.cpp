// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/measures/certificate.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/measures/ruler.hpp"

namespace slipstick::internal {
namespace {

// The sum of the terms is rounded by less than this share of their sizes.
constexpr double sum_rounding = 1e-14;

// A sum that knows how large its terms were.
struct RoundedSum {
  double sum = 0.0;
  double size = 0.0;

  void add(double term) {
    sum += term;
    size += std::abs(term);
  }
  double rounding() const { return sum_rounding * size; }
};

// A step of size d along which lower <= x <= upper holds without end, nearest to d.
double recession(double d, double lower, double upper) {
  if (lower != -infinity) d = std::max(d, 0.0);
  if (upper != infinity) d = std::min(d, 0.0);
  return d;
}

// A'd
void multiply_transposed(const Problem& problem, const Vector& d, Vector& result) {
  if (problem.symmetric) return problem.A.multiply(d, result);
  const std::shared_ptr<const CsrMatrix> a = problem.A.assemble();
  result.setZero();
  for (Index i = 0; i < a->rows(); ++i) {
    for (CsrMatrix::InnerIterator it(*a, i); it; ++it) result[it.col()] += it.value() * d[i];
  }
}

// The largest value of slope x over lower <= x <= upper is added to `most`. Without a bound, the slope is
// returned.
double add_most(double slope, double lower, double upper, RoundedSum& most) {
  if (slope == 0.0) return 0.0;
  const double bound = slope > 0.0 ? upper : lower;
  if (std::isinf(bound)) return slope;
  most.add(slope * bound);
  return 0.0;
}

double distance_from_origin(double lower, double upper) {
  return std::max({lower, -upper, 0.0});
}

}  // namespace

double unboundedness_defect(const Problem& problem, ConstVectorView given) {
  if (!problem.K.is_box() || given.size() != problem.b.size() || !given.allFinite()) return infinity;
  const auto lower = problem.K.lower(), upper = problem.K.upper();
  Vector d = given, slope(d.size());
  for (Index i = 0; i < d.size(); ++i) d[i] = recession(d[i], lower[i], upper[i]);
  const double length = d.lpNorm<Eigen::Infinity>();
  if (!(length > 0.0)) return infinity;
  d /= length;
  multiply_transposed(problem, d, slope);

  Ruler ruler;
  ruler.prepare(problem);
  RoundedSum most;
  for (Index i = 0; i < d.size(); ++i) most.add(problem.b[i] * d[i]);
  double unlimited = 0.0;
  for (Index i = 0; i < d.size(); ++i) {
    const double open = add_most(slope[i], lower[i], upper[i], most) / ruler.scale()[i];
    unlimited += open * open;
  }
  double outside = 0.0;
  if (problem.rows) {
    const LinearRows& rows = *problem.rows;
    for (Index i = 0; i < rows.G->rows(); ++i) {
      const double activity = row_dot(*rows.G, i, d.data());
      const double open =
          (activity - recession(activity, rows.lower[i], rows.upper[i])) / ruler.row_length()[i];
      outside += open * open;
    }
  }
  const double gain = -most.sum - most.rounding();
  if (!(gain > 0.0)) return infinity;
  return (std::sqrt(unlimited) + std::sqrt(outside)) * ruler.norm() / gain;
}

double infeasibility_defect(const Problem& problem, ConstVectorView given) {
  if (!problem.K.is_box() || !problem.rows || given.size() != problem.rows->G->rows() || !given.allFinite())
    return infinity;
  const LinearRows& rows = *problem.rows;
  const auto lower = problem.K.lower(), upper = problem.K.upper();
  // A multiplier of the wrong sign would need a bound that is not there.
  Vector y = given;
  for (Index i = 0; i < y.size(); ++i) {
    if (rows.lower[i] == -infinity) y[i] = std::min(y[i], 0.0);
    if (rows.upper[i] == infinity) y[i] = std::max(y[i], 0.0);
  }
  const double size = y.lpNorm<Eigen::Infinity>();
  if (!(size > 0.0)) return infinity;
  y /= size;

  Vector slope = Vector::Zero(problem.b.size()), terms = slope;
  RoundedSum gap;
  double distance = 0.0;
  for (Index i = 0; i < y.size(); ++i) {
    double squared = 0.0;
    for (CsrMatrix::InnerIterator it(*rows.G, i); it; ++it) {
      slope[it.col()] += it.value() * y[i];
      terms[it.col()] += std::abs(it.value() * y[i]);
      squared += it.value() * it.value();
    }
    const double away = distance_from_origin(rows.lower[i], rows.upper[i]);
    distance = std::max(distance, squared > 0.0 ? away / std::sqrt(squared) : 0.0);
    if (y[i] != 0.0) gap.add(y[i] * (y[i] > 0.0 ? rows.lower[i] : rows.upper[i]));
  }
  double squared = 0.0;
  double rounded = 0.0;  // by the rounding of G'y at bounds far away
  for (Index j = 0; j < slope.size(); ++j) {
    RoundedSum most;
    const double open = add_most(slope[j], lower[j], upper[j], most);
    gap.add(-most.sum);
    if (slope[j] != 0.0) rounded += sum_rounding * terms[j] * std::abs(most.sum / slope[j]);
    squared += open * open;
    distance = std::max(distance, distance_from_origin(lower[j], upper[j]));
  }
  const double sure = gap.sum - gap.rounding() - rounded;
  if (!(sure > 0.0)) return infinity;
  return squared == 0.0 ? 0.0 : std::sqrt(squared) * distance / sure;
}

void check_proof(const Problem& problem, Result& result) {
  result.proved = false;
  if (result.status != Status::infeasible && result.status != Status::unbounded) return;
  if (result.ray.size() == 0 && result.farkas.size() == 0) return;
  result.proved =
      (result.ray.size() > 0 && unboundedness_defect(problem, result.ray) <= certain_defect) ||
      (result.farkas.size() > 0 && infeasibility_defect(problem, result.farkas) <= certain_defect);
  if (result.proved) return;
  result.status = Status::stalled;
  result.message.clear();
}

}  // namespace slipstick::internal
