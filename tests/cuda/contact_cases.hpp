// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "slipstick/cuda/contact_arrays.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/solve/solver.hpp"

/// Skips a test, by name, where there is no device.
#define SLIPSTICK_NEEDS_DEVICE() \
  if (!device_info().usable()) GTEST_SKIP() << explain_missing_device("this test")

namespace slipstick::internal {

/// A problem that the device takes, of every shape.
struct ContactCase {
  std::string name;
  Problem problem;
  ContactShape shape;
};
const std::vector<ContactCase>& contact_cases();
/// Its name, as a part of the name of a test.
std::string test_name(const ContactCase& one);

/// A test for each case, so that each can run in a process of its own: derive a class, and instantiate it
/// with `contact_case_numbers()` and `contact_case_name`.
class EveryContactCase : public ::testing::TestWithParam<std::size_t> {
 protected:
  const ContactCase& one = contact_cases()[GetParam()];
};
std::vector<std::size_t> contact_case_numbers();
std::string contact_case_name(const ::testing::TestParamInfo<std::size_t>& info);

/// Bodies with random frames, arms and masses. What is left out of it makes the shapes simpler.
struct RandomBodiesOptions {
  int bodies = 60;
  int contacts = 200;
  bool tensors = false;     ///< full inertia tensors, some of them with a locked direction
  bool compliance = false;  ///< different along normals and tangents
  int joint_rows = 0;       ///< free rows, intervals and limits
  bool resting = false;     ///< bodies without mass, and the ground
  int contacts_of_one = 0;  ///< further contacts of the first body
  bool in_plane = false;
  unsigned seed = 1;
};
Problem random_bodies(const RandomBodiesOptions& options);

/// Both methods have the same iterate after so many iterations from zero, to 1e-9. Nothing is compared if the
/// host solves the problem exactly before.
void expect_same_iterates(Solver& device, Solver& host, const Problem& problem, int iterations);

/// Spheres in a container, or spheres under a plate.
LocalContactProblem local_heap(int spheres, double plate_mass_ratio = 0.0);

/// A limit of iterations is exact.
void expect_iteration_limits(auto& solver, const auto& problem) {
  Result result;
  for (const int most : {1, 7, 33, 45}) {
    solver.solve(problem, {.tolerance = 0.0, .max_iterations = most}, result);
    EXPECT_EQ(result.status, Status::iteration_limit);
    EXPECT_EQ(result.counts.iterations, most);
  }
}

}  // namespace slipstick::internal
