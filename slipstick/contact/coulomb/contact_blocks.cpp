// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/contact_blocks.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <numeric>

#include "slipstick/contact/coulomb/contact_lanes.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/norm.hpp"
#include "slipstick/linalg/operator.hpp"
#include "slipstick/linalg/row_entries.hpp"
#include "slipstick/measures/contact_error.hpp"

namespace slipstick::internal {
namespace {

// u = W r + q of the island. A column of a block is read as one pack. The pack includes the entry after the
// column, which is not stored.
template <int d>
void multiply_blocks(const ContactBlocks& blocks, const Island& island, const double* r, double* u) {
  using Lanes = ContactLanes<d>;
  const int* start = blocks.start().data();
  const int* columns = blocks.columns().data();
  for (int i = island.begin; i < island.end; ++i) {
    typename Lanes::Pack sum[d] = {};
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const double* block = blocks.block(k);
      const double* x = r + static_cast<Index>(d) * columns[k];
      for (Index c = 0; c < d; ++c) sum[c] += Lanes::load(block + d * c) * x[c];
    }
    for (int c = 1; c < d; ++c) sum[0] += sum[c];
    for (int a = 0; a < d; ++a) u[static_cast<Index>(d) * i + a] = sum[0][a] + blocks.q(i)[a];
  }
}

}  // namespace

// Calls row(own, given) with the number of each row of r in this order and in that of the problem.
void ContactBlocks::for_rows(const auto& row) const {
  const auto visit = [&]<int d>() {
    Index own = 0;
    for (const int contact : islands_.order()) {
      for (int a = 0; a < d; ++a, ++own) row(own, static_cast<Index>(d) * contact + a);
    }
  };
  if (dimension_ == 3) {
    visit.template operator()<3>();
  } else {
    visit.template operator()<2>();
  }
}

void ContactBlocks::prepare(const LocalContactProblem& problem) {
  assert(problem.dimension == 2 || problem.dimension == 3);
  const auto contacts = static_cast<int>(problem.contacts());
  const bool same = problem.W.same_storage(seen_) && dimension_ == problem.dimension && !problem.bilateral &&
                    bilateral_rows() == 0 && contacts == this->contacts();
  if (!same) {
    static std::atomic<std::uint64_t> versions = 0;
    version_ = ++versions;
    seen_ = problem.W;
    dimension_ = problem.dimension;
    condensed_ = storage_of<CondensedOperator>(seen_);
    reader_.read(seen_, dimension_, contacts);
    islands_.find(problem, reader_.start(), reader_.columns());
    reorder_blocks();
    if (condensed_ != nullptr) products_.prepare(*condensed_, dimension_, islands_.order());
    if (problem.bilateral) {
      reorder_bilateral(*problem.bilateral);
    } else if (V_.rows() > 0) {
      V_ = Vt_ = R_ = CsrMatrix();
    }
    set_scale();
    find_immovable();
    graph_ = cheaper_graph();
  }

  q_.resize(problem.q.size());
  for_rows([&](Index own, Index given) { q_[own] = problem.q[given]; });
  mu_.resize(contacts);
  for (Index i = 0; i < contacts; ++i) mu_[i] = problem.mu[islands_.order()[static_cast<std::size_t>(i)]];
  s_.resize(bilateral_rows());
  for (Index i = 0; i < s_.size(); ++i)
    s_[i] = problem.bilateral->s[islands_.row_order()[static_cast<std::size_t>(i)]];
  norm_ = safe_norm(q_);
  if (s_.size() > 0) norm_ = std::hypot(norm_, safe_norm(s_));
}

// Products through the bodies serve one island in the order of the problem. They pay if reading J twice is
// less than half of reading the blocks.
const DelassusOperator* ContactBlocks::cheaper_graph() const {
  const auto* graph = storage_of<DelassusOperator>(seen_);
  const std::vector<int>& order = islands_.order();
  if (graph == nullptr || islands().size() != 1 || !std::is_sorted(order.begin(), order.end()))
    return nullptr;
  return static_cast<std::size_t>(4 * graph->nonzeros()) < values_.size() ? graph : nullptr;
}

bool ContactBlocks::copy_bodies(Bodies& to) const {
  if (bilateral_rows() > 0) return false;
  if (condensed_ != nullptr) {
    to.mass = condensed_->mass();
    to.rows = products_.rows();
    return true;
  }
  const auto* graph = storage_of<DelassusOperator>(seen_);
  if (graph == nullptr || !graph->compliance().isZero(0.0)) return false;
  graph->copy_mass(to.mass, to.block);
  graph->copy_jacobian(to.given_rows);
  reorder_contacts(to.given_rows, dimension_, islands_.order(), to.rows);
  return to.mass.coeffs().allFinite();  // false for a body that no force can move
}

void ContactBlocks::reorder_blocks() {
  const std::size_t entries = block_entries();
  const std::vector<int>& order = islands_.order();
  const std::vector<int>& read_start = reader_.start();
  start_.assign(1, 0);
  columns_.resize(reader_.columns().size());
  values_.resize(entries * columns_.size() + 1);  // see multiply_blocks
  values_.back() = 0.0;
  diagonal_.resize(order.size());
  const auto own_column = [&](int k) {
    return islands_.number(reader_.columns()[static_cast<std::size_t>(k)]);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto from = static_cast<std::size_t>(order[i]);
    row_.resize(static_cast<std::size_t>(read_start[from + 1] - read_start[from]));
    std::iota(row_.begin(), row_.end(), read_start[from]);
    std::sort(row_.begin(), row_.end(), [&](int a, int b) { return own_column(a) < own_column(b); });
    auto to = static_cast<std::size_t>(start_.back());
    for (const int source : row_) {
      columns_[to] = own_column(source);
      if (columns_[to] == static_cast<int>(i)) diagonal_[i] = static_cast<int>(to);
      std::copy_n(reader_.block(source), entries, values_.data() + entries * to);
      ++to;
    }
    start_.push_back(static_cast<int>(to));
  }
}

void ContactBlocks::reorder_bilateral(const LocalBilateral& bilateral) {
  const auto add_row = [&](const CsrMatrix& a, Index row) {
    for_row(a, row, [&](int column, double value) { builder_.add(islands_.row_number(column), value); });
    builder_.end_row();
  };
  builder_.start(V_, bilateral.V.rows(), bilateral.V.cols());
  for (const Index contact : islands_.order())
    for (Index a = 0; a < dimension_; ++a) add_row(bilateral.V, dimension_ * contact + a);
  transpose(V_, Vt_);
  builder_.start(R_, bilateral.R.rows(), bilateral.R.cols());
  for (const Index row : islands_.row_order()) add_row(bilateral.R, row);
}

void ContactBlocks::set_scale() {
  scale_.resize(contacts());
  for (int i = 0; i < contacts(); ++i) {
    double trace = 0.0;
    for (Index a = 0; a < dimension_; ++a) trace += block(diagonal(i))[(dimension_ + 1) * a];
    scale_[i] = ruler_scale(trace / dimension_);
  }
}

void ContactBlocks::find_immovable() {
  immovable_.clear();
  for (int i = 0; i < contacts() && !products_only(); ++i) {
    if (start_[i + 1] - start_[i] > 1) continue;
    const double* own = block(diagonal(i));
    const bool empty = std::all_of(own, own + block_entries(), [](double value) { return value == 0.0; });
    const Index row = static_cast<Index>(dimension_) * i;
    if (empty && (V_.rows() == 0 || V_.outerIndexPtr()[row] == V_.outerIndexPtr()[row + dimension_]))
      immovable_.push_back(i);
  }
}

void ContactBlocks::velocities(const Island& island, const Vector& r, const Vector& l, Vector& u,
                               Vector& residual) const {
  if (condensed_ != nullptr) {
    products_.multiply(island, r, q_, u);
  } else if (graph_ != nullptr) {
    graph_->multiply(r, u, 1);
    u += q_;
  } else if (dimension_ == 3) {
    multiply_blocks<3>(*this, island, r.data(), u.data());
  } else {
    multiply_blocks<2>(*this, island, r.data(), u.data());
  }
  if (island.rows() == 0) return;
  const Index first = static_cast<Index>(dimension_) * island.begin;
  const Index last = static_cast<Index>(dimension_) * island.end;
  for (Index i = first; i < last; ++i) u[i] += row_dot(V_, i, l.data());
  for (int i = island.first_row; i < island.last_row; ++i)
    residual[i] = s_[i] + row_dot(Vt_, i, r.data()) + row_dot(R_, i, l.data());
}

void ContactBlocks::gather(const Vector& r, const Vector& l, Vector& own_r, Vector& own_l) const {
  own_r.resize(q_.size());
  for_rows([&](Index own, Index given) { own_r[own] = r[given]; });
  own_l.resize(bilateral_rows());
  for (Index i = 0; i < own_l.size(); ++i) own_l[i] = l[islands_.row_order()[static_cast<std::size_t>(i)]];
}

void ContactBlocks::scatter(const Vector& own_r, const Vector& own_l, Vector& r, Vector& l) const {
  r.resize(q_.size());
  for_rows([&](Index own, Index given) { r[given] = own_r[own]; });
  l.resize(bilateral_rows());
  for (Index i = 0; i < l.size(); ++i) l[islands_.row_order()[static_cast<std::size_t>(i)]] = own_l[i];
}

}  // namespace slipstick::internal
