// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/obj_mesh.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "slipstick/base/random.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::obj_mesh_test {

using Triangle = std::array<int, 3>;

TEST(ObjMesh, PointsAndFaces) {
  const MeshShape mesh = parse_obj(
      "# a roof\r\nmtllib none.mtl\r\nv 0 0 0\r\nv 1 0 0 # right\nv 1 1 0\n\tv 0 +1 5e-1\nvn 0 0 1\nvt 0 0\n"
      "o roof\ng left\nusemtl red\ns off\nf 1 2 3\nf 1/1/1 3//1 4/1\nf -4 -3 -2 -1",
      "roof.obj");
  ASSERT_EQ(mesh.points.size(), 4u);
  EXPECT_EQ(mesh.points[3], Eigen::Vector3d(0.0, 1.0, 0.5));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}, {0, 2, 3}}));
}

TEST(ObjMesh, RefusesWhatIsWrong) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"v 0 0\n", "bad.obj: line 1: expected three finite coordinates, found ''"},
      {"v 0 0 zero\n", "line 1: expected three finite coordinates, found 'zero'"},
      {"v 0 0 1e400\n", "line 1: expected three finite"},
      {"v 0 0 nan\n", "line 1: expected three finite"},
      {"v 0 0 inf\n", "line 1: expected three finite"},
      {points + "f 1 2\n", "line 4: a face has 2 corners"},
      {points + "f 1 2 0\n", "line 4: expected the number of a point, found '0'"},
      {points + "f 1 2 4\n", "a face has point 4, expected at most 3"},
      {points + "f 1 2 -4\n", "line 4: point -4 does not exist"},
      {points + "f 1 2 99999999999999999999\n", "line 4: expected the number of a point"},
      {points + "f 1 2 2147483648\n", "line 4: point 2147483648 does not exist"},
      {points + "f 1 2 3.5\n", "line 4: expected the number of a point, found '3.5'"},
      {"hello\n", "line 1: 'hello' is not known"},
      {std::string("\0\x01", 2), "line 1: '\\x00\\x01' is not known"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_TRUE(has(message_of([&] { parse_obj(text, "bad.obj"); }), message)) << text;
  EXPECT_TRUE(parse_obj("", "empty.obj").triangles.empty());
}

TEST(ObjMesh, RandomBytesGiveAnErrorOrAMesh) {
  const std::string good = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1//2 2/3 -1\n";
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) {
      text[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(text.size())))] =
          static_cast<char>(random.below(256));
    }
    text.resize(static_cast<std::size_t>(random.below(static_cast<std::int64_t>(text.size())) + 1));
    try {
      const MeshShape mesh = parse_obj(text, "random.obj");
      for (const Triangle& triangle : mesh.triangles)
        for (const int point : triangle) EXPECT_LT(static_cast<std::size_t>(point), mesh.points.size());
    } catch (const Error& error) {
      EXPECT_TRUE(has(error.what(), "random.obj"));
    }
  }
}

TEST(ObjMesh, FilesLieBelowTheFolder) {
  const ScratchFolder scratch;
  namespace fs = std::filesystem;
  const fs::path folder = scratch / "scene";
  fs::create_directories(folder / "parts");
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  scratch.file("outside.obj", text);
  scratch.file("scene/part.obj", text);
  scratch.file("scene/parts/part.obj", text);
  fs::create_symlink("../outside.obj", folder / "link.obj");
  fs::create_directory_symlink("..", folder / "up");
  fs::create_symlink("part.obj", folder / "inside.obj");
  for (const char* good : {"part.obj", "parts/part.obj", "./part.obj", "inside.obj"})
    EXPECT_EQ(read_obj(folder, good).triangles.size(), 1u) << good;
  const std::string absolute = (folder / "part.obj").string();
  for (const std::string& bad : {std::string("../outside.obj"), std::string("parts/../part.obj"), absolute,
                                 std::string("link.obj"), std::string("up/outside.obj")})
    EXPECT_TRUE(has(message_of([&] { read_obj(folder, bad); }), "is not below the folder of the document"))
        << bad;
  EXPECT_TRUE(has(message_of([&] { read_obj(folder, "missing.obj"); }), "missing.obj: no such file"));
  EXPECT_TRUE(has(message_of([&] { read_obj(folder, "parts"); }), "is a folder"));
  EXPECT_TRUE(has(message_of([&] { read_obj({}, "part.obj"); }), "the document has no folder"));
  EXPECT_TRUE(has(message_of([&] { read_obj(folder, ""); }), "is no file"));
  EXPECT_TRUE(has(message_of([&] { read_obj(folder, std::string("part.obj\0x", 10)); }), "is no file"));
}

}  // namespace slipstick::internal::obj_mesh_test
