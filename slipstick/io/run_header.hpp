// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

class Hdf5File;

/// How many bodies and joints every frame of a run has.
struct RunShape {
  Index bodies = 0;
  Index joints = 0;
};

/// What a run is made from.
struct RunHeader {
  std::string scene;  ///< as JSON
  std::uint64_t seed = 0;
  std::string law;
  std::string solver;
  double tolerance = 0.0;
  double step = 0.0;                ///< s
  std::string settings;             ///< all others, in words of the program that made the run
  std::vector<std::string> bodies;  ///< names
  std::vector<std::string> joints;
  std::int64_t record_every = 1;  ///< steps from frame to frame
  std::string program_version;

  RunShape shape() const { return {static_cast<Index>(bodies.size()), static_cast<Index>(joints.size())}; }
  bool operator==(const RunHeader&) const = default;
};

/// The state of a simulation after a step, in a form that only the simulation knows.
struct Checkpoint {
  std::int64_t step = 0;
  std::string state;
};

/// Throws Error if the header cannot be written: a 0 in a text, a number that is not finite.
void check_header(const RunHeader& header);
void write_header(Hdf5File& file, const RunHeader& header);
RunHeader read_header(const Hdf5File& file);

void write_checkpoint(Hdf5File& file, const Checkpoint& checkpoint);
/// Absent if the file has none.
std::optional<Checkpoint> read_checkpoint(const Hdf5File& file);

}  // namespace slipstick::internal
