// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/matrix_market.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <limits>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/io/text_scanner.hpp"

namespace slipstick::internal {
namespace {

constexpr std::string_view remark_prefix = "%slipstick:";

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

struct Banner {
  bool coordinate;
  bool symmetric;
};

// %%MatrixMarket matrix (coordinate|array) (real|integer) (general|symmetric)
Banner read_banner(TextScanner& scanner) {
  const auto word = [&](std::string_view what) { return lower_case(scanner.token(what)); };
  if (word("%%MatrixMarket") != "%%matrixmarket") scanner.fail("expected a first word '%%MatrixMarket'");
  if (const std::string object = word("'matrix'"); object != "matrix")
    scanner.fail("expected a matrix, found a '{}'", printable(object));
  const std::string format = word("coordinate or array");
  if (format != "coordinate" && format != "array")
    scanner.fail("expected 'coordinate' or 'array', found '{}'", printable(format));
  const std::string field = word("real or integer");
  if (field != "real" && field != "integer")
    scanner.fail("expected 'real' or 'integer' values, found '{}'", printable(field));
  const std::string symmetry = word("general or symmetric");
  if (symmetry != "general" && symmetry != "symmetric")
    scanner.fail("expected a 'general' or 'symmetric' matrix, found '{}'", printable(symmetry));
  scanner.rest_of_line();
  return {format == "coordinate", symmetry == "symmetric"};
}

// Reads comment lines. Ours are "%slipstick: KEY VALUE".
std::map<std::string, std::string> read_remarks(TextScanner& scanner) {
  std::map<std::string, std::string> remarks;
  while (!scanner.at_end() && scanner.rest().starts_with('%')) {
    std::string_view line = scanner.rest_of_line();
    if (!line.starts_with(remark_prefix)) continue;
    line.remove_prefix(remark_prefix.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::size_t space = std::min(line.find(' '), line.size());
    const auto [remark, is_new] =
        remarks.emplace(line.substr(0, space), line.substr(std::min(space + 1, line.size())));
    if (!is_new) scanner.fail("the remark '{}' comes twice", printable(remark->first));
  }
  return remarks;
}

void read_coordinates(TextScanner& scanner, bool infinite_values, MarketMatrix& matrix) {
  const std::int64_t count = scanner.integer("the number of entries", 0);
  scanner.require(3 * count, "words of matrix entries");
  std::vector<Triplet> entries;
  entries.reserve(static_cast<std::size_t>(matrix.symmetric ? 2 * count : count));
  for (std::int64_t k = 0; k < count; ++k) {
    const int row = static_cast<int>(scanner.integer("a row index", 1, matrix.rows)) - 1;
    const int column = static_cast<int>(scanner.integer("a column index", 1, matrix.columns)) - 1;
    const double value = infinite_values ? scanner.bound("an entry") : scanner.number("an entry");
    if (matrix.symmetric && row < column)
      scanner.fail("entry ({}, {}) of a symmetric matrix is above the diagonal", row + 1, column + 1);
    entries.push_back({row, column, value});
    if (matrix.symmetric && row != column) entries.push_back({column, row, value});
  }
  if (entries.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    scanner.fail("the matrix has {} entries, more than {}", entries.size(), std::numeric_limits<int>::max());
  matrix.values = std::move(entries);
}

void read_array(TextScanner& scanner, bool infinite_values, MarketMatrix& matrix) {
  const Index rows = matrix.rows;
  scanner.require(matrix.symmetric ? rows * (rows + 1) / 2 : rows * matrix.columns, "matrix values");
  DenseMatrix values(rows, matrix.columns);
  for (Index j = 0; j < matrix.columns; ++j) {
    for (Index i = matrix.symmetric ? j : 0; i < rows; ++i) {
      values(i, j) = infinite_values ? scanner.bound("an entry") : scanner.number("an entry");
      if (matrix.symmetric) values(j, i) = values(i, j);
    }
  }
  matrix.values = std::move(values);
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool is_symmetric_bitwise(const CsrMatrix& a) {
  if (a.rows() != a.cols()) return false;
  const CsrMatrix transposed = a.transpose();
  return std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.rows() + 1, transposed.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), transposed.innerIndexPtr()) &&
         std::equal(a.valuePtr(), a.valuePtr() + a.nonZeros(), transposed.valuePtr(), same_bits);
}

bool is_symmetric_bitwise(const DenseMatrix& a) {
  if (a.rows() != a.cols()) return false;
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = j + 1; i < a.rows(); ++i) {
      if (!same_bits(a(i, j), a(j, i))) return false;
    }
  }
  return true;
}

std::string banner(std::string_view format, bool symmetric, const std::string& remarks) {
  return fmt::format("%%MatrixMarket matrix {} real {}\n{}", format, symmetric ? "symmetric" : "general",
                     remarks);
}

}  // namespace

MarketMatrix parse_matrix_market(std::string_view text, const std::string& path, bool infinite_values) {
  TextScanner scanner(text, path);
  const Banner form = read_banner(scanner);
  MarketMatrix matrix;
  matrix.symmetric = form.symmetric;
  matrix.remarks = read_remarks(scanner);
  matrix.rows = scanner.integer("the number of rows", 0);
  matrix.columns = scanner.integer("the number of columns", 0);
  if (matrix.symmetric && matrix.rows != matrix.columns)
    scanner.fail("a symmetric matrix cannot be {} x {}", matrix.rows, matrix.columns);
  if (form.coordinate) {
    read_coordinates(scanner, infinite_values, matrix);
  } else {
    read_array(scanner, infinite_values, matrix);
  }
  if (!scanner.at_end()) {
    const std::string_view extra = scanner.token("the end");
    scanner.fail("expected the end of the file, found '{}'", printable(extra));
  }
  return matrix;
}

std::string matrix_market_text(const CsrMatrix& a, const std::string& remarks) {
  const bool symmetric = is_symmetric_bitwise(a);
  std::string entries;
  Index count = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it && (!symmetric || it.col() <= i); ++it) {
      append_format(entries, "{} {} {}\n", i + 1, it.col() + 1, it.value());
      ++count;
    }
  }
  return banner("coordinate", symmetric, remarks) + fmt::format("{} {} {}\n", a.rows(), a.cols(), count) +
         entries;
}

std::string matrix_market_text(const DenseMatrix& a, const std::string& remarks) {
  const bool symmetric = is_symmetric_bitwise(a);
  std::string text = banner("array", symmetric, remarks) + fmt::format("{} {}\n", a.rows(), a.cols());
  for (Index j = 0; j < a.cols(); ++j) {
    for (Index i = symmetric ? j : 0; i < a.rows(); ++i) append_format(text, "{}\n", a(i, j));
  }
  return text;
}

std::string matrix_market_text(const Vector& values) {
  std::string text = banner("array", false, {}) + fmt::format("{} 1\n", values.size());
  for (const double value : values) append_format(text, "{}\n", value);
  return text;
}

}  // namespace slipstick::internal
