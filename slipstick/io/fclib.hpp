// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "slipstick/files.hpp"
#include "slipstick/io/solution_file.hpp"

namespace slipstick::internal {

// FCLib's HDF5 layout. The group /fclib_local is u = W r + V l + q, 0 = V'r + R l + s. The group
// /fclib_global is M v = H r + G l + f, u = H'v + w, 0 = G'v + b. Answers are in /solution and /guesses.
// Matrices have nz = -1 (compressed columns), -2 (compressed rows) or the number of triplets. The rows of
// triplets are in `i` and the columns in `p`. (The format's header says otherwise, its files do not.)
//
// FCLib has no bounds and no compliance. A problem with these is under /slipstick_problem, whose attribute
// format_version is 1. It has the matrices W, or M and H, of all rows, and the vectors q or f and w, mu,
// lower, upper, compliance. Files for FCLib have no such group, so that other programs refuse it.

/// If a file holds a local and a global problem, `kind` chooses one.
ProblemFile read_fclib(const std::filesystem::path& path, std::optional<ProblemClass> kind);
/// Throws Error if the problem has no contacts. Local matrices are written as compressed rows, global ones as
/// triplets. Other programs expect this.
void write_fclib(const std::filesystem::path& path, const ProblemFile& file);

/// Returns the /solution of a file, or its first guess.
Solution read_fclib_solution(const std::filesystem::path& path);
void write_fclib_solution(const std::filesystem::path& path, const FileSolution& solution);

}  // namespace slipstick::internal
