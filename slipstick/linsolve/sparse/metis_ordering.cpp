// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/metis_ordering.hpp"

#include <algorithm>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"

#if defined(SLIPSTICK_HAVE_METIS)
#include <metis.h>
#endif

namespace slipstick::internal {

#if defined(SLIPSTICK_HAVE_METIS)

namespace {

// Operations of a separator or of one level of a dissection, per row and neighbour.
constexpr double separator_work = 200.0;
// About the time of a separator, per row and neighbour.
constexpr double seconds_of_separator = 4e-7;

// Dissects a graph piece by piece.
class Dissection {
 public:
  Dissection(const NeighbourGraph& graph, Index largest_piece)
      : graph_(graph),
        largest_piece_(largest_piece),
        order_(static_cast<std::size_t>(graph.rows())),
        place_(order_.size()) {
    METIS_SetDefaultOptions(options_);
    options_[METIS_OPTION_SEED] = 1;
    std::iota(order_.begin(), order_.end(), 0);
    std::iota(place_.begin(), place_.end(), idx_t{0});
  }

  std::vector<int> run() {
    std::vector<Piece> pieces = {{0, order_.size()}};
    while (!pieces.empty()) {
      const Piece piece = pieces.back();
      pieces.pop_back();
      load(piece);
      if (piece.rows() < 2) continue;
      begin_blind_work(seconds_of_separator * work());
      if (work() <= static_cast<double>(largest_piece_) || !cut(piece, pieces)) order(piece);
      count_work(separator_work * work());
    }
    return std::move(order_);
  }

 private:
  // The rows order_[begin, end).
  struct Piece {
    std::size_t begin, end;
    std::size_t rows() const { return end - begin; }
  };

  double work() const { return static_cast<double>(start_.size() + neighbours_.size()); }

  // Makes the graph of a piece.
  void load(Piece piece) {
    start_.assign(1, 0);
    neighbours_.clear();
    const auto begin = static_cast<idx_t>(piece.begin), end = static_cast<idx_t>(piece.end);
    for (std::size_t k = piece.begin; k < piece.end; ++k) {
      for (const int neighbour : graph_.of(order_[k])) {
        const idx_t at = place_[static_cast<std::size_t>(neighbour)];
        if (at >= begin && at < end) neighbours_.push_back(at - begin);
      }
      start_.push_back(static_cast<idx_t>(neighbours_.size()));
    }
    if (neighbours_.empty()) neighbours_.push_back(0);  // METIS needs an array that is not empty
  }

  // Divides the piece into two pieces and a separator behind them. Returns false if there is no separator.
  bool cut(Piece piece, std::vector<Piece>& pieces) {
    auto n = static_cast<idx_t>(piece.rows());
    idx_t separator = 0;
    part_.resize(piece.rows());
    check(METIS_ComputeVertexSeparator(&n, start_.data(), neighbours_.data(), nullptr, options_, &separator,
                                       part_.data()),
          n);
    std::size_t sizes[3] = {0, 0, 0};
    for (const idx_t part : part_) ++sizes[part];
    if (std::max(sizes[0], sizes[1]) == piece.rows()) return false;
    const std::vector<int> rows(order_.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                                order_.begin() + static_cast<std::ptrdiff_t>(piece.end));
    std::size_t next[3] = {piece.begin, piece.begin + sizes[0], piece.begin + sizes[0] + sizes[1]};
    pieces.push_back({next[0], next[1]});
    pieces.push_back({next[1], next[2]});
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::size_t place = next[part_[k]]++;
      order_[place] = rows[k];
      place_[static_cast<std::size_t>(rows[k])] = static_cast<idx_t>(place);
    }
    return true;
  }

  void order(Piece piece) {
    auto n = static_cast<idx_t>(piece.rows());
    part_.resize(piece.rows());
    std::vector<idx_t> inverse(piece.rows());
    check(
        METIS_NodeND(&n, start_.data(), neighbours_.data(), nullptr, options_, part_.data(), inverse.data()),
        n);
    const std::vector<int> rows(order_.begin() + static_cast<std::ptrdiff_t>(piece.begin),
                                order_.begin() + static_cast<std::ptrdiff_t>(piece.end));
    for (std::size_t k = 0; k < rows.size(); ++k)
      order_[piece.begin + k] = rows[static_cast<std::size_t>(part_[k])];
  }

  static void check(int status, idx_t rows) {
    if (status != METIS_OK) fail("METIS cannot order {} rows: status {}", rows, status);
  }

  const NeighbourGraph& graph_;
  Index largest_piece_;
  std::vector<int> order_;    // rows by step; a separator behind its two pieces
  std::vector<idx_t> place_;  // of each row in order_; inside a piece it does not matter which
  std::vector<idx_t> start_, neighbours_, part_;
  idx_t options_[METIS_NOPTIONS];
};

}  // namespace

bool has_metis() {
  return true;
}

std::vector<int> nested_dissection(const NeighbourGraph& graph, Index largest_piece) {
  return Dissection(graph, largest_piece).run();
}

#else

bool has_metis() {
  return false;
}

std::vector<int> nested_dissection(const NeighbourGraph& /*graph*/, Index /*largest_piece*/) {
  fail("METIS is not linked");
}

#endif

}  // namespace slipstick::internal
