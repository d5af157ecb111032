// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/newton_cost.hpp"

#include <algorithm>

namespace slipstick {
namespace {

// Nanoseconds, of which only the ratios matter: per operation of a factorization, per block of its pattern,
// per block of a sweep and per contact solved in one.
constexpr double per_operation = 0.095, per_entry = 130.0, per_block = 4.0, per_contact = 20.0;

}  // namespace

double NewtonCost::in_sweeps(const ContactBlocks& blocks, const ContactBlocks::Piece& piece) {
  if (kept_.size() < static_cast<std::size_t>(blocks.contacts()))
    kept_.resize(static_cast<std::size_t>(blocks.contacts()));
  Kept& kept = kept_[static_cast<std::size_t>(piece.begin)];
  if (kept.version != blocks.version()) kept = {blocks.version(), count(blocks, piece)};
  return kept.sweeps;
}

double NewtonCost::count(const ContactBlocks& blocks, const ContactBlocks::Piece& piece) {
  const int first = blocks.start()[static_cast<std::size_t>(piece.begin)];
  const int last = blocks.start()[static_cast<std::size_t>(piece.end)];
  CsrMatrix pattern(piece.contacts(), piece.contacts());
  pattern.resizeNonZeros(last - first);
  for (int i = piece.begin; i <= piece.end; ++i)
    pattern.outerIndexPtr()[i - piece.begin] = blocks.start()[static_cast<std::size_t>(i)] - first;
  for (int k = first; k < last; ++k)
    pattern.innerIndexPtr()[k - first] = blocks.columns()[static_cast<std::size_t>(k)] - piece.begin;
  std::fill_n(pattern.valuePtr(), last - first, 1.0);
  analysis_.analyze(pattern, Ordering::amd, {.pays = [](int, double, double) { return false; }});

  const double d = blocks.dimension();
  double operations = 0.0;
  for (const PanelAnalysis::Panel& panel : analysis_.panels) {
    for (int k = 0; k < panel.width(); ++k) {
      const double rows = panel.rows - k;
      operations += 2.0 * d * d * d * rows * rows;
    }
  }
  const double entries = last - first;
  return (per_operation * operations + per_entry * entries) /
         (per_block * entries + per_contact * piece.contacts());
}

}  // namespace slipstick
