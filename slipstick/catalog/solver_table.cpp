// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/solver_table.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/io/report/study_section.hpp"
#include "slipstick/solve/options.hpp"

namespace slipstick::internal {
namespace {

void append_line(std::string& table, std::initializer_list<std::string_view> cells) {
  append_markdown_row(table, cells);
}

std::string code(std::string_view text) {
  return fmt::format("`{}`", text);
}

std::string_view yes(bool value) {
  return value ? "yes" : "";
}

bool takes_linear_rows(const CatalogRow& row) {
  return std::find(row.classes.begin(), row.classes.end(), ProblemClass::qp) != row.classes.end();
}

std::string full_table() {
  std::string table;
  append_line(table, {"name", "method", "use it for", "nonsymmetric A", "linear rows", "products alone",
                      "warm starts", "paper"});
  append_line(table, {"---", "---", "---", "---", "---", "---", "---", "---"});
  for (const CatalogRow& row : catalog()) {
    append_line(table, {code(row.name), row.summary, row.advice, yes(row.nonsymmetric),
                        yes(takes_linear_rows(row)), yes(row.matrix_free), yes(row.warm_start), row.paper});
  }
  return table;
}

std::string option_table() {
  std::string table;
  append_line(table, {"solver", "option", "values", "default", "meaning"});
  append_line(table, {"---", "---", "---", "---", "---"});
  const auto append_options = [&](const auto& row) {
    for (const OptionInfo& option : row.options()) {
      append_line(
          table, {code(row.name), code(option.key), option.type, code(option.default_value), option.summary});
    }
  };
  for (const CatalogRow& row : catalog()) append_options(row);
  for (const ContactMethod& row : contact_methods()) append_options(row);
  return table;
}

std::string contact_table() {
  std::string table;
  append_line(table, {"name", "method", "use it for", "laws", "warm starts", "paper"});
  append_line(table, {"---", "---", "---", "---", "---", "---"});
  for (const ContactMethod& row : contact_methods()) {
    std::string laws;
    for (const FrictionLaw law : row.laws) laws += (laws.empty() ? "" : ", ") + code(name(law));
    append_line(table, {code(row.name), row.summary, row.advice, laws, yes(row.warm_start), row.paper});
  }
  return table;
}

struct Section {
  std::string_view name;
  std::string (*render)();
};
constexpr Section sections[] = {
    {"solvers", full_table}, {"contact-methods", contact_table}, {"solver-options", option_table}};

std::string render_section(std::string_view name, const StudySection& study) {
  for (const Section& section : sections) {
    if (section.name == name) return section.render();
  }
  constexpr std::string_view prefix = "study-";
  if (study && name.starts_with(prefix)) return study(name.substr(prefix.size()));
  fail("there is no generated section '{}'", name);
}

}  // namespace

std::string with_generated_sections(std::string_view page, const StudySection& study) {
  constexpr std::string_view opening = "<!-- ";
  constexpr std::string_view closing = ":begin -->\n";
  std::string result;
  for (;;) {
    const std::size_t close = page.find(closing);
    if (close == page.npos) break;
    const std::size_t open = page.rfind(opening, close);
    if (open == page.npos) fail("'{}' without '{}' before it", "begin -->", opening);
    const std::string_view name = page.substr(open + opening.size(), close - open - opening.size());
    const std::string text = render_section(name, study);
    const std::string end = fmt::format("<!-- {}:end -->\n", name);
    const std::size_t stop = page.find(end, close);
    if (stop == page.npos) fail("the generated section '{}' has no end", name);
    result += page.substr(0, close + closing.size());
    result += text;
    result += end;
    page.remove_prefix(stop + end.size());
  }
  result += page;
  return result;
}

}  // namespace slipstick::internal
