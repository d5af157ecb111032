// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/io/report/figures.hpp"

namespace slipstick::internal::report {
namespace {

SvgPlot banded_chart(const std::string& title) {
  return {.title = title, .x_label = "wrong indices in the initial set", .y_label = "seconds"};
}

}  // namespace

Figures litven_figures(const CsvTable& table) {
  const auto method = table.texts("method");
  const auto wrong = table.numbers("wrong"), seconds = table.numbers("seconds");
  const auto factor = table.numbers("factor_seconds"), solve = table.numbers("solve_seconds");
  SvgPlot totals = banded_chart("Banded QPs: a factorization for every set, and one alone");
  SvgPlot parts = banded_chart("Banded QPs: where schurpa spends its time");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    totals.add_point(method[row], wrong[row], seconds[row]);
    if (method[row] != "schurpa") continue;
    parts.add_point("factorization", wrong[row], factor[row]);
    parts.add_point("solves", wrong[row], solve[row]);
    parts.add_point("total", wrong[row], seconds[row]);
  }
  return {{"seconds", "Seconds of every method over the wrong indices.", totals.render()},
          {"parts", "Seconds of schurpa: factorization, solves and total.", parts.render()}};
}

}  // namespace slipstick::internal::report
