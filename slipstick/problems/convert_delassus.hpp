// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// Returns W = H' M^-1 H + C as an operator over a body graph, if the problem has one. M must be block
/// diagonal, with symmetric positive definite blocks of d <= 6 degrees of freedom. The columns of a contact
/// in H must touch at most two bodies. So must the column of each row of a joint. Neighbouring rows of joints
/// on the same bodies are one constraint. If several d fit, 6 in space and 3 in the plane are preferred. If M
/// is diagonal, the inverse mass is stored as a diagonal.
std::optional<DelassusOperator> body_graph(const GlobalContactProblem& problem);

/// The same for time loops: allocates nothing if the last problem had the same sizes.
class BodyGraphReader {
 public:
  /// W <- H' M^-1 H + C. Returns false if there is no such graph.
  bool read(const GlobalContactProblem& problem, DelassusOperator& W);

 private:
  bool read_constraints(const GlobalContactProblem& problem, int dofs);
  bool read_inverse_mass(const CsrMatrix& m, int dofs);
  void read_jacobian(const GlobalContactProblem& problem, int dofs);

  std::vector<Constraint> constraints_;
  std::vector<int> constraint_of_;  // by column of H
  std::vector<double> inverse_mass_, jacobian_;
  Vector compliance_;
};

}  // namespace slipstick::internal
