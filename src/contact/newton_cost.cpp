// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/newton_cost.hpp"

#include <algorithm>
#include <numeric>

namespace slipstick {
namespace {

// Nanoseconds, of which only the ratios matter: per operation of a factorization, per block of its pattern,
// per block of a sweep and per contact solved in one.
constexpr double per_operation = 0.095, per_entry = 130.0, per_block = 4.0, per_contact = 20.0;
// The same for a factorization by groups: per block of their pattern, and per contact that is eliminated.
constexpr double per_group_entry = 400.0, per_eliminated = 1500.0;

CsrMatrix pattern_of(int rows, const int* start, const int* columns, int first_column) {
  CsrMatrix pattern(rows, rows);
  pattern.resizeNonZeros(start[rows] - start[0]);
  for (int i = 0; i <= rows; ++i) pattern.outerIndexPtr()[i] = start[i] - start[0];
  for (int k = start[0]; k < start[rows]; ++k)
    pattern.innerIndexPtr()[k - start[0]] = columns[k] - first_column;
  std::fill_n(pattern.valuePtr(), pattern.nonZeros(), 1.0);
  return pattern;
}

}  // namespace

double NewtonCost::in_sweeps(const ContactBlocks& blocks, const ContactBlocks::Piece& piece) {
  if (kept_.size() < static_cast<std::size_t>(blocks.contacts()))
    kept_.resize(static_cast<std::size_t>(blocks.contacts()));
  Kept& kept = kept_[static_cast<std::size_t>(piece.begin)];
  if (kept.version != blocks.version()) kept = {blocks.version(), count(blocks, piece)};
  return kept.sweeps;
}

double NewtonCost::count(const ContactBlocks& blocks, const ContactBlocks::Piece& piece) {
  const int* start = blocks.start().data() + piece.begin;
  const double entries = start[piece.contacts()] - start[0];
  const double sweep = per_block * entries + per_contact * piece.contacts();
  if (groups_.find(blocks, piece)) {
    const std::vector<int>& ranks = groups_.ranks();
    const double mean = std::accumulate(ranks.begin(), ranks.end(), 0.0) / groups_.groups();
    const CsrMatrix pattern =
        pattern_of(groups_.groups(), groups_.start().data(), groups_.columns().data(), 0);
    return (per_operation * operations(pattern, mean) +
            per_group_entry * static_cast<double>(pattern.nonZeros()) + per_eliminated * piece.contacts()) /
           sweep;
  }
  const CsrMatrix pattern = pattern_of(piece.contacts(), start, blocks.columns().data(), piece.begin);
  return (per_operation * operations(pattern, blocks.dimension()) + per_entry * entries) / sweep;
}

// Of a factorization with blocks of that size.
double NewtonCost::operations(const CsrMatrix& pattern, double block) {
  analysis_.analyze(pattern, Ordering::amd, {.pays = [](int, double, double) { return false; }});
  double sum = 0.0;
  for (const PanelAnalysis::Panel& panel : analysis_.panels) {
    for (int k = 0; k < panel.width(); ++k) {
      const double rows = panel.rows - k;
      sum += 2.0 * block * block * block * rows * rows;
    }
  }
  return sum;
}

}  // namespace slipstick
