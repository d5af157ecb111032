// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick {

/// M^-1 for a symmetric matrix that falls into connected components, as a mass matrix does (one per body, or
/// one per row): small components are inverted, larger ones factorized (sparse L D L').
class ComponentInverse {
 public:
  explicit ComponentInverse(const CsrMatrix& m);
  ~ComponentInverse();
  ComponentInverse(ComponentInverse&&) noexcept;
  ComponentInverse& operator=(ComponentInverse&&) noexcept;

  Index rows() const { return static_cast<Index>(position_.size()); }
  Index components() const { return static_cast<Index>(start_.size()) - 1; }
  /// M has no inverse, or none that is finite; nothing below may then be called.
  bool singular() const { return singular_; }

  /// x <- M^-1 x
  void solve(VectorView x) const;
  /// The diagonal of H' M^-1 H, column by column: O(nonzeros of H) where the components are small.
  Vector congruence_diagonal(const CsrMatrix& h) const;

 private:
  struct Factor;

  void invert_component(const CsrMatrix& m, Index component);
  // x <- M_c^-1 x for the rows of one component.
  void solve_component(Index component, VectorView x) const;

  std::vector<int> component_;                   // of a row
  std::vector<int> position_;                    // of a row within its component
  std::vector<int> order_;                       // rows, component by component
  std::vector<int> start_;                       // of a component in order_
  std::vector<DenseMatrix> inverse_;             // of a small component, else empty
  std::vector<std::unique_ptr<Factor>> factor_;  // of a large one, else null
  bool singular_ = false;
};

}  // namespace slipstick
