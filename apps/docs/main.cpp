// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-docs FILE...: brings the generated sections of Markdown files up to date. Called by `make docs`
// in the folder of the sources.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

#include "slipstick/catalog/solver_table.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/report/study_section.hpp"
#include "slipstick/io/text_scanner.hpp"

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string page = slipstick::internal::read_file(argv[i]);
      const std::string updated = slipstick::internal::with_generated_sections(
          page,
          [](std::string_view study) { return slipstick::internal::study_section("bench/results", study); });
      if (updated == page) continue;
      slipstick::internal::write_text_atomically(argv[i], updated);
      fmt::print("{}: updated\n", argv[i]);
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "slipstick-docs: {}\n", error.what());
    return 1;
  }
}
