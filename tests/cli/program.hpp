// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#ifdef SLIPSTICK_HAS_JSON
#include <nlohmann/json.hpp>
#endif

namespace slipstick::internal::cli {

/// How a run of the program ended.
struct Outcome {
  int exit_code = -1;  ///< minus the signal if one ended it
  std::string out;
  std::string err;
};

/// Tests that run the built program in a folder of their own.
class CliTest : public testing::Test {
 protected:
  CliTest();
  ~CliTest() override;

  /// A running program. Its output goes to files; on request, stderr goes to a pseudo terminal.
  struct Running {
    int pid = -1;
    int terminal = -1;
  };
  Running start(const std::vector<std::string>& arguments, bool terminal = false) const;
  Outcome wait(const Running& running) const;
  /// Blocks until the program shows progress on its terminal.
  static void wait_for_progress(const Running& running);

  /// Runs to the end.
  Outcome run(const std::vector<std::string>& arguments) const { return wait(start(arguments)); }
  /// The same, and the exit code must be the given one.
  Outcome run(int exit_code, const std::vector<std::string>& arguments) const;

  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  /// Names of all files in the folder, sorted.
  std::vector<std::string> list() const;

  // Small problems with known answers, written by hand.
  void write_lcp(const std::string& name) const;      ///< solution (4/3, 7/3)
  void write_contact(const std::string& name) const;  ///< one contact in the plane; without friction r_N = 2
  /// A problem on which Gauss-Seidel sweeps go on for minutes.
  void generate_slow(const std::string& name) const;

  std::filesystem::path folder_;
};

/// The lines of a text, without the line ends.
std::vector<std::string> lines(const std::string& text);
/// The fields of a CSV line without quotes.
std::vector<std::string> fields(const std::string& line);

#ifdef SLIPSTICK_HAS_JSON
using Json = nlohmann::json;
/// The one JSON text that a stdout holds.
inline Json parse(const std::string& out) {
  return Json::parse(out);
}
#endif

}  // namespace slipstick::internal::cli

#ifdef SLIPSTICK_HAS_JSON
#define SLIPSTICK_NEEDS_JSON()
#else
#define SLIPSTICK_NEEDS_JSON() GTEST_SKIP() << "needs nlohmann-json to read what the program prints"
#endif
