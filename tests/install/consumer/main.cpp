// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What a user's first program does: a problem in memory, a file, an error.
#include <cmath>
#include <cstdio>
#include <slipstick/slipstick.hpp>
#include <string>
#include <string_view>

#if defined(__AVX__) || defined(_OPENMP) || defined(FMT_VERSION)
#error "the library forces instruction sets, OpenMP or fmt on its users"
#endif

using namespace slipstick;

namespace {

bool solves_in_memory() {
  const DenseMatrix M{{2.0, 1.0}, {1.0, 2.0}};
  const Vector q{{-5.0, -6.0}};
  const DriverResult result = solve(LcpProblem{M, q});
  return result.solved() && (result.x - Vector{{4.0 / 3.0, 7.0 / 3.0}}).norm() < 1e-6;
}

bool solves_a_file(const char* path) {
  const DenseMatrix W = DenseMatrix::Identity(3, 3);
  const Vector q{{-1.0, 0.5, 0.0}};
  const Vector mu{{0.3}};
  write_problem(path, {.problem = LocalContactProblem{.dimension = 3, .W = W, .q = q, .mu = mu}});
  const DriverResult result = solve(read_problem(path).problem);
  return result.solved() && std::abs(result.r[0] - 1.0) < 1e-6;
}

Scene sphere_over_floor() {
  Scene scene;
  scene.shapes = {{.name = "floor", .geometry = PlaneShape{}},
                  {.name = "ball", .geometry = SphereShape{0.1}}};
  scene.bodies = {{.name = "floor", .kind = BodyKind::fixed, .shapes = {{.shape = 0}}},
                  {.name = "ball", .shapes = {{.shape = 1}}, .position = {0.0, 0.0, 0.2}}};
  return scene;
}

bool moves_a_sphere(const Scene& scene) {
  World world(scene);
  Driver driver({.settings = {.tolerance = scene.tolerance}, .friction = scene.law});
  while (world.time() < 1.0) world.step(driver);
  return std::abs(world.body(1).position.z() - 0.1) < 1e-6;
}

bool writes_and_reads(const Scene& scene) {
  const std::string text = scene_text(scene);
  try {
    return scene_text(parse_scene(text)) == text;
  } catch (const Error& error) {
    return std::string_view(error.what()).find("made without nlohmann-json") != std::string_view::npos;
  }
}

bool refuses_nonsense() {
  try {
    solve(LcpProblem{DenseMatrix{{1.0}}, Vector{{-1.0}}}, {.solver = "abacus"});
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace

int main(int, char** argv) {
  if (!solves_in_memory()) return std::puts("a problem in memory was not solved"), 1;
  if (!solves_a_file(argv[1])) return std::puts("a problem from a file was not solved"), 1;
  const Scene scene = sphere_over_floor();
  if (!moves_a_sphere(scene)) return std::puts("a sphere did not fall on the floor"), 1;
  if (!writes_and_reads(scene)) return std::puts("a scene is not what was written"), 1;
  if (!refuses_nonsense()) return std::puts("an unknown solver was accepted"), 1;
  return 0;
}
