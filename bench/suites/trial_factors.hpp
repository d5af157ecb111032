// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

// What could make an incomplete factor with imaginary columns better on heaps; see preconditioner_study.cpp.
namespace slipstick::internal::bench {

/// A with zeros stored at the fill of a factor of at most that level. IC(0) of it is IC(levels) of A.
CsrMatrix with_fill(const CsrMatrix& a, int levels);

/// A with its diagonal times 1 + share.
CsrMatrix with_shift(const CsrMatrix& a, double share);

/// The condition number of D^-1/2 A D^-1/2, D the diagonal of A, from power and inverse iterations: within
/// some percent.
double scaled_condition(const CsrMatrix& a);

/// IC(0) with imaginary columns, contact by contact. The pattern is that of 3 x 3 blocks. The negative
/// eigenvalues of a pivot block give imaginary columns.
class BlockImaginaryFactor {
 public:
  /// Eigenvalues below the floor times the mean diagonal of the block of A are put there.
  void factor(const CsrMatrix& a, double floor);
  void solve(Vector& z) const;
  /// Entries of L below its diagonal blocks.
  Index entries() const { return entries_; }
  Index breakdowns() const { return breakdowns_; }

 private:
  using Block = Eigen::Matrix<double, 3, 3>;
  struct Entry {
    int row;  // of blocks
    Block value;
  };
  std::vector<std::vector<Entry>> columns_;
  std::vector<Block> inverse_root_;  // X with X X' = |pivot|^-1
  Index entries_ = 0, breakdowns_ = 0;
};

}  // namespace slipstick::internal::bench
