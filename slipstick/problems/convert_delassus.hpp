// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/problems/problem.hpp"

namespace slipstick {

/// W = H' M^-1 H of a contact problem in global form as a body graph, where it is one: M is block diagonal
/// with symmetric positive definite blocks of d degrees of freedom each, d <= 6, each contact's columns of H
/// touch at most two of these bodies, and there is no bilateral part. Of several d that fit, the natural one
/// (6 in space, 3 in the plane) is taken. The inverse mass is stored as a diagonal where M is one.
std::optional<DelassusOperator> body_graph(const GlobalContactProblem& problem);

}  // namespace slipstick
