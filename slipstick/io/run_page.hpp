// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "slipstick/io/run_reader.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// What a page says that the run does not know.
struct PageNotes {
  std::string run = {};     ///< its name
  std::string rerun = {};   ///< the command that repeats the run
  std::string replay = {};  ///< the command that dumps the problem of a step; "{step}" stands for its number
  /// A problem of the run that lies in a file, and the command that solves it.
  struct Dump {
    std::int64_t step = 0;
    int island = 0;
    std::string file;
    std::string command;
  };
  std::vector<Dump> dumps = {};
};

/// The data of the page of a run, as blocks (apps/viewer/README.md). Block 0 is the manifest, block 1 has the
/// steps. Then come four blocks for each chunk of frames: poses, velocities, contacts and joints. Each block
/// is made when it is asked for.
class RunPage {
 public:
  /// `every`: the page has the first and last frame, and every so many of the others. The run must live
  /// longer.
  RunPage(const RunReader& run, PageNotes notes, Index every = 1);

  Index frames() const { return static_cast<Index>(frames_.size()); }
  Index blocks() const { return 2 + 4 * chunks(); }
  /// A block as a zlib stream.
  std::string block(Index number) const;

 private:
  enum class Part { pose, motion, contacts, joints };
  Index chunks() const { return (frames() + frames_per_chunk_ - 1) / frames_per_chunk_; }
  std::string manifest() const;
  std::string steps() const;
  std::string part_of_chunk(Index chunk, Part part) const;

  const RunReader& run_;
  PageNotes notes_;
  Index every_;
  Scene scene_;                           // without cables
  std::vector<Eigen::Vector3d> centres_;  // of mass, in the axes of the bodies
  std::vector<Index> frames_;             // of the run
  Index frames_per_chunk_;
};

}  // namespace slipstick::internal
