// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/atomic_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "slipstick/base/error.hpp"
#include "tests/io/io_testing.hpp"

namespace slipstick::internal::atomic_file_test {

namespace fs = std::filesystem;

TEST(AtomicFile, WritesAndReplaces) {
  const ScratchFolder folder;
  write_text_atomically(folder / "a.txt", "first");
  write_text_atomically(folder / "a.txt", std::string_view("second\0!", 8));
  EXPECT_EQ(bytes_of(folder / "a.txt"), std::string("second\0!", 8));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, TheOldFileStaysUntilTheNewOneIsComplete) {
  const ScratchFolder folder;
  write_text_atomically(folder / "a.txt", "old");
  write_atomically(folder / "a.txt", [&](const fs::path& temporary) {
    EXPECT_NE(temporary, folder / "a.txt");
    EXPECT_EQ(temporary.parent_path(), (folder / "a.txt").parent_path());
    std::ofstream(temporary) << "new";
    EXPECT_EQ(bytes_of(folder / "a.txt"), "old");
  });
  EXPECT_EQ(bytes_of(folder / "a.txt"), "new");
}

TEST(AtomicFile, AFailedWriteLeavesNothingBehind) {
  const ScratchFolder folder;
  write_text_atomically(folder / "a.txt", "old");
  EXPECT_THROW(write_atomically(folder / "a.txt",
                                [](const fs::path& temporary) {
                                  std::ofstream(temporary) << "half";
                                  fail("broken off");
                                }),
               Error);
  EXPECT_EQ(bytes_of(folder / "a.txt"), "old");
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, ADurableFileHasItsNameWhenItIsComplete) {
  const ScratchFolder folder;
  const auto write = [&](std::string_view text, bool broken) {
    write_durably(folder / "a.txt", folder / "a.tmp", [&](const fs::path& temporary) {
      EXPECT_EQ(temporary, folder / "a.tmp");
      std::ofstream(temporary) << text;
      if (broken) fail("broken off");
    });
  };
  write("old", false);
  EXPECT_THROW(write("half", true), Error);
  EXPECT_EQ(bytes_of(folder / "a.txt"), "old");
  write("new", false);
  EXPECT_EQ(bytes_of(folder / "a.txt"), "new");
  EXPECT_THROW(write_durably(folder / "a.txt", folder / "a.tmp", [](const fs::path&) {}), Error);
  EXPECT_EQ(folder.entries(), 1);
}

TEST(AtomicFile, BadPlacesAreRefusedWithTheirName) {
  const ScratchFolder folder;
  fs::create_directory(folder / "sub");
  for (const fs::path& path : {folder / "missing/a.txt", folder / "sub", folder / "sub/"}) {
    try {
      write_text_atomically(path, "x");
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_TRUE(has(std::string(error.what()), path.string())) << error.what();
    }
  }
  if (::geteuid() != 0) {  // root may write anywhere
    fs::permissions(folder / "sub", fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_THROW(write_text_atomically(folder / "sub/a.txt", "x"), Error);
    fs::permissions(folder / "sub", fs::perms::owner_all);
  }
}

TEST(AtomicFile, APathWithoutFolderMeansTheCurrentOne) {
  const ScratchFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder / "");
  write_text_atomically("here.txt", "x");
  fs::current_path(before);
  EXPECT_EQ(bytes_of(folder / "here.txt"), "x");
}

}  // namespace slipstick::internal::atomic_file_test
