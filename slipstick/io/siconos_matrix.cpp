// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/siconos_matrix.hpp"

#include <limits>
#include <utility>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

constexpr std::int64_t largest_int = std::numeric_limits<int>::max();

struct Sizes {
  int rows;
  int columns;
};

void push_nonzero(std::vector<Triplet>& entries, int row, int column, double value) {
  if (value != 0.0) entries.push_back({row, column, value});
}

// Column by column, although the line breaks suggest rows.
CsrMatrix read_dense(TextScanner& scanner, std::string_view name, Sizes sizes) {
  if (scanner.integer("the rows of a dense matrix", 0) != sizes.rows ||
      scanner.integer("the columns of a dense matrix", 0) != sizes.columns)
    scanner.fail("the dense values of {} do not repeat the sizes {} x {}", name, sizes.rows, sizes.columns);
  const std::int64_t count = std::int64_t{sizes.rows} * sizes.columns;
  if (count > largest_int) scanner.fail("{} has {} entries, more than {}", name, count, largest_int);
  scanner.require(count, "matrix values");
  std::vector<Triplet> entries;
  for (int j = 0; j < sizes.columns; ++j) {
    for (int i = 0; i < sizes.rows; ++i) push_nonzero(entries, i, j, scanner.number("a matrix value"));
  }
  return csr_from_triplets(sizes.rows, sizes.columns, entries);
}

// The first rows of the blocks, and one past the last, from the cumulative sizes of the file.
std::vector<int> read_block_starts(TextScanner& scanner, std::int64_t blocks, int rows) {
  scanner.require(blocks, "block sizes");
  std::vector<int> start = {0};
  for (std::int64_t k = 0; k < blocks; ++k)
    start.push_back(static_cast<int>(scanner.integer("a cumulative block size", start.back())));
  if (start.back() != rows)
    scanner.fail("the blocks end at {}, expected the matrix size {}", start.back(), rows);
  return start;
}

// Compressed block rows. The values of a block come column by column. If blocks were read by rows, a
// symmetric matrix would stay symmetric but become indefinite.
CsrMatrix read_blocks(TextScanner& scanner, std::string_view name, Sizes sizes) {
  const std::int64_t blocks = scanner.integer("the number of blocks", 0);
  if (blocks == 0) return CsrMatrix(sizes.rows, sizes.columns);
  const std::int64_t block_rows = scanner.integer("the number of block rows", 1);
  const std::int64_t block_columns = scanner.integer("the number of block columns", 1);
  const std::vector<int> row_start = read_block_starts(scanner, block_rows, sizes.rows);
  const std::vector<int> column_start = read_block_starts(scanner, block_columns, sizes.columns);

  // Trailing block rows without blocks may be left out of the row pointers.
  const std::int64_t pointers = scanner.integer("the number of block row pointers", 1, block_rows + 1);
  if (const std::int64_t listed = scanner.integer("the number of block columns indices", 0); listed != blocks)
    scanner.fail("{} has {} blocks, but {} block columns", name, blocks, listed);
  scanner.require(pointers + blocks, "block indices");
  std::vector<std::int64_t> pointer(static_cast<std::size_t>(pointers));
  for (std::size_t i = 0; i < pointer.size(); ++i)
    pointer[i] = scanner.integer("a block row pointer", i == 0 ? 0 : pointer[i - 1], i == 0 ? 0 : blocks);
  if (pointer.back() != blocks)
    scanner.fail("the block row pointers of {} end at {}, expected {}", name, pointer.back(), blocks);
  std::vector<int> column(static_cast<std::size_t>(blocks));
  for (int& index : column) index = static_cast<int>(scanner.integer("a block column", 0, block_columns - 1));

  std::vector<Triplet> entries;
  std::vector<std::size_t> last_row(static_cast<std::size_t>(block_columns), pointer.size());
  for (std::size_t block_row = 0; block_row + 1 < pointer.size(); ++block_row) {
    for (std::int64_t k = pointer[block_row]; k < pointer[block_row + 1]; ++k) {
      scanner.integer("the number of the next block", k, k);
      const auto block_column = static_cast<std::size_t>(column[static_cast<std::size_t>(k)]);
      if (std::exchange(last_row[block_column], block_row) == block_row)
        scanner.fail("block ({}, {}) of {} comes twice", block_row, block_column, name);
      for (int j = column_start[block_column]; j < column_start[block_column + 1]; ++j) {
        for (int i = row_start[block_row]; i < row_start[block_row + 1]; ++i)
          push_nonzero(entries, i, j, scanner.number("a block value"));
      }
    }
  }
  return csr_from_triplets(sizes.rows, sizes.columns, entries);
}

// "M-by-N,"
void expect_sizes(TextScanner& scanner, std::string_view name, Sizes sizes) {
  const std::string expected = fmt::format("{}-by-{},", sizes.rows, sizes.columns);
  const std::string_view found = scanner.token("the sizes of a sparse matrix");
  if (found != expected)
    scanner.fail("expected the sizes '{}' of {}, found '{}'", expected, name, printable(found));
}

std::int64_t read_entry_count(TextScanner& scanner) {
  scanner.expect("nzmax:");
  const std::int64_t room = scanner.integer("nzmax", 0);
  scanner.expect("nnz:");
  std::string_view count = scanner.token("nnz");
  if (count.ends_with(',')) count.remove_suffix(1);
  const std::int64_t entries = scanner.to_integer(count, "nnz", 0, room);
  scanner.require(3 * entries, "words of sparse entries");
  return entries;
}

std::vector<Triplet> read_triplets(TextScanner& scanner, std::string_view name, Sizes sizes) {
  scanner.expect("triplet:");
  expect_sizes(scanner, name, sizes);
  std::vector<Triplet> entries(static_cast<std::size_t>(read_entry_count(scanner)));
  for (Triplet& entry : entries) {
    entry.row = static_cast<int>(scanner.integer("a row index", 0, sizes.rows - 1));
    entry.column = static_cast<int>(scanner.integer("a column index", 0, sizes.columns - 1));
    scanner.expect(":");
    entry.value = scanner.number("a matrix value");
  }
  return entries;
}

// Compressed columns ("col 3 : locations 4 to 9") or rows ("row 3 : ...", first word "csr:").
std::vector<Triplet> read_compressed(TextScanner& scanner, std::string_view name, Sizes sizes, bool by_rows) {
  if (by_rows) scanner.expect("csr:");
  expect_sizes(scanner, name, sizes);
  const std::int64_t count = read_entry_count(scanner);
  scanner.expect("1-norm:");
  scanner.token("the 1-norm");

  const int outer_size = by_rows ? sizes.rows : sizes.columns;
  const int inner_size = by_rows ? sizes.columns : sizes.rows;
  std::vector<Triplet> entries;
  for (int outer = 0; outer < outer_size; ++outer) {
    const auto next = static_cast<std::int64_t>(entries.size());
    scanner.expect(by_rows ? "row" : "col");
    scanner.integer("the number of the next row or column", outer, outer);
    scanner.expect(":");
    scanner.expect("locations");
    scanner.integer("the first location", next, next);
    scanner.expect("to");
    const std::int64_t last = scanner.integer("the last location", next - 1, count - 1);
    for (std::int64_t k = next; k <= last; ++k) {
      const auto inner = static_cast<int>(scanner.integer("an index", 0, inner_size - 1));
      scanner.expect(":");
      const double value = scanner.number("a matrix value");
      entries.push_back(by_rows ? Triplet{outer, inner, value} : Triplet{inner, outer, value});
    }
  }
  if (static_cast<std::int64_t>(entries.size()) != count)
    scanner.fail("{} has {} entries, {} were declared", name, entries.size(), count);
  return entries;
}

// Mirrors one triangle of a symmetric matrix.
void mirror(TextScanner& scanner, std::string_view name, std::vector<Triplet>& entries) {
  bool upper = false;
  bool lower = false;
  const std::size_t stored = entries.size();
  for (std::size_t k = 0; k < stored; ++k) {
    const Triplet entry = entries[k];
    upper = upper || entry.row < entry.column;
    lower = lower || entry.row > entry.column;
    if (entry.row != entry.column) entries.push_back({entry.column, entry.row, entry.value});
  }
  if (entries.size() > static_cast<std::size_t>(largest_int))
    scanner.fail("{} has {} entries, more than {}", name, entries.size(), largest_int);
  if (upper && lower) scanner.fail("the half triplets of {} lie in both triangles", name);
}

CsrMatrix read_sparse(TextScanner& scanner, std::string_view name, Sizes sizes,
                      std::vector<std::string>& warnings) {
  const std::int64_t origin =
      scanner.integer("the origin of a sparse matrix (1 triplet, 2 columns, 3 rows, 4 half triplet)", 1, 4);
  scanner.expect("CSparse");
  scanner.rest_of_line();  // version and copyright
  std::vector<Triplet> entries = origin == 1 || origin == 4
                                     ? read_triplets(scanner, name, sizes)
                                     : read_compressed(scanner, name, sizes, origin == 3);
  if (origin == 4) {
    if (sizes.rows != sizes.columns)
      scanner.fail("{} is {} x {}, but half triplets need a square matrix", name, sizes.rows, sizes.columns);
    mirror(scanner, name, entries);
    warnings.push_back(fmt::format("{} was stored as one triangle and has been mirrored", name));
  }
  if (!entries.empty())
    warnings.push_back(fmt::format("the entries of {} carry 6 digits only, as this storage does", name));
  return csr_from_triplets(sizes.rows, sizes.columns, entries);
}

}  // namespace

CsrMatrix read_siconos_matrix(TextScanner& scanner, std::string_view name, Index rows, Index columns,
                              std::vector<std::string>& warnings) {
  const std::int64_t storage = scanner.integer("the matrix storage (0 dense, 1 blocks, 2 sparse)", 0, 2);
  const Sizes sizes = {static_cast<int>(scanner.integer("the matrix rows", 0)),
                       static_cast<int>(scanner.integer("the matrix columns", 0))};
  if ((rows >= 0 && sizes.rows != rows) || (columns >= 0 && sizes.columns != columns))
    scanner.fail("{} is {} x {}, expected {} x {}", name, sizes.rows, sizes.columns,
                 rows >= 0 ? std::to_string(rows) : "any", columns >= 0 ? std::to_string(columns) : "any");
  // In every kind of file vectors of both sizes follow.
  scanner.require(sizes.rows, "matrix rows");
  scanner.require(sizes.columns, "matrix columns");
  switch (storage) {
    case 0:
      return read_dense(scanner, name, sizes);
    case 1:
      return read_blocks(scanner, name, sizes);
    default:
      return read_sparse(scanner, name, sizes, warnings);
  }
}

}  // namespace slipstick::internal
