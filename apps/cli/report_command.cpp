// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "apps/cli/arguments.hpp"
#include "apps/cli/commands.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/io/atomic_file.hpp"
#include "slipstick/io/report/report_page.hpp"

namespace slipstick::internal::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> inputs;
  std::string output;
  bool json = false;
};

// The tables in a folder, by name. Hidden files are not looked at.
std::vector<std::filesystem::path> tables_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> tables;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::filesystem::path name = entry->path().filename();
    if (name.extension() == csv_extension[0] && !name.string().starts_with('.'))
      tables.push_back(folder / name);
  }
  if (error) fail("{}: cannot be read: {}", folder.string(), error.message());
  if (tables.empty()) fail("{}: this folder has no tables (.csv)", folder.string());
  std::sort(tables.begin(), tables.end());
  return tables;
}

struct Input {
  std::filesystem::path table;
  bool named = false;  ///< by itself, not by its folder
};

// Every table once, in the order of the command line.
std::vector<Input> tables_of(const std::vector<std::string>& inputs) {
  std::vector<Input> tables;
  std::vector<std::filesystem::path> known;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    const bool is_folder = std::filesystem::is_directory(input, ignored);
    for (const std::filesystem::path& table :
         is_folder ? tables_in(input) : std::vector<std::filesystem::path>{input}) {
      const std::filesystem::path full = std::filesystem::weakly_canonical(table, ignored);
      if (std::find(known.begin(), known.end(), full) != known.end()) continue;
      known.push_back(full);
      tables.push_back({table, !is_folder});
    }
  }
  return tables;
}

std::filesystem::path default_output(const std::filesystem::path& first_input) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(first_input, ignored);
  return (is_folder ? first_input : first_input.parent_path()) / "report.html";
}

// "c" of "a/b/c", "a/b/c/" and, in the folder b/c, of ".".
std::string last_name(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path full = std::filesystem::weakly_canonical(path, ignored);
  return (full.has_filename() ? full : full.parent_path()).filename().string();
}

std::string to_json(const std::string& output, const std::vector<report::ReportPart>& parts) {
  JsonWriter json;
  json.begin_object().member("output", output).key("tables").begin_array();
  for (const report::ReportPart& part : parts) {
    json.begin_object()
        .member("file", part.table.path())
        .member("kind", part.kind->name)
        .member("rows", part.table.rows())
        .member("figures", part.figures.size())
        .end_object();
  }
  return json.end_array().end_object().text();
}

int run_report(const ReportArguments& arguments) {
  const std::string output =
      arguments.output.empty() ? default_output(arguments.inputs.front()).string() : arguments.output;
  // A folder alone gives the page its title, and the tables need not repeat it.
  const std::filesystem::path only = arguments.inputs.size() == 1 ? arguments.inputs.front() : "";
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(only, ignored);
  std::vector<report::ReportPart> parts;
  for (const auto& [table, named] : tables_of(arguments.inputs)) {
    check_distinct("--output", output, table);
    parts.emplace_back(CsvTable::read(table), (is_folder ? table.filename() : table).string());
    if (named) report::check_rows(parts.back().table);
  }
  // A folder may have tables without rows, as an exported run without joints. One with rows is needed.
  const auto is_empty = [](const report::ReportPart& part) { return part.table.rows() == 0; };
  if (std::all_of(parts.begin(), parts.end(), is_empty)) report::check_rows(parts.front().table);
  check_target("--output", output, html_extensions);
  const std::string title = only.empty() ? "Slipstick report" : "Slipstick report: " + last_name(only);
  write_text_atomically(output, report::report_page(parts, title));
  fmt::print("{}\n", arguments.json ? to_json(output, parts) : output);
  return exit_solved;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Tables of results as one page with figures");
  command->add_option("DIR|CSV", arguments->inputs, "Tables (.csv), or folders of them")->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "The page, .html [report.html in the folder, or beside the first table]")
      ->type_name("FILE.html");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of the path");
  command->footer(
      "Examples:\n"
      "  slipstick compare *.mtx --output-dir comparison && slipstick report comparison\n"
      "  slipstick solve heap.mtx --solver pgs --history pgs.csv; slipstick report pgs.csv -o pgs.html\n"
      "  slipstick report bench/results/xeon-2core -o /tmp/report.html\n"
      "The page opens from disk and needs no network.");
  command->callback([arguments, &action] { action = [arguments] { return run_report(*arguments); }; });
}

}  // namespace slipstick::internal::cli
