// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/measures/measures.hpp"
#include "slipstick/problems/solution.hpp"
#include "slipstick/solve/status.hpp"

namespace slipstick {

/// How much work a solve took.
struct Counts {
  std::int64_t iterations = 0;      ///< iterations of the method's main loop
  std::int64_t products = 0;        ///< products with A
  std::int64_t factorizations = 0;  ///< of all matrices, incomplete ones included

  Counts& operator+=(const Counts& other) {
    iterations += other.iterations;
    products += other.products;
    factorizations += other.factorizations;
    return *this;
  }
};

/// The answer of a solve, with its certificate. A kept Result is filled in place. For the same sizes this
/// allocates nothing.
struct Result : Solution {
  Status status = Status::not_run;
  std::string message;  ///< a sentence with figures
  Measures measures;    ///< of x, on the problem as given
  Counts counts;
  double seconds = 0.0;
  bool start_used = false;  ///< a warm start was given, and it fits
  bool solved() const { return status == Status::solved; }
};

/// A method that was tried on the way to an answer.
struct Attempt {
  std::string_view solver;
  std::string_view reason;  ///< why it was chosen
  Status status = Status::not_run;
  std::int64_t iterations = 0;
  double error = 0.0;  ///< by the measure asked for; of islands, relative to the tolerance
  int islands = 0;     ///< of the problem that it was given, 0 for the whole problem
  int solved_islands = 0;
  int contacts = 0;  ///< of these islands
};

/// Where to start: the solution of an earlier, similar problem. Result::start_used says whether it fits.
struct WarmStart {
  Vector x;
};

}  // namespace slipstick
