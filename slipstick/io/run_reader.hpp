// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "slipstick/io/run_header.hpp"
#include "slipstick/run.hpp"

namespace slipstick::internal {

class RunParts;

/// Whether a path names a run: a finished file, or one that is not finished (see RunReader).
bool is_run(const std::filesystem::path& path);

/// Reads a run from its file "run.h5" or, if it is not finished, from its folder "run.h5.parts". Both names
/// mean the same run. Steps and frames are read one by one. Whatever is read is checked: a wrong file gives
/// an Error, and never a wrong record.
class RunReader {
 public:
  explicit RunReader(const std::filesystem::path& path);
  RunReader(RunReader&&) noexcept;
  RunReader& operator=(RunReader&&) noexcept;
  ~RunReader();

  /// False: the run is being written, or was interrupted.
  bool finished() const { return finished_; }
  const RunHeader& header() const { return header_; }
  Index steps() const;
  Index frames() const;
  /// Steps from an index, that of the first is 0. `result` is resized to `count`.
  void read_steps(Index first, Index count, std::vector<StepRecord>& result) const;
  StepRecord step(Index index) const;
  /// The number of the step of a frame.
  std::int64_t frame_number(Index frame) const;
  Index frame_contacts(Index frame) const;
  void read_frame(Index frame, Frame& result) const;
  Frame frame(Index frame) const;
  /// A finished run has the checkpoint of its last step, if there was one. An unfinished one has the latest
  /// that can be read.
  std::optional<Checkpoint> latest_checkpoint() const;

 private:
  std::filesystem::path path_;  // of the file, or of the folder
  bool finished_ = false;
  RunHeader header_;
  std::unique_ptr<RunParts> parts_;
};

}  // namespace slipstick::internal
