// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/catalog/driver.hpp"
#include "slipstick/catalog/parts.hpp"

namespace slipstick {

/// Solves the parts of a problem one by one, several threads at once where there is work for them. Each part
/// may have its share of the error, tolerance ||b|| sqrt(n_part / n), whatever the others have used. Which
/// thread takes a part changes no bit.
class PartSolver {
 public:
  explicit PartSolver(SolveRequest request);

  /// Finds the parts of a problem; false where there is but one.
  bool prepare(const Problem& problem);
  bool ready() const { return !parts_.empty(); }
  /// For a problem with the matrix and the set that were prepared. Leaves x, the counts, the attempts and the
  /// name of the method that solved most parts; false where a part is not solved.
  bool solve(const Problem& problem, const Settings& settings, const WarmStart* warm_start,
             Observer* observer, DriverResult& result);

 private:
  // What a thread solves parts with, and its account.
  struct Worker {
    Driver driver;
    DriverResult result = {};
    WarmStart start = {};
    Counts counts = {};
    std::vector<Attempt> attempts = {};
    void note();
  };
  struct Whole {
    const Problem& problem;
    const Settings& settings;
    const WarmStart* warm_start;
    double norm;
  };
  bool solve_part(const Whole& whole, ProblemPart& part, Observer* observer, Worker& worker, Vector& x) const;
  static void add_account(const Worker& worker, DriverResult& result);

  SolveRequest request_;
  std::vector<ProblemPart> parts_;
  std::vector<Worker> workers_;  // one for every thread
};

}  // namespace slipstick
