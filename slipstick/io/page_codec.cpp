// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/page_codec.hpp"

#include <array>
#include <bit>
#include <cassert>
#include <vector>

#ifdef SLIPSTICK_HAVE_ZLIB
#include <zlib.h>
#endif

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

constexpr std::size_t highest_order = 3;

// Small for small differences of both signs.
std::uint64_t zigzag(std::uint64_t difference) {
  const bool negative = (difference >> 63) != 0;
  return (difference << 1) ^ (negative ? ~std::uint64_t{0} : 0);
}

std::uint64_t significant_bytes(std::uint64_t number) {
  return (static_cast<std::uint64_t>(std::bit_width(number)) + 7) / 8;
}

void append_planes(std::string& block, std::size_t order, std::span<const std::uint64_t> entries) {
  block += static_cast<char>(order);
  const std::size_t start = block.size();
  block.resize(start + 8 * entries.size());
  for (std::size_t plane = 0; plane < 8; ++plane) {
    char* to = block.data() + start + plane * entries.size();
    for (const std::uint64_t entry : entries) *to++ = static_cast<char>(entry >> 8 * plane);
  }
}

}  // namespace

std::uint64_t code_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  return (bits >> 63) != 0 ? bits ^ 0x7fffffffffffffffULL : bits;
}

void append_column(std::string& block, std::span<const std::uint64_t> codes, std::size_t per_time) {
  // differences[k] has order k. Before the first time there are zeros.
  std::array<std::vector<std::uint64_t>, highest_order + 1> differences;
  std::array<std::uint64_t, highest_order + 1> bytes = {};
  differences[0].assign(codes.begin(), codes.end());
  for (std::size_t order = 0; order <= highest_order; ++order) {
    if (order > 0) {
      const std::vector<std::uint64_t>& lower = differences[order - 1];
      differences[order] = lower;
      for (std::size_t k = per_time; k < lower.size(); ++k) differences[order][k] -= lower[k - per_time];
    }
    for (const std::uint64_t difference : differences[order])
      bytes[order] += significant_bytes(zigzag(difference));
  }
  std::size_t best = 0;
  for (std::size_t order = 1; order <= highest_order; ++order)
    if (bytes[order] < bytes[best]) best = order;
  for (std::uint64_t& difference : differences[best]) difference = zigzag(difference);
  append_planes(block, best, differences[best]);
}

void append_linked_column(std::string& block, std::span<const std::uint64_t> codes, std::size_t width,
                          std::span<const std::int64_t> links) {
  assert(codes.size() == links.size() * width);
  std::array<std::vector<std::uint64_t>, 2> entries;
  std::array<std::uint64_t, 2> bytes = {};
  for (std::size_t order = 0; order < 2; ++order) {
    entries[order].resize(codes.size());
    for (std::size_t k = 0; k < codes.size(); ++k) {
      const std::int64_t link = links[k / width];
      const bool has_past = order == 1 && link >= 0;
      const std::uint64_t past = has_past ? codes[static_cast<std::size_t>(link) * width + k % width] : 0;
      entries[order][k] = zigzag(codes[k] - past);
      bytes[order] += significant_bytes(entries[order][k]);
    }
  }
  const std::size_t best = bytes[1] < bytes[0] ? 1 : 0;
  append_planes(block, best, entries[best]);
}

void append_predicted_column(std::string& block, std::span<const std::uint64_t> codes,
                             std::span<const std::uint64_t> predicted) {
  assert(codes.size() == predicted.size());
  std::vector<std::uint64_t> entries(codes.size());
  for (std::size_t k = 0; k < codes.size(); ++k) entries[k] = zigzag(codes[k] - predicted[k]);
  append_planes(block, 2, entries);
}

void append_differences(std::string& block, std::span<const std::uint64_t> differences) {
  std::vector<std::uint64_t> entries(differences.begin(), differences.end());
  for (std::uint64_t& entry : entries) entry = zigzag(entry);
  append_planes(block, 0, entries);
}

#ifdef SLIPSTICK_HAVE_ZLIB

bool has_zlib() {
  return true;
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) fail("zlib cannot compress {} bytes (status {})", bytes.size(), status);
  result.resize(size);
  return result;
}

#else

bool has_zlib() {
  return false;
}

std::string deflated(std::string_view) {
  fail("this program was built without zlib, which pages need");
}

#endif

}  // namespace slipstick::internal
