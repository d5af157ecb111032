// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/scratch_pool.hpp"

namespace slipstick::internal {

/// M^-1 for a symmetric matrix with several connected components. A mass matrix has one per body or one per
/// row. Small components are inverted, larger ones factorized (sparse L D L').
class ComponentInverse {
 public:
  ComponentInverse();
  explicit ComponentInverse(const CsrMatrix& m);
  ~ComponentInverse();
  ComponentInverse(ComponentInverse&&) noexcept;
  ComponentInverse& operator=(ComponentInverse&&) noexcept;
  /// Inverts another matrix. Allocates nothing if the last matrix had the same components, all small. A large
  /// component with the pattern of the last one is not analyzed again.
  void set(const CsrMatrix& m);

  Index rows() const { return static_cast<Index>(position_.size()); }
  Index components() const { return static_cast<Index>(start_.size()) - 1; }
  Index component(Index row) const { return component_[static_cast<std::size_t>(row)]; }
  /// The rows of a component, ascending.
  std::span<const int> rows_of(Index component) const {
    const auto c = static_cast<std::size_t>(component);
    return {order_.data() + start_[c], static_cast<std::size_t>(start_[c + 1] - start_[c])};
  }
  /// True if M has no inverse, or none that is finite. Nothing below may then be called.
  bool singular() const { return singular_; }
  /// The first row, in the order of the factorization, at which M is found not to be positive definite. -1 if
  /// M is positive definite.
  Index indefinite_row() const { return indefinite_row_; }
  /// Number of stored entries of the inverses and factors. A solve reads them once or twice.
  double entries() const { return entries_; }

  /// x <- M^-1 x. Only the first call allocates.
  void solve(VectorView x) const;
  /// The same for the rows of one component, in their order.
  void solve_component(Index component, VectorView x) const;
  /// The diagonal of H' M^-1 H, with H' given by rows. It costs O(nonzeros of H) if the components are small.
  /// Otherwise each row costs a forward substitution along the path to the root of the elimination tree.
  Vector congruence_diagonal(const CsrMatrix& transposed_h) const;
  /// The same for time loops. Allocates nothing if the components are small.
  struct DiagonalScratch {
    std::vector<std::pair<int, int>> order;       ///< component and place in the row
    std::vector<std::pair<int, double>> entries;  ///< position and value of the entries of one component
    // A path in the elimination tree: its values, which are zero between calls, and its steps.
    struct Path {
      Vector values;
      std::vector<int> steps;
    } path;
  };
  void congruence_diagonal(const CsrMatrix& transposed_h, Vector& diagonal, DiagonalScratch& scratch) const;

 private:
  struct Factor;

  void invert_component(const CsrMatrix& m, Index component);
  // x <- M_c^-1 x with scratch of the same size.
  void solve_component(Index component, VectorView x, VectorView work) const;
  // h' M_c^-1 h for a vector with few entries. Their positions are within the component.
  double congruence(Index component, std::span<const std::pair<int, double>> h,
                    DiagonalScratch::Path& path) const;

  std::vector<int> component_;                   // component of a row
  std::vector<int> position_;                    // position of a row within its component
  std::vector<int> order_;                       // rows, component by component
  std::vector<int> start_ = {0};                 // start of a component in order_
  std::vector<DenseMatrix> inverse_;             // inverse of a small component, otherwise empty
  std::vector<std::unique_ptr<Factor>> factor_;  // factor of a large component, otherwise null
  bool singular_ = false;
  Index indefinite_row_ = -1;
  double entries_ = 0.0;
  Index largest_ = 0;            // rows of the largest component
  DisjointSets sets_;            // sets of rows
  std::vector<int> new_column_;  // scratch: columns of a component
  mutable ScratchPool scratch_;  // two vectors of a component in one, for solves
};

}  // namespace slipstick::internal
