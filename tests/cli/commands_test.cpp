// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// generate, info, convert, solvers and compare.
#include <algorithm>

#include "tests/cli/program.hpp"

namespace slipstick::internal::cli::commands_test {

using Commands = CliTest;

TEST_F(Commands, SolversAsText) {
  const Outcome outcome = run(0, {"solvers"});
  EXPECT_NE(outcome.out.find("\npgs\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("--set"), std::string::npos);
}

TEST_F(Commands, GenerateIsTheSameForTheSameSeed) {
  run(0, {"generate", "lcp", "--rows", "40", "--seed", "5", "-o", "a.mtx"});
  run(0, {"generate", "lcp", "--rows", "40", "--seed", "5", "-o", "b.mtx"});
  run(0, {"generate", "lcp", "--rows", "40", "--seed", "6", "-o", "c.mtx"});
  EXPECT_EQ(read("a.mtx"), read("b.mtx"));
  EXPECT_NE(read("a.mtx"), read("c.mtx"));
}

TEST_F(Commands, GeneratesGames) {
  run(0,
      {"generate", "game", "--types", "2", "--actions", "3", "--payoffs", "9", "--seed", "5", "-o", "a.mtx"});
  run(0,
      {"generate", "game", "--types", "2", "--actions", "3", "--payoffs", "9", "--seed", "5", "-o", "b.mtx"});
  EXPECT_EQ(read("a.mtx"), read("b.mtx"));
  run(0, {"solve", "a.mtx", "--solver", "lemke"});
  run(0, {"solve", "a.mtx"});
  run(2, {"generate", "game", "--payoffs", "0", "-o", "c.mtx"});
}

TEST_F(Commands, GuessOfABandedProgramHelps) {
  run(0, {"generate", "banded", "--rows", "60", "--bandwidth", "5", "--wrong-indices", "3", "-o",
          "banded.mtx", "--guess", "guess.csv", "--solution", "x.csv"});
  run(0, {"solve", "banded.mtx", "--warm-start", "guess.csv"});
  run(0, {"solve", "banded.mtx", "--warm-start", "x.csv"});
}

TEST_F(Commands, CompareWritesTableCsvAndProfile) {
  run(0, {"generate", "lcp", "--rows", "30", "-o", "a.mtx"});
  run(0, {"generate", "boxed", "--rows", "30", "--two-sided", "0.5", "-o", "b.mtx"});
  const Outcome outcome = run(
      0, {"compare", "a.mtx", "b.mtx", "--solvers", "pgs,auto", "--repeat", "2", "--output-dir", "out/deep"});
  const std::vector<std::string> table = lines(outcome.out);
  ASSERT_GE(table.size(), 5u) << outcome.out;
  EXPECT_EQ(table[0].rfind("file ", 0), 0u);
  // Aligned: the column of the class begins at the same place in every line.
  const std::size_t column = table[0].find("class");
  for (int i = 1; i <= 4; ++i) {
    EXPECT_EQ(table[i].find(i <= 2 ? "lcp" : "boxed"), column) << outcome.out;
  }
  const std::vector<std::string> csv = lines(read("out/deep/compare.csv"));
  ASSERT_EQ(csv.size(), 5u);
  EXPECT_EQ(csv[0],
            "file,class,n,nnz,solver,tolerance,status,solved,iterations,seconds,scaled_natural_map,message");
  EXPECT_EQ(csv[1].rfind("a.mtx,lcp,30,", 0), 0u) << csv[1];
  const std::string svg = read("out/deep/profile.svg");
  EXPECT_NE(svg.find("<svg"), std::string::npos);
  EXPECT_NE(svg.find("pgs"), std::string::npos);
  EXPECT_NE(svg.find("auto"), std::string::npos);
}

TEST_F(Commands, CompareRunsEveryApplicableMethod) {
  write_lcp("lcp.dat");
  run(0, {"compare", "lcp.dat", "--csv", "table.csv", "--svg", "profile.svg"});
  const std::vector<std::string> csv = lines(read("table.csv"));
  EXPECT_GT(csv.size(), 2u);
  int solved = 0;
  for (const std::string& line : csv) solved += line.find(",solved,true,") != std::string::npos ? 1 : 0;
  EXPECT_GE(solved, 2);
  EXPECT_TRUE(exists("profile.svg"));
  EXPECT_FALSE(exists("compare.csv"));
}

TEST_F(Commands, CompareUnderALawOfFriction) {
  run(0, {"generate", "packing", "--spheres", "20", "-o", "p.hdf5"});
  const auto solved = [&](const std::string& law, const std::string& solvers) {
    const std::string table =
        run(0, {"compare", "p.hdf5", "--friction", law, "--solvers", solvers, "--tolerance", "1e-6"}).out;
    int count = 0;
    for (std::size_t at = 0; (at = table.find(" 1/1 ", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(solved("convex", "apgd,ipm"), 2);
  EXPECT_EQ(solved("box", "mprgp,auto"), 2);
  EXPECT_EQ(solved("coulomb", "nsgs,ncp-ipm"), 2);
  // All that take contacts in space under the default law, which is Coulomb's.
  const std::string all = run(0, {"compare", "p.hdf5", "--tolerance", "1e-4", "--time-limit", "1"}).out;
  for (const std::string name : {"nsgs", "nsn", "ncp-ipm", "desaxce-fixed-point", "staggered"})
    EXPECT_NE(all.find(name), std::string::npos) << name;
  EXPECT_EQ(all.find("schurpa-sp"), std::string::npos);
  EXPECT_NE(run(2, {"compare", "p.hdf5", "--friction", "glue"}).err.find("glue"), std::string::npos);
  EXPECT_FALSE(run(2, {"compare", "p.hdf5", "--friction", "box", "--solvers", "nobody"}).err.empty());
}

TEST_F(Commands, CompareOfWhatNobodySolvesExitsWithOne) {
  run(0, {"generate", "lcp", "--rows", "300", "--condition", "1e6", "-o", "hard.mtx"});
  run(1, {"compare", "hard.mtx", "--solvers", "pgs", "--tolerance", "1e-300", "--time-limit", "0.05"});
}

#ifdef SLIPSTICK_HAS_JSON

TEST_F(Commands, SolversAsJson) {
  const Json json = parse(run(0, {"solvers", "--json"}).out);
  ASSERT_TRUE(json.is_array());
  ASSERT_FALSE(json.empty());
  const std::vector<std::string> known = {"lcp",       "mlcp",      "boxed",    "qp",
                                          "contact2d", "contact3d", "global2d", "global3d"};
  bool pgs = false;
  for (const Json& row : json) {
    for (const std::string key : {"name", "summary", "paper", "advice"}) {
      EXPECT_FALSE(row.at(key).get<std::string>().empty()) << row.at("name") << " has no " << key;
    }
    EXPECT_TRUE(row.at("nonsymmetric").is_boolean());
    EXPECT_TRUE(row.at("matrix_free").is_boolean());
    EXPECT_TRUE(row.at("warm_start").is_boolean());
    EXPECT_FALSE(row.at("laws").empty());
    EXPECT_FALSE(row.at("classes").empty());
    for (const Json& word : row.at("classes")) {
      EXPECT_NE(std::find(known.begin(), known.end(), word.get<std::string>()), known.end()) << word;
    }
    for (const Json& option : row.at("options")) {
      for (const std::string key : {"name", "type", "default", "summary"}) {
        EXPECT_TRUE(option.at(key).is_string());
      }
    }
    pgs = pgs || row.at("name") == "pgs";
  }
  EXPECT_TRUE(pgs);
}

TEST_F(Commands, EveryKindIsGeneratedReadAndSolved) {
  struct Case {
    std::vector<std::string> arguments;
    std::string file;
    std::string problem_class;
  };
  const std::vector<Case> cases = {
      {{"lcp", "--rows", "30"}, "a.mtx", "lcp"},
      {{"lcp", "--rows", "30", "--skew", "0.2", "--rank-deficiency", "2", "--degenerate", "0.1", "--active",
        "0.3", "--rotations-per-row", "2"},
       "skew.mtx",
       "lcp"},
      {{"boxed", "--rows", "40", "--two-sided", "0.5", "--free", "0.1", "--fixed", "0.1"}, "b.mtx", "boxed"},
      {{"banded", "--rows", "50", "--bandwidth", "4", "--active", "0.4"}, "c.mtx", "lcp"},
      {{"uic", "--resolution", "12", "--fill", "0.6", "--overfull", "0.02", "--time-step", "0.02",
        "--max-density", "2"},
       "d.mtx",
       "lcp"},
      {{"uic", "--dimension", "3", "--resolution", "6"}, "e.mtx", "lcp"},
      {{"packing", "--spheres", "40", "--friction", "0.5", "--density-ratio", "10"}, "f.hdf5", "global3d"},
      {{"packing", "--spheres", "30", "--bucket", "--plate-mass-ratio", "1", "--radius-spread", "0.1",
        "--gap", "1e-4", "--container-radius", "4", "--time-step", "0.005"},
       "g.h5",
       "global3d"},
      {{"tower", "--courses", "5", "--bricks", "2", "--push", "0.2", "--jitter", "0.05"}, "h.h5", "global3d"},
      {{"tower", "--pattern", "ring", "--courses", "4", "--bricks", "5", "--speed", "0.1"},
       "i.h5",
       "global3d"},
      {{"tower", "--pattern", "wall", "--courses", "4", "--friction", "0.8", "--time-step", "0.005"},
       "j.h5",
       "global3d"},
      {{"rocks", "--rocks", "12", "--size-spread", "0.3", "--slope", "0.2", "--friction", "0.7", "--speed",
        "0.1", "--time-step", "0.005"},
       "k.h5",
       "global3d"},
      {{"qp", "--family", "cvxqp2", "--size", "40"}, "l.qps", "qp"},
      {{"qp", "--family", "portfolio", "--size", "30", "--seed", "4"}, "m.mtx", "qp"},
  };
  for (const Case& kind : cases) {
    std::vector<std::string> generate = {"generate"};
    generate.insert(generate.end(), kind.arguments.begin(), kind.arguments.end());
    generate.insert(generate.end(), {"-o", kind.file});
    run(0, generate);
    const Json info = parse(run(0, {"info", kind.file, "--json"}).out);
    EXPECT_EQ(info.at("class"), kind.problem_class) << kind.file;
    const Json solve = parse(run(0, {"solve", kind.file, "--json"}).out);
    EXPECT_EQ(solve.at("class"), kind.problem_class) << kind.file;
    EXPECT_EQ(solve.at("n"), info.at("n"));
    EXPECT_EQ(solve.at("nnz"), info.at("nnz"));
  }
}

TEST_F(Commands, PackingHasAboutTheContactsAskedFor) {
  for (const int contacts : {10, 300}) {
    run(0, {"generate", "packing", "--contacts", std::to_string(contacts), "-o", "packing.hdf5"});
    const Json info = parse(run(0, {"info", "packing.hdf5", "--json"}).out);
    EXPECT_NEAR(info.at("contacts").get<double>(), contacts, std::max(4.0, 0.1 * contacts));
  }
}

TEST_F(Commands, InfoOfAContactProblem) {
  write_contact("contact.dat");
  const Json json = parse(run(0, {"info", "contact.dat", "--json"}).out);
  EXPECT_EQ(json.at("file"), "contact.dat");
  EXPECT_EQ(json.at("format"), "Siconos");
  EXPECT_EQ(json.at("class"), "contact2d");
  EXPECT_EQ(json.at("n"), 2);
  EXPECT_EQ(json.at("contacts"), 1);
  EXPECT_EQ(json.at("diagonal"), Json({0.5, 0.5}));
  EXPECT_EQ(json.at("asymmetry"), 0.0);
  EXPECT_EQ(json.at("mu"), Json({0.5, 0.5}));
  EXPECT_EQ(json.at("guesses"), 0);
  EXPECT_TRUE(json.at("solution").is_null());
  EXPECT_TRUE(json.at("warnings").is_array());
  const Outcome text = run(0, {"info", "contact.dat"});
  EXPECT_NE(text.out.find("contact2d"), std::string::npos) << text.out;
}

TEST_F(Commands, TypeForcesTheReading) {
  write_contact("contact.dat");
  EXPECT_EQ(parse(run(0, {"info", "contact.dat", "--type", "contact2d", "--json"}).out).at("class"),
            "contact2d");
  run(2, {"info", "contact.dat", "--type", "global3d"});
}

TEST_F(Commands, ConvertKeepsTheProblem) {
  write_contact("contact.dat");
  run(0, {"convert", "contact.dat", "contact.hdf5"});
  Json before = parse(run(0, {"info", "contact.dat", "--json"}).out);
  Json after = parse(run(0, {"info", "contact.hdf5", "--json"}).out);
  EXPECT_EQ(after.at("format"), "FCLib");
  for (const std::string key : {"class", "n", "contacts", "diagonal", "mu"}) {
    EXPECT_EQ(before.at(key), after.at(key)) << key;
  }
  write_lcp("lcp.dat");
  run(0, {"convert", "lcp.dat", "lcp.mtx"});
  run(2, {"convert", "lcp.dat", "lcp.hdf5"});
  EXPECT_FALSE(exists("lcp.hdf5"));
  before = parse(run(0, {"solve", "lcp.dat", "--json"}).out);
  after = parse(run(0, {"solve", "lcp.mtx", "--json"}).out);
  EXPECT_EQ(before.at("measures"), after.at("measures"));
}

#endif

}  // namespace slipstick::internal::cli::commands_test
