// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The numbers of a page (apps/viewer/README.md): bit by bit, and small. What changes slowly in time has
// small differences of some order. Their bytes are sorted by weight, so that zeros stand together.
namespace slipstick::internal {

/// Whether this build makes pages: it was made with zlib.
bool has_zlib();

/// A number as an integer. It rises with the number, and no two numbers have the same.
std::uint64_t code_of(double number);

/// Appends a column. Its codes are those of one time after the other, `per_time` each. The order of the
/// differences is the one that gives the fewest bytes.
void append_column(std::string& block, std::span<const std::uint64_t> codes, std::size_t per_time);

/// Appends a column of contacts. `links` has, for each row of `width` codes, the row before it in time, or
/// -1.
void append_linked_column(std::string& block, std::span<const std::uint64_t> codes, std::size_t width,
                          std::span<const std::int64_t> links);

/// Appends a column of contacts that others predict, as order 2.
void append_predicted_column(std::string& block, std::span<const std::uint64_t> codes,
                             std::span<const std::uint64_t> predicted);

/// Appends differences as they are.
void append_differences(std::string& block, std::span<const std::uint64_t> differences);

/// As a zlib stream (RFC 1950), which has a checksum.
std::string deflated(std::string_view bytes);

}  // namespace slipstick::internal
