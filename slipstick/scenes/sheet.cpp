// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/sheet.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/scenes/rigid_contacts.hpp"

namespace slipstick::internal {
namespace {

constexpr double spacing = 0.01;      // m
constexpr double area_density = 0.2;  // kg/m^2
constexpr int waves = 6;

// Ground with a few waves of random direction, at most about `longest` points long.
class Ground {
 public:
  Ground(double slope, double longest, Random& random) {
    for (Wave& wave : waves_) {
      const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
      const double number = 2.0 * std::numbers::pi / (spacing * random.uniform(0.2, 1.0) * longest);
      wave = {number * Eigen::Vector2d(std::cos(angle), std::sin(angle)), slope / (number * waves),
              random.uniform(0.0, 2.0 * std::numbers::pi)};
    }
  }
  Eigen::Vector3d point(double x, double y) const {
    double height = 0.0;
    for (const Wave& wave : waves_) height += wave.amplitude * std::sin(phase(wave, x, y));
    return {x, y, height};
  }
  Eigen::Vector3d normal(double x, double y) const {
    Eigen::Vector3d normal(0.0, 0.0, 1.0);
    for (const Wave& wave : waves_)
      normal.head<2>() -= wave.amplitude * std::cos(phase(wave, x, y)) * wave.number;
    return normal.normalized();
  }

 private:
  struct Wave {
    Eigen::Vector2d number;
    double amplitude = 0.0, phase = 0.0;
  };
  static double phase(const Wave& wave, double x, double y) {
    return wave.number.x() * x + wave.number.y() * y + wave.phase;
  }
  Wave waves_[waves];
};

}  // namespace

GlobalContactProblem elastic_sheet(const SheetOptions& options) {
  if (options.side < 1 || options.side > 10000)
    fail("a sheet has 1 to 10000 points along a side, not {}", options.side);
  if (!(options.stiffness >= 0.0 && std::isfinite(options.stiffness)))
    fail("the stiffness of a sheet must be a number >= 0, not {}", options.stiffness);
  if (!(options.slope >= 0.0 && options.slope <= 2.0))
    fail("the slope of the ground must be from 0 to 2, not {}", options.slope);
  if (!(options.friction >= 0.0 && std::isfinite(options.friction)))
    fail("the friction of a sheet must be a number >= 0, not {}", options.friction);
  if (!(options.time_step > 0.0 && std::isfinite(options.time_step)))
    fail("the time step must be a number of seconds above 0, not {}", options.time_step);
  if (!std::isfinite(options.speed) || !std::isfinite(options.push))
    fail("the speed and the push of a sheet must be numbers, not {} and {}", options.speed, options.push);

  Random random(options.seed);
  const auto side = static_cast<int>(options.side);
  const Ground ground(options.slope, 0.5 * side + 4.0, random);
  const auto number = [side](int i, int j) { return side * i + j; };
  const auto point = [&](int i, int j) { return ground.point(spacing * i, spacing * j); };
  const double mass = area_density * spacing * spacing;
  const Index dofs = 3 * Index{side} * side;

  // m + h^2 K. K has springs along the sides and the diagonals of squares.
  std::vector<Triplet> entries;
  for (int i = 0; i < dofs; ++i) entries.push_back({i, i, mass});
  const auto join = [&](int a, int b, const Eigen::Vector3d& along) {
    const Eigen::Matrix3d k = options.stiffness * mass * along.normalized() * along.normalized().transpose();
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        for (const int p : {a, b})
          for (const int q : {a, b}) entries.push_back({3 * p + r, 3 * q + c, p == q ? k(r, c) : -k(r, c)});
      }
    }
  };
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      constexpr int neighbours[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
      for (const auto& [di, dj] : neighbours) {
        if (i + di >= side || j + dj >= side || j + dj < 0) continue;
        join(number(i, j), number(i + di, j + dj), point(i + di, j + dj) - point(i, j));
      }
    }
  }
  GlobalContactProblem problem;
  problem.dimension = 3;
  problem.M = symmetric_part(csr_from_triplets(dofs, dofs, entries));

  entries.clear();
  problem.f.resize(dofs);
  const double gain = standard_gravity * options.time_step;  // speed that gravity adds in a time step
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      const int first = 3 * number(i, j);
      const Eigen::Matrix3d frame = contact_frame(ground.normal(spacing * i, spacing * j));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          if (frame(r, c) != 0.0) entries.push_back({first + r, first + c, frame(r, c)});
      Eigen::Vector3d velocity(options.push * gain, 0.0, -gain);
      for (int r = 0; r < 3; ++r) velocity[r] += options.speed * gain * random.normal();
      problem.f.segment<3>(first) = mass * velocity;
    }
  }
  problem.H = csr_from_triplets(dofs, dofs, entries);
  problem.w = Vector::Zero(dofs);
  problem.mu = Vector::Constant(dofs / 3, options.friction);
  return problem;
}

}  // namespace slipstick::internal
