// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/disk_pyramid.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

constexpr double disk_radius = 0.01;  // m
constexpr double density = 2500.0;    // kg/m^3, of disks that are a metre long
constexpr double gravity = 9.81;      // m/s^2
constexpr int disk_dofs = 3;

// Rows of contacts, and the positions of their entries in H.
class Contacts {
 public:
  // `body` is pushed along the normal, `other` (-1: the ground) in the opposite direction. Tangents are
  // normals turned to the left.
  void add(int body, int other, double x, double y) {
    const int column = 2 * count_++;
    const double axes[2][2] = {{x, y}, {-y, x}};
    for (int a = 0; a < 2; ++a) {
      for (const int side : {body, other}) {
        if (side < 0) continue;
        const double sign = side == body ? 1.0 : -1.0;
        for (int k = 0; k < 2; ++k)
          entries_.emplace_back(disk_dofs * side + k, column + a, sign * axes[a][k]);
        // The arm along the normal is -radius for the body, and radius for the other one.
        if (a == 1) entries_.emplace_back(disk_dofs * side + 2, column + a, -disk_radius);
      }
    }
  }
  Index count() const { return count_; }
  CsrMatrix H(Index rows) const {
    CsrMatrix H(rows, 2 * count());
    H.setFromTriplets(entries_.begin(), entries_.end());
    return H;
  }

 private:
  int count_ = 0;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

GlobalContactProblem disk_pyramid(const DiskPyramidOptions& options) {
  if (options.layers < 1 || options.layers > options.width)
    fail("disk pyramid: the layers must be 1 to the width {}, not {}", options.width, options.layers);
  if (options.width > 10000) fail("disk pyramid: at most 10000 disks wide, not {}", options.width);
  if (!(options.friction >= 0.0) || !std::isfinite(options.friction))
    fail("disk pyramid: the friction coefficient must be finite and not negative, not {}", options.friction);
  if (!(options.time_step > 0.0) || !std::isfinite(options.time_step))
    fail("disk pyramid: the time step must be positive, not {}", options.time_step);

  const double height = std::numbers::sqrt3 / 2.0;
  Contacts contacts;
  int first = 0, below = 0;  // first disk of the layer, and of the layer below
  for (int layer = 0; layer < options.layers; ++layer) {
    const int disks = options.width - layer;
    for (int k = 0; k < disks; ++k) {
      const int disk = first + k;
      if (layer == 0) contacts.add(disk, -1, 0.0, 1.0);
      if (k > 0) contacts.add(disk, disk - 1, 1.0, 0.0);
      if (layer == 0) continue;
      contacts.add(disk, below + k, 0.5, height);
      contacts.add(disk, below + k + 1, -0.5, height);
    }
    below = first;
    first += disks;
  }

  const double mass = std::numbers::pi * disk_radius * disk_radius * density;
  const Index rows = Index{disk_dofs} * first;
  GlobalContactProblem problem;
  problem.dimension = 2;
  problem.M.resize(rows, rows);
  problem.M.setIdentity();
  problem.f = Vector::Zero(rows);
  for (Index disk = 0; disk < first; ++disk) {
    for (int k = 0; k < 2; ++k) problem.M.coeffRef(disk_dofs * disk + k, disk_dofs * disk + k) = mass;
    problem.M.coeffRef(disk_dofs * disk + 2, disk_dofs * disk + 2) = 0.5 * mass * disk_radius * disk_radius;
    problem.f[disk_dofs * disk] = options.time_step * gravity * mass * std::sin(options.slope);
    problem.f[disk_dofs * disk + 1] = -options.time_step * gravity * mass * std::cos(options.slope);
  }
  problem.H = contacts.H(rows);
  problem.w = Vector::Zero(2 * contacts.count());
  problem.mu = Vector::Constant(contacts.count(), options.friction);
  return problem;
}

}  // namespace slipstick::internal
