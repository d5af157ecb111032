// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/pdip_barrier.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

// If contacts form chains, impulses are larger than loads. From too large impulses the path is short. From
// too small ones a step only about doubles them.
constexpr double pdip_slack_size = 1000.0;

// f_2 of a cone, with ratio = y_T / y_N.
struct SecondFunction {
  SecondFunction(double normal, const Eigen::Vector2d& ratio) {
    const double length = std::hypot(ratio[0], ratio[1]);
    slack = 0.5 * normal * (1.0 - length) * (1.0 + length);
    gradient = {-0.5 * (1.0 + length * length), ratio[0], ratio[1]};
  }
  double slack;  // -f_2
  ConePoint gradient;
};

}  // namespace

void PdipBarrier::prepare(const Problem& problem, const Vector& d) {
  unknowns_.prepare(problem, d);
  cones_.clear();
  bounds_.clear();
  for (const ConeUnknowns::Block& block : unknowns_.cones()) {
    const double mu = unknowns_.scale()[block.start + 1] / unknowns_.scale()[block.start];
    cones_.push_back({.block = block, .stiffness = std::max(1.0, mu * mu)});
  }
  for (const ConeUnknowns::Bound& bound : unknowns_.bounds())
    bounds_.push_back({.unknown = bound.unknown, .sign = bound.sign});
  terms_.resize(unknowns_);
}

void PdipBarrier::start(double margin, Vector& y) {
  const double product = 0.5 * pdip_slack_size * margin * margin;
  for (Cone& cone : cones_) {
    const ConePoint start = ConeUnknowns::segment(y, cone.block);
    cone.normal = std::max(start[0], std::hypot(start[1], start[2]) + pdip_slack_size * margin);
    cone.ratio = start.tail<2>() / cone.normal;
    y[cone.block.start] = cone.normal;
    cone.lambda = {product / cone.normal, product / SecondFunction(cone.normal, cone.ratio).slack};
  }
  for (Bound& bound : bounds_) {
    bound.slack = unknowns_.move_inside(bound.unknown, bound.sign, pdip_slack_size * margin, y);
    bound.lambda = product / bound.slack;
  }
  refresh();
}

void PdipBarrier::start_near(const Vector& g, Vector& y) {
  // The two functions of a cone, with the product tau each, are its barrier with y o z = 2 tau e.
  const double tau = unknowns_.nearby_gap(y, g);
  for (Cone& cone : cones_) {
    const ConePoint t = ConeUnknowns::segment(y, cone.block) - ConeUnknowns::segment(g, cone.block);
    const ConePoint start = smoothed_projection(t, 2.0 * tau);
    cone.normal = start[0];
    cone.ratio = start.tail<2>() / cone.normal;
    cone.lambda = {tau / cone.normal, tau / SecondFunction(cone.normal, cone.ratio).slack};
    ConeUnknowns::set_segment(y, cone.block, start);
  }
  unknowns_.move_bounds_near(g, tau, y, [&](std::size_t k, double slack) {
    bounds_[k].slack = slack;
    bounds_[k].lambda = tau / slack;
  });
  refresh();
}

void PdipBarrier::refresh() {
  terms_.squares.setZero();
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    ConeUnknowns::set_segment(terms_.squares, cones_[c].block, find_terms(cones_[c], terms_.frames[c]));
  }
  for (const Bound& bound : bounds_) terms_.squares[bound.unknown] += bound.lambda / bound.slack;
}

// Computes the eigenvalues of a cone's block, and its frame.
ConePoint PdipBarrier::find_terms(const Cone& cone, Eigen::Matrix3d& frame) {
  const double length = std::hypot(cone.ratio[0], cone.ratio[1]);
  const Eigen::Vector2d d = length > 0.0 ? Eigen::Vector2d(cone.ratio / length) : Eigen::Vector2d(1.0, 0.0);
  const double plus = 1.0 + length;
  const double minus = 1.0 - length;
  const double lambda1 = cone.lambda[0] / cone.normal;
  const double lambda2 = cone.lambda[1] / cone.normal;
  const double pp = 0.5 * lambda1 + lambda2 * minus * minus * (0.5 + 0.25 * minus / plus);
  const double mm = 0.5 * lambda1 + lambda2 * plus * plus * (0.5 + 0.25 * plus / minus);
  const double pm = 0.5 * lambda1 - 0.25 * lambda2 * plus * minus;

  // Jacobi rotation in the plane of p and m.
  const double theta = 0.5 * (mm - pp) / pm;
  const double t = pm == 0.0 ? 0.0 : std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1.0 / std::hypot(t, 1.0);
  const double s = t * c;
  const double half = std::sqrt(0.5);
  const ConePoint p{half, half * d[0], half * d[1]};
  const ConePoint m{half, -half * d[0], -half * d[1]};
  frame.col(0) = c * p - s * m;
  frame.col(1) = s * p + c * m;
  frame.col(2) = ConePoint(0.0, -d[1], d[0]);
  return {std::max(0.0, pp - t * pm), mm + t * pm, lambda2};
}

void PdipBarrier::to_rows(const Vector& y, Vector& x) const {
  unknowns_.to_rows(y, x);
  // Near an upper bound, the slack of that bound is more accurate.
  for (const Bound& bound : bounds_) {
    if (bound.sign < 0.0 && bound.slack <= y[bound.unknown])
      x[unknowns_.rows()[bound.unknown]] = unknowns_.below_upper(bound.unknown, bound.slack);
  }
}

PdipBarrier::Products PdipBarrier::products_after(const Cone& cone, double step) {
  const double normal = cone.normal_after(step);
  const SecondFunction f(normal, cone.ratio_after(step));
  return {(cone.lambda[0] + step * cone.dlambda[0]) * normal,
          (cone.lambda[1] + step * cone.dlambda[1]) * f.slack};
}

double PdipBarrier::gap_after(double step) const {
  double sum = 0.0;
  for (const Cone& cone : cones_) {
    const Products products = products_after(cone, step);
    sum += products[0] + products[1];
  }
  for (const Bound& bound : bounds_) sum += product_after(bound, step);
  return sum;
}

bool PdipBarrier::is_centred(double step, double share) const {
  const double least = share * gap_after(step) / static_cast<double>(functions());
  for (const Cone& cone : cones_) {
    const Products products = products_after(cone, step);
    if (!(products[0] >= least && products[1] >= least)) return false;
  }
  for (const Bound& bound : bounds_) {
    if (!(product_after(bound, step) >= least)) return false;
  }
  return true;
}

void PdipBarrier::aim(double tau) {
  for (Cone& cone : cones_) {
    const Products products = products_after(cone, 0.0);
    for (int i = 0; i < 2; ++i) cone.target[i] = tau - products[i];
  }
  for (Bound& bound : bounds_) bound.target = tau - product_after(bound, 0.0);
}

void PdipBarrier::aim_with_correction(double tau, double step, double weight) {
  const double factor = weight / (step * step);
  const auto aim = [&](double now, double then, double& target) {
    target = tau - now - factor * (then - now - step * target);
  };
  for (Cone& cone : cones_) {
    const Products now = products_after(cone, 0.0);
    const Products then = products_after(cone, step);
    for (int i = 0; i < 2; ++i) aim(now[i], then[i], cone.target[i]);
  }
  for (Bound& bound : bounds_) aim(product_after(bound, 0.0), product_after(bound, step), bound.target);
}

void PdipBarrier::add_targets(Vector& r) const {
  for (const Cone& cone : cones_) {
    const SecondFunction f(cone.normal, cone.ratio);
    ConePoint share = -cone.target[1] / f.slack * f.gradient;
    share[0] += cone.target[0] / cone.normal;
    ConeUnknowns::set_segment(r, cone.block, ConeUnknowns::segment(r, cone.block) + share);
  }
  for (const Bound& bound : bounds_) r[bound.unknown] += bound.sign * bound.target / bound.slack;
}

bool PdipBarrier::set_direction(const Vector& direction, Vector& bend) {
  bool any = false;
  bend.setZero();
  for (Cone& cone : cones_) {
    const SecondFunction f(cone.normal, cone.ratio);
    const ConePoint dy = ConeUnknowns::segment(direction, cone.block);
    cone.dnormal = dy[0];
    cone.dratio = (dy.tail<2>() - dy[0] * cone.ratio) / cone.normal;
    cone.dlambda = {(cone.target[0] - cone.lambda[0] * dy[0]) / cone.normal,
                    (cone.target[1] + cone.lambda[1] * f.gradient.dot(dy)) / f.slack};
    cone.bent = cone.stiffness * cone.normal < cone.lambda[0] + cone.lambda[1];
    if (cone.bent) {
      any = true;
      const ConePoint share{0.0, cone.dnormal * cone.dratio[0], cone.dnormal * cone.dratio[1]};
      ConeUnknowns::set_segment(bend, cone.block, share);
    }
  }
  for (Bound& bound : bounds_) {
    bound.dslack = bound.sign * direction[bound.unknown];
    bound.dlambda = (bound.target - bound.lambda * bound.dslack) / bound.slack;
  }
  return any;
}

double PdipBarrier::max_step() const {
  double longest = infinity;
  for (const Cone& cone : cones_) {
    const ConePoint ratio{1.0, cone.ratio[0], cone.ratio[1]};
    // Along a straight line, y divided by the first y_N moves by (dy_N / y_N, dratio + dy_N / y_N ratio).
    const double rate = cone.bent ? 0.0 : cone.dnormal / cone.normal;
    const ConePoint dratio{rate, cone.dratio[0] + rate * cone.ratio[0],
                           cone.dratio[1] + rate * cone.ratio[1]};
    longest =
        std::min({longest, bound_step(cone.normal, cone.dnormal), internal::max_step(ratio, dratio),
                  bound_step(cone.lambda[0], cone.dlambda[0]), bound_step(cone.lambda[1], cone.dlambda[1])});
  }
  for (const Bound& bound : bounds_) {
    longest =
        std::min({longest, bound_step(bound.slack, bound.dslack), bound_step(bound.lambda, bound.dlambda)});
  }
  return longest;
}

double PdipBarrier::residual_after(double step, double tau, Vector& g) const {
  double squared = 0.0;
  for (const Cone& cone : cones_) {
    const double normal = cone.normal_after(step);
    const SecondFunction f(normal, cone.ratio_after(step));
    if (!(normal > 0.0 && f.slack > 0.0)) return infinity;
    const double lambda1 = cone.lambda[0] + step * cone.dlambda[0];
    const double lambda2 = cone.lambda[1] + step * cone.dlambda[1];
    squared += std::pow(lambda1 * normal - tau, 2) + std::pow(lambda2 * f.slack - tau, 2);
    ConePoint share = lambda2 * f.gradient;
    share[0] -= lambda1;
    ConeUnknowns::set_segment(g, cone.block, ConeUnknowns::segment(g, cone.block) + share);
  }
  for (const Bound& bound : bounds_) {
    const double slack = bound.slack + step * bound.dslack;
    const double lambda = bound.lambda + step * bound.dlambda;
    if (!(slack > 0.0)) return infinity;
    squared += std::pow(lambda * slack - tau, 2);
    g[bound.unknown] -= bound.sign * lambda;
  }
  return std::sqrt(squared);
}

void PdipBarrier::step(double length, Vector& y) {
  for (Cone& cone : cones_) {
    cone.ratio = cone.ratio_after(length);
    cone.normal = cone.normal_after(length);
    ConeUnknowns::set_segment(y, cone.block, point(cone));
    for (int i = 0; i < 2; ++i) cone.lambda[i] += length * cone.dlambda[i];
  }
  for (Bound& bound : bounds_) {
    bound.slack += length * bound.dslack;
    bound.lambda += length * bound.dlambda;
    if (bound.sign > 0.0) y[bound.unknown] = bound.slack;
  }
  refresh();
}

}  // namespace slipstick::internal
