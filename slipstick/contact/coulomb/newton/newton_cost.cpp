// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/newton_cost.hpp"

namespace slipstick {
namespace {

// Nanoseconds, of which only the ratio to those of ContactSystem matters: per block of a sweep and per
// contact solved in one.
constexpr double per_block = 4.0, per_contact = 20.0;

}  // namespace

double NewtonCost::in_sweeps(const ContactBlocks& blocks, const ContactBlocks::Piece& piece) {
  if (kept_.size() < static_cast<std::size_t>(blocks.contacts()))
    kept_.resize(static_cast<std::size_t>(blocks.contacts()));
  Kept& kept = kept_[static_cast<std::size_t>(piece.begin)];
  if (kept.version != blocks.version()) {
    const int* start = blocks.start().data() + piece.begin;
    const double entries = start[piece.contacts()] - start[0];
    system_->prepare(blocks, piece);
    kept = {blocks.version(), system_->cost() / (per_block * entries + per_contact * piece.contacts())};
  }
  return kept.sweeps;
}

}  // namespace slipstick
