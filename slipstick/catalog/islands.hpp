// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/linalg/delassus_operator.hpp"
#include "slipstick/linalg/storage_pool.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// An island of a problem that has nothing to do with the rest: a connected component of its matrix, or
/// several small ones.
struct IslandProblem {
  std::vector<int> rows = {};  ///< of the problem, ascending
  AnyProblem problem = {};     ///< a mixed problem if the set is a box

  /// b <- the island's rows of the whole b.
  void set_load(const Vector& whole);

  StoragePool<CsrMatrix> matrices = {};  ///< of the problem and those before it
  StoragePool<DelassusOperator> graphs = {};
};

/// The islands of a problem. Keeps its storage.
class IslandList {
 public:
  /// For a problem without linear rows that is large enough to gain from a split. Finds none if there is only
  /// one island, or if the matrix is neither stored by rows nor that of a graph of bodies.
  void find(const Problem& problem);
  std::span<IslandProblem> list() { return {list_.data(), count_}; }

 private:
  int number_components(const CsrMatrix& a, const ProductSet& K);
  int number_components(const DelassusOperator& a, const ProductSet& K);
  int join_small_components(int count);
  void set_islands(const Problem& problem, const auto& a);
  Operator part_of(const CsrMatrix& a, IslandProblem& island);
  Operator part_of(const DelassusOperator& a, IslandProblem& island);
  void set_problem(const Problem& whole, const Operator& A, IslandProblem& island);

  std::vector<IslandProblem> list_;  // those that there are, and some of an earlier problem
  std::size_t count_ = 0;
  DisjointSets sets_;
  std::vector<int> component_, place_;  // of a row: its component, and its place in its island
  std::vector<int> size_, island_;      // of a component
  ProductSet K_;                        // of an island
  DelassusOperator::SubmatrixScratch scratch_;
};

}  // namespace slipstick::internal
