// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick {

enum class FileFormat { fclib, siconos, matrix_market, qps };
SLIPSTICK_EXPORT std::string_view name(FileFormat format);

/// The content of a problem file.
struct ProblemFile {
  AnyProblem problem;
  FileFormat format = FileFormat::fclib;
  std::string title;  ///< empty if the format has none
  std::string description;
  std::vector<std::string> warnings;  ///< one sentence for each thing that was repaired or not read
  std::vector<Solution> guesses;      ///< starting points in the file
  std::optional<Solution> solution;   ///< the stored solution, not checked
  /// Keys of the contacts, then of the rows of joints (see ContactMemory). HDF5 files only. Empty: none.
  std::vector<std::uint64_t> keys;
  std::vector<ContactState> states;  ///< of the contacts. HDF5 files only. Empty: not known
};

/// Reads a problem in any format. The content tells the format (QPS: also the extension). Siconos .dat files
/// have no type tag; `kind` sets their type: lcp, mlcp, contact2d, contact3d, global2d or global3d. Throws
/// Error with the error, its position, and what was expected.
SLIPSTICK_EXPORT ProblemFile read_problem(const std::filesystem::path& path,
                                          std::optional<ProblemClass> kind = std::nullopt);

/// Writes a problem. The extension tells the format: .hdf5/.h5 (FCLib; contact problems), .mtx (Matrix Market
/// with companion files) or .qps (QPs over bounds). The file gets its name only when it is complete. Numbers
/// are written exactly; see docs/file-formats.md for ranges in QPS.
SLIPSTICK_EXPORT void write_problem(const std::filesystem::path& path, const ProblemFile& file);

/// Writes an answer to .hdf5/.h5 (FCLib's /solution group) or .csv. `problem` gives the sizes.
SLIPSTICK_EXPORT void write_solution(const std::filesystem::path& path, const AnyProblem& problem,
                                     const Solution& solution);
/// Reads an answer that write_solution wrote, or the /solution of an FCLib file.
SLIPSTICK_EXPORT Solution read_solution(const std::filesystem::path& path);

/// Programs call this before the first file. HDF5 then does not clean up at exit. There it would print
/// messages about damaged files that were reported before.
SLIPSTICK_EXPORT void skip_hdf5_exit_handler();

}  // namespace slipstick
