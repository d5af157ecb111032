// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What README.md and docs/ say, held against the code.
#include <gtest/gtest.h>

#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/catalog/solver_table.hpp"
#include "slipstick/io/report/study_section.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/measures/measures.hpp"
#include "tests/docs/blocks.hpp"
#include "tests/docs/snippets.hpp"

namespace slipstick::internal::pages_test {

const std::filesystem::path root = SLIPSTICK_SOURCE_DIR;

std::vector<std::filesystem::path> pages() {
  std::vector<std::filesystem::path> list;
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) list.push_back(root / name);
  for (const char* folder : {"docs", "slipstick", "bench"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".md") list.push_back(entry.path());
    }
  }
  return list;
}

TEST(Pages, HoldTheTablesOfTheCatalogAndOfStudies) {
  const auto study = [](std::string_view name) { return study_section(root / "bench/results", name); };
  for (const std::filesystem::path& path : pages()) {
    const std::string page = read_file(path);
    EXPECT_EQ(with_generated_sections(page, study), page) << path << " is out of date: run `make docs`";
  }
  const std::string which = read_file(root / "docs/which-solver.md");
  for (const char* section : {"solvers", "contact-methods", "solver-options"})
    EXPECT_NE(which.find(fmt::format("<!-- {}:begin -->", section)), std::string::npos) << section;
}

// The table at the top of the page is written by hand.
TEST(Pages, WhichSolverNamesMethodsThatExist) {
  const std::string page = read_file(root / "docs/which-solver.md");
  const std::string table = page.substr(0, page.find("\n## "));
  int count = 0;
  for (std::size_t row = table.find("\n| "); row != table.npos; row = table.find("\n| ", row + 1)) {
    const std::string line = table.substr(row + 1, table.find('\n', row + 1) - row - 1);
    for (std::size_t at = line.find('`'); at != line.npos; at = line.find('`', at + 1)) {
      const std::size_t end = line.find('`', at + 1);
      const std::string name = line.substr(at + 1, end - at - 1);
      EXPECT_TRUE(name == "auto" || find_solver(name) != nullptr || find_contact_method(name) != nullptr)
          << name;
      ++count;
      at = end;
    }
  }
  EXPECT_GE(count, 10);
}

TEST(Pages, ExplainEveryMeasure) {
  const std::string page = read_file(root / "docs/measures.md");
  for (const MeasureName& measure : measure_names()) {
    EXPECT_NE(page.find(fmt::format("| `{}` |", measure.name)), std::string::npos)
        << "docs/measures.md lacks " << measure.name;
  }
}

// Targets of [text](target). Targets within the page or on the web are not followed. Nor are figures: they
// are drawn from measurements and need not be there.
TEST(Pages, LinkToFilesThatExist) {
  for (const std::filesystem::path& path : pages()) {
    const std::string page = read_file(path);
    for (std::size_t at = page.find("]("); at != page.npos; at = page.find("](", at + 2)) {
      std::string target = page.substr(at + 2, page.find(')', at) - at - 2);
      target = target.substr(0, target.find('#'));
      if (target.empty() || target.find(':') != target.npos || target.ends_with(".svg")) continue;
      EXPECT_TRUE(std::filesystem::exists(path.parent_path() / target)) << path << " links to " << target;
    }
  }
}

// The n-th program of a page has the output that stands behind the n-th block with a main().
TEST(Pages, HoldProgramsThatPrintWhatTheySay) {
  EXPECT_FALSE(snippets().empty());
  std::map<std::string, std::size_t> programs_before;
  for (const Snippet& snippet : snippets()) {
    std::vector<Block> programs = blocks(read_file(root / snippet.page));
    std::erase_if(programs, [](const Block& block) {
      return block.language != "cpp" || block.text.find("int main()") == block.text.npos;
    });
    const std::size_t number = programs_before[snippet.page]++;
    ASSERT_LT(number, programs.size()) << snippet.page;

    int code = -1;
    std::string failure;
    testing::internal::CaptureStdout();
    try {
      code = snippet.main();
    } catch (const std::exception& error) {
      failure = error.what();
    }
    const std::string output = testing::internal::GetCapturedStdout();
    if (names_missing_library(failure)) continue;
    EXPECT_EQ(code, 0) << snippet.page << ", line " << programs[number].line << ": " << failure;
    EXPECT_EQ(output, programs[number].output.value_or(""))
        << snippet.page << ", line " << programs[number].line;
  }
}

}  // namespace slipstick::internal::pages_test
