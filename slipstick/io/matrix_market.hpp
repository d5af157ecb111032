// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

// One file: a matrix or a vector with our remarks in its comments ("%slipstick: KEY VALUE").

/// A matrix file as read: coordinate files give triplets (a symmetric one both triangles), array files dense
/// values. Nothing is allocated for rows and columns before their number has been compared with the problem's
/// vectors.
struct MarketMatrix {
  Index rows = 0;
  Index columns = 0;
  bool symmetric = false;  ///< as the banner says
  std::variant<std::vector<Triplet>, DenseMatrix> values;
  std::map<std::string, std::string> remarks;
};

/// `what` may be infinite where it holds bounds. Fails with path and line.
MarketMatrix parse_matrix_market(std::string_view text, const std::string& path,
                                 bool infinite_values = false);

/// Coordinate form, or its lower triangle where the matrix is symmetric bit by bit; exact.
std::string matrix_market_text(const CsrMatrix& a, const std::string& remarks = {});
/// Array form, likewise.
std::string matrix_market_text(const DenseMatrix& a, const std::string& remarks = {});
std::string matrix_market_text(const Vector& values);

}  // namespace slipstick::internal
