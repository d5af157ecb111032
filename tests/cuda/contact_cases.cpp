// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda/contact_cases.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "slipstick/base/random.hpp"
#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/scenes/packing.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d random_vector(Random& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}

// Orthonormal rows.
Matrix3d random_axes(Random& random) {
  const Vector3d first = random_vector(random).normalized();
  const Vector3d second = first.cross(random_vector(random)).normalized();
  Matrix3d axes;
  axes << first.transpose(), second.transpose(), first.cross(second).transpose();
  return axes;
}

// [a]x
Matrix3d cross_matrix(const Vector3d& a) {
  return Matrix3d{{0.0, -a[2], a[1]}, {a[2], 0.0, -a[0]}, {-a[1], a[0], 0.0}};
}

}  // namespace

Problem random_bodies(const RandomBodiesOptions& options) {
  Random random(options.seed);
  const int dofs = options.in_plane ? 3 : 6, rows = options.in_plane ? 2 : 3;
  const auto pick = [&](int first, int last) { return first + static_cast<int>(random.below(last - first)); };
  std::vector<double> inverse_mass;
  for (int body = 0; body < options.bodies; ++body) {
    DenseMatrix block = DenseMatrix::Zero(dofs, dofs);
    const double scale = random.uniform(0.2, 5.0);
    const bool rests = options.resting && body % 7 == 3;
    if (options.in_plane) {
      block.diagonal() << scale, scale, random.uniform(0.5, 2.0);
    } else {
      block.topLeftCorner(3, 3) = scale * Matrix3d::Identity();
      Matrix3d turning = random.uniform(0.5, 2.0) * Matrix3d::Identity();
      if (options.tensors) {
        const Matrix3d axes = random_axes(random);
        const double least = body % 5 == 0 ? 0.0 : 0.3;
        turning = axes * Vector3d(least, 1.0, 2.5).asDiagonal() * axes.transpose();
        turning = 0.5 * (turning + turning.transpose()).eval();
      }
      block.bottomRightCorner(3, 3) = turning;
    }
    if (rests) block.setZero();
    for (int i = 0; i < dofs; ++i)
      for (int j = 0; j < dofs; ++j) inverse_mass.push_back(block(i, j));
  }

  std::vector<Constraint> constraints;
  std::vector<double> jacobian, compliance;
  ProductSet K;
  const auto add_blocks = [&](const std::array<DenseMatrix, 2>& blocks, const std::array<int, 2>& body) {
    const int first = static_cast<int>(compliance.size());
    const auto count = static_cast<int>(blocks[0].rows());
    constraints.push_back({first, count, body});
    for (const DenseMatrix& block : blocks)
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < dofs; ++j) jacobian.push_back(block(i, j));
  };
  const auto add_contact = [&](int first, int second) {
    std::array<DenseMatrix, 2> blocks = {DenseMatrix::Zero(rows, dofs), DenseMatrix::Zero(rows, dofs)};
    const Matrix3d axes = random_axes(random);
    const double angle = random.uniform(0.0, 6.0);
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? 1.0 : -1.0;
      const Vector3d arm = random_vector(random);
      if (options.in_plane) {
        const Eigen::Matrix2d G{{std::cos(angle), std::sin(angle)}, {-std::sin(angle), std::cos(angle)}};
        blocks[side] << sign * G, sign * G * Eigen::Vector2d(arm.y(), -arm.x());
      } else {
        blocks[side] << sign * axes, sign * axes * cross_matrix(arm);
      }
    }
    add_blocks(blocks, {first, second});
    const double normal = options.compliance ? random.uniform(0.0, 0.1) : 0.0;
    const double tangent = options.compliance ? random.uniform(0.0, 0.1) : 0.0;
    for (int i = 0; i < rows; ++i) compliance.push_back(i == 0 ? normal : tangent);
    K.append_cone(random.uniform(0.0, 0.8), rows);
  };
  for (int k = 0; k < options.contacts; ++k) {
    const int first = pick(0, options.bodies);
    const int near = (first + pick(1, 7)) % options.bodies;
    const bool ground = options.resting && k % 9 == 0;
    if (k % 2 == 0) {
      add_contact(first, ground ? -1 : near);
    } else {
      add_contact(ground ? -1 : near, first);
    }
  }
  for (int k = 0; k < options.contacts_of_one; ++k) add_contact(0, pick(1, options.bodies));
  for (int k = 0; k < options.joint_rows; ++k) {
    const int first = pick(0, options.bodies);
    const int second = k % 5 == 0 ? -1 : (first + 1) % options.bodies;
    std::array<DenseMatrix, 2> blocks = {DenseMatrix(1, dofs), DenseMatrix(1, dofs)};
    for (DenseMatrix& block : blocks)
      for (int j = 0; j < dofs; ++j) block(0, j) = random.uniform(-1.0, 1.0);
    add_blocks(blocks, {first, second});
    compliance.push_back(options.compliance ? 0.05 : 0.0);
    if (k % 3 == 0) {
      K.append_free(1, Role::bilateral);
    } else if (k % 3 == 1) {
      K.append_interval(-0.5, 0.75, Role::bilateral);
    } else {
      K.append_nonnegative(1);
    }
  }
  Problem problem;
  problem.b.resize(static_cast<Index>(compliance.size()));
  for (double& entry : problem.b) entry = random.uniform(-1.0, 1.0);
  problem.A = Operator(DelassusOperator(dofs, options.bodies, inverse_mass, constraints, jacobian,
                                        Eigen::Map<const Vector>(compliance.data(), problem.b.size())));
  problem.K = K;
  return problem;
}

void expect_same_iterates(Solver& device, Solver& host, const Problem& problem, int iterations) {
  // Keeps the last iterate.
  class LastIterate : public Observer {
   public:
    bool observe(const Iteration& iteration) override {
      number = iteration.number;
      error = iteration.error;
      x = iteration.x;
      return true;
    }
    int number = -1;
    double error = -1.0;
    Vector x;
  } on_device, on_host;
  const Settings settings{.tolerance = 0.0, .max_iterations = iterations};
  Result result;
  host.solve(problem, settings, result, nullptr, &on_host);
  if (on_host.number < iterations) return;  // solved exactly
  device.solve(problem, settings, result, nullptr, &on_device);
  if (on_device.error == 0.0 && on_host.error <= 1e-15) return;
  EXPECT_EQ(result.status, Status::iteration_limit);
  EXPECT_EQ(result.counts.iterations, iterations);
  EXPECT_EQ(on_device.number, iterations);
  ASSERT_EQ(on_device.x.size(), on_host.x.size());
  EXPECT_LE((on_device.x - on_host.x).norm(), 1e-9 * on_host.x.norm());
}

const std::vector<ContactCase>& contact_cases() {
  static const std::vector<ContactCase> cases = [] {
    std::vector<ContactCase> list;
    using enum ContactShape;
    list.push_back({"one sphere", packing(1, 0.3), spheres});
    list.push_back({"spheres", packing(150, 0.4), spheres});
    list.push_back({"spheres under a plate", packing(150, 0.4, 10.0), general});
    list.push_back({"arms", random_bodies({}), arms});
    list.push_back({"arms and the ground",
                    random_bodies({.bodies = 300, .contacts = 900, .resting = true, .seed = 2}), arms});
    list.push_back({"a body with many contacts",
                    random_bodies({.contacts_of_one = 3 * heavy_body_contacts, .seed = 3}), arms});
    list.push_back({"tensors", random_bodies({.tensors = true, .seed = 4}), general});
    list.push_back({"compliance", random_bodies({.compliance = true, .seed = 5}), general});
    list.push_back({"everything",
                    random_bodies({.bodies = 200,
                                   .contacts = 600,
                                   .tensors = true,
                                   .compliance = true,
                                   .joint_rows = 151,
                                   .resting = true,
                                   .contacts_of_one = 2 * heavy_body_contacts,
                                   .seed = 6}),
                    general});
    list.push_back({"joints alone", random_bodies({.contacts = 0, .joint_rows = 90, .seed = 7}), general});
    list.push_back(
        {"bodies in the plane", random_bodies({.joint_rows = 20, .in_plane = true, .seed = 8}), general});
    return list;
  }();
  return cases;
}

std::string test_name(const ContactCase& one) {
  std::string name = one.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::vector<std::size_t> contact_case_numbers() {
  std::vector<std::size_t> numbers(contact_cases().size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

std::string contact_case_name(const ::testing::TestParamInfo<std::size_t>& info) {
  return test_name(contact_cases()[info.param]);
}

LocalContactProblem local_heap(int spheres, double plate_mass_ratio) {
  return CondensedProblem(
             sphere_packing({.spheres = spheres, .friction = 0.4, .plate_mass_ratio = plate_mass_ratio}))
      .local();
}

}  // namespace slipstick::internal
