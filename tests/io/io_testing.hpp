// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "slipstick/files.hpp"
#include "tests/support/dense.hpp"

namespace slipstick::internal {

/// A folder of the running test's own, removed at its end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  /// The path of a new file with the given bytes.
  std::filesystem::path file(std::string_view name, std::string_view bytes) const;
  /// Entries in the folder.
  int entries() const;

 private:
  std::filesystem::path path_;
};

std::string bytes_of(const std::filesystem::path& path);

/// Whether two problems are the same, bit by bit. The message names the first difference.
testing::AssertionResult same_problem(const AnyProblem& a, const AnyProblem& b);
testing::AssertionResult same_solution(const Solution& a, const Solution& b);
testing::AssertionResult same_matrix(const CsrMatrix& a, const CsrMatrix& b);
/// Problem, texts, guesses and solution.
testing::AssertionResult same_contents(const ProblemFile& a, const ProblemFile& b);

/// Whether the part is in the text, which the message shows.
testing::AssertionResult has(const std::string& text, const std::string& part);
/// The message of the Error that reading the file must throw. If it does not, the test fails.
std::string read_error(const std::filesystem::path& path, std::optional<ProblemClass> kind = std::nullopt);

CsrMatrix csr(const DenseMatrix& a);

// Small problems of every type, with everything that they may hold.
ProblemFile local_example();
ProblemFile global_example();
ProblemFile quadratic_example();
ProblemFile box_example();
ProblemFile mixed_lcp_example();
ProblemFile lcp_example();

}  // namespace slipstick::internal
