// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/io/csv_table.hpp"
#include "slipstick/io/report/contest.hpp"
#include "slipstick/io/svg_plot.hpp"

// The figures of the tables that the program and the studies write. Every function expects the columns of its
// header (table_headers.hpp).
namespace slipstick::internal::report {

struct Figure {
  std::string name;     ///< for files: STEM-NAME.svg
  std::string caption;  ///< what is drawn, and of which rows
  std::string svg;
};
using Figures = std::vector<Figure>;

/// STEM-NAME.svg of every figure. Makes the folder if it is missing.
void write_figures(const Figures& figures, const std::string& stem, const std::filesystem::path& folder);

/// Performance profiles, one per tolerance.
Figures comparison_figures(const CsvTable& table);
/// Performance profiles, one per class and tolerance.
Figures contest_figures(const CsvTable& table);
Figures contest_figures(const std::vector<ContestRow>& rows);

/// The error over iterations and over seconds.
Figures history_figures(const CsvTable& table);
/// The error over the iterations, beside the tolerance if there is one. An iteration that is not above the
/// one before begins an attempt of its own.
SvgPlot convergence_plot(const CsvTable& table, std::optional<double> tolerance);
/// The error of several histories, with their names, over the iterations.
SvgPlot histories_plot(const std::vector<std::pair<std::string, const CsvTable*>>& histories);
/// Errors, contacts, times and energies over the steps of a run.
Figures run_figures(const CsvTable& table);

/// Seconds and iterations of the pressure problems over their sizes.
Figures pressure_figures(const CsvTable& table);
/// Per test and system: the residual over seconds, the objective and the active contacts over iterations.
Figures cone_figures(const CsvTable& table);
Figures heyn_figures(const CsvTable& table);
/// Seconds and iterations over contacts, per tolerance.
Figures melanz_figures(const CsvTable& table);
/// Litven 2013, Figures 7.1 and 7.2.
Figures litven_figures(const CsvTable& table);
/// Microseconds of iterations on a device, and their share of a copy's speed, over the contacts.
Figures gpu_figures(const CsvTable& table);
/// Litven 2013, Figures 5.3, 6.2, 7.1 and 7.2, on a device and on the host, beside the thesis where it has
/// numbers.
Figures gpu_banded_figures(const CsvTable& table);
/// One curve per preconditioner over the systems with all their rows.
Figures preconditioner_figures(const CsvTable& table);
/// Seconds over the steps, and seconds of a step over the contacts, with fitted exponents.
Figures settling_figures(const CsvTable& table);
Figures sequence_figures(const CsvTable& table);
/// Seconds of the parts of a step over contacts, per method and place of collision.
Figures gpu_step_figures(const CsvTable& table);

/// Milliseconds, errors and penetration of the scenes.
Figures scene_figures(const CsvTable& table);
Figures scene_methods_figures(const CsvTable& table);
Figures stand_figures(const CsvTable& table);
Figures step_figures(const CsvTable& table);

/// The slope of log(y) over log(x) by least squares, of the points where both are positive and finite; NaN
/// with fewer than two.
double growth_exponent(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace slipstick::internal::report
