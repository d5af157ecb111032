// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/run_writer.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/hdf5_file.hpp"
#include "slipstick/io/run_parts.hpp"
#include "slipstick/io/run_reader.hpp"
#include "slipstick/io/run_tables.hpp"

namespace slipstick::internal {
namespace {

// If the latest checkpoint is damaged, the one before it serves.
constexpr int kept_checkpoints = 2;

bool path_exists(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

void remove_path(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) fail("cannot remove {}: {}", path.string(), error.message());
}

void check_segment_settings(const RunWriterSettings& settings) {
  if (settings.segment_steps < 1) fail("a segment has {} steps, expected 1 or more", settings.segment_steps);
}

}  // namespace

class RunWriter::Impl {
 public:
  Impl(const std::filesystem::path& path, const RunWriterSettings& settings);
  void start(const RunHeader& header);
  void go_on();
  void reopen();
  const RunHeader& header() const { return header_; }
  void set_settings(const std::string& settings);
  const std::optional<std::int64_t>& last_step() const { return last_number_; }
  const std::optional<Checkpoint>& latest_checkpoint() const { return checkpoint_; }
  void append(const Frame& frame);
  void checkpoint(std::int64_t step, std::string_view state);
  void flush();
  void finish();

 private:
  bool take_checkpoint(int number, const std::filesystem::path& file, const PartsListing& listing);
  void make_folder();
  void write_header_part();
  void check_open() const;
  void check(const Frame& frame) const;
  void write_part(const std::filesystem::path& path, const std::function<void(Hdf5File&)>& write);
  void write_tables(Hdf5File& file, const RecordTables& tables) const;
  void write_merged(Hdf5File& file) const;
  void prune_checkpoints() const;

  enum class State { open, failed, finished };

  std::filesystem::path path_;
  std::filesystem::path folder_;
  RunWriterSettings settings_;
  RunHeader header_;
  std::optional<PartsLock> lock_;
  State state_ = State::open;
  RecordTables tables_;  // of the segment that is being filled
  int segments_ = 0;     // written
  std::optional<std::int64_t> last_number_;
  std::optional<std::int64_t> last_written_;  // the last step in a segment
  bool last_is_recorded_ = false;
  Frame last_;  // if it is not recorded, it may still be the last of the run
  std::optional<Checkpoint> checkpoint_;
};

RunWriter::Impl::Impl(const std::filesystem::path& path, const RunWriterSettings& settings)
    : path_(path), folder_(parts_folder(path)), settings_(settings) {
  if (!path.has_filename()) fail("cannot write '{}': it names no file", path.string());
  if (path.extension() == ".parts")
    fail("cannot write {}: names in .parts are for unfinished runs", path.string());
  check_segment_settings(settings);
}

void RunWriter::Impl::start(const RunHeader& header) {
  check_header(header);
  std::error_code error;
  const std::filesystem::path parent = path_.has_parent_path() ? path_.parent_path() : ".";
  if (!std::filesystem::is_directory(parent, error))
    fail("cannot write {}: the folder {} does not exist", path_.string(), parent.string());
  if (std::filesystem::is_directory(path_, error)) fail("cannot write {}: it is a folder", path_.string());
  if (!settings_.force && path_exists(path_))
    fail("cannot write {}: it exists; --force replaces it", path_.string());
  if (!settings_.force && path_exists(folder_))
    fail(
        "cannot write {}: {} holds an unfinished run of that name; --resume goes on with it, --force "
        "replaces it",
        path_.string(), folder_.string());

  header_ = header;
  make_folder();
  if (path_exists(path_)) remove_path(path_);
  write_header_part();
}

// A folder without parts, instead of what is there.
void RunWriter::Impl::make_folder() {
  if (path_exists(folder_)) {
    own_files(folder_);  // complains about others, before a lock is among them
    const PartsLock nobody_writes(folder_);
    remove_parts(folder_);
  }
  std::error_code error;
  if (!std::filesystem::create_directory(folder_, error))
    fail("cannot write {}: {}", folder_.string(), error.message());
  lock_.emplace(folder_);
}

void RunWriter::Impl::write_header_part() {
  write_part(header_path(folder_), [&](Hdf5File& file) {
    write_kind(file, RunFileKind::header);
    write_header(file, header_);
  });
}

void RunWriter::Impl::set_settings(const std::string& settings) {
  check_open();
  if (settings == header_.settings) return;
  RunHeader changed = header_;
  changed.settings = settings;
  check_header(changed);
  header_ = std::move(changed);
  write_header_part();
}

// Makes parts of a finished run. Until they are complete, the file counts.
void RunWriter::Impl::reopen() {
  const RunReader run(path_);
  std::optional<Checkpoint> last = run.latest_checkpoint();
  const Index steps = run.steps();
  if (!last || steps == 0 || last->step != run.step(steps - 1).number)
    fail("{}: cannot be resumed: it has no checkpoint of its last step", path_.string());
  header_ = run.header();
  make_folder();
  write_header_part();
  constexpr Index at_once = 4096;
  std::vector<StepRecord> records;
  Frame frame;
  Index next_frame = 0;
  for (Index first = 0; first < steps; first += at_once) {
    run.read_steps(first, std::min(at_once, steps - first), records);
    for (const StepRecord& record : records) {
      // Between recorded steps the bodies of the last one stand in, and are not kept.
      if (next_frame < run.frames() && run.frame_number(next_frame) == record.number)
        run.read_frame(next_frame++, frame);
      frame.step = record;
      append(frame);
    }
  }
  checkpoint(last->step, last->state);
  remove_path(path_);
}

void RunWriter::Impl::go_on() {
  std::error_code ignored;
  if (settings_.any_run && path_exists(path_)) return reopen();
  if (!std::filesystem::is_directory(folder_, ignored)) {
    if (path_exists(path_)) fail("{}: the run is finished; there is nothing to resume", path_.string());
    fail("{}: there is no unfinished run of that name", path_.string());
  }
  lock_.emplace(folder_);
  if (path_exists(path_)) {  // it was stopped while the parts were removed
    remove_parts(folder_);
    fail("{}: the run is finished; there is nothing to resume", path_.string());
  }
  const PartsListing listing = list_parts(folder_);
  if (!listing.has_header)
    fail("{}: the run was stopped before it began; --force starts it again", path_.string());
  header_ = read_header_part(folder_);

  std::string complaint = "it has no checkpoint";
  for (auto entry = listing.checkpoints.rbegin(); entry != listing.checkpoints.rend() && !checkpoint_;
       ++entry) {
    try {
      if (!take_checkpoint(entry->first, entry->second, listing)) complaint = "its segments are missing";
    } catch (const Error& error) {
      complaint = error.what();
    }
  }
  if (!checkpoint_ && !settings_.any_run)
    fail("{}: cannot be resumed: {}; --force starts the run again", path_.string(), complaint);

  // In this order an interruption leaves a run that can be resumed from the same checkpoint.
  for (const std::filesystem::path& file : listing.temporaries) remove_path(file);
  for (const auto& [number, file] : listing.checkpoints)
    if (number > segments_) remove_path(file);
  for (auto entry = listing.segments.rbegin(); entry != listing.segments.rend(); ++entry)
    if (entry->first > segments_) remove_path(entry->second);
}

// False: the segments before it are not all there.
bool RunWriter::Impl::take_checkpoint(int number, const std::filesystem::path& path,
                                      const PartsListing& listing) {
  if (std::cmp_greater(number, listing.segments.size())) return false;
  const RunSegment file(path, RunFileKind::checkpoint, header_.shape());
  std::optional<Checkpoint> checkpoint = read_checkpoint(file.file());
  if (!checkpoint) fail("{}: has no /checkpoint", path.string());

  std::vector<std::filesystem::path> segments;
  for (int k = 1; k <= number; ++k) segments.push_back(listing.segments.at(k));
  const RunParts parts(std::move(segments), RunFileKind::segment, header_.shape());
  const std::int64_t last = parts.first_number() + parts.sizes().steps - 1;
  if (parts.sizes().steps == 0 || checkpoint->step != last)
    fail("{}: is of step {}, but the segments before it end with step {}", path.string(), checkpoint->step,
         last);
  const std::vector<FrameIndex>& frames = file.frames();
  if (frames.size() > 1 || (!frames.empty() && frames.front().number != last))
    fail("{}: has a frame that is not of step {}", path.string(), last);

  last_is_recorded_ = frames.empty();
  last_.step.number = last;
  if (!last_is_recorded_) file.read_frame(0, last_);
  last_number_ = last_written_ = last;
  segments_ = number;
  checkpoint_ = std::move(checkpoint);
  return true;
}

void RunWriter::Impl::check_open() const {
  if (state_ == State::failed) fail("{}: a write has failed; the run must be resumed", path_.string());
  if (state_ == State::finished) fail("{}: the run is finished", path_.string());
}

void RunWriter::Impl::check(const Frame& frame) const {
  const std::int64_t number = frame.step.number;
  if (last_number_ ? number != *last_number_ + 1 : number != 0 && number != 1)
    fail("{}: step {} follows step {}", path_.string(), number, last_number_.value_or(0));
  const RunShape shape = header_.shape();
  if (std::cmp_not_equal(frame.bodies.size(), shape.bodies) ||
      std::cmp_not_equal(frame.joints.size(), shape.joints))
    fail("{}: step {} has {} bodies and {} joints, expected {} and {}", path_.string(), number,
         frame.bodies.size(), frame.joints.size(), shape.bodies, shape.joints);
  const auto check_record = [&]<class Record>(const Record& record, std::size_t row) {
    const Defect defect = find_defect(record, shape);
    if (!defect.field.empty())
      fail("{}: step {} cannot be recorded: {} of row {} of {} is wrong, expected {}", path_.string(), number,
           defect.field, row, table_name<Record>, defect.expected);
  };
  const auto check_all = [&](const auto& records) {
    for (std::size_t row = 0; row < records.size(); ++row) check_record(records[row], row);
  };
  check_record(frame.step, 0);
  check_record(WallClock{frame.step.seconds, frame.step.solver_seconds}, 0);
  check_all(frame.bodies);
  check_all(frame.contacts);
  check_all(frame.joints);
}

void RunWriter::Impl::append(const Frame& frame) {
  check_open();
  check(frame);
  last_is_recorded_ = !last_number_ || frame.step.number % header_.record_every == 0;
  last_number_ = frame.step.number;
  tables_.steps.append(frame.step);
  tables_.wall_clock.append({frame.step.seconds, frame.step.solver_seconds});
  if (last_is_recorded_) {
    append_frame(tables_, frame);
  } else {
    last_ = frame;
  }
  std::size_t bytes = 0;
  for_each_table([&](const auto& table) { bytes += table.bytes(); }, std::as_const(tables_));
  if (tables_.steps.rows() >= settings_.segment_steps || bytes >= settings_.segment_bytes) flush();
}

void RunWriter::Impl::flush() {
  check_open();
  if (tables_.steps.rows() == 0 && tables_.frames.rows() == 0) return;
  write_part(segment_path(folder_, segments_ + 1), [&](Hdf5File& file) {
    write_kind(file, RunFileKind::segment);
    write_tables(file, tables_);
  });
  ++segments_;
  last_written_ = last_number_;
  for_each_table([](auto& table) { table.resize(0); }, tables_);
}

void RunWriter::Impl::checkpoint(std::int64_t step, std::string_view state) {
  check_open();
  if (step != last_number_) fail("{}: a checkpoint of step {} is not of the last step", path_.string(), step);
  flush();
  Checkpoint checkpoint{step, std::string(state)};
  RecordTables last;
  if (!last_is_recorded_) append_frame(last, last_);
  write_part(checkpoint_path(folder_, segments_), [&](Hdf5File& file) {
    write_kind(file, RunFileKind::checkpoint);
    write_checkpoint(file, checkpoint);
    write_tables(file, last);
  });
  checkpoint_ = std::move(checkpoint);
  prune_checkpoints();
}

void RunWriter::Impl::prune_checkpoints() const {
  const PartsListing listing = list_parts(folder_);
  auto excess = static_cast<std::ptrdiff_t>(listing.checkpoints.size()) - kept_checkpoints;
  for (const auto& [number, file] : listing.checkpoints) {
    if (excess-- <= 0) break;
    remove_path(file);
  }
}

void RunWriter::Impl::finish() {
  check_open();
  if (last_number_ && !last_is_recorded_) append_frame(tables_, last_);
  last_is_recorded_ = true;
  flush();
  write_part(path_, [&](Hdf5File& file) { write_merged(file); });
  state_ = State::finished;
  remove_parts(folder_);
  lock_.reset();
}

// A file of the run, complete and on the disk before it has its name.
void RunWriter::Impl::write_part(const std::filesystem::path& path,
                                 const std::function<void(Hdf5File&)>& write) {
  try {
    write_durably(path, folder_ / (path.stem().string() + ".tmp"),
                  [&](const std::filesystem::path& temporary) {
                    Hdf5File file(temporary, Hdf5File::Mode::create_compact);
                    write(file);
                    file.close();
                  });
  } catch (const Error& error) {
    state_ = State::failed;
    fail("cannot write {}: {}; {} has every step up to {}", path_.string(), error.what(), folder_.string(),
         last_written_.value_or(0));
  }
}

void RunWriter::Impl::write_tables(Hdf5File& file, const RecordTables& tables) const {
  const StoredTables stored = create_tables(file, sizes_of(tables), header_.shape());
  for_each_table([](const auto& to, const auto& from) { to.write(0, from); }, stored, tables);
}

void RunWriter::Impl::write_merged(Hdf5File& file) const {
  std::vector<std::filesystem::path> segments;
  for (int k = 1; k <= segments_; ++k) segments.push_back(segment_path(folder_, k));
  const RunParts parts(std::move(segments), RunFileKind::segment, header_.shape());

  write_kind(file, RunFileKind::run);
  write_header(file, header_);
  if (checkpoint_ && checkpoint_->step == last_number_) write_checkpoint(file, *checkpoint_);
  const StoredTables merged = create_tables(file, parts.sizes(), header_.shape());
  RecordTables records;
  RunTables<RowCount> done;
  for (std::size_t k = 0; k < parts.parts().size(); ++k) {
    const StoredTables& segment = parts.open(k).tables();
    for_each_table([](const auto& from, auto& to) { from.read(0, from.rows(), to); }, segment, records);
    // Contacts are counted from the first of the run.
    const std::vector<FrameIndex>& frames = parts.open(k).frames();
    for (std::size_t row = 0; row < frames.size(); ++row)
      records.frames.set(static_cast<Index>(row),
                         {frames[row].number, frames[row].contact_end + done.contacts.rows});
    for_each_table(
        [](const auto& to, const auto& from, auto& so_far) {
          to.write(so_far.rows, from);
          so_far.rows += from.rows();
        },
        merged, records, done);
  }
}

RunWriter::RunWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;
RunWriter::~RunWriter() = default;

RunWriter::RunWriter(const std::filesystem::path& path, const RunHeader& header,
                     const RunWriterSettings& settings)
    : impl_(std::make_unique<Impl>(path, settings)) {
  impl_->start(header);
}

RunWriter RunWriter::resume(const std::filesystem::path& path, const RunWriterSettings& settings) {
  auto impl = std::make_unique<Impl>(path, settings);
  impl->go_on();
  return RunWriter(std::move(impl));
}

const RunHeader& RunWriter::header() const {
  return impl_->header();
}
void RunWriter::set_settings(const std::string& settings) {
  impl_->set_settings(settings);
}
std::optional<std::int64_t> RunWriter::last_step() const {
  return impl_->last_step();
}
const std::optional<Checkpoint>& RunWriter::latest_checkpoint() const {
  return impl_->latest_checkpoint();
}
void RunWriter::append(const Frame& frame) {
  impl_->append(frame);
}
void RunWriter::checkpoint(std::int64_t step, std::string_view state) {
  impl_->checkpoint(step, state);
}
void RunWriter::flush() {
  impl_->flush();
}
void RunWriter::finish() {
  impl_->finish();
}

void check_replaceable(const std::filesystem::path& run) {
  if (path_exists(parts_folder(run))) own_files(parts_folder(run));
}

void remove_leftover(const std::filesystem::path& run) {
  const std::filesystem::path folder = parts_folder(run);
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) return;
  try {
    own_files(folder);
    const PartsLock nobody_writes(folder);
    remove_parts(folder);
  } catch (const Error&) {  // it stays
  }
}

}  // namespace slipstick::internal
