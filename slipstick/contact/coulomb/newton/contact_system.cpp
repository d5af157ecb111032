// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/contact_system.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "slipstick/contact/coulomb/newton/cost_constants.hpp"

namespace slipstick::internal {
namespace {

// For fewer contacts the analysis of their bodies does not pay.
constexpr int fewest_for_bodies = 30;

// Relative residuals in the space of groups or bodies: below the first no refinement is needed. The second is
// the limit after the last refinement.
constexpr double small_residual = 1e-12, largest_residual = 1e-9;
constexpr int most_refinements = 3;

// to = left' W right, with W d x d by columns, left d x rows, right d x columns. A plain left or right is the
// identity.
template <int d, int rows, int columns>
void project_block(const double* W, const ContactUnknowns& left, const ContactUnknowns& right, double* to) {
  double half[d * columns];  // W right
  double* const product = rows == d && left.plain ? to : half;
  for (int a = 0; a < d; ++a) {
    for (int c = 0; c < columns; ++c) {
      double sum = 0.0;
      if (columns == d && right.plain) {
        sum = W[d * c + a];
      } else {
        for (int k = 0; k < d; ++k) sum += W[d * k + a] * right.right[columns * k + c];
      }
      product[columns * a + c] = sum;
    }
  }
  if (product == to) return;
  for (int a = 0; a < rows; ++a) {
    for (int c = 0; c < columns; ++c) {
      double sum = 0.0;
      for (int k = 0; k < d; ++k) sum += left.left[rows * k + a] * half[columns * k + c];
      to[columns * a + c] = sum;
    }
  }
}

using ProjectBlock = void (*)(const double*, const ContactUnknowns&, const ContactUnknowns&, double*);
// By the number of rows and columns, from 1 on.
template <int d>
constexpr ProjectBlock project_blocks[3][3] = {
    {project_block<d, 1, 1>, project_block<d, 1, 2>, project_block<d, 1, d>},
    {project_block<d, 2, 1>, project_block<d, 2, 2>, project_block<d, 2, d>},
    {project_block<d, d, 1>, project_block<d, d, 2>, project_block<d, d, d>}};

// to = matrix' v, for a v of d numbers. A plain matrix is the identity.
template <int d>
void project_vector(const double* v, const double* matrix, const ContactUnknowns& contact, double* to) {
  if (contact.plain) {
    std::copy_n(v, d, to);
    return;
  }
  for (int a = 0; a < contact.size; ++a) {
    to[a] = 0.0;
    for (int k = 0; k < d; ++k) to[a] += matrix[contact.size * k + a] * v[k];
  }
}

}  // namespace

void ContactSystem::prepare(const ContactBlocks& blocks, const Island& island, int threads) {
  blocks_ = &blocks;
  island_ = island;
  threads_ = threads;
  const auto islands = blocks.islands();
  const auto place = std::partition_point(islands.begin(), islands.end(),
                                          [&](const auto& other) { return other.begin < island.begin; });
  const auto number = static_cast<std::size_t>(place - islands.begin());
  assert(number < islands.size());
  if (kept_.size() <= number) kept_.resize(number + 1);
  if (!kept_[number]) kept_[number] = std::make_unique<Kept>(ordering_);
  now_ = kept_[number].get();

  const auto nodes = static_cast<std::size_t>(island.nodes());
  if (unknowns_.size() < nodes) unknowns_.resize(nodes);
  sizes_.resize(nodes);
  offset_.assign(nodes + 1, 0);
  largest_.assign(nodes, blocks.dimension());
  const Index n = static_cast<Index>(blocks.dimension()) * blocks.nodes();
  for (Vector* vector : {&r_, &u_, &right_side_, &correction_}) vector->resize(n);
  if (now_->version != blocks.version()) {
    now_->version = 0;  // until the space is chosen
    now_->analyzed = false;
    choose_space();
    now_->version = blocks.version();
  }
  space_ = now_->space;
}

// Chooses the available space with the least time.
void ContactSystem::choose_space() {
  const bool by_rows = !blocks_->products_only();
  now_->space =
      by_rows && now_->groups.prepare(*blocks_, island_) ? FactorSpace::groups : FactorSpace::contacts;
  if (by_rows && island_.nodes() < fewest_for_bodies) return;
  if (bodies_version_ != blocks_->version()) {
    has_bodies_ = blocks_->copy_bodies(bodies_);
    bodies_version_ = blocks_->version();
  }
  if (!has_bodies_) return;
  now_->bodies.prepare(*blocks_, island_, bodies_);
  if (!by_rows || cost(FactorSpace::bodies) < cost(now_->space)) now_->space = FactorSpace::bodies;
}

double ContactSystem::cost() {
  return cost(space_);
}

double ContactSystem::cost(FactorSpace space) {
  const double contacts = island_.nodes();
  switch (space) {
    case FactorSpace::groups:
      return internal::cost::per_operation * now_->groups.factor().operations() +
             internal::cost::per_group_entry * now_->groups.entries() +
             internal::cost::per_grouped_contact * contacts;
    case FactorSpace::bodies:
      return internal::cost::per_operation * now_->bodies.factor().operations() +
             internal::cost::per_body_entry * now_->bodies.entries() +
             internal::cost::per_body_contact * contacts;
    default:
      analyze_contacts();
      return internal::cost::per_operation * now_->lu.operations() +
             internal::cost::per_entry * static_cast<double>(now_->columns.size());
  }
}

double ContactSystem::solve_cost() const {
  const double eliminated =
      space_ == FactorSpace::contacts ? 0.0 : internal::cost::per_eliminated_contact * island_.nodes();
  const double product = space_ == FactorSpace::groups ? now_->groups.product_entries() : 0.0;
  return internal::cost::per_value * (factor().entries() + product) + eliminated;
}

void ContactSystem::analyze_contacts() {
  if (now_->analyzed) return;
  list_pattern();
  now_->lu.analyze(now_->start, now_->columns, largest_);
  now_->analyzed = true;
}

void ContactSystem::list_pattern() {
  now_->start.assign(1, 0);
  now_->columns.clear();
  for (int i = island_.begin; i < island_.end; ++i) {
    for (int k = blocks_->start()[i]; k < blocks_->start()[i + 1]; ++k)
      now_->columns.push_back(blocks_->columns()[k] - island_.begin);
    now_->start.push_back(static_cast<int>(now_->columns.size()));
  }
}

bool ContactSystem::factorize(bool definite) {
  for (int i = 0; i < island_.nodes(); ++i) sizes_[i] = unknowns_[i].size;
  std::partial_sum(sizes_.begin(), sizes_.end(), offset_.begin() + 1);
  if (rows() == 0) return false;
  if (space_ == FactorSpace::bodies) {
    now_->bodies.set_threads(threads_);
    return (definite && now_->bodies.factorize(unknowns_, offset_, true)) ||
           now_->bodies.factorize(unknowns_, offset_);
  }
  return space_ == FactorSpace::groups ? now_->groups.factorize(unknowns_, offset_) : factorize_contacts();
}

bool ContactSystem::factorize_contacts() {
  analyze_contacts();
  now_->lu.set_threads(threads_);
  now_->lu.begin(sizes_);
  if (blocks_->dimension() == 3) {
    put_blocks<3>();
  } else {
    put_blocks<2>();
  }
  return now_->lu.factorize();
}

template <int d>
void ContactSystem::put_blocks() {
  double block[9];
  for (int i = 0; i < island_.nodes(); ++i) {
    const ContactUnknowns& own = unknowns_[i];
    if (own.size == 0) continue;
    const int source = blocks_->start()[island_.begin + i];
    const int count = blocks_->start()[island_.begin + i + 1] - source;
    for (int k = 0; k < count; ++k) {
      const int entry = now_->start[i] + k;
      const int j = now_->columns[entry];
      if (unknowns_[j].size == 0) continue;
      const ContactUnknowns& other = unknowns_[j];
      project_blocks<d>[own.size - 1][other.size - 1](blocks_->block(source + k), own, other, block);
      if (i == j)
        for (Index a = 0; a < own.size; ++a) block[(own.size + 1) * a] += own.added[a];
      now_->lu.put(static_cast<std::size_t>(entry), block);
    }
  }
}

void ContactSystem::solve(VectorView x, int refinements) {
  assert(x.size() == rows());
  auto right_side = right_side_.head(rows()), correction = correction_.head(rows());
  if (space_ != FactorSpace::contacts) {
    right_side = x;
    if (solve_reduced(x) || blocks_->products_only()) return;
    x = right_side;
    space_ = FactorSpace::contacts;
    factorize_contacts();
  }
  if (refinements > 0) right_side = x;
  now_->lu.solve(x);
  for (int k = 0; k < refinements; ++k) {
    correction = right_side;
    subtract_product(x, correction);
    now_->lu.solve(correction);
    x += correction;
  }
}

// Solves in the space of groups or bodies, with refinement if necessary. Returns false if refinement does not
// help. right_side_ must hold the right-hand side too.
bool ContactSystem::solve_reduced(VectorView x) {
  const auto right_side = right_side_.head(rows());
  auto correction = correction_.head(rows());
  const double norm = right_side.norm();
  solve_once(x);
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0;; ++round) {
    correction = right_side;
    if (space_ == FactorSpace::groups) {
      now_->groups.subtract_product(unknowns_, offset_, x, correction);
    } else {
      subtract_product(x, correction);
    }
    const double residual = correction.norm();
    if (residual <= small_residual * norm) return true;
    if (round == most_refinements || !(residual < 0.5 * before)) return residual <= largest_residual * norm;
    before = residual;
    solve_once(correction);
    x += correction;
  }
}

void ContactSystem::solve_refined(VectorView x, double share, int most) {
  assert(x.size() == rows());
  auto right_side = right_side_.head(rows()), correction = correction_.head(rows());
  right_side = x;
  solve_once(x);
  const double norm = right_side.norm();
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most; ++round) {
    correction = right_side;
    subtract_product(x, correction);
    const double residual = correction.norm();
    if (residual <= share * norm || !(residual < 0.5 * before)) return;
    before = residual;
    solve_once(correction);
    x += correction;
  }
}

void ContactSystem::solve_once(VectorView x) {
  switch (space_) {
    case FactorSpace::groups:
      return now_->groups.solve(unknowns_, offset_, x);
    case FactorSpace::bodies:
      return now_->bodies.solve(unknowns_, offset_, x);
    default:
      return now_->lu.solve(x);
  }
}

void ContactSystem::subtract_product(ConstVectorView x, VectorView residual) {
  if (blocks_->dimension() == 3) {
    subtract_product_in<3>(x, residual);
  } else {
    subtract_product_in<2>(x, residual);
  }
}

// residual -= A x
template <int d>
void ContactSystem::subtract_product_in(ConstVectorView x, VectorView residual) {
  for (int i = island_.begin; i < island_.end; ++i) {
    const ContactUnknowns& own = unknowns(i);
    const double* y = x.data() + offset(i);
    double* r = r_.data() + static_cast<Index>(d) * i;
    for (int a = 0; a < d; ++a) {
      r[a] = own.plain ? y[a] : 0.0;
      if (!own.plain)
        for (int c = 0; c < own.size; ++c) r[a] += own.right[own.size * a + c] * y[c];
    }
  }
  blocks_->velocities(island_, r_, u_);
  for (int i = island_.begin; i < island_.end; ++i) {
    const ContactUnknowns& own = unknowns(i);
    const double* y = x.data() + offset(i);
    double* to = residual.data() + offset(i);
    double change[d], projected[d];
    for (int a = 0; a < d; ++a) change[a] = u_[static_cast<Index>(d) * i + a] - blocks_->q(i)[a];
    project_vector<d>(change, own.left, own, projected);
    for (int a = 0; a < own.size; ++a) to[a] -= projected[a] + own.added[a] * y[a];
  }
}

}  // namespace slipstick::internal
