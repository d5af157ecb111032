// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/contact/coulomb/newton/contact_system.hpp"

namespace slipstick::internal {

/// The cost of a step of Newton's method on an island, in Gauss-Seidel sweeps, by counting. It compares the
/// operations of a factorization (see ContactSystem) with the blocks and contacts of a sweep. No clock is
/// read, so that the same problem gives the same answer.
class NewtonCost {
 public:
  explicit NewtonCost(SharedSystem system = std::make_shared<ContactSystem>()) : system_(std::move(system)) {}
  /// The result is kept while the matrices are the same.
  double in_sweeps(const ContactBlocks& blocks, const Island& island);

 private:
  struct Kept {
    std::uint64_t version = 0;
    double sweeps = 0.0;
  };

  std::vector<Kept> kept_;  // by first contact
  SharedSystem system_;
};

}  // namespace slipstick::internal
