// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/run_reader.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/io/hdf5_file.hpp"
#include "slipstick/io/run_parts.hpp"

namespace slipstick::internal {
namespace {

bool is_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

// "run.h5" for "run.h5.parts" and "run.h5.parts/". Other names stay.
std::filesystem::path run_of(std::filesystem::path path) {
  if (!path.has_filename()) path = path.parent_path();
  return path.extension() == ".parts" ? path.replace_extension() : path;
}

}  // namespace

bool is_run(const std::filesystem::path& path) {
  const std::filesystem::path run = run_of(path);
  std::error_code ignored;
  if (!std::filesystem::exists(run, ignored)) return is_folder(parts_folder(run));
  if (!is_file(run) || H5Fis_hdf5(run.c_str()) <= 0) return false;
  try {
    const Hdf5File file(run, Hdf5File::Mode::read);
    return file.text("/format") == "slipstick run";
  } catch (const Error&) {
    return false;
  }
}

RunReader::RunReader(const std::filesystem::path& path) : path_(run_of(path)) {
  std::error_code ignored;
  // A finished file counts, even if the folder is not yet removed.
  if (!std::filesystem::exists(path_, ignored) && is_folder(parts_folder(path_))) {
    path_ = parts_folder(path_);
    const PartsListing listing = list_parts(path_);
    if (!listing.has_header) fail("{}: the run was stopped before it began", path_.string());
    header_ = read_header_part(path_);
    std::vector<std::filesystem::path> files;
    for (const auto& [number, file] : listing.segments) files.push_back(file);
    parts_ = std::make_unique<RunParts>(std::move(files), RunFileKind::segment, header_.shape());
    return;
  }
  finished_ = true;
  if (is_folder(path_)) fail("{}: is a folder, expected a run", path_.string());
  {
    const Hdf5File file(path_, Hdf5File::Mode::read);
    check_kind(file, RunFileKind::run);
    header_ = read_header(file);
  }
  parts_ = std::make_unique<RunParts>(std::vector{path_}, RunFileKind::run, header_.shape());
}

RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;
RunReader::~RunReader() = default;

Index RunReader::steps() const {
  return parts_->sizes().steps;
}
Index RunReader::frames() const {
  return parts_->sizes().frames;
}

void RunReader::read_steps(Index first, Index count, std::vector<StepRecord>& result) const {
  if (first < 0 || count < 0 || first > steps() - count)
    fail("{}: has {} steps, not {} from {}", path_.string(), steps(), count, first);
  result.clear();
  std::vector<StepRecord> piece;
  while (count > 0) {
    const std::size_t k = parts_->part_of_step(first);
    const RunPart& part = parts_->parts()[k];
    const Index start = first - part.first_step;
    const Index here = std::min(count, part.steps - start);
    parts_->open(k).read_steps(start, here, piece);
    for (const StepRecord& step : piece) {
      const std::int64_t expected = parts_->first_number() + first++;
      if (step.number != expected)
        fail("{}: step {} stands where {} should", part.path.string(), step.number, expected);
      result.push_back(step);
    }
    count -= here;
  }
}

StepRecord RunReader::step(Index index) const {
  std::vector<StepRecord> steps;
  read_steps(index, 1, steps);
  return steps.front();
}

std::int64_t RunReader::frame_number(Index frame) const {
  if (frame < 0 || frame >= frames())
    fail("{}: has {} frames, not number {}", path_.string(), frames(), frame);
  return parts_->frame_numbers()[static_cast<std::size_t>(frame)];
}

Index RunReader::frame_contacts(Index frame) const {
  frame_number(frame);  // complains if there is no such frame
  return parts_->frame_contacts()[static_cast<std::size_t>(frame)];
}

void RunReader::read_frame(Index frame, Frame& result) const {
  // The step first: it may lie in another part.
  result.step = step(frame_number(frame) - parts_->first_number());
  const std::size_t k = parts_->part_of_frame(frame);
  parts_->open(k).read_frame(frame - parts_->parts()[k].first_frame, result);
}

Frame RunReader::frame(Index frame) const {
  Frame result;
  read_frame(frame, result);
  return result;
}

std::optional<Checkpoint> RunReader::latest_checkpoint() const {
  if (finished_) return read_checkpoint(Hdf5File(path_, Hdf5File::Mode::read));
  const PartsListing listing = list_parts(path_);
  for (auto entry = listing.checkpoints.rbegin(); entry != listing.checkpoints.rend(); ++entry) {
    try {
      const Hdf5File file(entry->second, Hdf5File::Mode::read);
      check_kind(file, RunFileKind::checkpoint);
      if (std::optional<Checkpoint> checkpoint = read_checkpoint(file)) return checkpoint;
    } catch (const Error&) {  // the one before
    }
  }
  return std::nullopt;
}

}  // namespace slipstick::internal
