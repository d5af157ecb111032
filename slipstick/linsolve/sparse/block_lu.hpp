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

/// LU of a sparse square matrix in small blocks whose sizes change from one factorization to the next, as the
/// unknowns of contacts do: a block of size 0 costs next to nothing.
///
///     analyze(pattern); begin(sizes); put(k, block)...; factorize(); solve(x)...
///
/// Supernodal and left-looking (Ng and Peyton 1993) on the pattern of A + A', like SparseCholesky: blocks
/// with the same pattern are one panel of L and one of U', so that nearly all the work is dense products. The
/// pattern may be that of blocks alone; what is never put is zero.
///
/// Rows are exchanged within the diagonal block of a panel only. A pivot that is zero but for rounding is
/// replaced by a small one and counted (Li and Demmel 1998): solutions are then approximate, to be refined by
/// the caller, who has the matrix.
///
/// The symbolic part is kept while the pattern stays; factorizing and solving again allocate nothing.
class BlockLu {
 public:
  /// Ordering and storage for the pattern of blocks by rows, where it is not the last one. Entry k of the
  /// pattern is what put(k, ...) fills. Diagonal blocks need not be among them. `largest` are the sizes that
  /// blocks may have at most.
  void analyze(std::span<const int> start, std::span<const int> columns, std::span<const int> largest);
  /// Of a factorization with the largest sizes, about.
  double operations() const { return symbolic_.operations(largest_); }
  /// Numbers that the factors at hand consist of.
  double entries() const { return static_cast<double>(values_.size()); }
  /// A new matrix of zeros with these sizes, at most the largest ones.
  void begin(std::span<const int> sizes);
  /// Entry k of the pattern, row by row, as many rows and columns as the sizes say.
  void put(std::size_t k, const double* values);
  /// Returns false where a value is not finite; the factor must not be used then.
  bool factorize();
  /// x <- A^-1 x, the rows of a block from offset(block) on.
  void solve(VectorView x) const;

  int blocks() const { return n_; }
  /// Rows, by the sizes at hand.
  int rows() const { return offset_.back(); }
  int offset(int block) const { return offset_[static_cast<std::size_t>(block)]; }
  /// The sign of the determinant, perturbed pivots included.
  int determinant_sign() const { return sign_; }
  /// Pivots that were replaced.
  int perturbed() const { return perturbed_; }
  /// Multiplications and additions of the last factorization, about.
  double flops() const { return flops_; }

 private:
  using Panel = PanelAnalysis::Panel;
  // Where an entry of the pattern goes: places in the rows of a panel, of U' where upper.
  struct Entry {
    int panel;
    int row;
    int column;
    bool upper;
  };
  // The sizes of a panel, and where it starts among the values: L with its diagonal block, then U'.
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
  void factorize_below(int panel);
  void exchange_columns(int panel);
  void forward() const;
  void backward() const;

  int n_ = 0;
  SparsityPattern pattern_;
  std::vector<int> largest_;
  PanelAnalysis symbolic_;
  std::vector<Entry> entries_;

  std::vector<int> size_, offset_{0};      // of blocks
  std::vector<int> step_size_, step_row_;  // by steps, and the first row of each
  std::vector<int> row_offset_;            // of the block rows within each panel, and its height
  std::vector<Layout> layout_;
  std::vector<double> values_;
  std::vector<double> magnitude_;  // of the diagonal blocks, by step
  std::vector<int> swaps_;         // row exchanged with each row, within the panel
  int sign_ = 1;
  int perturbed_ = 0;
  double flops_ = 0.0;

  LeftLooking left_looking_;
  std::vector<int> target_;  // rows of a descendant in the panel under way
  std::vector<double> tile_, transposed_;
  mutable Vector work_, below_;
};

}  // namespace slipstick::internal
