// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/contact_layout.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <set>

#include "slipstick/base/random.hpp"
#include "slipstick/cuda/device_problem.hpp"
#include "tests/cuda/contact_cases.hpp"

namespace slipstick::internal::contact_layout_test {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// The product of the arrays, in plain loops: what kernels compute.
class ArrayProduct {
 public:
  explicit ArrayProduct(const ContactArrays& arrays) : a_(arrays) {}

  std::vector<double> multiply(const std::vector<double>& x) const {
    std::vector<double> v(6 * static_cast<std::size_t>(a_.bodies + 1), 0.0);
    for (int body = 0; body < a_.bodies; ++body) {
      Map<Eigen::Matrix<double, 6, 1>> to(&v[6 * static_cast<std::size_t>(body)]);
      to = velocity(body, force(body, x));
    }
    std::vector<double> y(x.size(), 0.0);
    for (int c = 0; c < a_.contacts; ++c) {
      Vector3d u = point_velocity(v, c, 0) - point_velocity(v, c, 1);
      if (a_.shape == ContactShape::general) {
        const Vector3d own = triple(x, c), n = normal(c);
        const double along = a_.compliance[2 * c], across = a_.compliance[2 * c + 1];
        u += across * own + (along - across) * n.dot(own) * n;
      }
      for (int i = 0; i < 3; ++i) y[3 * static_cast<std::size_t>(c) + static_cast<std::size_t>(i)] = u[i];
    }
    for (int k = 0; k < a_.rows; ++k) {
      const std::size_t at = 3 * static_cast<std::size_t>(a_.contacts) + static_cast<std::size_t>(k);
      double u = a_.compliance[static_cast<std::size_t>(2 * a_.contacts + k)] * x[at];
      for (int side = 0; side < 2; ++side)
        for (int j = 0; j < 6; ++j)
          u += a_.row_jacobians[static_cast<std::size_t>(12 * k + 6 * side + j)] *
               v[static_cast<std::size_t>(6 * a_.row_pairs[static_cast<std::size_t>(2 * k + side)] + j)];
      y[at] = u;
    }
    return y;
  }

 private:
  using Six = Eigen::Matrix<double, 6, 1>;
  static Vector3d triple(std::span<const double> x, int c) { return Map<const Vector3d>(x.data() + 3 * c); }
  Vector3d normal(int c) const { return Map<const Vector3d>(a_.axes.data() + 4 * c); }
  Vector3d arm(int c, int side) const {
    if (a_.shape == ContactShape::spheres) return (side == 0 ? 1.0 : -1.0) * normal(c);
    return triple(side == 0 ? a_.first_arms : a_.second_arms, c);
  }
  Six push(const std::vector<double>& x, int c, int side) const {
    const Vector3d f = (side == 0 ? 1.0 : -1.0) * triple(x, c);
    Six six;
    six << f, f.cross(arm(c, side));
    return six;
  }
  Six force(int body, const std::vector<double>& x) const {
    Six sum = Six::Zero();
    const auto b = static_cast<std::size_t>(body);
    for (int c = a_.first_start[b]; c < a_.first_start[b + 1]; ++c) sum += push(x, c, 0);
    for (int e = a_.second_start[b]; e < a_.second_start[b + 1]; ++e)
      sum += push(x, a_.second_list[static_cast<std::size_t>(e)], 1);
    for (int e = a_.row_start[b]; e < a_.row_start[b + 1]; ++e) {
      const int side = a_.row_list[static_cast<std::size_t>(e)];
      sum += x[3 * static_cast<std::size_t>(a_.contacts) + static_cast<std::size_t>(side / 2)] *
             Map<const Six>(a_.row_jacobians.data() + 6 * side);
    }
    return sum;
  }
  Six velocity(int body, const Six& f) const {
    Six v;
    if (a_.shape == ContactShape::general) {
      const double* m = a_.masses.data() + 14 * body;
      const Matrix3d W{{m[1], m[2], m[3]}, {m[2], m[4], m[5]}, {m[3], m[5], m[6]}};
      v << m[0] * f.head<3>(), W * f.tail<3>();
    } else {
      v << a_.masses[static_cast<std::size_t>(2 * body)] * f.head<3>(),
          a_.masses[static_cast<std::size_t>(2 * body + 1)] * f.tail<3>();
    }
    return v;
  }
  Vector3d point_velocity(const std::vector<double>& v, int c, int side) const {
    const double* six = v.data() + 6 * a_.pairs[static_cast<std::size_t>(2 * c + side)];
    return Map<const Vector3d>(six) + arm(c, side).cross(Map<const Vector3d>(six + 3));
  }

  const ContactArrays& a_;
};

Vector random_vector(Index size, unsigned seed) {
  Random random(seed);
  Vector x(size);
  for (double& entry : x) entry = random.uniform(-1.0, 1.0);
  return x;
}

TEST(ContactLayout, ArraysGiveTheProductOfTheOperator) {
  for (const ContactCase& one : contact_cases()) {
    SCOPED_TRACE(one.name);
    DeviceProblem device;
    ASSERT_EQ(device.read(one.problem.A, one.problem.K, "m"), "");
    const ContactLayout& layout = device.layout();
    EXPECT_EQ(layout.shape(), one.shape);
    const Index rows = one.problem.b.size();
    const ContactArrays arrays = device.arrays(one.problem.K, one.problem.b, Vector::Ones(rows));
    ASSERT_EQ(static_cast<Index>(arrays.size()), layout.size());
    const Vector x = random_vector(rows, 5);
    std::vector<double> world(arrays.size());
    layout.to_world(x, world.data());
    const std::vector<double> product = ArrayProduct(arrays).multiply(world);
    Vector y = Vector::Constant(rows, std::numeric_limits<double>::quiet_NaN()), expected(rows);
    layout.from_world(product.data(), y);
    one.problem.A.multiply(x, expected);
    EXPECT_LE((y - expected).norm(), 1e-13 * expected.norm());
    for (std::size_t i = 3 * static_cast<std::size_t>(layout.contacts());
         i < 3 * static_cast<std::size_t>(arrays.contacts); ++i)
      EXPECT_EQ(product[i], 0.0) << "padding";
  }
}

TEST(ContactLayout, AxesThereAndBack) {
  for (const ContactCase& one : contact_cases()) {
    DeviceProblem device;
    ASSERT_EQ(device.read(one.problem.A, one.problem.K, "m"), "");
    const Vector x = random_vector(one.problem.b.size(), 9);
    std::vector<double> world(static_cast<std::size_t>(device.layout().size()), 7.0);
    device.layout().to_world(x, world.data());
    Vector back(x.size());
    device.layout().from_world(world.data(), back);
    EXPECT_LE((back - x).cwiseAbs().maxCoeff(), 1e-15 * 8.0) << one.name;
  }
}

TEST(ContactLayout, ContactsAreSortedAndListsComplete) {
  for (const ContactCase& one : contact_cases()) {
    SCOPED_TRACE(one.name);
    DeviceProblem device;
    ASSERT_EQ(device.read(one.problem.A, one.problem.K, "m"), "");
    const ContactArrays arrays = device.layout().arrays();
    EXPECT_EQ(arrays.contacts % contact_tile, 0);
    std::size_t sides = 0;
    for (std::size_t c = 0; 2 * c < arrays.pairs.size(); ++c) {
      EXPECT_LE(arrays.pairs[2 * c], arrays.pairs[2 * c + 1]);
      if (c > 0) {
        EXPECT_LE(arrays.pairs[2 * c - 2], arrays.pairs[2 * c]);
      }
      sides += arrays.pairs[2 * c] < arrays.bodies;
      sides += arrays.pairs[2 * c + 1] < arrays.bodies;
    }
    EXPECT_EQ(sides, static_cast<std::size_t>(arrays.first_start.back()) + arrays.second_list.size());
    for (int body = 0; body < arrays.bodies; ++body) {
      const auto b = static_cast<std::size_t>(body);
      for (int c = arrays.first_start[b]; c < arrays.first_start[b + 1]; ++c)
        EXPECT_EQ(arrays.pairs[2 * static_cast<std::size_t>(c)], body);
      for (int e = arrays.second_start[b]; e < arrays.second_start[b + 1]; ++e)
        EXPECT_EQ(
            arrays.pairs[2 * static_cast<std::size_t>(arrays.second_list[static_cast<std::size_t>(e)]) + 1],
            body);
    }
  }
}

// Bodies that are numbered at random are numbered again: neighbours come near each other.
TEST(ContactLayout, NumbersNeighboursNearEachOther) {
  constexpr int count = 2000;
  Random random(4);
  std::vector<int> place(count);
  for (int i = 0; i < count; ++i) place[static_cast<std::size_t>(i)] = i;
  for (int i = count - 1; i > 0; --i)
    std::swap(place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(random.below(i + 1))]);
  WorldContacts world;
  world.bodies.assign(count, {1.0, {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  for (int i = 0; i + 1 < count; ++i) {  // a chain
    WorldContact contact{.body = {place[static_cast<std::size_t>(i)], place[static_cast<std::size_t>(i) + 1]},
                         .row = 3 * i};
    for (int k = 0; k < 3; ++k) contact.axes[4 * k] = 1.0;
    world.contacts.push_back(contact);
  }
  ContactLayout layout;
  layout.set(world, false);
  double distance = 0.0;
  const ContactArrays arrays = layout.arrays();
  for (std::size_t c = 0; c < static_cast<std::size_t>(layout.contacts()); ++c)
    distance = std::max(distance, std::abs(double(arrays.pairs[2 * c]) - arrays.pairs[2 * c + 1]));
  EXPECT_LE(distance, 3.0);
}

TEST(ContactLayout, HeavyBodiesAreThoseWithManyContacts) {
  for (const ContactCase& one : contact_cases()) {
    DeviceProblem device;
    ASSERT_EQ(device.read(one.problem.A, one.problem.K, "m"), "");
    const ContactArrays arrays = device.layout().arrays();
    const std::set<int> heavy(arrays.heavy.begin(), arrays.heavy.end());
    for (int body = 0; body < arrays.bodies; ++body) {
      const auto b = static_cast<std::size_t>(body);
      const int degree = arrays.first_start[b + 1] - arrays.first_start[b] + arrays.second_start[b + 1] -
                         arrays.second_start[b] + arrays.row_start[b + 1] - arrays.row_start[b];
      EXPECT_EQ(heavy.contains(body), degree > heavy_body_contacts) << one.name;
    }
    if (one.name == "a body with many contacts") {
      EXPECT_EQ(heavy.size(), 1U);
    }
  }
}

TEST(ContactLayout, DoesNotDependOnThreads) {
  for (const ContactCase& one : contact_cases()) {
    SCOPED_TRACE(one.name);
    for (const ContactOrder order : {ContactOrder::bodies, ContactOrder::colours}) {
      DeviceProblem alone{order}, shared{order};
      if (!alone.read(one.problem.A, one.problem.K, "m").empty()) continue;
      ASSERT_EQ(shared.read(one.problem.A, one.problem.K, "m"), "");
      shared.set_threads(3);
      const Vector scale = Vector::Ones(one.problem.b.size());
      const ContactArrays a = alone.arrays(one.problem.K, one.problem.b, scale);
      const ContactArrays b = shared.arrays(one.problem.K, one.problem.b, scale);
      EXPECT_EQ(a.shape, b.shape);
      const auto same = [](const auto& one_span, const auto& other) {
        return std::equal(one_span.begin(), one_span.end(), other.begin(), other.end());
      };
      EXPECT_TRUE(same(a.pairs, b.pairs) && same(a.second_list, b.second_list) && same(a.masses, b.masses));
      EXPECT_TRUE(same(a.first_arms, b.first_arms) && same(a.second_arms, b.second_arms));
      EXPECT_TRUE(same(a.axes, b.axes) && same(a.load, b.load) && same(a.colour_start, b.colour_start));
      std::vector<double> world(a.size());
      Vector from_one(one.problem.b.size()), from_three(one.problem.b.size());
      alone.layout().to_world(one.problem.b, world.data());
      alone.layout().from_world(world.data(), from_one);
      shared.layout().from_world(world.data(), from_three);
      EXPECT_EQ(from_one, from_three);
    }
  }
}

TEST(ContactLayout, SaysWhetherThereIsCompliance) {
  for (const ContactCase& one : contact_cases()) {
    DeviceProblem device;
    ASSERT_EQ(device.read(one.problem.A, one.problem.K, "m"), "");
    EXPECT_EQ(device.layout().arrays().compliant, one.name == "compliance" || one.name == "everything")
        << one.name;
  }
}

}  // namespace slipstick::internal::contact_layout_test
