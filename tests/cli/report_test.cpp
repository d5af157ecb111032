// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Pages of tables, and the plot of a solve.
#include <algorithm>

#include "tests/cli/program.hpp"

namespace slipstick::internal::cli::report_test {

constexpr const char* history = "iteration,seconds,error,active\n0,0,1,-1\n1,0.5,1e-9,-1\n";

class Report : public CliTest {
 protected:
  // Exit code 2, one line that has all the words, and no file more than before.
  void expect_complaint(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    const std::vector<std::string> before = list();
    const Outcome outcome = run(2, arguments);
    EXPECT_EQ(lines(outcome.err).size(), 1u) << outcome.err;
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err << " does not speak of " << word;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_EQ(list(), before);
  }
};

TEST_F(Report, OfAFolderStandsInIt) {
  std::filesystem::create_directory(folder_ / "tables");
  write("tables/b.csv", history);
  write("tables/a.csv", history);
  write("tables/.hidden.csv", "no table");
  write("tables/notes.txt", "no table");
  EXPECT_EQ(run(0, {"report", "tables"}).out, "tables/report.html\n");
  const std::string page = read("tables/report.html");
  EXPECT_LT(page.find("(a.csv)"), page.find("(b.csv)"));
  EXPECT_NE(page.find("<title>Slipstick report: tables</title>"), std::string::npos);
  EXPECT_NE(page.find("<svg"), std::string::npos);
  // Again, with the page there.
  run(0, {"report", "tables/"});
  EXPECT_EQ(read("tables/report.html"), page);
}

TEST_F(Report, OfATableStandsBesideIt) {
  write("h.csv", history);
  EXPECT_EQ(run(0, {"report", "h.csv"}).out, "report.html\n");
  EXPECT_EQ(run(0, {"report", "h.csv", "./h.csv", "-o", "page.html"}).out, "page.html\n");
  EXPECT_NE(read("page.html").find("from 1 table."), std::string::npos);
}

TEST_F(Report, OfWhatTheProgramWrites) {
  run(0, {"generate", "lcp", "--rows", "30", "-o", "a.mtx"});
  run(0, {"solve", "a.mtx", "--solver", "pgs", "--history", "h.csv", "--output", "x.csv"});
  run(0, {"compare", "a.mtx", "--solvers", "pgs,auto", "--csv", "c.csv"});
  run(0, {"report", "h.csv", "x.csv", "c.csv", "-o", "page.html"});
  const std::string page = read("page.html");
  for (const std::string title : {"Convergence of a solve", "Solution", "Comparison of methods"})
    EXPECT_NE(page.find(title), std::string::npos) << title;
}

TEST_F(Report, FoldersMayHaveTablesWithoutRows) {
  run(0, {"simulate", "incline", "--duration", "0.05", "-o", "run.h5"});
  run(0, {"export", "run.h5", "--csv", "tables"});
  run(0, {"report", "tables"});
  const std::string page = read("tables/report.html");
  for (const std::string part : {"Steps of a run", "Bodies of a run", "Contacts of a run",
                                 "joints.csv: no rows", "Certified error of the steps"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  std::filesystem::create_directory(folder_ / "empty");
  write("empty/h.csv", "iteration,seconds,error,active\n");
  expect_complaint({"report", "empty"}, {"empty/h.csv", "no rows"});
}

TEST_F(Report, BadTablesAreToldInOneLineAndNothingIsWritten) {
  std::filesystem::create_directory(folder_ / "empty");
  write("none.csv", "");
  write("header.csv", "iteration,seconds,error,active\n");
  write("unknown.csv", "iteration,seconds,err,active\n1,2,3,4\n");
  write("short.csv", std::string(history) + "2,3\n");
  write("word.csv", std::string(history) + "2,3,small,-1\n");
  write("nan.csv", std::string(history) + "nan,3,1,-1\n");
  write("huge.csv", std::string(history) + "2,3,1," + std::string(70000, '1') + "\n");
  write("latin.csv", std::string(history) + "2,3,1,\xe9\n");
  write("good.csv", history);
  expect_complaint({"report", "absent.csv"}, {"absent.csv", "no such file"});
  expect_complaint({"report", "empty"}, {"empty", "no tables"});
  expect_complaint({"report", "none.csv"}, {"none.csv", "is empty"});
  expect_complaint({"report", "header.csv"}, {"header.csv", "no rows"});
  expect_complaint({"report", "unknown.csv"}, {"unknown.csv", "err", "iteration,seconds,error,active"});
  expect_complaint({"report", "short.csv"}, {"short.csv", "line 4", "2 cells, expected 4"});
  expect_complaint({"report", "word.csv"}, {"word.csv", "line 4", "small", "error"});
  expect_complaint({"report", "nan.csv"}, {"nan.csv", "line 4", "iteration", "finite"});
  expect_complaint({"report", "huge.csv"}, {"huge.csv", "line 4", "70000 bytes"});
  expect_complaint({"report", "latin.csv"}, {"latin.csv", "UTF-8"});
  expect_complaint({"report", "good.csv", "none.csv"}, {"none.csv"});
  expect_complaint({"report", "good.csv", "-o", "page.txt"}, {".txt", ".html"});
  expect_complaint({"report", "good.csv", "-o", "absent/page.html"}, {"absent"});
  expect_complaint({"report", "good.csv", "-o", "good.csv"}, {"overwrite"});
  expect_complaint({"report"}, {"DIR"});
}

TEST_F(Report, NamesWithMarkupAreShown) {
  const std::string name = "<script>alert(1)<x>.csv";
  write(name, history);
  run(0, {"report", name, "-o", "page.html"});
  const std::string page = read("page.html");
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;x&gt;.csv"), std::string::npos);
}

TEST_F(Report, CompareWritesOne) {
  write_lcp("lcp.dat");
  const Outcome outcome = run(0, {"compare", "lcp.dat", "--solvers", "pgs,auto", "--output-dir", "out"});
  EXPECT_NE(outcome.out.find("wrote out/report.html"), std::string::npos) << outcome.out;
  const std::string page = read("out/report.html");
  for (const std::string part : {"lcp.dat", "pgs", "Performance profile of 1 problem", "<table>"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  // The figure of the page is that of the file.
  EXPECT_NE(page.find(read("out/profile.svg")), std::string::npos);
  run(0, {"report", "out"});
}

TEST_F(Report, CompareOfNoApplicableMethodAndOfOddNames) {
  write_lcp("lcp.dat");
  run(1, {"compare", "lcp.dat", "--solvers", "nsgs", "--output-dir", "out"});
  EXPECT_NE(read("out/report.html").find("Comparison of methods"), std::string::npos);
  EXPECT_NE(read("out/profile.svg").find("<svg"), std::string::npos);
  const std::string odd = "# a, \"b\" \xff.dat";
  write_lcp(odd);
  run(0, {"compare", odd, "--solvers", "pgs,auto", "--output-dir", "odd"});
  EXPECT_NE(read("odd/report.html").find("# a, &quot;b&quot; \xEF\xBF\xBD.dat"), std::string::npos);
}

TEST_F(Report, SolvePlotsItsConvergence) {
  run(0, {"generate", "lcp", "--rows", "30", "-o", "a.mtx"});
  std::vector<std::string> files = list();
  run(0, {"solve", "a.mtx", "--solver", "pgs", "--tolerance", "1e-7", "--plot", "p.svg"});
  files.push_back("p.svg");
  EXPECT_EQ(list(), files);
  const std::string alone = read("p.svg");
  EXPECT_NE(alone.find("Convergence of pgs on a.mtx"), std::string::npos);
  EXPECT_NE(alone.find("tolerance 1e-07"), std::string::npos);
  run(0,
      {"solve", "a.mtx", "--solver", "pgs", "--tolerance", "1e-7", "--history", "h.csv", "--plot", "q.svg"});
  EXPECT_TRUE(exists("h.csv"));
  EXPECT_EQ(read("q.svg"), alone);
}

TEST_F(Report, PlotsThatCannotBeWrittenAreRefused) {
  write_lcp("lcp.dat");
  expect_complaint({"solve", "lcp.dat", "--plot", "p.png"}, {"--plot", ".png"});
  expect_complaint({"solve", "lcp.dat", "--plot", "absent/p.svg"}, {"absent"});
}

#ifdef SLIPSTICK_HAS_JSON

TEST_F(Report, AsJson) {
  write("h.csv", history);
  const Json json = parse(run(0, {"report", "h.csv", "--json"}).out);
  EXPECT_EQ(json.at("output"), "report.html");
  ASSERT_EQ(json.at("tables").size(), 1u);
  EXPECT_EQ(json.at("tables")[0].at("file"), "h.csv");
  EXPECT_EQ(json.at("tables")[0].at("kind"), "history");
  EXPECT_EQ(json.at("tables")[0].at("rows"), 2);
  EXPECT_EQ(json.at("tables")[0].at("figures"), 2);
  EXPECT_NE(
      parse(run(2, {"report", "absent.csv", "--json"}).out).at("error").get<std::string>().find("absent"),
      std::string::npos);
}

// Every command has --json, and with it stdout is one JSON text.
TEST_F(Report, AllCommandsTakeJson) {
  write_lcp("lcp.dat");
  write_contact("contact.dat");
  write("h.csv", history);
  run(0, {"simulate", "incline", "--duration", "0.05", "-o", "run.h5"});
  const std::vector<std::vector<std::string>> commands = {
      {"solve", "lcp.dat"},
      {"simulate", "incline", "--duration", "0.05"},
      {"compare", "lcp.dat", "--solvers", "pgs,auto"},
      {"report", "h.csv"},
      {"generate", "lcp", "--rows", "5", "-o", "a.mtx"},
      {"generate", "boxed", "--rows", "5", "-o", "a.mtx"},
      {"generate", "banded", "--rows", "20", "--bandwidth", "2", "-o", "a.mtx"},
      {"generate", "uic", "--resolution", "8", "-o", "a.mtx"},
      {"generate", "packing", "--spheres", "5", "-o", "a.hdf5"},
      {"generate", "tower", "--courses", "2", "-o", "a.hdf5"},
      {"generate", "rocks", "--rocks", "3", "-o", "a.hdf5"},
      {"generate", "sheet", "--side", "3", "-o", "a.hdf5"},
      {"info", "lcp.dat"},
      {"info", "run.h5"},
      {"convert", "contact.dat", "b.hdf5"},
      {"export", "run.h5", "--csv", "tables"},
      {"view", "run.h5"},
      {"solvers"},
      {"scenes"},
      {"scenes", "--export", "tower"},
      {"scenes", "--export", "tower", "-o", "tower.json"}};
  for (std::vector<std::string> command : commands) {
    command.push_back("--json");
    // Some builds have no page, and `view` says so.
    const std::string out = (command[0] == "view" ? run(command) : run(0, command)).out;
    EXPECT_TRUE(Json::accept(out)) << command[0] << ": " << out;
  }
  // No command is left out: every one of the help is above.
  bool listed = false;
  for (const std::string& line : lines(run(0, {"--help"}).out)) {
    if (line == "Subcommands:") listed = true;
    if (!listed || !line.starts_with("  ") || line[2] == ' ') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    const auto has_name = [&](const std::vector<std::string>& command) { return command[0] == name; };
    if (name == "slipstick") break;  // the examples
    EXPECT_TRUE(std::any_of(commands.begin(), commands.end(), has_name)) << name;
  }
  EXPECT_TRUE(listed);
}

TEST_F(Report, JsonOfCompareGenerateAndConvert) {
  write_lcp("lcp.dat");
  Json json =
      parse(run(0, {"compare", "lcp.dat", "--solvers", "pgs,auto", "--output-dir", "out", "--json"}).out);
  EXPECT_EQ(json.at("files"), Json::array({"lcp.dat"}));
  ASSERT_EQ(json.at("trials").size(), 2u);
  EXPECT_EQ(json.at("trials")[0].at("solver"), "pgs");
  EXPECT_EQ(json.at("trials")[0].at("class"), "lcp");
  EXPECT_EQ(json.at("trials")[0].at("status"), "solved");
  EXPECT_EQ(json.at("solvers")[0].at("solved"), 1);
  EXPECT_EQ(json.at("solvers")[0].at("fastest").get<int>() + json.at("solvers")[1].at("fastest").get<int>(),
            1);
  EXPECT_EQ(json.at("solved"), true);
  EXPECT_EQ(json.at("report"), "out/report.html");
  json = parse(run(0, {"compare", "lcp.dat", "--solvers", "auto", "--json"}).out);
  EXPECT_TRUE(json.at("csv").is_null());
  json =
      parse(run(0, {"generate", "lcp", "--rows", "7", "-o", "a.mtx", "--solution", "x.csv", "--json"}).out);
  EXPECT_EQ(json.at("output"), "a.mtx");
  EXPECT_EQ(json.at("class"), "lcp");
  EXPECT_EQ(json.at("n"), 7);
  EXPECT_EQ(json.at("solution"), "x.csv");
  EXPECT_TRUE(json.at("guess").is_null());
  json = parse(run(0, {"convert", "lcp.dat", "b.mtx", "--json"}).out);
  EXPECT_EQ(json.at("input"), "lcp.dat");
  EXPECT_EQ(json.at("output"), "b.mtx");
  EXPECT_EQ(json.at("n"), 2);
  json = parse(run(0, {"scenes", "--export", "tower", "-o", "t.json", "--json"}).out);
  EXPECT_EQ(json.at("scene"), "tower");
  EXPECT_GT(json.at("bodies").get<int>(), 1);
}

#endif

}  // namespace slipstick::internal::cli::report_test
