// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// A dense factorization L D L' of a symmetric positive definite matrix. The matrix gains rows at its end and
/// loses rows anywhere, each in O(n^2). Only reset() allocates.
class GrowingLdl {
 public:
  /// Makes room for `capacity` rows and removes all rows.
  void reset(Index capacity);
  /// Appends a row with the given diagonal entry and the entries `coupling`, one per present row. Returns
  /// false, and changes nothing, if the pivot is below `smallest` times the diagonal entry.
  bool append(ConstVectorView coupling, double diagonal, double smallest = 1e-13);
  /// The rows after k move up by one.
  void remove(Index k);
  /// x <- A^-1 x
  void solve(VectorView x) const;
  Index size() const { return size_; }

 private:
  double* row(Index i) { return lower_.data() + i * capacity_; }
  const double* row(Index i) const { return lower_.data() + i * capacity_; }

  Index capacity_ = 0;
  Index size_ = 0;
  std::vector<double> lower_;     // row by row, without the unit diagonal
  std::vector<double> diagonal_;  // D
  std::vector<double> weight_, step_;
};

}  // namespace slipstick::internal
