// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <algorithm>

#include "slipstick/step_solver.hpp"
#include "tests/cli/simulation_testing.hpp"

namespace slipstick::internal::cli::simulate_test {

#ifdef SLIPSTICK_HAS_JSON

using Simulate = SimulateTest;

TEST_F(Simulate, TextHasTheResultInShort) {
  write_pile("pile.json");
  const Outcome outcome = run(0, {"simulate", "pile.json"});
  for (const std::string word :
       {"pile", "8 bodies", "seed 7", "coulomb", "auto", "complete", "50 steps", "contacts", "energy"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << " is missing in\n" << outcome.out;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  EXPECT_EQ(list(), Words{"pile.json"});
}

TEST_F(Simulate, JsonHasEveryField) {
  write_pile("pile.json");
  const Json json = parse(run(0, {"simulate", "pile.json", "-o", "run.h5", "--json"}).out);
  for (const char* key : {"version", "scene", "law", "solver", "status", "output"})
    EXPECT_TRUE(json.at(key).is_string()) << key;
  for (const char* key : {"seed", "steps", "flagged", "bodies", "contacts_max", "islands_max"})
    EXPECT_TRUE(json.at(key).is_number_unsigned()) << key;
  for (const char* key : {"tolerance", "time", "worst_error", "penetration_max", "joint_error_max",
                          "momentum_error", "energy_error", "seconds"})
    EXPECT_TRUE(json.at(key).is_number()) << key;
  for (const char* key : {"next", "loosen", "convex", "halve", "keep", "stop"})
    EXPECT_TRUE(json.at("policy_used").at(key).is_number_unsigned()) << key;
  EXPECT_EQ(json.at("policy_used").size(), 6u);
  EXPECT_TRUE(json.at("dumps").is_array());
  EXPECT_EQ(json.at("scene"), "pile");
  EXPECT_EQ(json.at("seed"), 7);
  EXPECT_EQ(json.at("law"), "coulomb");
  EXPECT_EQ(json.at("solver"), "auto");
  EXPECT_EQ(json.at("status"), "complete");
  EXPECT_EQ(json.at("steps"), 50);
  EXPECT_EQ(json.at("flagged"), 0);
  EXPECT_EQ(json.at("bodies"), 8);
  EXPECT_LE(json.at("worst_error"), 1e-4);
  EXPECT_GE(json.at("contacts_max"), 6);
  EXPECT_GT(json.at("seconds"), 0.0);
  EXPECT_EQ(json.at("output"), "run.h5");

  // The numbers are those of the run.
  const RunReader reader = open("run.h5");
  ASSERT_TRUE(reader.finished());
  ASSERT_EQ(reader.steps(), 50);
  EXPECT_EQ(reader.frames(), 50);
  Index contacts = 0;
  double error = 0.0, penetration = 0.0;
  for (Index k = 0; k < reader.steps(); ++k) {
    const StepRecord step = reader.step(k);
    contacts = std::max(contacts, step.contacts);
    error = std::max(error, step.error);
    penetration = std::max(penetration, step.penetration);
  }
  EXPECT_EQ(json.at("contacts_max"), contacts);
  EXPECT_EQ(json.at("worst_error"), error);
  EXPECT_EQ(json.at("penetration_max"), penetration);
  EXPECT_EQ(reader.header().law, "coulomb");
  EXPECT_EQ(reader.header().bodies.front(), "ground");
  EXPECT_EQ(reader.header().joints, Words{"string"});
  EXPECT_EQ(Json::parse(reader.header().settings).at("policy"), "next,loosen:10,keep");
}

TEST_F(Simulate, BuiltInScenesTakeParameters) {
  const Json json =
      parse(run({"simulate", "stack", "--set", "scene.boxes=2", "--duration", "0.1", "--json"}).out);
  EXPECT_EQ(json.at("scene"), "stack");
  EXPECT_EQ(json.at("bodies"), 3);
  EXPECT_EQ(json.at("output"), nullptr);
}

TEST_F(Simulate, LawStepDurationAndToleranceReplaceThoseOfTheScene) {
  write_pile("pile.json");
  const Json json =
      parse(run(0, {"simulate", "pile.json", "--friction", "convex", "--step", "0.005", "--duration", "0.1",
                    "--tolerance", "1e-6", "--record", "every:8", "-o", "run.h5", "--json"})
                .out);
  EXPECT_EQ(json.at("law"), "convex");
  EXPECT_EQ(json.at("steps"), 20);
  EXPECT_LE(json.at("worst_error"), 1e-6);
  const RunReader reader = open("run.h5");
  EXPECT_EQ(reader.header().step, 0.005);
  EXPECT_EQ(reader.header().tolerance, 1e-6);
  ASSERT_EQ(reader.frames(), 4);  // 1, 8, 16, 20
  EXPECT_EQ(reader.frame_number(1), 8);
  EXPECT_EQ(reader.frame_number(3), 20);
  EXPECT_NEAR(reader.step(19).time, 0.1, 1e-12);
}

TEST_F(Simulate, BadInputHasOneMessageAndWritesNothing) {
  write_pile("pile.json");
  write("broken.json", "{\"version\": 1,");
  const auto expect = [&](const Words& arguments, const std::string& message) {
    const Outcome outcome = run(2, Words{"simulate"} + arguments + Words{"--json"});
    EXPECT_EQ(lines(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_TRUE(parse(outcome.out).contains("error")) << outcome.out;
    EXPECT_EQ(list(), (Words{"broken.json", "pile.json"}));
  };
  const Words pile = {"pile.json", "-o", "run.h5"};
  expect({}, "expected a scene");
  for (const std::string option : {"--duration", "--step", "--tolerance"}) {
    for (const std::string value : {"0", "-1", "nan", "inf"})
      expect(pile + Words{option, value}, option + ":");
    expect(pile + Words{option, "much"}, option);
  }
  expect(pile + Words{"--step", "1e-12"}, "steps, expected at most");
  expect(pile + Words{"--threads", "0"}, "--threads: 0 is not from 1 to 1024");
  expect(pile + Words{"--friction", "colomb"}, "--friction: 'colomb' is none of");
  expect(pile + Words{"--solver", "nsg"}, "nsg");
  expect(pile + Words{"--solver", "nsgs", "--set", "nonsense=1"}, "nonsense");
  expect(pile + Words{"--set", "relaxation=1"}, "auto has no options");
  expect(pile + Words{"--set", "scene.boxes=3"}, "a scene file has no parameters");
  expect({"towr"}, "did you mean 'tower'?");
  expect({"stack", "--set", "scene.boxs=3"}, "did you mean 'boxes'?");
  expect({"missing.json"}, "missing.json");
  expect({"broken.json"}, "broken.json");
  for (const auto& [policy, message] : std::vector<std::pair<std::string, std::string>>{
           {"nxt", "'nxt' is not known, did you mean 'next'?"},
           {"next,,keep", "has an empty item"},
           {"", "has an empty item"},
           {"loosen", "'loosen' has no factor"},
           {"loosen:0.5", "expected a finite number of 1 or more"},
           {"loosen:nan", "expected a finite number of 1 or more"},
           {"loosen:x", "'x' is not a number"},
           {"keep:2", "'keep' takes no number"},
           {"next,next", "'next' is given twice"},
           {"keep,stop", "'stop' comes after 'keep'"}})
    expect(pile + Words{"--policy", policy}, message);
  for (const std::string option : {"--record", "--checkpoint"}) {
    expect(pile + Words{option, "every:0"}, option + ": every:0 is not from 1");
    expect(pile + Words{option, "every:-1"}, option + ": every:-1 is not from 1");
    expect(pile + Words{option, "5"}, option + ": '5' is not every:N");
    expect(pile + Words{option, "every:1x"}, "is not every:N");
  }
  expect(pile + Words{"--dump", "worst:0"}, "worst:0 is not from 1");
  expect(pile + Words{"--dump", "every:0"}, "every:0 is not from 1");
  expect(pile + Words{"--dump", "all"}, "'all' is none of worst:K, failed, every:N, step:N");
  expect({"pile.json", "--dump", "failed"}, "expected -o RUN.h5");
  expect({"pile.json", "-o", "run.csv"}, "none of .h5, .hdf5");
  expect({"pile.json", "-o", "missing/run.h5"}, "there is no folder missing");
  expect({"--resume", "none.h5"}, "not a run");
  expect({"--resume", "pile.json"}, "not a run");
}

TEST_F(Simulate, AnExistingRunIsRefusedWithoutForce) {
  write_pile("pile.json");
  const Words arguments = {"simulate", "pile.json", "--duration", "0.05",
                           "-o",       "run.h5",    "--dump",     "every:2"};
  run(0, arguments);
  const std::string before = read("run.h5");
  EXPECT_NE(run(2, arguments).err.find("--force replaces it"), std::string::npos);
  EXPECT_EQ(read("run.h5"), before);
  run(0, Words{"simulate", "pile.json", "--duration", "0.02", "-o", "run.h5", "--dump", "failed", "--force"});
  EXPECT_EQ(open("run.h5").steps(), 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "run.dumps"));

  // The folder of parts is somebody else's.
  std::filesystem::create_directory(folder_ / "mine.h5.parts");
  write("mine.h5.parts/letter.txt", "dear");
  write("file.h5.parts", "x");
  for (const std::string name : {"mine.h5", "file.h5"})
    EXPECT_NE(run(2, {"simulate", "pile.json", "-o", name, "--force"}).err.find("cannot remove"),
              std::string::npos);
  EXPECT_FALSE(exists("mine.h5.parts/lock"));

  std::filesystem::create_symlink("nowhere.h5", folder_ / "link.h5");
  EXPECT_NE(run(2, {"simulate", "pile.json", "-o", "link.h5"}).err.find("is there already"),
            std::string::npos);
}

// Those of another run, whose file is gone.
TEST_F(Simulate, DumpsOfOthersStay) {
  write_pile("pile.json");
  const Words arguments = {"simulate", "pile.json", "--duration", "0.02", "-o", "run.h5"};
  run(0, arguments + Words{"--dump", "every:1"});
  std::filesystem::remove(folder_ / "run.h5");
  run(0, arguments);
  EXPECT_TRUE(exists("run.dumps/step-000001-island-000.h5"));
  run(0, {"simulate", "--resume", "run.h5", "--duration", "0.03"});
  EXPECT_TRUE(exists("run.dumps/step-000002-island-000.h5"));
  run(0, arguments + Words{"--force"});
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "run.dumps"));
}

// The angle of the oscillation overflows in the third step.
TEST_F(Simulate, AnErrorInALaterStepStops) {
  write("shaken.json", R"({"version": 1, "duration": 3, "step": 0.5,
    "shapes": [{"name": "slab", "type": "box", "size": [1, 1, 0.1]}],
    "bodies": [{"name": "table", "kind": "moved", "shapes": [{"shape": "slab"}],
                "motion": {"type": "oscillation", "amplitude": [0, 0, 0.1], "frequency": 2e307}}]})");
  for (const Words& output : {Words{}, Words{"-o", "run.h5"}}) {
    const Outcome outcome = run(1, Words{"simulate", "shaken.json", "--json"} + output);
    EXPECT_NE(outcome.err.find("step 3: body 0"), std::string::npos) << outcome.err;
    EXPECT_EQ(parse(outcome.out).at("status"), "stopped");
    EXPECT_EQ(parse(outcome.out).at("steps"), 2);
  }
  EXPECT_EQ(open("run.h5").steps(), 2);
}

TEST_F(Simulate, AShortDurationIsOneStep) {
  write_pile("pile.json");
  EXPECT_EQ(parse(run(0, {"simulate", "pile.json", "--duration", "1e-9", "-o", "run.h5", "--json"}).out)
                .at("steps"),
            1);
  EXPECT_EQ(open("run.h5").steps(), 1);
}

TEST_F(Simulate, DeepPenetrationAtTheStartIsNamed) {
  write("deep.json", R"({"version": 1, "name": "deep", "duration": 0.05, "step": 0.01,
    "shapes": [{"name": "floor", "type": "plane"}, {"name": "ball", "type": "sphere", "radius": 0.1}],
    "bodies": [{"name": "ground", "kind": "fixed", "shapes": [{"shape": "floor"}]},
               {"name": "sunk", "shapes": [{"shape": "ball"}], "position": [0, 0, 0.05]},
               {"name": "fine", "shapes": [{"shape": "ball"}], "position": [1, 0, 0.1]}]})");
  const Outcome outcome = run({"simulate", "deep.json"});
  EXPECT_NE(outcome.err.find("warning: 1 pair of bodies penetrate"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("ground and sunk by 0.05 m"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("fine"), std::string::npos) << outcome.err;
}

// A tolerance that no method reaches on this machine.
const Words hopeless = {"simulate", "pile.json", "--duration", "0.2", "--tolerance", "1e-30", "--json"};

TEST_F(Simulate, PolicyKeepFlagsSteps) {
  write_pile("pile.json");
  const Json json = parse(run(1, hopeless + Words{"--policy", "keep"}).out);
  EXPECT_EQ(json.at("status"), "complete");
  EXPECT_EQ(json.at("steps"), 20);
  EXPECT_GT(json.at("flagged"), 0);
  EXPECT_GT(json.at("policy_used").at("keep"), 0);
  EXPECT_EQ(json.at("policy_used").at("next"), 0);
  EXPECT_EQ(json.at("policy_used").at("stop"), 0);
  EXPECT_GT(json.at("worst_error"), 1e-30);
}

TEST_F(Simulate, PolicyLoosenAcceptsLargerErrors) {
  write_pile("pile.json");
  const Json json = parse(run(1, hopeless + Words{"--policy", "loosen:1e25,stop"}).out);
  EXPECT_EQ(json.at("status"), "complete");
  EXPECT_GT(json.at("policy_used").at("loosen"), 0);
  EXPECT_EQ(json.at("policy_used").at("keep"), 0);
  EXPECT_GT(json.at("flagged"), 0);
}

TEST_F(Simulate, PolicyStopEndsBeforeTheStep) {
  write_pile("pile.json");
  for (const std::string policy : {"stop", "next,stop", "next", "loosen:1"}) {
    const Outcome outcome = run(1, hopeless + Words{"--policy", policy});
    const Json json = parse(outcome.out);
    EXPECT_EQ(json.at("status"), "stopped") << policy;
    EXPECT_LT(json.at("steps"), 20) << policy;
    EXPECT_EQ(json.at("policy_used").at("stop"), 1) << policy;
    EXPECT_EQ(json.at("policy_used").at("keep"), 0) << policy;
    EXPECT_NE(outcome.err.find("was refused"), std::string::npos) << outcome.err;
    EXPECT_EQ(lines(outcome.err).size(), 1u) << outcome.err;
  }
}

TEST_F(Simulate, PolicyConvexSolvesUnderTheConvexLaw) {
  write_pile("pile.json");
  const Json json = parse(run({"simulate", "pile.json", "--solver", "nsgs", "--set", "relaxation=0.001",
                               "--tolerance", "1e-10", "--policy", "convex,keep", "--json"})
                              .out);
  EXPECT_EQ(json.at("status"), "complete");
  EXPECT_GT(json.at("policy_used").at("convex"), 0);
  EXPECT_GT(json.at("flagged"), 0);
}

TEST_F(Simulate, PolicyHalveMakesParts) {
  write_pile("pile.json");
  const Words arguments = {"simulate", "pile.json", "--duration", "0.03",  "--tolerance",
                           "1e-30",    "--json",    "-o",         "run.h5"};
  const Json stopped = parse(run(1, arguments + Words{"--policy", "halve,stop"}).out);
  EXPECT_EQ(stopped.at("status"), "stopped");
  EXPECT_GE(stopped.at("policy_used").at("halve"), 6);

  const Json kept = parse(run(1, arguments + Words{"--policy", "halve,keep", "--force"}).out);
  EXPECT_EQ(kept.at("status"), "complete");
  EXPECT_GT(kept.at("policy_used").at("halve"), 6);
  EXPECT_GT(kept.at("policy_used").at("keep"), 0);
  const RunReader reader = open("run.h5");
  double time = 0.0;
  for (Index k = 0; k < reader.steps(); ++k) {
    const StepRecord step = reader.step(k);
    const double parts = 0.01 / step.step;
    EXPECT_TRUE(parts == 1.0 || parts == 2.0 || parts == 4.0 || parts == 8.0 || parts == 16.0 ||
                parts == 32.0 || parts == 64.0)
        << parts;
    EXPECT_TRUE(step.remedies[static_cast<std::size_t>(Remedy::kept)] == 0 || parts == 64.0) << parts;
    time += step.step;
    EXPECT_NEAR(step.time, time, 1e-12);
  }
  EXPECT_NEAR(time, 0.03, 1e-9);
  // The leaves of the halvings.
  EXPECT_EQ(kept.at("steps"), 3 + kept.at("policy_used").at("halve").get<int>());
}

TEST_F(Simulate, DumpsAreReplayedBySolve) {
  write_pile("pile.json");
  const Words arguments = {"simulate", "pile.json", "--duration", "0.3",   "-o",
                           "run.h5",   "--json",    "--force",    "--dump"};
  const Json every = parse(run(0, arguments + Words{"every:10"}).out);
  ASSERT_GE(every.at("dumps").size(), 3u);
  bool has_contacts = false;
  for (const std::string file : every.at("dumps")) {
    const Json json =
        parse(run(0, {"solve", file, "--warm-start", file, "--tolerance", "1e-6", "--json"}).out);
    has_contacts = has_contacts || json.at("n") >= 6;
  }
  EXPECT_TRUE(has_contacts);
  EXPECT_TRUE(exists("run.dumps/step-000010-island-000.h5"));

  const Json worst = parse(run(0, arguments + Words{"worst:3"}).out);
  ASSERT_EQ(worst.at("dumps").size(), 3u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "run.dumps"), {}), 3);
  const std::string title = parse(run(0, {"info", worst.at("dumps")[0], "--json"}).out).dump();
  EXPECT_NE(title.find("pile: step"), std::string::npos) << title;

  EXPECT_TRUE(parse(run(0, arguments + Words{"failed"}).out).at("dumps").empty());
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "run.dumps"));
}

TEST_F(Simulate, FailedIslandsAreDumpedAlsoOfARefusedStep) {
  write_pile("pile.json");
  const Json kept =
      parse(run(1, hopeless + Words{"-o", "kept.h5", "--policy", "keep", "--dump", "failed"}).out);
  EXPECT_GE(kept.at("dumps").size(), kept.at("policy_used").at("keep").get<std::size_t>());
  EXPECT_GT(kept.at("policy_used").at("keep"), 0);
  const Json stopped =
      parse(run(1, hopeless + Words{"-o", "run.h5", "--policy", "stop", "--dump", "failed"}).out);
  ASSERT_GE(stopped.at("dumps").size(), 1u);
  char name[40];
  std::snprintf(name, sizeof name, "run.dumps/step-%06d-", stopped.at("steps").get<int>() + 1);
  EXPECT_EQ(stopped.at("dumps")[0].get<std::string>().find(name), 0u) << stopped.at("dumps")[0];
}

TEST_F(Simulate, TwiceIsTheSameToTheLastBit) {
  write_pile("pile.json");
  for (const std::string threads : {"1", "2"}) {
    for (const std::string name : {"first.h5", "second.h5"})
      run(0, {"simulate", "pile.json", "--threads", threads, "-o", name, "--force"});
    EXPECT_TRUE(same_runs("first.h5", "second.h5")) << threads << " threads";
  }
}

TEST_F(Simulate, ProgressIsShownOnATerminalAndControlCEndsWithACompleteRun) {
  write_pile("pile.json");
  const Running running = start(
      {"simulate", "pile.json", "--duration", "10000", "--record", "every:100", "-o", "run.h5", "--json"},
      true);
  wait_for_progress(running);
  kill(running.pid, SIGINT);
  const Outcome outcome = wait(running);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  const Json json = parse(outcome.out);
  EXPECT_EQ(json.at("status"), "cancelled");
  const RunReader reader = open("run.h5");
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(json.at("steps"), reader.steps());
  ASSERT_TRUE(reader.latest_checkpoint());
  EXPECT_EQ(reader.latest_checkpoint()->step, reader.steps());
}

#endif

}  // namespace slipstick::internal::cli::simulate_test
