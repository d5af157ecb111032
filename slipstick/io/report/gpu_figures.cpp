// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {
namespace {

constexpr double columns_of_figures = 10.0;  // right-hand sides in Litven 2013, Figure 5.3

// A row of the table of banded systems.
struct Banded {
  std::string operation, variant;
  bool on_host = false;
  double rows = 0.0, count = 0.0, milliseconds = 0.0, thesis = 0.0;  // thesis: NaN if it has no number
  std::string curve() const { return on_host ? variant + ", one thread" : variant; }
};

std::vector<Banded> banded_rows(const CsvTable& table) {
  const auto device = table.texts("device"), operation = table.texts("operation"),
             variant = table.texts("variant"), thesis = table.texts("thesis_ms");
  const auto rows = table.numbers("rows"), count = table.numbers("count"),
             microseconds = table.numbers("microseconds");
  std::vector<Banded> list;
  for (std::size_t row = 0; row < table.rows(); ++row)
    list.push_back({.operation = operation[row],
                    .variant = variant[row],
                    .on_host = device[row] == "host",
                    .rows = rows[row],
                    .count = count[row],
                    .milliseconds = 1e-3 * microseconds[row],
                    .thesis = thesis[row].empty() ? NAN : std::strtod(thesis[row].c_str(), nullptr)});
  return list;
}

SvgPlot banded_chart(const std::string& title, const std::string& x_label) {
  return {.title = title, .x_label = x_label, .y_label = "milliseconds", .log_y = true};
}

}  // namespace

Figures gpu_figures(const CsvTable& table) {
  const auto method = table.texts("method"), shape = table.texts("shape");
  const auto contacts = table.numbers("contacts"), microseconds = table.numbers("us_per_iteration"),
             share = table.numbers("share_of_copy");
  SvgPlot growth{.title = "An iteration or a sweep on a device",
                 .x_label = "contacts",
                 .y_label = "microseconds",
                 .log_x = true,
                 .log_y = true};
  SvgPlot shares{.title = "Speed of memory, relative to a plain copy",
                 .x_label = "contacts",
                 .y_label = "share",
                 .log_x = true};
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string curve = fmt::format("{}, {}", method[row], shape[row]);
    growth.add_point(curve, contacts[row], microseconds[row]);
    shares.add_point(curve, contacts[row], share[row]);
  }
  return {{"growth", "Microseconds of an iteration or sweep over the contacts.", growth.render()},
          {"share", "Bytes counted by the time, relative to a plain copy in the same run, over the contacts.",
           shares.render()}};
}

Figures gpu_banded_figures(const CsvTable& table) {
  SvgPlot factor = banded_chart("Factorization of a band (Litven 2013, Figure 5.3a)", "rows");
  SvgPlot solve = banded_chart("10 right-hand sides of a band (Figure 5.3b)", "rows");
  SvgPlot product = banded_chart("symbgmm, 10 columns (Figure 6.2)", "rows");
  SvgPlot qp = banded_chart("Banded QPs (Figure 7.1)", "wrong indices in the initial set");
  SvgPlot parts = banded_chart("Where SCHURPA spends its time (Figure 7.2)", qp.x_label);
  for (const Banded& row : banded_rows(table)) {
    if (row.operation == "factorize") {
      factor.add_point(row.on_host ? row.curve() : "device, " + row.variant, row.rows, row.milliseconds);
      if (!std::isnan(row.thesis)) factor.add_point("thesis, " + row.variant, row.rows, row.thesis);
    } else if (row.operation == "solve" && row.count == columns_of_figures) {
      solve.add_point(row.on_host ? row.curve() : "device", row.rows, row.milliseconds);
    } else if (row.operation == "symbgmm" && row.count == columns_of_figures) {
      product.add_point(row.curve(), row.rows, row.milliseconds);
    } else if (row.operation == "qp") {
      qp.add_point(row.curve(), row.count, row.milliseconds);
      if (!std::isnan(row.thesis))
        qp.add_point(row.variant == "schurpa-cuda" ? "thesis, SCHURPA" : "thesis, DIRECT", row.count,
                     row.thesis);
    }
    if (row.operation == "solve" && row.count == 1.0 && !std::isnan(row.thesis))
      solve.add_point("thesis, 1 right-hand side", row.rows, row.thesis);
    if (row.variant == "schurpa-cuda") {
      const std::string part = row.operation == "qp-factorize" ? "factorization"
                               : row.operation == "qp-solve"   ? "solves"
                                                               : "total";
      parts.add_point(part, row.count, row.milliseconds);
      if (!std::isnan(row.thesis)) parts.add_point("thesis, " + part, row.count, row.thesis);
    }
  }
  return {{"factorize", "Milliseconds of a factorization over the rows.", factor.render()},
          {"solve", "Milliseconds of a solve with 10 right-hand sides over the rows.", solve.render()},
          {"symbgmm", "Milliseconds of a product with 10 columns over the rows.", product.render()},
          {"qp", "Milliseconds of every method over the wrong indices.", qp.render()},
          {"parts", "Milliseconds of schurpa-cuda: factorization, solves and total.", parts.render()}};
}

}  // namespace slipstick::internal::report
