// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "slipstick/linalg/sparsity_pattern.hpp"
#include "slipstick/linsolve/sparse/left_looking.hpp"
#include "slipstick/linsolve/sparse/panel_analysis.hpp"
#include "slipstick/linsolve/sparse/panel_schedule.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

/// The largest width of a panel of BlockLu.
inline constexpr int widest_block_panel = 96;

/// LU of a sparse square matrix in small blocks. The block sizes may change from one factorization to the
/// next, like the number of unknowns of a contact. A block of size 0 costs almost nothing.
///
///     analyze(pattern); begin(sizes); put(k, block)...; factorize(); solve(x)...
///
/// The method is supernodal and left-looking (Ng and Peyton 1993) on the pattern of A + A', like
/// SparseCholesky. Blocks with the same pattern are one panel of L and one of U', so that nearly all the work
/// is dense products. The pattern lists blocks only. Blocks that the caller does not put are zero.
///
/// Rows are exchanged within the diagonal block of a panel only. A pivot that is only rounding error is
/// replaced by a small one and counted (Li and Demmel 1998). Solutions are then approximate. The caller, who
/// has the matrix, refines them.
///
/// Threads share large factorizations. The bits are the same for every number of threads.
///
/// The symbolic part is kept while the pattern stays the same. Then factorizing and solving again allocate
/// nothing.
class BlockLu {
 public:
  /// Throws Error if the build does not have that ordering.
  explicit BlockLu(Ordering ordering = Ordering::amd);
  /// Orders and allocates for the pattern of blocks by rows, if it differs from the last pattern. put(k, ...)
  /// fills entry k of the pattern. The pattern need not contain the diagonal blocks. `largest` has the
  /// largest allowed size of each block.
  void analyze(std::span<const int> start, std::span<const int> columns, std::span<const int> largest);
  /// Approximate number of operations of a factorization with the largest sizes.
  double operations() const { return symbolic_.operations(largest_); }
  /// Number of stored values of the factors with the largest sizes.
  double entries() const { return static_cast<double>(values_.size()); }
  /// Threads of a factorization, 1 at first. A call from within a parallel region uses one.
  void set_threads(int threads);
  /// The threads that share a factorization with this pattern now: 1 if it is small.
  int threads() const;
  /// Starts a new zero matrix with these sizes, which are at most the largest ones. `definite`: the matrix is
  /// symmetric and positive definite. Then only L is computed, without exchanges of rows, in half the work.
  void begin(std::span<const int> sizes, bool definite = false);
  /// Sets entry k of the pattern, row by row. The sizes give its number of rows and columns. Threads may set
  /// different entries.
  void put(std::size_t k, const double* values);
  /// Returns false if a value is not finite, or if a pivot of a definite matrix is not positive. The factor
  /// must not be used then.
  bool factorize();
  /// x <- A^-1 x. The rows of a block start at offset(block).
  void solve(VectorView x) const;

  int blocks() const { return n_; }
  /// Number of rows for the present sizes.
  int rows() const { return offset_.back(); }
  int offset(int block) const { return offset_[static_cast<std::size_t>(block)]; }
  /// The sign of the determinant of the factors, with perturbed pivots.
  int determinant_sign() const { return sign_; }
  /// Number of replaced pivots.
  int perturbed() const { return perturbed_; }
  /// Approximate number of multiplications and additions of a factorization with the present sizes.
  double flops() const;

 private:
  using Panel = PanelAnalysis::Panel;
  // Target of an entry of the pattern: its place in the rows of a panel, in U' if `upper`.
  struct Entry {
    int panel;
    int row;
    int column;
    bool upper;
  };
  // The sizes of a panel, and its start in the values: first L with its diagonal block, then U'.
  struct Layout {
    int width = 0;
    int height = 0;
    std::ptrdiff_t lower = 0;
    std::ptrdiff_t upper = 0;
    int below() const { return height - width; }
  };

  // Rows [first, first + count) of a descendant are rows [target, target + count) of a panel.
  struct Run {
    int first, target, count;
  };
  // What a thread needs for itself.
  struct Workspace {
    std::vector<int> local_row;             // place of a step among the rows of the current panel
    std::vector<Run> runs, columns;         // of a descendant in the current panel
    std::vector<double> tile, left, right;  // a tile of a product, and its factors
    std::vector<double> diagonal;           // L11' of a panel
    Vector below;                           // rows of a solution below a panel
    int sign = 1, perturbed = 0;
  };
  // A part of a factorization on threads.
  struct Task {
    enum class Kind { subtree, panel, update, diagonal, below } kind;
    int index;        // of the subtree or panel
    int first, last;  // block rows of the panel
  };

  // A part of a solution on threads.
  struct SolveTask {
    enum class Kind { forward_subtree, add_subtrees, forward, products, backward, backward_subtree } kind;
    int index;        // of the subtree or panel
    int first, last;  // block rows, or columns
  };
  // values -= left right' on runs of rows and columns
  struct Product {
    const double* left;
    Index left_stride;
    int depth, columns;
    double* values;
    Index stride;
  };

  void find_entries(std::span<const int> start, std::span<const int> columns);
  std::ptrdiff_t lay_out(std::span<const int> sizes);
  void divide();
  void prepare_threads();
  void list_tasks();
  double panel_flops(int panel) const;
  const int* offsets(int panel) const {
    return row_offset_.data() + symbolic_.panels[panel].row_start + panel;
  }

  bool factorize_panel(int panel, Workspace& own);
  bool run(const Task& task, Workspace& own);
  void place_rows(int panel, Workspace& own) const;
  void subtract_updates(int panel, int first, int last, Workspace& own);
  void subtract(int panel, const LeftLooking::Update& update, int first, int last, Workspace& own);
  void list_runs(int panel, int descendant, int first, int last, const Workspace& own,
                 std::vector<Run>& runs) const;
  void subtract_product_of(const Product& product, Workspace& own);
  static void subtract_tile(const Product& product, int row, int count, Block<double> to, Workspace& own);
  static void add_tile(const Product& product, int row, int count, std::span<const Run> runs,
                       const Workspace& own);
  bool factorize_diagonal(int panel, Workspace& own);
  bool factorize_definite_diagonal(int panel);
  void factorize_below(int panel, int first, int last, Workspace& own);
  void exchange_columns(int panel, int first, int count);
  void list_solve_tasks();
  void run(const SolveTask& task, Workspace& own) const;
  void forward_subtree(int subtree, Workspace& own) const;
  void forward_panel(int panel, double* own_rows, int first, int last, double* below) const;
  void gather_below(int panel, double* to) const;
  void subtract_products(int panel, const double* below, int first, int last, double* own_rows) const;
  void backward_diagonal(int panel, double* own_rows) const;
  void backward_panel(int panel, Workspace& own) const;

  Ordering ordering_;
  int n_ = 0;
  SparsityPattern pattern_;
  std::vector<int> largest_;
  PanelAnalysis symbolic_;
  std::vector<Entry> entries_;

  std::vector<int> size_, offset_{0};      // size and first row of each block
  std::vector<int> step_size_, step_row_;  // size and first row of each step
  std::vector<int> row_offset_;            // offsets of the block rows within each panel, then its height
  std::vector<Layout> layout_;
  std::vector<double> values_;
  std::vector<double> magnitude_;  // largest entry of each diagonal block, by step
  std::vector<int> swaps_;         // row exchanged with each row, within the panel
  int sign_ = 1;
  int perturbed_ = 0;
  bool definite_ = false;

  LeftLooking left_looking_;
  PanelSchedule schedule_;
  std::vector<double> top_work_rows_;  // operations up to each block row of the panels above the subtrees
  std::vector<Task> tasks_;
  std::vector<int> task_after_;  // the number of tasks that must have ended before
  std::vector<SolveTask> solve_tasks_;
  std::vector<int> solve_after_;
  std::vector<int> outside_start_;  // by subtree: start of its part of outside_
  int widest_ = 0, tallest_ = 0;    // panel, for the largest sizes
  mutable std::vector<Workspace> workspaces_{1};
  // The solution by step, the same above the subtrees, and what subtrees add to the rows above them.
  mutable Vector work_, top_work_, outside_;
};

}  // namespace slipstick::internal
