// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// RunWriter and RunReader: round trips, the unfinished form, resuming, files that are wrong.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <set>

#include "slipstick/base/error.hpp"
#include "slipstick/base/random.hpp"
#include "slipstick/io/run_parts.hpp"
#include "slipstick/io/run_reader.hpp"
#include "slipstick/io/run_writer.hpp"
#include "tests/io/hdf5_testing.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/io/run_testing.hpp"
#include "tests/support/message_of.hpp"

namespace slipstick::internal::run_file_test {

namespace fs = std::filesystem;

// Every step and every recorded frame is the sample.
void expect_samples(const RunReader& run, std::int64_t steps, std::int64_t record_every) {
  ASSERT_EQ(run.steps(), steps);
  std::vector<StepRecord> all;
  run.read_steps(0, steps, all);
  for (std::int64_t k = 0; k < steps; ++k) {
    const StepRecord expected = sample_frame(k + 1).step;
    EXPECT_TRUE(same_step(all[static_cast<std::size_t>(k)], expected)) << k;
    EXPECT_TRUE(same_step(run.step(k), expected)) << k;
  }
  std::set<std::int64_t> recorded;
  for (std::int64_t number = record_every; number <= steps; number += record_every) recorded.insert(number);
  if (steps > 0) recorded.insert(1);
  if (steps > 0 && run.finished()) recorded.insert(steps);
  ASSERT_EQ(run.frames(), static_cast<Index>(recorded.size()));
  Index k = run.frames();
  for (auto number = recorded.rbegin(); number != recorded.rend();
       ++number) {  // not in the order of the file
    EXPECT_EQ(run.frame_number(--k), *number);
    EXPECT_TRUE(same_frame(run.frame(k), sample_frame(*number))) << *number;
  }
}

TEST(RunFile, RoundTripBitByBit) {
  const ScratchFolder folder;
  for (const std::int64_t steps : {0, 1, 2, 20}) {
    for (const std::int64_t every : {1, 7, 1000}) {
      for (const Index segment : {6, 1000}) {
        RunWriter writer(folder / "run.h5", sample_header(every), {.force = true, .segment_steps = segment});
        append_samples(writer, steps);
        writer.finish();
        EXPECT_EQ(folder.entries(), 1);
        const RunReader run(folder / "run.h5");
        EXPECT_TRUE(run.finished());
        EXPECT_TRUE(run.header() == sample_header(every));
        EXPECT_FALSE(run.latest_checkpoint());
        expect_samples(run, steps, every);
      }
    }
  }
}

TEST(RunFile, TheStateBeforeTheFirstStepMayBeRecorded) {
  const ScratchFolder folder;
  RunWriter writer(folder / "run.h5", sample_header(10));
  for (std::int64_t number = 0; number <= 12; ++number) writer.append(sample_frame(number));
  writer.finish();
  const RunReader run(folder / "run.h5");
  EXPECT_EQ(run.steps(), 13);
  ASSERT_EQ(run.frames(), 3);
  for (const Index k : {0, 1, 2}) EXPECT_EQ(run.frame_number(k), (std::vector<std::int64_t>{0, 10, 12})[k]);
  EXPECT_TRUE(same_frame(run.frame(0), sample_frame(0)));
}

TEST(RunFile, NoBodiesNoNamesNoFrames) {
  const ScratchFolder folder;
  RunHeader header;
  RunWriter writer(folder / "run.h5", header);
  Frame frame;
  frame.step.number = 1;
  frame.step.error = infinity;  // of a step that could not be solved
  writer.append(frame);
  writer.finish();
  const RunReader run(folder / "run.h5");
  EXPECT_TRUE(run.header() == header);
  EXPECT_TRUE(same_frame(run.frame(0), frame));
}

TEST(RunFile, IndicesOutsideAreRefused) {
  const ScratchFolder folder;
  RunWriter writer(folder / "run.h5", sample_header());
  append_samples(writer, 3);
  writer.finish();
  const RunReader run(folder / "run.h5");
  std::vector<StepRecord> steps;
  for (const Index k : {Index{-1}, Index{3}, std::numeric_limits<Index>::max()}) {
    EXPECT_THROW(run.step(k), Error);
    EXPECT_THROW(run.frame(k), Error);
    EXPECT_THROW(run.read_steps(0, k == 3 ? 4 : k, steps), Error);
  }
}

TEST(RunFile, TheUnfinishedFormIsRead) {
  const ScratchFolder folder;
  RunWriter writer(folder / "run.h5", sample_header(3), {.segment_steps = 10});
  expect_samples(RunReader(folder / "run.h5"), 0, 3);
  append_samples(writer, 25);
  for (const char* name : {"run.h5", "run.h5.parts", "run.h5.parts/"}) {
    const RunReader run(folder / name);
    EXPECT_FALSE(run.finished());
    EXPECT_TRUE(is_run(folder / name));
    expect_samples(run, 20, 3);
  }
  writer.flush();
  expect_samples(RunReader(folder / "run.h5"), 25, 3);
  writer.finish();
  EXPECT_TRUE(RunReader(folder / "run.h5").finished());
  EXPECT_TRUE(is_run(folder / "run.h5"));
  expect_samples(RunReader(folder / "run.h5"), 25, 3);
  EXPECT_FALSE(is_run(folder / "missing.h5"));
  EXPECT_FALSE(is_run(folder.file("text", "hello")));
  EXPECT_FALSE(is_run(folder / ""));
}

TEST(RunFile, SegmentsAreBoundedInBytes) {
  const ScratchFolder folder;
  RunWriter writer(folder / "run.h5", sample_header(), {.segment_bytes = 10'000});
  append_samples(writer, 100);
  const PartsListing parts = list_parts(folder / "run.h5.parts");
  EXPECT_GE(parts.segments.size(), 5U);
  for (const auto& [number, path] : parts.segments)
    EXPECT_LE(RunSegment(path, RunFileKind::segment, {3, 2}).sizes().steps, 30);
}

TEST(RunFile, AnExistingRunIsRefusedWithoutForce) {
  const ScratchFolder folder;
  const fs::path path = folder / "run.h5";
  const auto begin = [&](bool force) { return RunWriter(path, sample_header(), {.force = force}); };
  {
    RunWriter writer = begin(false);
    append_samples(writer, 3);
    EXPECT_TRUE(has(message_of([&] { begin(false); }), "--resume"));
    EXPECT_TRUE(has(message_of([&] { begin(true); }), "another process is writing"));
    EXPECT_TRUE(has(message_of([&] { RunWriter::resume(path); }), "another process is writing"));
    writer.flush();
  }
  EXPECT_TRUE(has(message_of([&] { begin(false); }), "--resume"));
  EXPECT_TRUE(has(message_of([&] { begin(false); }), "run.h5.parts"));
  EXPECT_EQ(RunReader(path).steps(), 3);
  begin(true).finish();
  EXPECT_EQ(RunReader(path).steps(), 0);
  EXPECT_TRUE(has(message_of([&] { begin(false); }), "--force"));
  EXPECT_TRUE(has(message_of([&] { RunWriter::resume(path); }), "nothing to resume"));
  begin(true);
  EXPECT_FALSE(fs::exists(path));
  // Files of others are not removed.
  folder.file("run.h5.parts/letter.txt", "dear");
  EXPECT_TRUE(has(message_of([&] { begin(true); }), "letter.txt"));
  EXPECT_TRUE(fs::exists(folder / "run.h5.parts/letter.txt"));
}

TEST(RunFile, BadPlacesAreRefused) {
  const ScratchFolder folder;
  fs::create_directory(folder / "sub");
  for (const fs::path& path :
       {folder / "missing/run.h5", folder / "sub", folder / "sub/", folder / "run.h5.parts"}) {
    EXPECT_NE(message_of([&] { RunWriter(path, sample_header(), {.force = true}); }), "") << path;
    EXPECT_NE(message_of([&] { RunReader run(path); }), "") << path;
  }
  EXPECT_TRUE(has(message_of([&] { RunWriter::resume(folder / "run.h5"); }), "no unfinished run"));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(RunFile, WhatCannotBeReadIsNotWritten) {
  const ScratchFolder folder;
  RunHeader header = sample_header();
  const auto refuses = [&](const RunHeader& wrong) {
    EXPECT_THROW(RunWriter(folder / "run.h5", wrong), Error);
    EXPECT_EQ(folder.entries(), 0);
  };
  header.bodies[1] = std::string("a\0b", 3);
  refuses(header);
  header = sample_header();
  header.record_every = 0;
  refuses(header);
  header = sample_header();
  header.tolerance = std::numeric_limits<double>::quiet_NaN();
  refuses(header);

  RunWriter writer(folder / "run.h5", sample_header(100));
  const auto change = [&](const std::string& part, const std::function<void(Frame&)>& spoil) {
    Frame frame = sample_frame(1);
    frame.contacts = sample_frame(3).contacts;
    spoil(frame);
    EXPECT_TRUE(has(message_of([&] { writer.append(frame); }), part));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  change("step 2", [](Frame& f) { f.step.number = 2; });
  change("step -1", [](Frame& f) { f.step.number = -1; });
  change("energy_kinetic", [&](Frame& f) { f.step.energy.kinetic = nan; });
  change("time", [](Frame& f) { f.step.time = infinity; });
  change("islands", [](Frame& f) { f.step.islands = -1; });
  change("seconds", [&](Frame& f) { f.step.seconds = nan; });
  change("2 bodies", [](Frame& f) { f.bodies.pop_back(); });
  change("3 joints", [](Frame& f) { f.joints.emplace_back(); });
  change("velocity", [](Frame& f) { f.bodies[1].velocity.y() = infinity; });
  change("orientation", [](Frame& f) { f.bodies[2].orientation.coeffs().setZero(); });
  change("impulse", [&](Frame& f) { f.contacts[0].impulse.z() = nan; });
  change("bodies", [](Frame& f) { f.contacts[0].bodies = {0, 3}; });
  change("bodies", [](Frame& f) { f.contacts[0].bodies = {-2, 0}; });
  change("torque", [&](Frame& f) { f.joints[1].torque.x() = nan; });
  // The run goes on after a refusal.
  append_samples(writer, 3);
  EXPECT_THROW(writer.append(sample_frame(5)), Error);
  EXPECT_THROW(writer.checkpoint(2, "state"), Error);
  writer.finish();
  EXPECT_THROW(writer.append(sample_frame(4)), Error);
  EXPECT_THROW(writer.finish(), Error);
  expect_samples(RunReader(folder / "run.h5"), 3, 100);
}

// Names, types, sizes and bytes of all datasets.
std::map<std::string, std::string> contents_of(const fs::path& path, bool with_wall_clock = true) {
  std::map<std::string, std::string> contents;
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const std::function<void(const std::string&)> visit = [&](const std::string& group) {
    const Hdf5Handle id(H5Gopen2(file.id(), group.c_str(), H5P_DEFAULT), H5Gclose);
    H5G_info_t info{};
    H5Gget_info(id.id(), &info);
    for (hsize_t k = 0; k < info.nlinks; ++k) {
      char link[100] = {};
      H5Lget_name_by_idx(id.id(), ".", H5_INDEX_NAME, H5_ITER_INC, k, link, sizeof link, H5P_DEFAULT);
      const std::string name = (group == "/" ? "" : group) + "/" + link;
      const Hdf5Handle object(H5Oopen(file.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
      if (H5Iget_type(object.id()) == H5I_GROUP) {
        if (with_wall_clock || name != "/wall_clock") visit(name);
        continue;
      }
      const Hdf5Handle type(H5Dget_type(object.id()), H5Tclose);
      const Hdf5Handle space(H5Dget_space(object.id()), H5Sclose);
      hsize_t extents[2] = {0, 0};
      H5Sget_simple_extent_dims(space.id(), extents, nullptr);
      const std::size_t size = H5Tget_size(type.id());
      std::string bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())) * size, '\0');
      if (!bytes.empty()) {
        EXPECT_GE(H5Dread(object.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0) << name;
      }
      contents[name] = fmt::format("{} {}x{} {} ", static_cast<int>(H5Tget_class(type.id())), extents[0],
                                   extents[1], size) +
                       bytes;
    }
  };
  visit("/");
  return contents;
}

// A run that another process left unfinished.
void write_unfinished(const fs::path& path, std::int64_t steps, std::int64_t every,
                      std::int64_t checkpoint_every, Index segment_steps) {
  RunWriter writer(path, sample_header(every), {.force = true, .segment_steps = segment_steps});
  append_samples(writer, steps, checkpoint_every);
}

TEST(RunFile, AResumedRunEqualsTheUninterruptedOne) {
  const ScratchFolder folder;
  for (const std::int64_t every : {4, 1000}) {
    RunWriter whole(folder / "whole.h5", sample_header(every), {.force = true, .segment_steps = 9});
    append_samples(whole, 60, 20);
    whole.finish();
    const auto expected = contents_of(folder / "whole.h5");
    EXPECT_EQ(expected.count("/wall_clock/seconds"), 1U);
    EXPECT_EQ(expected.count("/checkpoint/state"), 1U);
    for (const std::int64_t stop : {20, 39, 41, 60}) {
      const fs::path path = folder / "run.h5";
      write_unfinished(path, stop, every, 20, 7);
      EXPECT_EQ(RunReader(path).latest_checkpoint()->state, sample_state(stop / 20 * 20));
      RunWriter resumed = RunWriter::resume(path, {.segment_steps = 11});
      ASSERT_EQ(resumed.last_step(), stop / 20 * 20);
      EXPECT_TRUE(resumed.header() == sample_header(every));
      EXPECT_EQ(resumed.latest_checkpoint()->step, stop / 20 * 20);
      EXPECT_EQ(resumed.latest_checkpoint()->state, sample_state(stop / 20 * 20));
      append_samples(resumed, 60, 20);
      resumed.finish();
      EXPECT_TRUE(contents_of(path) == expected) << every << " " << stop;
      expect_samples(RunReader(path), 60, every);
    }
  }
}

TEST(RunFile, OnlySecondsMayDiffer) {
  const ScratchFolder folder;
  for (const char* name : {"a.h5", "b.h5"}) {
    RunWriter writer(folder / name, sample_header());
    for (std::int64_t number = 1; number <= 5; ++number) {
      Frame frame = sample_frame(number);
      if (name[0] == 'b') frame.step.seconds = frame.step.solver_seconds = 99.0;
      writer.append(frame);
    }
    writer.finish();
  }
  EXPECT_FALSE(contents_of(folder / "a.h5") == contents_of(folder / "b.h5"));
  EXPECT_TRUE(contents_of(folder / "a.h5", false) == contents_of(folder / "b.h5", false));
}

TEST(RunFile, AFinishedRunKeepsTheCheckpointOfItsLastStep) {
  const ScratchFolder folder;
  for (const std::int64_t last : {40, 41}) {
    RunWriter writer(folder / "run.h5", sample_header(), {.force = true});
    append_samples(writer, last, 20);
    writer.finish();
    const std::optional<Checkpoint> checkpoint = RunReader(folder / "run.h5").latest_checkpoint();
    EXPECT_EQ(checkpoint.value_or(Checkpoint{}).state, last == 40 ? sample_state(40) : "");
  }
}

TEST(RunFile, OldCheckpointsAreRemoved) {
  const ScratchFolder folder;
  RunWriter writer(folder / "run.h5", sample_header());
  append_samples(writer, 100, 5);
  EXPECT_EQ(list_parts(folder / "run.h5.parts").checkpoints.size(), 2U);
}

TEST(RunFile, WithoutACheckpointThereIsNothingToResume) {
  const ScratchFolder folder;
  write_unfinished(folder / "run.h5", 30, 1, 0, 10);
  EXPECT_TRUE(has(message_of([&] { RunWriter::resume(folder / "run.h5"); }), "no checkpoint"));
  EXPECT_EQ(RunReader(folder / "run.h5").steps(), 30);
  fs::remove(folder / "run.h5.parts/header.h5");
  EXPECT_TRUE(has(message_of([&] { RunWriter::resume(folder / "run.h5"); }), "before it began"));
  EXPECT_TRUE(has(message_of([&] { RunReader run(folder / "run.h5"); }), "before it began"));
}

TEST(RunFile, ADamagedCheckpointGivesWayToTheOneBefore) {
  const ScratchFolder folder;
  const fs::path path = folder / "run.h5";
  write_unfinished(path, 45, 1, 20, 10);
  const PartsListing parts = list_parts(folder / "run.h5.parts");
  ASSERT_EQ(parts.checkpoints.size(), 2U);
  const fs::path latest = parts.checkpoints.rbegin()->second;
  fs::resize_file(latest, fs::file_size(latest) / 2);
  EXPECT_EQ(RunReader(path).latest_checkpoint()->step, 20);
  RunWriter resumed = RunWriter::resume(path);
  EXPECT_EQ(resumed.last_step(), 20);
  append_samples(resumed, 45);
  resumed.finish();
  expect_samples(RunReader(path), 45, 1);
}

TEST(RunFile, MissingAndDamagedSegmentsAreNamed) {
  const ScratchFolder folder;
  const fs::path path = folder / "run.h5";
  write_unfinished(path, 45, 1, 20, 10);
  const fs::path second = folder / "run.h5.parts/segment-00000002.h5";
  const std::string bytes = bytes_of(second);
  fs::resize_file(second, bytes.size() / 2);
  EXPECT_TRUE(has(message_of([&] { RunReader run(path); }), "segment-00000002.h5"));
  EXPECT_TRUE(has(message_of([&] { RunWriter::resume(path); }), "segment-00000002.h5"));
  // Another segment in its place.
  fs::copy_file(folder / "run.h5.parts/segment-00000001.h5", second, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(has(message_of([&] { RunReader run(path); }), "begins with step 1, expected 11"));
  fs::remove(second);
  EXPECT_TRUE(has(message_of([&] { RunReader run(path); }), "segment-00000002.h5: is missing"));
  EXPECT_TRUE(has(message_of([&] { RunWriter::resume(path); }), "segment-00000002.h5"));
  folder.file("run.h5.parts/segment-00000002.h5", bytes);
  expect_samples(RunReader(path), 40, 1);
}

// The parts are there although the run is finished: it was stopped in between.
TEST(RunFile, PartsBesideAFinishedRunDoNoHarm) {
  const ScratchFolder folder;
  const fs::path path = folder / "run.h5";
  write_unfinished(path, 45, 1, 20, 10);
  fs::rename(folder / "run.h5.parts", folder / "kept");
  RunWriter writer(path, sample_header());
  append_samples(writer, 30);
  writer.finish();
  fs::rename(folder / "kept", folder / "run.h5.parts");
  EXPECT_EQ(RunReader(path).steps(), 30);
  EXPECT_EQ(RunReader(folder / "run.h5.parts").steps(), 30);
  EXPECT_TRUE(has(message_of([&] { RunWriter::resume(path); }), "nothing to resume"));
  EXPECT_EQ(folder.entries(), 1);
}

// Wrong datasets in a file that HDF5 itself finds right.
TEST(RunFile, WrongDatasetsAreRefused) {
  const ScratchFolder folder;
  const fs::path path = folder / "run.h5";
  RunWriter writer(folder / "good.h5", sample_header(2));
  append_samples(writer, 9, 9);
  writer.finish();
  const auto read_all = [&] {
    const RunReader run(path);
    for (Index k = 0; k < run.frames(); ++k) run.frame(k);
    std::vector<StepRecord> steps;
    run.read_steps(0, run.steps(), steps);
    run.latest_checkpoint();
  };
  const auto refused = [&](const std::string& part, const std::function<void(Hdf5Editor&)>& spoil) {
    fs::copy_file(folder / "good.h5", path, fs::copy_options::overwrite_existing);
    {
      Hdf5Editor editor(path);
      spoil(editor);
    }
    const std::string message = message_of(read_all);
    EXPECT_TRUE(has(message, part));
    EXPECT_TRUE(has(message, "run.h5"));
  };
  const Frame frame;
  for (const auto& [name, bytes] : contents_of(folder / "good.h5")) {
    if (name == "/format") continue;
    refused(name, [&](Hdf5Editor& editor) { editor.remove(name); });
    refused(name, [&](Hdf5Editor& editor) { editor.replace(name, H5T_NATIVE_FLOAT, {2, 2, 2}, nullptr); });
    if (name.starts_with("/header") || name.starts_with("/checkpoint")) continue;
    // Too many rows, and rows that the file cannot hold.
    refused("rows", [&](Hdf5Editor& editor) {
      const Hdf5File good(folder / "good.h5", Hdf5File::Mode::read);
      const Hdf5Handle dataset(H5Dopen2(good.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
      const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
      const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
      std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
      H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
      ++extents[0];
      editor.replace(name, type.id(), extents, nullptr);
    });
  }
  refused("more than the file can hold",
          [](Hdf5Editor& editor) { editor.replace_by_unwritten("/steps/time", hsize_t{1} << 40, 1000); });
  refused("chunks", [](Hdf5Editor& editor) {
    editor.replace_by_unwritten("/steps/time", hsize_t{1} << 40, hsize_t{1} << 28);
  });
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused("row 4 of /steps/time", [&](Hdf5Editor& editor) {
    editor.replace("/steps/time", std::vector<double>{0, 0, 0, 0, nan, 0, 0, 0, 0});
  });
  refused("/steps/error", [&](Hdf5Editor& editor) {
    editor.replace("/steps/error", std::vector<double>{0, 0, 0, 0, nan, 0, 0, 0, 0});
  });
  refused("/steps/islands", [](Hdf5Editor& editor) {
    editor.replace("/steps/islands", std::vector<int>{0, 0, 0, -1, 0, 0, 0, 0, 0});
  });
  const auto longs = [](const char* name, std::vector<std::int64_t> values) {
    return
        [=](Hdf5Editor& editor) { editor.replace(name, H5T_NATIVE_INT64, {values.size()}, values.data()); };
  };
  refused("begins with step 2", longs("/steps/number", {2, 3, 4, 5, 6, 7, 8, 9, 10}));
  refused("ends with step 10", longs("/steps/number", {1, 2, 3, 4, 5, 6, 7, 8, 10}));
  refused("step 9 stands where 5 should", longs("/steps/number", {1, 2, 3, 4, 9, 6, 7, 8, 9}));
  // Frames are of the steps 1, 2, 4, 6, 8, 9 with 1, 4, 2, 1, 1, 4 contacts.
  refused("frame of step 2", longs("/frames/number", {1, 2, 2, 6, 8, 9}));
  refused("frame of step 10", longs("/frames/number", {1, 2, 4, 6, 8, 10}));
  refused("/frames/number", longs("/frames/number", {-1, 2, 4, 6, 8, 9}));
  refused("too early", longs("/frames/contact_end", {1, 5, 4, 8, 9, 13}));
  refused("contacts", longs("/frames/contact_end", {1, 5, 7, 8, 9, 12}));
  refused("/frames/contact_end", longs("/frames/contact_end", {-1, 5, 7, 8, 9, 13}));
  refused("contacts",
          longs("/frames/contact_end", {1, 5, 7, 8, 9, std::numeric_limits<std::int64_t>::max()}));
  refused("/contacts/state", [](Hdf5Editor& editor) {
    const std::vector<unsigned char> states(13, 3);
    editor.replace("/contacts/state", H5T_NATIVE_UCHAR, {13}, states.data());
  });
  refused("/contacts/bodies", [](Hdf5Editor& editor) {
    const std::vector<int> bodies(26, 3);
    editor.replace("/contacts/bodies", H5T_NATIVE_INT, {13, 2}, bodies.data());
  });
  refused("/bodies/orientation", [](Hdf5Editor& editor) {
    const std::vector<double> zeros(72, 0.0);
    editor.replace("/bodies/orientation", H5T_NATIVE_DOUBLE, {18, 4}, zeros.data());
  });
  refused("/joints/broken", [](Hdf5Editor& editor) {
    const std::vector<unsigned char> twos(12, 2);
    editor.replace("/joints/broken", H5T_NATIVE_UCHAR, {12}, twos.data());
  });
  refused("/header/record_every", [](Hdf5Editor& editor) {
    const std::uint64_t zero = 0;
    editor.replace("/header/record_every", H5T_NATIVE_UINT64, {1}, &zero);
  });
  refused("/header/tolerance",
          [&](Hdf5Editor& editor) { editor.replace("/header/tolerance", std::vector<double>{nan}); });
  refused("is no slipstick run", [](Hdf5Editor& editor) { editor.remove("/format"); });
}

TEST(RunFile, LaterVersionsAreRefused) {
  const ScratchFolder folder;
  RunWriter(folder / "run.h5", sample_header()).finish();
  const Hdf5Handle file(H5Fopen((folder / "run.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  {
    const Hdf5Handle attribute(H5Aopen(file.id(), "format_version", H5P_DEFAULT), H5Aclose);
    const int version = run_format_version + 1;
    ASSERT_GE(H5Awrite(attribute.id(), H5T_NATIVE_INT, &version), 0);
  }
  H5Fflush(file.id(), H5F_SCOPE_GLOBAL);
  EXPECT_TRUE(has(message_of([&] { RunReader run(folder / "run.h5"); }), "format version 2"));
}

// Data of other files are not read through a run.
TEST(RunFile, DataElsewhereAreRefused) {
  const ScratchFolder folder;
  RunWriter writer(folder / "good.h5", sample_header());
  append_samples(writer, 4);
  writer.finish();
  folder.file("secret", std::string(4 * sizeof(double), 'x'));
  const auto refusal = [&](const std::function<void(hid_t)>& spoil) {
    fs::copy_file(folder / "good.h5", folder / "run.h5", fs::copy_options::overwrite_existing);
    {
      const Hdf5Handle file(H5Fopen((folder / "run.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
      spoil(file.id());
    }
    return message_of([&] { RunReader run(folder / "run.h5"); });
  };
  for (const char* name : {"/steps/time", "/steps", "/header/scene", "/header/bodies", "/header"}) {
    const std::string message = refusal([&](hid_t file) {
      H5Ldelete(file, name, H5P_DEFAULT);
      H5Lcreate_external((folder / "good.h5").c_str(), name, file, name, H5P_DEFAULT, H5P_DEFAULT);
    });
    EXPECT_TRUE(has(message, "is a link"));
    EXPECT_TRUE(has(message, name));
  }
  const std::string message = refusal([&](hid_t file) {
    H5Ldelete(file, "/steps/time", H5P_DEFAULT);
    const hsize_t rows = 4;
    const Hdf5Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(creation.id(), (folder / "secret").c_str(), 0, 4 * sizeof(double));
    const Hdf5Handle dataset(H5Dcreate2(file, "/steps/time", H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT,
                                        creation.id(), H5P_DEFAULT),
                             H5Dclose);
    EXPECT_TRUE(dataset.valid());
  });
  EXPECT_TRUE(has(message, "does not hold its own data"));
}

// Cut off anywhere, or with a byte changed anywhere: an Error, or the right records.
TEST(RunFile, DamagedFilesGiveAnErrorOrTheRightRecords) {
  const ScratchFolder folder;
  RunWriter writer(folder / "good.h5", sample_header());
  append_samples(writer, 12, 12);
  writer.finish();
  const std::string good = bytes_of(folder / "good.h5");
  Random random(3);
  int refused = 0;
  const int trials = 400;
  for (int trial = 0; trial < trials; ++trial) {
    std::string bytes = good;
    const auto place = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(good.size())));
    if (trial % 4 == 0) {
      bytes.resize(place);
    } else {
      bytes[place] = static_cast<char>(bytes[place] ^ (1 << random.below(8)));
    }
    folder.file("run.h5", bytes);
    try {
      const RunReader run(folder / "run.h5");
      ASSERT_EQ(run.steps(), 12) << trial;
      for (Index k = 0; k < run.frames(); ++k)
        ASSERT_TRUE(same_frame(run.frame(k), sample_frame(run.frame_number(k)))) << trial;
    } catch (const Error& error) {
      EXPECT_TRUE(has(error.what(), "run.h5"));
      ++refused;
    }
  }
  // The rest hit texts of the header, the checkpoint, or room that is not used.
  EXPECT_GT(refused, trials / 2);
}

}  // namespace slipstick::internal::run_file_test
