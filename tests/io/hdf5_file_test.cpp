// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/hdf5_file.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "slipstick/base/error.hpp"
#include "tests/io/hdf5_testing.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::hdf5_file_test {

// One of everything.
void write_sample(const std::filesystem::path& path) {
  Hdf5File file(path, Hdf5File::Mode::create);
  file.write_integers("/a/b/counts", std::vector<int>{3, -4, 5});
  file.write_numbers("/a/values", std::vector<double>{0.1, -2e300});
  file.write_numbers("/a/nothing", std::vector<double>{});
  file.write_text("/title", "Mass & more");
  file.write_text("/empty", "");
  file.write_group("/group");
  file.write_attribute("/group", "kind", 7);
  file.close();
}

TEST(Hdf5File, ReadsWhatItWrote) {
  const ScratchFolder folder;
  write_sample(folder / "sample.hdf5");
  const Hdf5File file(folder / "sample.hdf5", Hdf5File::Mode::read);
  EXPECT_EQ(file.path(), (folder / "sample.hdf5").string());
  EXPECT_EQ(file.integers("/a/b/counts"), (std::vector<int>{3, -4, 5}));
  EXPECT_EQ(file.integers("/a/b/counts", 3).size(), 3U);
  EXPECT_EQ(file.numbers("/a/values"), vec({0.1, -2e300}));
  EXPECT_EQ(file.numbers("/a/nothing").size(), 0);
  EXPECT_EQ(file.extent("/a/values"), 2);
  EXPECT_EQ(file.text("/title"), "Mass & more");
  EXPECT_EQ(file.text("/empty"), "");
  EXPECT_EQ(file.text("/not there"), "");
  EXPECT_TRUE(file.has_attribute("/group", "kind"));
  EXPECT_FALSE(file.has_attribute("/group", "colour"));
  EXPECT_FALSE(file.has_attribute("/a", "kind"));
}

TEST(Hdf5File, NamesAreFoundAtAnyDepth) {
  const ScratchFolder folder;
  write_sample(folder / "sample.hdf5");
  const Hdf5File file(folder / "sample.hdf5", Hdf5File::Mode::read);
  for (const char* name : {"/a", "/a/b", "/a/b/counts", "/group"}) EXPECT_TRUE(file.has(name)) << name;
  for (const char* name : {"/b", "/a/b/c", "/a/c/counts", "/x/y/z"}) EXPECT_FALSE(file.has(name)) << name;
  EXPECT_EQ(file.links("/a"), (std::vector<std::string>{"b", "nothing", "values"}));
  EXPECT_EQ(file.links("/group"), std::vector<std::string>{});
}

TEST(Hdf5File, TheSameContentsAreTheSameBytes) {
  const ScratchFolder folder;
  write_sample(folder / "first.hdf5");
  write_sample(folder / "second.hdf5");
  EXPECT_EQ(bytes_of(folder / "first.hdf5"), bytes_of(folder / "second.hdf5"));
}

TEST(Hdf5File, ErrorsNameTheFileAndTheDataset) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "sample.hdf5";
  write_sample(path);
  const Hdf5File file(path, Hdf5File::Mode::read);
  const auto expect = [&](const std::function<void()>& action, const std::string& part) {
    const std::string message = message_of(action);
    EXPECT_EQ(message.find(path.string()), 0U) << message;
    EXPECT_TRUE(has(message, part));
  };
  expect([&] { file.numbers("/a/missing"); }, "/a/missing");
  expect([&] { file.numbers("/a"); }, "/a");
  expect([&] { file.numbers("/a/b/counts"); }, "/a/b/counts holds");
  expect([&] { file.integers("/a/values"); }, "/a/values holds");
  expect([&] { file.text("/a/values"); }, "/a/values holds");
  expect([&] { file.numbers("/a/values", 3); }, "/a/values has 2 entries, expected 3");
  expect([&] { file.integer("/a/b/counts"); }, "/a/b/counts has 3 entries, expected 1");
  expect([&] { file.links("/missing"); }, "/missing");
}

TEST(Hdf5File, NumbersAreFiniteAndIntegersFit) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "sample.hdf5";
  write_sample(path);
  {
    Hdf5Editor editor(path);
    editor.replace("/a/values", std::vector<double>{1.0, std::numeric_limits<double>::quiet_NaN()});
    const long long wide[] = {1, 1LL << 40};
    editor.replace("/a/b/counts", H5T_NATIVE_LLONG, {2}, wide);
    const double square[] = {1, 2, 3, 4};
    editor.replace("/a/square", H5T_NATIVE_DOUBLE, {2, 2}, square);
  }
  const Hdf5File file(path, Hdf5File::Mode::read);
  EXPECT_TRUE(has(message_of([&] { file.numbers("/a/values"); }), "entry 1 of /a/values is nan"));
  EXPECT_TRUE(
      has(message_of([&] { file.integers("/a/b/counts"); }), "entry 1 of /a/b/counts is 1099511627776"));
  EXPECT_TRUE(has(message_of([&] { file.extent("/a/square"); }), "/a/square"));
}

// A few bytes that declare gigabytes.
TEST(Hdf5File, ExtentsBeyondTheFileTakeNoMemory) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "sample.hdf5";
  write_sample(path);
  { Hdf5Editor(path).replace_by_unwritten("/a/values", hsize_t{1} << 30, 1000); }
  const Hdf5File file(path, Hdf5File::Mode::read);
  EXPECT_EQ(file.extent("/a/values"), Index{1} << 30);
  EXPECT_TRUE(has(message_of([&] { file.numbers("/a/values"); }), "more than the file can hold"));
}

TEST(Hdf5File, WhatIsNoFileOfItsKind) {
  const ScratchFolder folder;
  EXPECT_TRUE(has(message_of([&] { Hdf5File(folder / "missing", Hdf5File::Mode::read); }), "missing"));
  const std::filesystem::path text = folder.file("text", "not HDF5");
  EXPECT_TRUE(has(message_of([&] { Hdf5File(text, Hdf5File::Mode::read); }), "not HDF5"));
  EXPECT_TRUE(
      has(message_of([&] { Hdf5File(folder / "no/such/folder", Hdf5File::Mode::create); }), "created"));
}

TEST(Hdf5File, NothingIsWrittenTwice) {
  const ScratchFolder folder;
  Hdf5File file(folder / "sample.hdf5", Hdf5File::Mode::create);
  file.write_text("/title", "one");
  EXPECT_TRUE(has(message_of([&] { file.write_text("/title", "two"); }), "/title cannot be written"));
  EXPECT_TRUE(has(message_of([&] { file.write_attribute("/group", "kind", 1); }), "kind of /group"));
}

int closed = 0;
herr_t count_close(hid_t) {
  ++closed;
  return 0;
}

TEST(Hdf5Handle, ClosesOnceWhoeverHoldsIt) {
  closed = 0;
  {
    EXPECT_FALSE(Hdf5Handle().valid());
    Hdf5Handle first(5, count_close);
    EXPECT_EQ(first.id(), 5);
    Hdf5Handle second(std::move(first));
    EXPECT_EQ(second.id(), 5);
    Hdf5Handle third;
    third = std::move(second);
    EXPECT_EQ(third.id(), 5);
    EXPECT_EQ(closed, 0);
    third = {};
    EXPECT_EQ(closed, 1);
    const Hdf5Handle invalid(-1, count_close);
  }
  EXPECT_EQ(closed, 1);
}

TEST(Hdf5Silence, GivesTheCallersSettingBack) {
  H5E_auto2_t before = nullptr, inside = nullptr, after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  {
    const Hdf5Silence silence;
    H5Eget_auto2(H5E_DEFAULT, &inside, &data);
  }
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(inside, nullptr);
  EXPECT_EQ(after, before);
}

}  // namespace slipstick::internal::hdf5_file_test
