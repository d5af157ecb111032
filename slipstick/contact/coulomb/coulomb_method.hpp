// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "slipstick/contact/coulomb/contact_blocks.hpp"
#include "slipstick/measures/contact_error.hpp"
#include "slipstick/result.hpp"
#include "slipstick/solve/monitor.hpp"

namespace slipstick::internal {

/// The target of an island: its absolute errors under both rulers of contact problems.
struct CoulombTarget {
  double scaled = 0.0;     ///< the numerator of the ruler (see ContactRuler)
  double published = 0.0;  ///< ||r_i - P(r_i - u^_i)||
  /// The bound of `published` is also met if the error is at most this share of the norm of all impulses, or
  /// of all velocities. The squares of the impulses and velocities outside the island are given.
  double relative = 0.0;
  double squared_impulses = 0.0, squared_velocities = 0.0;
  double change = 0.0;  ///< approximate change of r per iteration, times d, at which the target may be met
};

/// A method for contact under Coulomb's law on one connected island, u = W r + q. For every contact r is in
/// the cone of mu, u^ = u + (mu ||u_T||, 0, 0) in its dual, and r'u^ = 0. The rows of joints have lower <= r
/// <= upper, and u = 0 unless r is at a bound. W is as given. The object is a workspace.
///
/// If blocks.has_boxes(), friction is in boxes instead: |r_T,i| <= mu r_N for each tangent, with u_T,i = 0
/// unless r_T,i is at such a bound, and 0 <= r_N, u_N with r_N u_N = 0. Some methods take that law too.
class CoulombMethod {
 public:
  struct Context {
    const ContactBlocks& blocks;
    Island island;
    CoulombTarget target;
    Monitor& monitor;  ///< its tolerance is 1: errors are relative to the target
    Counts& counts;
    Vector& r;  ///< r of all islands; in: the start, out: the best answer of this island
    int threads = 1;
    bool warm = false;        ///< r is expected to be near the solution
    double error = infinity;  ///< error of the start, infinite if it is not known
    /// Out: errors of the answer, if the method has computed them with u as a product.
    std::optional<ContactErrors>* errors = nullptr;
  };
  virtual ~CoulombMethod() = default;
  virtual std::string_view name() const = 0;
  /// True if the method needs no blocks of W off the diagonal (see ContactBlocks::products_only).
  virtual bool takes_products_only() const { return false; }
  /// The limit if the caller sets none.
  virtual int default_max_iterations() const { return 1000; }
  /// Improves r in the rows of the island. Its own verdict is in context.monitor.status().
  virtual void run(const Context& context) = 0;
};

/// The rows of the island in a vector of all islands.
inline auto island_of(const CoulombMethod::Context& context, const Vector& r) {
  const Index d = context.blocks.dimension();
  return r.segment(d * context.island.begin, d * context.island.nodes());
}
inline auto island_of(const CoulombMethod::Context& context, Vector& r) {
  const Index d = context.blocks.dimension();
  return r.segment(d * context.island.begin, d * context.island.nodes());
}
/// Copies the rows of the island.
inline void copy_island(const CoulombMethod::Context& context, const Vector& from, Vector& to) {
  island_of(context, to) = island_of(context, from);
}

/// The errors of an island for both rulers. `u` belongs to r (ContactBlocks::velocities).
inline ContactErrors island_errors(const ContactBlocks& blocks, const Island& island, const Vector& r,
                                   const Vector& u) {
  ContactErrors errors;
  const auto add = [&]<int d>() {
    const auto point = [&](Index i) {
      const int contact = static_cast<int>(i);
      return ContactPoint{r.data() + d * i, u.data() + d * i, blocks.mu(contact), blocks.scale(contact),
                          blocks.weight(contact)};
    };
    if (blocks.has_boxes()) {
      errors.add_boxes<d>(island.begin, island.joints, point);
    } else {
      errors.add<d>(island.begin, island.joints, point);
    }
    for (int i = island.joints; i < island.end; ++i)
      for (int a = 0; a < d; ++a)
        errors.add_row(r[d * i + a], u[d * i + a], blocks.row_scale(i, a), blocks.lower(i, a),
                       blocks.upper(i, a));
  };
  if (blocks.dimension() == 3) {
    add.template operator()<3>();
  } else {
    add.template operator()<2>();
  }
  return errors;
}

/// The error of an island relative to its target. At most 1 means solved.
inline double relative_error(const ContactErrors& errors, const CoulombTarget& target) {
  const auto ratio = [](double squared, double bound) {
    return squared == 0.0 ? 0.0 : std::sqrt(squared) / bound;
  };
  const double largest =
      std::max(target.squared_impulses + errors.impulses, target.squared_velocities + errors.velocities);
  return std::max(ratio(errors.scaled, target.scaled),
                  ratio(errors.published, std::max(target.published, target.relative * std::sqrt(largest))));
}
inline double relative_error(const CoulombMethod::Context& context, const Vector& r, const Vector& u) {
  return relative_error(island_errors(context.blocks, context.island, r, u), context.target);
}

}  // namespace slipstick::internal
