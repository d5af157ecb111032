// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "slipstick/contact/coulomb/contact_blocks.hpp"
#include "slipstick/contact/coulomb/contact_unknowns.hpp"
#include "slipstick/contact/coulomb/newton/body_factor.hpp"
#include "slipstick/contact/coulomb/newton/grouped_factor.hpp"
#include "slipstick/linsolve/sparse/block_lu.hpp"

namespace slipstick::internal {

/// The linear systems of Newton's method on an island. The unknowns are y_i of the nodes:
///     left_i' sum_j W_ij right_j y_j + added_i y_i = f_i.
/// The factorized system is this one, or a smaller one if that takes fewer operations. It can be the system
/// of groups of contacts with a small rank, for example between the same two bodies (see GroupedFactor). Or
/// it is the system of the bodies (see BodyFactor). The first failure of the smaller system ends its use
/// until the next prepare(). If W is not known by rows, only the bodies remain. Orderings and storage are
/// kept for every island. A second run over the islands of a problem allocates nothing.
class ContactSystem {
 public:
  /// The ordering of bodies and contacts in the factors.
  explicit ContactSystem(Ordering ordering = Ordering::amd) : ordering_(ordering) {}
  /// Call it first for an island. `blocks` must outlive its use. Threads share large factorizations, with the
  /// same bits for every number of them.
  void prepare(const ContactBlocks& blocks, const Island& island, int threads = 1);
  /// Unknowns of node i of the problem, which must be in the island.
  ContactUnknowns& unknowns(int i) { return unknowns_[static_cast<std::size_t>(i - island_.begin)]; }

  /// Approximate time of a factorization with all unknowns, in nanoseconds, by counting.
  double cost();
  /// The same for solve_once() with the present factor.
  double solve_cost() const;

  /// Returns false if a value is not finite or there are no unknowns. `definite`: left and right are the
  /// same at all nodes, up to a factor. The system of the bodies is then positive definite, and its
  /// elimination costs half.
  bool factorize(bool definite = false);
  /// Rows of the system, after factorize().
  int rows() const { return offset_.back(); }
  /// First row of node i.
  int offset(int i) const { return offset_[static_cast<std::size_t>(i - island_.begin)]; }
  /// x <- A^-1 x with the given number of refinements.
  void solve(VectorView x, int refinements);
  /// The same with refinements until the residual is below the given share of x, `most` of them. The residual
  /// may stay larger: the method that calls must be able to do with it.
  void solve_refined(VectorView x, double share, int most);
  /// The same without a test of the residual. Use it only if solve() succeeded with this factor, and if the
  /// added terms are not small against W.
  void solve_once(VectorView x);
  int determinant_sign() const {
    const int of_factor = factor().determinant_sign();
    if (space_ == FactorSpace::bodies) return now_->bodies.sign() * of_factor;
    return space_ == FactorSpace::groups ? now_->groups.sign() * of_factor : of_factor;
  }
  const BlockLu& factor() const {
    if (space_ == FactorSpace::bodies) return now_->bodies.factor();
    return space_ == FactorSpace::groups ? now_->groups.factor() : now_->lu;
  }

 private:
  enum class FactorSpace { contacts, groups, bodies };
  // The kept data of an island. The pattern is that of the blocks of W.
  struct Kept {
    explicit Kept(Ordering ordering) : lu(ordering), bodies(ordering) {}
    std::uint64_t version = 0;  // version of the blocks
    FactorSpace space = FactorSpace::contacts;
    bool analyzed = false;  // the pattern is listed
    std::vector<int> start, columns;
    BlockLu lu;
    GroupedFactor groups;
    BodyFactor bodies;
  };
  template <int d>
  void put_blocks();
  template <int d>
  void subtract_product_in(ConstVectorView x, VectorView residual);
  void choose_space();
  void analyze_contacts();
  void list_pattern();
  bool factorize_contacts();
  double cost(FactorSpace space);
  bool solve_reduced(VectorView x);
  void subtract_product(ConstVectorView x, VectorView residual);

  Ordering ordering_;
  const ContactBlocks* blocks_ = nullptr;
  Island island_{};
  int threads_ = 1;
  Kept* now_ = nullptr;
  FactorSpace space_ = FactorSpace::contacts;
  std::vector<std::unique_ptr<Kept>> kept_;  // by island
  ContactBlocks::Bodies bodies_;
  std::uint64_t bodies_version_ = 0;  // version of the blocks that these are of
  bool has_bodies_ = false;
  std::vector<ContactUnknowns> unknowns_;
  std::vector<int> largest_, sizes_;
  std::vector<int> offset_{0};
  Vector r_, u_;                    // vectors of the whole problem, for products
  Vector right_side_, correction_;  // vectors of refinements
};

/// Methods that run in turn share one system, so that an island is analyzed once for all of them.
using SharedSystem = std::shared_ptr<ContactSystem>;

}  // namespace slipstick::internal
