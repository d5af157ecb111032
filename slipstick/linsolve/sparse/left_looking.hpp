// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/linalg/subtract_product.hpp"
#include "slipstick/linsolve/sparse/panel_analysis.hpp"

namespace slipstick::internal {

// Common parts of the left-looking supernodal factorizations.

/// A tile of a panel, panel_tile_rows x panel_tile_depth, stays in the first-level cache during a product.
inline constexpr int panel_tile_rows = 72;
inline constexpr int panel_tile_depth = 48;

/// X <- X F^-1 for `rows` rows, F unit upper triangular of that width. If there is a scale, column j of X is
/// then multiplied by scale[j]. `rows` may be large, because the work goes tile by tile. The width is at most
/// panel_tile_depth.
void solve_panel(int rows, int width, Block<const double> factor, Block<double> x,
                 std::span<const double> scale);

/// The order of a left-looking factorization: panel after panel. The descendants that have rows in a panel
/// are subtracted from it first.
class LeftLooking {
 public:
  enum class Panel { done, empty, failed };

  void resize(const PanelAnalysis& symbolic);
  /// Calls subtract(s, d, begin, end) if descendant d has its rows [begin, end) among the steps of panel s.
  /// Then calls eliminate(s), which returns the state of the panel. An empty panel is not subtracted from any
  /// other. Returns false if a panel failed.
  template <class Subtract, class Eliminate>
  bool factorize(const PanelAnalysis& symbolic, const Subtract& subtract, const Eliminate& eliminate) {
    begin();
    for (int s = 0; s < static_cast<int>(symbolic.panels.size()); ++s) {
      const PanelAnalysis::Panel& panel = symbolic.panels[s];
      for (int k = 0; k < panel.rows; ++k) local_row_[symbolic.rows[panel.row_start + k]] = k;
      for (int d = list_head_[s]; d >= 0;) {
        const int next = list_next_[d];
        const int end = rows_within(symbolic, panel, d);
        subtract(s, d, next_row_[d], end);
        link(symbolic, d, end);
        d = next;
      }
      const Panel state = eliminate(s);
      if (state == Panel::failed) return false;
      if (state == Panel::done) link(symbolic, s, panel.width());
    }
    return true;
  }
  /// The place of a step among the rows of the current panel.
  int local_row(int step) const { return local_row_[step]; }

 private:
  void begin();
  void link(const PanelAnalysis& symbolic, int panel, int position);
  int rows_within(const PanelAnalysis& symbolic, const PanelAnalysis::Panel& panel, int descendant) const;

  // For each panel, a list of the panels that are still to be subtracted from it, with the next row of each.
  std::vector<int> list_head_, list_next_, next_row_;
  std::vector<int> local_row_;
};

}  // namespace slipstick::internal
