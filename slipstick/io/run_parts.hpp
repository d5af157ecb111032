// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "slipstick/io/run_header.hpp"
#include "slipstick/io/run_tables.hpp"

namespace slipstick::internal {

/// The folder of a run that is not finished: "run.h5.parts" for "run.h5".
std::filesystem::path parts_folder(const std::filesystem::path& run);

/// The files in the folder of an unfinished run.
struct PartsListing {
  std::map<int, std::filesystem::path> segments;     ///< by number, from 1 without a gap
  std::map<int, std::filesystem::path> checkpoints;  ///< by the number of the segment before
  std::vector<std::filesystem::path> temporaries;
  std::vector<std::filesystem::path> foreign;
  bool has_header = false;
};
/// Throws Error if a segment is missing.
PartsListing list_parts(const std::filesystem::path& folder);

std::filesystem::path header_path(const std::filesystem::path& folder);
std::filesystem::path segment_path(const std::filesystem::path& folder, int number);
std::filesystem::path checkpoint_path(const std::filesystem::path& folder, int number);
RunHeader read_header_part(const std::filesystem::path& folder);

/// Holds the folder of an unfinished run. If another process has it, the constructor throws Error.
class PartsLock {
 public:
  explicit PartsLock(const std::filesystem::path& folder);
  ~PartsLock();
  PartsLock(PartsLock&& other) noexcept;
  PartsLock& operator=(PartsLock&& other) noexcept;

 private:
  int descriptor_ = -1;
};

/// The files of a run in its folder. Throws Error if it is no folder, or if there are others.
std::vector<std::filesystem::path> own_files(const std::filesystem::path& folder);
/// Removes the files of a run and their folder. Throws Error if there are others.
void remove_parts(const std::filesystem::path& folder);

/// One file of a run, and which rows of the whole run it has.
struct RunPart {
  std::filesystem::path path;
  Index first_step = 0;
  Index steps = 0;
  Index first_frame = 0;
  Index frames = 0;
};

/// The files of a run in order. Only one is open at a time.
class RunParts {
 public:
  RunParts() = default;
  /// Opens and checks every file: steps and frames are numbered without a break.
  RunParts(std::vector<std::filesystem::path> files, RunFileKind kind, const RunShape& shape);

  const std::vector<RunPart>& parts() const { return parts_; }
  const RunSizes& sizes() const { return sizes_; }
  std::int64_t first_number() const { return first_number_; }
  /// The steps of the frames.
  const std::vector<std::int64_t>& frame_numbers() const { return frame_numbers_; }
  /// How many contacts each frame has.
  const std::vector<Index>& frame_contacts() const { return frame_contacts_; }
  const RunSegment& open(std::size_t part) const;
  /// The part that has a step or a frame.
  std::size_t part_of_step(Index step) const;
  std::size_t part_of_frame(Index frame) const;

 private:
  void add(const std::filesystem::path& file);

  RunFileKind kind_ = RunFileKind::run;
  RunShape shape_;
  std::vector<RunPart> parts_;
  RunSizes sizes_;
  std::int64_t first_number_ = 0;
  std::vector<std::int64_t> frame_numbers_;
  std::vector<Index> frame_contacts_;
  mutable std::size_t open_part_ = 0;
  mutable std::unique_ptr<RunSegment> open_;
};

}  // namespace slipstick::internal
