// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/condensed_products.hpp"

#include <span>

#include "slipstick/linalg/condensed_operator.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/row_entries.hpp"

namespace slipstick::internal {

void reorder_nodes(const CsrMatrix& rows, const ContactNodes& nodes, const std::vector<int>& order,
                   CsrMatrix& to) {
  to.resize(static_cast<Index>(nodes.dimension()) * nodes.count(), rows.cols());
  to.reserve(rows.nonZeros());
  Index row = 0;
  for (const int node : order) {
    for (int a = 0; a < nodes.dimension(); ++a, ++row) {
      to.startVec(row);
      if (a < nodes.rows(node))
        for_row(rows, static_cast<Index>(nodes.first(node)) + a,
                [&](int column, double value) { to.insertBack(row, column) = value; });
    }
  }
  to.finalize();
}

void CondensedProducts::prepare(const CondensedOperator& W, const ContactNodes& nodes,
                                const std::vector<int>& order) {
  W_ = &W;
  dimension_ = nodes.dimension();
  reorder_nodes(W.transposed_h(), nodes, order, rows_);
  compliance_.setZero(rows_.rows());
  Index first = 0;
  for (const int node : order) {
    compliance_.segment(first, nodes.rows(node)) =
        W.compliance().segment(nodes.first(node), nodes.rows(node));
    first += dimension_;
  }
  const ComponentInverse& inverse = W.inverse();
  offset_.assign(static_cast<std::size_t>(inverse.components()), -1);
  components_start_.assign(1, 0);
  components_.clear();
  Index size = 0;
  for (Index i = 0; i < rows_.rows(); ++i) {
    for_row(rows_, i, [&](int column, double) {
      const Index c = inverse.component(column);
      Index& offset = offset_[static_cast<std::size_t>(c)];
      if (offset >= 0) return;
      offset = size;
      size += static_cast<Index>(inverse.rows_of(c).size());
      components_.push_back(static_cast<int>(c));
    });
    if ((i + 1) % dimension_ == 0) components_start_.push_back(static_cast<int>(components_.size()));
  }
  velocity_.resize(W.dofs());
  solved_.resize(size);
}

void CondensedProducts::multiply(const Island& island, const Vector& r, const Vector& q, Vector& u) {
  const ComponentInverse& inverse = W_->inverse();
  const auto begin = static_cast<std::size_t>(components_start_[static_cast<std::size_t>(island.begin)]);
  const auto end = static_cast<std::size_t>(components_start_[static_cast<std::size_t>(island.end)]);
  const auto components = std::span(components_).subspan(begin, end - begin);
  const Index first = static_cast<Index>(dimension_) * island.begin;
  const Index last = static_cast<Index>(dimension_) * island.end;
  for (const int c : components)
    for (const int row : inverse.rows_of(c)) velocity_[row] = 0.0;
  for (Index i = first; i < last; ++i)
    for_row(rows_, i, [&](int column, double value) { velocity_[column] += value * r[i]; });
  for (const int c : components) {
    const std::span<const int> rows = inverse.rows_of(c);
    auto part = solved_.segment(offset_[static_cast<std::size_t>(c)], static_cast<Index>(rows.size()));
    for (Index k = 0; k < part.size(); ++k) part[k] = velocity_[rows[static_cast<std::size_t>(k)]];
    inverse.solve_component(c, part);
    for (Index k = 0; k < part.size(); ++k) velocity_[rows[static_cast<std::size_t>(k)]] = part[k];
  }
  for (Index i = first; i < last; ++i)
    u[i] = q[i] + row_dot(rows_, i, velocity_.data()) + compliance_[i] * r[i];
}

}  // namespace slipstick::internal
