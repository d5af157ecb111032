// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/bucket_scene.hpp"

#include <gtest/gtest.h>

#include "slipstick/scenes/scene_table.hpp"

namespace slipstick::internal::bucket_scene_test {

using Eigen::Vector3d;

TEST(BucketScene, SpheresAreInsideAndApart) {
  for (const double spread : {0.0, 0.4}) {
    for (const double count : {1.0, 7.0, 300.0}) {
      const Scene scene = make_scene("bucket", {{"spheres", count}, {"spread", spread}});
      const auto radius = [&](const BodySpec& body) {
        return std::get<SphereShape>(scene.shapes[static_cast<std::size_t>(body.shapes[0].shape)].geometry)
            .radius;
      };
      const auto size = [&](const BodySpec& body) {
        return std::get<BoxShape>(scene.shapes[static_cast<std::size_t>(body.shapes[0].shape)].geometry).size;
      };
      const BodySpec& right = scene.bodies[1];
      ASSERT_EQ(right.name, "right wall");
      const double half_width = right.position.x() - 0.5 * size(right).x();
      int spheres = 0;
      for (std::size_t i = 5; i < scene.bodies.size(); ++i, ++spheres) {
        const BodySpec& a = scene.bodies[i];
        EXPECT_GE(a.position.z(), radius(a));
        EXPECT_LE(a.position.z() + radius(a), size(right).z());
        EXPECT_LE(a.position.head<2>().cwiseAbs().maxCoeff() + radius(a), half_width);
        for (std::size_t j = 5; j < i; ++j) {
          const BodySpec& b = scene.bodies[j];
          EXPECT_GT((a.position - b.position).norm(), radius(a) + radius(b));
        }
      }
      EXPECT_EQ(spheres, static_cast<int>(count));
    }
  }
}

}  // namespace slipstick::internal::bucket_scene_test
