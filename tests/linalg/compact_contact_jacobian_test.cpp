// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/compact_contact_jacobian.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "tests/linalg/samples.hpp"

namespace slipstick::internal::compact_contact_jacobian_test {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using RowMajorBlock = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Matrix3d cross_matrix(const Vector3d& a) {
  Matrix3d matrix;
  matrix << 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0;
  return matrix;
}

// Contacts between rigid bodies at random: their blocks, and the dense Jacobian. Blocks of the ground are
// NaN.
struct Contacts {
  std::vector<Constraint> constraints;
  std::vector<double> first, second;
  DenseMatrix jacobian;
  Index bodies = 0;
};

Contacts random_contacts(Index bodies, std::vector<std::array<int, 2>> pairs, std::uint64_t seed) {
  Random random(seed);
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  Contacts contacts;
  contacts.bodies = bodies;
  contacts.jacobian.setZero(3 * static_cast<Index>(pairs.size()), 6 * bodies);
  for (const auto& pair : pairs) {
    const int row = 3 * static_cast<int>(contacts.constraints.size());
    contacts.constraints.push_back({row, 3, pair});
    const Eigen::Quaterniond turn = Eigen::Quaterniond(number(), number(), number(), number()).normalized();
    const Matrix3d G = turn.toRotationMatrix();
    for (int side = 0; side < 2; ++side) {
      RowMajorBlock block;
      block << G, G * cross_matrix(Vector3d(number(), number(), number()));
      if (side == 1) block = -block;
      if (pair[side] >= 0) contacts.jacobian.block<3, 6>(row, 6 * pair[side]) += block;
      if (pair[side] < 0) block.setConstant(nan);
      std::vector<double>& blocks = side == 0 ? contacts.first : contacts.second;
      blocks.insert(blocks.end(), block.data(), block.data() + 18);
    }
  }
  return contacts;
}

CompactContactJacobian make(const Contacts& c) {
  return {c.constraints, c.first.data(), c.second.data()};
}

TEST(CompactContactJacobian, OneContactByHand) {
  // A point half a unit below the centre of a body that rests on the ground. A push upwards of 2 lifts the
  // body. A push of 3 along x turns it about y.
  const double first[] = {0, 0, 1, 0,   0,    0,  //
                          1, 0, 0, 0,   -0.5, 0,  //
                          0, 1, 0, 0.5, 0,    0};
  const double second[] = {nan, nan, nan, nan, nan, nan, nan, nan, nan,
                           nan, nan, nan, nan, nan, nan, nan, nan, nan};
  const std::vector<Constraint> contact = {{0, 3, {0, -1}}};
  const CompactContactJacobian arms(contact, first, second);
  ASSERT_FALSE(arms.empty());
  Vector v = Vector::Zero(6), y(3);
  arms.scatter(contact, Vector3d(2, 3, 0).data(), v.data());
  EXPECT_EQ(v, (Vector(6) << 3, 0, 2, 0, -1.5, 0).finished());
  const Vector x = Vector::Constant(3, nan);  // not read without compliance
  arms.gather(contact, v.data(), nullptr, x.data(), y.data(), 0, 1);
  EXPECT_EQ(y, Vector3d(2, 3.75, 0));
}

TEST(CompactContactJacobian, AgreeWithTheJacobian) {
  const Contacts contacts = random_contacts(4, {{0, 1}, {1, -1}, {-1, 2}, {3, 0}, {2, 2}, {0, 1}, {1, 3}}, 5);
  const CompactContactJacobian arms = make(contacts);
  ASSERT_FALSE(arms.empty());
  Random random(2);
  const Vector x = testing::random_vector(21, random);
  const Vector v = testing::random_vector(24, random);
  const Vector c = testing::random_vector(21, random);
  Vector impulses = Vector::Zero(24), y(21);
  arms.scatter(contacts.constraints, x.data(), impulses.data());
  EXPECT_NEAR((impulses - contacts.jacobian.transpose() * x).norm(), 0.0, 1e-14);
  arms.gather(contacts.constraints, v.data(), nullptr, x.data(), y.data(), 0, 7);
  EXPECT_NEAR((y - contacts.jacobian * v).norm(), 0.0, 1e-14);
  arms.gather(contacts.constraints, v.data(), c.data(), x.data(), y.data(), 0, 7);
  EXPECT_NEAR((y - contacts.jacobian * v - c.cwiseProduct(x)).norm(), 0.0, 1e-14);

  // One side at a time, in the order of the contacts: the same bits.
  Vector one_by_one = Vector::Zero(24);
  for (Index k = 0; k < 7; ++k) {
    for (int side = 0; side < 2; ++side) {
      const int body = contacts.constraints[static_cast<std::size_t>(k)].body[static_cast<std::size_t>(side)];
      if (body >= 0) arms.add_impulse(k, side, x.data(), one_by_one.data() + 6 * body);
    }
  }
  EXPECT_EQ(one_by_one, impulses);
}

TEST(CompactContactJacobian, NeedOppositeAxes) {
  Contacts contacts = random_contacts(2, {{0, 1}, {1, 0}}, 3);
  contacts.second[18] *= 1.0 + 1e-15;
  EXPECT_TRUE(make(contacts).empty());
}

TEST(CompactContactJacobian, NeedArms) {
  for (std::vector<double> Contacts::*blocks : {&Contacts::first, &Contacts::second}) {
    Contacts contacts = random_contacts(2, {{0, 1}, {1, 0}}, 3);
    (contacts.*blocks)[18 + 9] += 1e-12;
    EXPECT_TRUE(make(contacts).empty());
    (contacts.*blocks)[18 + 9] = nan;
    EXPECT_TRUE(make(contacts).empty());
  }
}

TEST(CompactContactJacobian, NoContact) {
  EXPECT_TRUE(CompactContactJacobian({}, nullptr, nullptr).empty());
  EXPECT_TRUE(CompactContactJacobian().empty());
}

TEST(CompactContactJacobian, MakeTheSameOperator) {
  // The Delassus operator uses arms if it can. Blocks that differ by a little use the full Jacobian.
  const Contacts contacts = random_contacts(5, {{0, 1}, {1, 2}, {-1, 2}, {3, 0}, {3, 4}, {4, -1}}, 9);
  for (const double bend : {0.0, 1e-9}) {
    std::vector<double> jacobian;
    for (std::size_t k = 0; k < 6; ++k) {
      jacobian.insert(jacobian.end(), contacts.first.begin() + 18 * k, contacts.first.begin() + 18 * (k + 1));
      jacobian.insert(jacobian.end(), contacts.second.begin() + 18 * k,
                      contacts.second.begin() + 18 * (k + 1));
    }
    jacobian[3] += bend;
    const DelassusOperator a(6, 5, std::vector<double>(30, 0.5), contacts.constraints, jacobian,
                             Vector::Zero(18));
    EXPECT_EQ(a.bytes_per_product() < 4000.0, bend == 0.0);
    const DenseMatrix dense = DenseMatrix(a.to_csr());
    Random random(4);
    const Vector x = testing::random_vector(18, random);
    Vector y(18), again(18);
    a.multiply(x, y, 1);
    EXPECT_NEAR((y - dense * x).norm(), 0.0, 1e-13);
    a.multiply(x, again, 3);
    EXPECT_EQ(y, again);
    for (Index i = 0; i < 18; ++i) EXPECT_EQ(a.entry(i, 3), dense(i, 3));
  }
}

}  // namespace slipstick::internal::compact_contact_jacobian_test
