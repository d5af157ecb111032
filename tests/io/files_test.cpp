// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/files.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <vector>

#include "io/io_testing.hpp"
#include "slipstick/base/error.hpp"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

// The folders of other projects' problems and the class of what is in them.
const std::map<std::string, ProblemClass> folders = {
    {"lcp", ProblemClass::lcp},        {"mlcp", ProblemClass::mlcp},      {"fc2d", ProblemClass::contact2d},
    {"fc3d", ProblemClass::contact3d}, {"gfc2d", ProblemClass::global2d}, {"gfc3d", ProblemClass::global3d}};

// Rows of the INDEX.md table: contacts, unknowns ("20+12") and entries ("450+1284").
struct IndexRow {
  std::string contacts, unknowns, entries;
};

std::map<std::string, IndexRow> read_index(const fs::path& path) {
  std::map<std::string, IndexRow> rows;
  std::istringstream lines(bytes_of(path));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '|');) {
      const auto first = cell.find_first_not_of(' ');
      cells.push_back(first == cell.npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
    }
    if (cells.size() >= 5) rows[cells[1]] = {cells[2], cells[3], cells[4]};
  }
  return rows;
}

Index count_nonzeros(const CsrMatrix& a) {
  return a.nonZeros() - std::count(a.valuePtr(), a.valuePtr() + a.nonZeros(), 0.0);
}

// What the table would say about a problem.
struct Describe {
  bool mirrored;
  IndexRow operator()(const LcpProblem& p) const {
    return {"", std::to_string(p.q.size()), std::to_string(count_nonzeros(*p.M.assemble()))};
  }
  IndexRow operator()(const MixedLcp& p) const {
    const auto complementary = (p.lower.array() == 0.0).count();
    return {"", std::to_string(p.q.size() - complementary) + "+" + std::to_string(complementary),
            std::to_string(count_nonzeros(*p.M.assemble()))};
  }
  IndexRow operator()(const LocalContactProblem& p) const {
    return {std::to_string(p.contacts()), std::to_string(p.q.size()),
            std::to_string(count_nonzeros(*p.W.assemble()))};
  }
  IndexRow operator()(const GlobalContactProblem& p) const {
    const Index entries = mirrored ? (count_nonzeros(p.M) + p.M.rows()) / 2 : count_nonzeros(p.M);
    return {std::to_string(p.contacts()), std::to_string(p.f.size()),
            std::to_string(entries) + "+" + std::to_string(count_nonzeros(p.H))};
  }
  IndexRow operator()(const Problem&) const { return {}; }
};

class RealFiles : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("SLIPSTICK_DATA");
    if (folder == nullptr)
      GTEST_SKIP() << "SLIPSTICK_DATA does not name the folder of other projects' problems";
    data_ = folder;
  }
  fs::path data_;
};

TEST_F(RealFiles, EveryFileIsWhatTheIndexSays) {
  const auto index = read_index(data_ / "INDEX.md");
  int count = 0;
  for (const auto& [folder, problem_class] : folders) {
    for (const auto& entry : fs::directory_iterator(data_ / folder)) {
      SCOPED_TRACE(entry.path().string());
      const ProblemFile file = read_problem(entry.path());
      EXPECT_EQ(classify(file.problem), problem_class) << name(classify(file.problem));
      const bool mirrored = std::any_of(file.warnings.begin(), file.warnings.end(),
                                        [](const auto& text) { return text.find("mirrored") != text.npos; });
      const IndexRow found = std::visit(Describe{mirrored}, file.problem);
      const IndexRow& expected = index.at(entry.path().filename().string());
      EXPECT_EQ(found.contacts, expected.contacts);
      EXPECT_EQ(found.unknowns, expected.unknowns);
      EXPECT_EQ(found.entries, expected.entries);
      ++count;
    }
  }
  EXPECT_EQ(count, 56);
}

}  // namespace
}  // namespace slipstick
