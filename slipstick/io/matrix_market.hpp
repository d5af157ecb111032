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

/// A matrix file as read. Coordinate files give triplets (a symmetric file gives both triangles), array files
/// give dense values. Nothing is allocated for rows and columns before their numbers are compared with the
/// problem's vectors.
struct MarketMatrix {
  Index rows = 0;
  Index columns = 0;
  bool symmetric = false;  ///< as the banner says
  std::variant<std::vector<Triplet>, DenseMatrix> values;
  std::map<std::string, std::string> remarks;
};

/// `infinite_values` allows infinite numbers, for bounds. Errors name the path and the line.
MarketMatrix parse_matrix_market(std::string_view text, const std::string& path,
                                 bool infinite_values = false);

/// Coordinate form, with all digits. If the matrix is symmetric bit by bit, only its lower triangle is
/// written.
std::string matrix_market_text(const CsrMatrix& a, const std::string& remarks = {});
/// Array form, likewise.
std::string matrix_market_text(const DenseMatrix& a, const std::string& remarks = {});
std::string matrix_market_text(const Vector& values);

}  // namespace slipstick::internal
