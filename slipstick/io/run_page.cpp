// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/run_page.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/io/page_codec.hpp"
#include "slipstick/io/page_manifest.hpp"
#include "slipstick/io/run_tables.hpp"
#include "slipstick/model/expanded.hpp"
#include "slipstick/model/mass_properties.hpp"
#include "slipstick/scene_files.hpp"

namespace slipstick::internal {
namespace {

// Numbers of poses that are decoded at once, and how many frames that may be.
constexpr Index most_numbers = 2'000'000;
constexpr Index most_frames = 64;
constexpr Index fewest_frames = 8;

// The codes of a column in memory. Integers keep their value.
void read_codes(const ColumnSpec& column, const std::byte* from, Index rows,
                std::vector<std::uint64_t>& codes) {
  codes.resize(static_cast<std::size_t>(rows * column.width));
  const auto read = [&]<class Entry>(Entry entry, const auto& code) {
    for (std::size_t k = 0; k < codes.size(); ++k) {
      std::memcpy(&entry, from + k * sizeof entry, sizeof entry);
      codes[k] = code(entry);
    }
  };
  const auto value = [](auto entry) { return static_cast<std::uint64_t>(entry); };
  switch (column.type) {
    case ColumnType::number:
      return read(double{}, code_of);
    case ColumnType::int64:
      return read(std::int64_t{}, value);
    case ColumnType::int32:
      return read(std::int32_t{}, value);
    case ColumnType::key:
      return read(std::uint64_t{}, value);
    case ColumnType::byte:
      return read(std::uint8_t{}, value);
  }
}

// The columns from `first` to `last` of a table, with `rows_per_time` rows for each time.
template <class Record>
void append_columns(std::string& block, const RecordTable<Record>& table, std::size_t first, std::size_t last,
                    Index rows_per_time) {
  std::vector<std::uint64_t> codes;
  for (std::size_t k = first; k < last; ++k) {
    const ColumnSpec& column = columns_of<Record>()[k];
    read_codes(column, table.column(k), table.rows(), codes);
    append_column(block, codes, static_cast<std::size_t>(rows_per_time * column.width));
  }
}
template <class Record>
void append_columns(std::string& block, const RecordTable<Record>& table, Index rows_per_time) {
  append_columns(block, table, 0, columns_of<Record>().size(), rows_per_time);
}

// The velocity of a point that is fixed to a body. Pages compute the same, operation by operation: this file
// is compiled without fused multiplications and additions.
std::array<double, 3> velocity_at(const Eigen::Vector3d& point, const BodyState& body,
                                  const Eigen::Vector3d& centre) {
  double x = point.x() - body.position.x(), y = point.y() - body.position.y(),
         z = point.z() - body.position.z();
  if (!centre.isZero(0.0)) {
    const Eigen::Quaterniond& q = body.orientation;
    const double tx = 2 * (q.y() * centre.z() - q.z() * centre.y());
    const double ty = 2 * (q.z() * centre.x() - q.x() * centre.z());
    const double tz = 2 * (q.x() * centre.y() - q.y() * centre.x());
    x -= centre.x() + (q.w() * tx + (q.y() * tz - q.z() * ty));
    y -= centre.y() + (q.w() * ty + (q.z() * tx - q.x() * tz));
    z -= centre.z() + (q.w() * tz + (q.x() * ty - q.y() * tx));
  }
  const Eigen::Vector3d &v = body.velocity, &w = body.spin;
  return {v.x() + (w.y() * z - w.z() * y), v.y() + (w.z() * x - w.x() * z), v.z() + (w.x() * y - w.y() * x)};
}

// Codes of the velocities that the bodies have against each other at their contacts.
void append_velocity_codes(const Frame& frame, const std::vector<Eigen::Vector3d>& centres,
                           std::vector<std::uint64_t>& codes) {
  for (const ContactRecord& contact : frame.contacts) {
    std::array<double, 3> velocity = {};
    for (std::size_t side = 0; side < 2; ++side) {
      if (contact.bodies[side] < 0) continue;
      const auto body = static_cast<std::size_t>(contact.bodies[side]);
      const std::array<double, 3> its = velocity_at(contact.point, frame.bodies[body], centres[body]);
      for (std::size_t k = 0; k < 3; ++k) velocity[k] = side == 0 ? its[k] : velocity[k] - its[k];
    }
    for (const double number : velocity) codes.push_back(code_of(number));
  }
}

// Links contacts of a chunk to those before them, by their keys.
class ContactLinks {
 public:
  void add_frame(const std::vector<ContactRecord>& contacts) {
    std::int64_t expected = 0;
    now_.clear();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const auto before = past_.find(contacts[k].key);
      const std::int64_t link = before == past_.end() ? -1 : before->second;
      differences_.push_back(static_cast<std::uint64_t>(link - expected));
      rows_.push_back(link < 0 ? -1 : past_start_ + link);
      if (link >= 0) expected = link + 1;
      now_.emplace(contacts[k].key, static_cast<std::int64_t>(k));
    }
    std::swap(past_, now_);
    past_start_ = static_cast<std::int64_t>(rows_.size() - contacts.size());
  }
  const std::vector<std::uint64_t>& differences() const { return differences_; }
  const std::vector<std::int64_t>& rows() const { return rows_; }

 private:
  std::vector<std::uint64_t> differences_;
  std::vector<std::int64_t> rows_;  // in the chunk
  std::int64_t past_start_ = 0;
  std::unordered_map<std::uint64_t, std::int64_t> past_, now_;
};

}  // namespace

RunPage::RunPage(const RunReader& run, PageNotes notes, Index every)
    : run_(run), notes_(std::move(notes)), every_(every), scene_(expanded(parse_scene(run.header().scene))) {
  const RunHeader& header = run.header();
  if (scene_.bodies.size() != header.bodies.size() || scene_.joints.size() != header.joints.size())
    fail("{}: its scene has {} bodies and {} joints, but its frames have {} and {}", notes_.run,
         scene_.bodies.size(), scene_.joints.size(), header.bodies.size(), header.joints.size());
  for (int body = 0; body < static_cast<int>(scene_.bodies.size()); ++body)
    centres_.push_back(mass_properties(scene_, body).centre);
  if (run.frames() == 0) fail("{}: it has no frames yet", notes_.run);
  for (Index frame = 0; frame < run.frames(); ++frame)
    if (frame % every == 0 || frame == run.frames() - 1) frames_.push_back(frame);
  const Index numbers = std::max<Index>(1, 7 * static_cast<Index>(header.bodies.size()));
  frames_per_chunk_ = std::clamp(most_numbers / numbers, fewest_frames, most_frames);
}

std::string RunPage::block(Index number) const {
  if (number == 0) return deflated(manifest());
  if (number == 1) return deflated(steps());
  return deflated(part_of_chunk((number - 2) / 4, static_cast<Part>((number - 2) % 4)));
}

std::string RunPage::steps() const {
  std::vector<StepRecord> steps;
  run_.read_steps(0, run_.steps(), steps);
  RecordTable<StepRecord> table;
  RecordTable<WallClock> clock;
  table.resize(run_.steps());
  clock.resize(run_.steps());
  for (Index k = 0; k < run_.steps(); ++k) {
    const StepRecord& step = steps[static_cast<std::size_t>(k)];
    table.set(k, step);
    clock.set(k, {step.seconds, step.solver_seconds});
  }
  std::string block;
  append_columns(block, table, 1);
  append_columns(block, clock, 1);
  return block;
}

std::string RunPage::part_of_chunk(Index chunk, Part part) const {
  const Index first = chunk * frames_per_chunk_;
  const Index last = std::min(first + frames_per_chunk_, frames());
  Frame frame;
  RecordTable<BodyState> bodies;
  RecordTable<JointRecord> joints;
  RecordTable<ContactRecord> contacts;
  ContactLinks links;
  std::vector<std::uint64_t> velocities;
  for (Index k = first; k < last; ++k) {
    run_.read_frame(frames_[static_cast<std::size_t>(k)], frame);
    switch (part) {
      case Part::pose:
      case Part::motion:
        for (const BodyState& body : frame.bodies) bodies.append(body);
        break;
      case Part::contacts:
        for (const ContactRecord& contact : frame.contacts) contacts.append(contact);
        links.add_frame(frame.contacts);
        append_velocity_codes(frame, centres_, velocities);
        break;
      case Part::joints:
        for (const JointRecord& joint : frame.joints) joints.append(joint);
        break;
    }
  }

  std::string block;
  switch (part) {
    case Part::pose:
      append_columns(block, bodies, 0, pose_columns, static_cast<Index>(scene_.bodies.size()));
      break;
    case Part::motion:
      append_columns(block, bodies, pose_columns, columns_of<BodyState>().size(),
                     static_cast<Index>(scene_.bodies.size()));
      break;
    case Part::contacts: {
      append_differences(block, links.differences());
      std::vector<std::uint64_t> codes;
      for (std::size_t k = 0; k < columns_of<ContactRecord>().size(); ++k) {
        const ColumnSpec& column = columns_of<ContactRecord>()[k];
        read_codes(column, contacts.column(k), contacts.rows(), codes);
        if (column.name.ends_with("/velocity")) {
          append_predicted_column(block, codes, velocities);
        } else {
          append_linked_column(block, codes, static_cast<std::size_t>(column.width), links.rows());
        }
      }
      break;
    }
    case Part::joints:
      append_columns(block, joints, static_cast<Index>(scene_.joints.size()));
      break;
  }
  return block;
}

std::string RunPage::manifest() const {
  PageFrames frames;
  frames.every = every_;
  for (const Index frame : frames_) {
    frames.numbers.push_back(run_.frame_number(frame));
    frames.contacts.push_back(run_.frame_contacts(frame));
  }
  frames.per_chunk = frames_per_chunk_;
  return page_manifest(run_, notes_, scene_, frames);
}

}  // namespace slipstick::internal
