// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/cuda/body_band_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "slipstick/base/random.hpp"
#include "slipstick/cuda/device_band.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/cuda/contact_cases.hpp"
#include "tests/support/problems.hpp"

namespace slipstick::internal::body_band_layout_test {

std::vector<Problem> problems() {
  std::vector<Problem> list;
  for (const ContactCase& one : contact_cases()) list.push_back(one.problem);
  list.push_back(random_bodies({.bodies = 40,
                                .contacts = 90,
                                .tensors = true,
                                .compliance = true,
                                .joint_rows = 20,
                                .resting = true}));
  list.push_back(random_bodies({.bodies = 30, .contacts = 50, .in_plane = true}));
  list.push_back(packing(40, 0.5));
  return list;
}

TEST(BodyBandLayout, HasTheEntriesOfTheMatrixWithinItsBand) {
  int checked = 0;
  for (const Problem& problem : problems()) {
    const auto* bodies = storage_of<DelassusOperator>(problem.A);
    if (bodies == nullptr) continue;
    BodyBandLayout layout;
    layout.set(*bodies);
    std::vector<int> sorted = layout.places();
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size(); ++k) ASSERT_EQ(sorted[k], static_cast<int>(k));
    const BodyBand numbers = layout.numbers(*bodies);
    std::vector<std::vector<char>> covered(sorted.size(), std::vector<char>(sorted.size(), 0));
    for (const BodyBand::Pair& pair : numbers.pairs) {
      const BodyBand::Constraint& high = numbers.constraints[static_cast<std::size_t>(pair.high)];
      const BodyBand::Constraint& low = numbers.constraints[static_cast<std::size_t>(pair.low)];
      for (int r = 0; r < high.rows; ++r)
        for (int c = 0; c < low.rows; ++c) {
          char& place =
              covered[static_cast<std::size_t>(high.place + r)][static_cast<std::size_t>(low.place + c)];
          EXPECT_EQ(place, 0) << "an entry comes twice";
          place = 1;
        }
    }
    const CsrMatrix a = bodies->to_csr();
    for (Index i = 0; i < a.rows(); ++i)
      for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
        const int row = layout.places()[static_cast<std::size_t>(i)];
        const int column = layout.places()[static_cast<std::size_t>(it.col())];
        if (it.value() == 0.0 || row < column) continue;
        EXPECT_LE(row - column, layout.bandwidth());
        EXPECT_EQ(covered[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)], 1)
            << row << ", " << column;
        ++checked;
      }
  }
  EXPECT_GT(checked, 1000);
}

TEST(BodyBandLayout, NoRows) {
  BodyBandLayout layout;
  layout.set(DelassusOperator());
  EXPECT_TRUE(layout.places().empty());
  EXPECT_EQ(layout.bandwidth(), 0);
}

TEST(BodyBandLayout, TheDeviceAssemblesTheMatrix) {
  SLIPSTICK_NEEDS_DEVICE();
  DeviceBand band;
  BandEngine engine;
  for (const Problem& problem : problems()) {
    ASSERT_EQ(band.read(problem.A, 0, "m"), "");
    band.upload(engine);
    const Index n = problem.b.size();
    SCOPED_TRACE(testing::Message() << n << " rows");
    Random random(4);
    Vector x(n), expected(n), from(n), to = Vector::Constant(n, std::numeric_limits<double>::quiet_NaN()),
                                       y(n);
    for (double& entry : x) entry = random.uniform(-1.0, 1.0);
    problem.A.multiply(x, expected);
    band.to_band(x.data(), from.data());
    engine.multiply(from.data(), to.data());
    band.from_band(to.data(), y.data());
    EXPECT_LE((y - expected).norm(), 1e-12 * expected.norm());
  }
}

}  // namespace slipstick::internal::body_band_layout_test
