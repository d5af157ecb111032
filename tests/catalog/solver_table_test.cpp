// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/solver_table.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"

namespace slipstick::internal::solver_table_test {

TEST(GeneratedSections, LeaveTheRestOfThePageAlone) {
  const std::string before = "# Title\n\n<!-- a remark -->\n";
  const std::string after = "\ntext | text\n";
  const std::string page = before + "<!-- solvers:begin -->\nstale\n<!-- solvers:end -->\n" + after;
  const std::string updated = with_generated_sections(page);
  EXPECT_EQ(updated.substr(0, before.size()), before);
  EXPECT_EQ(updated.substr(updated.size() - after.size()), after);
  EXPECT_EQ(updated.find("stale"), std::string::npos);
  EXPECT_EQ(with_generated_sections(updated), updated);
  EXPECT_EQ(with_generated_sections(before + after), before + after);
}

void expect_a_line_each(std::string_view section, const auto& rows) {
  const std::string page =
      with_generated_sections(fmt::format("<!-- {0}:begin -->\n<!-- {0}:end -->\n", section));
  std::size_t lines = 0;
  for (const char c : page) lines += c == '\n';
  EXPECT_EQ(lines, 2 + 2 + rows.size()) << page;
  for (const auto& row : rows) {
    const std::size_t line = page.find(fmt::format("| `{}` | {} | {} |", row.name, row.summary, row.advice));
    EXPECT_NE(line, std::string::npos) << row.name << "\n" << page;
  }
}

TEST(GeneratedSections, HoldALinePerMethod) {
  expect_a_line_each("solvers", catalog());
  expect_a_line_each("contact-methods", contact_methods());
}

TEST(GeneratedSections, EscapeTheBarsOfChoices) {
  const std::string page =
      with_generated_sections("<!-- solver-options:begin -->\n<!-- solver-options:end -->\n");
  EXPECT_NE(page.find("| `mprgp` | `expansion` | fixed\\|projected | `projected` |"), std::string::npos)
      << page;
}

TEST(GeneratedSections, RefuseWhatTheyDoNotKnow) {
  EXPECT_THROW(with_generated_sections("<!-- weather:begin -->\n<!-- weather:end -->\n"), Error);
  EXPECT_THROW(with_generated_sections("<!-- solvers:begin -->\n"), Error);
  EXPECT_THROW(with_generated_sections("solvers:begin -->\n<!-- solvers:end -->\n"), Error);
}

}  // namespace slipstick::internal::solver_table_test
