// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/band_lu.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace slipstick {
namespace {

constexpr Index step = 4;  // columns that the unblocked loops take together

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
    // Two short chains instead of one long one.
    const Scalar first = multiply_add(c1[i], f1, multiply_add(c0[i], f0, x[i]));
    x[i] = first + multiply_add(c3[i], f3, c2[i] * f2);
  }
}

template <class Scalar>
void subtract_one(const Scalar* c, Scalar f, Scalar* __restrict x, Index begin, Index end) {
#pragma omp simd
  for (Index i = begin; i < end; ++i) x[i] = multiply_add(c[i], -f, x[i]);
}

}  // namespace

template <class Scalar>
void BandLu<Scalar>::reset(Index rows, Index half_bandwidth) {
  assert(rows >= 0 && half_bandwidth >= 0);
  constexpr Index pack = 32 / sizeof(Scalar);
  rows_ = rows;
  half_bandwidth_ = half_bandwidth;
  band_ = half_bandwidth < step ? half_bandwidth : (half_bandwidth + pack - 1) / pack * pack;
  panel_ = band_ < step ? 1 : band_ < 16 ? step : band_ < 48 ? 2 * step : 4 * step;
  const Index reach = band_ + panel_ - 1;  // of the storage, from the diagonal to either side
  stride_ = 2 * reach;
  // A column whose start is a multiple of the page size away from its neighbour's would share its cache sets.
  if (stride_ * static_cast<Index>(sizeof(Scalar)) % 4096 == 0 && stride_ > 0) stride_ += pack;
  offset_ = reach;
  storage_.assign(static_cast<std::size_t>(rows * (stride_ + 1)), Scalar{0});
  inverse_pivot_.resize(static_cast<std::size_t>(rows));
}

template <class Scalar>
Index BandLu<Scalar>::factorize(Scalar threshold) {
  boosted_ = 0;
  finite_ = true;
  measure_rows_and_columns();
  for (Index begin = 0; begin < rows_; begin += panel_) {
    const Index end = std::min(rows_, begin + panel_);
    factorize_panel(begin, end, threshold);
    // U12 = L11^-1 A12 and A22 -= L21 U12; what the panel reaches lies within the band.
    eliminate(begin, end, end, std::min(rows_, end + band_), std::min(rows_, end + band_));
  }
  return boosted_;
}

// size_j = min(max_i |a_ij|, max_i |a_ji|); where a row or column is zero, that of the whole matrix.
template <class Scalar>
void BandLu<Scalar>::measure_rows_and_columns() {
  row_size_.assign(static_cast<std::size_t>(rows_), Scalar{0});
  size_.assign(static_cast<std::size_t>(rows_), Scalar{0});
  Scalar largest = 0;
  for (Index j = 0; j < rows_; ++j) {
    const Scalar* column = &at(0, j);
    for (Index i = std::max<Index>(0, j - half_bandwidth_); i < std::min(rows_, j + half_bandwidth_ + 1);
         ++i) {
      const Scalar value = std::abs(column[i]);
      size_[j] = std::max(size_[j], value);
      row_size_[i] = std::max(row_size_[i], value);
    }
    largest = std::max(largest, size_[j]);
  }
  if (largest == 0) largest = 1;
  for (std::size_t j = 0; j < size_.size(); ++j) {
    size_[j] = std::min(size_[j], row_size_[j]);
    if (size_[j] == 0) size_[j] = largest;
  }
}

// The panel's columns [begin, end), a few of them at a time.
template <class Scalar>
void BandLu<Scalar>::factorize_panel(Index begin, Index end, Scalar threshold) {
  const Index width = std::min(step, panel_);
  for (Index first = begin; first < end; first += width) {
    const Index last = std::min(end, first + width);
    for (Index p = first; p < last; ++p) {
      const Index bottom = std::min(rows_, p + band_ + 1);
      const Scalar pivot = boosted(at(p, p), p, threshold);
      at(p, p) = pivot;
      inverse_pivot_[p] = Scalar{1} / pivot;
      Scalar* lower = &at(0, p);
      for (Index i = p + 1; i < bottom; ++i) lower[i] *= inverse_pivot_[p];
      for (Index q = p + 1; q < last; ++q) subtract_one(lower, at(p, q), &at(0, q), p + 1, bottom);
    }
    eliminate(first, last, last, end, std::min(rows_, last + band_));
  }
}

template <class Scalar>
Scalar BandLu<Scalar>::boosted(Scalar pivot, Index j, Scalar threshold) {
  if (!std::isfinite(pivot)) finite_ = false;
  const Scalar least = threshold * size_[j];
  if (std::abs(pivot) > least && std::isfinite(Scalar{1} / pivot)) return pivot;
  ++boosted_;
  return std::copysign(std::max(least, std::numeric_limits<Scalar>::min() * 4), pivot);
}

// The columns [first_column, last_column) after the elimination of [begin, end): the rows of U by forward
// substitution, four at a time, then the rows below down to last_row.
template <class Scalar>
void BandLu<Scalar>::eliminate(Index begin, Index end, Index first_column, Index last_column,
                               Index last_row) {
  const Index columns = last_column - first_column;
  if (columns <= 0) return;
  for (Index p = begin; p < end; p += step) {
    const Index q = std::min(end, p + step);
    for (Index j = first_column; j < last_column; ++j) {
      Scalar* x = &at(0, j);
      for (Index c = p; c + 1 < q; ++c) {
        for (Index i = c + 1; i < q; ++i) x[i] = multiply_add(-entry(i, c), x[c], x[i]);
      }
    }
    if (q < end) {
      subtract_product<Scalar>(end - q, columns, q - p, {&at(q, p), stride_}, {&at(p, first_column), stride_},
                               block(q, first_column));
    }
  }
  if (last_row > end) {
    subtract_product<Scalar>(last_row - end, columns, end - begin, {&at(end, begin), stride_},
                             {&at(begin, first_column), stride_}, block(end, first_column));
  }
}

template <class Scalar>
void BandLu<Scalar>::forward(Scalar* x, Index from) const {
  Index j = from;
  // Four columns reach three rows past the band, into its zeros.
  if (panel_ >= step) {
    for (; j + step <= rows_; j += step) {
      const Block<const Scalar> l = block(j, j);
      Scalar* f = x + j;
      f[1] = multiply_add(-l(1, 0), f[0], f[1]);
      f[2] = multiply_add(-l(2, 1), f[1], multiply_add(-l(2, 0), f[0], f[2]));
      f[3] = multiply_add(-l(3, 2), f[2], multiply_add(-l(3, 1), f[1], multiply_add(-l(3, 0), f[0], f[3])));
      subtract_four(&entry(0, j), stride_, f, x, j + step, std::min(rows_, j + step + band_));
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
      const Block<const Scalar> u = block(j, j);
      const Scalar* inverse = &inverse_pivot_[j];
      Scalar* f = x + j;
      f[3] *= inverse[3];
      f[2] = multiply_add(-u(2, 3), f[3], f[2]) * inverse[2];
      f[1] = multiply_add(-u(1, 2), f[2], multiply_add(-u(1, 3), f[3], f[1])) * inverse[1];
      f[0] = multiply_add(-u(0, 1), f[1], multiply_add(-u(0, 2), f[2], multiply_add(-u(0, 3), f[3], f[0]))) *
             inverse[0];
      subtract_four(&entry(0, j), stride_, f, x, std::max(to, j - band_), j);
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
  for (Index j = 0; j < b.cols(); ++j) {
    Scalar* x = &bottom(0, j) - from;
    forward(x, from);
    backward(x, from);
  }
}

// L^-1 [0; 0; B] has its last k rows only. The back substitution climbs from there; at any time it needs the
// rows of the chunk at hand and the k above it, whose right-hand sides are under way.
template <class Scalar>
void BandLu<Scalar>::top_tip(const Matrix& b, Matrix& top, Matrix& window) const {
  const Index k = b.rows();
  assert(rows_ >= 2 * k);
  const Index chunk = std::max<Index>(k, 64);
  const Index height = chunk + k;
  top.resize(k, b.cols());
  window.resize(height, b.cols());
  window.setZero();
  window.bottomRows(k) = b;
  Index end = rows_;  // rows of A that are left; the last row of the window is row end - 1
  for (Index j = 0; j < b.cols(); ++j) forward(&window(height - 1, j) - (end - 1), end - k);

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
      window.bottomRows(k) = window.topRows(k);
      window.topRows(chunk).setZero();
      end = begin;
    }
  }
}

// Rows [begin, end) of U X = Y, and their part of the rows above, down to row `lowest`.
template <class Scalar>
void BandLu<Scalar>::backward_rows(Index begin, Index end, Index lowest, Block<Scalar> x,
                                   Index columns) const {
  for (Index high = end; high > begin; high -= std::min(step, high - begin)) {
    const Index low = high - std::min(step, high - begin);
    for (Index c = 0; c < columns; ++c) {
      Scalar* xc = x.column(c);
      for (Index j = high - 1; j >= low; --j) {
        xc[j] *= inverse_pivot_[j];
        for (Index i = low; i < j; ++i) xc[i] = multiply_add(-entry(i, j), xc[j], xc[i]);
      }
    }
    if (low > begin) {
      subtract_product<Scalar>(low - begin, columns, high - low, block(begin, low), {&x(low, 0), x.stride},
                               {&x(begin, 0), x.stride});
    }
  }
  const Index top = std::max(lowest, begin - band_);
  if (top < begin) {
    subtract_product<Scalar>(begin - top, columns, end - begin, block(top, begin), {&x(begin, 0), x.stride},
                             {&x(top, 0), x.stride});
  }
}

template class BandLu<double>;
template class BandLu<float>;

}  // namespace slipstick
