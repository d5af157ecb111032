// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/schurpa.hpp"

#include <algorithm>

namespace slipstick::internal {
namespace {

constexpr Index most_entries = Index{1} << 26;  // limit of the entries of Y = L^-1 U: half a gigabyte

}  // namespace

bool Schurpa::solve_system(VectorView r) {
  const SchurComplement::Base base{factorized_, factor(), [this](MatrixView x) { solve_lower(x); },
                                   [this](VectorView x) { solve_upper(x); }};
  if (!factorized_.empty() && complement_.solve(matrix(), base, inside(), r)) return true;
  factorized_ = inside();
  if (!factorize(factorized_)) {
    factorized_.clear();
    return false;
  }
  const Index rows = std::max<Index>(1, matrix().rows());
  complement_.reset(rows, std::min<Index>({settings_.max_changes, rows, most_entries / rows + 1}));
  solve_lower(r);
  solve_upper(r);
  return true;
}

}  // namespace slipstick::internal
