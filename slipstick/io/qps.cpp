// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/qps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/io/qps_line.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

enum class Layout { free, fixed };
struct SectionName {
  std::string_view name;
  QpsSection section;
};
constexpr SectionName section_names[] = {
    {"ROWS", QpsSection::rows},       {"COLUMNS", QpsSection::columns},   {"RHS", QpsSection::rhs},
    {"RANGES", QpsSection::ranges},   {"BOUNDS", QpsSection::bounds},     {"QUADOBJ", QpsSection::quadobj},
    {"QMATRIX", QpsSection::qmatrix}, {"QSECTION", QpsSection::qsection}, {"OBJSENSE", QpsSection::objsense},
    {"ENDATA", QpsSection::end}};

struct Row {
  char type = 'N';
  double rhs = 0.0;
  double range = std::numeric_limits<double>::quiet_NaN();  // NaN: none
  bool has_rhs = false;
  std::int64_t line = 0;  // where it was last spoken of
};

struct Column {
  std::string_view name;
  double lower = 0.0;
  double upper = infinity;
  bool has_lower = false;
  bool has_upper = false;
  std::int64_t line = 0;  // of its last bound
};

// An entry and its line in the file.
struct Entry {
  int row;
  int column;
  double value;
  std::int64_t line;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& path, Layout layout)
      : scanner_(text, path), layout_(layout) {}

  ProblemFile read();
  /// How far the reading came.
  std::size_t position() const { return scanner_.position(); }

 private:
  using Names = QpsNames;

  void open_section(std::string_view line);
  void read_line(std::string_view line);
  QpsFields split(std::string_view line) const;

  void read_row(const QpsFields& fields);
  void read_column(const QpsFields& fields);
  void read_rhs(const QpsFields& fields);
  void read_range(const QpsFields& fields);
  void read_bound(const QpsFields& fields);
  void read_quadratic(const QpsFields& fields);
  static bool is_sense_word(std::string_view word);
  void read_sense(std::string_view word);

  bool chosen_set(std::string_view name, std::optional<std::string_view>& set);
  void once(bool& seen, std::string_view what, std::string_view name) const;
  int find(const Names& names, std::string_view name, std::string_view what) const;
  double finite_number(std::string_view text) const;
  double number(std::string_view text) const;
  double bound_value(std::string_view text) const;
  void warn_once(std::string_view warning);

  ProblemFile finish();
  CsrMatrix matrix(std::vector<Entry>& entries, Index rows, Index columns, std::string_view what) const;
  Operator quadratic();
  void row_bounds(LinearRows& rows) const;

  TextScanner scanner_;
  Layout layout_;
  QpsSection section_ = QpsSection::none;
  std::vector<QpsSection> seen_;
  std::int64_t line_ = 0;
  std::string title_;
  bool maximize_ = false;
  double constant_ = 0.0;
  bool has_constant_ = false;

  Names row_names_, column_names_;  // row numbers: objective, left out, or 0, 1, ...
  static constexpr int objective_row = -1;
  static constexpr int left_out_row = -2;
  bool has_objective_ = false;
  std::vector<Row> rows_;
  std::vector<Column> columns_;
  std::vector<Entry> linear_, entries_, quadratic_;
  std::optional<std::string_view> rhs_set_, range_set_, bound_set_;
  std::vector<std::string> warnings_;
};

ProblemFile Reader::read() {
  while (section_ != QpsSection::end) {
    if (scanner_.rest().empty()) scanner_.fail("the file ends without ENDATA");
    const std::string_view line = scanner_.rest_of_line();
    ++line_;
    if (line.starts_with('*') || trimmed(line).empty()) continue;
    // The sense may stand in the first column.
    const bool is_sense = section_ == QpsSection::objsense && is_sense_word(trimmed(line));
    if (line[0] != ' ' && line[0] != '\t' && !is_sense) {
      open_section(line);
    } else {
      read_line(line);
    }
  }
  return finish();
}

void Reader::open_section(std::string_view line) {
  const std::string_view word = line.substr(0, std::min(line.find_first_of(" \t\r"), line.size()));
  const std::string_view rest = trimmed(line.substr(word.size()));
  if (is_keyword(word, "NAME")) {
    if (std::any_of(seen_.begin(), seen_.end(), [](QpsSection s) { return s != QpsSection::objsense; }))
      scanner_.fail("NAME must be the first section");
    title_ = rest;
    section_ = QpsSection::none;
    return;
  }
  const auto* found = std::find_if(std::begin(section_names), std::end(section_names),
                                   [&](const SectionName& s) { return is_keyword(word, s.name); });
  if (found == std::end(section_names)) {
    scanner_.fail(
        "unknown section '{}'; known are NAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS, QUADOBJ, QMATRIX, "
        "QSECTION, OBJSENSE, ENDATA",
        printable(word));
  }
  section_ = found->section;
  if (std::find(seen_.begin(), seen_.end(), section_) != seen_.end())
    scanner_.fail("a second section {}", word);
  const auto needs = [&](QpsSection other, std::string_view name) {
    if (std::find(seen_.begin(), seen_.end(), other) == seen_.end())
      scanner_.fail("section {} before {}", word, name);
  };
  if (section_ != QpsSection::rows && section_ != QpsSection::objsense) needs(QpsSection::rows, "ROWS");
  if (section_ == QpsSection::bounds || section_ == QpsSection::quadobj || section_ == QpsSection::qmatrix ||
      section_ == QpsSection::qsection || section_ == QpsSection::end)
    needs(QpsSection::columns, "COLUMNS");
  // A section QSECTION names its row. Another row than the objective would be a quadratic constraint.
  if (section_ == QpsSection::qsection && !rest.empty() && find(row_names_, rest, "row") != objective_row)
    scanner_.fail("QSECTION of '{}', which is not the objective: quadratic rows are not supported",
                  printable(rest));
  seen_.push_back(section_);
  if (section_ == QpsSection::objsense && !rest.empty()) read_sense(rest);
}

void Reader::read_line(std::string_view line) {
  if (section_ == QpsSection::objsense) return read_sense(trimmed(line));
  const QpsFields fields = split(line);
  switch (section_) {
    case QpsSection::rows:
      return read_row(fields);
    case QpsSection::columns:
      return read_column(fields);
    case QpsSection::rhs:
      return read_rhs(fields);
    case QpsSection::ranges:
      return read_range(fields);
    case QpsSection::bounds:
      return read_bound(fields);
    case QpsSection::quadobj:
    case QpsSection::qmatrix:
    case QpsSection::qsection:
      return read_quadratic(fields);
    default:
      scanner_.fail("a line of data outside of a section");
  }
}

QpsFields Reader::split(std::string_view line) const {
  return layout_ == Layout::free ? split_by_spaces(line, section_, column_names_, scanner_)
                                 : split_by_columns(line, scanner_);
}

void Reader::read_row(const QpsFields& fields) {
  char type = 0;
  for (const std::string_view known : {"N", "E", "L", "G"})
    if (is_keyword(fields.code, known)) type = known[0];
  if (type == 0) scanner_.fail("expected a row of type N, E, L or G, found '{}'", printable(fields.code));
  if (fields.name.empty()) scanner_.fail("a row without a name");
  int number = static_cast<int>(rows_.size());
  if (type == 'N') {
    number = has_objective_ ? left_out_row : objective_row;
    if (has_objective_) warn_once("rows of type N after the objective are left out");
    has_objective_ = true;
  } else {
    if (rows_.size() == std::numeric_limits<int>::max()) scanner_.fail("too many rows");
    rows_.push_back({.type = type, .line = line_});
  }
  if (!row_names_.emplace(fields.name, number).second)
    scanner_.fail("a second row '{}'", printable(fields.name));
}

void Reader::read_column(const QpsFields& fields) {
  if (fields.pairs[0].name == "'MARKER'") scanner_.fail("integer columns are not supported");
  if (fields.name.empty()) scanner_.fail("a column without a name");
  if (columns_.empty() || columns_.back().name != fields.name) {
    if (columns_.size() == std::numeric_limits<int>::max()) scanner_.fail("too many columns");
    if (!column_names_.emplace(fields.name, static_cast<int>(columns_.size())).second)
      scanner_.fail("column '{}' was given before", printable(fields.name));
    columns_.push_back({.name = fields.name});
  }
  const int column = static_cast<int>(columns_.size()) - 1;
  for (const auto& [name, text] : fields.pairs) {
    if (name.empty() && text.empty()) continue;
    const int row = find(row_names_, name, "row");
    const double value = number(text);
    if (row == objective_row) linear_.push_back({column, 0, value, line_});
    if (row >= 0) entries_.push_back({row, column, value, line_});
  }
}

void Reader::read_rhs(const QpsFields& fields) {
  if (!chosen_set(fields.name, rhs_set_)) return;
  for (const auto& [name, text] : fields.pairs) {
    if (name.empty() && text.empty()) continue;
    const int row = find(row_names_, name, "row");
    const double value = bound_value(text);
    if (row == objective_row) {
      once(has_constant_, "right-hand side", name);
      if (std::isinf(value)) scanner_.fail("the constant of the objective is infinite");
      constant_ = -value;
    } else if (row >= 0) {
      once(rows_[static_cast<std::size_t>(row)].has_rhs, "right-hand side", name);
      rows_[static_cast<std::size_t>(row)].rhs = value;
      rows_[static_cast<std::size_t>(row)].line = line_;
    }
  }
}

void Reader::read_range(const QpsFields& fields) {
  if (!chosen_set(fields.name, range_set_)) return;
  for (const auto& [name, text] : fields.pairs) {
    if (name.empty() && text.empty()) continue;
    const int row = find(row_names_, name, "row");
    const double value = bound_value(text);
    if (row < 0) scanner_.fail("a range of '{}', a row of type N", printable(name));
    double& range = rows_[static_cast<std::size_t>(row)].range;
    bool seen = !std::isnan(range);
    once(seen, "range", name);
    range = value;
    rows_[static_cast<std::size_t>(row)].line = line_;
  }
}

void Reader::read_bound(const QpsFields& fields) {
  if (!chosen_set(fields.name, bound_set_)) return;
  const std::string_view name = fields.pairs[0].name, text = fields.pairs[0].number;
  Column& column = columns_[static_cast<std::size_t>(find(column_names_, name, "column"))];
  column.line = line_;
  const auto is_kind = [&](std::string_view kind) { return is_keyword(fields.code, kind); };
  const auto set_lower = [&](double value) {
    once(column.has_lower, "lower bound", name);
    column.lower = value;
  };
  const auto set_upper = [&](double value) {
    once(column.has_upper, "upper bound", name);
    column.upper = value;
  };
  if (is_kind("UP") || is_kind("UI")) {
    set_upper(bound_value(text));
  } else if (is_kind("LO") || is_kind("LI")) {
    set_lower(bound_value(text));
  } else if (is_kind("FX")) {
    const double value = number(text);
    set_lower(value);
    set_upper(value);
  } else if (is_kind("FR")) {
    set_lower(-infinity);
    set_upper(infinity);
  } else if (is_kind("MI")) {
    set_lower(-infinity);
  } else if (is_kind("PL")) {
    set_upper(infinity);
  } else if (is_kind("BV")) {
    set_lower(0.0);
    set_upper(1.0);
  } else {
    scanner_.fail("expected a bound of kind UP, LO, FX, FR, MI, PL, BV, LI or UI, found '{}'",
                  printable(fields.code));
  }
  if (is_kind("UI") || is_kind("LI") || is_kind("BV"))
    warn_once("integrality (bounds BV, LI, UI) is dropped: the columns may take any value between");
}

void Reader::read_quadratic(const QpsFields& fields) {
  const int row = find(column_names_, fields.name, "column");
  for (const auto& [name, text] : fields.pairs) {
    if (name.empty() && text.empty()) continue;
    quadratic_.push_back({row, find(column_names_, name, "column"), number(text), line_});
  }
}

bool Reader::is_sense_word(std::string_view word) {
  return is_one_of(word, {"MIN", "MINIMIZE", "MINIMISE", "MAX", "MAXIMIZE", "MAXIMISE"});
}

void Reader::read_sense(std::string_view word) {
  if (is_one_of(word, {"MAX", "MAXIMIZE", "MAXIMISE"})) {
    maximize_ = true;
    warn_once("the objective is maximized in the file: its negative is minimized");
  } else if (!is_sense_word(word)) {
    scanner_.fail("expected MIN or MAX, found '{}'", printable(word));
  }
}

// The first set of a section counts. Lines without a name belong to it.
bool Reader::chosen_set(std::string_view name, std::optional<std::string_view>& set) {
  if (name.empty()) return true;
  if (!set) set = name;
  if (*set == name) return true;
  warn_once("a second set of right-hand sides, ranges or bounds is left out");
  return false;
}

void Reader::once(bool& seen, std::string_view what, std::string_view name) const {
  if (seen) scanner_.fail("a second {} of '{}'", what, printable(name));
  seen = true;
}

int Reader::find(const Names& names, std::string_view name, std::string_view what) const {
  const auto found = names.find(name);
  if (found == names.end()) scanner_.fail("there is no {} '{}'", what, printable(name));
  return found->second;
}

// Programs in Fortran write 1.5D+02.
double Reader::finite_number(std::string_view text) const {
  constexpr std::size_t longest = 40;
  const std::size_t at = text.find_first_of("Dd");
  if (at == text.npos || text.size() > longest || text.find_first_of("0123456789") > at)
    return scanner_.to_number(text, "a value");
  std::array<char, longest> digits;
  std::copy(text.begin(), text.end(), digits.begin());
  digits[at] = 'e';
  return scanner_.to_number({digits.data(), text.size()}, "a value");
}

double Reader::number(std::string_view text) const {
  const double value = finite_number(text);
  if (!(std::abs(value) < qps_infinite_from))
    scanner_.fail("expected a value below 1e20, found '{}'", printable(text));
  return value;
}

double Reader::bound_value(std::string_view text) const {
  if (is_one_of(text, {"INF", "+INF", "INFINITY", "+INFINITY"})) return infinity;
  if (is_one_of(text, {"-INF", "-INFINITY"})) return -infinity;
  const double value = finite_number(text);
  if (value >= qps_infinite_from) return infinity;
  return value <= -qps_infinite_from ? -infinity : value;
}

void Reader::warn_once(std::string_view warning) {
  if (std::find(warnings_.begin(), warnings_.end(), warning) == warnings_.end())
    warnings_.emplace_back(warning);
}

ProblemFile Reader::finish() {
  if (!has_objective_) scanner_.fail("there is no objective: ROWS has no row of type N");
  const auto n = static_cast<Index>(columns_.size());
  Vector lower(n);
  Vector upper(n);
  for (Index j = 0; j < n; ++j) {
    Column& column = columns_[static_cast<std::size_t>(j)];
    if (!column.has_lower && column.upper < 0.0) {
      column.lower = -infinity;
      warn_once("an upper bound below zero without a lower bound: the lower bound is taken as infinite");
    }
    if (!(column.lower <= column.upper) || column.lower == infinity || column.upper == -infinity)
      fail("{}: line {}: column '{}': no number lies between its bounds {} and {}", scanner_.path(),
           column.line, printable(column.name), column.lower, column.upper);
    lower[j] = column.lower;
    upper[j] = column.upper;
  }
  Problem problem;
  problem.A = quadratic();
  const CsrMatrix linear = matrix(linear_, n, 1, "an entry of the objective");
  problem.b = linear * Vector::Ones(1);
  problem.K = ProductSet::box(lower, upper);
  problem.constant = constant_;
  if (maximize_) {
    problem.b = -problem.b;
    problem.constant = -constant_;
  }
  if (!rows_.empty()) {
    LinearRows& rows = problem.rows.emplace();
    rows.G = std::make_shared<const CsrMatrix>(
        matrix(entries_, static_cast<Index>(rows_.size()), n, "an entry of a row"));
    row_bounds(rows);
  }
  ProblemFile file;
  file.problem = std::move(problem);
  file.format = FileFormat::qps;
  file.title = title_;
  file.warnings = std::move(warnings_);
  return file;
}

Operator Reader::quadratic() {
  const auto n = static_cast<Index>(columns_.size());
  const auto has = [&](QpsSection section) {
    return std::find(seen_.begin(), seen_.end(), section) != seen_.end();
  };
  const bool whole = has(QpsSection::qmatrix);
  if (has(QpsSection::quadobj) + has(QpsSection::qmatrix) + has(QpsSection::qsection) > 1)
    scanner_.fail("more than one of QUADOBJ, QMATRIX and QSECTION");
  if (maximize_) {
    for (Entry& entry : quadratic_) entry.value = -entry.value;
  }
  if (!whole) {
    // Adds the other triangle. An entry that the file has in both triangles is then found twice.
    for (std::size_t k = 0, given = quadratic_.size(); k < given; ++k) {
      const Entry entry = quadratic_[k];
      if (entry.row != entry.column) quadratic_.push_back({entry.column, entry.row, entry.value, entry.line});
    }
  }
  CsrMatrix q = matrix(quadratic_, n, n, "an entry of Q");
  if (const double difference = whole ? asymmetry(q) : 0.0; difference > 0.0) {
    warnings_.push_back(fmt::format(
        "QMATRIX is not symmetric: entries differ by up to {:.2e} of the largest; (Q + Q')/2 is taken",
        difference));
    q = symmetric_part(q);
  }
  return Operator(std::move(q));
}

// Throws Error if a position is given twice.
CsrMatrix Reader::matrix(std::vector<Entry>& entries, Index rows, Index columns,
                         std::string_view what) const {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  std::vector<Triplet> triplets;
  triplets.reserve(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& entry = entries[k];
    if (k > 0 && entries[k - 1].row == entry.row && entries[k - 1].column == entry.column) {
      fail("{}: line {}: {} is given twice, the other time in line {}", scanner_.path(),
           std::max(entry.line, entries[k - 1].line), what, std::min(entry.line, entries[k - 1].line));
    }
    triplets.push_back({entry.row, entry.column, entry.value});
  }
  return csr_from_triplets(rows, columns, triplets);
}

void Reader::row_bounds(LinearRows& rows) const {
  const auto m = static_cast<Index>(rows_.size());
  rows.lower.resize(m);
  rows.upper.resize(m);
  for (Index i = 0; i < m; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    double& lower = rows.lower[i];
    double& upper = rows.upper[i];
    lower = row.type == 'L' ? -infinity : row.rhs;
    upper = row.type == 'G' ? infinity : row.rhs;
    if (!std::isnan(row.range)) {
      const double width = std::abs(row.range);
      if (row.type == 'L' || (row.type == 'E' && row.range < 0.0)) lower = row.rhs - width;
      if (row.type == 'G' || (row.type == 'E' && row.range >= 0.0)) upper = row.rhs + width;
    }
    if (!(lower <= upper) || lower == infinity || upper == -infinity)
      fail("{}: line {}: row {} of type {}: no number lies between its bounds {} and {}", scanner_.path(),
           row.line, i, row.type, lower, upper);
  }
}

}  // namespace

ProblemFile read_qps(std::string_view text, const std::string& path) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  Reader by_spaces(text, path, Layout::free);
  try {
    return by_spaces.read();
  } catch (const Error& first) {
    // Names with spaces need fixed columns. If both readings fail, the error is that of the reading that came
    // further.
    Reader by_columns(text, path, Layout::fixed);
    try {
      return by_columns.read();
    } catch (const Error&) {
      if (by_columns.position() > by_spaces.position()) throw;
    }
    throw;
  }
}

}  // namespace slipstick::internal
