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

/// M^-1 for a symmetric matrix that falls into connected components, as a mass matrix does (one per body, or
/// one per row): small components are inverted, larger ones factorized (sparse L D L').
class ComponentInverse {
 public:
  ComponentInverse();
  explicit ComponentInverse(const CsrMatrix& m);
  ~ComponentInverse();
  ComponentInverse(ComponentInverse&&) noexcept;
  ComponentInverse& operator=(ComponentInverse&&) noexcept;
  /// The inverse of another matrix. Allocates nothing if the last one had the same components, all small.
  void set(const CsrMatrix& m);

  Index rows() const { return static_cast<Index>(position_.size()); }
  Index components() const { return static_cast<Index>(start_.size()) - 1; }
  Index component(Index row) const { return component_[static_cast<std::size_t>(row)]; }
  /// The rows of a component, ascending.
  std::span<const int> rows_of(Index component) const {
    const auto c = static_cast<std::size_t>(component);
    return {order_.data() + start_[c], static_cast<std::size_t>(start_[c + 1] - start_[c])};
  }
  /// M has no inverse, or none that is finite; nothing below may then be called.
  bool singular() const { return singular_; }
  /// The first row, in the order of the factorization, where M turns out not to be positive definite; -1
  /// where it is.
  Index indefinite_row() const { return indefinite_row_; }
  /// Stored entries of the inverses and factors: a solve reads them once or twice.
  double entries() const { return entries_; }

  /// x <- M^-1 x; allocates nothing once it has been called.
  void solve(VectorView x) const;
  /// The same for the rows of one component, in their order.
  void solve_component(Index component, VectorView x) const;
  /// The diagonal of H' M^-1 H, H' given by rows: O(nonzeros of H) where the components are small, else a
  /// forward substitution along the path to the root of the elimination tree for each.
  Vector congruence_diagonal(const CsrMatrix& transposed_h) const;

 private:
  struct Factor;

  // Of a path in the elimination tree: values, zero between calls, and steps.
  struct Path {
    Vector values;
    std::vector<int> steps;
  };

  void invert_component(const CsrMatrix& m, Index component);
  // x <- M_c^-1 x with scratch of the same size.
  void solve_component(Index component, VectorView x, VectorView work) const;
  // h' M_c^-1 h for a vector with few entries, given by positions within the component.
  double congruence(Index component, std::span<const std::pair<int, double>> h, Path& path) const;

  std::vector<int> component_;                   // of a row
  std::vector<int> position_;                    // of a row within its component
  std::vector<int> order_;                       // rows, component by component
  std::vector<int> start_ = {0};                 // of a component in order_
  std::vector<DenseMatrix> inverse_;             // of a small component, else empty
  std::vector<std::unique_ptr<Factor>> factor_;  // of a large one, else null
  bool singular_ = false;
  Index indefinite_row_ = -1;
  double entries_ = 0.0;
  Index largest_ = 0;            // rows of a component
  DisjointSets sets_;            // of rows
  mutable ScratchPool scratch_;  // of solves: two vectors of a component in one
};

}  // namespace slipstick::internal
