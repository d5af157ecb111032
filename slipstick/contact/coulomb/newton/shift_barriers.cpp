// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/shift_barriers.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::internal {
namespace {

constexpr double least_norm = 1e-300;

// Rounds of rotations at most. Columns of different magnitude need two or three.
constexpr int most_rounds = 12;
// Columns whose cosine is smaller are orthogonal.
constexpr double least_cosine = 1e-15;

// Newton steps of a smoothed projection. A step is full if the decrement is at most the first one, and the
// last one ends with the second one.
constexpr int most_newton_steps = 200;
constexpr double full_step_decrement = 0.25, least_decrement = 1e-9, tau_fall = 0.3;

// Row j of C' for x of this many rows.
ConePoint facet(int j, int size) {
  ConePoint normal(1.0, 0.0, 0.0);
  if (j / 2 + 1 < size) normal[j / 2 + 1] = j % 2 == 0 ? 1.0 : -1.0;
  return normal;
}

}  // namespace

void ConeBarrier::start_near(double tau, ConePoint& x, ConePoint& z) {
  const ConePoint target = x - z;
  x = smoothed_projection(target, tau);
  z = x - target;
  scaling_ = NesterovTodd::scaling_from(x, z);
}

void ConeBarrier::factorize(int size, Frame& U, ConePoint& L, Eigen::Matrix3d& Q) const {
  L = scaling_.values();
  Q = scaling_.frame();
  if (size == 1) {
    L[0] = scaling_.beta();
    Q.setIdentity();
  }
  U = Q;
}

bool ConeBarrier::update(const Scaled& x, const Scaled& z) {
  if (!(cone_determinant(x) > 0.0 && cone_determinant(z) > 0.0)) return false;
  scaling_.update(x, z);
  return true;
}

ConePoint ConeBarrier::change_of_product(const Scaled& product, double least, double largest) {
  const double tangent = std::hypot(product[1], product[2]);
  const double high = std::clamp(product[0] + tangent, least, largest);
  const double low = std::clamp(product[0] - tangent, least, largest);
  const double slope = tangent > 0.0 ? 0.5 * (high - low) / tangent : 0.0;
  const ConePoint change = ConePoint(0.5 * (high + low), slope * product[1], slope * product[2]) - product;
  return std::min(1.0, largest / std::max(change.norm(), least_norm)) * change;
}

SmoothShift ConeBarrier::shift(const ConePoint& y, double eps) {
  const double squared = y[1] * y[1] + y[2] * y[2], n = std::sqrt(squared + eps * eps);
  const double slope = n > 0.0 ? (2.0 - squared / (n * n)) / n : 0.0;
  return {.rho = n > 0.0 ? squared / n : 0.0, .slope = {slope * y[1], slope * y[2]}};
}

// The minimizer of 1/2 ||x - target||^2 - tau sum log g, by Newton's method for falling tau. Then z = x -
// target is C' m with g m = tau.
void PyramidBarrier::start_near(double tau, ConePoint& x, ConePoint& z) {
  const ConePoint target = x - z;
  double now = std::max(tau, 1.0 + target.squaredNorm());
  x = 2.0 * std::sqrt(now) * cone_identity();
  Scaled g;
  for (int k = 0; k < most_newton_steps; ++k) {
    ConePoint slope = x - target;
    Eigen::Matrix3d curvature = Eigen::Matrix3d::Identity();
    for (int j = 0; j < rows; ++j) {
      const ConePoint normal = facet(j, size_);
      g[j] = normal.dot(x);
      slope -= now / g[j] * normal;
      curvature += now / (g[j] * g[j]) * normal * normal.transpose();
    }
    const ConePoint step = curvature.llt().solve(slope);
    const double decrement = std::sqrt(std::max(0.0, slope.dot(step)) / now);
    x -= step / (decrement > full_step_decrement ? 1.0 + decrement : 1.0);
    if (now <= tau && !(decrement > least_decrement)) break;
    if (decrement <= full_step_decrement) now = std::max(tau, tau_fall * now);
  }
  for (int j = 0; j < rows; ++j) g[j] = std::max(facet(j, size_).dot(x), least_norm);
  scale_ = std::sqrt(tau) * g.cwiseInverse();
  lambda_.setConstant(std::sqrt(tau));
  z = unscaled_z(lambda_);
}

ConePoint PyramidBarrier::unscaled_z(const Scaled& z) const {
  ConePoint sum = ConePoint::Zero();
  for (int j = 0; j < rows; ++j) sum += scale_[j] * z[j] * facet(j, size_);
  return sum;
}

// One-sided Jacobi method on the columns of C' W (Hestenes 1958). It keeps the relative accuracy of all
// singular values, whatever the magnitudes of W are. One of the four columns becomes zero.
void PyramidBarrier::factorize(int size, Frame& U, ConePoint& L, Eigen::Matrix3d& Q) const {
  Eigen::Matrix<double, 3, 4> columns;
  Eigen::Matrix4d turned = Eigen::Matrix4d::Identity();
  for (int j = 0; j < rows; ++j) columns.col(j) = scale_[j] * facet(j, size);
  for (int round = 0; round < most_rounds; ++round) {
    bool rotated = false;
    for (int a = 0; a < rows; ++a) {
      for (int b = a + 1; b < rows; ++b) {
        if (columns.col(a).squaredNorm() < columns.col(b).squaredNorm()) {
          columns.col(a).swap(columns.col(b));
          turned.col(a).swap(turned.col(b));
        }
        const double aa = columns.col(a).squaredNorm(), bb = columns.col(b).squaredNorm();
        const double ab = columns.col(a).dot(columns.col(b));
        if (!(std::abs(ab) > least_cosine * std::sqrt(aa) * std::sqrt(bb))) continue;
        const double zeta = (bb - aa) / (2.0 * ab);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::sqrt(1.0 + zeta * zeta));
        const double c = 1.0 / std::sqrt(1.0 + t * t), s = c * t;
        const auto rotate = [&](auto& matrix) {
          for (int row = 0; row < matrix.rows(); ++row) {
            const double first = matrix(row, a), second = matrix(row, b);
            matrix(row, a) = c * first - s * second;
            matrix(row, b) = s * first + c * second;
          }
        };
        rotate(columns);
        rotate(turned);
        rotated = rotated || std::abs(t) > least_cosine;
      }
    }
    if (!rotated) break;
  }
  L = ConePoint::Ones();
  Q.setIdentity();
  for (int c = 0; c < size; ++c) {
    L[c] = std::max(columns.col(c).norm(), least_norm);
    Q.col(c) = columns.col(c) / L[c];
  }
  U = turned.leftCols<3>();
}

bool PyramidBarrier::update(const Scaled& x, const Scaled& z) {
  if (!(x.minCoeff() > 0.0 && z.minCoeff() > 0.0)) return false;
  scale_ = scale_.cwiseProduct(z.cwiseQuotient(x).cwiseSqrt());
  lambda_ = x.cwiseProduct(z).cwiseSqrt();
  return true;
}

double PyramidBarrier::max_step(const Scaled& x, const Scaled& d) {
  double step = std::numeric_limits<double>::infinity();
  for (int j = 0; j < rows; ++j)
    if (d[j] < 0.0) step = std::min(step, -x[j] / d[j]);
  return step;
}

Eigen::Vector4d PyramidBarrier::change_of_product(const Scaled& product, double least, double largest) {
  Scaled change;
  for (int j = 0; j < rows; ++j)
    change[j] = std::max(std::clamp(product[j], least, largest) - product[j], -largest);
  return change;
}

SmoothShift PyramidBarrier::shift(const ConePoint& y, double eps) {
  SmoothShift sum;
  for (const int a : {0, 1}) {
    const SmoothShift own = ConeBarrier::shift({0.0, y[a + 1], 0.0}, eps);
    sum.rho += own.rho;
    sum.slope[a] = own.slope[0];
  }
  return sum;
}

}  // namespace slipstick::internal
