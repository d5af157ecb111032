// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/projected/spectral_steps.hpp"

#include <algorithm>

#include "slipstick/base/error.hpp"
#include "slipstick/solvers/projected/gradient_limits.hpp"

namespace slipstick::internal {
namespace {

constexpr int recent_steps = 9;

}  // namespace

SpectralSteps::SpectralSteps(const PSpgFbSettings& settings) : settings_(settings) {
  if (!(settings.shortest > 0.0 && settings.shortest <= 1.0 && settings.longest >= 1.0))
    fail("p-spg-fb needs 0 < shortest <= 1 <= longest, not {} and {}", settings.shortest, settings.longest);
}

void SpectralSteps::start() {
  rise_.setConstant(settings_.memory, -infinity);
  rise_[0] = 0.0;
  recent_.setConstant(recent_steps, infinity);
  threshold_ = 0.5;
  short_steps_ = 0;
  iteration_ = 0;
  rounded_steps_ = 0;
  alpha_ = 1.0;
}

bool SpectralSteps::accept_rounded() {
  return ++rounded_steps_ <= most_rounded_steps;
}

double SpectralSteps::search(double slope, double rounding, const Products& products) const {
  if (slope > -rounding) return 1.0;
  const double highest = rise_.maxCoeff();
  double lambda = 1.0;
  while (lambda * (slope + 0.5 * lambda * products.curvature) >
         highest + settings_.decrease * lambda * slope) {
    const double minimum = -slope / products.curvature;
    lambda = std::clamp(minimum, 0.1 * lambda, 0.9 * lambda);
  }
  return lambda;
}

void SpectralSteps::remember(double change) {
  rise_.array() -= change;
  rise_[(iteration_ + 1) % rise_.size()] = 0.0;
}

void SpectralSteps::advance(const Products& products) {
  alpha_ = next_step(products);
  ++iteration_;
}

double SpectralSteps::next_step(const Products& products) {
  const auto safe = [&](double step) { return std::clamp(step, settings_.shortest, settings_.longest); };
  if (!(products.curvature > 1e-14 * products.length) || !(products.image > 0.0)) return safe(10.0 * alpha_);
  const double longer = products.length / products.curvature;
  const double shorter = products.curvature / products.image;
  if (settings_.spectral == SpectralStep::alternating) return safe(iteration_ % 2 == 1 ? longer : shorter);
  recent_[short_steps_++ % recent_steps] = shorter;
  if (shorter < threshold_ * longer) {
    threshold_ *= 0.9;
    return safe(recent_.minCoeff());
  }
  threshold_ *= 1.1;
  return safe(longer);
}

}  // namespace slipstick::internal
