// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <cmath>

#include "tests/cli/program.hpp"

namespace slipstick::internal::cli::solve_test {

using Solve = CliTest;

TEST_F(Solve, TextHasTheAnswerInShort) {
  write_lcp("lcp.dat");
  const Outcome outcome = run(0, {"solve", "lcp.dat"});
  for (const std::string word :
       {"lcp.dat", "method", "chosen by auto", "solved", "scaled_natural_map", "time"}) {
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << " is missing in\n" << outcome.out;
  }
  EXPECT_EQ(outcome.out.find("worst"), std::string::npos) << outcome.out;
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
}

TEST_F(Solve, SolutionOfASmallProblemIsWritten) {
  write_lcp("lcp.dat");
  run(0, {"solve", "lcp.dat", "--output", "x.csv"});
  const std::string text = read("x.csv");
  EXPECT_NE(text.find("1.333333"), std::string::npos) << text;
  EXPECT_NE(text.find("2.333333"), std::string::npos) << text;
  run(0, {"solve", "lcp.dat", "--output", "x.h5"});
  EXPECT_EQ(read("x.h5").rfind("\x89HDF", 0), 0u);
}

TEST_F(Solve, UnsolvedNamesTheWorstRowsAndStillWrites) {
  generate_slow("slow.mtx");
  const Outcome outcome =
      run(1, {"solve", "slow.mtx", "--solver", "pgs", "--max-iterations", "3", "--output", "x.csv"});
  EXPECT_NE(outcome.out.find("iteration_limit"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("worst"), std::string::npos) << outcome.out;
  EXPECT_TRUE(exists("x.csv"));
}

TEST_F(Solve, HistoryHasOneLinePerIteration) {
  run(0, {"generate", "lcp", "--rows", "50", "-o", "lcp.mtx"});
  run({"solve", "lcp.mtx", "--solver", "pgs", "--max-iterations", "5", "--tolerance", "1e-14", "--history",
       "history.csv"});
  const std::vector<std::string> text = lines(read("history.csv"));
  ASSERT_GE(text.size(), 2u);
  EXPECT_EQ(text[0], "iteration,seconds,error,active");
  EXPECT_EQ(fields(text[1])[0], "0");
  double seconds = 0.0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const std::vector<std::string> row = fields(text[i]);
    ASSERT_EQ(row.size(), 4u) << text[i];
    EXPECT_TRUE(std::isfinite(std::stod(row[2]))) << text[i];
    if (std::stoi(row[0]) > 0) {
      EXPECT_GE(std::stod(row[1]), seconds) << text[i];
    }
    seconds = std::stod(row[1]);
  }
}

TEST_F(Solve, ProgressIsShownOnATerminalOnlyAndCleared) {
  generate_slow("slow.mtx");
  const std::vector<std::string> arguments = {
      "solve",        "slow.mtx", "--solver",         "pgs",       "--tolerance", "1e-300",
      "--time-limit", "2.5",      "--max-iterations", "2000000000"};
  const Outcome quiet = run(1, arguments);
  EXPECT_TRUE(quiet.err.empty()) << quiet.err;
  const Outcome shown = wait(start(arguments, true));
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_NE(shown.err.find("\rslow.mtx: iteration "), std::string::npos) << shown.err;
  const std::string clear = "\r\x1b[K";
  ASSERT_GE(shown.err.size(), clear.size());
  EXPECT_EQ(shown.err.substr(shown.err.size() - clear.size()), clear);
}

TEST_F(Solve, ShortRunsShowNoProgressOnATerminal) {
  write_lcp("lcp.dat");
  const Outcome outcome = wait(start({"solve", "lcp.dat"}, true));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.err.empty()) << outcome.err;
}

TEST_F(Solve, TwiceIsTheSameToTheLastBit) {
  run(0, {"generate", "lcp", "--rows", "200", "--seed", "3", "-o", "lcp.mtx"});
  run(0, {"solve", "lcp.mtx", "--output", "first.csv"});
  run(0, {"solve", "lcp.mtx", "--output", "second.csv"});
  EXPECT_EQ(read("first.csv"), read("second.csv"));
  EXPECT_FALSE(read("first.csv").empty());
}

#ifdef SLIPSTICK_HAS_JSON

TEST_F(Solve, JsonHasEveryField) {
  write_lcp("lcp.dat");
  const Json json = parse(run(0, {"solve", "lcp.dat", "--json"}).out);
  EXPECT_EQ(json.at("file"), "lcp.dat");
  EXPECT_EQ(json.at("class"), "lcp");
  EXPECT_EQ(json.at("n"), 2);
  EXPECT_EQ(json.at("nnz"), 4);
  EXPECT_EQ(json.at("requested"), "auto");
  EXPECT_NE(json.at("solver"), "auto");
  EXPECT_TRUE(json.at("solver").is_string());
  EXPECT_TRUE(json.at("friction").is_null());
  EXPECT_FALSE(json.contains("contacts"));
  EXPECT_EQ(json.at("status"), "solved");
  EXPECT_EQ(json.at("solved"), true);
  EXPECT_TRUE(json.at("iterations").is_number_integer());
  EXPECT_TRUE(json.at("seconds").is_number());
  EXPECT_GT(json.at("seconds"), 0.0) << "also of what takes a microsecond";
  EXPECT_EQ(json.at("tolerance"), 1e-8);
  EXPECT_EQ(json.at("measure"), "scaled_natural_map");
  EXPECT_LE(json.at("measures").at("scaled_natural_map"), 1e-8);
  for (const auto& [key, value] : json.at("measures").items()) EXPECT_TRUE(value.is_number()) << key;
  EXPECT_FALSE(json.at("measures").contains("desaxce"));
  EXPECT_TRUE(json.at("message").is_string());
  EXPECT_TRUE(json.at("attempts").is_array());
  EXPECT_TRUE(json.at("warnings").is_array());
  EXPECT_TRUE(json.at("products").is_number_integer());
  EXPECT_EQ(json.at("threads"), 1);
}

TEST_F(Solve, NamedSolverAndItsOptionsAreUsed) {
  run(0, {"generate", "lcp", "--rows", "100", "--condition", "10", "-o", "lcp.mtx"});
  const Json plain = parse(run(0, {"solve", "lcp.mtx", "--solver", "pgs", "--json"}).out);
  EXPECT_EQ(plain.at("requested"), "pgs");
  EXPECT_EQ(plain.at("solver"), "pgs");
  const Json damped =
      parse(run(0, {"solve", "lcp.mtx", "--solver", "pgs", "--set", "relaxation=0.3", "--json"}).out);
  EXPECT_GT(damped.at("iterations"), plain.at("iterations"));
}

TEST_F(Solve, ToleranceAndLimitsAreObeyed) {
  run(0, {"generate", "lcp", "--rows", "300", "--condition", "1e4", "-o", "lcp.mtx"});
  const Json loose =
      parse(run(0, {"solve", "lcp.mtx", "--solver", "pgs", "--tolerance", "1e-2", "--json"}).out);
  EXPECT_LE(loose.at("measures").at("scaled_natural_map"), 1e-2);
  EXPECT_EQ(loose.at("tolerance"), 1e-2);
  const Json limited =
      parse(run(1, {"solve", "lcp.mtx", "--solver", "pgs", "--max-iterations", "2", "--json"}).out);
  EXPECT_EQ(limited.at("status"), "iteration_limit");
  EXPECT_EQ(limited.at("solved"), false);
  EXPECT_EQ(limited.at("iterations"), 2);
}

TEST_F(Solve, TimeLimitEndsALongSolve) {
  generate_slow("slow.mtx");
  const Json json = parse(run(1, {"solve", "slow.mtx", "--solver", "pgs", "--tolerance", "1e-300",
                                  "--max-iterations", "2000000000", "--time-limit", "0.2", "--json"})
                              .out);
  EXPECT_EQ(json.at("status"), "time_limit");
  EXPECT_GE(json.at("seconds"), 0.2);
}

TEST_F(Solve, AnotherMeasureMayJudge) {
  write_lcp("lcp.dat");
  const Json json = parse(run(0, {"solve", "lcp.dat", "--measure", "natural_map", "--json"}).out);
  EXPECT_EQ(json.at("measure"), "natural_map");
  EXPECT_LE(json.at("measures").at("natural_map"), 1e-8);
  // One that is not defined for the problem cannot.
  run(0, {"generate", "boxed", "--rows", "10", "--two-sided", "0.5", "-o", "boxed.mtx"});
  run(0, {"solve", "boxed.mtx", "--measure", "energy_max"});
  EXPECT_NE(run(2, {"solve", "boxed.mtx", "--measure", "survey"}).err.find("survey"), std::string::npos);
}

TEST_F(Solve, WarmStartFromAnOutputNeedsNextToNoIterations) {
  run(0, {"generate", "lcp", "--rows", "200", "--condition", "1e3", "-o", "lcp.mtx"});
  for (const std::string output : {"x.csv", "x.h5"}) {
    const std::vector<std::string> cold = {"solve", "lcp.mtx", "--solver", "pgs", "--json"};
    std::vector<std::string> with_output = cold;
    with_output.insert(with_output.end(), {"--output", output, "--tolerance", "1e-10"});
    EXPECT_GT(parse(run(0, with_output).out).at("iterations"), 10);
    std::vector<std::string> warm = cold;
    warm.insert(warm.end(), {"--warm-start", output});
    EXPECT_LE(parse(run(0, warm).out).at("iterations"), 1);
  }
}

TEST_F(Solve, WarmStartOfAnotherSizeIsRefused) {
  run(0, {"generate", "lcp", "--rows", "10", "-o", "small.mtx"});
  run(0, {"generate", "lcp", "--rows", "20", "-o", "large.mtx"});
  run(0, {"solve", "small.mtx", "--output", "x.csv"});
  const Outcome outcome = run(2, {"solve", "large.mtx", "--warm-start", "x.csv"});
  EXPECT_NE(outcome.err.find("10"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("20"), std::string::npos) << outcome.err;
}

TEST_F(Solve, RepeatReportsOneResult) {
  write_lcp("lcp.dat");
  const Json once = parse(run(0, {"solve", "lcp.dat", "--json"}).out);
  const Json often =
      parse(run(0, {"solve", "lcp.dat", "--repeat", "20", "--history", "h.csv", "--json"}).out);
  EXPECT_EQ(often.at("repeat"), 20);
  EXPECT_EQ(often.at("iterations"), once.at("iterations"));
  EXPECT_EQ(often.at("measures"), once.at("measures"));
  // The history is that of one run.
  int starts = 0;
  for (const std::string& line : lines(read("h.csv"))) starts += line.rfind("0,", 0) == 0 ? 1 : 0;
  EXPECT_LE(starts, 1);
}

TEST_F(Solve, FrictionlessContact) {
  write_contact("contact.dat");
  for (const std::string file : {"contact.dat", "contact.hdf5"}) {
    if (file == "contact.hdf5") run(0, {"convert", "contact.dat", "contact.hdf5"});
    const Json json = parse(run(0, {"solve", file, "--friction", "none", "--output", "x.csv", "--json"}).out);
    EXPECT_EQ(json.at("class"), "contact2d");
    EXPECT_EQ(json.at("friction"), "none");
    EXPECT_LE(json.at("measures").at("desaxce"), 1e-8);
  }
  const Json coulomb = parse(run(0, {"solve", "contact.dat", "--json"}).out);
  EXPECT_EQ(coulomb.at("friction"), "coulomb");
  EXPECT_EQ(coulomb.at("contacts"), Json::parse(R"({"open": 0, "stick": 1, "slip": 0})"));
  EXPECT_NE(run(0, {"solve", "contact.dat"}).out.find("0 open, 1 stick, 0 slip"), std::string::npos);
}

TEST_F(Solve, WarmStartOfAContactProblem) {
  run(0, {"generate", "packing", "--spheres", "60", "-o", "packing.hdf5"});
  for (const std::string output : {"x.csv", "x.hdf5"}) {
    const Json cold = parse(run(0, {"solve", "packing.hdf5", "--friction", "none", "--solver", "pgs",
                                    "--tolerance", "1e-9", "--output", output, "--json"})
                                .out);
    const Json warm = parse(run(0, {"solve", "packing.hdf5", "--friction", "none", "--solver", "pgs",
                                    "--warm-start", output, "--json"})
                                .out);
    EXPECT_GT(cold.at("iterations"), 5);
    EXPECT_LE(warm.at("iterations"), 1) << output;
  }
}

TEST_F(Solve, NoMethodIsNamedWhereNoneWasNeeded) {
  run(0, {"generate", "packing", "--spheres", "20", "-o", "packing.hdf5"});
  run(0, {"solve", "packing.hdf5", "--output", "x.csv"});
  const std::vector<std::string> again = {"solve", "packing.hdf5", "--warm-start", "x.csv"};
  EXPECT_NE(run(0, again).out.find("the starting point is a solution"), std::string::npos);
  std::vector<std::string> with_json = again;
  with_json.push_back("--json");
  EXPECT_TRUE(parse(run(0, with_json).out).at("solver").is_null());
}

TEST_F(Solve, WarmStartKeepsTheImpulsesOfBilateralRows) {
  const std::string vector = "%%MatrixMarket matrix array real general\n";
  write("joint.mtx", vector + "3 3\n2\n0.5\n0\n0.5\n3\n0.1\n0\n0.1\n3\n");
  write("joint.q.mtx", vector + "3 1\n-1\n0.3\n0.2\n");
  write("joint.mu.mtx", vector + "1 1\n0.4\n");
  write("joint.V.mtx", vector + "3 1\n0.5\n0.2\n0.1\n");
  write("joint.R.mtx", vector + "1 1\n2\n");
  write("joint.s.mtx", vector + "1 1\n0.7\n");
  for (const std::string output : {"x.csv", "x.hdf5"}) {
    run(0, {"solve", "joint.mtx", "--output", output});
    for (const std::string solver : {"auto", "nsgs", "ncp-ipm", "desaxce-fixed-point"}) {
      const Json warm =
          parse(run(0, {"solve", "joint.mtx", "--solver", solver, "--warm-start", output, "--json"}).out);
      EXPECT_EQ(warm.at("iterations"), 0) << solver << " " << output;
      EXPECT_EQ(warm.at("products"), 1) << solver << " " << output;
    }
  }
}

TEST_F(Solve, EveryFrictionLaw) {
  run(0, {"generate", "packing", "--spheres", "30", "-o", "packing.hdf5"});
  for (const std::string law : {"none", "convex", "coulomb", "diamond", "box"}) {
    const Json json = parse(run(0, {"solve", "packing.hdf5", "--friction", law, "--json"}).out);
    EXPECT_EQ(json.at("status"), "solved") << law;
    EXPECT_EQ(json.at("friction"), law);
  }
  const Json pair = parse(
      run(0, {"solve", "packing.hdf5", "--solver", "pgs+apgd", "--set", "proximal=0.01", "--json"}).out);
  EXPECT_EQ(pair.at("solver"), "staggered(pgs, apgd)");
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--friction", "sticky"},
                                                {"--friction", "box", "--solver", "pgs+pgs+pgs"},
                                                {"--solver", "staggered", "--set", "proximal=-1"}}) {
    std::vector<std::string> arguments = {"solve", "packing.hdf5"};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    EXPECT_FALSE(run(2, arguments).err.empty());
  }
}

// The command of docs/pivoting.md: options reach the solver inside a sequence, and what it says is kept.
TEST_F(Solve, OptionsOfInnerSolvers) {
  run(0, {"generate", "packing", "--spheres", "40", "--friction", "0.5", "-o", "heap.hdf5"});
  const std::vector<std::string> command = {"solve",    "heap.hdf5", "--friction", "box",
                                            "--solver", "bpp",       "--json"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    return more;
  };
  const Json plain = parse(run(0, command).out);
  EXPECT_EQ(plain.at("message").get<std::string>().find("shifted"), std::string::npos);
  const Json shifted =
      parse(run(0, with({"--set", "bpp.regularization=1e-3", "--set", "bpp.pivot_limit=1"})).out);
  EXPECT_EQ(shifted.at("solver"), "box-sequence(bpp)");
  EXPECT_NE(shifted.at("message").get<std::string>().find("friction rows were shifted"), std::string::npos)
      << shifted.at("message");
  const Json unnamed = parse(run(0, with({"--set", "regularization=1e-3", "--set", "pivot_limit=1"})).out);
  EXPECT_EQ(unnamed.at("message"), shifted.at("message")) << "options of the named solver";
  for (const std::string wrong :
       {"bpp.colour=1", "ipm.memory=1", "box-sequence.memory=1", "bpp.pivot_limit=0"})
    EXPECT_FALSE(run(2, with({"--set", wrong})).err.empty()) << wrong;
}

TEST_F(Solve, GlobalFormWithAndWithoutItsMatrix) {
  run(0, {"generate", "sheet", "--side", "5", "-o", "sheet.hdf5"});
  const Json with = parse(run(0, {"solve", "sheet.hdf5", "--assemble-w", "yes", "--json"}).out);
  const Json without = parse(run(0, {"solve", "sheet.hdf5", "--assemble-w", "no", "--json"}).out);
  EXPECT_EQ(with.at("condensed"), true);
  EXPECT_EQ(without.at("condensed"), false);
  for (const Json& json : {with, without}) EXPECT_LE(json.at("measures").at("scaled_natural_map"), 1e-8);
  EXPECT_NE(run(0, {"solve", "sheet.hdf5", "--assemble-w", "no"}).out.find("without assembling W"),
            std::string::npos);
  EXPECT_FALSE(run(1, {"solve", "sheet.hdf5", "--assemble-w", "no", "--solver", "nsgs"}).out.empty());
  EXPECT_NE(run(2, {"solve", "sheet.hdf5", "--assemble-w", "maybe"}).err.find("maybe"), std::string::npos);
  run(0, {"generate", "lcp", "--rows", "5", "-o", "lcp.mtx"});
  EXPECT_NE(run(2, {"solve", "lcp.mtx", "--assemble-w", "no"}).err.find("global"), std::string::npos);
}

TEST_F(Solve, MethodThatCannotTakeTheProblemSaysWhy) {
  run(0, {"generate", "lcp", "--rows", "30", "--skew", "0.5", "-o", "skew.mtx"});
  const Json solvers = parse(run(0, {"solvers", "--json"}).out);
  for (const Json& row : solvers) {
    if (row.at("nonsymmetric").get<bool>()) continue;
    const Outcome outcome = run({"solve", "skew.mtx", "--solver", row.at("name"), "--json"});
    const Json json = parse(outcome.out);
    EXPECT_EQ(outcome.exit_code, 1) << row.at("name");
    EXPECT_EQ(json.at("status"), "unsupported") << row.at("name");
    EXPECT_FALSE(json.at("message").get<std::string>().empty());
  }
}

TEST_F(Solve, SignalsEndALongSolveWithWhatItHas) {
  generate_slow("slow.mtx");
  for (const int signal : {SIGINT, SIGTERM}) {
    const Running running =
        start({"solve", "slow.mtx", "--solver", "pgs", "--tolerance", "1e-300", "--max-iterations",
               "2000000000", "--output", "x.csv", "--history", "history.csv", "--json"},
              true);
    wait_for_progress(running);
    kill(running.pid, signal);
    const Outcome outcome = wait(running);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    const Json json = parse(outcome.out);
    EXPECT_EQ(json.at("status"), "cancelled");
    EXPECT_GT(json.at("iterations"), 0);
    EXPECT_LT(json.at("measures").at("scaled_natural_map"), 1.0);
    EXPECT_TRUE(exists("x.csv"));
    EXPECT_GE(lines(read("history.csv")).size(), 2u);
  }
}

#endif

}  // namespace slipstick::internal::cli::solve_test
