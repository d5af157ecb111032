// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/siconos.hpp"

#include <algorithm>

#include "slipstick/base/error.hpp"
#include "slipstick/io/siconos_matrix.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/matrix.hpp"

namespace slipstick::internal {
namespace {

// One way to read the file, and how far it came.
struct Reading {
  std::optional<AnyProblem> problem;  // empty if the reading failed
  std::vector<std::string> warnings;
  std::string error;
  std::size_t position = 0;  // position of the first byte that was not read
  std::size_t unread = 0;    // bytes after the problem, 0 if they are all whitespace
};

// Dense if most entries are not zero.
Operator in_suitable_storage(CsrMatrix M) {
  if (2 * M.nonZeros() > M.rows() * M.cols()) return DenseMatrix(M);
  return M;
}

// n, M, q
AnyProblem read_lcp(TextScanner& scanner, std::vector<std::string>& warnings) {
  const std::int64_t rows = scanner.integer("the size of an LCP", 0);
  CsrMatrix M = read_siconos_matrix(scanner, "M", rows, rows, warnings);
  Vector q = scanner.numbers(rows, "entries of q");
  return LcpProblem{in_suitable_storage(std::move(M)), std::move(q)};
}

MixedLcp mixed_lcp(CsrMatrix M, Vector q, const std::vector<bool>& is_equality) {
  MixedLcp mixed;
  mixed.lower.resize(q.size());
  mixed.upper.setConstant(q.size(), infinity);
  for (Index i = 0; i < q.size(); ++i)
    mixed.lower[i] = is_equality[static_cast<std::size_t>(i)] ? -infinity : 0.0;
  mixed.M = in_suitable_storage(std::move(M));
  mixed.q = std::move(q);
  return mixed;
}

// First storage: the block rows (0, ..., n + m), whether each is of complementarity, M, q.
MixedLcp read_block_mixed_lcp(TextScanner& scanner, std::int64_t equalities, std::int64_t rows,
                              std::vector<std::string>& warnings) {
  std::vector<std::int64_t> block_start = {scanner.integer("the first block row", 0, 0)};
  while (block_start.back() < rows)
    block_start.push_back(scanner.integer("the next block row", block_start.back() + 1, rows));
  std::vector<bool> is_equality;
  for (std::size_t k = 0; k + 1 < block_start.size(); ++k) {
    const bool complementary = scanner.integer("whether a block is of complementarity", 0, 1) == 1;
    is_equality.insert(is_equality.end(), static_cast<std::size_t>(block_start[k + 1] - block_start[k]),
                       !complementary);
  }
  if (const auto count = std::count(is_equality.begin(), is_equality.end(), true); count != equalities)
    scanner.fail("the blocks hold {} equalities, {} were declared", count, equalities);
  CsrMatrix M = read_siconos_matrix(scanner, "M", rows, rows, warnings);
  Vector q = scanner.numbers(rows, "entries of q");
  return mixed_lcp(std::move(M), std::move(q), is_equality);
}

void read_block_row_by_row(TextScanner& scanner, int first_row, int first_column, std::int64_t rows,
                           std::int64_t columns, std::vector<Triplet>& entries) {
  scanner.require(rows * columns, "matrix values");
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const double value = scanner.number("a matrix value");
      if (value != 0.0) entries.push_back({first_row + i, first_column + j, value});
    }
  }
}

// Second storage: A, B, C, D of M = [A C; D B] row by row, then a and b of q; equalities come first.
MixedLcp read_parts_mixed_lcp(TextScanner& scanner, std::int64_t equalities, std::int64_t rows) {
  const std::int64_t complementary = rows - equalities;
  const int middle = static_cast<int>(equalities);
  std::vector<Triplet> entries;
  read_block_row_by_row(scanner, 0, 0, equalities, equalities, entries);
  read_block_row_by_row(scanner, middle, middle, complementary, complementary, entries);
  read_block_row_by_row(scanner, 0, middle, equalities, complementary, entries);
  read_block_row_by_row(scanner, middle, 0, complementary, equalities, entries);
  Vector q = scanner.numbers(rows, "entries of q");
  std::vector<bool> is_equality(static_cast<std::size_t>(rows), false);
  std::fill_n(is_equality.begin(), equalities, true);
  return mixed_lcp(csr_from_triplets(rows, rows, entries), std::move(q), is_equality);
}

// The two storages of one file should agree.
void compare(const MixedLcp& first, const MixedLcp& second, std::vector<std::string>& warnings) {
  if (first.lower != second.lower) return;  // equalities are not first: another order of the rows
  const CsrMatrix difference = *first.M.assemble() - *second.M.assemble();
  double largest = first.q.size() > 0 ? (first.q - second.q).lpNorm<Eigen::Infinity>() : 0.0;
  for (Index k = 0; k < difference.nonZeros(); ++k)
    largest = std::max(largest, std::abs(difference.valuePtr()[k]));
  if (largest > 0.0)
    warnings.push_back(
        fmt::format("the two storages of the problem differ by up to {:.3g}; the first was used", largest));
}

// isStorage1 isStorage2 n m, then the storages
AnyProblem read_mixed_lcp(TextScanner& scanner, std::vector<std::string>& warnings) {
  const bool has_blocks = scanner.integer("whether a mixed LCP has storage 1", 0, 1) == 1;
  const bool has_parts = scanner.integer("whether a mixed LCP has storage 2", 0, 1) == 1;
  if (!has_blocks && !has_parts) scanner.fail("a mixed LCP without storage");
  const std::int64_t equalities = scanner.integer("the number of equalities", 0);
  const std::int64_t rows = equalities + scanner.integer("the number of complementarity rows", 0);
  scanner.require(rows, "rows of a mixed LCP");
  if (!has_blocks) return read_parts_mixed_lcp(scanner, equalities, rows);
  MixedLcp mixed = read_block_mixed_lcp(scanner, equalities, rows, warnings);
  if (has_parts) compare(mixed, read_parts_mixed_lcp(scanner, equalities, rows), warnings);
  return mixed;
}

// Some writers end a contact problem with one number of their own.
void skip_final_flag(TextScanner& scanner) {
  TextScanner ahead = scanner;
  if (ahead.at_end()) return;
  const std::string_view flag = ahead.token("the final flag");
  if ((flag == "0" || flag == "1") && ahead.at_end()) scanner.token("the final flag");
}

struct ContactHeader {
  int dimension;
  std::int64_t contacts;
  std::int64_t rows() const { return dimension * contacts; }
};

ContactHeader read_contact_header(TextScanner& scanner, ProblemClass kind) {
  const int dimension = kind == ProblemClass::contact2d || kind == ProblemClass::global2d ? 2 : 3;
  scanner.integer("the space dimension", dimension, dimension);
  const std::int64_t contacts = scanner.integer("the number of contacts", 0);
  scanner.require(contacts, "contacts");
  return {dimension, contacts};
}

// dim, nc, W, q, mu
AnyProblem read_local(TextScanner& scanner, ProblemClass kind, std::vector<std::string>& warnings) {
  const ContactHeader header = read_contact_header(scanner, kind);
  LocalContactProblem local;
  local.dimension = header.dimension;
  local.W = read_siconos_matrix(scanner, "W", header.rows(), header.rows(), warnings);
  local.q = scanner.numbers(header.rows(), "entries of q");
  local.mu = scanner.numbers(header.contacts, "friction coefficients");
  skip_final_flag(scanner);
  return local;
}

// dim, nc, M, H, q, b, mu; M v = H r + q, u = H'v + b
AnyProblem read_global(TextScanner& scanner, ProblemClass kind, std::vector<std::string>& warnings) {
  const ContactHeader header = read_contact_header(scanner, kind);
  GlobalContactProblem global;
  global.dimension = header.dimension;
  global.M = read_siconos_matrix(scanner, "M", -1, -1, warnings);
  if (global.M.rows() != global.M.cols())
    scanner.fail("M is {} x {}, expected a square matrix", global.M.rows(), global.M.cols());
  global.H = read_siconos_matrix(scanner, "H", global.M.rows(), header.rows(), warnings);
  global.f = scanner.numbers(global.M.rows(), "entries of q");
  global.w = scanner.numbers(header.rows(), "entries of b");
  global.mu = scanner.numbers(header.contacts, "friction coefficients");
  skip_final_flag(scanner);
  return global;
}

AnyProblem read_as(ProblemClass kind, TextScanner& scanner, std::vector<std::string>& warnings) {
  switch (kind) {
    case ProblemClass::lcp:
      return read_lcp(scanner, warnings);
    case ProblemClass::mlcp:
      return read_mixed_lcp(scanner, warnings);
    case ProblemClass::contact2d:
    case ProblemClass::contact3d:
      return read_local(scanner, kind, warnings);
    case ProblemClass::global2d:
    case ProblemClass::global3d:
      return read_global(scanner, kind, warnings);
    default:
      fail(
          "{}: a Siconos file holds no {} problem; expected lcp, mlcp, contact2d, contact3d, global2d or "
          "global3d",
          scanner.path(), name(kind));
  }
}

Reading attempt(ProblemClass kind, std::string_view text, const std::string& path) {
  TextScanner scanner(text, path);
  Reading reading;
  try {
    reading.problem = read_as(kind, scanner, reading.warnings);
    if (!scanner.at_end()) {
      reading.unread = scanner.rest().size();
      scanner.token("the rest");
      reading.warnings.push_back(
          fmt::format("what follows the problem, from line {} on, was left unread", scanner.line()));
    }
  } catch (const Error& error) {
    reading.error = fmt::format("{} (read as {})", error.what(), name(kind));
  }
  reading.position = scanner.position();
  return reading;
}

}  // namespace

ProblemFile read_siconos(std::string_view text, const std::string& path, std::optional<ProblemClass> kind) {
  std::vector<ProblemClass> candidates = {ProblemClass::lcp,       ProblemClass::mlcp,
                                          ProblemClass::contact2d, ProblemClass::contact3d,
                                          ProblemClass::global2d,  ProblemClass::global3d};
  if (kind) candidates = {*kind};

  std::optional<Reading> best;
  ProblemClass best_kind = candidates.front();
  std::optional<ProblemClass> as_good;
  for (const ProblemClass candidate : candidates) {
    Reading reading = attempt(candidate, text, path);
    // A complete reading is better than a failed one. Among complete readings, the one that leaves the least
    // is best. Among failed readings, the one that came farthest is best.
    const bool tie = best && best->problem && reading.problem && reading.unread == best->unread;
    const bool better = !best || (reading.problem && (!best->problem || reading.unread < best->unread)) ||
                        (!reading.problem && !best->problem && reading.position > best->position);
    if (tie) as_good = candidate;
    if (!better) continue;
    best = std::move(reading);
    best_kind = candidate;
    as_good.reset();
  }
  if (!best->problem) throw Error(best->error);
  if (as_good)
    fail("{}: reads as {} and as {} alike; say which it is", path, name(best_kind), name(*as_good));

  ProblemFile file;
  file.problem = std::move(*best->problem);
  file.format = FileFormat::siconos;
  file.warnings = std::move(best->warnings);
  return file;
}

}  // namespace slipstick::internal
