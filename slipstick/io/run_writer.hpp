// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "slipstick/io/run_header.hpp"
#include "slipstick/run.hpp"

namespace slipstick::internal {

struct RunWriterSettings {
  bool force = false;  ///< replaces a run of the same name
  /// resume() also takes a run that is finished, if it has the checkpoint of its last step, and one without a
  /// checkpoint, which begins again.
  bool any_run = false;
  // A segment is written when it has so many steps or bytes.
  Index segment_steps = 1000;
  std::size_t segment_bytes = std::size_t{16} << 20;
};

/// Writes a run step by step. Finished segments lie in the folder "run.h5.parts" until finish() makes
/// "run.h5" of them. Each file gets its name when it is complete and on the disk. So a run that was killed
/// can be read up to its last segment (RunReader), and resumed from its last checkpoint.
///
/// Every step's StepRecord is kept. Bodies, contacts and joints are kept of the first and last step, and of
/// those whose number is a multiple of header.record_every.
class RunWriter {
 public:
  /// Begins a run. Throws Error if there is one of that name, finished or not, unless settings.force is set.
  RunWriter(const std::filesystem::path& path, const RunHeader& header,
            const RunWriterSettings& settings = {});
  /// Goes on with an unfinished run after its latest checkpoint, which latest_checkpoint() gives. Later steps
  /// are dropped. The resumed run has the same contents as one without interruption, but for the seconds. A
  /// finished run (see RunWriterSettings) stays in place until its parts are complete.
  static RunWriter resume(const std::filesystem::path& path, const RunWriterSettings& settings = {});
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;
  /// Steps that are not yet in a segment are lost without finish(), flush() or checkpoint().
  ~RunWriter();

  const RunHeader& header() const;
  /// Other settings from now on. The header has them when this returns.
  void set_settings(const std::string& settings);
  /// The number of the last step, absent before the first.
  std::optional<std::int64_t> last_step() const;
  const std::optional<Checkpoint>& latest_checkpoint() const;

  /// The next step. The first has number 1, or 0 if the state before it is recorded; the others follow.
  /// Throws Error if a number is NaN, or if the frame does not have the bodies and joints of the header.
  void append(const Frame& frame);
  /// The state after the last step. Everything before it is written.
  void checkpoint(std::int64_t step, std::string_view state);
  /// Writes the steps that are still in memory.
  void flush();
  /// Makes the file of the parts and removes them.
  void finish();

 private:
  class Impl;
  explicit RunWriter(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

/// Throws Error if a run of that name cannot replace what is there: its folder of parts has other files.
void check_replaceable(const std::filesystem::path& run);
/// Removes the folder that is left if a run was killed after it was finished. A folder that another process
/// has, or that has other files, stays.
void remove_leftover(const std::filesystem::path& run);

}  // namespace slipstick::internal
