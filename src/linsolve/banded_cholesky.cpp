// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded_cholesky.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

#include "slipstick/base/error.hpp"
#include "slipstick/linsolve/subtract_product.hpp"

namespace slipstick {
namespace {

using Packet = Eigen::internal::packet_traits<double>::type;
constexpr Index pack = Eigen::internal::packet_traits<double>::size;

constexpr Index unit = 24;        // of block sizes: whole tiles of either kind
constexpr Index tall = 3 * pack;  // rows of a tile of four columns
constexpr int tall_packs = 3;
constexpr int single_packs = unit / pack;  // rows of a tile of one column
constexpr Index right_sides = 64;          // that are solved for together

void store(double* to, const Packet& sum) {
  Eigen::internal::pstoreu(to, sum);
}

// body(integral_constant<int, 4 or 1>, c) for all columns c, four at a time.
template <class Body>
void for_columns(Index columns, const Body& body) {
  Index c = 0;
  for (; c + 4 <= columns; c += 4) body(std::integral_constant<int, 4>(), c);
  for (; c < columns; ++c) body(std::integral_constant<int, 1>(), c);
}

// X_p -= or = sum_i A_ip B_i over `rows` rows: dot products of packs, summed up lane by lane.
template <int P, int Columns>
inline void add_dots(Index rows, const double* a, Index stride, const double* x, Index x_stride, double* sums,
                     Index sums_stride) {
  using namespace Eigen::internal;
  Packet sum[P][Columns];
  for (int p = 0; p < P; ++p) {
    for (int c = 0; c < Columns; ++c) sum[p][c] = ploadu<Packet>(sums + p * sums_stride + c * pack);
  }
  for (Index i = 0; i < rows; i += pack) {
    Packet left[P];
    for (int p = 0; p < P; ++p) left[p] = ploadu<Packet>(a + i + p * stride);
    for (int c = 0; c < Columns; ++c) {
      const Packet right = ploadu<Packet>(x + i + c * x_stride);
      for (int p = 0; p < P; ++p) sum[p][c] = pmadd(left[p], right, sum[p][c]);
    }
  }
  for (int p = 0; p < P; ++p) {
    for (int c = 0; c < Columns; ++c) pstoreu(sums + p * sums_stride + c * pack, sum[p][c]);
  }
}

}  // namespace

bool BandedCholesky::factorize(const BandedMatrix& a) {
  resize(a.rows(), std::min(a.bandwidth(), std::max<Index>(0, a.rows() - 1)));
  return factorize_columns([&](Index j, double* column) {
    const Index count = std::min(bandwidth_, rows_ - 1 - j) + 1;
    std::copy_n(a.lower().data() + j * (a.bandwidth() + 1), count, column);
    return count;
  });
}

bool BandedCholesky::factorize(const BandedMatrix& a, std::span<const int> rows) {
  const auto count = static_cast<Index>(rows.size());
  Index width = 0;
  for (Index j = 0, last = 0; j < count; ++j) {
    assert(rows[j] >= 0 && rows[j] < a.rows() && (j == 0 || rows[j - 1] < rows[j]));
    while (last + 1 < count && rows[last + 1] - rows[j] <= a.bandwidth()) ++last;
    width = std::max(width, last - j);
  }
  resize(count, width);
  return factorize_columns([&](Index j, double* column) {
    const double* from = a.lower().data() + rows[j] * (a.bandwidth() + 1) - rows[j];  // by the row of A
    Index i = j;
    for (; i < rows_ && rows[i] - rows[j] <= a.bandwidth(); ++i) column[i - j] = from[rows[i]];
    return i - j;
  });
}

void BandedCholesky::set_block_size(Index size) {
  if (size < 0 || size % unit != 0) fail("a block size must be a multiple of {}, not {}", unit, size);
  wanted_block_ = size;
}

void BandedCholesky::resize(Index rows, Index bandwidth) {
  rows_ = rows;
  bandwidth_ = bandwidth;
  block_ = wanted_block_ > 0 ? wanted_block_ : bandwidth < 200 ? unit : 2 * unit;
  blocks_ = (rows + block_ - 1) / block_;
  below_ = (block_ - 1 + bandwidth) / block_;
  values_.resize(static_cast<std::size_t>(blocks_ * (below_ + 1) * block_ * block_));
  column_.resize(static_cast<std::size_t>((below_ + 1) * block_));
  triangle_.resize(static_cast<std::size_t>(block_ * block_));
}

void BandedCholesky::reserve(Index columns) const {
  const Index count = std::min(columns, right_sides);
  x_.resize(std::max(x_.size(), static_cast<std::size_t>(blocks_ * block_ * count)));
  sums_.resize(std::max(sums_.size(), static_cast<std::size_t>(block_ * count * pack)));
}

// load(j, column) writes the entries of column j of A from the diagonal on and returns their number.
template <class LoadColumn>
bool BandedCholesky::factorize_columns(const LoadColumn& load) {
  failed_row_ = -1;
  for (Index column = 0; column < blocks_; ++column) {
    for (Index j = column * block_; j < (column + 1) * block_; ++j) {
      double* diagonal = column_.data() + j % block_;
      std::fill(column_.data(), diagonal, 0.0);
      if (j < rows_) {
        split_column(j, load(j, diagonal));
      } else {
        *diagonal = 1.0;  // rows that fill up the last block
        split_column(j, 1);
      }
    }
    for (Index row = column; row <= last_row(column); ++row) subtract_left(row, column);
    if (!invert_diagonal(column)) return false;
    for (Index row = column + 1; row <= last_row(column); ++row) divide(row, column);
  }
  return true;
}

// Column j of A from column_ to the blocks; `count` entries from the diagonal on, the others are zero.
void BandedCholesky::split_column(Index j, Index count) {
  const Index column = j / block_;
  std::fill(column_.begin() + j % block_ + count, column_.end(), 0.0);
  for (Index row = column; row <= last_row(column); ++row) {
    std::copy_n(column_.data() + (row - column) * block_, block_, block(row, column) + j % block_ * block_);
  }
}

// A_ij -= sum_(q<j) L_iq L_jq', of a diagonal block the tiles that reach below the diagonal.
void BandedCholesky::subtract_left(Index row, Index column) {
  const Index s = block_;
  double* target = block(row, column);
  for (Index q = std::max<Index>(0, row - below_); q < column; ++q) {
    const double* left = block(row, q);
    const double* right = block(column, q);
    for (Index i = 0; i < s; i += tall) {
      const Index first = first_column(row - q, i);
      if (first >= s) break;
      const Index columns = row == column ? std::min(s, i + tall) : s;
      for (Index j = 0; j < columns; j += 4) {
        detail::subtract_tile<tall_packs, 4, double>(s - first, {left + i + first * s, s},
                                                     TransposedBlock<const double>{right + j + first * s, s},
                                                     {target + i + j * s, s});
      }
    }
  }
}

// D = Cholesky's factor of the diagonal block, which becomes D^-1; four columns at a time.
bool BandedCholesky::invert_diagonal(Index column) {
  const Index s = block_;
  double* d = triangle_.data();
  double* inverse = block(column, column);
  std::copy_n(inverse, s * s, d);
  std::fill_n(inverse, s * s, 0.0);
  for (Index i = 0; i < s; ++i) inverse[i + i * s] = 1.0;

  for (Index p = 0; p < s; p += 4) {
    for (Index c = p; c < p + 4; ++c) {
      const double pivot = d[c + c * s];
      const double scale = 1.0 / std::sqrt(pivot);
      if (!(pivot > 0.0) || !std::isfinite(pivot) || !std::isfinite(scale)) {
        failed_row_ = column * s + c;
        return false;
      }
      for (Index i = c; i < s; ++i) d[i + c * s] *= scale;
      for (Index j = c + 1; j < p + 4; ++j) {
        for (Index i = j; i < s; ++i) d[i + j * s] -= d[i + c * s] * d[j + c * s];
      }
      // Row c of the inverse, with the columns of D that are within the four.
      for (Index j = 0; j <= c; ++j) {
        double sum = inverse[c + j * s];
        for (Index k = p; k < c; ++k) sum -= d[c + k * s] * inverse[k + j * s];
        inverse[c + j * s] = sum * scale;
      }
    }
    const Index next = p + 4;
    if (next == s) break;
    // What is left of the block, and of the rows of the inverse below.
    for (Index j = next; j < s; j += 4) {
      detail::subtract_columns<4, double>(
          s - j, 4, {d + j + p * s, s}, TransposedBlock<const double>{d + j + p * s, s}, {d + j + j * s, s});
    }
    subtract_product<double>(s - next, next, 4, {d + next + p * s, s}, {inverse + p, s}, {inverse + next, s});
  }
  return true;
}

// L_ij = A_ij D_j^-T in place, from the last columns to the first.
void BandedCholesky::divide(Index row, Index column) {
  const Index s = block_;
  double* target = block(row, column);
  const double* inverse = block(column, column);
  for (Index i = 0; i < s; i += tall) {
    const Index first = first_column(row - column, i);
    if (first >= s) break;
    for (Index j = s - 4; j + 4 > first; j -= 4) {
      detail::product_tile<tall_packs, 4, double>(j + 4 - first, {target + i + first * s, s},
                                                  TransposedBlock<const double>{inverse + j + first * s, s},
                                                  {target + i + j * s, s}, store);
    }
  }
}

void BandedCholesky::solve(MatrixView x) const {
  assert(x.rows() == rows_ && failed_row_ < 0);
  const Index s = block_;
  for (Index begin = 0; begin < x.cols(); begin += right_sides) {
    const Index columns = std::min(right_sides, x.cols() - begin);
    reserve(columns);
    for (Index b = 0; b < blocks_; ++b) {
      const Index count = std::min(s, rows_ - b * s);
      for (Index c = 0; c < columns; ++c) {
        double* to = x_.data() + (b * columns + c) * s;
        std::copy_n(&x(b * s, begin + c), count, to);
        std::fill(to + count, to + s, 0.0);
      }
    }
    forward(columns);
    backward(columns);
    for (Index b = 0; b < blocks_; ++b) {
      const Index count = std::min(s, rows_ - b * s);
      for (Index c = 0; c < columns; ++c) {
        std::copy_n(x_.data() + (b * columns + c) * s, count, &x(b * s, begin + c));
      }
    }
  }
}

// Y_j = D_j^-1 B_j, then B_i -= C_ij Y_j for the blocks below.
void BandedCholesky::forward(Index columns) const {
  const Index s = block_;
  for (Index column = 0; column < blocks_; ++column) {
    double* y = x_.data() + column * columns * s;
    const double* inverse = block(column, column);
    for_columns(columns, [&]<int C>(std::integral_constant<int, C>, Index c) {
      constexpr int packs = C == 1 ? single_packs : tall_packs;
      for (Index i = s - packs * pack; i >= 0; i -= packs * pack) {
        detail::product_tile<packs, C, double>(i + packs * pack, {inverse + i, s},
                                               Block<const double>{y + c * s, s}, {y + i + c * s, s}, store);
      }
    });
    for (Index row = column + 1; row <= last_row(column); ++row) {
      const double* left = block(row, column);
      double* target = x_.data() + row * columns * s;
      for_columns(columns, [&]<int C>(std::integral_constant<int, C>, Index c) {
        constexpr int packs = C == 1 ? single_packs : tall_packs;
        for (Index i = 0; i < s; i += packs * pack) {
          const Index first = first_column(row - column, i);
          if (first >= s) break;
          detail::subtract_tile<packs, C, double>(s - first, {left + i + first * s, s},
                                                  Block<const double>{y + first + c * s, s},
                                                  {target + i + c * s, s});
        }
      });
    }
  }
}

// Y_j -= sum_i C_ij' X_i, then X_j = D_j^-T Y_j.
void BandedCholesky::backward(Index columns) const {
  const Index s = block_;
  // sum over the rows [from, to) of L's column p times X, added to the partial sums of (p, c).
  const auto add = [&](const double* left, const double* right, Index p0, Index p1, auto from, auto to) {
    for_columns(columns, [&]<int C>(std::integral_constant<int, C>, Index c) {
      constexpr int P = C == 1 ? 6 : 3;
      for (Index p = p0; p < p1; p += P) {
        const Index begin = from(p);
        const Index end = std::min(s, to(p + P));
        if (begin >= end) continue;
        add_dots<P, C>(end - begin, left + begin + p * s, s, right + begin + c * s, s,
                       sums_.data() + (p * columns + c) * pack, columns * pack);
      }
    });
  };
  for (Index column = blocks_ - 1; column >= 0; --column) {
    double* y = x_.data() + column * columns * s;
    std::fill_n(sums_.data(), s * columns * pack, 0.0);
    for (Index row = column + 1; row <= last_row(column); ++row) {
      // Column p has rows up to bandwidth + p.
      const Index reach = bandwidth_ - (row - column) * s;
      const auto to = [&](Index p) { return (std::max<Index>(0, reach + p) + pack - 1) / pack * pack; };
      add(
          block(row, column), x_.data() + row * columns * s, 0, s, [](Index) { return Index{0}; }, to);
    }
    for (Index p = 0; p < s; ++p) {
      for (Index c = 0; c < columns; ++c) {
        y[p + c * s] -=
            Eigen::internal::predux(Eigen::internal::ploadu<Packet>(sums_.data() + (p * columns + c) * pack));
      }
    }
    std::fill_n(sums_.data(), s * columns * pack, 0.0);
    add(
        block(column, column), y, 0, s, [](Index p) { return p / pack * pack; }, [&](Index) { return s; });
    for (Index p = 0; p < s; ++p) {
      for (Index c = 0; c < columns; ++c) {
        y[p + c * s] =
            Eigen::internal::predux(Eigen::internal::ploadu<Packet>(sums_.data() + (p * columns + c) * pack));
      }
    }
  }
}

}  // namespace slipstick
