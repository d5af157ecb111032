// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "bench/peers/contest.hpp"
#include "slipstick/problems/convert.hpp"
#include "slipstick/scenes/box_piles.hpp"
#include "slipstick/scenes/packing.hpp"
#include "slipstick/scenes/random_problems.hpp"
#include "slipstick/scenes/sheet.hpp"

namespace slipstick::internal::bench {

std::vector<ContestProblem> generated_problems() {
  std::vector<ContestProblem> problems;
  const auto add = [&](std::string name, AnyProblem problem) {
    for (ContestProblem& made : contest_problems(std::move(name), std::move(problem)))
      problems.push_back(std::move(made));
  };
  for (const Index rows : {10, 50, 200, 500}) {
    RandomBoxOptions options{.rows = rows, .condition = 1e4};
    add(fmt::format("generated/lcp-{}", rows), to_lcp(random_lcp(options).problem));
    options.free = 0.3;
    options.from_zero = true;
    add(fmt::format("generated/mlcp-{}", rows), to_mixed_lcp(random_box(options).problem));
  }
  for (const Index spheres : {10, 50, 200}) {
    PackingOptions options{.spheres = spheres};
    add(fmt::format("generated/packing-{}", spheres), sphere_packing(options));
    options.density_ratio = 100.0;
    options.friction = 0.8;
    options.seed = 2;
    add(fmt::format("generated/rough-packing-{}", spheres), sphere_packing(options));
  }
  // Far more contacts than fix the bodies: 568, 616 and 208 of them.
  TowerOptions tower{.courses = 36, .bricks = 2, .friction = 0.3, .push = 0.1};
  add("generated/tower-crossed", brick_tower(tower));
  tower.pattern = BrickPattern::ring;
  tower.courses = 8;
  tower.bricks = 7;
  tower.jitter = 0.05;
  add("generated/tower-ring", brick_tower(tower));
  RocksOptions rocks{.rocks = 25};
  add("generated/rocks-25", rock_pile(rocks));
  rocks.friction = 0.3;
  add("generated/smooth-rocks-25", rock_pile(rocks));
  add("generated/sheet-225", elastic_sheet({.side = 15}));
  return problems;
}

}  // namespace slipstick::internal::bench
