// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/band_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

constexpr Index step = 4;  // columns that the unblocked loops take together

// Columns that are eliminated together. The wide panel serves bands that do not fit into the second-level
// cache.
constexpr Index narrow_panel = 4 * step;
constexpr Index wide_panel = 24 * step;

// Rows of a panel's L that are used together: they fit into the first-level cache. Each number is a multiple
// of its panel width.
constexpr Index chunk_rows = 256;
constexpr Index wide_chunk_rows = 96;

// x_i -= sum_p c_p[i] f_p for i in [begin, end) and four columns c of the storage, entry (i, j) at column[i].
template <class Scalar>
void subtract_four(const Scalar* c0, Index stride, const Scalar* f, Scalar* __restrict x, Index begin,
                   Index end) {
  const Scalar* __restrict c1 = c0 + stride;
  const Scalar* __restrict c2 = c1 + stride;
  const Scalar* __restrict c3 = c2 + stride;
  const Scalar f0 = -f[0], f1 = -f[1], f2 = -f[2], f3 = -f[3];
#pragma omp simd
  for (Index i = begin; i < end; ++i) {
    // Two short chains of additions have less latency than one long chain.
    const Scalar first = multiply_add(c1[i], f1, multiply_add(c0[i], f0, x[i]));
    x[i] = first + multiply_add(c3[i], f3, c2[i] * f2);
  }
}

template <class Scalar>
void subtract_one(const Scalar* c, Scalar f, Scalar* __restrict x, Index begin, Index end) {
#pragma omp simd
  for (Index i = begin; i < end; ++i) x[i] = multiply_add(c[i], -f, x[i]);
}

// X <- L^-1 X for the unit lower triangle of a block of four rows.
template <class Scalar>
void solve_unit_four(Index columns, Block<const Scalar> l, Block<Scalar> x) {
  const Scalar l10 = -l(1, 0), l20 = -l(2, 0), l30 = -l(3, 0), l21 = -l(2, 1), l31 = -l(3, 1), l32 = -l(3, 2);
  for (Index j = 0; j < columns; ++j) {
    Scalar* f = x.column(j);
    const Scalar f0 = f[0];
    const Scalar f1 = multiply_add(l10, f0, f[1]);
    const Scalar f2 = multiply_add(l21, f1, multiply_add(l20, f0, f[2]));
    const Scalar f3 = multiply_add(l32, f2, multiply_add(l31, f1, multiply_add(l30, f0, f[3])));
    f[1] = f1;
    f[2] = f2;
    f[3] = f3;
  }
}

// X <- U^-1 X for the upper triangle of a block of four rows, with the inverses of its diagonal.
template <class Scalar>
void solve_upper_four(Index columns, Block<const Scalar> u, const Scalar* inverse, Block<Scalar> x) {
  const Scalar u01 = -u(0, 1), u02 = -u(0, 2), u03 = -u(0, 3), u12 = -u(1, 2), u13 = -u(1, 3), u23 = -u(2, 3);
  for (Index j = 0; j < columns; ++j) {
    Scalar* f = x.column(j);
    const Scalar f3 = f[3] * inverse[3];
    const Scalar f2 = multiply_add(u23, f3, f[2]) * inverse[2];
    const Scalar f1 = multiply_add(u12, f2, multiply_add(u13, f3, f[1])) * inverse[1];
    const Scalar f0 = multiply_add(u01, f1, multiply_add(u02, f2, multiply_add(u03, f3, f[0]))) * inverse[0];
    f[0] = f0;
    f[1] = f1;
    f[2] = f2;
    f[3] = f3;
  }
}

}  // namespace

template <class Scalar>
void BandLu<Scalar>::resize(Index rows, Index half_bandwidth) {
  assert(rows >= 0 && half_bandwidth >= 0);
  constexpr Index pack = 32 / sizeof(Scalar);
  rows_ = rows;
  half_bandwidth_ = half_bandwidth;
  band_ = half_bandwidth < step ? half_bandwidth : (half_bandwidth + pack - 1) / pack * pack;
  panel_ = band_ < step  ? 1
           : band_ < 16  ? step
           : band_ < 48  ? 2 * step
           : band_ < 320 ? narrow_panel
                         : wide_panel;
  reach_ = band_ + panel_ - 1;
  // A stride of whole packs or cache lines keeps the rows of a block aligned. An odd number of lines keeps
  // neighbouring columns out of each other's cache sets.
  const Index line = band_ < 48 ? pack : 64 / static_cast<Index>(sizeof(Scalar));
  const Index lines = (2 * reach_ + line - 1) / line;
  stride_ = band_ < step ? 2 * reach_ : line * (lines % 2 == 0 ? lines + 1 : lines);
  offset_ = (reach_ + line - 1) / line * line;
  resize_with_looks(storage_, static_cast<std::size_t>(offset_ - reach_ + rows * (stride_ + 1)));
  inverse_pivot_.resize(static_cast<std::size_t>(rows));
  packed_.resize(panel_ == wide_panel ? static_cast<std::size_t>(wide_panel * wide_chunk_rows) : 0);
}

template <class Scalar>
void BandLu<Scalar>::clear(Index begin, Index end) {
  const Index first = offset_ - reach_;
  count_work(static_cast<double>((end - begin) * (stride_ + 1)));
  std::fill(storage_.begin() + first + begin * (stride_ + 1), storage_.begin() + first + end * (stride_ + 1),
            Scalar{0});
}

template <class Scalar>
Index BandLu<Scalar>::factorize(Scalar threshold, bool symmetric) {
  boosted_ = 0;
  finite_ = true;
  largest_ = 0;
  row_size_.assign(static_cast<std::size_t>(rows_), Scalar{0});
  column_size_.resize(static_cast<std::size_t>(rows_));
  extent_.assign(static_cast<std::size_t>(rows_), 0);
  Index measured = 0;
  Index extent = 0;
  for (Index begin = 0; begin < rows_; begin += panel_) {
    const Index end = std::min(rows_, begin + panel_);
    // Measures all columns that the panel's rows reach, before any of them is changed.
    const Index reached = std::min(rows_, end + band_);
    measure_columns(measured, reached);
    measured = reached;
    // Fill stays within the rows and columns that the panels have reached so far. Whole packs are faster.
    extent = std::max(extent, *std::max_element(extent_.begin() + begin, extent_.begin() + end));
    constexpr Index pack = 32 / sizeof(Scalar);
    const Index last = std::min(reached, end + (std::max(extent, end) - end + pack - 1) / pack * pack);
    factorize_panel(begin, end, last, threshold);
    // U12 = L11^-1 A12 and A22 -= L21 U12. All entries that the panel reaches lie within the band.
    if (symmetric) {
      mirror(begin, end, last);
    } else {
      find_upper(begin, end, end, last);
    }
    subtract_below(begin, end, end, last, last, symmetric);
  }
  return boosted_;
}

template <class Scalar>
void BandLu<Scalar>::measure_columns(Index begin, Index end) {
  using Column = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
  count_work(6.0 * static_cast<double>((end - begin) * half_bandwidth_));
  for (Index j = begin; j < end; ++j) {
    const Index top = std::max<Index>(0, j - half_bandwidth_);
    const Index count = std::min(rows_, j + half_bandwidth_ + 1) - top;
    const auto sizes = Column(&at(top, j), count).abs();
    Column rows(&row_size_[static_cast<std::size_t>(top)], count);
    rows = rows.max(sizes);
    column_size_[j] = sizes.maxCoeff();
    largest_ = std::max(largest_, column_size_[j]);
    if (column_size_[j] == 0) continue;
    const Scalar* column = &at(0, j);
    Index first = top, last = top + count - 1;
    while (column[first] == 0) ++first;
    while (column[last] == 0) --last;
    if (last > j) extent_[j] = std::max(extent_[j], last + 1);
    if (first < j) extent_[first] = std::max(extent_[first], j + 1);
  }
}

// Factorizes the panel's columns [begin, end) down to last_row, a few of them at a time.
template <class Scalar>
void BandLu<Scalar>::factorize_panel(Index begin, Index end, Index last_row, Scalar threshold) {
  const Index width = end - begin > narrow_panel ? narrow_panel : std::min(step, panel_);
  for (Index first = begin; first < end; first += width) {
    const Index last = std::min(end, first + width);
    const Index bottom = std::min(last_row, last + band_);
    if (width > step) {
      factorize_panel(first, last, bottom, threshold);
    } else {
      factorize_columns(first, last, bottom, threshold);
    }
    find_upper(first, last, last, end);
    subtract_below(first, last, last, end, bottom, false);
  }
}

template <class Scalar>
void BandLu<Scalar>::factorize_columns(Index begin, Index end, Index last_row, Scalar threshold) {
  for (Index p = begin; p < end; ++p) {
    const Index bottom = std::min(last_row, p + band_ + 1);
    const Scalar pivot = boosted(at(p, p), p, threshold);
    at(p, p) = pivot;
    inverse_pivot_[p] = Scalar{1} / pivot;
    Scalar* lower = &at(0, p);
    for (Index i = p + 1; i < bottom; ++i) lower[i] *= inverse_pivot_[p];
    for (Index q = p + 1; q < end; ++q) subtract_one(lower, at(p, q), &at(0, q), p + 1, bottom);
  }
}

template <class Scalar>
Scalar BandLu<Scalar>::boosted(Scalar pivot, Index j, Scalar threshold) {
  if (!std::isfinite(pivot)) finite_ = false;
  Scalar size = std::min(column_size_[j], row_size_[j]);
  if (size == 0) size = largest_ > 0 ? largest_ : Scalar{1};
  const Scalar least = threshold * size;
  if (std::abs(pivot) > least && std::isfinite(Scalar{1} / pivot)) return pivot;
  ++boosted_;
  return std::copysign(std::max(least, std::numeric_limits<Scalar>::min() * 4), pivot);
}

// Computes the rows [begin, end) of U in columns [first_column, last_column) by forward substitution, four at
// a time.
template <class Scalar>
void BandLu<Scalar>::find_upper(Index begin, Index end, Index first_column, Index last_column) {
  const Index columns = last_column - first_column;
  if (columns <= 0) return;
  for (Index p = begin; p < end; p += step) {
    const Index q = std::min(end, p + step);
    if (q - p == step) {
      solve_unit_four<Scalar>(columns, {&at(p, p), stride_}, block(p, first_column));
    } else {
      for (Index j = first_column; j < last_column; ++j) {
        for (Index c = p; c + 1 < q; ++c) subtract_one(&entry(0, c), at(c, j), &at(0, j), c + 1, q);
      }
    }
    if (q < end) {
      subtract_product<Scalar>(end - q, columns, q - p, {&at(q, p), stride_}, {&at(p, first_column), stride_},
                               block(q, first_column));
    }
  }
}

// Computes the same rows of U for a symmetric matrix: U = D L'.
template <class Scalar>
void BandLu<Scalar>::mirror(Index begin, Index end, Index last_column) {
  for (Index j = end; j < last_column; ++j) {
    for (Index p = begin; p < end; ++p) at(p, j) = at(j, p) * at(p, p);
  }
}

// Subtracts the product of the panel [begin, end) from the columns [first_column, last_column), from row
// `end` to last_row. `lower`: the matrix is symmetric, and only the chunks on and below the diagonal are
// updated.
template <class Scalar>
void BandLu<Scalar>::subtract_below(Index begin, Index end, Index first_column, Index last_column,
                                    Index last_row, bool lower) {
  const Index depth = end - begin;
  const bool wide = depth > narrow_panel;
  const Index chunk = wide ? wide_chunk_rows : chunk_rows;
  for (Index top = end; top < last_row; top += chunk) {
    const Index bottom = std::min(last_row, top + chunk);
    const Index right = lower ? std::min(last_column, bottom) : last_column;
    if (right <= first_column) continue;
    count_work(2.0 * static_cast<double>((bottom - top) * (right - first_column) * depth));
    Block<const Scalar> left{&at(top, begin), stride_};
    if (wide) {
      // Each column of a wide band lies on its own memory page, so the chunk is copied together first.
      for (Index p = 0; p < depth; ++p)
        std::copy_n(left.column(p), bottom - top, packed_.data() + p * wide_chunk_rows);
      left = {packed_.data(), wide_chunk_rows};
    }
    subtract_product<Scalar>(bottom - top, right - first_column, depth, left,
                             {&at(begin, first_column), stride_}, block(top, first_column));
  }
}

template <class Scalar>
void BandLu<Scalar>::forward(Scalar* x, Index from) const {
  Index j = from;
  // Four columns reach three rows past the band, into its zeros.
  if (panel_ >= step) {
    for (; j + step <= rows_; j += step) {
      solve_unit_four<Scalar>(1, block(j, j), {x + j, 0});
      subtract_four(&entry(0, j), stride_, x + j, x, j + step, std::min(rows_, j + step + band_));
    }
  }
  for (; j < rows_; ++j) subtract_one(&entry(0, j), x[j], x, j + 1, std::min(rows_, j + 1 + band_));
}

template <class Scalar>
void BandLu<Scalar>::backward(Scalar* x, Index to) const {
  Index end = rows_;
  if (panel_ >= step) {
    for (; end - step >= to; end -= step) {
      const Index j = end - step;
      solve_upper_four<Scalar>(1, block(j, j), &inverse_pivot_[j], {x + j, 0});
      subtract_four(&entry(0, j), stride_, x + j, x, std::max(to, j - band_), j);
    }
  }
  for (Index j = end - 1; j >= to; --j) {
    x[j] *= inverse_pivot_[j];
    subtract_one(&entry(0, j), x[j], x, std::max(to, j - band_), j);
  }
}

template <class Scalar>
void BandLu<Scalar>::bottom_tip(const Matrix& b, Matrix& bottom) const {
  const Index k = b.rows();
  const Index from = rows_ - k;
  assert(from >= 0);
  bottom = b;
  const Block<Scalar> x{bottom.data() - from, k};  // indexed by the row of A
  forward_block(from, x, b.cols());
  for (Index end = rows_; end > from; end -= std::min(panel_, end - from)) {
    backward_rows(end - std::min(panel_, end - from), end, from, x, b.cols());
  }
}

// Only the last k rows of L^-1 [0; 0; B] are not zero. The back substitution goes up from these rows. It
// needs the rows of the current chunk and the k rows above it, whose right-hand sides are incomplete.
template <class Scalar>
void BandLu<Scalar>::top_tip(const Matrix& b, Matrix& top, Matrix& window) const {
  const Index k = b.rows();
  assert(rows_ >= 2 * k);
  // The number of rows is odd because columns at a distance of a power of two would share cache sets.
  const Index chunk = std::max<Index>(k, 64) / 2 * 2 + 1 + k % 2;
  const Index height = chunk + k;
  top.resize(k, b.cols());
  window.resize(height, b.cols());
  window.setZero();
  window.bottomRows(k) = b;
  Index end = rows_;  // rows of A that are left; the last row of the window is row end - 1
  forward_block(end - k, {window.data() + height - end, height}, b.cols());

  // The spikes of a diagonally dominant matrix decay. They are set to zero before they become denormal
  // numbers, which are slow.
  constexpr Scalar unit = std::numeric_limits<Scalar>::epsilon();
  const Scalar nothing = std::numeric_limits<Scalar>::min() / (unit * unit) * b.cwiseAbs().maxCoeff();
  for (bool last = false; !last;) {
    last = end <= height;
    const Index begin = last ? 0 : end - chunk;
    const Block<Scalar> x{window.data() + height - end, height};  // indexed by the row of A
    const Index lowest = std::max<Index>(0, end - height);
    for (Index high = end; high > begin; high -= std::min(panel_, high - begin)) {
      backward_rows(high - std::min(panel_, high - begin), high, lowest, x, b.cols());
    }
    if (last) {
      for (Index j = 0; j < b.cols(); ++j) std::copy_n(x.column(j), k, &top(0, j));
    } else {
      if (window.topRows(k).cwiseAbs().maxCoeff() < nothing) {
        top.setZero();
        return;
      }
      window.bottomRows(k) = window.topRows(k);
      window.topRows(chunk).setZero();
      end = begin;
    }
  }
}

// X <- L^-1 X. The rows of X before `from` are zero and are not touched.
template <class Scalar>
void BandLu<Scalar>::forward_block(Index from, Block<Scalar> x, Index columns) const {
  for (Index begin = from; begin < rows_; begin += panel_) {
    const Index end = std::min(rows_, begin + panel_);
    for (Index p = begin; p < end; p += step) {
      const Index q = std::min(end, p + step);
      if (q - p == step) {
        solve_unit_four<Scalar>(columns, block(p, p), {&x(p, 0), x.stride});
      } else {
        for (Index c = 0; c < columns; ++c) {
          for (Index j = p; j + 1 < q; ++j) subtract_one(&entry(0, j), x(j, c), x.column(c), j + 1, q);
        }
      }
      if (q < end) {
        subtract_product<Scalar>(end - q, columns, q - p, block(q, p), {&x(p, 0), x.stride},
                                 {&x(q, 0), x.stride});
      }
    }
    const Index bottom = std::min(rows_, end + band_);
    if (bottom > end) {
      count_work(2.0 * static_cast<double>((bottom - end) * columns * (end - begin)));
      subtract_product<Scalar>(bottom - end, columns, end - begin, block(end, begin),
                               {&x(begin, 0), x.stride}, {&x(end, 0), x.stride});
    }
  }
}

// Solves rows [begin, end) of U X = Y and subtracts their contribution from the rows above, up to row
// `lowest`.
template <class Scalar>
void BandLu<Scalar>::backward_rows(Index begin, Index end, Index lowest, Block<Scalar> x,
                                   Index columns) const {
  for (Index high = end; high > begin; high -= std::min(step, high - begin)) {
    const Index low = high - std::min(step, high - begin);
    if (high - low == step) {
      solve_upper_four<Scalar>(columns, block(low, low), &inverse_pivot_[low], {&x(low, 0), x.stride});
    } else {
      for (Index c = 0; c < columns; ++c) {
        for (Index j = high - 1; j >= low; --j) {
          x(j, c) *= inverse_pivot_[j];
          subtract_one(&entry(0, j), x(j, c), x.column(c), low, j);
        }
      }
    }
    if (low > begin) {
      subtract_product<Scalar>(low - begin, columns, high - low, block(begin, low), {&x(low, 0), x.stride},
                               {&x(begin, 0), x.stride});
    }
  }
  const Index top = std::max(lowest, begin - band_);
  if (top < begin) {
    count_work(2.0 * static_cast<double>((begin - top) * columns * (end - begin)));
    subtract_product<Scalar>(begin - top, columns, end - begin, block(top, begin), {&x(begin, 0), x.stride},
                             {&x(top, 0), x.stride});
  }
}

template class BandLu<double>;
template class BandLu<float>;

}  // namespace slipstick::internal
