// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/fclib.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "slipstick/io/hdf5_file.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "tests/io/hdf5_testing.hpp"
#include "tests/io/io_testing.hpp"

namespace slipstick::internal::fclib_test {

DenseMatrix local_matrix(const std::filesystem::path& path) {
  return *std::get<LocalContactProblem>(read_problem(path).problem).W.assemble();
}

TEST(Fclib, CompressedRows) {
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  const ProblemFile file = read_problem(folder / "a.hdf5");
  EXPECT_EQ(file.format, FileFormat::fclib);
  EXPECT_EQ(classify(file.problem), ProblemClass::contact2d);
  EXPECT_EQ(local_matrix(folder / "a.hdf5"), mat({{2, 0.5}, {0.25, 3}}));
  EXPECT_TRUE(file.warnings.empty());
  EXPECT_FALSE(file.solution);
}

TEST(Fclib, CompressedColumns) {
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  Hdf5Editor(folder / "a.hdf5").replace("/fclib_local/W/nz", std::vector<int>{-1});
  EXPECT_EQ(local_matrix(folder / "a.hdf5"), mat({{2, 0.25}, {0.5, 3}}));
}

TEST(Fclib, TripletsHaveRowsInIAndColumnsInP) {
  const ScratchFolder folder;
  write_small_global(folder / "a.hdf5");
  const ProblemFile file = read_problem(folder / "a.hdf5");
  const auto& global = std::get<GlobalContactProblem>(file.problem);
  DenseMatrix expected = DenseMatrix::Zero(3, 2);
  expected(2, 0) = 5;
  expected(0, 1) = 7;
  EXPECT_EQ(DenseMatrix(global.H), expected);
  EXPECT_EQ(DenseMatrix(global.M), DenseMatrix(vec({1, 2, 3}).asDiagonal()));
  EXPECT_TRUE(file.warnings.empty());  // a diagonal matrix is no triangle
}

TEST(Fclib, UnsortedRowsAndRepeatedEntries) {
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  Hdf5Editor(folder / "a.hdf5").replace("/fclib_local/W/i", std::vector<int>{1, 0, 1, 1});
  DenseMatrix expected = mat({{0.5, 2}, {0, 3.25}});
  // Both entries of the first row and only the diagonal of the second: an upper triangle, mirrored.
  expected(1, 0) = 2;
  EXPECT_EQ(local_matrix(folder / "a.hdf5"), expected);
}

TEST(Fclib, OneTriangleIsMirrored) {
  const ScratchFolder folder;
  write_small_global(folder / "a.hdf5");
  {
    Hdf5Editor editor(folder / "a.hdf5");
    editor.replace("/fclib_global/M/nz", std::vector<int>{5});
    editor.replace("/fclib_global/M/nzmax", std::vector<int>{5});
    editor.replace("/fclib_global/M/i", std::vector<int>{0, 0, 1, 2, 0});
    editor.replace("/fclib_global/M/p", std::vector<int>{0, 1, 1, 2, 2});
    editor.replace("/fclib_global/M/x", std::vector<double>{4, 1, 5, 6, 2});
  }
  const DenseMatrix expected = mat({{4, 1, 2}, {1, 5, 0}, {2, 0, 6}});
  const ProblemFile file = read_problem(folder / "a.hdf5");
  EXPECT_EQ(DenseMatrix(std::get<GlobalContactProblem>(file.problem).M), expected);
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_TRUE(has(file.warnings[0], "mirrored"));

  // Without its diagonal it is something else.
  Hdf5Editor(folder / "a.hdf5").replace("/fclib_global/M/i", std::vector<int>{0, 0, 1, 1, 0});
  EXPECT_TRUE(read_problem(folder / "a.hdf5").warnings.empty());
}

TEST(Fclib, OurOwnTriangularMatrixIsNotMirrored) {
  ProblemFile file;
  LocalContactProblem local;
  local.dimension = 2;
  const DenseMatrix W = mat({{1, 2}, {0, 3}});
  local.W = csr(W);
  local.q = vec({1, 2});
  local.mu = Vector::Constant(1, 0.5);
  file.problem = local;
  const ScratchFolder folder;
  write_problem(folder / "a.h5", file);
  EXPECT_TRUE(same_contents(file, read_problem(folder / "a.h5")));
}

TEST(Fclib, EverythingSurvives) {
  const ScratchFolder folder;
  for (const ProblemFile& file : {local_example(), global_example()}) {
    write_problem(folder / "a.hdf5", file);
    const ProblemFile again = read_problem(folder / "a.hdf5");
    EXPECT_TRUE(same_contents(file, again));
    EXPECT_TRUE(again.warnings.empty());
    EXPECT_EQ(folder.entries(), 1);
    // The same problem, the same bytes.
    write_problem(folder / "b.hdf5", again);
    EXPECT_EQ(bytes_of(folder / "a.hdf5"), bytes_of(folder / "b.hdf5"));
    std::filesystem::remove(folder / "b.hdf5");
  }
}

TEST(Fclib, ProblemsWithoutContacts) {
  ProblemFile file = global_example();
  auto& global = std::get<GlobalContactProblem>(file.problem);
  global.H = submatrix(global.H, std::vector<int>{0, 1, 2, 3}, std::vector<int>{2, 3, 4});
  global.w = Vector(global.w.tail(3));
  global.mu.resize(0);
  file.guesses[0].r.resize(0);
  const ScratchFolder folder;
  write_problem(folder / "a.hdf5", file);
  EXPECT_TRUE(same_contents(file, read_problem(folder / "a.hdf5")));
}

TEST(Fclib, OtherStoragesAreAssembled) {
  // Two unit masses on a line, one contact row pair each against the ground.
  LocalContactProblem local;
  local.dimension = 2;
  const DelassusOperator bodies(2, 1, {0.5, 0.25}, {{0, 2, {0, -1}}}, {1, 0, 0, 1, 0, 0, 0, 0},
                                Vector::Zero(2));
  local.W = bodies;
  local.q = vec({1, 2});
  local.mu = Vector::Constant(1, 0.5);
  ProblemFile file;
  file.problem = local;
  const ScratchFolder folder;
  write_problem(folder / "a.hdf5", file);
  EXPECT_EQ(local_matrix(folder / "a.hdf5"), mat({{0.5, 0}, {0, 0.25}}));
}

TEST(Fclib, StoredAnswersThatDoNotFitAreLeftUnread) {
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  {
    Hdf5Editor editor(folder / "a.hdf5");
    editor.replace("/solution/r", std::vector<double>{1, 2, 3});
    editor.replace("/guesses/number_of_guesses", std::vector<int>{3});
    editor.replace("/guesses/1/r", std::vector<double>{1, NAN});
    editor.replace("/guesses/2/r", std::vector<double>{1, 2});
  }
  const ProblemFile file = read_problem(folder / "a.hdf5");
  EXPECT_FALSE(file.solution);
  ASSERT_EQ(file.guesses.size(), 1u);
  EXPECT_EQ(file.guesses[0].r, vec({1, 2}));
  EXPECT_EQ(file.warnings.size(), 3u);
}

TEST(Fclib, OtherNumberTypesAndTexts) {
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  {
    Hdf5Editor editor(folder / "a.hdf5");
    const long long pointers[] = {0, 2, 4};
    editor.replace("/fclib_local/W/p", H5T_NATIVE_LLONG, {3}, pointers);
    const float mu[] = {0.5f};
    editor.replace("/fclib_local/vectors/mu", H5T_NATIVE_FLOAT, {1}, mu);
    const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(text.id(), H5T_VARIABLE);
    const char* title = "of any length";
    editor.replace("/fclib_local/info/title", text.id(), {1}, &title);
  }
  const ProblemFile file = read_problem(folder / "a.hdf5");
  EXPECT_EQ(file.title, "of any length");
  EXPECT_EQ(std::get<LocalContactProblem>(file.problem).mu[0], 0.5);
}

TEST(Fclib, RollingFrictionIsRefusedByName) {
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  Hdf5Editor(folder / "a.hdf5").replace("/fclib_local/vectors/mu_r", std::vector<double>{0.1});
  EXPECT_TRUE(has(read_error(folder / "a.hdf5"), "rolling friction is not supported yet"));
  write_small_global(folder / "b.hdf5");
  Hdf5Editor(folder / "b.hdf5").replace("/fclib_global_rolling/spacedim", std::vector<int>{5});
  EXPECT_TRUE(has(read_error(folder / "b.hdf5"), "rolling friction is not supported yet"));
}

TEST(Fclib, AFileOfBothFormsAsksWhichIsMeant) {
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  {
    Hdf5File other(folder / "b.hdf5", Hdf5File::Mode::create);
    other.close();
  }
  Hdf5Editor(folder / "a.hdf5").replace("/fclib_global/spacedim", std::vector<int>{2});
  EXPECT_TRUE(has(read_error(folder / "a.hdf5"), "say which"));
  EXPECT_EQ(classify(read_problem(folder / "a.hdf5", ProblemClass::contact2d).problem),
            ProblemClass::contact2d);
  EXPECT_TRUE(has(read_error(folder / "b.hdf5"), "neither /fclib_local nor /fclib_global"));
}

TEST(Fclib, ErrorsNameTheDataset) {
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  Hdf5Editor(folder / "a.hdf5").replace("/fclib_local/vectors/q", std::vector<double>{1, 2, 3});
  EXPECT_EQ(read_error(folder / "a.hdf5"),
            (folder / "a.hdf5").string() +
                ": /fclib_local/vectors/q has 3 entries, expected 2 for each of 1 contacts");
}

TEST(Fclib, OnlyContactProblemsCanBeWritten) {
  const ScratchFolder folder;
  EXPECT_THROW(write_problem(folder / "a.hdf5", lcp_example()), Error);
  EXPECT_EQ(folder.entries(), 0);
}

TEST(Fclib, TheCallersErrorReportingIsGivenBack) {
  H5E_auto2_t before = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  ASSERT_NE(before, nullptr);
  const ScratchFolder folder;
  write_small_local(folder / "a.hdf5");
  read_problem(folder / "a.hdf5");
  H5E_auto2_t after = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(before, after);
}

// Limits, motors and compliance have no place in FCLib, so other readers must not find its groups.
TEST(Fclib, BoundsAndComplianceHaveARootOfTheirOwn) {
  const ScratchFolder folder;
  ProblemFile local = local_example(), global = global_example();
  std::get<LocalContactProblem>(local.problem).lower[1] = -0.5;
  std::get<GlobalContactProblem>(global.problem).compliance = vec({0, 0.1, 0, 1.0 / 3.0, 0});
  for (const ProblemFile& file : {local, global}) {
    write_problem(folder / "a.hdf5", file);
    EXPECT_TRUE(same_contents(file, read_problem(folder / "a.hdf5")));
    const Hdf5File raw(folder / "a.hdf5", Hdf5File::Mode::read);
    EXPECT_FALSE(raw.has("/fclib_local") || raw.has("/fclib_global"));
    EXPECT_EQ(raw.attribute("/slipstick_problem", "format_version"), 1);
  }
}

TEST(Fclib, KeysAndStatesStandBesideTheProblem) {
  const ScratchFolder folder;
  ProblemFile file = local_example();  // two contacts and two rows of joints
  file.keys = {7, 0xffffffffffffffffu, 0, 3};
  file.states = {ContactState::slip, ContactState::open};
  write_problem(folder / "a.hdf5", file);
  EXPECT_TRUE(same_contents(file, read_problem(folder / "a.hdf5")));
  EXPECT_TRUE(Hdf5File(folder / "a.hdf5", Hdf5File::Mode::read).has("/fclib_local"));
  std::get<LocalContactProblem>(file.problem).upper[0] = 2.0;
  write_problem(folder / "b.hdf5", file);
  EXPECT_TRUE(same_contents(file, read_problem(folder / "b.hdf5")));
  file.keys.pop_back();
  EXPECT_THROW(write_problem(folder / "c.hdf5", file), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "c.hdf5"));
  file.keys.clear();
  file.states.pop_back();
  EXPECT_THROW(write_problem(folder / "c.hdf5", file), Error);
}

TEST(Fclib, AStateThatDoesNotExistIsRefused) {
  const ScratchFolder folder;
  ProblemFile file = local_example();
  file.states = {ContactState::stick, static_cast<ContactState>(3)};
  write_problem(folder / "a.hdf5", file);
  EXPECT_TRUE(has(read_error(folder / "a.hdf5"), "entry 1 of /slipstick_states is 3, expected 0 (open)"));
}

// The velocities of joints follow those of the contacts.
TEST(Fclib, AnAnswerHasTheVelocitiesOfAllRows) {
  const ScratchFolder folder;
  ProblemFile file = local_example();
  const Index rows = std::get<LocalContactProblem>(file.problem).q.size();
  file.solution.emplace();
  file.solution->r = Vector::LinSpaced(rows, 0.1, 1.0);
  file.solution->u = Vector::LinSpaced(rows, -1.0, 1.0 / 3.0);
  write_problem(folder / "a.hdf5", file);
  EXPECT_TRUE(same_contents(file, read_problem(folder / "a.hdf5")));
}

TEST(Fclib, ANewerVersionIsRefusedAndBothAreNamed) {
  const ScratchFolder folder;
  {
    Hdf5File file(folder / "a.hdf5", Hdf5File::Mode::create);
    file.write_group("/slipstick_problem");
    file.write_attribute("/slipstick_problem", "format_version", 7);
    file.close();
  }
  EXPECT_TRUE(has(read_error(folder / "a.hdf5"), "format_version 7, this program reads up to 1"));
  {
    Hdf5File file(folder / "b.hdf5", Hdf5File::Mode::create);
    file.write_group("/slipstick_problem");
    file.close();
  }
  EXPECT_TRUE(has(read_error(folder / "b.hdf5"), "/slipstick_problem has no attribute format_version"));
}

}  // namespace slipstick::internal::fclib_test
