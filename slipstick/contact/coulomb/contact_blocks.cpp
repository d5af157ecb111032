// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/contact_blocks.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>

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
    for (const int node : islands_.order()) {
      const int first = nodes_.first(node), rows = nodes_.rows(node);
      for (int a = 0; a < rows; ++a) row(own + a, static_cast<Index>(first) + a);
      own += d;
    }
  };
  if (dimension_ == 3) {
    visit.template operator()<3>();
  } else {
    visit.template operator()<2>();
  }
}

void ContactBlocks::prepare(const LocalContactProblem& problem, const Settings& settings) {
  assert(problem.dimension == 2 || problem.dimension == 3);
  const bool same = read_ && problem.W.same_storage(seen_) && dimension_ == problem.dimension &&
                    problem.contacts() == contacts();
  if (!same) {
    static std::atomic<std::uint64_t> versions = 0;
    version_ = ++versions;
    read_ = false;
    seen_ = problem.W;
    dimension_ = problem.dimension;
    condensed_ = storage_of<CondensedOperator>(seen_);
    nodes_.find(problem);
    read_matrix(settings);
    if (condensed_ != nullptr) products_.prepare(*condensed_, nodes_, islands_.order());
    set_scale();
    set_compliance();
    find_immovable();
    graph_ = cheaper_graph();
    read_ = true;
  } else {
    tasks_.prepare(islands(), settings);
  }

  gather(problem.q, q_);
  mu_.resize(nodes());
  for (Index i = 0; i < nodes(); ++i) {
    const int node = islands_.order()[static_cast<std::size_t>(i)];
    mu_[i] = node < contacts() ? problem.mu[node] : 0.0;
  }
  set_bounds(problem);
  set_norms();
}

// Finds the islands and reads the blocks.
void ContactBlocks::read_matrix(const Settings& settings) {
  const auto find_islands = [&](const auto& W) {
    islands_.find(W, nodes_);
    tasks_.prepare(islands(), settings);
  };
  const auto* graph = storage_of<DelassusOperator>(seen_);
  if (condensed_ != nullptr) {
    find_islands(*condensed_);
    reader_.read(*condensed_, nodes_, islands_);
  } else if (graph != nullptr && BlockReader::takes(*graph, nodes_)) {
    find_islands(*graph);
    reader_.read(*graph, nodes_, islands_, tasks_);
  } else {
    visit_rows(seen_, [&](const auto& rows) {
      find_islands(rows);
      reader_.read(rows, nodes_, islands_);
    });
  }
}

void ContactBlocks::set_bounds(const LocalContactProblem& problem) {
  lower_.setZero(has_joints() ? q_.size() : 0);
  upper_.setZero(lower_.size());
  if (!has_joints()) return;
  const Index contact_rows = problem.contact_rows();
  for_rows([&](Index own, Index given) {
    if (given < contact_rows) return;
    lower_[own] = problem.lower[given - contact_rows];
    upper_[own] = problem.upper[given - contact_rows];
  });
}

void ContactBlocks::set_norms() {
  norm_ = weighted_norm_ = safe_norm(q_);
  if (!has_joints() || !(norm_ > 0.0 && norm_ < infinity)) return;
  double sum = 0.0;
  for (const Island& island : islands()) {
    for (int i = island.begin; i < island.end; ++i) {
      for (int a = 0; a < dimension_; ++a) {
        const double value = q(i)[a] / norm_;
        sum += value * value / (i < island.joints ? scale(i) : row_scale(i, a));
      }
    }
  }
  weighted_norm_ = norm_ * std::sqrt(sum);
}

// Products through the bodies serve one island in the order of the problem. They pay if reading J twice is
// less than half of reading the blocks.
const DelassusOperator* ContactBlocks::cheaper_graph() const {
  const auto* graph = storage_of<DelassusOperator>(seen_);
  const std::vector<int>& order = islands_.order();
  // Joints of fewer rows have rows here that the bodies do not have.
  if (graph == nullptr || islands().size() != 1 || !std::is_sorted(order.begin(), order.end()) ||
      graph->rows() != static_cast<Index>(dimension_) * nodes())
    return nullptr;
  return static_cast<std::size_t>(4 * graph->nonzeros()) < block_entries() * columns().size() ? graph
                                                                                              : nullptr;
}

bool ContactBlocks::copy_bodies(Bodies& to) const {
  if (condensed_ != nullptr) {
    to.mass = condensed_->mass();
    to.rows = products_.rows();
    return true;
  }
  const auto* graph = storage_of<DelassusOperator>(seen_);
  if (graph == nullptr) return false;
  graph->copy_mass(to.mass, to.block);
  if (!to.mass.coeffs().allFinite()) return false;  // a body that no force can move
  graph->copy_jacobian(to.given_rows);
  reorder_nodes(to.given_rows, nodes_, islands_.order(), to.rows);
  return true;
}

const DelassusOperator* ContactBlocks::bodies() const {
  return storage_of<DelassusOperator>(seen_);
}

void ContactBlocks::set_scale() {
  scale_.resize(nodes());
  row_scale_.setOnes(has_joints() ? static_cast<Index>(dimension_) * nodes() : 0);
  tasks_.run([&](std::size_t c, int) {
    const Island& island = islands()[c];
    for (int i = island.begin; i < island.end; ++i) {
      const int rows = nodes_.rows(islands_.order()[static_cast<std::size_t>(i)]);
      const double* own = block(diagonal(i));
      double trace = 0.0;
      for (Index a = 0; a < rows; ++a) {
        const double diagonal_entry = own[(dimension_ + 1) * a];
        trace += diagonal_entry;
        if (i >= island.joints)
          row_scale_[static_cast<Index>(dimension_) * i + a] = ruler_scale(diagonal_entry);
      }
      scale_[i] = ruler_scale(trace / rows);
    }
  });
}

void ContactBlocks::set_compliance() {
  const Vector* compliance = nullptr;
  seen_.visit([&](const auto& storage) {
    if constexpr (requires { storage.compliance(); }) compliance = &storage.compliance();
  });
  if (compliance != nullptr && !compliance->isZero(0.0)) {
    gather(*compliance, compliance_);
  } else {
    compliance_.resize(0);
  }
}

void ContactBlocks::find_immovable() {
  immovable_.clear();
  for (int i = 0; i < nodes() && !products_only(); ++i) {
    if (start()[i + 1] - start()[i] > 1) continue;
    const double* own = block(diagonal(i));
    if (std::all_of(own, own + block_entries(), [](double value) { return value == 0.0; }))
      immovable_.push_back(i);
  }
}

bool ContactBlocks::has_hopeless_row() const {
  for (const int i : immovable_) {
    const int node = islands_.order()[static_cast<std::size_t>(i)];
    if (node < contacts() && q(i)[0] < 0.0) return true;
    for (int a = 0; node >= contacts() && a < nodes_.rows(node); ++a) {
      const double velocity = q(i)[a];
      if ((velocity > 0.0 && lower(i, a) == -infinity) || (velocity < 0.0 && upper(i, a) == infinity))
        return true;
    }
  }
  return false;
}

void ContactBlocks::velocities(const Island& island, const Vector& r, Vector& u) const {
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
}

void ContactBlocks::gather(const Vector& r, Vector& own) const {
  own.resize(static_cast<Index>(dimension_) * nodes());
  if (has_joints()) own.setZero();
  for_rows([&](Index to, Index given) { own[to] = r[given]; });
}

void ContactBlocks::scatter(const Vector& own, Vector& r) const {
  r.resize(nodes_.rows());
  for_rows([&](Index from, Index given) { r[given] = own[from]; });
}

}  // namespace slipstick::internal
