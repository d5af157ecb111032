// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/error_descent.hpp"

#include <algorithm>
#include <cmath>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

// Iterations of conjugate gradients in the first step, and the growth of their number from step to step.
constexpr int first_iterations = 10;
constexpr int growth = 3;
constexpr int most_iterations = 100;
constexpr int most_steps = 8;
// A step follows if it can lower the error from here to the target, which no step has done from farther away.
constexpr double next_reach = 1.12;
constexpr double least_fall = 0.995;     // of the error in a step that another one may follow
constexpr double work_per_node = 500.0;  // operations of an iteration: two products with W

template <int d>
using Vec = Eigen::Matrix<double, d, 1>;
template <int d>
using Mat = Eigen::Matrix<double, d, d>;

// The projection of z on the cone of mu, and its derivative.
template <int d>
Vec<d> project(double mu, const Vec<d>& z, Mat<d>& derivative) {
  const Vec<d - 1> tangent = z.template tail<d - 1>();
  const double length = tangent.norm();
  derivative.setZero();
  if (length <= mu * z[0]) {
    derivative.setIdentity();
    return z;
  }
  if (mu * length <= -z[0]) return Vec<d>::Zero();
  const double normal = (z[0] + mu * length) / (1.0 + mu * mu);
  Vec<d> edge;
  edge << 1.0, mu / length * tangent;
  derivative = edge * edge.transpose() / (1.0 + mu * mu);
  if constexpr (d == 3) {
    const Vec<d> across(0.0, -tangent[1] / length, tangent[0] / length);
    derivative += mu * normal / length * across * across.transpose();
  }
  return normal * edge;
}

// x of node i
template <int d>
Vec<d> at(const Vector& x, int i) {
  return x.segment<d>(static_cast<Index>(d) * i);
}

}  // namespace

template <>
std::vector<ErrorDescent::Node<2>>& ErrorDescent::nodes<2>() {
  return plane_;
}
template <>
std::vector<ErrorDescent::Node<3>>& ErrorDescent::nodes<3>() {
  return space_;
}

double ErrorDescent::run(const CoulombMethod::Context& context, double error, Vector& r) {
  if (!(error > 1.0 && error <= reach) || context.blocks.has_boxes()) return error;
  return context.blocks.dimension() == 3 ? descend<3>(context, error, r) : descend<2>(context, error, r);
}

template <int d>
double ErrorDescent::descend(const CoulombMethod::Context& context, double error, Vector& r) {
  for (Vector* vector : {&u_, &step_, &trial_, &residual_, &direction_, &product_, &response_, &forces_})
    vector->resize(r.size());
  nodes<d>().resize(static_cast<std::size_t>(context.island.nodes()));
  context.blocks.velocities(context.island, r, u_);
  ++context.counts.products;
  int iterations = first_iterations;
  for (int k = 0; k < most_steps; ++k) {
    linearize<d>(context, r);
    find_step<d>(context, iterations);
    island_of(context, trial_) = island_of(context, r) + island_of(context, step_);
    context.blocks.velocities(context.island, trial_, u_);
    ++context.counts.products;
    const double next = relative_error(context, trial_, u_);
    if (!(next < error)) return error;
    copy_island(context, trial_, r);
    const bool falls = next < least_fall * error;
    error = next;
    if (error <= 1.0 || error > next_reach || !falls) return error;
    iterations = std::min(growth * iterations, most_iterations);
  }
  return error;
}

template <int d>
void ErrorDescent::linearize(const CoulombMethod::Context& context, const Vector& r) {
  const ContactBlocks& blocks = context.blocks;
  const CoulombTarget& target = context.target;
  const ContactErrors errors = island_errors(blocks, context.island, r, u_);
  const double largest =
      std::max(target.squared_impulses + errors.impulses, target.squared_velocities + errors.velocities);
  const double published = std::max(target.published, target.relative * std::sqrt(largest));
  for (int i = context.island.begin; i < context.island.end; ++i) {
    Node<d>& node = nodes<d>()[static_cast<std::size_t>(i - context.island.begin)];
    node.G.setZero();
    node.K.setZero();
    node.L.setZero();
    node.by_r.setZero();
    node.by_u.setZero();
    const Vec<d> x = at<d>(r, i), u = at<d>(u_, i);
    if (i < context.island.joints) {
      Mat<d> shift = Mat<d>::Identity();  // the derivative of u^ by u
      const double speed = sliding_speed<d>(u.data());
      if (speed > 0.0) shift.template block<1, d - 1>(0, 1) = blocks.mu(i) / speed * u.template tail<d - 1>();
      Vec<d> w = u;
      w[0] += blocks.mu(i) * speed;
      const auto add = [&](double scale, double weight) {
        Mat<d> derivative;
        const Vec<d> e = scale * x - project<d>(blocks.mu(i), scale * x - w, derivative);
        const Mat<d> B = scale * (Mat<d>::Identity() - derivative), C = derivative * shift;
        node.G += weight * B.transpose() * B;
        node.K += weight * B.transpose() * C;
        node.L += weight * C.transpose() * C;
        node.by_r += weight * B.transpose() * e;
        node.by_u += weight * C.transpose() * e;
      };
      add(blocks.scale(i), blocks.weight(i) / (target.scaled * target.scaled));
      add(1.0, 1.0 / (published * published));
    } else {
      for (int a = 0; a < d; ++a) {
        const auto add = [&](double scale, double weight) {
          const double e = row_error(x[a], u[a], scale, blocks.lower(i, a), blocks.upper(i, a));
          const bool inside = e == u[a];
          node.G(a, a) += inside ? 0.0 : weight * scale * scale;
          node.L(a, a) += inside ? weight : 0.0;
          node.by_r[a] += inside ? 0.0 : weight * scale * e;
          node.by_u[a] += inside ? weight * e : 0.0;
        };
        add(blocks.row_scale(i, a), 1.0 / (blocks.row_scale(i, a) * target.scaled * target.scaled));
        add(1.0, 1.0 / (published * published));
      }
    }
  }
}

// step_ <- some iterations of conjugate gradients, preconditioned by the squares of d.
template <int d>
void ErrorDescent::find_step(const CoulombMethod::Context& context, int iterations) {
  const ContactBlocks& blocks = context.blocks;
  const int begin = context.island.begin;
  const auto own = [&](Vector& x) { return island_of(context, x); };
  const auto precondition = [&](const Vector& from, Vector& to) {
    for (int i = begin; i < context.island.end; ++i)
      for (int a = 0; a < d; ++a) {
        const double scale = i < context.island.joints ? blocks.scale(i) : blocks.row_scale(i, a);
        const Index row = static_cast<Index>(d) * i + a;
        to[row] = from[row] / (scale * scale);
      }
  };
  for (int i = begin; i < context.island.end; ++i)
    forces_.segment<d>(static_cast<Index>(d) * i) = nodes<d>()[static_cast<std::size_t>(i - begin)].by_u;
  respond(context, forces_, response_);
  for (int i = begin; i < context.island.end; ++i)
    residual_.segment<d>(static_cast<Index>(d) * i) =
        -at<d>(response_, i) - nodes<d>()[static_cast<std::size_t>(i - begin)].by_r;
  own(step_).setZero();
  precondition(residual_, product_);
  own(direction_) = own(product_);
  double square = own(residual_).dot(own(product_));
  for (int k = 0; k < iterations && square > 0.0; ++k) {
    count_work(work_per_node * context.island.nodes());
    multiply<d>(context, direction_, product_);
    const double curvature = own(direction_).dot(own(product_));
    if (!(curvature > 0.0)) return;
    const double length = square / curvature;
    own(step_) += length * own(direction_);
    own(residual_) -= length * own(product_);
    precondition(residual_, product_);
    const double next = own(residual_).dot(own(product_));
    own(direction_) = own(product_) + next / square * own(direction_);
    square = next;
  }
}

// product <- (G + K W + W K' + W L W) x
template <int d>
void ErrorDescent::multiply(const CoulombMethod::Context& context, const Vector& x, Vector& product) {
  const int begin = context.island.begin;
  respond(context, x, response_);
  for (int i = begin; i < context.island.end; ++i) {
    const Node<d>& node = nodes<d>()[static_cast<std::size_t>(i - begin)];
    const Vec<d> own = at<d>(x, i), response = at<d>(response_, i);
    product.segment<d>(static_cast<Index>(d) * i) = node.G * own + node.K * response;
    forces_.segment<d>(static_cast<Index>(d) * i) = node.K.transpose() * own + node.L * response;
  }
  respond(context, forces_, response_);
  island_of(context, product) += island_of(context, response_);
}

// u <- W x
void ErrorDescent::respond(const CoulombMethod::Context& context, const Vector& x, Vector& u) const {
  context.blocks.velocities(context.island, x, u);
  island_of(context, u) -= island_of(context, context.blocks.q());
  ++context.counts.products;
}

}  // namespace slipstick::internal
