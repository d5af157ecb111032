// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/body_factor.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "slipstick/base/interruption.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {
namespace {

constexpr int largest_node = 12;

// values += R A^-1 L' of a contact with `size` unknowns, for `count` degrees of freedom. Entry (j, k) is at
// place[count j + k].
template <int size>
void add_product(std::size_t count, const double* right, const double* inverse, const double* left,
                 const std::size_t* place, double* values) {
  for (std::size_t j = 0; j < count; ++j, place += count) {
    double scaled[size] = {};
    for (int b = 0; b < size; ++b)
      for (int c = 0; c < size; ++c) scaled[c] += right[count * b + j] * inverse[size * b + c];
    for (std::size_t k = 0; k < count; ++k) {
      double sum = 0.0;
      for (int c = 0; c < size; ++c) sum += scaled[c] * left[count * c + k];
      values[place[k]] += sum;
    }
  }
}
constexpr decltype(&add_product<1>) add_products[] = {add_product<1>, add_product<2>, add_product<3>};

}  // namespace

void BodyFactor::prepare(const ContactBlocks& blocks, const Island& island, ContactBlocks::Bodies& bodies) {
  dimension_ = blocks.dimension();
  find_dofs(blocks, island, bodies);
  std::vector<int>& number = bodies.number;  // in the island

  // The rows of H' of each contact, dense over the degrees of freedom that it acts on.
  contact_start_.assign(1, 0);
  contact_dofs_.clear();
  rows_start_.assign(1, 0);
  places_start_.assign(1, 0);
  rows_.clear();
  for (int i = island.begin; i < island.end; ++i) {
    const Index first = static_cast<Index>(dimension_) * i;
    for (Index row = first; row < first + dimension_; ++row)
      for_row(bodies.rows, row, [&](int dof, double) { contact_dofs_.push_back(number[dof]); });
    const auto begin = contact_dofs_.begin() + contact_start_.back();
    std::sort(begin, contact_dofs_.end());
    contact_dofs_.erase(std::unique(begin, contact_dofs_.end()), contact_dofs_.end());
    contact_start_.push_back(static_cast<int>(contact_dofs_.size()));
    const std::span<const int> own(contact_dofs_.data() + contact_start_[contact_start_.size() - 2],
                                   contact_dofs_.data() + contact_dofs_.size());
    rows_.resize(rows_.size() + own.size() * static_cast<std::size_t>(dimension_), 0.0);
    for (Index row = first; row < first + dimension_; ++row) {
      double* to = rows_.data() + rows_start_.back() + static_cast<std::size_t>(row - first) * own.size();
      for_row(bodies.rows, row, [&](int dof, double value) {
        to[std::lower_bound(own.begin(), own.end(), number[dof]) - own.begin()] = value;
      });
    }
    rows_start_.push_back(rows_.size());
    places_start_.push_back(places_start_.back() + own.size() * own.size());
  }
  find_pattern(bodies);
  find_nodes();

  mass_.assign(value_start_.back(), 0.0);
  values_.resize(mass_.size());
  for (std::size_t k = 0; k < dofs_.size(); ++k) {
    for_row(bodies.mass, dofs_[k],
            [&](int dof, double value) { mass_[position(static_cast<int>(k), number[dof])] = value; });
  }
  for (const int dof : dofs_) number[dof] = -1;
  places_.clear();
  for (int i = 0; i < island.nodes(); ++i) {
    const std::span<const int> own(contact_dofs_.data() + contact_start_[i],
                                   contact_dofs_.data() + contact_start_[i + 1]);
    count_work(20.0 * static_cast<double>(own.size() * own.size()));
    for (const int row : own) {
      for (std::size_t b = 0; b < own.size(); ++b) {
        const bool next = b > 0 && own[b] == own[b - 1] + 1 && node_[own[b]] == node_[own[b - 1]];
        places_.push_back(next ? places_.back() + 1 : position(row, own[b]));
      }
    }
  }
  matrices_.prepare(blocks, island);
  left_.resize(rows_.size());
  right_.resize(rows_.size());
  velocity_.resize(static_cast<Index>(dofs_.size()));
  lu_.analyze(start_, columns_, sizes_);
}

// Lists the degrees of freedom of the contacts, and those that M couples with them.
void BodyFactor::find_dofs(const ContactBlocks& blocks, const Island& island, ContactBlocks::Bodies& bodies) {
  std::vector<int>& number = bodies.number;
  number.resize(static_cast<std::size_t>(bodies.mass.rows()), -1);
  dofs_.clear();
  const auto reach = [&](int dof, double) {
    if (number[dof] >= 0) return;
    number[dof] = 0;
    dofs_.push_back(dof);
  };
  const Index d = blocks.dimension();
  for (Index row = d * island.begin; row < d * island.end; ++row) for_row(bodies.rows, row, reach);
  for (std::size_t k = 0; k < dofs_.size(); ++k) for_row(bodies.mass, dofs_[k], reach);
  std::sort(dofs_.begin(), dofs_.end());
  for (std::size_t k = 0; k < dofs_.size(); ++k) number[dofs_[k]] = static_cast<int>(k);
}

// Lists the degrees of freedom that a contact or M couples with each one.
void BodyFactor::find_pattern(const ContactBlocks::Bodies& bodies) {
  touch_start_.assign(dofs_.size() + 2, 0);
  for (const int dof : contact_dofs_) ++touch_start_[dof + 2];
  std::partial_sum(touch_start_.begin(), touch_start_.end(), touch_start_.begin());
  touches_.resize(contact_dofs_.size());
  for (int i = 0; i + 1 < static_cast<int>(contact_start_.size()); ++i)
    for (int a = contact_start_[i]; a < contact_start_[i + 1]; ++a)
      touches_[touch_start_[contact_dofs_[a] + 1]++] = i;

  pattern_start_.assign(1, 0);
  pattern_.clear();
  seen_by_.assign(dofs_.size(), -1);
  for (int k = 0; k < static_cast<int>(dofs_.size()); ++k) {
    const auto add = [&](int dof) {
      if (std::exchange(seen_by_[dof], k) != k) pattern_.push_back(dof);
    };
    add(k);
    for_row(bodies.mass, dofs_[k], [&](int dof, double) { add(bodies.number[dof]); });
    for (int t = touch_start_[k]; t < touch_start_[k + 1]; ++t) {
      const int i = touches_[t];
      for (int a = contact_start_[i]; a < contact_start_[i + 1]; ++a) add(contact_dofs_[a]);
    }
    std::sort(pattern_.begin() + pattern_start_.back(), pattern_.end());
    pattern_start_.push_back(static_cast<int>(pattern_.size()));
  }
}

// Neighbours with the same pattern are one node, for example those of a body or of a mesh point.
void BodyFactor::find_nodes() {
  const auto pattern = [&](std::size_t k) {
    return std::span(pattern_).subspan(pattern_start_[k], pattern_start_[k + 1] - pattern_start_[k]);
  };
  node_.resize(dofs_.size());
  first_.clear();
  sizes_.clear();
  for (std::size_t k = 0; k < dofs_.size(); ++k) {
    const bool same = k > 0 && sizes_.back() < largest_node && std::ranges::equal(pattern(k), pattern(k - 1));
    if (!same) {
      first_.push_back(static_cast<int>(k));
      sizes_.push_back(0);
    }
    ++sizes_.back();
    node_[k] = static_cast<int>(sizes_.size()) - 1;
  }
  start_.assign(1, 0);
  columns_.clear();
  value_start_.assign(1, 0);
  for (std::size_t node = 0; node < sizes_.size(); ++node) {
    for (const int dof : pattern(static_cast<std::size_t>(first_[node]))) {
      const int other = node_[dof];
      if (static_cast<int>(columns_.size()) > start_.back() && columns_.back() == other) continue;
      columns_.push_back(other);
      value_start_.push_back(value_start_.back() + static_cast<std::size_t>(sizes_[node]) * sizes_[other]);
    }
    start_.push_back(static_cast<int>(columns_.size()));
  }
}

// The position of an entry among the values.
std::size_t BodyFactor::position(int row, int column) const {
  const int node = node_[row], other = node_[column];
  const auto begin = columns_.begin() + start_[node], end = columns_.begin() + start_[node + 1];
  const auto entry = static_cast<std::size_t>(std::lower_bound(begin, end, other) - columns_.begin());
  assert(columns_[entry] == other);
  return value_start_[entry] + static_cast<std::size_t>(row - first_[node]) * sizes_[other] +
         static_cast<std::size_t>(column - first_[other]);
}

bool BodyFactor::factorize(std::span<const ContactUnknowns> unknowns, std::span<const int> offset,
                           bool definite) {
  std::copy(mass_.begin(), mass_.end(), values_.begin());
  sign_ = matrices_.set(unknowns);
  for (std::size_t i = 0; i + 1 < offset.size(); ++i) {
    const ContactUnknowns& own = unknowns[i];
    if (own.size == 0) continue;
    const auto count = static_cast<std::size_t>(contact_start_[i + 1] - contact_start_[i]);
    const double* rows = rows_.data() + rows_start_[i];
    double* left = left_.data() + rows_start_[i];  // size x count
    double* right = right_.data() + rows_start_[i];
    const std::size_t* place = places_.data() + places_start_[i];
    for (int c = 0; c < own.size; ++c, left += count, right += count) {
      for (std::size_t k = 0; k < count; ++k) left[k] = right[k] = own.plain ? rows[count * c + k] : 0.0;
      for (int a = 0; a < dimension_ && !own.plain; ++a) {
        const double by_left = own.left[own.size * a + c], by_right = own.right[own.size * a + c];
        for (std::size_t k = 0; k < count; ++k) {
          left[k] += by_left * rows[count * a + k];
          right[k] += by_right * rows[count * a + k];
        }
      }
    }
    double inverse[9];
    for (int b = 0; b < own.size; ++b)
      for (int c = 0; c < own.size; ++c) inverse[own.size * b + c] = matrices_.inverse(i, b, c);
    right = right_.data() + rows_start_[i];
    left = left_.data() + rows_start_[i];
    add_products[own.size - 1](count, right, inverse, left, place, values_.data());
  }
  lu_.begin(sizes_, definite);
  parallel_for(static_cast<std::ptrdiff_t>(columns_.size()), lu_.threads(),
               [&](std::ptrdiff_t first, std::ptrdiff_t last) {
                 for (auto k = static_cast<std::size_t>(first); k < static_cast<std::size_t>(last); ++k)
                   lu_.put(k, values_.data() + value_start_[k]);
               });
  return lu_.factorize();
}

void BodyFactor::solve(std::span<const ContactUnknowns> unknowns, std::span<const int> offset, VectorView x) {
  const auto nodes = offset.size() - 1;
  velocity_.setZero();
  const auto each_row = [&](std::size_t i, const std::vector<double>& list, const auto& visit) {
    const auto count = static_cast<std::size_t>(contact_start_[i + 1] - contact_start_[i]);
    const int* dofs = contact_dofs_.data() + contact_start_[i];
    for (int c = 0; c < unknowns[i].size; ++c)
      visit(c, list.data() + rows_start_[i] + count * c, dofs, count);
  };
  double y[3] = {};
  for (std::size_t i = 0; i < nodes; ++i) {
    matrices_.divide(i, unknowns[i].size, x.data() + offset[i], y);
    each_row(i, right_, [&](int c, const double* right, const int* dofs, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) velocity_[dofs[k]] += right[k] * y[c];
    });
  }
  lu_.solve(velocity_);
  for (std::size_t i = 0; i < nodes; ++i) {
    each_row(i, left_, [&](int c, const double* left, const int* dofs, std::size_t count) {
      for (std::size_t k = 0; k < count; ++k) x[offset[i] + c] -= left[k] * velocity_[dofs[k]];
    });
    matrices_.divide(i, unknowns[i].size, x.data() + offset[i], y);
    for (int c = 0; c < unknowns[i].size; ++c) x[offset[i] + c] = y[c];
  }
}

}  // namespace slipstick::internal
