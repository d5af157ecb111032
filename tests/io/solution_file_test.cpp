// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/solution_file.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/io/hdf5_testing.hpp"
#include "tests/io/io_testing.hpp"

namespace slipstick::internal::solution_file_test {

TEST(SolutionFile, EveryTypeSurvives) {
  const ScratchFolder folder;
  for (const char* name : {"s.csv", "s.hdf5", "s.h5"}) {
    const ProblemFile quadratic = quadratic_example();
    write_solution(folder / name, quadratic.problem, *quadratic.solution);
    EXPECT_TRUE(same_solution(*quadratic.solution, read_solution(folder / name))) << name;
    const ProblemFile local = local_example();
    write_solution(folder / name, local.problem, *local.solution);
    EXPECT_TRUE(same_solution(*local.solution, read_solution(folder / name))) << name;
    const ProblemFile global = global_example();
    write_solution(folder / name, global.problem, global.guesses[0]);
    EXPECT_TRUE(same_solution(global.guesses[0], read_solution(folder / name))) << name;
    write_solution(folder / name, global.problem, Solution{});
    EXPECT_TRUE(same_solution(Solution{}, read_solution(folder / name))) << name;
  }
}

TEST(SolutionFile, CsvHasAHeaderAndEmptyCells) {
  FileSolution solution;
  solution.r = vec({0.5, -1});
  solution.l = Vector::Constant(1, 2.0);
  EXPECT_EQ(solution_csv(solution), "row,r,l\n0,0.5,2\n1,-1,\n");
}

TEST(SolutionFile, AnFclibProblemOffersItsSolutionOrFirstGuess) {
  const ScratchFolder folder;
  ProblemFile file = local_example();
  write_problem(folder / "a.hdf5", file);
  EXPECT_TRUE(same_solution(*file.solution, read_solution(folder / "a.hdf5")));
  file.solution.reset();
  write_problem(folder / "a.hdf5", file);
  EXPECT_TRUE(same_solution(file.guesses[0], read_solution(folder / "a.hdf5")));
  write_small_local(folder / "b.hdf5");
  EXPECT_THROW(read_solution(folder / "b.hdf5"), Error);
}

TEST(SolutionFile, ShapesAreChecked) {
  const ScratchFolder folder;
  Solution solution;
  solution.r = Vector::Zero(5);
  EXPECT_THROW(write_solution(folder / "a.csv", local_example().problem, solution), Error);
  solution = {};
  solution.x = Vector::Zero(3);
  EXPECT_THROW(write_solution(folder / "a.csv", lcp_example().problem, solution), Error);
  solution = {};
  solution.v = Vector::Zero(3);
  EXPECT_THROW(write_solution(folder / "a.hdf5", global_example().problem, solution), Error);
  EXPECT_THROW(write_solution(folder / "a.txt", global_example().problem, {}), Error);
  EXPECT_EQ(folder.entries(), 0);
}

TEST(SolutionFile, WrongCsvIsRefused) {
  const ScratchFolder folder;
  for (const char* text :
       {"", "x\n1\n", "row,y\n0,1\n", "row,x,x\n0,1,1\n", "row,x\n1,1\n", "row,x\n0,1,2\n", "row,x\n0,nan\n",
        "row,x\n0,inf\n", "row,x\n0,\n1,2\n", "row,x\n0,1e999\n", "row,x\n0,1 2\n"})
    EXPECT_THROW(read_solution(folder.file("a.csv", text)), Error) << text;
}

}  // namespace slipstick::internal::solution_file_test
