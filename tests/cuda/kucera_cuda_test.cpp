// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/kucera_cuda.hpp"

#include <gtest/gtest.h>

#include "slipstick/solvers/projected/kucera.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::kucera_cuda_test {

class KuceraCudaCases : public EveryContactCase {};
INSTANTIATE_TEST_SUITE_P(Every, KuceraCudaCases, ::testing::ValuesIn(contact_case_numbers()),
                         contact_case_name);

// The lengths of steps are ratios of small sums. They lose digits from one to the next. In a packing some
// impulses become zero but for rounding, which decides on their faces.
TEST_P(KuceraCudaCases, IteratesAreThoseOfKucera) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const KuceraSettings& settings :
       {KuceraSettings{},
        KuceraSettings{.proportion = 0.5, .expansion = Expansion::fixed, .rescale = false}}) {
    KuceraCuda device(settings);
    Kucera host(settings);
    const bool packed = one.name.find("sphere") != std::string::npos;
    for (const int iterations : {1, 2, 5, 15})
      if (!packed || iterations <= 2) expect_same_iterates(device, host, one.problem, iterations);
  }
}

TEST(KuceraCuda, SolvesAndIsCertifiedOnTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  int solved = 0;
  for (const ContactCase& one : contact_cases()) {
    SCOPED_TRACE(one.name);
    Kucera host;
    Result expected, result;
    host.solve(one.problem, {.tolerance = 1e-4, .max_iterations = 5000}, expected);
    if (!expected.solved()) continue;
    ++solved;
    KuceraCuda solver;
    solver.solve(one.problem, {.tolerance = 1e-4}, result);
    EXPECT_TRUE(result.solved()) << name(result.status) << ": " << result.message;
    EXPECT_LE(error_of(one.problem, result.x), 1e-4);
    const Vector first = result.x;
    solver.solve(one.problem, {.tolerance = 1e-4}, result);
    EXPECT_EQ(result.x, first) << "the same bits again";
    KuceraCuda other;
    other.solve(one.problem, {.tolerance = 1e-4}, result);
    EXPECT_EQ(result.x, first) << "the same bits by another object";
  }
  EXPECT_GE(solved, 5);
}

TEST(KuceraCuda, KeepsLimits) {
  SLIPSTICK_NEEDS_DEVICE();
  KuceraCuda solver;
  expect_iteration_limits(solver, contact_cases()[1].problem);
}

TEST(KuceraCuda, OnBoundsMprgpRuns) {
  SLIPSTICK_NEEDS_DEVICE();
  const Problem joints = random_bodies({.bodies = 40, .contacts = 0, .joint_rows = 60, .seed = 7});
  KuceraCuda kucera;
  MprgpCuda mprgp;
  Result of_kucera, of_mprgp;
  kucera.solve(joints, {.tolerance = 1e-8}, of_kucera);
  mprgp.solve(joints, {.tolerance = 1e-8}, of_mprgp);
  EXPECT_EQ(of_kucera.x, of_mprgp.x);
  EXPECT_EQ(of_kucera.status, of_mprgp.status);
}

TEST(KuceraCuda, RefusesByName) {
  const Problem dense = contact(2.0, vec({-1.0, 0.5, 0.0}), 0.3);
  KuceraCuda solver;
  Result result;
  solver.solve(dense, {}, result);
  EXPECT_EQ(result.status, Status::unsupported);
  EXPECT_EQ(result.message.find("kucera-cuda "), 0U) << result.message;
}

}  // namespace slipstick::internal::kucera_cuda_test
