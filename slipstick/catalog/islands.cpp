// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/islands.hpp"

#include <algorithm>
#include <utility>

#include "slipstick/base/disjoint_sets.hpp"
#include "slipstick/base/overloaded.hpp"
#include "slipstick/solvers/common/empty_rows.hpp"

namespace slipstick {
namespace {

constexpr Index fewest_rows = 50;    // of a problem that is worth splitting
constexpr int smallest_island = 10;  // smaller components are put together up to it

// The component of each row, numbered by first rows: rows of one set belong together, and those of an entry.
std::vector<int> components_of(const CsrMatrix& a, const ProductSet& K, int& count) {
  DisjointSets sets(static_cast<std::size_t>(a.rows()));
  for (const SetBlock& block : K.blocks()) {
    if (has_independent_rows(block)) continue;
    for (Index i = block.start + 1; i < block.start + block.size; ++i)
      sets.join(static_cast<int>(block.start), static_cast<int>(i));
  }
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it)
      if (it.value() != 0.0) sets.join(i, static_cast<int>(it.col()));
  }
  std::vector<int> component(sets.size());
  count = 0;
  for (int i = 0; i < a.rows(); ++i) {
    const int first = sets.lowest(i);
    component[i] = first == i ? count++ : component[first];
  }
  return component;
}

}  // namespace

void Island::set_load(const Vector& whole) {
  const auto copy = [&](Vector& load) {
    for (std::size_t k = 0; k < rows.size(); ++k) load[static_cast<Index>(k)] = whole[rows[k]];
  };
  std::visit(Overloaded{[&](MixedLcp& mixed) { copy(mixed.q); }, [&](Problem& island) { copy(island.b); },
                        [](auto&) {}},
             problem);
}

std::vector<Island> find_islands(const Problem& problem) {
  const auto* a = storage_of<CsrMatrix>(problem.A);
  if (a == nullptr || problem.rows || a->rows() < fewest_rows) return {};
  int count = 0;
  const std::vector<int> component = components_of(*a, problem.K, count);
  if (count < 2) return {};

  // Neighbouring components that are small become one island.
  std::vector<int> size(static_cast<std::size_t>(count), 0), island(size.size());
  for (const int c : component) ++size[c];
  int islands = 0;
  for (int c = 0, gathered = 0; c < count; ++c) {
    if (gathered > 0 && gathered + size[c] > smallest_island) {
      ++islands;
      gathered = 0;
    }
    island[c] = islands;
    gathered += size[c];
  }
  ++islands;
  if (islands < 2) return {};
  std::vector<Island> list(static_cast<std::size_t>(islands));
  for (int i = 0; i < a->rows(); ++i) list[island[component[i]]].rows.push_back(i);
  for (Island& one : list) {
    Operator A(principal_submatrix(*a, one.rows));
    ProductSet K = problem.K.restrict_to(one.rows);
    const auto rows = static_cast<Index>(one.rows.size());
    if (K.is_box()) {
      one.problem = MixedLcp{std::move(A), Vector(rows), K.lower(), K.upper()};
    } else {
      Problem sub;
      sub.A = std::move(A);
      sub.b.resize(rows);
      sub.K = std::move(K);
      sub.symmetric = problem.symmetric;
      one.problem = std::move(sub);
    }
    one.set_load(problem.b);
  }
  return list;
}

}  // namespace slipstick
