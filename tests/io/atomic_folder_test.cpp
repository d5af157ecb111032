// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/atomic_folder.hpp"

#include <gtest/gtest.h>

#include "slipstick/base/error.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::atomic_folder_test {

namespace fs = std::filesystem;

bool is_text(std::string_view name) {
  return name.ends_with(".txt");
}

void write_one(const fs::path& folder, bool force, const std::string& name) {
  write_folder_atomically(folder, force, is_text, [&](const fs::path& temporary) {
    EXPECT_NE(temporary, folder);
    TextFile file(temporary / name);
    file.append("one ");
    file.append("two");
    file.close();
  });
}

TEST(AtomicFolder, WritesAndReplaces) {
  const ScratchFolder folder;
  write_one(folder / "out", false, "a.txt");
  EXPECT_EQ(bytes_of(folder / "out/a.txt"), "one two");
  EXPECT_TRUE(has(message_of([&] { write_one(folder / "out", false, "b.txt"); }), "--force"));
  write_one(folder / "out/", true, "b.txt");
  EXPECT_FALSE(fs::exists(folder / "out/a.txt"));
  EXPECT_EQ(bytes_of(folder / "out/b.txt"), "one two");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFolder, FilesFromElsewhereStay) {
  const ScratchFolder folder;
  fs::create_directory(folder / "out");
  folder.file("out/photo.png", "x");
  EXPECT_TRUE(has(message_of([&] { write_one(folder / "out", true, "a.txt"); }), "photo.png"));
  fs::create_directory(folder / "target");
  fs::create_directory_symlink(folder / "target", folder / "link");
  EXPECT_TRUE(has(message_of([&] { write_one(folder / "link", true, "a.txt"); }), "no folder"));
  EXPECT_EQ(folder.entries(), 3);
}

TEST(AtomicFolder, AFailedWriteLeavesTheOldFolder) {
  const ScratchFolder folder;
  write_one(folder / "out", false, "a.txt");
  EXPECT_THROW(write_folder_atomically(folder / "out", true, is_text,
                                       [](const fs::path& temporary) {
                                         TextFile(temporary / "b.txt").append("half");
                                         fail("broken off");
                                       }),
               Error);
  EXPECT_EQ(bytes_of(folder / "out/a.txt"), "one two");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(TextFile, NamesWhatItCannotWrite) {
  const ScratchFolder folder;
  EXPECT_TRUE(has(message_of([&] { TextFile file(folder / "missing/a.txt"); }), "missing/a.txt"));
  EXPECT_TRUE(has(message_of([&] {
                    TextFile file("/dev/full");
                    file.append("x");
                    file.close();
                  }),
                  "No space left on device"));
}

}  // namespace slipstick::internal::atomic_folder_test
