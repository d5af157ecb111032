// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"
#include "tests/io/io_testing.hpp"

namespace slipstick::internal::files_test {

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

TEST_F(RealFiles, EveryFileSurvivesRewriting) {
  const ScratchFolder scratch;
  for (const auto& [folder, problem_class] : folders) {
    for (const auto& entry : fs::directory_iterator(data_ / folder)) {
      SCOPED_TRACE(entry.path().string());
      const ProblemFile file = read_problem(entry.path());
      write_problem(scratch / "copy.mtx", file);
      EXPECT_TRUE(same_contents(file, read_problem(scratch / "copy.mtx")));
      if (problem_class == ProblemClass::lcp || problem_class == ProblemClass::mlcp) continue;
      write_problem(scratch / "copy.hdf5", file);
      const ProblemFile again = read_problem(scratch / "copy.hdf5");
      EXPECT_TRUE(same_contents(file, again));
      EXPECT_TRUE(again.warnings.empty());
    }
  }
}

// The least eigenvalue in units of the largest.
double definiteness(const CsrMatrix& a) {
  const Vector spectrum = eigenvalues(DenseMatrix(symmetric_part(a)));
  return spectrum[0] / spectrum[spectrum.size() - 1];
}

TEST_F(RealFiles, BlocksAreNotTransposed) {
  // Transposing the blocks keeps these matrices as symmetric as they are but makes them indefinite.
  for (const char* name : {"fc3d/OneObject-i1028-138.hdf5.dat", "fc3d/BoxesStack1-i100000-32.hdf5.dat"}) {
    const ProblemFile file = read_problem(data_ / name);
    const CsrMatrix W = *std::get<LocalContactProblem>(file.problem).W.assemble();
    EXPECT_GT(definiteness(W), -1e-4) << name;
    std::vector<Triplet> transposed;
    for (int i = 0; i < W.rows(); ++i) {
      for (CsrMatrix::InnerIterator it(W, i); it; ++it) {
        const int j = static_cast<int>(it.col());
        transposed.push_back({i - i % 3 + j % 3, j - j % 3 + i % 3, it.value()});
      }
    }
    EXPECT_LT(definiteness(csr_from_triplets(W.rows(), W.cols(), transposed)), -1e-2) << name;
  }
}

TEST_F(RealFiles, KnownValues) {
  const auto local = read_problem(data_ / "fc3d/Capsules-i125-1213.hdf5");
  EXPECT_EQ(local.title, "Capsules");
  ASSERT_TRUE(local.solution);
  ASSERT_EQ(local.guesses.size(), 1u);
  EXPECT_EQ(local.guesses[0].r.size(), 858);
  EXPECT_TRUE(same_solution(*local.solution, read_solution(data_ / "fc3d/Capsules-i125-1213.hdf5")));
  // Column by column: the entry of the second row and first column comes second.
  const auto lcp = read_problem(data_ / "lcp/lcp_exp_murty.dat");
  EXPECT_EQ(std::get<LcpProblem>(lcp.problem).M.entry(0, 5), 2.0);
  EXPECT_EQ(std::get<LcpProblem>(lcp.problem).M.entry(5, 0), 0.0);
}

TEST(Files, TheFormatIsToldByContent) {
  const ScratchFolder folder;
  write_problem(folder / "a.hdf5", local_example());
  fs::rename(folder / "a.hdf5", folder / "a.dat");
  EXPECT_EQ(read_problem(folder / "a.dat").format, FileFormat::fclib);
  EXPECT_EQ(read_problem(folder.file("b.hdf5", "1\n0\n1\n1\n1 1\n2\n-1\n")).format, FileFormat::siconos);
  EXPECT_EQ(name(FileFormat::matrix_market), "Matrix Market");
}

TEST(Files, AKindThatTheFileDoesNotHoldIsRefused) {
  const ScratchFolder folder;
  write_problem(folder / "a.hdf5", local_example());
  EXPECT_TRUE(
      has(read_error(folder / "a.hdf5", ProblemClass::contact2d), "of class contact3d, not contact2d"));
  EXPECT_NO_THROW(read_problem(folder / "a.hdf5", ProblemClass::contact3d));
  // A mixed LCP without equalities counts as an LCP, and is still read as what it was said to be.
  const auto path = folder.file("b.dat", "0 1  0 1  2  -3");
  EXPECT_TRUE(std::holds_alternative<MixedLcp>(read_problem(path, ProblemClass::mlcp).problem));
}

TEST(Files, ProblemsThatMakeNoSenseAreNeitherReadNorWritten) {
  const ScratchFolder folder;
  const auto path = folder.file("a.dat", "2\n1\n0\n2\n2\n2 2\n3 0.5\n0.5 4\n-1 -2\n-0.3\n");
  const std::string message = read_error(path);
  EXPECT_EQ(message.find(path.string()), 0u) << message;
  EXPECT_TRUE(has(message, "-0.3"));

  ProblemFile file = local_example();
  std::get<LocalContactProblem>(file.problem).mu[1] = -1.0;
  EXPECT_THROW(write_problem(folder / "b.hdf5", file), Error);
  EXPECT_THROW(write_problem(folder / "b.mtx", file), Error);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Files, UnknownExtensionsAreNotWritten) {
  const ScratchFolder folder;
  EXPECT_THROW(write_problem(folder / "a.dat", local_example()), Error);
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace slipstick::internal::files_test
