// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace slipstick::internal {

/// Calls write(temporary path beside `path`), then renames the file to `path`. If write throws, the temporary
/// file is removed. So no half-written file ever has the final name. Throws Error if the folder is missing or
/// not writable.
void write_atomically(const std::filesystem::path& path,
                      const std::function<void(const std::filesystem::path&)>& write);
/// The same, and the file is on the disk before it gets its name, also if the machine stops. `temporary` is
/// in a folder of the same file system.
void write_durably(const std::filesystem::path& path, const std::filesystem::path& temporary,
                   const std::function<void(const std::filesystem::path&)>& write);
/// The same as write_atomically for a text that is ready.
void write_text_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace slipstick::internal
