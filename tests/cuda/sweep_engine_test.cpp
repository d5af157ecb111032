// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/sweep_engine.hpp"

#include <gtest/gtest.h>

#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/measures.hpp"
#include "tests/cuda/sweep_cases.hpp"

namespace slipstick::internal::sweep_engine_test {

using namespace sweep_cases;

// A test for each case, so that each can run in a process of its own.
class SweepEngineCases : public ::testing::TestWithParam<std::size_t> {
 protected:
  const ContactCase* const one = coloured_cases()[GetParam()];
};
std::string case_name(const ::testing::TestParamInfo<std::size_t>& info) {
  return test_name(*coloured_cases()[info.param]);
}
INSTANTIATE_TEST_SUITE_P(Every, SweepEngineCases, ::testing::Range<std::size_t>(0, coloured_cases().size()),
                         case_name);

TEST(SweepLayout, NoBodyTwiceInAColour) {
  EXPECT_GE(coloured_cases().size(), 6U);
  for (const ContactCase* one : coloured_cases()) {
    SCOPED_TRACE(one->name);
    DeviceProblem device{ContactOrder::colours};
    ASSERT_EQ(device.read(one->problem.A, one->problem.K, "m"), "");
    const ContactArrays arrays = device.layout().arrays();
    const auto check_colours = [&](std::span<const int> start, std::span<const int> pairs) {
      std::vector<int> seen(static_cast<std::size_t>(arrays.bodies), -1);
      for (std::size_t colour = 0; colour + 1 < start.size(); ++colour) {
        EXPECT_LT(start[colour], start[colour + 1]);
        for (int side = 2 * start[colour]; side < 2 * start[colour + 1]; ++side) {
          const int body = pairs[static_cast<std::size_t>(side)];
          if (body == arrays.bodies) continue;
          int& last = seen[static_cast<std::size_t>(body)];
          const bool self = side % 2 == 1 && pairs[static_cast<std::size_t>(side) - 1] == body;
          EXPECT_TRUE(last != static_cast<int>(colour) || self);
          last = static_cast<int>(colour);
        }
      }
    };
    check_colours(arrays.colour_start, arrays.pairs);
    check_colours(arrays.row_colour_start, arrays.row_pairs);
  }
}

TEST(SweepLayout, TooManyContactsOfABodyAreRefused) {
  int refused = 0;
  for (const ContactCase& one : contact_cases()) {
    DeviceProblem device{ContactOrder::colours};
    const std::string reason = device.read(one.problem.A, one.problem.K, "nsgs-cuda");
    if (reason.empty()) continue;
    ++refused;
    EXPECT_EQ(reason.find("nsgs-cuda needs"), 0U);
    EXPECT_NE(reason.find("more than 64"), std::string::npos) << reason;
  }
  EXPECT_EQ(refused, 2);
}

TEST_P(SweepEngineCases, SweepsAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  OnDevice device(one->problem);
  SequentialSweeps forward(one->problem, device.device.layout());
  forward.sweep(false);
  expect_near(device.sweep(1, 1), forward.r, 1e-12, "one sweep");
  forward.sweep(false);
  forward.sweep(false);
  expect_near(device.sweep(1, 3), forward.r, 1e-9, "three sweeps");
  SequentialSweeps both(one->problem, device.device.layout());
  for (const bool backward : {true, false, true}) both.sweep(backward);
  expect_near(device.sweep(1, 3, true, true), both.r, 1e-9, "backward first");
}

TEST_P(SweepEngineCases, IterationsWithMomentumAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  OnDevice device(one->problem, SweepKind::momentum);
  SequentialSweeps host(one->problem, device.device.layout());
  host.iterate(device.scale);
  expect_near(device.iterate({1}), host.r, 1e-12, "one iteration");
  while (host.iterations < 3) host.iterate(device.scale);
  expect_near(device.iterate({3}), host.r, 1e-11, "three iterations");
  while (host.iterations < 60) host.iterate(device.scale);
  expect_near(device.iterate({1, 2, 7, 10, 10, 10, 20}), host.r, 1e-9, "60 iterations");
  EXPECT_EQ(device.last.iteration, 60);
  const bool solved = host.least_moved <= 1e-20 * host.r.cwiseProduct(device.scale).dot(host.r);
  if (solved) return;  // rounding decides on the momentum
  EXPECT_NEAR(device.last.theta, host.theta, 1e-9);
  EXPECT_NEAR(device.last.momentum, host.momentum, 1e-9);
  EXPECT_NEAR(device.last.largest_momentum, host.largest_momentum, 1e-9);
  EXPECT_NEAR(device.last.least_moved, host.least_moved, 1e-8 * host.least_moved);
  EXPECT_EQ(device.last.since_restart, host.since_restart);
}

TEST_P(SweepEngineCases, LimitedMomentumIsThatOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  OnDevice device(one->problem, SweepKind::momentum);
  SequentialSweeps host(one->problem, device.device.layout());
  host.relaxation = device.state.relaxation = 0.7;
  host.most_momentum = device.state.most_momentum = 0.6;
  device.state.project = 1;
  for (int replay = 0; replay < 3; ++replay) {
    for (int i = 0; i < 10; ++i) host.iterate(device.scale);
    host.project();
  }
  expect_near(device.iterate({10, 10, 10}), host.r, 1e-9, "30 iterations");
  EXPECT_LE(device.last.largest_momentum, 0.6);
  const Vector best = device.best();
  for (const SetBlock& block : one->problem.K.blocks()) {
    if (block.kind != SetKind::cone) continue;
    EXPECT_GE(best[block.start], -1e-14 * best.norm()) << "normal impulse of row " << block.start;
  }
}

TEST(SweepEngine, StartsAgainFromTheSameNumbers) {
  SLIPSTICK_NEEDS_DEVICE();
  const ContactCase* one = coloured_cases()[1];
  OnDevice device(one->problem, SweepKind::momentum);
  const Vector r = device.iterate({10, 10, 10});
  ASSERT_TRUE(r.allFinite());
  EXPECT_EQ(device.iterate({10, 10, 10}), r);
  device.world.assign(device.world.size(), nan);
  device.engine.start(device.world.data(), device.state);  // leaves nothing behind
  device.engine.iterate(10, device.state);
  EXPECT_EQ(device.iterate({10, 10, 10}), r);
}

TEST_P(SweepEngineCases, ErrorsAreThoseOfTheRuler) {
  SLIPSTICK_NEEDS_DEVICE();
  OnDevice device(one->problem);
  const Vector r = device.sweep(2, 5);
  Vector u(r.size());
  one->problem.A.multiply(r, u);
  u += one->problem.b;
  Measures measures;
  device.ruler.judge(r, u, measures);
  const double expected = contact_error(measures, FrictionLaw::coulomb);
  EXPECT_NEAR(device.last.error, expected, 1e-12 + 1e-9 * expected);
}

TEST_P(SweepEngineCases, BitsDoNotDependOnLaunches) {
  SLIPSTICK_NEEDS_DEVICE();
  OnDevice device(one->problem);
  constexpr int count = SweepEngine::sweeps_per_replay;
  for (const bool alternate : {false, true}) {
    const Vector r = device.sweep(3, count, alternate);
    ASSERT_TRUE(r.allFinite());
    for (const bool graph : {true, false}) {
      for (const bool overlapped : {true, false}) {
        device.engine.set_launches({.graph = graph, .overlapped = overlapped});
        EXPECT_EQ(device.sweep(3, count, alternate), r) << graph << overlapped;
      }
    }
    OnDevice other(one->problem);  // with another stream
    EXPECT_EQ(other.sweep(3, count, alternate), r);
  }
  OnDevice fast(one->problem, SweepKind::momentum);
  const Vector r = fast.iterate({count, count, 3, count});
  ASSERT_TRUE(r.allFinite());
  for (const bool graph : {true, false}) {
    for (const bool overlapped : {true, false}) {
      fast.engine.set_launches({.graph = graph, .overlapped = overlapped});
      EXPECT_EQ(fast.iterate({count, count, 3, count}), r) << "momentum " << graph << overlapped;
    }
  }
  OnDevice other(one->problem, SweepKind::momentum);
  EXPECT_EQ(other.iterate({count, count, 3, count}), r);
}

}  // namespace slipstick::internal::sweep_engine_test
