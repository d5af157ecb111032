// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/device_first.hpp"

#include <gtest/gtest.h>

#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::device_first_test {

// Sets r to a value, and says a status.
class Stub : public ContactSolver {
 public:
  Stub(double value, Status status, std::string reason = {})
      : value_(value), status_(status), reason_(std::move(reason)) {}
  FrictionLaw law() const override { return FrictionLaw::coulomb; }
  std::string explain_unsupported(const LocalContactProblem&) const override { return reason_; }
  double start = -1.0;  // the first value of the start that it was given
  int runs = 0;

 protected:
  void run(const Run& run) override {
    ++runs;
    start = run.warm_start != nullptr ? run.warm_start->x[0] : -1.0;
    run.result.r.setZero();
    for (Index i = 0; i < run.result.r.size(); i += 3) run.result.r[i] = value_;
    run.result.counts.iterations = 7;
    run.result.status = status_;
  }

 private:
  double value_;
  Status status_;
  std::string reason_;
};

// W = I, q = (-1, 0, 0): r = (1, 0, 0).
LocalContactProblem presses(int contacts) {
  CsrMatrix W(3 * contacts, 3 * contacts);
  W.setIdentity();
  LocalContactProblem problem{
      .W = Operator(W), .q = Vector::Zero(3 * contacts), .mu = Vector::Constant(contacts, 0.3)};
  for (int k = 0; k < contacts; ++k) problem.q[3 * k] = -1.0;
  return problem;
}

struct Pair {
  Pair(double on_device, const std::string& reason = {}) {
    auto first = std::make_unique<Stub>(on_device, Status::stalled, reason);
    auto second = std::make_unique<Stub>(1.0, Status::solved);
    device = first.get();
    host = second.get();
    both = std::make_unique<DeviceFirst>(std::move(first), "of-device", std::move(second));
  }
  Stub *device, *host;
  std::unique_ptr<DeviceFirst> both;
};

TEST(DeviceFirst, HostFollowsFromTheAnswerOfTheDevice) {
  Pair pair(0.5);
  Result result;
  pair.both->solve(presses(10000), {}, result);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(pair.device->runs, 1);
  EXPECT_EQ(pair.host->runs, 1);
  EXPECT_EQ(pair.host->start, 0.5);
  EXPECT_EQ(result.counts.iterations, 14);
  EXPECT_FALSE(result.start_used);
  ASSERT_EQ(pair.both->attempts().size(), 1U);
  EXPECT_EQ(pair.both->attempts()[0].solver, "of-device");
  EXPECT_NEAR(pair.both->attempts()[0].error, 0.5, 1e-9);
}

TEST(DeviceFirst, HostDoesNothingIfTheDeviceSolves) {
  Pair pair(1.0);
  Result result;
  pair.both->solve(presses(10000), {}, result);
  EXPECT_TRUE(result.solved());
  EXPECT_EQ(pair.host->runs, 0);
  EXPECT_EQ(result.counts.iterations, 7);
}

TEST(DeviceFirst, SmallAndForeignProblemsStayOnTheHost) {
  for (const int contacts : {9999, 10000}) {
    Pair pair(1.0, contacts == 10000 ? "it is another matrix" : "");
    Result result;
    pair.both->solve(presses(contacts), {}, result);
    EXPECT_TRUE(result.solved());
    EXPECT_EQ(pair.device->runs, 0);
    EXPECT_EQ(pair.host->runs, 1);
    EXPECT_EQ(pair.host->start, -1.0);
    EXPECT_TRUE(pair.both->attempts().empty());
  }
}

TEST(DeviceFirst, IsAutoUnderCoulombsLaw) {
  EXPECT_NE(dynamic_cast<DeviceFirst*>(make_automatic_solver_with_device(FrictionLaw::coulomb, 3).get()),
            nullptr);
  EXPECT_EQ(dynamic_cast<DeviceFirst*>(make_automatic_solver_with_device(FrictionLaw::coulomb, 2).get()),
            nullptr);
  EXPECT_EQ(dynamic_cast<DeviceFirst*>(make_automatic_solver_with_device(FrictionLaw::box, 3).get()),
            nullptr);
}

TEST(DeviceFirst, NamesOfMethodsForADevice) {
  for (const char* name : {"apgd-cuda", "nsgs-fast-cuda", "desaxce-cuda(apgd-cuda)"})
    EXPECT_TRUE(needs_device(name)) << name;
  for (const char* name : {"apgd", "nsgs", "auto", "", "desaxce-fixed-point(ipm)"})
    EXPECT_FALSE(needs_device(name)) << name;
}

TEST(DeviceFirst, ADeviceThatIsNotThereIsRefused) {
  SolveRequest request;
  request.settings.device = 999;
  EXPECT_THROW(Driver{request}, Error);
  request.settings.device = -2;
  EXPECT_THROW(Driver{request}, Error);
  if (device_info().usable()) return;
  request.settings.device = 0;
  try {
    const Driver driver(request);
    FAIL() << "device 0 was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "there is no CUDA device 0: " + device_info().reason);
  }
}

}  // namespace slipstick::internal::device_first_test
