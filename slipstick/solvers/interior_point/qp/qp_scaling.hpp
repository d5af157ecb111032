// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/solvers/interior_point/qp/standard_qp.hpp"

namespace slipstick::internal {

/// Equilibration (Ruiz 2001): x = columns x~, row i times rows_i, and the objective times `objective`, so
/// that the rows of [ H, G' ; G, 0 ] have a largest entry of about 1. The factors are powers of two, so that
/// scaling rounds nothing.
class QpScaling {
 public:
  /// Scales the problem.
  void scale(StandardQp& qp);
  const Vector& columns() const { return columns_; }
  const Vector& rows() const { return rows_; }
  double objective() const { return objective_; }

 private:
  Vector columns_, rows_, column_size_, row_size_;
  double objective_ = 1.0;
};

}  // namespace slipstick::internal
