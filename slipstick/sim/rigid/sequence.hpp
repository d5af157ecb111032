// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "slipstick/world.hpp"

namespace slipstick::internal {

/// A scene that is worth stepping, with the sizes that it has unless others are asked for.
struct SequenceRow {
  std::string_view name;
  std::string_view summary;
  std::string_view size_means;  ///< what `size` counts
  int size;
  int steps;
  double time_step;
  Scene (*make)(int size, std::uint64_t seed);
};

/// The table of sequences.
std::span<const SequenceRow> sequences();

struct SequenceOptions {
  std::string_view name = "spheres";  ///< a name of the table
  std::uint64_t seed = 1;
  int size = 0;   ///< what SequenceRow::size_means says; 0: that of the table
  int steps = 0;  ///< 0: those of the table
};

/// One step of a sequence, before it is solved. All is valid until the next step.
struct SequenceStep {
  int number;  ///< from 0
  const World& world;
  const BodyProblem& problem;
  const WarmStart& start;  ///< the reference's impulses of the step before, by key
};

/// A trajectory of problems. The reference solver alone moves the bodies. A visitor gets the problem of every
/// step, so that every method under test sees the same problems. The same options and reference give the
/// same bits.
class Sequence {
 public:
  using Visitor = std::function<void(const SequenceStep&)>;

  /// An unknown name or a bad size throws Error. The reference must outlive the sequence.
  Sequence(const SequenceOptions& options, StepSolver& reference);

  /// Prepares a step, calls the visitor, and moves the bodies. False if there are no more steps.
  bool next(const Visitor& visit = {});
  /// All steps that are left.
  void run(const Visitor& visit = {});

  int steps() const { return steps_; }
  int number() const { return number_; }  ///< steps that are done
  /// Steps that are flagged: the reference did not solve them. The trajectory then went on with what it had.
  int unsolved() const { return unsolved_; }
  double time_step() const { return row_->time_step; }
  const World& world() const { return world_; }

 private:
  const SequenceRow* row_;
  StepSolver* reference_;
  World world_;
  int steps_;
  int number_ = 0;
  int unsolved_ = 0;
};

}  // namespace slipstick::internal
