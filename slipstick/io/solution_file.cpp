// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/solution_file.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/files.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/fclib.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

struct ShapeCheck {
  const Solution& solution;
  std::string_view where;

  void operator()(const LcpProblem& p) const { check_unknowns(p.q.size()); }
  void operator()(const MixedLcp& p) const { check_unknowns(p.q.size()); }
  void operator()(const Problem& p) const {
    check_unknowns(p.b.size());
    check("multipliers", solution.multipliers, p.rows ? p.rows->lower.size() : 0);
  }
  void operator()(const LocalContactProblem& p) const { check_impulses(p); }
  void operator()(const GlobalContactProblem& p) const {
    check_impulses(p);
    check("v", solution.v, p.f.size());
  }

  void check_unknowns(Index rows) const {
    check("x", solution.x, rows);
    check("w", solution.w, rows);
  }
  void check_impulses(const auto& problem) const {
    // The rows of joints may be left out.
    const Index contact_rows = problem.contact_rows(), rows = contact_rows + problem.joint_rows();
    check("r", solution.r, solution.r.size() == rows ? rows : contact_rows);
    check("u", solution.u, solution.u.size() == rows ? rows : contact_rows);
  }
  void check(const char* name, const Vector& values, Index expected) const {
    if (values.size() != 0 && values.size() != expected)
      fail("{}: {} of the solution has {} entries, the problem asks for {}", where, name, values.size(),
           expected);
  }
};

std::vector<std::string_view> split_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == line.npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

bool is_hdf5(const std::filesystem::path& path) {
  return path.extension() == ".hdf5" || path.extension() == ".h5";
}

}  // namespace

void check_solution_shape(const AnyProblem& problem, const Solution& solution, std::string_view where) {
  std::visit(ShapeCheck{solution, where}, problem);
}

FileSolution to_file(const AnyProblem& problem, const Solution& solution) {
  FileSolution file{solution};
  const auto split = [](const auto& p, Vector& all, Vector& joints) {
    if constexpr (requires { p.contact_rows(); }) {
      if (all.size() <= p.contact_rows()) return;
      joints = all.tail(p.joint_rows());
      all.conservativeResize(p.contact_rows());
    }
  };
  std::visit(
      [&](const auto& p) {
        split(p, file.r, file.l);
        split(p, file.u, file.u_l);
      },
      problem);
  return file;
}

Solution from_file(FileSolution solution) {
  const auto append = [](Vector& all, const Vector& joints) {
    if (all.size() == 0 || joints.size() == 0) return;
    all.conservativeResize(all.size() + joints.size());
    all.tail(joints.size()) = joints;
  };
  append(solution.r, solution.l);
  append(solution.u, solution.u_l);
  return solution;
}

std::string solution_csv(const FileSolution& solution) {
  std::vector<const Vector*> columns;
  std::string text = "row";
  Index rows = 0;
  for (const auto& [name, values] : solution_vectors) {
    const Vector& column = solution.*values;
    if (column.size() == 0) continue;
    columns.push_back(&column);
    rows = std::max(rows, column.size());
    text += ',';
    text += name;
  }
  text += '\n';
  for (Index i = 0; i < rows; ++i) {
    append_format(text, "{}", i);
    for (const Vector* column : columns) {
      text += ',';
      if (i < column->size()) append_format(text, "{}", (*column)[i]);
    }
    text += '\n';
  }
  return text;
}

Solution parse_solution_csv(std::string_view text, const std::string& path) {
  TextScanner scanner(text, path);
  const std::vector<std::string_view> header = split_cells(scanner.rest_of_line());
  if (header.front() != "row")
    scanner.fail("expected a header 'row,...', found '{}'", printable(header.front()));
  std::vector<Vector FileSolution::*> targets;
  for (std::size_t k = 1; k < header.size(); ++k) {
    const auto found = std::find_if(std::begin(solution_vectors), std::end(solution_vectors),
                                    [&](const SolutionVector& vector) { return header[k] == vector.name; });
    if (found == std::end(solution_vectors))
      scanner.fail("column '{}' is none of u, r, v, l, u_l, x, w, multipliers", printable(header[k]));
    if (std::find(targets.begin(), targets.end(), found->values) != targets.end())
      scanner.fail("column '{}' comes twice", header[k]);
    targets.push_back(found->values);
  }

  std::vector<std::vector<double>> columns(targets.size());
  for (std::int64_t row = 0; !scanner.at_end(); ++row) {
    const std::vector<std::string_view> cells = split_cells(scanner.rest_of_line());
    if (cells.size() != header.size())
      scanner.fail("has {} cells, expected {} as in the header", cells.size(), header.size());
    scanner.to_integer(cells.front(), "the row number", row, row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (cells[k + 1].empty()) continue;
      if (static_cast<std::int64_t>(columns[k].size()) != row)
        scanner.fail("column {} goes on after an empty cell", header[k + 1]);
      columns[k].push_back(scanner.to_number(cells[k + 1], header[k + 1]));
    }
  }
  FileSolution solution;
  for (std::size_t k = 0; k < columns.size(); ++k)
    solution.*targets[k] = Eigen::Map<const Vector>(columns[k].data(), static_cast<Index>(columns[k].size()));
  return from_file(std::move(solution));
}

}  // namespace slipstick::internal

namespace slipstick {
using namespace internal;

void write_solution(const std::filesystem::path& path, const AnyProblem& problem, const Solution& solution) {
  check_solution_shape(problem, solution, "cannot write " + path.string());
  const FileSolution in_file = to_file(problem, solution);
  if (is_hdf5(path)) return write_fclib_solution(path, in_file);
  if (path.extension() == ".csv") return write_text_atomically(path, solution_csv(in_file));
  fail("cannot write {}: expected one of the extensions .hdf5, .h5, .csv", path.string());
}

Solution read_solution(const std::filesystem::path& path) {
  const std::string start = read_file(path, 16);
  if (start.empty()) fail("{}: is empty, expected a solution (HDF5 or CSV)", path.string());
  if (start.starts_with("\x89HDF\r\n\x1a\n")) return read_fclib_solution(path);
  return parse_solution_csv(read_file(path), path.string());
}

}  // namespace slipstick
