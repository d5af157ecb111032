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

void LeftLooking::resize(const PanelAnalysis& symbolic) {
  for (std::vector<int>* list : {&list_head_, &list_next_, &next_row_}) list->resize(symbolic.panels.size());
  local_row_.resize(symbolic.order.size());
}

void LeftLooking::begin() {
  std::fill(list_head_.begin(), list_head_.end(), -1);
}

// Puts a panel on the list of the panel that owns its row at `position`.
void LeftLooking::link(const PanelAnalysis& symbolic, int panel, int position) {
  next_row_[panel] = position;
  if (position >= symbolic.panels[panel].rows) return;
  const int owner = symbolic.panel_of[symbolic.rows[symbolic.panels[panel].row_start + position]];
  list_next_[panel] = list_head_[owner];
  list_head_[owner] = panel;
}

// The end of the descendant's rows that are steps of the panel.
int LeftLooking::rows_within(const PanelAnalysis& symbolic, const PanelAnalysis::Panel& panel,
                             int descendant) const {
  const PanelAnalysis::Panel& d = symbolic.panels[descendant];
  int end = next_row_[descendant];
  while (end < d.rows && symbolic.rows[d.row_start + end] < panel.last) ++end;
  return end;
}

}  // namespace slipstick::internal
