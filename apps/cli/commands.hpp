// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slipstick::internal::cli {

// What the program answers with.
inline constexpr int exit_solved = 0;
inline constexpr int exit_not_solved = 1;  ///< ran, but not solved (or not supported)
inline constexpr int exit_bad_input = 2;   ///< bad input or usage

/// What the subcommand that was named does once the command line is understood; returns the exit code. Bad
/// input throws Error.
using Action = std::function<int()>;

// Each adds one subcommand, which leaves its work in `action`.
void add_solve_command(CLI::App& app, Action& action);
void add_simulate_command(CLI::App& app, Action& action);
void add_compare_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_generate_command(CLI::App& app, Action& action);
void add_info_command(CLI::App& app, Action& action);
void add_convert_command(CLI::App& app, Action& action);
void add_export_command(CLI::App& app, Action& action);
void add_view_command(CLI::App& app, Action& action);
void add_solvers_command(CLI::App& app, Action& action);
void add_scenes_command(CLI::App& app, Action& action);

}  // namespace slipstick::internal::cli
