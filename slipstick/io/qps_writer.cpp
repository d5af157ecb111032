// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/qps_writer.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/qps.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

double checked(double value, std::string_view what) {
  if (std::abs(value) < qps_infinite_from) return value;
  fail("{} of {} cannot be written: QPS takes 1e20 and more for infinite", what, value);
}

// A row in the file: its type, right-hand side and range.
struct FileRow {
  char type;
  double rhs;
  std::optional<double> range = std::nullopt;
};

// The width that takes `from` to `to` in the reader's arithmetic, or the nearest.
std::pair<double, bool> exact_width(double from, double to, double sign) {
  const double width = std::abs(to - from);
  for (const double near : {width, std::nextafter(width, 0.0), std::nextafter(width, infinity)}) {
    if (from + sign * near == to) return {near, true};
  }
  return {width, false};
}

FileRow to_file(double lower, double upper) {
  const bool below = lower > -infinity, above = upper < infinity;
  if (below) checked(lower, "a row's bound");
  if (above) checked(upper, "a row's bound");
  if (!below && !above) return {'G', -1e30};
  if (!above) return {'G', lower};
  if (!below) return {'L', upper};
  if (lower == upper) return {'E', lower};
  const auto [up, up_exact] = exact_width(lower, upper, 1.0);
  if (up_exact) return {'G', lower, checked(up, "a row's range")};
  return {'L', upper, checked(exact_width(upper, lower, -1.0).first, "a row's range")};
}

void append_rows(std::string& text, const std::vector<FileRow>& rows) {
  text += "ROWS\n N OBJ\n";
  for (std::size_t i = 0; i < rows.size(); ++i) append_format(text, " {} R{}\n", rows[i].type, i + 1);
}

// Every column is named, also an empty one.
void append_columns(std::string& text, const Problem& problem) {
  CsrMatrix by_columns(problem.b.size(), 0);
  if (problem.rows) by_columns = problem.rows->G->transpose();
  text += "COLUMNS\n";
  for (Index j = 0; j < problem.b.size(); ++j) {
    CsrMatrix::InnerIterator entry(by_columns, j);
    if (problem.b[j] != 0.0 || !entry)
      append_format(text, " C{} OBJ {}\n", j + 1, checked(problem.b[j], "an entry of b"));
    for (; entry; ++entry)
      append_format(text, " C{} R{} {}\n", j + 1, entry.col() + 1, checked(entry.value(), "an entry of G"));
  }
}

void append_right_sides(std::string& text, const std::vector<FileRow>& rows, double constant) {
  text += "RHS\n";
  if (constant != 0.0) append_format(text, " RHS OBJ {}\n", -checked(constant, "the constant"));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].rhs != 0.0) append_format(text, " RHS R{} {}\n", i + 1, rows[i].rhs);
  }
  text += "RANGES\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].range) append_format(text, " RNG R{} {}\n", i + 1, *rows[i].range);
  }
}

void append_bounds(std::string& text, const ProductSet& box) {
  text += "BOUNDS\n";
  for (Index j = 0; j < box.rows(); ++j) {
    const double lower = box.lower()[j], upper = box.upper()[j];
    const auto bound = [&](std::string_view kind, double value) {
      append_format(text, " {} BND C{} {}\n", kind, j + 1, checked(value, "a bound"));
    };
    if (lower == upper) {
      bound("FX", lower);
    } else if (lower == -infinity && upper == infinity) {
      append_format(text, " FR BND C{}\n", j + 1);
    } else {
      if (lower == -infinity) append_format(text, " MI BND C{}\n", j + 1);
      if (lower > -infinity && lower != 0.0) bound("LO", lower);
      if (upper < infinity) bound("UP", upper);
    }
  }
}

void append_quadratic(std::string& text, const CsrMatrix& a) {
  text += "QUADOBJ\n";
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator entry(a, i); entry && entry.col() <= i; ++entry)
      append_format(text, " C{} C{} {}\n", i + 1, entry.col() + 1, checked(entry.value(), "an entry of A"));
  }
}

// A title takes the rest of a line.
std::string one_line(std::string title) {
  std::replace_if(
      title.begin(), title.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return title;
}

}  // namespace

std::string qps_text(const ProblemFile& file) {
  const auto* problem = std::get_if<Problem>(&file.problem);
  if (problem == nullptr || !problem->symmetric || !problem->K.is_box())
    fail("QPS holds QPs with a symmetric matrix over bounds and linear rows, not this problem");
  std::vector<FileRow> rows;
  if (problem->rows) {
    for (Index i = 0; i < problem->rows->lower.size(); ++i)
      rows.push_back(to_file(problem->rows->lower[i], problem->rows->upper[i]));
  }
  std::string text = "NAME " + one_line(file.title) + "\n";
  append_rows(text, rows);
  append_columns(text, *problem);
  append_right_sides(text, rows, problem->constant);
  append_bounds(text, problem->K);
  const std::shared_ptr<const CsrMatrix> a = problem->A.assemble();
  append_quadratic(text, asymmetry(*a) > 0.0 ? symmetric_part(*a) : *a);
  return text + "ENDATA\n";
}

void write_qps(const std::filesystem::path& path, const ProblemFile& file) {
  write_text_atomically(path, qps_text(file));
}

}  // namespace slipstick::internal
