// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bench/suites/study.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::bench {

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
  fmt::print(csv, "{}\n", report::pressure_header);
  std::fflush(csv);
}

void print_row(std::FILE* csv, const StudyRow& row) {
  fmt::print(csv, "{},{},{},{},{},{},{},{:.6f},{},{},{:.3e},{}\n", row.solver, row.dimension, row.resolution,
             row.unknowns, row.problems, row.finished, row.solved, row.seconds, row.iterations, row.products,
             row.worst_error, row.outcome);
  std::fflush(csv);
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
  std::vector<double> unknowns, iterations;
  for (const StudyRow& row : rows) {
    unknowns.push_back(static_cast<double>(row.unknowns));
    iterations.push_back(static_cast<double>(row.iterations) / static_cast<double>(row.finished));
  }
  return report::growth_exponent(unknowns, iterations);
}

}  // namespace slipstick::internal::bench
