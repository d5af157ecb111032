// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/run_tables.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr const char* version_attribute = "format_version";

std::string_view word_of(RunFileKind kind) {
  constexpr std::string_view words[] = {"slipstick run", "slipstick run header", "slipstick run segment",
                                        "slipstick run checkpoint"};
  return words[static_cast<int>(kind)];
}

// The first field with a number that is NaN, or also infinite.
template <class Record>
Defect find_bad_number(const Record& record, bool infinite_values) {
  Defect defect;
  for_each_field(record, [&]<class Field>(std::string_view name, const Field& field) {
    if constexpr (FieldTraits<Field>::type == ColumnType::number) {
      double numbers[FieldTraits<Field>::width];
      FieldTraits<Field>::store(field, reinterpret_cast<std::byte*>(numbers));
      const bool good = std::all_of(std::begin(numbers), std::end(numbers), [&](double number) {
        return infinite_values ? !std::isnan(number) : std::isfinite(number);
      });
      if (!good && defect.field.empty()) defect = {name, infinite_values ? "a number" : "finite numbers"};
    }
  });
  return defect;
}

}  // namespace

void write_kind(Hdf5File& file, RunFileKind kind) {
  file.write_text("/format", std::string(word_of(kind)));
  file.write_attribute("/", version_attribute, run_format_version);
}

void check_kind(const Hdf5File& file, RunFileKind kind) {
  if (file.text("/format") != word_of(kind)) fail("{}: is no {}", file.path(), word_of(kind));
  const int version = file.attribute("/", version_attribute);
  if (version < 1 || version > run_format_version)
    fail("{}: has format version {}, this program reads 1 to {}", file.path(), version, run_format_version);
}

Defect find_defect(const StepRecord& record, const RunShape&) {
  // Errors of a step that went wrong may be infinite.
  if (const Defect defect = find_bad_number(record, true); !defect.field.empty()) return defect;
  if (!std::isfinite(record.time)) return {"time", "a finite number"};
  if (!std::isfinite(record.step) || record.step < 0.0) return {"step", "a finite number, 0 or more"};
  constexpr std::string_view count = "0 or more";
  if (record.number < 0) return {"number", count};
  if (record.contacts < 0) return {"contacts", count};
  if (record.rows < 0) return {"rows", count};
  if (record.islands < 0) return {"islands", count};
  if (record.asleep < 0) return {"asleep", count};
  if (record.iterations < 0) return {"iterations", count};
  if (record.factorizations < 0) return {"factorizations", count};
  if (*std::min_element(record.remedies.begin(), record.remedies.end()) < 0) return {"remedies", count};
  if (record.unsolved_impacts < 0) return {"unsolved_impacts", count};
  if (record.unsolved_projections < 0) return {"unsolved_projections", count};
  return {};
}

Defect find_defect(const WallClock& record, const RunShape&) {
  return find_bad_number(record, false);
}

Defect find_defect(const FrameIndex& record, const RunShape&) {
  if (record.number < 0) return {"number", "0 or more"};
  if (record.contact_end < 0) return {"contact_end", "0 or more"};
  return {};
}

Defect find_defect(const BodyState& record, const RunShape&) {
  Defect defect = find_bad_number(record, false);
  std::byte bytes[4 * sizeof(double)];
  FieldTraits<Eigen::Quaterniond>::store(record.orientation, bytes);
  Eigen::Quaterniond orientation;
  if (defect.field.empty() && !FieldTraits<Eigen::Quaterniond>::load(bytes, orientation))
    defect = {"orientation", FieldTraits<Eigen::Quaterniond>::expected};
  return defect;
}

Defect find_defect(const ContactRecord& record, const RunShape& shape) {
  if (const Defect defect = find_bad_number(record, false); !defect.field.empty()) return defect;
  for (const int body : record.bodies)
    if (body < -1 || body >= shape.bodies) return {"bodies", "-1 or bodies of the run"};
  if (record.island < -1) return {"island", "-1 or more"};
  return {};
}

Defect find_defect(const JointRecord& record, const RunShape&) {
  return find_bad_number(record, false);
}

RunSizes sizes_of(const RecordTables& tables) {
  return {tables.steps.rows(), tables.frames.rows(), tables.contacts.rows()};
}

StoredTables create_tables(const Hdf5File& file, const RunSizes& sizes, const RunShape& shape) {
  return {.steps = StoredTable<StepRecord>::create(file, sizes.steps),
          .wall_clock = StoredTable<WallClock>::create(file, sizes.steps),
          .frames = StoredTable<FrameIndex>::create(file, sizes.frames),
          .bodies = StoredTable<BodyState>::create(file, sizes.frames * shape.bodies),
          .contacts = StoredTable<ContactRecord>::create(file, sizes.contacts),
          .joints = StoredTable<JointRecord>::create(file, sizes.frames * shape.joints)};
}

void append_frame(RecordTables& tables, const Frame& frame) {
  for (const BodyState& body : frame.bodies) tables.bodies.append(body);
  for (const ContactRecord& contact : frame.contacts) tables.contacts.append(contact);
  for (const JointRecord& joint : frame.joints) tables.joints.append(joint);
  tables.frames.append({frame.step.number, tables.contacts.rows()});
}

RunSegment::RunSegment(const std::filesystem::path& path, RunFileKind kind, const RunShape& shape)
    : file_(path, Hdf5File::Mode::read), shape_(shape) {
  check_kind(file_, kind);
  for_each_table([&]<class Record>(StoredTable<Record>& table) { table = StoredTable<Record>::open(file_); },
                 tables_);
  const auto check_rows = [&](std::string_view table, Index rows, Index expected) {
    if (rows != expected) fail("{}: {} has {} rows, expected {}", file_.path(), table, rows, expected);
  };
  // The tables are not empty wherever they should have rows, so the products cannot overflow.
  const auto rows_of = [&](std::string_view table, Index rows, Index per_frame) {
    const Index frames = tables_.frames.rows();
    if (per_frame > 0 && frames > rows / per_frame + 1)
      fail("{}: {} has {} rows, too few for {} frames", file_.path(), table, rows, frames);
    check_rows(table, rows, per_frame * frames);
  };
  check_rows(table_name<WallClock>, tables_.wall_clock.rows(), tables_.steps.rows());
  rows_of(table_name<BodyState>, tables_.bodies.rows(), shape.bodies);
  rows_of(table_name<JointRecord>, tables_.joints.rows(), shape.joints);

  tables_.frames.read(0, tables_.frames.rows(), shape, frames_);
  FrameIndex before{-1, 0};
  for (const FrameIndex& frame : frames_) {
    if (frame.number <= before.number || frame.contact_end < before.contact_end)
      fail("{}: the frame of step {} follows that of step {}, or its contacts end too early", file_.path(),
           frame.number, before.number);
    before = frame;
  }
  if (before.contact_end != tables_.contacts.rows())
    fail("{}: the frames have {} contacts, the table has {}", file_.path(), before.contact_end,
         tables_.contacts.rows());
}

RunSizes RunSegment::sizes() const {
  return {tables_.steps.rows(), tables_.frames.rows(), tables_.contacts.rows()};
}

void RunSegment::read_frame(Index frame, Frame& result) const {
  const auto k = static_cast<std::size_t>(frame);
  const Index begin = k == 0 ? 0 : frames_[k - 1].contact_end;
  tables_.bodies.read(frame * shape_.bodies, shape_.bodies, shape_, result.bodies);
  tables_.contacts.read(begin, frames_[k].contact_end - begin, shape_, result.contacts);
  tables_.joints.read(frame * shape_.joints, shape_.joints, shape_, result.joints);
}

void RunSegment::read_steps(Index first, Index count, std::vector<StepRecord>& steps) const {
  tables_.steps.read(first, count, shape_, steps);
  std::vector<WallClock> clock;
  tables_.wall_clock.read(first, count, shape_, clock);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    steps[k].seconds = clock[k].seconds;
    steps[k].solver_seconds = clock[k].solver_seconds;
  }
}

}  // namespace slipstick::internal
