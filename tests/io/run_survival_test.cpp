// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Runs whose process is killed, and whose disk is full. SLIPSTICK_KILLS sets the number of kills.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <functional>

#include "slipstick/base/random.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/io/run_export.hpp"
#include "slipstick/io/run_parts.hpp"
#include "slipstick/io/run_reader.hpp"
#include "slipstick/io/run_writer.hpp"
#include "tests/io/io_testing.hpp"
#include "tests/io/run_testing.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/small_files.hpp"

namespace slipstick::internal::run_survival_test {

namespace fs = std::filesystem;

constexpr std::int64_t last_step = 30;
constexpr std::int64_t record_every = 3;
constexpr std::int64_t checkpoint_every = 10;
constexpr Index segment_steps = 5;

// Whether a run is a beginning of the sample, or all of it.
testing::AssertionResult holds_samples(const RunReader& run) {
  std::vector<StepRecord> steps;
  run.read_steps(0, run.steps(), steps);
  for (const StepRecord& step : steps)
    if (auto result = same_step(step, sample_frame(step.number).step); !result)
      return result << " in step " << step.number;
  for (Index k = 0; k < run.frames(); ++k)
    if (auto result = same_frame(run.frame(k), sample_frame(run.frame_number(k))); !result)
      return result << " in frame " << k;
  return testing::AssertionSuccess();
}

// What a child knows to be on the disk, seen by its parent.
struct Progress {
  volatile std::int64_t checkpoint;
};

// Begins the run or goes on with it, and finishes it.
void write_run(const fs::path& path, Progress& progress) {
  const auto writer = [&]() -> RunWriter {
    const RunWriterSettings settings{.force = true, .segment_steps = segment_steps};
    if (progress.checkpoint > 0) return RunWriter::resume(path, settings);
    return {path, sample_header(record_every), settings};
  };
  RunWriter run = writer();
  while (run.last_step().value_or(0) < last_step) {
    const std::int64_t number = run.last_step().value_or(0) + 1;
    run.append(sample_frame(number));
    if (number % checkpoint_every == 0) {
      run.checkpoint(number, sample_state(number));
      progress.checkpoint = number;
    }
  }
  run.finish();
}

// Runs in another process, and gives what it complains about.
int start_child(const std::function<void()>& body) {
  const int child = ::fork();
  if (child != 0) return child;
  try {
    body();
    ::_exit(0);
  } catch (const std::exception& error) {
    ::fprintf(stderr, "child: %s\n", error.what());
  }
  ::_exit(1);
}

void sleep_for(double seconds) {
  const timespec time{static_cast<time_t>(seconds), static_cast<long>((seconds - std::floor(seconds)) * 1e9)};
  ::nanosleep(&time, nullptr);
}

TEST(RunSurvival, KilledAtAnyInstant) {
  const char* wish = std::getenv("SLIPSTICK_KILLS");
  const int wanted = wish != nullptr ? std::atoi(wish) : sanitized ? 5 : 20;
  const ScratchFolder folder;
  const fs::path path = folder / "run.h5";
  void* memory = ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto& progress = *static_cast<Progress*>(memory);

  // How long a run takes that nobody kills.
  const Timer timer;
  int status = 0;
  ASSERT_EQ(::waitpid(start_child([&] { write_run(path, progress); }), &status, 0) > 0, true);
  ASSERT_EQ(status, 0);
  const double duration = timer.seconds();
  ASSERT_TRUE(RunReader(path).finished());
  ASSERT_EQ(RunReader(path).steps(), last_step);

  Random random(11);
  int kills = 0;
  int resumed = 0;
  int finished = 0;
  progress.checkpoint = 0;
  while (kills < wanted) {
    const bool resumes = progress.checkpoint > 0;
    const int child = start_child([&] { write_run(path, progress); });
    sleep_for(random.uniform(0.0, duration));
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) {
      ++kills;
      resumed += resumes ? 1 : 0;
    } else {
      ASSERT_EQ(status, 0) << "kill " << kills;  // it was faster
    }
    const bool begun = fs::exists(path) || fs::exists(header_path(parts_folder(path)));
    if (begun) {
      const RunReader run(path);
      ASSERT_GE(run.steps(), progress.checkpoint) << "kill " << kills;
      ASSERT_TRUE(holds_samples(run)) << "kill " << kills;
      const std::optional<Checkpoint> checkpoint = run.latest_checkpoint();
      if (!run.finished() && progress.checkpoint > 0) {
        ASSERT_TRUE(checkpoint) << "kill " << kills;
        ASSERT_GE(checkpoint->step, progress.checkpoint);
        ASSERT_EQ(checkpoint->state, sample_state(checkpoint->step));
      }
      if (run.finished()) {
        ASSERT_EQ(run.steps(), last_step);
        ASSERT_EQ(run.frame_number(run.frames() - 1), last_step);
        ++finished;
        progress.checkpoint = 0;  // the next run replaces it
      }
    } else {
      ASSERT_EQ(progress.checkpoint, 0);
    }
  }
  // The last one is let go to its end.
  ASSERT_EQ(::waitpid(start_child([&] { write_run(path, progress); }), &status, 0) > 0, true);
  ASSERT_EQ(status, 0);
  EXPECT_TRUE(holds_samples(RunReader(path)));
  EXPECT_EQ(RunReader(path).steps(), last_step);
  EXPECT_EQ(folder.entries(), 1);
  RecordProperty("kills", kills);
  RecordProperty("resumed", resumed);
  RecordProperty("finished", finished);
  if (wish != nullptr) fmt::print("kills,resumed,finished\n{},{},{}\n", kills, resumed, finished);
  ::munmap(memory, sizeof(Progress));
}

TEST(RunSurvival, AfterAFailedWriteTheCompleteStepsAreReadAndTheRunIsResumed) {
  const ScratchFolder folder;
  const fs::path path = folder / "run.h5";
  for (const rlim_t bytes : {0, 1, 100, 3000, 10000}) {
    {
      RunWriter writer(path, sample_header(), {.force = true, .segment_steps = 10});
      append_samples(writer, 29, 20);
      const SmallFiles limit(bytes);
      const std::string message = message_of([&] { append_samples(writer, 30); });
      EXPECT_TRUE(has(message, "File too large")) << bytes;
      EXPECT_TRUE(has(message, "run.h5.parts has every step up to 20"));
      EXPECT_TRUE(has(message_of([&] { writer.append(sample_frame(31)); }), "must be resumed"));
      EXPECT_TRUE(has(message_of([&] { writer.finish(); }), "must be resumed"));
      EXPECT_EQ(RunReader(path).steps(), 20);
      EXPECT_TRUE(holds_samples(RunReader(path)));
    }
    EXPECT_TRUE(list_parts(parts_folder(path)).temporaries.empty());
    RunWriter resumed = RunWriter::resume(path);
    append_samples(resumed, 35);
    resumed.finish();
    EXPECT_EQ(RunReader(path).steps(), 35);
    EXPECT_TRUE(holds_samples(RunReader(path)));
  }
}

TEST(RunSurvival, TheDiskIsFullAtTheEnd) {
  const ScratchFolder folder;
  const fs::path path = folder / "run.h5";
  for (const rlim_t bytes : {100, 10000}) {
    {
      RunWriter writer(path, sample_header(), {.force = true});
      append_samples(writer, 40, 40);
      const SmallFiles limit(bytes);
      EXPECT_TRUE(has(message_of([&] { writer.finish(); }), "File too large"));
      EXPECT_FALSE(fs::exists(path));
    }
    EXPECT_EQ(RunReader(path).steps(), 40);
    RunWriter::resume(path).finish();
    EXPECT_TRUE(RunReader(path).finished());
    EXPECT_TRUE(holds_samples(RunReader(path)));
  }
}

TEST(RunSurvival, AProblemThatDoesNotFitLeavesNothing) {
  const ScratchFolder folder;
  const SmallFiles limit(1000);
  EXPECT_TRUE(has(message_of([&] { write_problem(folder / "a.hdf5", local_example()); }), "File too large"));
  EXPECT_EQ(folder.entries(), 0);
}

TEST(RunSurvival, AnExportThatDoesNotFitLeavesNothing) {
  const ScratchFolder folder;
  {
    RunWriter writer(folder / "run.h5", sample_header());
    append_samples(writer, 40);
    writer.finish();
  }
  const RunReader run(folder / "run.h5");
  const SmallFiles limit(2000);
  EXPECT_TRUE(has(message_of([&] { export_csv(run, folder / "tables"); }), "File too large"));
  EXPECT_TRUE(has(message_of([&] { export_vtk(run, folder / "frames"); }), "File too large"));
  EXPECT_EQ(folder.entries(), 1);
}

// On a real file system of 256 KiB, where the process may make one.
TEST(RunSurvival, ARealDiskIsFull) {
  const ScratchFolder folder;
  fs::create_directory(folder / "disk");
  constexpr int cannot_mount = 77;
  const int child = start_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", (folder / "disk").c_str(), "tmpfs", 0, "size=256k") != 0)
      ::_exit(cannot_mount);
    const fs::path path = folder / "disk/run.h5";
    RunWriter writer(path, sample_header(), {.segment_steps = 10});
    const std::string message = message_of([&] { append_samples(writer, 10'000); });
    const RunReader run(path);
    if (message.find("No space left on device") == message.npos)
      throw std::runtime_error("message: " + message);
    if (run.steps() < 10 || !holds_samples(run)) throw std::runtime_error("steps");
  });
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == cannot_mount)
    GTEST_SKIP() << "needs the right to mount a file system";
  EXPECT_EQ(status, 0);
}

}  // namespace slipstick::internal::run_survival_test
