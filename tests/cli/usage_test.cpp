// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// What the program says and leaves behind when it is asked for something wrong.
#include "tests/cli/program.hpp"
#include "tests/cli/program_path.hpp"

namespace slipstick::internal::cli::usage_test {

using Usage = CliTest;

void expect_one_line_complaint(const Outcome& outcome, const std::string& word) {
  const std::vector<std::string> text = lines(outcome.err);
  ASSERT_EQ(text.size(), 1u) << outcome.err;
  EXPECT_EQ(text[0].rfind("slipstick: ", 0), 0u) << text[0];
  EXPECT_NE(text[0].find(word), std::string::npos) << text[0] << " does not speak of " << word;
}

TEST_F(Usage, HelpOfEveryCommandHasExamples) {
  const std::vector<std::vector<std::string>> commands = {{},
                                                          {"solve"},
                                                          {"compare"},
                                                          {"report"},
                                                          {"export"},
                                                          {"generate"},
                                                          {"info"},
                                                          {"convert"},
                                                          {"solvers"},
                                                          {"scenes"},
                                                          {"simulate"},
                                                          {"generate", "lcp"},
                                                          {"generate", "boxed"},
                                                          {"generate", "banded"},
                                                          {"generate", "uic"},
                                                          {"generate", "packing"},
                                                          {"generate", "tower"},
                                                          {"generate", "rocks"}};
  for (std::vector<std::string> command : commands) {
    command.push_back("--help");
    const Outcome outcome = run(0, command);
    EXPECT_NE(outcome.out.find("Examples:"), std::string::npos) << outcome.out;
    EXPECT_TRUE(outcome.err.empty()) << outcome.err;
  }
}

TEST_F(Usage, VersionSaysWhatIsIn) {
  const Outcome outcome = run(0, {"--version"});
  EXPECT_EQ(outcome.out.rfind("slipstick ", 0), 0u) << outcome.out;
  EXPECT_NE(outcome.out.find("Eigen"), std::string::npos);
}

// Wherever the test runs, a machine has no thousand devices, and most have none.
TEST_F(Usage, DevicesThatAreNotThereAreRefused) {
  write_lcp("lcp.dat");
  for (const std::string solver : {"auto", "apgd-cuda"}) {
    expect_one_line_complaint(run(2, {"solve", "lcp.dat", "--device", "999", "--solver", solver}),
                              "there is no CUDA device 999: ");
  }
  expect_one_line_complaint(run(2, {"solve", "lcp.dat", "--device", "-1"}), "--device");
  expect_one_line_complaint(run(2, {"compare", "lcp.dat", "--device", "999"}), "no CUDA device 999: ");
  expect_one_line_complaint(run(2, {"simulate", "stack", "--device", "999"}), "no CUDA device 999: ");
  expect_one_line_complaint(run(2, {"simulate", "stack", "--device", "999", "--collision", "device"}),
                            "collision on a CUDA device");
  expect_one_line_complaint(run(2, {"simulate", "stack", "--collision", "here"}),
                            "--collision: 'here' is none of host, device");
}

TEST_F(Usage, BadUsagesAreToldInOneLineAndLeaveNothing) {
  write_lcp("lcp.dat");
  write_contact("contact.dat");
  struct Case {
    std::vector<std::string> arguments;
    std::string word;  // that the complaint must hold
  };
  const std::vector<Case> cases = {
      {{}, "subcommand"},
      {{"sovle", "lcp.dat"}, "sovle"},
      {{"solve"}, "FILE"},
      {{"solve", "absent.dat"}, "absent.dat"},
      {{"solve", "."}, "."},
      {{"solve", "lcp.dat", "extra.dat"}, "extra.dat"},
      {{"solve", "lcp.dat", "--no-such-option"}, "--no-such-option"},
      {{"solve", "lcp.dat", "--solver", "gauss"}, "pgs"},
      {{"solve", "lcp.dat", "--solver", "PGS"}, "PGS"},
      {{"solve", "lcp.dat", "--type", "triangle"}, "triangle"},
      {{"solve", "lcp.dat", "--tolerance", "0"}, "--tolerance"},
      {{"solve", "lcp.dat", "--tolerance", "-1e-8"}, "--tolerance"},
      {{"solve", "lcp.dat", "--tolerance", "nan"}, "--tolerance"},
      {{"solve", "lcp.dat", "--tolerance", "inf"}, "--tolerance"},
      {{"solve", "lcp.dat", "--tolerance", "small"}, "--tolerance"},
      {{"solve", "lcp.dat", "--tolerance", "1e-4", "--tolerance", "1e-6"}, "--tolerance"},
      {{"solve", "lcp.dat", "--threads", "0"}, "--threads"},
      {{"solve", "lcp.dat", "--threads", "1025"}, "--threads"},
      {{"solve", "lcp.dat", "--threads", "2.5"}, "--threads"},
      {{"solve", "lcp.dat", "--time-limit", "0"}, "--time-limit"},
      {{"solve", "lcp.dat", "--repeat", "0"}, "--repeat"},
      {{"solve", "lcp.dat", "--repeat", "99999999999"}, "--repeat"},
      {{"solve", "lcp.dat", "--max-iterations", "-3"}, "--max-iterations"},
      {{"solve", "lcp.dat", "--measure", "length"}, "scaled_natural_map"},
      {{"solve", "lcp.dat", "--measure", "objective"}, "objective"},
      {{"solve", "lcp.dat", "--solver", "pgs", "--set", "relaxation"}, "key=value"},
      {{"solve", "lcp.dat", "--solver", "pgs", "--set", "=1"}, "key=value"},
      {{"solve", "lcp.dat", "--solver", "pgs", "--set", "colour=red"}, "colour"},
      {{"solve", "lcp.dat", "--set", "relaxation=1"}, "auto"},
      {{"solve", "lcp.dat", "--friction", "none"}, "contact"},
      {{"solve", "lcp.dat", "--solver", "nsgs"}, "contact"},
      {{"solve", "lcp.dat", "--solver", "bpp+apgd"}, "contact"},
      {{"solve", "lcp.dat", "--measure", "desaxce"}, "lcp"},
      {{"solve", "contact.dat", "--measure", "natural_map"}, "natural_map"},
      {{"solve", "contact.dat", "--solver", "nsgz"}, "nsgs"},
      {{"solve", "contact.dat", "--solver", "box-sequence"}, "'coulomb'"},
      {{"solve", "contact.dat", "--solver", "box", "--friction", "box"}, "box-sequence"},
      {{"solve", "contact.dat", "--solver", "desaxce"}, "desaxce-fixed-point"},
      {{"compare", "contact.dat", "--solvers", "nsgs,desaxce"}, "desaxce-fixed-point"},
      {{"solve", "contact.dat", "--friction", "staggered"}, "--solver staggered"},
      {{"compare", "contact.dat", "--friction", "staggered"}, "--solver staggered"},
      {{"solve", "contact.dat", "--condense", "yes"}, "--assemble-w"},
      {{"solve", "contact.dat", "--solver", "nsgs", "--set", "bpp.patience=3"}, "bpp"},
      {{"solve", "contact.dat", "--solver", "nsgs", "--friction", "convex"}, "'convex'"},
      {{"solve", "contact.dat", "--solver", "admm", "--friction", "box"}, "'box'"},
      {{"solve", "contact.dat", "--friction", "ice"}, "ice"},
      {{"solve", "lcp.dat", "--output", "x.txt"}, ".txt"},
      {{"solve", "lcp.dat", "--output", "x"}, "extension"},
      {{"solve", "lcp.dat", "--output", "absent/x.csv"}, "absent"},
      {{"solve", "lcp.dat", "--history", "h.txt"}, ".txt"},
      {{"solve", "lcp.dat", "--output", "x.csv", "--history", "x.csv"}, "overwrite"},
      {{"solve", "lcp.dat", "--warm-start", "absent.csv"}, "absent.csv"},
      {{"solve", "lcp.dat", "--plot", "p.png"}, ".png"},
      {{"solve", "lcp.dat", "--plot", "absent/p.svg"}, "absent"},
      {{"report"}, "DIR|CSV"},
      {{"report", "absent.csv"}, "absent.csv"},
      {{"info"}, "FILE"},
      {{"info", "absent.dat"}, "absent.dat"},
      {{"convert", "lcp.dat"}, "OUT"},
      {{"convert", "lcp.dat", "lcp.xyz"}, ".xyz"},
      {{"convert", "lcp.dat", "absent/lcp.mtx"}, "absent"},
      {{"convert", "absent.dat", "lcp.mtx"}, "absent.dat"},
      {{"generate"}, "subcommand"},
      {{"generate", "cake", "-o", "cake.mtx"}, "cake"},
      {{"generate", "lcp"}, "--output"},
      {{"generate", "lcp", "--rows", "-5", "-o", "a.mtx"}, "row"},
      {{"generate", "lcp", "--rows", "ten", "-o", "a.mtx"}, "--rows"},
      {{"generate", "lcp", "--free", "0.5", "-o", "a.mtx"}, "--free"},
      {{"generate", "lcp", "-o", "a.txt"}, ".txt"},
      {{"generate", "uic", "--dimension", "4", "-o", "a.mtx"}, "dimension"},
      {{"generate", "packing", "--contacts", "3", "-o", "a.hdf5"}, "--contacts"},
      {{"generate", "tower", "--pattern", "heap", "-o", "a.hdf5"}, "'heap'"},
      {{"generate", "rocks", "--slope", "2", "-o", "a.hdf5"}, "slope"},
      {{"generate", "packing", "--contacts", "100", "--spheres", "10", "-o", "a.hdf5"}, "--spheres"},
      {{"compare"}, "FILE"},
      {{"compare", "absent.dat"}, "absent.dat"},
      {{"compare", "lcp.dat", "--solvers", "pgs,nobody"}, "nobody"},
      {{"compare", "contact.dat", "--solvers", "nsgz"}, "nsgs"},
      {{"compare", "lcp.dat", "--solvers", "pgs,,lemke"}, "--solvers"},
      {{"compare", "lcp.dat", "--solvers", "pgs,pgs"}, "twice"},
      {{"compare", "lcp.dat", "--csv", "table.txt"}, ".txt"},
      {{"compare", "lcp.dat", "--csv", "a.csv", "--output-dir", "d"}, "--output-dir"},
      {{"solvers", "pgs"}, "pgs"},
  };
  const std::vector<std::string> before = list();
  for (const Case& bad : cases) {
    const Outcome outcome = run(2, bad.arguments);
    std::string command = "slipstick";
    for (const std::string& argument : bad.arguments) command += " " + argument;
    SCOPED_TRACE(command);
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    expect_one_line_complaint(outcome, bad.word);
    EXPECT_EQ(list(), before);
  }
}

TEST_F(Usage, BadInputWithJsonIsAnObjectOnStdout) {
  SLIPSTICK_NEEDS_JSON();
#ifdef SLIPSTICK_HAS_JSON
  write_lcp("lcp.dat");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"solve", "--json"},
                                                    {"solve", "absent.dat", "--json"},
                                                    {"solve", "lcp.dat", "--tolerance", "-1", "--json"},
                                                    {"info", "absent.dat", "--json"},
                                                    {"solve", "lcp.dat", "--json", "--no-such-option"}}) {
    const Outcome outcome = run(2, arguments);
    const Json json = parse(outcome.out);
    ASSERT_TRUE(json.is_object());
    EXPECT_EQ(json.size(), 1u);
    EXPECT_EQ("slipstick: " + json.at("error").get<std::string>() + "\n", outcome.err);
  }
#endif
}

TEST_F(Usage, AllArgumentsAreCheckedBeforeTheFileIsRead) {
  write("malformed.dat", "this is no problem\n");
  expect_one_line_complaint(run(2, {"solve", "malformed.dat", "--solver", "nobody"}), "nobody");
  expect_one_line_complaint(run(2, {"solve", "malformed.dat", "--output", "x.txt"}), "x.txt");
  expect_one_line_complaint(run(2, {"convert", "malformed.dat", "x.txt"}), "x.txt");
}

TEST_F(Usage, MalformedFilesAreToldAndLeaveNoOutput) {
  const std::vector<std::pair<std::string, std::string>> malformed = {
      {"empty.dat", ""},
      {"words.dat", "neither a number nor a problem\n"},
      {"binary.dat", std::string("\0\xFF\x01\x02", 4)},
      {"cut.dat", "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5\n"},
      {"nan.dat", "2\n0\n2\n2\n2 2\nnan 1\n1 2\n-5 -6\n"},
      {"huge.dat", "2000000000\n0\n2000000000\n2000000000\n2000000000 2000000000\n1\n"},
      {"negative.dat", "-2\n0\n-2\n-2\n-2 -2\n1\n"},
      {"cut.hdf5", "\x89HDF\r\n\x1a\n"},
      {"empty.hdf5", ""},
      {"cut.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n"},
      {"index.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 2\n"},
      {"empty.mtx", ""},
  };
  for (const auto& [name, text] : malformed) write(name, text);
  const std::vector<std::string> before = list();
  for (const auto& [name, text] : malformed) {
    SCOPED_TRACE(name);
    const Outcome outcome =
        run(2, {"solve", name, "--json", "--output", "x.csv", "--history", "history.csv"});
    expect_one_line_complaint(outcome, name);
    EXPECT_EQ(outcome.out.rfind("{\"error\":", 0), 0u) << outcome.out;
    expect_one_line_complaint(run(2, {"info", name}), name);
    expect_one_line_complaint(run(2, {"convert", name, "out.mtx"}), name);
    expect_one_line_complaint(run(2, {"compare", name, "--csv", "table.csv", "--svg", "profile.svg"}), name);
    EXPECT_EQ(list(), before);
  }
}

TEST_F(Usage, OutputNeverOverwritesTheProblem) {
  write_contact("contact.dat");
  run(0, {"convert", "contact.dat", "contact.hdf5"});
  const std::string before = read("contact.hdf5");
  expect_one_line_complaint(run(2, {"solve", "contact.hdf5", "--output", "contact.hdf5"}), "overwrite");
  expect_one_line_complaint(run(2, {"solve", "contact.hdf5", "--output", "./contact.hdf5"}), "overwrite");
  EXPECT_EQ(read("contact.hdf5"), before);
}

TEST_F(Usage, FullStandardOutputIsAFailure) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string command = std::string(program_path) + " solvers > /dev/full 2> /dev/null";
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

}  // namespace slipstick::internal::cli::usage_test
