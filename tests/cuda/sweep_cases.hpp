// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"
#include "slipstick/cuda/device_problem.hpp"
#include "slipstick/cuda/sweep_engine.hpp"
#include "slipstick/measures/contact_ruler.hpp"
#include "slipstick/problems/cone_lanes.hpp"
#include "tests/cuda/contact_cases.hpp"

// Sweeps by colours: on the host, one contact after the other, and on the device.
namespace slipstick::internal::sweep_cases {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Names the first row that is wrong.
inline void expect_near(const Vector& got, const Vector& expected, double tolerance, const char* what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  const double largest = tolerance * expected.norm();
  if ((got - expected).norm() <= largest) return;
  for (Index row = 0; row < got.size(); ++row)
    if (!(std::abs(got[row] - expected[row]) <= largest / std::sqrt(static_cast<double>(got.size())))) {
      ADD_FAILURE() << what << ": row " << row << " of " << got.size() << " is " << got[row] << ", not "
                    << expected[row] << "; the relative error is "
                    << (got - expected).norm() / expected.norm();
      return;
    }
}

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
  // An iteration with momentum, see NsgsFast. `scale` has d of every row.
  void iterate(const Vector& scale) {
    if (last_.size() == 0) last_ = r;
    const Vector x = r;
    r += momentum * (x - last_);
    const Vector y = r;
    last_ = x;
    sweep(false);
    const double moved = (r - y).dot(scale.cwiseProduct(r - y));
    const double uphill = (y - r).dot(scale.cwiseProduct(r - x));
    const double next = 0.5 * theta * (std::sqrt(theta * theta + 4.0) - theta);
    const bool grows = ++since_restart > 2 && !(moved <= restart * restart * least_moved);
    if (grows) since_restart = 0;
    least_moved = grows ? moved : std::min(least_moved, moved);
    const bool fresh = grows || uphill > 0.0;
    momentum = fresh ? 0.0 : std::min(theta * (1.0 - theta) / (theta * theta + next), most_momentum);
    largest_momentum = std::max(largest_momentum, momentum);
    theta = fresh ? 1.0 : next;
    ++iterations;
  }
  void project() {
    for (const Index row : contacts_) {
      double projected[3];
      project_on_cone<3>(mu_[row], r.data() + row, projected);
      std::copy_n(projected, 3, r.data() + row);
    }
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
    Eigen::Vector3d b = W_.middleRows(row, 3) * r + problem_.b.segment<3>(row);
    b -= D * r.segment<3>(row);
    const Eigen::Matrix3d block = D;  // symmetric
    const Eigen::Vector3d before = r.segment<3>(row);
    CoulombContact<3>(block.data()).solve(b.data(), mu_[row], slip_[row], r.data() + row, 1e-2);
    r.segment<3>(row) = before + relaxation * (r.segment<3>(row) - before);
  }
  void solve_row(Index row) {
    const double u = W_.row(row).dot(r) + problem_.b[row];
    const double wanted = r[row] - u / W_.coeff(row, row);
    r[row] = std::min(std::max(wanted, problem_.K.lower()[row]), problem_.K.upper()[row]);
  }

  const Problem& problem_;
  CsrMatrix W_;
  Vector slip_, mu_, last_;
  std::vector<Index> contacts_, rows_;

 public:
  Vector r;
  double relaxation = 1.0;  // of contacts
  double restart = 1.5, most_momentum = 1.0;
  double theta = 1.0, momentum = 0.0, largest_momentum = 0.0;
  double least_moved = std::numeric_limits<double>::infinity();
  int since_restart = 0, iterations = 0;
};

struct OnDevice {
  explicit OnDevice(const Problem& of, SweepKind kind = SweepKind::plain) : problem(of), engine(kind) {
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
    scale.resize(problem.b.size());
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
    return from_world();
  }
  // r after iterations with momentum from zero, with a test after each of these numbers.
  Vector iterate(const std::vector<int>& counts) {
    world.assign(world.size(), 0.0);
    last = engine.start(world.data(), state);
    for (const int count : counts) last = engine.iterate(count, last);
    world.assign(world.size(), nan);
    engine.copy_current(world.data());
    return from_world();
  }
  Vector best() {
    world.assign(world.size(), nan);
    engine.copy_best(world.data());
    return from_world();
  }
  Vector from_world() {
    Vector r = Vector::Constant(problem.b.size(), nan);
    device.layout().from_world(world.data(), r);
    return r;
  }

  const Problem& problem;
  DeviceProblem device{ContactOrder::colours};
  ContactRuler ruler;
  SweepEngine engine;
  SweepState state, last;
  Vector scale;
  std::vector<double> world;
};

inline std::vector<const ContactCase*> coloured_cases() {
  std::vector<const ContactCase*> list;
  for (const ContactCase& one : contact_cases()) {
    DeviceProblem device{ContactOrder::colours};
    if (device.read(one.problem.A, one.problem.K, "m").empty() && one.name != "bodies in the plane")
      list.push_back(&one);
  }
  return list;
}

}  // namespace slipstick::internal::sweep_cases
