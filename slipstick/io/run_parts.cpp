// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/run_parts.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

constexpr std::string_view lock_name = "lock";
constexpr std::string_view header_name = "header.h5";
constexpr std::string_view segment_prefix = "segment-";
constexpr std::string_view checkpoint_prefix = "checkpoint-";
constexpr int digits = 8;

// The number in "segment-00000012.h5".
std::optional<int> number_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix) || !name.ends_with(".h5")) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(3);
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || name.size() != digits || number < 1)
    return std::nullopt;
  return number;
}

std::filesystem::path numbered(const std::filesystem::path& folder, std::string_view prefix, int number) {
  return folder / fmt::format("{}{:0{}}.h5", prefix, number, digits);
}

}  // namespace

std::filesystem::path parts_folder(const std::filesystem::path& run) {
  std::filesystem::path folder = run;
  folder += ".parts";
  return folder;
}

std::filesystem::path header_path(const std::filesystem::path& folder) {
  return folder / header_name;
}
std::filesystem::path segment_path(const std::filesystem::path& folder, int number) {
  return numbered(folder, segment_prefix, number);
}
std::filesystem::path checkpoint_path(const std::filesystem::path& folder, int number) {
  return numbered(folder, checkpoint_prefix, number);
}

PartsListing list_parts(const std::filesystem::path& folder) {
  PartsListing listing;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (const std::optional<int> segment = number_of(name, segment_prefix)) {
      listing.segments[*segment] = entry->path();
    } else if (const std::optional<int> checkpoint = number_of(name, checkpoint_prefix)) {
      listing.checkpoints[*checkpoint] = entry->path();
    } else if (name == header_name) {
      listing.has_header = true;
    } else if (name.ends_with(".tmp")) {
      listing.temporaries.push_back(entry->path());
    } else if (name != lock_name) {
      listing.foreign.push_back(entry->path());
    }
  }
  if (error) fail("{}: {}", folder.string(), error.message());
  int expected = 1;
  for (const auto& [number, path] : listing.segments) {
    if (number != expected) fail("{}: is missing", segment_path(folder, expected).string());
    ++expected;
  }
  return listing;
}

RunHeader read_header_part(const std::filesystem::path& folder) {
  const Hdf5File file(header_path(folder), Hdf5File::Mode::read);
  check_kind(file, RunFileKind::header);
  return read_header(file);
}

PartsLock::PartsLock(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / lock_name;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot write {}: {}", path.string(), std::generic_category().message(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    ::close(descriptor_);
    if (error == EWOULDBLOCK) fail("{}: another process is writing this run", folder.string());
    fail("{}: cannot be locked: {}", path.string(), std::generic_category().message(error));
  }
}

PartsLock::~PartsLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

PartsLock::PartsLock(PartsLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

PartsLock& PartsLock::operator=(PartsLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::vector<std::filesystem::path> own_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool ours = number_of(name, segment_prefix) || number_of(name, checkpoint_prefix) ||
                      name == header_name || name == lock_name || name.ends_with(".tmp");
    if (!ours) fail("cannot remove {}: {} is no part of a run", folder.string(), name);
    files.push_back(entry->path());
  }
  if (error) fail("cannot remove {}: {}", folder.string(), error.message());
  return files;
}

void remove_parts(const std::filesystem::path& folder) {
  const auto remove = [&](const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::remove(path, error);
    if (error) fail("cannot remove {}: {}", path.string(), error.message());
  };
  std::vector<std::filesystem::path> files = own_files(folder);
  // The last segments first: if this is interrupted, the rest is still a run.
  std::sort(files.rbegin(), files.rend());
  for (const std::filesystem::path& file : files) remove(file);
  remove(folder);
}

RunParts::RunParts(std::vector<std::filesystem::path> files, RunFileKind kind, const RunShape& shape)
    : kind_(kind), shape_(shape) {
  for (const std::filesystem::path& file : files) add(file);
}

void RunParts::add(const std::filesystem::path& file) {
  parts_.push_back({file, sizes_.steps, 0, sizes_.frames, 0});
  const RunSegment& segment = open(parts_.size() - 1);
  RunPart& part = parts_.back();
  part.steps = segment.sizes().steps;
  part.frames = segment.sizes().frames;

  if (part.steps > 0) {
    std::vector<StepRecord> first, last;
    segment.read_steps(0, 1, first);
    segment.read_steps(part.steps - 1, 1, last);
    if (sizes_.steps == 0) first_number_ = first.front().number;
    const std::int64_t expected = first_number_ + sizes_.steps;
    if (first_number_ > 1 || first.front().number != expected)
      fail("{}: begins with step {}, expected {}", file.string(), first.front().number,
           sizes_.steps == 0 ? 1 : expected);
    if (last.front().number != expected + part.steps - 1)
      fail("{}: ends with step {}, expected {}", file.string(), last.front().number,
           expected + part.steps - 1);
  }
  sizes_.steps += part.steps;
  sizes_.frames += part.frames;
  sizes_.contacts += segment.sizes().contacts;
  std::int64_t contacts = 0;
  for (const FrameIndex& frame : segment.frames()) {
    const std::int64_t least = frame_numbers_.empty() ? first_number_ : frame_numbers_.back() + 1;
    if (frame.number < least || frame.number >= first_number_ + sizes_.steps)
      fail("{}: has a frame of step {}, expected one from {} to {}", file.string(), frame.number, least,
           first_number_ + sizes_.steps - 1);
    frame_numbers_.push_back(frame.number);
    frame_contacts_.push_back(frame.contact_end - contacts);
    contacts = frame.contact_end;
  }
}

const RunSegment& RunParts::open(std::size_t part) const {
  if (!open_ || open_part_ != part) {
    open_.reset();
    auto segment = std::make_unique<RunSegment>(parts_[part].path, kind_, shape_);
    open_ = std::move(segment);
    open_part_ = part;
  }
  return *open_;
}

std::size_t RunParts::part_of_step(Index step) const {
  const auto after = std::partition_point(parts_.begin(), parts_.end(), [&](const RunPart& part) {
    return part.first_step + part.steps <= step;
  });
  return static_cast<std::size_t>(after - parts_.begin());
}

std::size_t RunParts::part_of_frame(Index frame) const {
  const auto after = std::partition_point(parts_.begin(), parts_.end(), [&](const RunPart& part) {
    return part.first_frame + part.frames <= frame;
  });
  return static_cast<std::size_t>(after - parts_.begin());
}

}  // namespace slipstick::internal
