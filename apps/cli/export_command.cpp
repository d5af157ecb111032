// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "apps/cli/arguments.hpp"
#include "apps/cli/cancel.hpp"
#include "apps/cli/commands.hpp"
#include "apps/cli/run_report.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/io/run_export.hpp"
#include "slipstick/io/run_reader.hpp"

namespace slipstick::internal::cli {
namespace {

struct ExportArguments {
  std::string run;
  std::string vtk;
  std::string csv;
  bool force = false;
  bool json = false;
};

// Of "a", "./a" and "a/".
std::filesystem::path full_name(const std::string& folder) {
  std::error_code ignored;
  const std::filesystem::path path =
      std::filesystem::weakly_canonical(std::filesystem::absolute(folder), ignored);
  return path.has_filename() ? path : path.parent_path();
}

int run_export(const ExportArguments& arguments) {
  if (arguments.vtk.empty() && arguments.csv.empty()) fail("export: expected --vtk DIR or --csv DIR");
  if (!arguments.vtk.empty() && !arguments.csv.empty() &&
      full_name(arguments.vtk) == full_name(arguments.csv))
    fail("export: --vtk and --csv name the same folder {}", arguments.csv);
  CancelOnSignal cancel("");
  const RunReader run = open_run(arguments.run);
  cancel.arm();
  const ExportSettings settings{.force = arguments.force, .cancelled = [&] { return cancel.raised(); }};
  int files = 0;
  try {
    about(arguments.run, [&] {
      if (!arguments.vtk.empty()) files += export_vtk(run, arguments.vtk, settings);
      if (!arguments.csv.empty()) files += export_csv(run, arguments.csv, settings);
    });
  } catch (const Error& error) {
    if (!cancel.raised()) throw;
    fmt::print(stderr, "slipstick: {}\n", error.what());
    return exit_not_solved;
  }
  if (arguments.json) {
    JsonWriter json;
    json.begin_object()
        .member("run", arguments.run)
        .member("finished", run.finished())
        .member("steps", run.steps())
        .member("frames", run.frames())
        .member_or_null("vtk", arguments.vtk)
        .member_or_null("csv", arguments.csv)
        .member("files", files)
        .end_object();
    fmt::print("{}\n", json.text());
  } else {
    fmt::print("{}: {}, {}, {}\n", arguments.run, format_count(run.steps(), "step"),
               format_count(run.frames(), "frame"), format_count(files, "file"));
  }
  return exit_solved;
}

}  // namespace

void add_export_command(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a recorded run for ParaView or as tables");
  command->add_option("RUN", arguments->run, "Run file, finished or not")->required();
  command->add_option("--vtk", arguments->vtk, "Folder for run.pvd and the .vtp files of each frame")
      ->type_name("DIR");
  command->add_option("--csv", arguments->csv, "Folder for steps, bodies, contacts and joints as .csv")
      ->type_name("DIR");
  command->add_flag("--force", arguments->force, "Replace the files of an earlier export");
  command->add_flag("--json", arguments->json, "Print one JSON object instead of text");
  command->footer(
      "Examples:\n"
      "  slipstick export run.h5 --vtk frames\n"
      "  slipstick export run.h5 --csv tables --force");
  command->callback([arguments, &action] { action = [arguments] { return run_export(*arguments); }; });
}

}  // namespace slipstick::internal::cli
