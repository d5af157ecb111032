// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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
/// then multiplied by scale[j]. `rows` may be large, because the work goes tile by tile.
void solve_panel(int rows, int width, Block<const double> factor, Block<double> x,
                 std::span<const double> scale);

/// The order of a left-looking factorization: panel after panel. The descendants that have rows in a panel
/// are subtracted from it first, always in the same order.
class LeftLooking {
 public:
  /// The rows [begin, end) of a descendant are steps of a panel.
  struct Update {
    int descendant;
    int begin, end;
  };

  void prepare(const PanelAnalysis& symbolic);
  std::span<const Update> updates(int panel) const {
    return std::span(updates_).subspan(start_[panel], start_[panel + 1] - start_[panel]);
  }

 private:
  std::vector<std::size_t> start_;  // of the updates of a panel
  std::vector<Update> updates_;
};

}  // namespace slipstick::internal
