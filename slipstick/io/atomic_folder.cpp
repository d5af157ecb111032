// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/atomic_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

class RemoveFolderOnExit {
 public:
  explicit RemoveFolderOnExit(std::filesystem::path path) : path_(std::move(path)) {}
  RemoveFolderOnExit(const RemoveFolderOnExit&) = delete;
  RemoveFolderOnExit& operator=(const RemoveFolderOnExit&) = delete;
  ~RemoveFolderOnExit() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  std::filesystem::path path_;
};

std::filesystem::path beside(const std::filesystem::path& folder, std::string_view word) {
  std::filesystem::path path = folder;
  path += fmt::format(".{}.{}.tmp", ::getpid(), word);
  return path;
}

}  // namespace

void write_folder_atomically(const std::filesystem::path& target, bool force,
                             const std::function<bool(std::string_view)>& is_ours,
                             const std::function<void(const std::filesystem::path&)>& write) {
  namespace fs = std::filesystem;
  const fs::path folder = target.has_filename() ? target : target.parent_path();
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : ".";
  std::error_code error;
  const std::string name = folder.filename().string();
  if (name.empty() || name == "." || name == "..")
    fail("cannot write '{}': expected the name of a new folder", target.string());
  if (!fs::is_directory(parent, error))
    fail("cannot write {}: the folder {} does not exist", folder.string(), parent.string());
  const bool there = fs::exists(fs::symlink_status(folder, error));
  if (there && !fs::is_directory(fs::symlink_status(folder, error)))
    fail("cannot write {}: it exists and is no folder", folder.string());
  if (there) {
    fs::directory_iterator entry(folder, error);
    for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
      if (!force) fail("cannot write {}: the folder has files in it; --force replaces them", folder.string());
      if (!is_ours(entry->path().filename().string()))
        fail("cannot replace {}: it holds {}, which is from elsewhere", folder.string(),
             entry->path().filename().string());
    }
    if (error) fail("cannot write {}: {}", folder.string(), error.message());
  }

  const fs::path fresh = beside(folder, "new");
  const fs::path old = beside(folder, "old");
  if (!fs::create_directory(fresh, error)) fail("cannot write {}: {}", fresh.string(), error.message());
  const RemoveFolderOnExit cleanup(fresh);  // finds nothing after the rename
  write(fresh);
  if (there) fs::rename(folder, old, error);
  const RemoveFolderOnExit remove_old(old);
  if (!error) fs::rename(fresh, folder, error);
  if (error) {
    const std::string reason = error.message();
    if (there) fs::rename(old, folder, error);
    fail("cannot write {}: {}", folder.string(), reason);
  }
}

TextFile::TextFile(const std::filesystem::path& path)
    : path_(path.string()), file_(std::fopen(path_.c_str(), "wbe")) {
  if (file_ == nullptr) complain();
}

TextFile::~TextFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void TextFile::append(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) complain();
}

void TextFile::close() {
  if (std::fclose(std::exchange(file_, nullptr)) != 0) complain();
}

void TextFile::complain() const {
  fail("cannot write {}: {}", path_, std::generic_category().message(errno));
}

}  // namespace slipstick::internal
