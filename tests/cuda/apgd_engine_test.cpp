// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/apgd_engine.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "slipstick/base/random.hpp"
#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/measures/ruler.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::apgd_engine_test {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A problem on the device.
struct OnDevice {
  explicit OnDevice(const Problem& of, StoredNumber storage = StoredNumber::float64)
      : problem(of), engine(storage) {
    EXPECT_EQ(device.read(problem.A, problem.K, "m"), "");
    ruler.prepare(problem);
    const ContactArrays arrays = device.arrays(problem.K, problem.b, ruler.scale());
    engine.set_contacts(arrays);
    engine.set_problem(arrays);
    world.assign(arrays.size(), nan);
  }
  Vector multiply(const Vector& x) {
    std::vector<double> from(world.size());
    device.layout().to_world(x, from.data());
    world.assign(world.size(), nan);
    engine.multiply(from.data(), world.data());
    Vector y = Vector::Constant(x.size(), nan);
    device.layout().from_world(world.data(), y);
    return y;
  }
  // The iterate after so many replays, each of a few steps.
  Vector iterate(int replays, int steps = ApgdEngine::steps_per_replay) {
    ApgdState state;
    state.weight = 1.0 / ruler.norm();
    std::vector<double> zero(world.size(), 0.0);
    state = engine.start(zero.data(), state);
    for (int i = 0; i < replays; ++i) state = engine.iterate(steps);
    last = state;
    world.assign(world.size(), nan);
    engine.copy_current(world.data());
    Vector x = Vector::Constant(problem.b.size(), nan);
    device.layout().from_world(world.data(), x);
    return x;
  }

  const Problem& problem;
  DeviceProblem device;
  Ruler ruler;
  ApgdEngine engine;
  ApgdState last;
  std::vector<double> world;
};

class ApgdEngineCases : public EveryContactCase {};
INSTANTIATE_TEST_SUITE_P(Every, ApgdEngineCases, ::testing::ValuesIn(contact_case_numbers()),
                         contact_case_name);

// The relative error of a product, made twice.
double product_error(const Problem& problem, StoredNumber storage) {
  OnDevice device(problem, storage);
  Random random(3);
  Vector x(problem.b.size()), expected(problem.b.size());
  for (double& entry : x) entry = random.uniform(-1.0, 1.0);
  problem.A.multiply(x, expected);
  const Vector y = device.multiply(x);
  EXPECT_EQ(y, device.multiply(x)) << "the same bits again";
  return (y - expected).norm() / expected.norm();
}

TEST_P(ApgdEngineCases, ProductsAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  EXPECT_LE(product_error(one.problem, StoredNumber::float64), 1e-12);
}

// Floats have seven digits.
TEST_P(ApgdEngineCases, ProductsInFloatsAreRoundedAlone) {
  SLIPSTICK_NEEDS_DEVICE();
  const double error = product_error(one.problem, StoredNumber::float32);
  EXPECT_LE(error, 1e-6);
  EXPECT_GT(error, 1e-10);
}

TEST_P(ApgdEngineCases, TheErrorIsThatOfTheRuler) {
  SLIPSTICK_NEEDS_DEVICE();
  OnDevice device(one.problem);
  const Vector x = device.iterate(2);
  Vector w(x.size());
  one.problem.A.multiply(x, w);
  w += one.problem.b;
  const double expected = device.ruler(x, w);
  EXPECT_NEAR(device.ruler.error_of(device.last.error_shares), expected, 1e-12 + 1e-9 * expected);
}

TEST_P(ApgdEngineCases, BitsDoNotDependOnLaunches) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const StoredNumber storage : {StoredNumber::float64, StoredNumber::float32}) {
    OnDevice device(one.problem, storage);
    const Vector x = device.iterate(3);
    ASSERT_TRUE(x.allFinite());
    EXPECT_GT(device.last.iteration, 0);
    EXPECT_EQ(device.iterate(3), x) << "again";
    for (const bool graph : {true, false}) {
      for (const bool overlapped : {true, false}) {
        device.engine.set_launches({.graph = graph, .overlapped = overlapped});
        EXPECT_EQ(device.iterate(3), x) << graph << overlapped;
      }
    }
    OnDevice other(one.problem, storage);  // with another stream
    EXPECT_EQ(other.iterate(3), x);
  }
}

TEST_P(ApgdEngineCases, KernelsWithoutTheCopyEngineAgree) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const StoredNumber storage : {StoredNumber::float64, StoredNumber::float32}) {
    OnDevice device(one.problem, storage);
    const Vector x = device.iterate(3);
    device.engine.set_launches({.bulk = false});
    const Vector plain = device.iterate(3);
    EXPECT_LE((x - plain).norm(), (storage == StoredNumber::float64 ? 1e-12 : 1e-4) * x.norm());
  }
}

// The second problem is in the memory of the first, which is larger.
TEST(ApgdEngine, ProblemsFollowEachOther) {
  SLIPSTICK_NEEDS_DEVICE();
  OnDevice kept(contact_cases().back().problem);
  for (const ContactCase& one : contact_cases()) {
    OnDevice fresh(one.problem);
    DeviceProblem device;
    ASSERT_EQ(device.read(one.problem.A, one.problem.K, "m"), "");
    const ContactArrays arrays = device.arrays(one.problem.K, one.problem.b, fresh.ruler.scale());
    kept.engine.set_contacts(arrays);
    kept.engine.set_problem(arrays);
    std::vector<double> zero(arrays.size(), 0.0), x(arrays.size(), nan);
    ApgdState state;
    state.weight = 1.0 / fresh.ruler.norm();
    kept.engine.start(zero.data(), state);
    for (int i = 0; i < 3; ++i) kept.engine.iterate(ApgdEngine::steps_per_replay);
    kept.engine.copy_current(x.data());
    fresh.iterate(3);
    EXPECT_EQ(x, fresh.world) << one.name;
  }
}

TEST(ApgdEngine, TooLargeAProblemIsRefusedBeforeMemoryIsTaken) {
  SLIPSTICK_NEEDS_DEVICE();
  ApgdEngine engine;
  ContactArrays arrays;
  arrays.contacts = std::numeric_limits<int>::max() / contact_tile * contact_tile;
  try {
    engine.set_contacts(arrays);
    FAIL() << "no device has that much memory";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("MiB of device memory"), std::string::npos) << error.what();
  }
  OnDevice next(contact_cases().front().problem);  // the device still works
  EXPECT_TRUE(next.iterate(1).allFinite());
}

}  // namespace slipstick::internal::apgd_engine_test
