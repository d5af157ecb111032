// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scene_files.hpp"

#include <algorithm>
#include <string>
#include <system_error>

#include "slipstick/base/error.hpp"
#include "slipstick/io/scene_document.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/model/check.hpp"

namespace slipstick::internal {
namespace {

constexpr std::uintmax_t largest_document = std::uintmax_t{1} << 28;  // bytes
constexpr std::int64_t most_containers = 8'000'000;
constexpr std::int64_t most_values = 40'000'000;
constexpr int deepest = 16;

// Refuses texts that are too deep or too long before anything is taken for them. Texts that are no JSON are
// the parser's task.
void check_extent(std::string_view text) {
  if (text.size() > largest_document) fail("{} bytes, expected at most {}", text.size(), largest_document);
  int depth = 0;
  std::int64_t containers = 0, values = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"') quoted = !quoted;
    if (quoted) {
      if (letter == '\\') ++i;
      continue;
    }
    values += letter == ',' ? 1 : 0;
    if (letter == '[' || letter == '{') {
      ++containers;
      if (++depth > deepest) fail("brackets are nested more than {} deep", deepest);
    }
    if (letter == ']' || letter == '}') --depth;
  }
  if (containers > most_containers)
    fail("{} lists and objects, expected at most {}", containers, most_containers);
  if (values > most_values) fail("{} values, expected at most {}", values, most_values);
}

// A message may hold pieces of the document.
std::string one_line(std::string message) {
  constexpr std::size_t longest = 1000;
  if (message.size() > longest) message = message.substr(0, longest) + "...";
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return message;
}

}  // namespace
}  // namespace slipstick::internal

namespace slipstick {
using namespace internal;

Scene parse_scene(std::string_view text, const std::filesystem::path& folder) {
  try {
    check_extent(text);
    Scene scene = scene_of_document(text, folder);
    check(scene);
    return scene;
  } catch (const Error& error) {
    throw Error(one_line(error.what()));
  }
}

Scene read_scene(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored && size > largest_document)
    fail("{}: {} bytes, expected at most {}", path.string(), size, largest_document);
  const std::string text = read_file(path);
  try {
    return parse_scene(text, path.has_parent_path() ? path.parent_path() : ".");
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace slipstick
