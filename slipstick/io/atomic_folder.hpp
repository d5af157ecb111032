// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace slipstick::internal {

/// Calls write(temporary folder beside `folder`), then renames it to `folder`. If write throws, nothing is
/// left. A folder with files is replaced only if `force` is set and is_ours is true for each name in it.
void write_folder_atomically(const std::filesystem::path& folder, bool force,
                             const std::function<bool(std::string_view)>& is_ours,
                             const std::function<void(const std::filesystem::path&)>& write);

/// A text file that is written piece by piece. Errors are Error, with their cause.
class TextFile {
 public:
  explicit TextFile(const std::filesystem::path& path);
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  void append(std::string_view text);
  /// The file is complete only after this returns.
  void close();

 private:
  [[noreturn]] void complain() const;

  std::string path_;
  std::FILE* file_;
};

}  // namespace slipstick::internal
