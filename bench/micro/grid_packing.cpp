// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/micro/grid_packing.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "slipstick/base/random.hpp"
#include "slipstick/scenes/rigid_contacts.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double reach = 1.19;  // of centres in contact: about three contacts per sphere

std::uint64_t morton(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint64_t key = 0;
  for (int i = 0; i < 16; ++i)
    key |= std::uint64_t{(x >> i) & 1U} << (3 * i + 2) | std::uint64_t{(y >> i) & 1U} << (3 * i + 1) |
           std::uint64_t{(z >> i) & 1U} << (3 * i);
  return key;
}

Matrix3d tensor_of(const WorldBody& body) {
  const auto& t = body.inverse_inertia;
  return Matrix3d{{t[0], t[1], t[2]}, {t[1], t[3], t[4]}, {t[2], t[4], t[5]}};
}

// The mean diagonal of a contact's block.
double mean_diagonal(const WorldContacts& world, const WorldContact& contact) {
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    if (contact.body[static_cast<std::size_t>(side)] < 0) continue;
    const WorldBody& body =
        world.bodies[static_cast<std::size_t>(contact.body[static_cast<std::size_t>(side)])];
    const Vector3d arm = Eigen::Map<const Vector3d>(contact.arm[side]);
    const Matrix3d tensor = tensor_of(body);
    sum += body.inverse_mass + (arm.squaredNorm() * tensor.trace() - arm.dot(tensor * arm)) / 3.0;
  }
  return sum;
}

double row_diagonal(const WorldContacts& world, const WorldRow& row) {
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    if (row.body[static_cast<std::size_t>(side)] < 0) continue;
    const WorldBody& body = world.bodies[static_cast<std::size_t>(row.body[static_cast<std::size_t>(side)])];
    const Vector3d linear = Eigen::Map<const Vector3d>(row.jacobian[side]);
    const Vector3d angular = Eigen::Map<const Vector3d>(row.jacobian[side] + 3);
    sum += body.inverse_mass * linear.squaredNorm() + angular.dot(tensor_of(body) * angular);
  }
  return sum;
}

}  // namespace

GridPacking::GridPacking(int contacts, ContactShape shape, ContactOrder order) {
  const int side = std::max(4, static_cast<int>(std::lround(std::cbrt(contacts / 3.0))));
  const int count = side * side * side;
  Random random(7);
  std::vector<Vector3d> centre(static_cast<std::size_t>(count));
  std::vector<std::uint64_t> key(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const int x = i % side, y = i / side % side, z = i / (side * side);
    centre[static_cast<std::size_t>(i)] = {x + 0.6 * (random.uniform() - 0.5),
                                           y + 0.6 * (random.uniform() - 0.5),
                                           z + 0.6 * (random.uniform() - 0.5)};
    key[static_cast<std::size_t>(i)] =
        morton(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z));
  }
  std::vector<int> along_curve(static_cast<std::size_t>(count)), number(static_cast<std::size_t>(count));
  std::iota(along_curve.begin(), along_curve.end(), 0);
  std::sort(along_curve.begin(), along_curve.end(), [&](int a, int b) {
    return key[static_cast<std::size_t>(a)] < key[static_cast<std::size_t>(b)];
  });
  for (int k = 0; k < count; ++k)
    number[static_cast<std::size_t>(along_curve[static_cast<std::size_t>(k)])] = k;

  WorldContacts world;
  world.bodies.resize(static_cast<std::size_t>(count));
  std::vector<double> radius(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < world.bodies.size(); ++k) {
    radius[k] = 0.5 * random.uniform(0.9, 1.1);
    const double mass = std::pow(2.0 * radius[k], 3), turning = 2.5 / (mass * radius[k] * radius[k]);
    world.bodies[k] = {1.0 / mass, {turning, 0.0, 0.0, turning, 0.0, turning}};
    if (shape == ContactShape::general)
      world.bodies[k].inverse_inertia = {turning,       0.1 * turning,  0.0,
                                         1.2 * turning, 0.05 * turning, 0.8 * turning};
  }
  world.contacts.reserve(static_cast<std::size_t>(contacts) * 5 / 4);
  const auto add = [&](int first, int second, const Vector3d& normal) {
    WorldContact contact{.body = {first, second}, .row = 3 * static_cast<int>(world.contacts.size())};
    const Matrix3d frame = contact_frame(normal);  // columns
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) contact.axes[3 * a + i] = frame(i, a);
    for (int k = 0; k < 2; ++k) {
      const int body = contact.body[static_cast<std::size_t>(k)];
      if (body < 0) continue;
      Vector3d arm = (k == 0 ? 1.0 : -1.0) * radius[static_cast<std::size_t>(body)] * normal;
      if (shape != ContactShape::spheres) arm += 0.1 * Vector3d(frame.col(1));
      std::copy_n(arm.data(), 3, contact.arm[k]);
    }
    world.contacts.push_back(contact);
  };
  for (int i = 0; i < count; ++i) {
    const int x = i % side, y = i / side % side, z = i / (side * side);
    if (z == 0 && shape == ContactShape::general)
      add(number[static_cast<std::size_t>(i)], -1, Vector3d::UnitZ());
    for (int k = 14; k < 27; ++k) {
      const int u = x + k % 3 - 1, v = y + k / 3 % 3 - 1, w = z + k / 9 - 1;
      if (std::min({u, v, w}) < 0 || std::max({u, v, w}) >= side) continue;
      const int j = (w * side + v) * side + u;
      const Vector3d between = centre[static_cast<std::size_t>(i)] - centre[static_cast<std::size_t>(j)];
      if (between.squaredNorm() > reach * reach) continue;
      add(number[static_cast<std::size_t>(i)], number[static_cast<std::size_t>(j)], between.normalized());
    }
  }
  if (shape == ContactShape::general) {
    const int contact_rows = 3 * static_cast<int>(world.contacts.size());
    for (int body = 0; body + 1 < count; body += 100) {
      for (int a = 0; a < 5; ++a) {
        WorldRow row{.body = {body, body + 1}, .row = contact_rows + static_cast<int>(world.rows.size())};
        row.jacobian[0][a] = 1.0;
        row.jacobian[1][a] = -1.0;
        world.rows.push_back(row);
      }
    }
  }
  Vector mu(static_cast<Index>(world.contacts.size()));
  for (double& entry : mu) entry = random.uniform(0.2, 0.6);
  lay(world, mu, order);
}

void GridPacking::lay(const WorldContacts& world, const Vector& mu, ContactOrder order) {
  layout_.set(world, false, order);
  ProductSet K = ProductSet::cones(mu, 3);
  K.append_free(static_cast<Index>(world.rows.size()), Role::bilateral);
  Vector b(K.rows()), scale(K.rows());
  Random random(8);
  for (Index i = 0; i < b.size(); ++i) b[i] = random.uniform(-0.02, 0.02) - (i % 3 == 0 ? 0.01 : 0.0);
  for (const WorldContact& contact : world.contacts)
    scale.segment<3>(contact.row).setConstant(mean_diagonal(world, contact));
  for (const WorldRow& row : world.rows) scale[row.row] = row_diagonal(world, row);
  std::vector<double> scratch;
  layout_.copy_axes(K, scratch, axes_);
  load_.resize(static_cast<std::size_t>(layout_.size()));
  layout_.to_world(b, load_.data());
  scale_.resize(static_cast<std::size_t>(layout_.padded_contacts() + layout_.rows()));
  layout_.copy_first(scale, 1.0, scale_.data());
  layout_.copy_compliance(Vector::Zero(K.rows()), compliance_);
  layout_.copy_bounds(K, bounds_);
}

ContactArrays GridPacking::arrays() const {
  ContactArrays arrays = layout_.arrays();
  arrays.axes = axes_;
  arrays.load = load_;
  arrays.scale = scale_;
  arrays.compliance = compliance_;
  arrays.bounds = bounds_;
  return arrays;
}

}  // namespace slipstick::internal
