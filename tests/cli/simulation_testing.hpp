// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "slipstick/io/run_reader.hpp"
#include "slipstick/io/run_writer.hpp"
#include "tests/cli/program.hpp"
#include "tests/io/run_testing.hpp"

namespace slipstick::internal::cli {

using Words = std::vector<std::string>;
inline Words operator+(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Tests that simulate scenes of a few bodies.
class SimulateTest : public CliTest {
 protected:
  /// Writes a scene: a pile of spheres that fall beside each other on a plane, and a pendulum that hits it.
  void write_pile(const std::string& name, int spheres = 6) const {
    std::string bodies = R"({"name": "ground", "kind": "fixed", "shapes": [{"shape": "floor"}]})";
    for (int k = 0; k < spheres; ++k) {
      bodies += R"(, {"name": "ball )" + std::to_string(k) +
                R"(", "shapes": [{"shape": "ball"}], "position": [)" + std::to_string(0.17 * (k % 3)) + ", " +
                std::to_string(0.05 * (k % 2)) + ", " +
                std::to_string(0.11 + 0.2 * static_cast<double>(k / 3)) + "]}";
    }
    bodies += R"(, {"name": "bob", "shapes": [{"shape": "ball"}], "position": [-0.9, 0, 1]})";
    write(name, R"({"version": 1, "name": "pile", "seed": 7, "duration": 0.5, "step": 0.01,
      "materials": [{"name": "wood", "friction": 0.4, "density": 700}],
      "shapes": [{"name": "floor", "type": "plane"}, {"name": "ball", "type": "sphere", "radius": 0.1}],
      "bodies": [)" +
                    bodies + R"(],
      "joints": [{"name": "string", "kind": "ball", "bodies": ["bob", null], "point": [0, 0, 1]}]})");
  }

  RunReader open(const std::string& name) const { return RunReader(folder_ / name); }

  /// Whether two runs are the same, bit by bit, all but the wall clock.
  testing::AssertionResult same_runs(const std::string& a, const std::string& b) const {
    const RunReader first = open(a), second = open(b);
    if (!first.finished() || !second.finished()) return testing::AssertionFailure() << "not finished";
    if (!(first.header() == second.header()))
      return testing::AssertionFailure() << first.header().settings << "\n" << second.header().settings;
    if (first.steps() != second.steps() || first.frames() != second.frames())
      return testing::AssertionFailure() << first.steps() << " and " << second.steps() << " steps, "
                                         << first.frames() << " and " << second.frames() << " frames";
    const auto without_clock = [](StepRecord step) {
      step.seconds = step.solver_seconds = 0.0;
      return step;
    };
    for (Index k = 0; k < first.steps(); ++k)
      if (auto same = same_step(without_clock(first.step(k)), without_clock(second.step(k))); !same)
        return same << " of step " << k + 1;
    for (Index k = 0; k < first.frames(); ++k) {
      Frame one = first.frame(k), other = second.frame(k);
      if (one.step.number != other.step.number)
        return testing::AssertionFailure() << "frame " << k << " is of another step";
      one.step = without_clock(one.step);
      other.step = without_clock(other.step);
      if (auto same = same_frame(one, other); !same) return same << " of frame " << k;
    }
    const auto one = first.latest_checkpoint(), other = second.latest_checkpoint();
    if (!one || !other || one->step != other->step || one->state != other->state)
      return testing::AssertionFailure() << "the checkpoints differ";
    return testing::AssertionSuccess();
  }
};

}  // namespace slipstick::internal::cli
