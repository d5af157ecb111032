// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/world_contacts.hpp"

#include <gtest/gtest.h>

#include "slipstick/cuda/device_problem.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal::world_contacts_test {

std::string reason_of(const DelassusOperator& A, const ProductSet& K) {
  WorldContacts world;
  return read_world_contacts(A, K, world);
}

// One contact of one body with the ground, with G = I and an arm of (0, 0, -1).
struct OneContact {
  std::vector<double> inverse_mass = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                      0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2};
  std::vector<double> jacobian = {1, 0, 0, 0, 1, 0, 0, 1, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0,
                                  0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0};
  Vector compliance = Vector::Zero(3);
  ProductSet K = ProductSet::cones(Vector::Constant(1, 0.5), 3);
  std::string reason() const {
    return reason_of(DelassusOperator(6, 1, inverse_mass, {{0, 3, {0, -1}}}, jacobian, compliance), K);
  }
};

TEST(WorldContacts, ReadsAContact) {
  WorldContacts world;
  OneContact one;
  ASSERT_EQ(read_world_contacts(
                DelassusOperator(6, 1, one.inverse_mass, {{0, 3, {0, -1}}}, one.jacobian, one.compliance),
                one.K, world),
            "");
  ASSERT_EQ(world.contacts.size(), 1U);
  const WorldContact& contact = world.contacts[0];
  EXPECT_EQ(contact.body, (std::array<int, 2>{0, -1}));
  for (int i = 0; i < 9; ++i) EXPECT_EQ(contact.axes[i], i % 4 == 0 ? 1.0 : 0.0);
  // G [a]x has the rows (0, -a_z, a_y), (a_z, 0, -a_x), (-a_y, a_x, 0).
  EXPECT_EQ(contact.arm[0][0], 0.0);
  EXPECT_EQ(contact.arm[0][1], 0.0);
  EXPECT_EQ(contact.arm[0][2], -1.0);
  EXPECT_EQ(world.bodies[0].inverse_mass, 1.0);
  EXPECT_EQ(world.bodies[0].inverse_inertia, (std::array<double, 6>{2, 0, 0, 2, 0, 2}));
}

TEST(WorldContacts, RefusesWithAReason) {
  EXPECT_EQ(OneContact().reason(), "");
  OneContact skewed;
  skewed.jacobian[1] = 0.1;  // axes that are not orthogonal
  EXPECT_NE(skewed.reason().find("no contact"), std::string::npos) << skewed.reason();
  OneContact turned;
  turned.jacobian[3] = 0.5;  // not the moment of a force
  EXPECT_NE(turned.reason().find("no contact"), std::string::npos) << turned.reason();
  OneContact heavy;
  heavy.inverse_mass[7] = 3.0;
  EXPECT_NE(heavy.reason().find("the mass of body 0"), std::string::npos) << heavy.reason();
  OneContact coupled;
  coupled.inverse_mass[3] = coupled.inverse_mass[18] = 0.25;
  EXPECT_NE(coupled.reason().find("the mass of body 0"), std::string::npos) << coupled.reason();
  OneContact soft;
  soft.compliance = vec({0.0, 0.1, 0.2});
  EXPECT_NE(soft.reason().find("compliance"), std::string::npos) << soft.reason();
  EXPECT_NE(reason_of(DelassusOperator(6, 1, OneContact().inverse_mass, {{0, 3, {0, 0}}},
                                       OneContact().jacobian, Vector::Zero(3)),
                      OneContact().K)
                .find("itself"),
            std::string::npos);
  OneContact disk;
  disk.K = ProductSet();
  disk.K.append_nonnegative(1);
  disk.K.append_disk(1.0, 2);
  EXPECT_NE(disk.reason().find("disk"), std::string::npos) << disk.reason();
  EXPECT_NE(
      reason_of(DelassusOperator(4, 1, {1, 1, 1, 1}, {{0, 1, {0, -1}}}, {1, 0, 0, 0, 0, 0, 0, 0}, vec({0})),
                ProductSet::nonnegative(1))
          .find("degrees of freedom"),
      std::string::npos);
}

TEST(WorldContacts, OtherMatricesAreRefusedByName) {
  DeviceProblem device;
  const Operator dense(DenseMatrix(DenseMatrix::Identity(3, 3)));
  const std::string reason = device.read(dense, ProductSet::nonnegative(3), "apgd-cuda");
  EXPECT_EQ(reason.find("apgd-cuda needs"), 0U) << reason;
  EXPECT_NE(reason.find("dense"), std::string::npos) << reason;
}

}  // namespace slipstick::internal::world_contacts_test
