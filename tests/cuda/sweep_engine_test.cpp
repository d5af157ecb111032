// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/sweep_engine.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>

#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"
#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/contact_ruler.hpp"
#include "slipstick/measures/measures.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::sweep_engine_test {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Sweeps in the order of the layout, one contact after the other, with W assembled.
class SequentialSweeps {
 public:
  SequentialSweeps(const Problem& problem, const ContactLayout& layout)
      : problem_(problem), W_(*problem.A.assemble()), r(Vector::Zero(problem.b.size())) {
    // The place of a row: where its number comes back from.
    Vector row(problem.b.size());
    for (Index i = 0; i < row.size(); ++i) row[i] = static_cast<double>(i);
    std::vector<double> first(static_cast<std::size_t>(layout.padded_contacts() + layout.rows()));
    layout.copy_first(row, -1.0, first.data());
    const ContactArrays arrays = layout.arrays();
    const auto swept = [](std::span<const int> start) { return start.empty() ? 0 : start.back(); };
    for (int p = 0; p < swept(arrays.colour_start); ++p)
      contacts_.push_back(static_cast<Index>(first[static_cast<std::size_t>(p)]));
    for (int k = 0; k < swept(arrays.row_colour_start); ++k)
      rows_.push_back(static_cast<Index>(first[static_cast<std::size_t>(layout.padded_contacts() + k)]));
    slip_.setConstant(problem.b.size(), -1.0);
    mu_.setZero(problem.b.size());
    for (const SetBlock& block : problem.K.blocks())
      if (block.kind == SetKind::cone) mu_[block.start] = block.parameter;
  }
  void sweep(bool backward) {
    if (backward) {
      for (std::size_t k = rows_.size(); k-- > 0;) solve_row(rows_[k]);
      for (std::size_t k = contacts_.size(); k-- > 0;) solve_contact(contacts_[k]);
    } else {
      for (const Index row : contacts_) solve_contact(row);
      for (const Index row : rows_) solve_row(row);
    }
  }

 private:
  void solve_contact(Index row) {
    DenseMatrix D(3, 3);
    problem_.A.diagonal_block(row, D);
    Vector3d b = W_.middleRows(row, 3) * r + problem_.b.segment<3>(row);
    b -= D * r.segment<3>(row);
    const Matrix3d block = D;  // symmetric
    CoulombContact<3>(block.data()).solve(b.data(), mu_[row], slip_[row], r.data() + row, 1e-2);
  }
  void solve_row(Index row) {
    const double u = W_.row(row).dot(r) + problem_.b[row];
    const double wanted = r[row] - u / W_.coeff(row, row);
    r[row] = std::min(std::max(wanted, problem_.K.lower()[row]), problem_.K.upper()[row]);
  }

  const Problem& problem_;
  CsrMatrix W_;
  Vector slip_, mu_;
  std::vector<Index> contacts_, rows_;

 public:
  Vector r;
};

struct OnDevice {
  explicit OnDevice(const Problem& of) : problem(of) {
    EXPECT_EQ(device.read(problem.A, problem.K, "m"), "");
    LocalContactProblem local{.W = problem.A, .q = problem.b, .mu = {}};
    Index contacts = 0;
    while (contacts < static_cast<Index>(problem.K.blocks().size()) &&
           problem.K.blocks()[static_cast<std::size_t>(contacts)].kind == SetKind::cone)
      ++contacts;
    local.mu.resize(contacts);
    for (Index i = 0; i < contacts; ++i)
      local.mu[i] = problem.K.blocks()[static_cast<std::size_t>(i)].parameter;
    local.lower = problem.K.lower().tail(problem.b.size() - 3 * contacts);
    local.upper = problem.K.upper().tail(problem.b.size() - 3 * contacts);
    ruler.prepare(local, FrictionLaw::coulomb);
    Vector scale(problem.b.size());
    for (Index i = 0; i < contacts; ++i) scale.segment<3>(3 * i).setConstant(ruler.scale()[i]);
    scale.tail(local.joint_rows()) = ruler.joint_scale();
    const ContactArrays arrays = device.arrays(problem.K, problem.b, scale);
    engine.set_contacts(arrays);
    engine.set_problem(arrays);
    world.assign(arrays.size(), 0.0);
    state.norm = ruler.norm();
    state.weighted_norm = ruler.weighted_norm();
    state.weigh_by_scale = local.joint_rows() > 0 ? 1 : 0;
  }
  // r after sweeps from zero.
  Vector sweep(int replays, int count, bool alternate = false, bool backward = false) {
    world.assign(world.size(), 0.0);
    engine.start(world.data(), state);
    for (int i = 0; i < replays; ++i) last = engine.sweep(count, alternate, backward);
    world.assign(world.size(), nan);
    engine.copy_current(world.data());
    Vector r = Vector::Constant(problem.b.size(), nan);
    device.layout().from_world(world.data(), r);
    return r;
  }

  const Problem& problem;
  DeviceProblem device{ContactOrder::colours};
  ContactRuler ruler;
  SweepEngine engine;
  SweepState state, last;
  std::vector<double> world;
};

std::vector<const ContactCase*> coloured_cases() {
  std::vector<const ContactCase*> list;
  for (const ContactCase& one : contact_cases()) {
    DeviceProblem device{ContactOrder::colours};
    if (device.read(one.problem.A, one.problem.K, "m").empty() && one.name != "bodies in the plane")
      list.push_back(&one);
  }
  return list;
}

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

TEST(SweepEngine, SweepsAreThoseOfTheHost) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const ContactCase* one : coloured_cases()) {
    SCOPED_TRACE(one->name);
    OnDevice device(one->problem);
    SequentialSweeps forward(one->problem, device.device.layout());
    forward.sweep(false);
    const Vector first = device.sweep(1, 1);
    EXPECT_LE((first - forward.r).norm(), 1e-12 * forward.r.norm()) << "one sweep";
    forward.sweep(false);
    forward.sweep(false);
    EXPECT_LE((device.sweep(1, 3) - forward.r).norm(), 1e-9 * forward.r.norm()) << "three sweeps";
    SequentialSweeps both(one->problem, device.device.layout());
    for (const bool backward : {true, false, true}) both.sweep(backward);
    EXPECT_LE((device.sweep(1, 3, true, true) - both.r).norm(), 1e-9 * both.r.norm()) << "backward first";
  }
}

TEST(SweepEngine, ErrorsAreThoseOfTheRuler) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const ContactCase* one : coloured_cases()) {
    SCOPED_TRACE(one->name);
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
}

TEST(SweepEngine, BitsDoNotDependOnLaunches) {
  SLIPSTICK_NEEDS_DEVICE();
  for (const ContactCase* one : coloured_cases()) {
    SCOPED_TRACE(one->name);
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
  }
}

}  // namespace slipstick::internal::sweep_engine_test
