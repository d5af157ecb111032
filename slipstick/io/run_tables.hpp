// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/io/hdf5_column.hpp"
#include "slipstick/io/run_fields.hpp"
#include "slipstick/io/run_header.hpp"

namespace slipstick::internal {

/// What a file of a run says it is.
enum class RunFileKind { run, header, segment, checkpoint };
/// The version of run files that is written.
inline constexpr int run_format_version = 1;
void write_kind(Hdf5File& file, RunFileKind kind);
/// Throws Error if the file is not of that kind, or of a version that is not known.
void check_kind(const Hdf5File& file, RunFileKind kind);

/// A field whose value is not allowed. Both texts are empty if there is none.
struct Defect {
  std::string_view field;
  std::string_view expected;
};
// NaN, infinite numbers where they make no sense, negative counts, bodies that do not exist.
Defect find_defect(const StepRecord& record, const RunShape& shape);
Defect find_defect(const WallClock& record, const RunShape& shape);
Defect find_defect(const FrameIndex& record, const RunShape& shape);
Defect find_defect(const BodyState& record, const RunShape& shape);
Defect find_defect(const ContactRecord& record, const RunShape& shape);
Defect find_defect(const JointRecord& record, const RunShape& shape);

/// The columns of a table.
template <class Record>
const std::vector<ColumnSpec>& columns_of() {
  static const std::vector<ColumnSpec> columns = [] {
    std::vector<ColumnSpec> specs;
    const Record record;
    for_each_field(record, [&]<class Field>(std::string_view name, const Field&) {
      specs.push_back({std::string(table_name<Record>) + "/" + std::string(name), FieldTraits<Field>::type,
                       FieldTraits<Field>::width});
    });
    return specs;
  }();
  return columns;
}

/// Records in memory, column by column.
template <class Record>
class RecordTable {
 public:
  RecordTable() : columns_(columns_of<Record>().size()) {}

  Index rows() const { return rows_; }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const std::vector<std::byte>& column : columns_) sum += column.size();
    return sum;
  }
  /// Keeps the memory.
  void resize(Index rows) {
    rows_ = rows;
    for (std::size_t k = 0; k < columns_.size(); ++k)
      columns_[k].resize(static_cast<std::size_t>(rows) * columns_of<Record>()[k].row_bytes());
  }
  void append(const Record& record) {
    resize(rows_ + 1);
    set(rows_ - 1, record);
  }
  void set(Index row, const Record& record) {
    std::size_t k = 0;
    for_each_field(record, [&]<class Field>(std::string_view, const Field& field) {
      FieldTraits<Field>::store(field, entry(k++, row));
    });
  }
  /// A row. `defect` is set if it cannot be one.
  Record record(Index row, const RunShape& shape, Defect& defect) const {
    Record record;
    std::size_t k = 0;
    for_each_field(record, [&]<class Field>(std::string_view name, Field& field) {
      const bool valid = FieldTraits<Field>::load(entry(k++, row), field);
      if (!valid && defect.field.empty()) defect = {name, FieldTraits<Field>::expected};
    });
    if (defect.field.empty()) defect = find_defect(record, shape);
    return record;
  }

  std::byte* column(std::size_t k) { return columns_[k].data(); }
  const std::byte* column(std::size_t k) const { return columns_[k].data(); }

 private:
  const std::byte* entry(std::size_t k, Index row) const {
    return columns_[k].data() + static_cast<std::size_t>(row) * columns_of<Record>()[k].row_bytes();
  }
  std::byte* entry(std::size_t k, Index row) {
    return const_cast<std::byte*>(std::as_const(*this).entry(k, row));
  }

  Index rows_ = 0;
  std::vector<std::vector<std::byte>> columns_;
};

/// A table in an open file.
template <class Record>
class StoredTable {
 public:
  static StoredTable create(const Hdf5File& file, Index rows) {
    StoredTable table;
    table.rows_ = rows;
    for (const ColumnSpec& spec : columns_of<Record>())
      table.columns_.push_back(Hdf5Column::create(file, spec, rows));
    return table;
  }
  static StoredTable open(const Hdf5File& file) {
    StoredTable table;
    for (const ColumnSpec& spec : columns_of<Record>()) {
      table.columns_.push_back(Hdf5Column::open(file, spec));
      const Index rows = table.columns_.back().rows();
      if (table.columns_.size() == 1) table.rows_ = rows;
      if (rows != table.rows_)
        fail("{}: {} has {} rows, the others of its group have {}", file.path(), spec.name, rows,
             table.rows_);
    }
    table.path_ = file.path();
    return table;
  }

  Index rows() const { return rows_; }
  /// The bytes as they are.
  void read(Index first, Index count, RecordTable<Record>& records) const {
    assert(first >= 0 && count >= 0 && first <= rows_ - count);
    records.resize(count);
    for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].read(first, count, records.column(k));
  }
  /// The records. Throws Error if one cannot be.
  void read(Index first, Index count, const RunShape& shape, std::vector<Record>& records) const {
    RecordTable<Record> table;
    read(first, count, table);
    records.resize(static_cast<std::size_t>(count));
    for (Index row = 0; row < count; ++row) {
      Defect defect;
      records[static_cast<std::size_t>(row)] = table.record(row, shape, defect);
      if (!defect.field.empty())
        fail("{}: row {} of {}/{} is wrong, expected {}", path_, first + row, table_name<Record>,
             defect.field, defect.expected);
    }
  }
  void write(Index first, const RecordTable<Record>& records) const {
    for (std::size_t k = 0; k < columns_.size(); ++k)
      columns_[k].write(first, records.rows(), records.column(k));
  }

 private:
  Index rows_ = 0;
  std::string path_;
  std::vector<Hdf5Column> columns_;
};

/// The six tables of a run or of a segment of it.
template <template <class> class Table>
struct RunTables {
  Table<StepRecord> steps;
  Table<WallClock> wall_clock;
  Table<FrameIndex> frames;
  Table<BodyState> bodies;
  Table<ContactRecord> contacts;
  Table<JointRecord> joints;
};
template <class Record>
struct RowCount {
  Index rows = 0;
};
using RecordTables = RunTables<RecordTable>;
using StoredTables = RunTables<StoredTable>;

/// Calls visit with each table of one set, or with those of several sets.
template <class Tables, class... Others>
void for_each_table(const auto& visit, Tables& tables, Others&... others) {
  visit(tables.steps, others.steps...);
  visit(tables.wall_clock, others.wall_clock...);
  visit(tables.frames, others.frames...);
  visit(tables.bodies, others.bodies...);
  visit(tables.contacts, others.contacts...);
  visit(tables.joints, others.joints...);
}

/// Rows of the six tables.
struct RunSizes {
  Index steps = 0;
  Index frames = 0;
  Index contacts = 0;
};
RunSizes sizes_of(const RecordTables& tables);
StoredTables create_tables(const Hdf5File& file, const RunSizes& sizes, const RunShape& shape);
/// Appends the records of a frame: bodies, contacts, joints.
void append_frame(RecordTables& tables, const Frame& frame);

/// The tables of an open file, with sizes that fit each other.
class RunSegment {
 public:
  RunSegment(const std::filesystem::path& path, RunFileKind kind, const RunShape& shape);

  const Hdf5File& file() const { return file_; }
  const StoredTables& tables() const { return tables_; }
  RunSizes sizes() const;
  /// Where the frames lie: their numbers rise, and so do the ends of their contacts.
  const std::vector<FrameIndex>& frames() const { return frames_; }
  /// Bodies, contacts and joints of a frame. Its step is left as it is.
  void read_frame(Index frame, Frame& result) const;
  void read_steps(Index first, Index count, std::vector<StepRecord>& steps) const;

 private:
  Hdf5File file_;
  RunShape shape_;
  StoredTables tables_;
  std::vector<FrameIndex> frames_;
};

}  // namespace slipstick::internal
