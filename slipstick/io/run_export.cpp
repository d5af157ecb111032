// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/run_export.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/base64.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/io/atomic_folder.hpp"
#include "slipstick/io/csv_table.hpp"
#include "slipstick/io/run_tables.hpp"
#include "slipstick/step_solver.hpp"

namespace slipstick::internal {
namespace {

// Steps that are read at once.
constexpr Index steps_at_once = 4096;

bool is_from_export(std::string_view name) {
  constexpr std::string_view names[] = {"run.pvd", "steps.csv", "bodies.csv", "contacts.csv", "joints.csv"};
  if (std::find(std::begin(names), std::end(names), name) != std::end(names)) return true;
  return name.ends_with(".vtp") && (name.starts_with("bodies-") || name.starts_with("contacts-"));
}

void check_cancelled(const ExportSettings& settings) {
  if (settings.cancelled && settings.cancelled()) fail("the export was cancelled; nothing was written");
}

// VTK

std::string_view vtk_type(ColumnType type) {
  constexpr std::string_view words[] = {"Float64", "Int64", "Int32", "UInt64", "UInt8"};
  return words[static_cast<int>(type)];
}

// The bytes with their number in front, as VTK wants it.
void append_array(std::string& text, std::string_view name, ColumnType type, int width, const std::byte* data,
                  std::size_t size) {
  append_format(text, "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">",
                vtk_type(type), name, width);
  const std::uint64_t count = size;
  std::string bytes(reinterpret_cast<const char*>(&count), sizeof count);
  bytes.append(reinterpret_cast<const char*>(data), size);
  append_base64(text, bytes);
  text += "</DataArray>\n";
}

void append_integers(std::string& text, std::string_view name, const std::vector<std::int64_t>& values) {
  append_array(text, name, ColumnType::int64, 1, reinterpret_cast<const std::byte*>(values.data()),
               values.size() * sizeof(std::int64_t));
}

std::string_view byte_order() {
  return std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
}

// Points with all fields of their records. `place` is the field that is their position.
template <class Record>
std::string poly_data(const std::vector<Record>& records, std::string_view place, double time) {
  RecordTable<Record> table;
  for (const Record& record : records) table.append(record);
  const std::vector<ColumnSpec>& columns = columns_of<Record>();
  const std::string prefix = std::string(table_name<Record>) + "/";
  const auto array_of = [&](std::string& text, std::size_t k, std::string_view name) {
    append_array(text, name, columns[k].type, columns[k].width, table.column(k),
                 records.size() * columns[k].row_bytes());
  };

  std::string text;
  append_format(
      text,
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
      "<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{}</DataArray>\n</FieldData>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"0\">\n<PointData>\n",
      byte_order(), time, records.size(), records.size());
  std::size_t place_column = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::string name = columns[k].name.substr(prefix.size());
    if (name == place) {
      place_column = k;
    } else {
      array_of(text, k, name);
    }
  }
  std::vector<std::int64_t> index(records.size());
  for (std::size_t k = 0; k < index.size(); ++k) index[k] = static_cast<std::int64_t>(k);
  append_integers(text, "index", index);
  text += "</PointData>\n<Points>\n";
  array_of(text, place_column, "Points");
  text += "</Points>\n<Verts>\n";
  append_integers(text, "connectivity", index);
  for (std::int64_t& end : index) ++end;
  append_integers(text, "offsets", index);
  text += "</Verts>\n</Piece>\n</PolyData>\n</VTKFile>\n";
  return text;
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  TextFile file(path);
  file.append(text);
  file.close();
}

// CSV

// Names and values of the cells of a field.
struct CellNames {
  std::string& text;
  template <class Field>
  void operator()(std::string_view name, const Field&) const {
    if constexpr (std::same_as<Field, Eigen::Vector3d>) {
      for (const char axis : {'x', 'y', 'z'}) append_format(text, ",{}_{}", name, axis);
    } else if constexpr (std::same_as<Field, Eigen::Quaterniond>) {
      for (const char part : {'w', 'x', 'y', 'z'}) append_format(text, ",{}_{}", name, part);
    } else if constexpr (std::same_as<Field, std::array<int, 2>>) {
      text += ",first_body,second_body";
    } else if constexpr (std::same_as<Field, std::array<int, 6>>) {
      for (int k = 0; k < 6; ++k)
        append_format(text, ",{}_{}", name, slipstick::name(static_cast<Remedy>(k)));
    } else {
      append_format(text, ",{}", name);
    }
  }
};

struct CellValues {
  std::string& text;

  template <class Field>
  void operator()(std::string_view, const Field& field) const {
    if constexpr (std::same_as<Field, Eigen::Vector3d>) {
      append_format(text, ",{},{},{}", field.x(), field.y(), field.z());
    } else if constexpr (std::same_as<Field, Eigen::Quaterniond>) {
      append_format(text, ",{},{},{},{}", field.w(), field.x(), field.y(), field.z());
    } else if constexpr (requires { field.size(); }) {
      for (const int number : field) append_format(text, ",{}", number);
    } else if constexpr (std::same_as<Field, ContactState>) {
      append_format(text, ",{}", name(field));
    } else {
      append_format(text, ",{}", +field);
    }
  }
};

template <class Record>
std::string csv_header(std::string_view first) {
  std::string text(first);
  const Record record;
  for_each_field(record, CellNames{text});
  return text;
}

// A line per record; `label` makes the cell after step and time.
template <class Record, class Label>
void append_lines(std::string& text, const StepRecord& step, const std::vector<Record>& records,
                  const Label& label) {
  for (std::size_t k = 0; k < records.size(); ++k) {
    append_format(text, "{},{},{}", step.number, step.time, label(k));
    for_each_field(records[k], CellValues{text});
    text += '\n';
  }
}

void write_steps_csv(const RunReader& run, const std::filesystem::path& path,
                     const ExportSettings& settings) {
  TextFile file(path);
  std::string text = run_csv_header(RunTable::steps) + "\n";
  std::vector<StepRecord> steps;
  for (Index first = 0; first < run.steps(); first += steps_at_once) {
    check_cancelled(settings);
    run.read_steps(first, std::min(steps_at_once, run.steps() - first), steps);
    for (const StepRecord& step : steps) {
      std::string line;
      for_each_field(step, CellValues{line});
      const WallClock clock{step.seconds, step.solver_seconds};
      for_each_field(clock, CellValues{line});
      text.append(line, 1);
      text += '\n';
    }
    file.append(text);
    text.clear();
  }
  file.append(text);
  file.close();
}

void write_frames_csv(const RunReader& run, const std::filesystem::path& folder,
                      const ExportSettings& settings) {
  const auto labels = [](const std::vector<std::string>& names) {
    std::vector<std::string> list;
    for (std::size_t k = 0; k < names.size(); ++k)
      list.push_back(fmt::format("{},{}", k, csv_cell(names[k])));
    return list;
  };
  const std::vector<std::string> body_labels = labels(run.header().bodies);
  const std::vector<std::string> joint_labels = labels(run.header().joints);
  TextFile bodies(folder / "bodies.csv");
  TextFile contacts(folder / "contacts.csv");
  TextFile joints(folder / "joints.csv");
  bodies.append(run_csv_header(RunTable::bodies) + "\n");
  contacts.append(run_csv_header(RunTable::contacts) + "\n");
  joints.append(run_csv_header(RunTable::joints) + "\n");
  Frame frame;
  std::string text;
  const auto write = [&](TextFile& file, const auto& records, const auto& label) {
    text.clear();
    append_lines(text, frame.step, records, label);
    file.append(text);
  };
  for (Index k = 0; k < run.frames(); ++k) {
    check_cancelled(settings);
    run.read_frame(k, frame);
    write(bodies, frame.bodies, [&](std::size_t row) { return body_labels[row]; });
    write(contacts, frame.contacts, [](std::size_t row) { return row; });
    write(joints, frame.joints, [&](std::size_t row) { return joint_labels[row]; });
  }
  bodies.close();
  contacts.close();
  joints.close();
}

}  // namespace

std::string run_csv_header(RunTable table) {
  switch (table) {
    case RunTable::bodies:
      return csv_header<BodyState>("step,time,body,name");
    case RunTable::contacts:
      return csv_header<ContactRecord>("step,time,contact");
    case RunTable::joints:
      return csv_header<JointRecord>("step,time,joint,name");
    case RunTable::steps:
      break;
  }
  std::string text = csv_header<StepRecord>("");
  const WallClock no_clock;
  for_each_field(no_clock, CellNames{text});
  return text.substr(1);  // no comma before the first
}

int export_vtk(const RunReader& run, const std::filesystem::path& folder, const ExportSettings& settings) {
  write_folder_atomically(
      folder, settings.force, is_from_export, [&](const std::filesystem::path& temporary) {
        std::string collection;
        append_format(
            collection,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"{}\">\n"
            "<Collection>\n",
            byte_order());
        Frame frame;
        for (Index k = 0; k < run.frames(); ++k) {
          check_cancelled(settings);
          run.read_frame(k, frame);
          const auto write = [&](int part, std::string_view name, const auto& records,
                                 std::string_view place) {
            const std::string file = fmt::format("{}-{:06}.vtp", name, k);
            write_text_file(temporary / file, poly_data(records, place, frame.step.time));
            append_format(collection, "<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n",
                          frame.step.time, part, name, file);
          };
          write(0, "bodies", frame.bodies, "position");
          write(1, "contacts", frame.contacts, "point");
        }
        collection += "</Collection>\n</VTKFile>\n";
        write_text_file(temporary / "run.pvd", collection);
      });
  return static_cast<int>(2 * run.frames() + 1);
}

int export_csv(const RunReader& run, const std::filesystem::path& folder, const ExportSettings& settings) {
  write_folder_atomically(folder, settings.force, is_from_export,
                          [&](const std::filesystem::path& temporary) {
                            write_steps_csv(run, temporary / "steps.csv", settings);
                            write_frames_csv(run, temporary, settings);
                          });
  return 4;
}

}  // namespace slipstick::internal
