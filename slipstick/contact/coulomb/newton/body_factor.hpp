// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"
#include "slipstick/contact/coulomb/contact_unknowns.hpp"
#include "slipstick/contact/coulomb/newton/node_matrices.hpp"
#include "slipstick/linsolve/sparse/block_lu.hpp"

namespace slipstick::internal {

/// Newton's systems of an island in the space of bodies, W = H' M^-1 H + C:
///     A y + L' H' M^-1 H R y = f,  A = added + L' C R, block diagonal by nodes like L and R.
/// v = M^-1 H R y are the velocities. y = A^-1 (f - L' H' v) is eliminated node by node:
///     (M + S) v = H R A^-1 f,  S = H R A^-1 L' H'.
/// This system is as sparse as M and the contacts and joints between bodies. W couples all contacts of a body
/// with each other. If A is small, y is a small difference divided by A. The caller must refine it.
class BodyFactor {
 public:
  explicit BodyFactor(Ordering ordering = Ordering::amd) : lu_(ordering) {}
  /// Finds the degrees of freedom that the island moves and their pattern.
  void prepare(const ContactBlocks& blocks, const Island& island, ContactBlocks::Bodies& bodies);
  /// Number of blocks of the pattern.
  double entries() const { return static_cast<double>(columns_.size()); }

  /// See BlockLu.
  void set_threads(int threads) { lu_.set_threads(threads); }
  /// `offset` has the first row of each node. Returns false if a value is not finite. `definite`: left and
  /// right are the same at all nodes, up to a factor. M + S is then positive definite (see
  /// BlockLu::factorize).
  bool factorize(std::span<const ContactUnknowns> unknowns, std::span<const int> offset,
                 bool definite = false);
  /// x <- the solution, without refinement.
  void solve(std::span<const ContactUnknowns> unknowns, std::span<const int> offset, VectorView x);
  /// The sign of the system's determinant is sign() times that of the factor's, because M is positive.
  const BlockLu& factor() const { return lu_; }
  int sign() const { return sign_; }

 private:
  void find_dofs(const ContactBlocks& blocks, const Island& island, ContactBlocks::Bodies& bodies);
  void find_pattern(const ContactBlocks::Bodies& bodies);
  void find_nodes();
  std::size_t position(int row, int column) const;

  int dimension_ = 3;
  std::vector<int> dofs_;  // the degrees of freedom of the island, by its numbers
  // By degree of freedom: its contacts, and the degrees of freedom that it is coupled with, itself included,
  // ascending.
  std::vector<int> touch_start_, touches_, pattern_start_, pattern_, seen_by_;
  std::vector<int> node_, first_;  // node of a degree of freedom, and first degree of freedom of a node
  std::vector<int> sizes_;         // sizes of nodes
  std::vector<int> start_, columns_;
  std::vector<std::size_t> value_start_;  // start of an entry of the pattern
  std::vector<double> mass_, values_;     // M, and M + S, in blocks
  // By node: its degrees of freedom, its rows of H', and the places of its part of S.
  std::vector<int> contact_start_{0}, contact_dofs_;
  std::vector<std::size_t> rows_start_, places_start_;
  std::vector<double> rows_;
  std::vector<std::size_t> places_;
  std::vector<double> left_, right_;  // L' H' and R' H' of nodes
  NodeMatrices matrices_;             // A
  int sign_ = 1;                      // of det A
  BlockLu lu_;
  Vector velocity_;
};

}  // namespace slipstick::internal
