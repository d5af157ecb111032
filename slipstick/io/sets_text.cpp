// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/sets_text.hpp"

#include <algorithm>
#include <limits>

#include "slipstick/base/append_format.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/io/text_scanner.hpp"

namespace slipstick::internal {
namespace {

constexpr Role roles[] = {Role::plain, Role::normal, Role::friction, Role::bilateral};
constexpr SetKind kinds[] = {SetKind::free, SetKind::nonnegative, SetKind::interval,
                             SetKind::cone, SetKind::diamond,     SetKind::disk};

template <class Enum, std::size_t count>
Enum read_name(TextScanner& scanner, const Enum (&values)[count], std::string_view what) {
  const std::string_view word = scanner.token(what);
  const auto found = std::find_if(values, values + count, [&](Enum value) { return name(value) == word; });
  if (found == values + count) scanner.fail("expected {}, found '{}'", what, printable(word));
  return *found;
}

void read_block(TextScanner& scanner, Index rows_left, ProductSet& K) {
  const SetKind kind = read_name(scanner, kinds, "a kind of set");
  const Role role = kind == SetKind::cone ? Role::normal : read_name(scanner, roles, "a role");
  const auto radius = [&](std::string_view what) {
    const double value = scanner.number(what);
    if (value < 0.0) scanner.fail("{} is {}, expected at least 0", what, value);
    return value;
  };
  const auto rows = [&](Index lowest, Index highest) {
    return scanner.integer("the number of rows", lowest, std::min(highest, rows_left));
  };
  switch (kind) {
    case SetKind::free:
      return K.append_free(rows(1, rows_left), role);
    case SetKind::nonnegative:
      return K.append_nonnegative(rows(1, rows_left), role);
    case SetKind::interval: {
      const double lower = scanner.bound("a lower bound");
      const double upper = scanner.bound("an upper bound");
      constexpr double infinity = std::numeric_limits<double>::infinity();
      if (lower > upper || lower == infinity || upper == -infinity)
        scanner.fail("the interval from {} to {} is empty", lower, upper);
      if (rows_left < 1) scanner.fail("there are more rows than the problem has");
      return K.append_interval(lower, upper, role);
    }
    case SetKind::cone: {
      const double mu = radius("a friction coefficient");
      return K.append_cone(mu, static_cast<int>(rows(2, 3)));
    }
    case SetKind::diamond: {
      const double size = radius("a radius");
      return K.append_diamond(size, static_cast<int>(rows(1, rows_left)), role);
    }
    case SetKind::disk: {
      const double size = radius("a radius");
      return K.append_disk(size, static_cast<int>(rows(1, rows_left)), role);
    }
  }
}

}  // namespace

bool is_plain_box(const ProductSet& K) {
  return K.is_box() && std::all_of(K.blocks().begin(), K.blocks().end(),
                                   [](const SetBlock& block) { return block.role == Role::plain; });
}

std::string sets_text(const ProductSet& K) {
  std::string text =
      "# free ROLE ROWS | nonnegative ROLE ROWS | interval ROLE LOWER UPPER | cone MU ROWS | diamond ROLE "
      "RADIUS ROWS "
      "| disk ROLE RADIUS ROWS\n";
  for (const SetBlock& block : K.blocks()) {
    switch (block.kind) {
      case SetKind::free:
      case SetKind::nonnegative:
        append_format(text, "{} {} {}\n", name(block.kind), name(block.role), block.size);
        break;
      case SetKind::interval:
        for (Index i = block.start; i < block.start + block.size; ++i)
          append_format(text, "interval {} {} {}\n", name(block.role), K.lower()[i], K.upper()[i]);
        break;
      case SetKind::cone:
        append_format(text, "cone {} {}\n", block.parameter, block.size);
        break;
      case SetKind::diamond:
      case SetKind::disk:
        append_format(text, "{} {} {} {}\n", name(block.kind), name(block.role), block.parameter, block.size);
        break;
    }
  }
  return text;
}

ProductSet parse_sets(std::string_view text, const std::string& path, Index rows) {
  TextScanner scanner(text, path);
  ProductSet K;
  while (!scanner.at_end()) {
    if (scanner.rest().starts_with('#')) {
      scanner.rest_of_line();
    } else {
      read_block(scanner, rows - K.rows(), K);
    }
  }
  if (K.rows() != rows) fail("{}: the sets have {} rows, expected {}", path, K.rows(), rows);
  return K;
}

}  // namespace slipstick::internal
