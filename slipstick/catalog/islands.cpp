// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/islands.hpp"

#include <memory>

#include "slipstick/base/overloaded.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick::internal {
namespace {

constexpr Index fewest_rows = 50;    // of a problem that is worth splitting
constexpr int smallest_island = 10;  // smaller components are put together up to it

// The problem of an island as one of that type, with its old storage if it had this type before.
template <class Kind>
Kind& as(AnyProblem& problem) {
  return std::holds_alternative<Kind>(problem) ? std::get<Kind>(problem) : problem.emplace<Kind>();
}

}  // namespace

void IslandProblem::set_load(const Vector& whole) {
  const auto copy = [&](Vector& load) {
    for (std::size_t k = 0; k < rows.size(); ++k) load[static_cast<Index>(k)] = whole[rows[k]];
  };
  std::visit(Overloaded{[&](MixedLcp& mixed) { copy(mixed.q); }, [&](Problem& island) { copy(island.b); },
                        [](auto&) {}},
             problem);
}

void IslandList::find(const Problem& problem) {
  count_ = 0;
  if (problem.rows || problem.b.size() < fewest_rows) return;
  if (const auto* matrix = storage_of<CsrMatrix>(problem.A)) set_islands(problem, *matrix);
  if (const auto* graph = storage_of<DelassusOperator>(problem.A)) set_islands(problem, *graph);
}

void IslandList::set_islands(const Problem& problem, const auto& a) {
  const int islands = join_small_components(number_components(a, problem.K));
  if (islands < 2) return;
  count_ = static_cast<std::size_t>(islands);
  if (list_.size() < count_) list_.resize(count_);
  for (IslandProblem& island : list()) island.rows.clear();
  place_.resize(component_.size());
  for (int i = 0; i < a.rows(); ++i) {
    std::vector<int>& rows = list_[island_[component_[i]]].rows;
    place_[i] = static_cast<int>(rows.size());
    rows.push_back(i);
  }
  for (IslandProblem& island : list()) set_problem(problem, part_of(a, island), island);
}

// The component of each row, numbered by first rows: rows of one set belong together, and those of an entry.
int IslandList::number_components(const CsrMatrix& a, const ProductSet& K) {
  sets_.reset(static_cast<std::size_t>(a.rows()));
  for (const SetBlock& block : K.blocks()) {
    if (has_independent_rows(block)) continue;
    for (Index i = block.start + 1; i < block.start + block.size; ++i)
      sets_.join(static_cast<int>(block.start), static_cast<int>(i));
  }
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it)
      if (it.value() != 0.0) sets_.join(i, static_cast<int>(it.col()));
  }
  component_.resize(sets_.size());
  int count = 0;
  for (int i = 0; i < a.rows(); ++i) {
    const int first = sets_.lowest(i);
    component_[i] = first == i ? count++ : component_[first];
  }
  return count;
}

// As the bodies tell. If a set has rows of several islands, all is one.
int IslandList::number_components(const DelassusOperator& a, const ProductSet& K) {
  component_.resize(static_cast<std::size_t>(a.rows()));
  for (Index i = 0; i < a.rows(); ++i)
    component_[i] = a.island_of(static_cast<std::size_t>(a.constraint_of(i)));
  for (const SetBlock& block : K.blocks()) {
    if (has_independent_rows(block)) continue;
    for (Index i = block.start + 1; i < block.start + block.size; ++i) {
      if (component_[i] == component_[block.start]) continue;
      component_.assign(component_.size(), 0);
      return 1;
    }
  }
  return a.islands();
}

// Neighbouring components that are small become one island. Returns the number of islands.
int IslandList::join_small_components(int count) {
  size_.assign(static_cast<std::size_t>(count), 0);
  island_.resize(size_.size());
  for (const int c : component_) ++size_[c];
  int islands = 1;
  for (int c = 0, gathered = 0; c < count; ++c) {
    if (gathered > 0 && gathered + size_[c] > smallest_island) {
      ++islands;
      gathered = 0;
    }
    island_[c] = islands - 1;
    gathered += size_[c];
  }
  return islands;
}

Operator IslandList::part_of(const DelassusOperator& a, IslandProblem& island) {
  const std::shared_ptr<DelassusOperator> graph = island.graphs.take();
  a.copy_principal_submatrix(island.rows, *graph, scratch_);
  return Operator(std::shared_ptr<const DelassusOperator>{graph});
}

Operator IslandList::part_of(const CsrMatrix& a, IslandProblem& island) {
  const auto rows = static_cast<Index>(island.rows.size());
  const std::shared_ptr<CsrMatrix> matrix = island.matrices.take();
  Index entries = 0;
  for (const int row : island.rows) entries += a.outerIndexPtr()[row + 1] - a.outerIndexPtr()[row];
  matrix->resize(rows, rows);
  matrix->reserve(entries);
  for (Index i = 0; i < rows; ++i) {
    matrix->startVec(i);
    for (CsrMatrix::InnerIterator it(a, island.rows[static_cast<std::size_t>(i)]); it; ++it) {
      const int place = place_[it.col()];
      const bool inside = place < rows && island.rows[static_cast<std::size_t>(place)] == it.col();
      if (inside) matrix->insertBack(i, place) = it.value();  // what leads outside is zero
    }
  }
  matrix->finalize();
  return Operator(std::shared_ptr<const CsrMatrix>{matrix});
}

void IslandList::set_problem(const Problem& whole, const Operator& A, IslandProblem& island) {
  const auto rows = static_cast<Index>(island.rows.size());
  whole.K.restrict_to(island.rows, K_);
  if (K_.is_box()) {
    auto& mixed = as<MixedLcp>(island.problem);
    mixed.M = A;
    mixed.q.resize(rows);
    mixed.lower = K_.lower();
    mixed.upper = K_.upper();
  } else {
    auto& part = as<Problem>(island.problem);
    part.A = A;
    part.b.resize(rows);
    part.K = K_;
    part.symmetric = whole.symmetric;
  }
  island.set_load(whole.b);
}

}  // namespace slipstick::internal
