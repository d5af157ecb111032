// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/symbgmm.hpp"

#include <algorithm>
#include <cassert>

#include "slipstick/linalg/subtract_product.hpp"

namespace slipstick::internal {
namespace {

constexpr Index pack = PackSums::pack;
constexpr Index s = 48;              // rows and columns of a block: whole tiles for every width of a pack
constexpr int tall_packs = 3;        // packs of the tiles that stay in registers
constexpr Index tall = 3 * pack;     // rows of a tile
constexpr Index group_columns = 32;  // columns of X that are multiplied together

void add(double* to, const Register<double>& sum) {
  store_register(to, load_register(to) + sum);
}

Index blocks_of(Index rows) {
  return (rows + s - 1) / s;
}

}  // namespace

void Symbgmm::multiply(const BandedMatrix& a, const Eigen::Ref<const DenseMatrix>& x, MatrixView y) {
  const Index n = a.rows();
  assert(x.rows() == n && y.rows() == n && x.cols() == y.cols());
  if (x.cols() < 3) {
    for (Index c = 0; c < x.cols(); ++c) a.multiply(x.col(c), y.col(c), 1);
    return;
  }
  const Index most = std::min(group_columns, x.cols());
  block_.resize(static_cast<std::size_t>(s * s));
  for (Array* array : {&x_, &y_}) {
    array->resize(std::max(array->size(), static_cast<std::size_t>(blocks_of(n) * s * most)));
  }
  for (Index begin = 0; begin < x.cols(); begin += group_columns) {
    const Index columns = std::min(group_columns, x.cols() - begin);
    for (Index b = 0; b < blocks_of(n); ++b) {
      const Index count = std::min(s, n - b * s);
      for (Index c = 0; c < columns; ++c) {
        double* to = x_.data() + (b * columns + c) * s;
        std::copy_n(x.data() + b * s + (begin + c) * x.outerStride(), count, to);
        std::fill(to + count, to + s, 0.0);
      }
    }
    multiply_columns(a, columns);
    for (Index b = 0; b < blocks_of(n); ++b) {
      const Index count = std::min(s, n - b * s);
      for (Index c = 0; c < columns; ++c) {
        std::copy_n(y_.data() + (b * columns + c) * s, count, &y(b * s, begin + c));
      }
    }
  }
}

// Block column j: Y_i += A_ij X_j for i >= j, and Y_j += sum_(i>j) A_ij' X_i.
void Symbgmm::multiply_columns(const BandedMatrix& a, Index columns) {
  const Index blocks = blocks_of(a.rows());
  const Index width = a.bandwidth();
  std::fill_n(y_.data(), blocks * s * columns, 0.0);
  for (Index column = 0; column < blocks; ++column) {
    const double* x = x_.data() + column * s * columns;
    sums_.reset(s, columns);
    const Index below = std::min(blocks - 1 - column, (s - 1 + width) / s);
    for (Index d = 0; d <= below; ++d) {
      copy_block(a, column, d);
      double* y = y_.data() + (column + d) * s * columns;
      for_columns(columns, [&]<int C>(std::integral_constant<int, C>, Index c) {
        for (Index i = 0; i < s; i += tall) {
          // First column of the rows from i on.
          const Index first = d == 0 ? 0 : std::max<Index>(0, d * s + i - width);
          if (first >= s) break;
          detail::product_tile<tall_packs, C, double>(s - first, {block_.data() + i + first * s, s},
                                                      Block<const double>{x + first + c * s, s},
                                                      {y + i + c * s, s}, add);
        }
      });
      if (d == 0) continue;
      const Index reach = width - d * s + pack - 1;
      sums_.add(
          block_.data(), x_.data() + (column + d) * s * columns, [](Index) { return Index{0}; },
          [&](Index p) { return std::min(s, (reach + p) / pack * pack); });
    }
    double* y = y_.data() + column * s * columns;
    sums_.for_totals([&](Index p, Index c, const Register<double>& total) { add(y + p + c * s, total); });
  }
}

// Copies the d-th block below the diagonal. A diagonal block gets both halves.
void Symbgmm::copy_block(const BandedMatrix& a, Index column, Index d) {
  const Index n = a.rows();
  const Index width = a.bandwidth();
  std::fill(block_.begin(), block_.end(), 0.0);
  for (Index j = 0; j < std::min(s, n - column * s); ++j) {
    const Index diagonal = j - d * s;  // row of the diagonal in the block
    const Index begin = std::max<Index>(0, diagonal);
    const Index end = std::min({s, n - (column + d) * s, diagonal + width + 1});
    const double* from = a.lower().data() + (column * s + j) * (width + 1) - diagonal;
    for (Index i = begin; i < end; ++i) block_[static_cast<std::size_t>(i + j * s)] = from[i];
    if (d > 0) continue;
    for (Index i = begin + 1; i < end; ++i) block_[static_cast<std::size_t>(j + i * s)] = from[i];
  }
}

}  // namespace slipstick::internal
