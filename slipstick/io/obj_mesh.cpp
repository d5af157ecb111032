// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/obj_mesh.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/io/text_scanner.hpp"
#include "slipstick/model/check.hpp"

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_obj = std::uintmax_t{1} << 29;  // bytes
constexpr std::array<std::string_view, 16> unread_words = {
    "vn",     "vt",     "vp",     "g",      "o",   "s",  "l",     "p",
    "usemtl", "mtllib", "usemap", "maplib", "lod", "mg", "bevel", "c_interp"};

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  MeshShape read() {
    while (!text_.empty()) {
      ++line_;
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      rest_ = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      read_line();
    }
    check_corners();
    return std::move(mesh_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail_here(fmt::format_string<Args...> format, Args&&... args) const {
    fail("{}: line {}: {}", path_, line_, fmt::format(format, std::forward<Args>(args)...));
  }

  // The next word of the line, empty at its end.
  std::string_view word() {
    constexpr std::string_view spaces = " \t\r\v\f";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(spaces), rest_.size()));
    const std::string_view found = rest_.substr(0, std::min(rest_.find_first_of(spaces), rest_.size()));
    rest_.remove_prefix(found.size());
    return found;
  }

  void read_line() {
    const std::string_view keyword = word();
    if (keyword.empty() || keyword.starts_with('#')) return;
    if (keyword == "v") {
      read_point();
    } else if (keyword == "f") {
      read_face();
    } else if (std::find(unread_words.begin(), unread_words.end(), keyword) == unread_words.end()) {
      fail_here("'{}' is not known, expected v, f or another word of OBJ files", printable(keyword));
    }
  }

  void read_point() {
    if (mesh_.points.size() == SceneLimits::mesh_points)
      fail_here("more than {} points", SceneLimits::mesh_points);
    Eigen::Vector3d& point = mesh_.points.emplace_back();
    for (double& coordinate : point) {
      std::string_view token = word();
      if (token.starts_with('+')) token.remove_prefix(1);
      const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), coordinate);
      if (error != std::errc() || end != token.data() + token.size() || !std::isfinite(coordinate))
        fail_here("expected three finite coordinates, found '{}'", printable(token));
    }
  }

  // The point of a corner a, a/b, a//c or a/b/c. A negative number counts from the last point.
  int corner(std::string_view token) const {
    const std::string_view number = token.substr(0, std::min(token.find('/'), token.size()));
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error != std::errc() || end != number.data() + number.size() || index == 0)
      fail_here("expected the number of a point, found '{}'", printable(token));
    const auto count = static_cast<std::int64_t>(mesh_.points.size());
    const std::int64_t point = index > 0 ? index - 1 : count + index;
    if (point < 0 || point >= static_cast<std::int64_t>(SceneLimits::mesh_points))
      fail_here("point {} does not exist", index);
    return static_cast<int>(point);
  }

  void read_face() {
    corners_.clear();
    for (std::string_view token = word(); !token.empty() && !token.starts_with('#'); token = word())
      corners_.push_back(corner(token));
    if (corners_.size() < 3) fail_here("a face has {} corners, expected at least 3", corners_.size());
    for (std::size_t i = 2; i < corners_.size(); ++i) {
      if (mesh_.triangles.size() == SceneLimits::triangles)
        fail_here("more than {} triangles", SceneLimits::triangles);
      mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
    }
  }

  // Faces may come before their points.
  void check_corners() const {
    for (const std::array<int, 3>& triangle : mesh_.triangles) {
      for (const int point : triangle) {
        if (point >= static_cast<int>(mesh_.points.size()))
          fail("{}: a face has point {}, expected at most {}", path_, point + 1, mesh_.points.size());
      }
    }
  }

  std::string_view text_;
  const std::string& path_;
  std::string_view rest_;  // of the line
  std::int64_t line_ = 0;
  MeshShape mesh_;
  std::vector<int> corners_;
};

}  // namespace

MeshShape parse_obj(std::string_view text, const std::string& path) {
  return ObjReader(text, path).read();
}

MeshShape read_obj(const fs::path& folder, const std::string& file) {
  const fs::path relative(file);
  if (file.empty() || file.find('\0') != file.npos) fail("'{}' is no file", printable(file));
  if (folder.empty()) fail("'{}' cannot be found: the document has no folder", printable(file));
  if (relative.is_absolute() || std::find(relative.begin(), relative.end(), "..") != relative.end())
    fail("'{}' is not below the folder of the document", printable(file));
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  const fs::path path = error ? fs::path() : fs::canonical(root / relative, error);
  if (error) fail("{}: no such file", (folder / relative).string());
  // A link may lead elsewhere.
  if (std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first != root.end())
    fail("'{}' is not below the folder of the document", printable(file));
  std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > largest_obj)
    fail("{}: {} bytes, expected at most {}", path.string(), size, largest_obj);
  return parse_obj(read_file(path), path.string());
}

}  // namespace slipstick::internal
