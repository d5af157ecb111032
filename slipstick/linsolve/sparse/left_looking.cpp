// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/left_looking.hpp"

#include <algorithm>

namespace slipstick::internal {
namespace {

constexpr int columns_one_by_one = 8;

}  // namespace

void solve_panel(int rows, int width, Block<const double> factor, Block<double> x,
                 std::span<const double> scale) {
  for (int row = 0; row < rows; row += panel_tile_rows) {
    const int count = std::min(panel_tile_rows, rows - row);
    const Block<double> tile{x.data + row, x.stride};
    for (int c = 0; c < width; c += columns_one_by_one) {
      const int columns = std::min(columns_one_by_one, width - c);
      if (c > 0) {
        subtract_product<double>(count, columns, c, {tile.data, tile.stride},
                                 {factor.column(c), factor.stride}, {tile.column(c), tile.stride});
      }
      for (int j = c; j < c + columns; ++j) {
        double* column = tile.column(j);
        for (int p = c; p < j; ++p) {
          const double f = factor(p, j);
          const double* left = tile.column(p);
          for (int i = 0; i < count; ++i) column[i] -= f * left[i];
        }
        if (scale.empty()) continue;
        for (int i = 0; i < count; ++i) column[i] *= scale[j];
      }
    }
  }
}

// For each panel there is a list of the panels that are still to be subtracted from it. A panel is on the
// list of the owner of its next row.
void LeftLooking::prepare(const PanelAnalysis& symbolic) {
  std::vector<int> head(symbolic.panels.size(), -1), next(head), next_row(head);
  const auto rows = [&](int panel) { return symbolic.rows.data() + symbolic.panels[panel].row_start; };
  const auto link = [&](int panel, int row) {
    next_row[panel] = row;
    if (row >= symbolic.panels[panel].rows) return;
    const int owner = symbolic.panel_of[rows(panel)[row]];
    next[panel] = head[owner];
    head[owner] = panel;
  };
  start_.assign(1, 0);
  updates_.clear();
  for (int s = 0; s < static_cast<int>(symbolic.panels.size()); ++s) {
    for (int d = head[s]; d >= 0;) {
      const int after = next[d];
      const int begin = next_row[d];
      int end = begin;
      while (end < symbolic.panels[d].rows && rows(d)[end] < symbolic.panels[s].last) ++end;
      updates_.push_back({d, begin, end});
      link(d, end);
      d = after;
    }
    link(s, symbolic.panels[s].width());
    start_.push_back(updates_.size());
  }
}

}  // namespace slipstick::internal
