// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/linsolve/sparse/panel_analysis.hpp"

namespace slipstick::internal {

/// The panels of a factor, divided among threads: subtrees of the elimination tree that do not depend on each
/// other, and the panels above them, to be shared panel by panel (George, Liu and Ng 1989). The division
/// depends only on the panels and their work, not on the number of threads.
class PanelSchedule {
 public:
  /// The panels [first, last) of a subtree. The last of them is its root.
  struct Subtree {
    int first, last;
    double work;
  };

  /// `work` is the number of operations of each panel. If all together are below `least_work`, there is one
  /// subtree for all panels, and nothing above.
  void prepare(const PanelAnalysis& symbolic, std::span<const double> work, double least_work);

  const std::vector<Subtree>& subtrees() const { return subtrees_; }  ///< ascending
  const std::vector<int>& top() const { return top_; }                ///< ascending

 private:
  std::vector<Subtree> subtrees_;
  std::vector<int> top_;
};

}  // namespace slipstick::internal
