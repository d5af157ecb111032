// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Runs of any kind that are resumed.
#include <gtest/gtest.h>

#include "slipstick/io/run_parts.hpp"
#include "slipstick/io/run_reader.hpp"
#include "slipstick/io/run_writer.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/io/run_testing.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/small_files.hpp"

namespace slipstick::internal::run_reopen_test {

namespace fs = std::filesystem;

void expect_same(const fs::path& a, const fs::path& b) {
  const RunReader first(a), second(b);
  EXPECT_TRUE(first.finished() && second.finished());
  EXPECT_TRUE(first.header() == second.header());
  ASSERT_EQ(first.steps(), second.steps());
  ASSERT_EQ(first.frames(), second.frames());
  for (Index k = 0; k < first.steps(); ++k) EXPECT_TRUE(same_step(first.step(k), second.step(k))) << k;
  for (Index k = 0; k < first.frames(); ++k) {
    EXPECT_EQ(first.frame_number(k), second.frame_number(k));
    EXPECT_TRUE(same_frame(first.frame(k), second.frame(k))) << k;
  }
}

void write_samples(const fs::path& path, std::int64_t every, std::int64_t last) {
  RunWriter writer(path, sample_header(every), {.force = true});
  append_samples(writer, last);
  writer.checkpoint(last, sample_state(last));
  writer.finish();
}

TEST(RunReopen, AFinishedRunGoesOn) {
  const ScratchFolder folder;
  for (const std::int64_t every : {1, 7, 1000}) {
    for (const std::int64_t last : {1, 20, 21}) {
      write_samples(folder / "whole.h5", every, 40);
      write_samples(folder / "run.h5", every, last);
      {
        RunWriter writer = RunWriter::resume(folder / "run.h5", {.any_run = true, .segment_steps = 6});
        EXPECT_EQ(writer.last_step(), last);
        EXPECT_EQ(writer.latest_checkpoint()->state, sample_state(last));
        EXPECT_FALSE(fs::exists(folder / "run.h5"));
        append_samples(writer, 40);
        writer.checkpoint(40, sample_state(40));
        writer.finish();
      }
      expect_same(folder / "run.h5", folder / "whole.h5");
      EXPECT_EQ(folder.entries(), 2);
    }
  }
}

TEST(RunReopen, AnInterruptedOneCanBeResumed) {
  const ScratchFolder folder;
  write_samples(folder / "whole.h5", 7, 40);
  write_samples(folder / "run.h5", 7, 20);
  { const RunWriter dropped = RunWriter::resume(folder / "run.h5", {.any_run = true}); }
  RunWriter writer = RunWriter::resume(folder / "run.h5");
  EXPECT_EQ(writer.last_step(), 20);
  append_samples(writer, 40);
  writer.finish();
  expect_same(folder / "run.h5", folder / "whole.h5");
}

TEST(RunReopen, TheFileStaysIfThePartsDoNotFit) {
  const ScratchFolder folder;
  write_samples(folder / "run.h5", 1, 20);
  {
    const SmallFiles limit(3000);
    EXPECT_TRUE(
        has(message_of([&] { RunWriter::resume(folder / "run.h5", {.any_run = true}); }), "cannot write"));
  }
  EXPECT_TRUE(RunReader(folder / "run.h5").finished());
  EXPECT_EQ(RunReader(folder / "run.h5").steps(), 20);
  EXPECT_EQ(RunWriter::resume(folder / "run.h5", {.any_run = true}).last_step(), 20);
}

TEST(RunReopen, WithoutItsLastCheckpointAFinishedRunIsRefused) {
  const ScratchFolder folder;
  RunWriter writer(folder / "run.h5", sample_header());
  append_samples(writer, 7, 5);
  writer.finish();
  EXPECT_TRUE(has(message_of([&] { RunWriter::resume(folder / "run.h5", {.any_run = true}); }),
                  "it has no checkpoint of its last step"));
  EXPECT_TRUE(RunReader(folder / "run.h5").finished());
}

TEST(RunReopen, WithoutACheckpointTheRunBeginsAgain) {
  const ScratchFolder folder;
  {
    RunWriter writer(folder / "run.h5", sample_header(), {.segment_steps = 4});
    append_samples(writer, 10);
  }
  RunWriter writer = RunWriter::resume(folder / "run.h5", {.any_run = true});
  EXPECT_FALSE(writer.last_step());
  EXPECT_FALSE(writer.latest_checkpoint());
  EXPECT_TRUE(writer.header() == sample_header());
  append_samples(writer, 12);
  writer.finish();
  EXPECT_EQ(RunReader(folder / "run.h5").steps(), 12);
}

TEST(RunReopen, SettingsMayChange) {
  const ScratchFolder folder;
  RunWriter writer(folder / "run.h5", sample_header());
  append_samples(writer, 5);
  writer.set_settings("others");
  EXPECT_EQ(read_header_part(parts_folder(folder / "run.h5")).settings, "others");
  EXPECT_FALSE(message_of([&] { writer.set_settings(std::string(1, '\0')); }).empty());
  writer.finish();
  RunHeader expected = sample_header();
  expected.settings = "others";
  EXPECT_TRUE(RunReader(folder / "run.h5").header() == expected);
}

}  // namespace slipstick::internal::run_reopen_test
