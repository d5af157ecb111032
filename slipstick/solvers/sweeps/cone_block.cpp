// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/sweeps/cone_block.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double relative_shift = 1e-13;  // relative to the trace; added if the Cholesky factor needs it
constexpr int newton_steps = 60;
constexpr int polish_steps = 4;

double tangent_norm(const Eigen::Vector3d& x) {
  return std::hypot(x[1], x[2]);
}

}  // namespace

void ConeBlock::prepare(const Eigen::Ref<const DenseMatrix>& block, double mu) {
  const Index rows = block.rows();
  mu_ = mu;
  const double trace = block.trace();
  empty_ = !(trace > 0.0);
  if (empty_) return;
  matrix_.setZero();
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < rows; ++j) matrix_(i, j) = 0.5 * (block(i, j) + block(j, i));
  }
  if (rows == 2) matrix_(2, 2) = 0.5 * trace;

  double shift = relative_shift * trace;
  matrix_.diagonal().array() += shift;
  if (mu_ == 0.0) return;
  // In the coordinates (x_N, x_T / mu) the cone is the second-order cone.
  Block scaled = matrix_;
  scaled.bottomRows<2>() *= mu_;
  scaled.rightCols<2>() *= mu_;
  Eigen::LLT<Block> factor(scaled);
  while (factor.info() != Eigen::Success) {
    matrix_.diagonal().array() += 9.0 * shift;
    shift *= 10.0;
    scaled = matrix_;
    scaled.bottomRows<2>() *= mu_;
    scaled.rightCols<2>() *= mu_;
    factor.compute(scaled);
  }
  // scaled = L L'; V'(L^-1 Q L^-T)V = diag(q_1, -q_2, -q_3), and y = V'L'x.
  Block inverse = Block::Identity();
  factor.matrixL().solveInPlace(inverse);
  const Rows signs(1.0, -1.0, -1.0);
  const Block form = inverse * signs.asDiagonal() * inverse.transpose();
  const Eigen::SelfAdjointEigenSolver<Block> eigen(form);
  // Eigenvalues ascend: the positive one is the last.
  const Block order = (Block() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished();
  const Block vectors = eigen.eigenvectors() * order;
  q_ = Rows(eigen.eigenvalues()[2], -eigen.eigenvalues()[0], -eigen.eigenvalues()[1]);
  to_loads_ = vectors.transpose() * inverse;
  to_loads_.rightCols<2>() *= mu_;
  // Makes y_1 > 0 on the right nappe of the cone.
  if (to_loads_(0, 0) < 0.0) to_loads_.row(0) *= -1.0;
}

ConeBlock::Rows ConeBlock::solve(const Rows& c) const {
  if (mu_ == 0.0) return {std::max(0.0, -c[0] / matrix_(0, 0)), 0.0, 0.0};
  if (c[0] >= mu_ * tangent_norm(c)) return Rows::Zero();
  const Rows load = to_loads_ * c;
  Rows free = -(to_loads_.transpose() * load);
  if (free[0] >= 0.0 && tangent_norm(free) <= mu_ * free[0]) return free;
  return polish(on_boundary(load), c);
}

// x up to the rounding of the coordinates.
ConeBlock::Rows ConeBlock::on_boundary(const Rows& load) const {
  const double r2 = q_[1] / q_[0];
  const double r3 = q_[2] / q_[0];
  const double weight2 = q_[1] * load[1] * load[1];
  const double weight3 = q_[2] * load[2] * load[2];
  double low = std::max(0.0, -load[0]);
  double high = std::max(low, std::sqrt((weight2 + weight3) / q_[0]));
  double y1 = high;
  const double target = 1.0 / std::sqrt(q_[0]);
  for (int k = 0; k < newton_steps && high > low; ++k) {
    const double d2 = y1 * (1.0 + r2) + r2 * load[0];
    const double d3 = y1 * (1.0 + r3) + r3 * load[0];
    const double sum = weight2 / (d2 * d2) + weight3 / (d3 * d3);
    const double value = 1.0 / std::sqrt(sum) - target;  // rises with y_1
    (value > 0.0 ? high : low) = y1;
    const double slope = (weight2 * (1.0 + r2) / (d2 * d2 * d2) + weight3 * (1.0 + r3) / (d3 * d3 * d3)) /
                         (sum * std::sqrt(sum));
    double next = y1 - value / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - y1) <= 1e-15 * y1) break;
    y1 = next;
  }
  const double d2 = y1 * (1.0 + r2) + r2 * load[0];
  const double d3 = y1 * (1.0 + r3) + r3 * load[0];
  const Rows y(y1, d2 > 0.0 ? -load[1] * y1 / d2 : 0.0, d3 > 0.0 ? -load[2] * y1 / d3 : 0.0);
  return to_loads_.transpose() * y;
}

// x = s (1, mu cos, mu sin). With the best s for each angle, makes Newton steps on the angle while its slope
// falls.
ConeBlock::Rows ConeBlock::polish(Rows x, const Rows& c) const {
  const double tangent = tangent_norm(x);
  double cosine = tangent > 0.0 ? x[1] / tangent : 1.0;
  double sine = tangent > 0.0 ? x[2] / tangent : 0.0;
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < polish_steps; ++k) {
    const Rows ray(1.0, mu_ * cosine, mu_ * sine);
    const Rows turn(0.0, -mu_ * sine, mu_ * cosine);
    const Rows Bray = matrix_ * ray;
    const double length = ray.dot(Bray);
    const double s = std::max(0.0, -c.dot(ray) / length);
    // Derivative of 1/2 s^2 ray'B ray + s c'ray by the angle, with the best s.
    const double first = s * (c.dot(turn) + s * turn.dot(Bray));
    if (!(std::abs(first) < last)) break;
    last = std::abs(first);
    x = s * ray;
    const Rows inward(0.0, ray[1], ray[2]);
    const double mixed = c.dot(turn) + 2.0 * s * turn.dot(Bray);
    const double second =
        -s * c.dot(inward) + s * s * (turn.dot(matrix_ * turn) - inward.dot(Bray)) - mixed * mixed / length;
    const double angle = -first / second;
    if (!(second > 0.0) || !(std::abs(angle) < 0.5)) break;
    const double turned = std::hypot(1.0, angle);
    const double next_cosine = (cosine - angle * sine) / turned;
    sine = (sine + angle * cosine) / turned;
    cosine = next_cosine;
  }
  return x;
}

}  // namespace slipstick::internal
