// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "slipstick/linalg/sparsity_pattern.hpp"
#include "slipstick/linsolve/sparse/left_looking.hpp"
#include "slipstick/linsolve/sparse/panel_analysis.hpp"
#include "slipstick/matrix.hpp"
#include "slipstick/methods.hpp"

namespace slipstick::internal {

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
  /// Number of stored values of the present factors.
  double entries() const { return static_cast<double>(values_.size()); }
  /// Starts a new zero matrix with these sizes, which are at most the largest ones.
  void begin(std::span<const int> sizes);
  /// Sets entry k of the pattern, row by row. The sizes give its number of rows and columns.
  void put(std::size_t k, const double* values);
  /// Returns false if a value is not finite. The factor must not be used then. `definite`: the matrix is
  /// symmetric and positive definite. Then U' = L D is not eliminated but copied, which halves the work, and
  /// no rows are exchanged. Returns false if a pivot is not positive.
  bool factorize(bool definite = false);
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
  /// Approximate number of multiplications and additions of the last factorization.
  double flops() const { return flops_; }

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

  void find_entries(std::span<const int> start, std::span<const int> columns);
  std::ptrdiff_t lay_out(std::span<const int> sizes);
  const int* offsets(int panel) const {
    return row_offset_.data() + symbolic_.panels[panel].row_start + panel;
  }

  void subtract_descendant(int panel, int descendant, int begin, int end);
  bool factorize_diagonal(int panel);
  bool factorize_definite_diagonal(int panel);
  void factorize_below(int panel);
  void exchange_columns(int panel);
  void forward() const;
  void backward() const;

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
  double flops_ = 0.0;

  LeftLooking left_looking_;
  std::vector<int> target_;  // rows of a descendant in the current panel
  std::vector<double> tile_, transposed_;
  mutable Vector work_, below_;
};

}  // namespace slipstick::internal
