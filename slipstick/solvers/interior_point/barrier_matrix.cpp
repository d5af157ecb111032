// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/barrier_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"

namespace slipstick::internal {
namespace {

constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();

}  // namespace

bool BarrierMatrix::is_prepared(const Operator& A, const ConeUnknowns& unknowns) const {
  return assembled_ && A.same_storage(operator_) && std::ranges::equal(rows_, unknowns.rows()) &&
         std::ranges::equal(blocks_, unknowns.blocks()) && scale_ == unknowns.scale().head(unknowns.size());
}

bool BarrierMatrix::prepare(const Operator& A, const ConeUnknowns& unknowns) {
  if (is_prepared(A, unknowns)) return false;
  if (!assembled_ || !A.same_storage(operator_)) assembled_ = assembler_.assemble(A);
  operator_ = A;
  scale_.setConstant(unknowns.size(), std::numeric_limits<double>::quiet_NaN());  // until it is complete
  rows_.assign(unknowns.rows().begin(), unknowns.rows().end());
  blocks_.assign(unknowns.blocks().begin(), unknowns.blocks().end());
  find_pattern(*assembled_);
  scale_ = unknowns.scale().head(unknowns.size());
  copy_values(*assembled_);
  squares_.resize(unknowns.size());
  unit_.resize(unknowns.size());
  return true;
}

void BarrierMatrix::find_pattern(const CsrMatrix& a) {
  unknown_of_.assign(static_cast<std::size_t>(a.rows()), -1);
  for (std::size_t k = 0; k < rows_.size(); ++k) unknown_of_[rows_[k]] = static_cast<int>(k);
  block_of_.resize(rows_.size());
  const int blocks = static_cast<int>(blocks_.size());
  cone_of_.resize(blocks_.size());
  int cones = 0;
  for (int b = 0; b < blocks; ++b) {
    cone_of_[b] = blocks_[b].size > 1 ? cones++ : -1;
    for (int k = 0; k < blocks_[b].size; ++k) block_of_[blocks_[b].start + k] = b;
  }
  stamp_.assign(blocks_.size(), -1);
  place_start_.assign(1, 0);
  places_.clear();
  columns_.clear();
  row_start_.assign(1, 0);
  for (int b = 0; b < blocks; ++b) {
    seen_.clear();
    count_work(10.0 * static_cast<double>(b > 0 ? row_start_.back() - row_start_[row_start_.size() - 2] : 1));
    for (int k = 0; k < blocks_[b].size; ++k) {
      for (CsrMatrix::InnerIterator it(a, rows_[blocks_[b].start + k]); it; ++it) {
        const int unknown = unknown_of_[it.col()];
        if (unknown < 0) continue;
        const int other = block_of_[unknown];
        if (other >= b || stamp_[other] == b) continue;
        stamp_[other] = b;
        seen_.push_back(other);
      }
    }
    std::sort(seen_.begin(), seen_.end());
    int offset = 0;
    for (const int other : seen_) {
      places_.push_back({other, offset});
      offset += blocks_[other].size;
    }
    place_start_.push_back(static_cast<int>(places_.size()));
    if (columns_.size() + static_cast<std::size_t>(3 * (offset + 3)) > static_cast<std::size_t>(1) << 31)
      fail("the assembled matrix has more entries than its indices can count");
    for (int k = 0; k < blocks_[b].size; ++k) {
      for (const int other : seen_) {
        for (int j = 0; j < blocks_[other].size; ++j) columns_.push_back(blocks_[other].start + j);
      }
      for (int j = 0; j <= k; ++j) columns_.push_back(blocks_[b].start + j);
      row_start_.push_back(static_cast<int>(columns_.size()));
    }
  }
  const auto n = static_cast<Index>(rows_.size());
  resize_with_looks(base_, columns_.size());
  resize_with_looks(turned_, columns_.size());
  matrix_.resize(n, n);
  matrix_.resizeNonZeros(static_cast<Index>(columns_.size()));
  std::copy(row_start_.begin(), row_start_.end(), matrix_.outerIndexPtr());
  std::copy(columns_.begin(), columns_.end(), matrix_.innerIndexPtr());
  std::fill_n(matrix_.valuePtr(), columns_.size(), 1.0);
}

void BarrierMatrix::copy_values(const CsrMatrix& a) {
  std::fill(base_.begin(), base_.end(), 0.0);
  offset_of_.resize(blocks_.size());
  for (int b = 0; b < static_cast<int>(blocks_.size()); ++b) {
    for (int p = place_start_[b]; p < place_start_[b + 1]; ++p)
      offset_of_[places_[p].block] = places_[p].offset;
    for (int k = 0; k < blocks_[b].size; ++k) {
      const int unknown = blocks_[b].start + k;
      const int diagonal = row_start_[unknown + 1] - 1 - k;  // position of the diagonal block in this row
      count_work(4.0 * (row_start_[unknown + 1] - row_start_[unknown]));
      for (CsrMatrix::InnerIterator it(a, rows_[unknown]); it; ++it) {
        const int column = unknown_of_[it.col()];
        if (column < 0 || column > unknown) continue;
        const int other = block_of_[column];
        const int start = other == b ? diagonal : row_start_[unknown] + offset_of_[other];
        base_[start + column - blocks_[other].start] += it.value() * scale_[unknown] * scale_[column];
      }
    }
  }
}

// T = Q'(S A S) Q, block by block.
void BarrierMatrix::turn_blocks(const BarrierTerms& terms) {
  Eigen::Matrix3d block;
  for (int b = 0; b < static_cast<int>(blocks_.size()); ++b) {
    const int rows = blocks_[b].size;
    const int first = blocks_[b].start;
    count_work(50.0 * (place_start_[b + 1] - place_start_[b]));
    for (int p = place_start_[b]; p < place_start_[b + 1]; ++p) {
      const int other = places_[p].block;
      const int columns = blocks_[other].size;
      block.setZero();
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) block(i, j) = base_[row_start_[first + i] + places_[p].offset + j];
      }
      if (rows > 1) block = (terms.frames[cone_of_[b]].transpose() * block).eval();
      if (columns > 1) block = (block * terms.frames[cone_of_[other]]).eval();
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j)
          turned_[row_start_[first + i] + places_[p].offset + j] = block(i, j);
      }
    }
    block.setZero();
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j <= i; ++j) {
        block(i, j) = base_[row_start_[first + i + 1] - 1 - i + j];
        block(j, i) = block(i, j);
      }
    }
    if (rows > 1) {
      const Eigen::Matrix3d& q = terms.frames[cone_of_[b]];
      const double least = rounding * block.trace();
      block = (q.transpose() * block * q).eval();
      // If A is singular along the frame, rounding may turn a zero into a negative number.
      for (int i = 0; i < rows; ++i) {
        if (std::abs(block(i, i)) <= least) block(i, i) = least;
      }
    }
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j <= i; ++j) turned_[row_start_[first + i + 1] - 1 - i + j] = block(i, j);
    }
  }
}

bool BarrierMatrix::update(const BarrierTerms& terms) {
  turn_blocks(terms);
  squares_ = terms.squares;
  const Index n = unit_.size();
  for (Index i = 0; i < n; ++i) {
    const double diagonal = turned_[row_start_[i + 1] - 1] + squares_[i];
    if (!(diagonal >= 0.0) || !std::isfinite(diagonal)) return false;
    unit_[i] = diagonal > 0.0 ? 1.0 / std::sqrt(diagonal) : 1.0;
  }
  double* values = matrix_.valuePtr();
  for (Index i = 0; i < n; ++i) {
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k)
      values[k] = turned_[k] * unit_[i] * unit_[columns_[k]];
    count_work(4.0 * (row_start_[i + 1] - row_start_[i]));
  }
  regularize(0.0);
  return true;
}

void BarrierMatrix::regularize(double regularization) {
  for (Index i = 0; i < unit_.size(); ++i) matrix_.valuePtr()[row_start_[i + 1] - 1] = 1.0 + regularization;
}

double BarrierMatrix::residual(const Vector& right_side, const Vector& v, Vector& r) const {
  r = right_side - squares_.cwiseProduct(v);
  for (Index i = 0; i < v.size(); ++i) {
    const int diagonal = row_start_[i + 1] - 1;
    double sum = turned_[diagonal] * v[i];
    for (int k = row_start_[i]; k < diagonal; ++k) {
      sum += turned_[k] * v[columns_[k]];
      r[columns_[k]] -= turned_[k] * v[i];
    }
    r[i] -= sum;
    count_work(4.0 * (diagonal - row_start_[i]));
  }
  return std::sqrt(r.cwiseAbs2().cwiseProduct(unit_.cwiseAbs2()).sum());
}

}  // namespace slipstick::internal
