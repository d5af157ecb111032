// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "slipstick/base/random.hpp"
#include "slipstick/base/timer.hpp"
#include "tests/cli/simulation_testing.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/small_files.hpp"

namespace slipstick::internal::cli::simulate_resume_test {

#ifdef SLIPSTICK_HAS_JSON

using SimulateResume = SimulateTest;

TEST_F(SimulateResume, ALongerDurationGivesTheBitsOfTheWhole) {
  write_pile("pile.json");
  const Words arguments = {"simulate", "pile.json", "--record", "every:7", "--duration"};
  run(0, arguments + Words{"0.5", "-o", "whole.h5"});
  run(0, arguments + Words{"0.23", "-o", "part.h5"});
  EXPECT_EQ(open("part.h5").frames(), 5);  // 1, 7, 14, 21 and the last, 23
  const Json json = parse(run(0, {"simulate", "--resume", "part.h5", "--duration", "0.5", "--json"}).out);
  EXPECT_EQ(json.at("steps"), 50);
  EXPECT_EQ(json.at("output"), "part.h5");
  EXPECT_FALSE(exists("part.h5.parts"));
  EXPECT_TRUE(same_runs("part.h5", "whole.h5"));
}

TEST_F(SimulateResume, ACompleteRunIsToldAgain) {
  write_pile("pile.json");
  Json before = parse(run(0, {"simulate", "pile.json", "-o", "run.h5", "--json", "--dump", "worst:2"}).out);
  const std::string bytes = read("run.h5");
  // What a kill leaves while the parts are removed.
  std::filesystem::create_directory(folder_ / "run.h5.parts");
  write("run.h5.parts/segment-00000001.h5", "");
  Json after = parse(run(0, {"simulate", "--resume", "run.h5", "--json"}).out);
  before.erase("seconds");
  after.erase("seconds");
  EXPECT_EQ(before, after);
  EXPECT_EQ(read("run.h5"), bytes);
  EXPECT_FALSE(exists("run.h5.parts"));
}

TEST_F(SimulateResume, OtherChangesAreRefusedByName) {
  write_pile("pile.json");
  run(0, {"simulate", "pile.json", "-o", "run.h5"});
  const std::string bytes = read("run.h5");
  for (const Words& change :
       {Words{"--solver", "nsgs"}, Words{"--friction", "convex"}, Words{"--tolerance", "1e-3"},
        Words{"--step", "0.1"}, Words{"--policy", "keep"}, Words{"--record", "every:2"},
        Words{"--dump", "failed"}, Words{"--checkpoint", "every:2"}, Words{"--set", "a=b"}, Words{"--force"},
        Words{"--output", "other.h5"}}) {
    const Outcome outcome = run(2, Words{"simulate", "--resume", "run.h5"} + change);
    EXPECT_NE(outcome.err.find(change[0] + " cannot be changed"), std::string::npos) << outcome.err;
  }
  EXPECT_NE(run(2, {"simulate", "pile.json", "--resume", "run.h5"}).err.find("SCENE cannot be changed"),
            std::string::npos);
  EXPECT_NE(
      run(2, {"simulate", "--resume", "run.h5", "--duration", "0.1"}).err.find("has reached 0.5 s already"),
      std::string::npos);
  EXPECT_EQ(read("run.h5"), bytes);
}

TEST_F(SimulateResume, ARunOfAnotherProgramIsRefused) {
  {
    RunWriter writer(folder_ / "other.h5", sample_header(), {});
    append_samples(writer, 10, 5);
    writer.finish();
  }
  EXPECT_NE(run(2, {"simulate", "--resume", "other.h5"}).err.find("other.h5"), std::string::npos);
  EXPECT_TRUE(exists("other.h5"));
}

TEST_F(SimulateResume, HalvedStepsGoOnWithTheirParts) {
  write_pile("pile.json");
  const Words arguments = {"simulate",   "pile.json", "--tolerance", "1e-30",      "--policy",
                           "halve,keep", "--dump",    "worst:3",     "--duration", "0.03"};
  run(1, arguments + Words{"-o", "whole.h5"});
  // The checkpoints lie within halved steps.
  Running running = start(arguments + Words{"-o", "part.h5", "--checkpoint", "every:1000"});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  kill(running.pid, SIGINT);
  wait(running);
  if (!exists("part.h5")) run(1, arguments + Words{"-o", "part.h5"});
  run(1, {"simulate", "--resume", "part.h5"});
  EXPECT_TRUE(same_runs("part.h5", "whole.h5"));
}

TEST_F(SimulateResume, AfterAFullDiskTheRunGoesOn) {
  write_pile("pile.json", 9);
  const Words arguments = {"simulate", "pile.json", "--checkpoint", "every:5", "--json", "-o"};
  run(0, arguments + Words{"whole.h5"});
  {
    const SmallFiles limit(25000);  // less than the whole, more than a part
    const Outcome outcome = run(1, arguments + Words{"run.h5"});
    EXPECT_NE(outcome.err.find("File too large"), std::string::npos) << outcome.err;
    EXPECT_EQ(parse(outcome.out).at("status"), "stopped");
  }
  EXPECT_FALSE(exists("run.h5"));
  const RunReader left = open("run.h5");
  EXPECT_FALSE(left.finished());
  EXPECT_GE(left.steps(), 5);
  run(0, {"simulate", "--resume", "run.h5"});
  EXPECT_TRUE(same_runs("run.h5", "whole.h5"));
}

// SLIPSTICK_KILLS sets the number of kills: bench/kill-simulations.
TEST_F(SimulateResume, KilledAtAnyInstant) {
  write_pile("pile.json", 9);
  const Words arguments = {"simulate", "pile.json", "--duration",   "0.5",     "--record", "every:3",
                           "--dump",   "worst:4",   "--checkpoint", "every:5", "--json"};
  const Timer timer;
  const Json whole = parse(run(0, arguments + Words{"-o", "whole.h5"}).out);
  const double seconds = timer.seconds();
  const char* wanted = std::getenv("SLIPSTICK_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : sanitized ? 5 : 20;
  int killed = 0, resumed = 0, finished = 0;
  Random random(42);
  const auto wait_a_while = [&] {
    const double share = static_cast<double>(random.bits() >> 11) * 0x1p-53;
    std::this_thread::sleep_for(std::chrono::duration<double>(1.5 * share * seconds));
  };
  const auto begins = [&] { return !exists("run.h5") && !exists("run.h5.parts/header.h5"); };
  const auto command = [&] {
    return begins() ? arguments + Words{"-o", "run.h5", "--force"}
                    : Words{"simulate", "--resume", "run.h5", "--json"};
  };
  while (killed < kills) {
    const bool is_new = begins();
    const Running running = start(command());
    wait_a_while();
    kill(running.pid, SIGKILL);
    const Outcome outcome = wait(running);
    if (outcome.exit_code == -SIGKILL) {
      ++killed;
      resumed += is_new ? 0 : 1;
      continue;
    }
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    ASSERT_TRUE(same_runs("run.h5", "whole.h5"));
    Json json = parse(outcome.out);
    for (const char* key :
         {"steps", "flagged", "worst_error", "contacts_max", "energy_error", "momentum_error"})
      ASSERT_EQ(json.at(key), whole.at(key)) << key;
    ASSERT_EQ(json.at("dumps").size(), whole.at("dumps").size());
    for (std::size_t k = 0; k < json.at("dumps").size(); ++k)
      ASSERT_EQ(json.at("dumps")[k].get<std::string>().substr(9),
                whole.at("dumps")[k].get<std::string>().substr(11));
    ++finished;
    std::filesystem::remove(folder_ / "run.h5");
    std::filesystem::remove_all(folder_ / "run.h5.parts");
  }
  run(0, command());
  EXPECT_TRUE(same_runs("run.h5", "whole.h5"));
  if (wanted != nullptr) fmt::print("kills,of_resumed,finished\n{},{},{}\n", killed, resumed, finished + 1);
}

#endif

}  // namespace slipstick::internal::cli::simulate_resume_test
