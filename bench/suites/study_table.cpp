// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr const char* header =
    "solver,dimension,resolution,unknowns,problems,finished,solved,seconds,iterations,products,worst_error,"
    "outcome";

template <class Value>
Value number(const std::string& text, const std::string& line) {
  std::istringstream in(text);
  Value value{};
  if (!(in >> value) || !(in >> std::ws).eof()) fail("'{}' is not a number in the line of '{}'", text, line);
  return value;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

// The lines that are no comments.
std::vector<std::string> lines_of(const std::filesystem::path& csv) {
  std::ifstream in(csv);
  if (!in) fail("cannot read {}", csv.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  if (lines.empty()) fail("{} has no table", csv.string());
  return lines;
}

StudyRow parse_row(const std::vector<std::string>& cells) {
  const std::string& line = cells.front();
  return {.solver = cells[0],
          .dimension = number<int>(cells[1], line),
          .resolution = number<int>(cells[2], line),
          .unknowns = number<Index>(cells[3], line),
          .problems = number<std::int64_t>(cells[4], line),
          .finished = number<std::int64_t>(cells[5], line),
          .solved = number<std::int64_t>(cells[6], line),
          .seconds = number<double>(cells[7], line),
          .iterations = number<std::int64_t>(cells[8], line),
          .products = number<std::int64_t>(cells[9], line),
          .worst_error = number<double>(cells[10], line),
          .outcome = cells[11]};
}

}  // namespace

std::unique_ptr<Solver> make_method(const std::string& text) {
  std::size_t end = std::min(text.find(':'), text.size());
  const std::string name = text.substr(0, end);
  Options options;
  while (end < text.size()) {
    const std::size_t start = end + 1;
    end = std::min(text.find(':', start), text.size());
    const std::string pair = text.substr(start, end - start);
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) fail("'{}' in '{}' is not of the form KEY=VALUE", pair, text);
    options[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return make_solver(name, options);
}

void print_header(std::FILE* csv) {
  fmt::print(csv, "{}\n", header);
  std::fflush(csv);
}

void print_row(std::FILE* csv, const StudyRow& row) {
  fmt::print(csv, "{},{},{},{},{},{},{},{:.6f},{},{},{:.3e},{}\n", row.solver, row.dimension, row.resolution,
             row.unknowns, row.problems, row.finished, row.solved, row.seconds, row.iterations, row.products,
             row.worst_error, row.outcome);
  std::fflush(csv);
}

std::string header_of(const std::filesystem::path& csv) {
  return lines_of(csv).front();
}

std::vector<std::vector<std::string>> read_cells(const std::filesystem::path& csv,
                                                 const std::string& header) {
  const std::vector<std::string> lines = lines_of(csv);
  if (lines.front() != header) fail("{} starts with '{}', not '{}'", csv.string(), lines.front(), header);
  const std::size_t columns = split(header).size();
  std::vector<std::vector<std::string>> table;
  for (std::size_t k = 1; k < lines.size(); ++k) {
    table.push_back(split(lines[k]));
    if (table.back().size() != columns)
      fail("{}: expected {} cells, not {}, in the line '{}'", csv.string(), columns, table.back().size(),
           lines[k]);
  }
  return table;
}

std::vector<StudyRow> read_rows(const std::filesystem::path& csv) {
  std::vector<StudyRow> rows;
  for (const std::vector<std::string>& cells : read_cells(csv, header)) rows.push_back(parse_row(cells));
  return rows;
}

std::vector<StudyRow> rows_of(const std::vector<StudyRow>& rows, const std::string& solver) {
  std::vector<StudyRow> result;
  for (const StudyRow& row : rows) {
    if (row.solver == solver && row.finished > 0 && row.solved == row.finished) result.push_back(row);
  }
  std::sort(result.begin(), result.end(),
            [](const StudyRow& a, const StudyRow& b) { return a.unknowns < b.unknowns; });
  return result;
}

std::vector<std::string> solvers_in(const std::vector<StudyRow>& rows) {
  std::vector<std::string> names;
  for (const StudyRow& row : rows) {
    if (std::find(names.begin(), names.end(), row.solver) == names.end()) names.push_back(row.solver);
  }
  return names;
}

double iteration_growth(const std::vector<StudyRow>& rows) {
  if (rows.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const double count = static_cast<double>(rows.size());
  double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
  for (const StudyRow& row : rows) {
    const double x = std::log(static_cast<double>(row.unknowns));
    const double y = std::log(static_cast<double>(row.iterations) / static_cast<double>(row.finished));
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  return (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
}

}  // namespace slipstick::internal::bench
