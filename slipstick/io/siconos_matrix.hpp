// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "slipstick/io/text_scanner.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// A matrix block of a Siconos .dat file: storage (0 dense, 1 sparse blocks, 2 sparse), sizes, entries. If
/// `rows` or `columns` is not negative, other sizes are refused. Zeros of dense storage and of blocks are
/// dropped. Sparse entries are kept as they are.
CsrMatrix read_siconos_matrix(TextScanner& scanner, std::string_view name, Index rows, Index columns,
                              std::vector<std::string>& warnings);

}  // namespace slipstick::internal
