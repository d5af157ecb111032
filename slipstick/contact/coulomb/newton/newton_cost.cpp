// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/newton_cost.hpp"

#include "slipstick/contact/coulomb/newton/cost_constants.hpp"

namespace slipstick::internal {

double NewtonCost::in_sweeps(const ContactBlocks& blocks, const Island& island) {
  if (kept_.size() < static_cast<std::size_t>(blocks.nodes()))
    kept_.resize(static_cast<std::size_t>(blocks.nodes()));
  Kept& kept = kept_[static_cast<std::size_t>(island.begin)];
  if (kept.version != blocks.version()) {
    const int* start = blocks.start().data() + island.begin;
    const double entries = start[island.nodes()] - start[0];
    system_->prepare(blocks, island);
    kept = {blocks.version(),
            system_->cost() / (cost::per_swept_block * entries + cost::per_swept_contact * island.nodes())};
  }
  return kept.sweeps;
}

}  // namespace slipstick::internal
