// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/io/files.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick {

/// Reads the text of a Siconos .dat file. The format has no type tag: every kind of problem is tried (or only
/// `kind`), and the reading that leaves the least of the file unread wins; two equally good ones are an error
/// that asks for `kind`.
ProblemFile read_siconos(std::string_view text, const std::string& path, std::optional<ProblemClass> kind);

/// A matrix block of such a file: storage (0 dense, 1 sparse blocks, 2 sparse), sizes, entries. Sizes other
/// than `rows` x `columns` (where not negative) are refused. Zeros of dense storage and of blocks are
/// dropped; sparse entries are kept as they are.
CsrMatrix read_siconos_matrix(TextScanner& scanner, std::string_view name, Index rows, Index columns,
                              std::vector<std::string>& warnings);

}  // namespace slipstick
