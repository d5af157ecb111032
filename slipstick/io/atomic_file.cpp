// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "slipstick/base/error.hpp"

namespace slipstick::internal {
namespace {

namespace fs = std::filesystem;

// The file lies beside the final one, so that the rename stays within one file system. Its name is unique
// within and across processes.
fs::path temporary_beside(const fs::path& path) {
  static std::atomic<unsigned> count = 0;
  fs::path temporary = path;
  temporary += fmt::format(".{}-{}.tmp", ::getpid(), count++);
  return temporary;
}

class RemoveOnExit {
 public:
  explicit RemoveOnExit(fs::path path) : path_(std::move(path)) {}
  RemoveOnExit(const RemoveOnExit&) = delete;
  RemoveOnExit& operator=(const RemoveOnExit&) = delete;
  ~RemoveOnExit() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }

 private:
  fs::path path_;
};

// Waits until the disk has a file, or the names in a folder.
void synchronize(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool done = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = done ? 0 : errno;
  if (descriptor >= 0) ::close(descriptor);
  if (error == EINVAL) return;  // some file systems cannot do this for folders
  if (!done) fail("cannot write {}: {}", path.string(), std::generic_category().message(error));
}

}  // namespace

void write_durably(const fs::path& path, const fs::path& temporary,
                   const std::function<void(const fs::path&)>& write) {
  const RemoveOnExit cleanup(temporary);
  write(temporary);
  synchronize(temporary);
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) fail("cannot write {}: {}", path.string(), error.message());
  synchronize(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

void write_atomically(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!path.has_filename()) fail("cannot write '{}': it names no file", path.string());
  if (!fs::is_directory(folder, error))
    fail("cannot write {}: the folder {} does not exist", path.string(), folder.string());
  if (fs::is_directory(path, error)) fail("cannot write {}: it is a folder", path.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    fail("cannot write {}: the folder {} is not writable", path.string(), folder.string());

  const fs::path temporary = temporary_beside(path);
  const RemoveOnExit cleanup(temporary);  // finds nothing after the rename
  write(temporary);
  fs::rename(temporary, path, error);
  if (error) fail("cannot write {}: {}", path.string(), error.message());
}

void write_text_atomically(const fs::path& path, std::string_view text) {
  write_atomically(path, [&](const fs::path& temporary) {
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) fail("cannot write {}: the disk may be full", path.string());
  });
}

}  // namespace slipstick::internal
