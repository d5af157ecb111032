// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-bench and slipstick-qp-bench: our solvers beside those that users would pick instead, on the same
// problems in the same run, one thread each.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>

#include "bench/peers/in_parallel.hpp"
#include "bench/peers/ours.hpp"
#include "bench/peers/report.hpp"
#include "bench/peers/run_contest.hpp"
#include "bench/peers/worker.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/files.hpp"
#include "slipstick/io/report/table_headers.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr int wrong_input = 2;

struct PeersOptions {
  std::filesystem::path folder;
  std::vector<std::string> ours = {"auto"};
  std::string only;  // part of a problem's name
  bool generated = false;
  bool qps = false;
  bool cold = false;
  bool new_matrices = false;
  int jobs = 1;
  std::string csv;  // file, or - for stdout
  std::filesystem::path figures;
  ContestOptions contest;
};

// On a terminal, one line that is written over.
void show_progress(std::string_view text) {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{}", text);
}

std::vector<std::filesystem::path> files_under(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() != ".md") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Peers {
 public:
  explicit Peers(const PeersOptions& options) : options_(options) {
    for (const std::string& solver : options.ours) {
      if (options.qps && solver != "auto" && find_solver(solver) == nullptr) {
        fmt::print(stderr, "slipstick-bench: there is no method {}; it is left out\n", solver);
        continue;
      }
      add_ours(solver,
               {.published = options.contest.measure == ContestMeasure::published,
                .new_matrices = options.new_matrices,
                .cold = options.cold},
               contestants_);
    }
    std::vector<Contestant> peers;
    add_peers(peers);
    for (const Contestant& peer : peers)
      contestants_.push_back(options.new_matrices ? with_new_matrices(peer) : peer);
  }

  void run() {
    // All files are read before the first is solved, so that a wrong one is told at once.
    const std::vector<ContestProblem> problems = gather();
    if (problems.empty()) fail("no peer takes any of the problems");
    csv_ = options_.csv == "-" ? stdout : std::fopen(options_.csv.c_str(), "w");
    if (csv_ == nullptr) fail("{} cannot be written", options_.csv);
    fmt::print(csv_, "{}\n", report::contest_header);
    run_in_parallel(
        problems.size(), options_.jobs,
        [&](std::size_t k, const auto& add) {
          run_contest(problems[k], contestants_, options_.contest, add);
        },
        [&](std::size_t k, const std::vector<ContestRow>& rows) {
          show_progress(fmt::format("{} of {}: {}", k + 1, problems.size(), problems[k].name));
          for (const ContestRow& row : rows) print_row(csv_, row);
          rows_.insert(rows_.end(), rows.begin(), rows.end());
        });
    show_progress("");
    if (csv_ != stdout) std::fclose(csv_);
    print_summary(csv_ == stdout ? stderr : stdout, rows_);
    if (const std::filesystem::path folder = figures(); !folder.empty()) plot_profiles(rows_, stem(), folder);
  }

 private:
  // The problems that any peer takes.
  std::vector<ContestProblem> gather() const {
    std::vector<ContestProblem> problems;
    const auto keep = [&](ContestProblem& problem) {
      const auto takes = [&](const Contestant& c) { return !c.ours && c.takes(problem); };
      if (std::any_of(contestants_.begin(), contestants_.end(), takes))
        problems.push_back(std::move(problem));
    };
    if (!options_.folder.empty()) {
      const auto files = files_under(options_.folder);
      if (files.empty()) fail("there is no file under {}", options_.folder.string());
      for (const auto& file : files) {
        const std::string name = std::filesystem::relative(file, options_.folder).string();
        if (!is_asked_for(name)) continue;
        for (ContestProblem& problem : contest_problems(name, read_problem(file).problem)) keep(problem);
      }
    }
    std::vector<ContestProblem> made;
    if (options_.generated) made = generated_problems();
    if (options_.qps) {
      for (ContestProblem& problem : generated_qps()) made.push_back(std::move(problem));
    }
    for (ContestProblem& problem : made) {
      if (is_asked_for(problem.name)) keep(problem);
    }
    return problems;
  }
  // Beside the rows, unless told otherwise.
  std::filesystem::path figures() const {
    if (!options_.figures.empty() || options_.csv == "-") return options_.figures;
    const std::filesystem::path folder = std::filesystem::path(options_.csv).parent_path();
    return folder.empty() ? "." : folder;
  }
  std::string stem() const {
    return options_.csv == "-" ? "peers" : std::filesystem::path(options_.csv).stem().string();
  }
  bool is_asked_for(const std::string& name) const { return name.find(options_.only) != std::string::npos; }

  const PeersOptions& options_;
  std::vector<Contestant> contestants_;
  std::FILE* csv_ = stdout;
  std::vector<ContestRow> rows_;
};

int run(int argc, char** argv) {
  CLI::App app("Slipstick's solvers against those of others: CSV, tables and performance profiles");
  app.require_subcommand(1);

  PeersOptions options;
  CLI::App* peers =
      app.add_subcommand("peers", "run ours and the peers that this program has on files of problems");
  peers->add_option("folder", options.folder, "folder of problem files, with all folders below it")
      ->envname("SLIPSTICK_DATA")
      ->check(CLI::ExistingDirectory);
  peers->add_option("--only", options.only, "run only problems with this in their name");
  peers->add_flag("--generated", options.generated, "problems of our generators too");
  peers->add_flag("--qps", options.qps, "QPs of all families that a formula gives, at three sizes, too");
  peers->add_flag("--cold", options.cold, "a new driver for every solve on our side: nothing is kept");
  peers->add_flag("--new-matrices", options.new_matrices,
                  "a new matrix and a new right-hand side in every solve, on both sides");
  peers->add_option("--tolerance", options.contest.tolerances, "that answers have to meet")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  const std::map<std::string, ContestMeasure> measures = {{"published", ContestMeasure::published},
                                                          {"natural-map", ContestMeasure::natural_map},
                                                          {"both", ContestMeasure::both}};
  peers
      ->add_option("--measure", options.contest.measure,
                   "what an answer is judged by: published (the error that peers report), natural-map (ours, "
                   "scaled) or both")
      ->transform(CLI::CheckedTransformer(measures, CLI::ignore_case))
      ->option_text("NAME");
  peers->add_option("--time-limit", options.contest.time_limit, "seconds a solve may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  peers
      ->add_option("--patience", options.contest.patience,
                   "a peer may take so many times the best peer's time, and always 0.1 s; 0: no such limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  peers
      ->add_option("--lead", options.contest.lead,
                   "a peer may take so many times our time, and always 0.1 s; 0: no such limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  peers->add_option("--repetitions", options.contest.repetitions, "turns, the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  peers->add_option("--jobs", options.jobs, "problems at the same time, each with one thread")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  peers->add_option("--ours", options.ours, "our solvers")->delimiter(',')->capture_default_str();
  peers->add_option("--csv", options.csv, "file of the rows; -: standard output, with the tables on stderr")
      ->default_val("peers.csv");
  peers
      ->add_option("--figures", options.figures,
                   "folder for performance profiles [the folder of the CSV file]")
      ->check(CLI::ExistingDirectory);
  peers->callback([&] {
    if (options.folder.empty() && !options.generated && !options.qps)
      fail("name a folder of problem files, or ask for --generated or --qps");
    Peers(options).run();
  });

  std::filesystem::path table;
  CLI::App* summary =
      app.add_subcommand("summary", "tables and performance profiles of a CSV file that peers wrote");
  summary->add_option("csv", table, "what peers wrote")->required()->check(CLI::ExistingFile);
  summary->add_option("--figures", options.figures, "folder for performance profiles")
      ->check(CLI::ExistingDirectory);
  summary->callback([&] {
    const std::vector<ContestRow> rows = read_contest(table);
    print_summary(stdout, rows);
    if (!options.figures.empty()) plot_profiles(rows, table.stem().string(), options.figures);
  });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : wrong_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "slipstick-bench: {}\n", error.what());
    return wrong_input;
  }
  return 0;
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  slipstick::internal::bench::use_one_thread();
  slipstick::skip_hdf5_exit_handler();
  return slipstick::internal::bench::run(argc, argv);
}
