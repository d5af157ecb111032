// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/pjacobi.hpp"

#include <cmath>

#include "slipstick/base/random.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/solvers/sweeps/sweep.hpp"

namespace slipstick::internal {

Pjacobi::Pjacobi(const PjacobiSettings& settings)
    : SweepSolver("pjacobi", {.sets = Needs::bounds}), settings_(settings) {
  check_jacobi_relaxation(settings_.relaxation);
}

void Pjacobi::run(const Run& run) {
  Monitor monitor(run.settings, default_max_sweeps, run.observer);
  begin(run, monitor);
  const int threads = run.settings.threads;
  relax(radius_.relaxation(settings_.relaxation, run.problem.A, rows_.step, threads,
                           run.result.counts.products));
  run.problem.A.visit([&](const auto& a) {
    JacobiSweep sweep(a, run.problem.A, rows_, run.result.x, velocities_, w_, partial_sums_, threads);
    while (!finished(run, monitor)) {
      double estimate = 0.0;
      do {
        estimate = sweep.full();
        ++run.result.counts.products;
      } while (!due(estimate, run, monitor));
    }
  });
  conclude(run, monitor);
}

double JacobiRadius::relaxation(double asked, const Operator& A, const Vector& inverse_diagonal, int threads,
                                std::int64_t& products) {
  return asked > 0.0 ? asked : jacobi_safety / (*this)(A, inverse_diagonal, threads, products);
}

double JacobiRadius::operator()(const Operator& A, const Vector& inverse_diagonal, int threads,
                                std::int64_t& products) {
  constexpr int most_iterations = 50;
  constexpr double accuracy = 0.03;
  const Index n = inverse_diagonal.size();
  if (radius_ > 0.0 && known_.same_storage(A) && known_diagonal_.size() == n &&
      known_diagonal_ == inverse_diagonal)
    return radius_;
  direction_.resize(n);
  scaled_.resize(n);
  product_.resize(n);
  Random random(n);
  for (Index i = 0; i < n; ++i) direction_[i] = inverse_diagonal[i] > 0.0 ? random.uniform(-1.0, 1.0) : 0.0;
  direction_.normalize();
  radius_ = 1.0;
  for (int k = 0; k < most_iterations && direction_.squaredNorm() > 0.0; ++k) {
    scaled_ = direction_.cwiseProduct(inverse_diagonal.cwiseSqrt());
    A.multiply(scaled_, product_, threads);
    ++products;
    product_ = product_.cwiseProduct(inverse_diagonal.cwiseSqrt());
    // An eigenvalue lies within the residual of the Rayleigh quotient. The sum is a safe estimate.
    const double quotient = direction_.dot(product_);
    const double residual = (product_ - quotient * direction_).norm();
    radius_ = std::abs(quotient) + residual;
    if (residual <= accuracy * radius_) break;
    direction_ = product_ / product_.norm();
  }
  known_ = A;
  known_diagonal_ = inverse_diagonal;
  return radius_;
}

}  // namespace slipstick::internal
