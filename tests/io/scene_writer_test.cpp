// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scene_files.hpp"

#include <gtest/gtest.h>

#include "tests/io/io_testing.hpp"
#include "tests/io/scene_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::scene_writer_test {

TEST(SceneWriter, WritesOneItemPerLine) {
  Scene scene;
  scene.name = "ball";
  scene.shapes = {{"ball", SphereShape{0.5}}};
  scene.bodies = {{.name = "first", .shapes = {{.shape = 0}}}, {.name = "second", .shapes = {{.shape = 0}}}};
  EXPECT_EQ(scene_text(scene), R"({
  "version": 1,
  "name": "ball",
  "seed": 0,
  "gravity": [0, 0, -9.81],
  "duration": 10,
  "step": 0.016666666666666666,
  "law": "coulomb",
  "tolerance": 0.0001,
  "stepping": {"scheme": "gaps", "projection": true, "restitution": "newton", "geometric_stiffness": true, "sleeping": false},
  "friction_rule": "geometric_mean",
  "restitution_rule": "larger",
  "materials": [
    {"name": "default", "friction": 0.5, "density": 1000}
  ],
  "shapes": [
    {"name": "ball", "type": "sphere", "radius": 0.5}
  ],
  "bodies": [
    {"name": "first", "shapes": [{"shape": "ball"}]},
    {"name": "second", "shapes": [{"shape": "ball"}]}
  ]
}
)");
}

TEST(SceneWriter, RefusesWhatIsNotValid) {
  const ScratchFolder folder;
  Scene scene = rich_scene();
  scene.bodies[1].mass = -1.0;
  EXPECT_TRUE(
      has(message_of([&] { write_scene(folder / "scene.json", scene); }), "/bodies/1/mass (\"lid\"): -1"));
  EXPECT_EQ(folder.entries(), 0);
}

TEST(SceneWriter, ToAFile) {
  const ScratchFolder folder;
  const Scene scene = rich_scene();
  write_scene(folder / "scene.json", scene);
  EXPECT_EQ(scene_text(scene), bytes_of(folder / "scene.json"));
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_THROW(write_scene(folder / "missing" / "scene.json", scene), Error);
}

}  // namespace slipstick::internal::scene_writer_test
