// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/panel_schedule.hpp"

#include <algorithm>

namespace slipstick::internal {
namespace {

// The largest share of the work in one subtree. A few threads are then busy to the end.
constexpr double largest_share = 1.0 / 32;

}  // namespace

void PanelSchedule::prepare(const PanelAnalysis& symbolic, std::span<const double> work, double least_work) {
  const int count = static_cast<int>(symbolic.panels.size());
  subtrees_.clear();
  top_.clear();
  // Steps are in postorder, so the panels of a subtree are neighbours.
  std::vector<Subtree> tree(symbolic.panels.size());
  for (int s = 0; s < count; ++s) tree[s] = {s, s + 1, 0.0};
  double total = 0.0;
  for (int s = 0; s < count; ++s) {
    const PanelAnalysis::Panel& panel = symbolic.panels[s];
    total += work[s];
    tree[s].work += work[s];
    if (panel.rows == panel.width()) continue;
    Subtree& up = tree[symbolic.panel_of[symbolic.rows[panel.row_start + panel.width()]]];
    up.first = std::min(up.first, tree[s].first);
    up.work += tree[s].work;
  }
  if (total < least_work) {
    subtrees_.push_back({0, count, total});
    return;
  }
  for (int s = count; s-- > 0;) {
    if (tree[s].work > largest_share * total) {
      top_.push_back(s);
    } else {
      subtrees_.push_back(tree[s]);
      s = tree[s].first;
    }
  }
  std::reverse(top_.begin(), top_.end());
  std::reverse(subtrees_.begin(), subtrees_.end());
}

}  // namespace slipstick::internal
