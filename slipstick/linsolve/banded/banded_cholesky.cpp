// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/banded_cholesky.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/prefetch.hpp"
#include "slipstick/linalg/subtract_product.hpp"

namespace slipstick::internal {
namespace {

constexpr Index pack = PackSums::pack;
constexpr Index unit = 24;  // divides the block sizes: the rows and columns that the kernels take together
constexpr Index right_sides = 64;  // right-hand sides that are solved together

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
    const double* from = a.lower().data() + rows[j] * (a.bandwidth() + 1) - rows[j];  // by row of A
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
  block_ = wanted_block_ > 0 ? wanted_block_ : unit;
  blocks_ = (rows + block_ - 1) / block_;
  below_ = (block_ - 1 + bandwidth) / block_;
  resize_with_looks(values_, static_cast<std::size_t>(blocks_ * (below_ + 1) * block_ * block_));
  column_.resize(static_cast<std::size_t>((below_ + 1) * block_));
  for (Array* array : {&triangle_, &product_}) array->resize(static_cast<std::size_t>(block_ * block_));
  transposed_.resize(static_cast<std::size_t>(below_ * block_ * block_));
}

void BandedCholesky::reserve(Index columns) const {
  const Index count = std::min(columns, right_sides);
  x_.resize(std::max(x_.size(), static_cast<std::size_t>(blocks_ * block_ * count)));
  y_.resize(std::max(y_.size(), static_cast<std::size_t>(block_ * count)));
  sums_.reserve(block_, count);
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
    transpose_left(column);
    for (Index row = column; row <= last_row(column); ++row) subtract_left(row, column);
    if (!invert_diagonal(column)) return false;
    for (Index row = column + 1; row <= last_row(column); ++row) divide(row, column);
  }
  return true;
}

// Copies column j of A from column_ to the blocks: `count` entries from the diagonal on. The others are zero.
void BandedCholesky::split_column(Index j, Index count) {
  const Index column = j / block_;
  std::fill(column_.begin() + j % block_ + count, column_.end(), 0.0);
  for (Index row = column; row <= last_row(column); ++row) {
    std::copy_n(column_.data() + (row - column) * block_, block_, block(row, column) + j % block_ * block_);
  }
}

// Transposes the blocks L_jq left of the diagonal block j.
void BandedCholesky::transpose_left(Index column) {
  for (Index q = first_left(column); q < column; ++q) {
    transpose(block(column, q), transposed_.data() + (column - 1 - q) * block_ * block_);
  }
}

void BandedCholesky::transpose(const double* from, double* to) const {
  for (Index p = 0; p < block_; ++p) {
    for (Index i = 0; i < block_; ++i) to[p + i * block_] = from[i + p * block_];
  }
}

// A_ij -= sum_(q<j) L_iq L_jq'. In a diagonal block, only columns up to the diagonal are needed.
void BandedCholesky::subtract_left(Index row, Index column) {
  const Index s = block_;
  double* target = block(row, column);
  count_work(2.0 * static_cast<double>((column - first_left(row) + 1) * s * s) * static_cast<double>(s));
  for (Index q = first_left(row); q < column; ++q) {
    const double* right = transposed_.data() + (column - 1 - q) * s * s;
    for (Index i = 0; i < s; i += unit) {
      const Index first = first_column(row - q, i);
      if (first >= s) break;
      subtract_product<double>(unit, row == column ? i + unit : s, s - first,
                               {block(row, q) + i + first * s, s}, {right + first, s}, {target + i, s});
    }
  }
}

// Factorizes the diagonal block by Cholesky, four columns at a time. The block then stores -D^-1, with D the
// factor.
bool BandedCholesky::invert_diagonal(Index column) {
  const Index s = block_;
  double* d = triangle_.data();
  double* inverse = block(column, column);
  std::copy_n(inverse, s * s, d);
  std::fill_n(inverse, s * s, 0.0);
  for (Index i = 0; i < s; ++i) inverse[i + i * s] = -1.0;

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
      // Row c of the inverse, from the columns of D within the group of four.
      for (Index j = 0; j <= c; ++j) {
        double sum = inverse[c + j * s];
        for (Index k = p; k < c; ++k) sum -= d[c + k * s] * inverse[k + j * s];
        inverse[c + j * s] = sum * scale;
      }
    }
    const Index next = p + 4;
    if (next == s) break;
    // Updates the rest of the block and the rows of the inverse below.
    for (Index j = next; j < s; j += 4) {
      detail::subtract_columns<4, double>(
          s - j, 4, {d + j + p * s, s}, TransposedBlock<const double>{d + j + p * s, s}, {d + j + j * s, s});
    }
    subtract_product<double>(s - next, next, 4, {d + next + p * s, s}, {inverse + p, s}, {inverse + next, s});
  }
  transpose(inverse, triangle_.data());
  return true;
}

// L_ij = A_ij D_j^-T, with -D_j^-T in triangle_.
void BandedCholesky::divide(Index row, Index column) {
  const Index s = block_;
  double* target = block(row, column);
  std::fill(product_.begin(), product_.end(), 0.0);
  for (Index i = 0; i < s; i += unit) {
    const Index first = first_column(row - column, i);
    if (first >= s) break;
    for (Index j = first / 8 * 8; j < s; j += 8) {
      subtract_product<double>(unit, 8, j + 8 - first, {target + i + first * s, s},
                               {triangle_.data() + first + j * s, s}, {product_.data() + i + j * s, s});
    }
  }
  std::copy(product_.begin(), product_.end(), target);
}

void BandedCholesky::substitute(MatrixView x, bool lower, bool upper) const {
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
    if (lower) forward(columns);
    if (upper) backward(columns);
    for (Index b = 0; b < blocks_; ++b) {
      const Index count = std::min(s, rows_ - b * s);
      for (Index c = 0; c < columns; ++c) {
        std::copy_n(x_.data() + (b * columns + c) * s, count, &x(b * s, begin + c));
      }
    }
  }
}

// Prefetches the next block, which follows in memory.
void BandedCholesky::prefetch_next(const double* p) const {
  const Index size = block_ * block_;
  for (Index k = 0; k < size; k += 8) prefetch(p + size + k);
}

// Y_j = D_j^-1 B_j, then B_i -= C_ij Y_j for the blocks below.
void BandedCholesky::forward(Index columns) const {
  const Index s = block_;
  for (Index column = 0; column < blocks_; ++column) {
    double* y = x_.data() + column * columns * s;
    std::fill_n(y_.data(), s * columns, 0.0);
    for (Index i = 0; i < s; i += unit) {
      subtract_product<double>(unit, columns, i + unit, {block(column, column) + i, s}, {y, s},
                               {y_.data() + i, s});
    }
    std::copy_n(y_.data(), s * columns, y);
    for (Index row = column + 1; row <= last_row(column); ++row) {
      if (columns < 8) prefetch_next(block(row, column));
      for (Index i = 0; i < s; i += unit) {
        const Index first = first_column(row - column, i);
        if (first >= s) break;
        subtract_product<double>(unit, columns, s - first, {block(row, column) + i + first * s, s},
                                 {y + first, s}, {x_.data() + row * columns * s + i, s});
      }
    }
  }
}

// Y_j -= sum_i C_ij' X_i, then X_j = D_j^-T Y_j.
void BandedCholesky::backward(Index columns) const {
  const Index s = block_;
  for (Index column = blocks_ - 1; column >= 0; --column) {
    double* y = x_.data() + column * columns * s;
    sums_.reset(s, columns);
    for (Index row = column + 1; row <= last_row(column); ++row) {
      // The columns before p end at row bandwidth + p - 1 of the block column.
      if (columns < 8) prefetch_next(block(row, column));
      const Index reach = bandwidth_ - (row - column) * s + pack - 1;
      sums_.add(
          block(row, column), x_.data() + row * columns * s, [](Index) { return Index{0}; },
          [&](Index p) { return std::min(s, (reach + p) / pack * pack); });
    }
    sums_.for_totals([&](Index p, Index c, const Register<double>& total) {
      store_register(y + p + c * s, load_register(y + p + c * s) - total);
    });
    sums_.reset(s, columns);
    sums_.add(
        block(column, column), y, [](Index p) { return p / pack * pack; }, [&](Index) { return s; });
    sums_.for_totals(
        [&](Index p, Index c, const Register<double>& total) { store_register(y + p + c * s, -total); });
  }
}

}  // namespace slipstick::internal
