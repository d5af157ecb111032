// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/problems/problem.hpp"
#include "slipstick/problems/solution.hpp"

namespace slipstick {

enum class FileFormat { fclib, siconos, matrix_market, qps };
std::string_view name(FileFormat format);

/// What a file held.
struct ProblemFile {
  AnyProblem problem;
  FileFormat format = FileFormat::fclib;
  std::string title;  ///< where the format has one
  std::string description;
  std::vector<std::string> warnings;  ///< what was mended or left unread, a sentence each
  std::vector<Solution> guesses;      ///< starting points that the file offers
  std::optional<Solution> solution;   ///< a stored solution, which need not be one
};

/// Reads a problem in any format, told by content (QPS also by its extension). `kind` forces the reading of
/// formats without a type tag (Siconos .dat): lcp, mlcp, contact2d, contact3d, global2d or global3d. Fails
/// with what, where and what was expected.
ProblemFile read_problem(const std::filesystem::path& path, std::optional<ProblemClass> kind = std::nullopt);

/// Writes by extension: .hdf5/.h5 (FCLib; contact problems) or .mtx (Matrix Market with companion files). The
/// file appears under its name only when it is complete. Numbers survive exactly.
void write_problem(const std::filesystem::path& path, const ProblemFile& file);

/// Writes an answer by extension: .hdf5/.h5 (FCLib's /solution group) or .csv. `problem` gives the shape.
void write_solution(const std::filesystem::path& path, const AnyProblem& problem, const Solution& solution);
/// Reads what write_solution wrote, or the /solution of an FCLib file: a warm start.
Solution read_solution(const std::filesystem::path& path);

/// For programs, before the first file: HDF5 then does not tidy up at exit, where it would print complaints
/// about damaged files that were already reported.
void skip_hdf5_exit_handler();

}  // namespace slipstick
