// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Eigen/Core>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "apps/cli/commands.hpp"
#include "apps/cli/viewer_page.hpp"
#include "slipstick/base/error.hpp"
#include "slipstick/base/json_writer.hpp"
#include "slipstick/cuda/device.hpp"
#include "slipstick/files.hpp"
#include "slipstick/io/scene_document.hpp"
#include "slipstick/linsolve/sparse/metis_ordering.hpp"
#include "slipstick/sim/collision/nearest.hpp"
#include "slipstick/solvers/pivoting/exact_lemke.hpp"
#include "slipstick/version.hpp"

namespace slipstick::internal::cli {
namespace {

std::string build_description() {
#ifdef __AVX2__
  constexpr std::string_view instructions = "AVX2";
#else
  constexpr std::string_view instructions = "baseline instructions";
#endif
  return fmt::format(
      "slipstick {}\nbuilt with {} {}, Eigen {}.{}.{}, fmt {}.{}.{}, OpenMP, HDF5, {}{}{}{}{}{}{}", version(),
#ifdef __clang__
      "clang", __clang_version__,
#else
      "gcc", __VERSION__,
#endif
      EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, FMT_VERSION / 10000,
      FMT_VERSION / 100 % 100, FMT_VERSION % 100, has_metis() ? "METIS, " : "",
      ExactLemke::available() ? "GMP, " : "", has_bullet() ? "Bullet, " : "", has_cuda() ? "CUDA, " : "",
      reads_scenes() ? "nlohmann-json, " : "", viewer_page().empty() ? "no viewer, " : "viewer, ",
      instructions);
}

// One line on stderr and, if JSON was asked for, one object on stdout.
int report_bad_input(std::string message, bool json) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  fmt::print(stderr, "slipstick: {}\n", message);
  if (json) fmt::print("{}\n", JsonWriter().begin_object().member("error", message).end_object().text());
  return exit_bad_input;
}

// What is wrong with a command line, and how to get its help.
std::string explain(const CLI::ParseError& error, const CLI::App& app) {
  const CLI::App* command = &app;
  std::string full_name = app.get_name();
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    full_name += " " + command->get_name();
  }
  const std::vector<std::string> unread = command->remaining();
  if (command->get_require_subcommand_min() > 0 && !unread.empty()) {
    return fmt::format("there is no command '{} {}' (see {} --help)", full_name, unread.front(), full_name);
  }
  return fmt::format("{} (see {} --help)", error.what(), full_name);
}

int run(int argc, char** argv) {
  CLI::App app{"Slipstick solves complementarity and frictional contact problems.", "slipstick"};
  app.set_version_flag("--version", build_description(), "Print the version and what is in this build");
  app.set_help_flag("-h,--help", "Print this help");
  app.get_formatter()->column_width(34);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  slipstick generate uic --resolution 64 -o heap.mtx\n"
      "  slipstick solve heap.mtx\n"
      "  slipstick compare heap.mtx --output-dir comparison\n"
      "  slipstick report comparison\n"
      "Exit status: 0 solved, 1 ran but not solved, 2 bad input or usage.\n"
      "Each command has its own --help.");
  Action action;
  add_solve_command(app, action);
  add_simulate_command(app, action);
  add_compare_command(app, action);
  add_report_command(app, action);
  add_generate_command(app, action);
  add_info_command(app, action);
  add_convert_command(app, action);
  add_export_command(app, action);
  add_view_command(app, action);
  add_solvers_command(app, action);
  add_scenes_command(app, action);

  // Known before parsing, since parsing may fail.
  const bool json = std::find(argv + 1, argv + argc, std::string_view("--json")) != argv + argc;
  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return report_bad_input(explain(error, app), json);
  } catch (const Error& error) {
    return report_bad_input(error.what(), json);
  } catch (const std::bad_alloc&) {
    return report_bad_input("out of memory", json);
  } catch (const std::exception& error) {
    return report_bad_input(fmt::format("unexpected failure: {}", error.what()), json);
  }
}

}  // namespace
}  // namespace slipstick::internal::cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit is an error of the write, as a full disk is
  slipstick::skip_hdf5_exit_handler();
  const int code = slipstick::internal::cli::run(argc, argv);
  if (std::fflush(stdout) == 0) return code;
  std::fputs("slipstick: cannot write to the standard output\n", stderr);
  return slipstick::internal::cli::exit_bad_input;
}
