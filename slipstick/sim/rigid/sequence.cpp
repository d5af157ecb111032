// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/sim/rigid/sequence.hpp"

#include <array>
#include <string>

#include "slipstick/base/error.hpp"
#include "slipstick/sim/rigid/sequence_scenes.hpp"

namespace slipstick::internal {
namespace {

constexpr int most_sequence_bodies = 4'000'000;

constexpr std::array table = {SequenceRow{.name = "spheres",
                                          .summary = "spheres settle in a box of planes",
                                          .size_means = "spheres",
                                          .size = 100,
                                          .steps = 200,
                                          .time_step = 0.005,
                                          .make = settling_spheres},
                              SequenceRow{.name = "heap",
                                          .summary = "spheres, laid one by one in a box, come to rest",
                                          .size_means = "spheres",
                                          .size = 100,
                                          .steps = 40,
                                          .time_step = 0.005,
                                          .make = laid_spheres},
                              SequenceRow{.name = "stack",
                                          .summary = "a stack of boxes slides down an incline",
                                          .size_means = "boxes",
                                          .size = 5,
                                          .steps = 100,
                                          .time_step = 0.01,
                                          .make = sliding_stack},
                              SequenceRow{.name = "chain",
                                          .summary = "a chain of ball joints swings onto a plane",
                                          .size_means = "links",
                                          .size = 10,
                                          .steps = 300,
                                          .time_step = 0.005,
                                          .make = swinging_chain},
                              SequenceRow{.name = "motor",
                                          .summary = "a motor drives a hinge into a stop",
                                          .size_means = "arms",
                                          .size = 1,
                                          .steps = 200,
                                          .time_step = 0.01,
                                          .make = driven_hinges},
                              SequenceRow{.name = "belt",
                                          .summary = "a box falls on a conveyor belt",
                                          .size_means = "boxes",
                                          .size = 1,
                                          .steps = 100,
                                          .time_step = 0.01,
                                          .make = boxes_on_belt}};

const SequenceRow& find_row(const SequenceOptions& options) {
  std::string names;
  for (const SequenceRow& row : table) {
    if (row.name != options.name) {
      names.append(names.empty() ? "" : ", ").append(row.name);
      continue;
    }
    if (options.size < 0 || options.size > most_sequence_bodies)
      fail("sequence {}: the number of {} is {}, expected 0 to {}", row.name, row.size_means, options.size,
           most_sequence_bodies);
    if (options.steps < 0)
      fail("sequence {}: the number of steps is {}, expected at least 0", row.name, options.steps);
    return row;
  }
  fail("there is no sequence {}, expected one of {}", options.name, names);
}

}  // namespace

std::span<const SequenceRow> sequences() {
  return table;
}

Sequence::Sequence(const SequenceOptions& options, StepSolver& reference)
    : row_(&find_row(options)),
      reference_(&reference),
      world_(row_->make(options.size > 0 ? options.size : row_->size, options.seed)),
      steps_(options.steps > 0 ? options.steps : row_->steps) {}

bool Sequence::next(const Visitor& visit) {
  if (number_ == steps_) return false;
  world_.prepare(row_->time_step, *reference_);
  if (visit) visit({number_, world_, world_.problem(), world_.start()});
  if (world_.advance(*reference_).flagged) ++unsolved_;
  ++number_;
  return true;
}

void Sequence::run(const Visitor& visit) {
  while (next(visit)) {
  }
}

}  // namespace slipstick::internal
