// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/sheet.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/component_inverse.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal::sheet_test {

TEST(Sheet, IsOneBodyWithAContactAtEveryPoint) {
  const GlobalContactProblem sheet = elastic_sheet({.side = 7});
  EXPECT_TRUE(validate(sheet).ok());
  EXPECT_EQ(sheet.contacts(), 49);
  const ComponentInverse inverse(sheet.M);
  EXPECT_EQ(inverse.components(), 1);
  EXPECT_EQ(inverse.indefinite_row(), -1);
  EXPECT_EQ(asymmetry(sheet.M), 0.0);
  const DenseMatrix h(sheet.H);
  EXPECT_LT((h.transpose() * h - DenseMatrix::Identity(h.cols(), h.cols())).norm(), 1e-13) << "frames";
}

// Springs do not resist a motion of the whole.
TEST(Sheet, MovesFreelyAsAWhole) {
  const GlobalContactProblem sheet = elastic_sheet({.side = 5, .stiffness = 300.0});
  for (int axis = 0; axis < 3; ++axis) {
    Vector v = Vector::Zero(sheet.f.size());
    for (Index i = axis; i < v.size(); i += 3) v[i] = 1.0;
    EXPECT_LT((sheet.M * v - 2e-5 * v).norm(), 1e-15 * 300.0) << axis;
  }
}

TEST(Sheet, TheSeedDecides) {
  const GlobalContactProblem one = elastic_sheet({.side = 4}), same = elastic_sheet({.side = 4});
  EXPECT_EQ(one.f, same.f);
  EXPECT_NE(one.f, elastic_sheet({.side = 4, .seed = 2}).f);
}

TEST(Sheet, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(elastic_sheet({.side = 0}), Error);
  EXPECT_THROW(elastic_sheet({.stiffness = -1.0}), Error);
  EXPECT_THROW(elastic_sheet({.slope = 3.0}), Error);
  EXPECT_THROW(elastic_sheet({.friction = -0.5}), Error);
  EXPECT_THROW(elastic_sheet({.time_step = 0.0}), Error);
}

}  // namespace slipstick::internal::sheet_test
