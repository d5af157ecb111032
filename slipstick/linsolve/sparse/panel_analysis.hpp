// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linsolve/sparse/ordering.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// The symbolic part of a supernodal factorization (Ng and Peyton 1993) on the pattern of A + A'. It finds an
/// order, the elimination tree, panels of steps with one pattern, and the rows of each panel of L.
class PanelAnalysis {
 public:
  /// A panel has the steps [first, last). rows[row_start, row_start + rows) are its rows, its own steps
  /// first.
  struct Panel {
    int first = 0;
    int last = 0;
    std::ptrdiff_t row_start = 0;
    int rows = 0;
    int width() const { return last - first; }
  };
  /// How panels are merged.
  struct Merging {
    /// True if two panels become one of that width, although `zeros` of `entries` are then stored needlessly.
    bool (*pays)(int width, double zeros, double entries);
    std::span<const int> widths = {};  ///< width of each row of A, for the width of a panel; none: 1
    int widest = 0;                    ///< largest width of a panel, 0: any
  };

  /// Uses only the pattern of A. Either triangle suffices.
  void analyze(const CsrMatrix& a, Ordering ordering, const Merging& merging);

  /// Number of entries of L, with the zeros of the panels.
  double entries() const;
  /// Approximate number of multiplications and additions of L L'.
  double operations() const;
  /// Approximate number of multiplications and additions of L U, with blocks of these sizes in place of A's
  /// entries.
  double operations(std::span<const int> sizes) const;

  std::vector<int> order;     ///< row of A at each step
  std::vector<int> position;  ///< step of each row of A
  std::vector<int> parent;    ///< elimination tree, by step; -1 for a root
  std::vector<Panel> panels;
  std::vector<int> panel_of;  ///< panel of each step
  std::vector<int> rows;      ///< rows of the panels, as steps, ascending

 private:
  int steps() const { return static_cast<int>(order.size()); }
  void renumber();
  void list_neighbours(const CsrMatrix& a);
  void find_tree();
  void postorder();
  void find_panels(const Merging& merging);
  void find_rows();

  std::vector<int> near_start_, near_, mark_;  // scratch: the neighbours of each step, some twice
};

}  // namespace slipstick::internal
