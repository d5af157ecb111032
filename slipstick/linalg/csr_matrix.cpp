// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linalg/csr_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/base/parallel.hpp"
#include "slipstick/linalg/prefetch.hpp"

namespace slipstick::internal {
namespace {

constexpr int entries_per_line = 8;  // entries in a cache line
// A smaller product ends before other threads start.
constexpr int fewest_entries_for_threads = 20000;

}  // namespace

void multiply(const CsrView& a, ConstVectorView x, VectorView y, int threads) {
  assert(y.size() == a.rows);
  const double* input = x.data();
  double* output = y.data();
  if (a.rows == 0 || a.start[a.rows] - a.start[0] < fewest_entries_for_threads) threads = 1;
  parallel_for(a.rows, threads, [&](Index begin, Index end) {
    in_two_streams(begin, end, [&](Index i) {
      for (int k = a.start[i]; k < a.start[i + 1]; k += entries_per_line) {
        prefetch_next_page(a.value + k);
        prefetch_next_page(a.column + k);
      }
      output[i] = row_dot(a, i, input);
    });
  });
}

CsrMatrix principal_submatrix(const CsrMatrix& a, std::span<const int> rows) {
  return submatrix(a, rows, rows);
}

CsrMatrix submatrix(const CsrMatrix& a, std::span<const int> rows, std::span<const int> columns) {
  CsrMatrix result;
  std::vector<int> new_column;
  submatrix(a, rows, columns, result, new_column);
  return result;
}

void submatrix(const CsrMatrix& a, std::span<const int> rows, std::span<const int> columns, CsrMatrix& to,
               std::vector<int>& new_column) {
  new_column.assign(static_cast<std::size_t>(a.cols()), -1);
  for (std::size_t k = 0; k < columns.size(); ++k) new_column[columns[k]] = static_cast<int>(k);
  to.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  Index nonzeros = 0;
  for (int row : rows) {
    for (CsrMatrix::InnerIterator it(a, row); it; ++it) nonzeros += new_column[it.col()] >= 0;
    count_work(a.outerIndexPtr()[row + 1] - a.outerIndexPtr()[row]);
  }
  to.resizeNonZeros(nonzeros);
  int position = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    to.outerIndexPtr()[i] = position;
    for (CsrMatrix::InnerIterator it(a, rows[i]); it; ++it) {
      if (new_column[it.col()] < 0) continue;
      to.innerIndexPtr()[position] = new_column[it.col()];
      to.valuePtr()[position++] = it.value();
    }
    count_work(4.0 * (a.outerIndexPtr()[rows[i] + 1] - a.outerIndexPtr()[rows[i]]));
  }
  to.outerIndexPtr()[rows.size()] = position;
}

bool same_entries(const CsrMatrix& a, const CsrMatrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.rows() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr()) &&
         std::equal(a.valuePtr(), a.valuePtr() + a.nonZeros(), b.valuePtr());
}

void transpose(const CsrMatrix& a, CsrMatrix& to) {
  to.resize(a.cols(), a.rows());
  to.resizeNonZeros(a.nonZeros());
  // At first the sizes of the rows, then their ends. The last loop counts down to their starts.
  int* const start = to.outerIndexPtr();
  for (Index k = 0; k < a.nonZeros(); ++k) ++start[a.innerIndexPtr()[k]];
  std::partial_sum(start, start + to.rows() + 1, start);
  for (Index i = a.rows() - 1; i >= 0; --i) {
    count_work(10.0 * (a.outerIndexPtr()[i + 1] - a.outerIndexPtr()[i]));
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      const int place = --start[it.col()];
      to.innerIndexPtr()[place] = static_cast<int>(i);
      to.valuePtr()[place] = it.value();
    }
  }
}

void CsrBuilder::start(CsrMatrix& to, Index rows, Index columns) {
  to_ = &to;
  row_ = 0;
  to.resize(rows, columns);
  const auto size = std::max(has_.size(), static_cast<std::size_t>(columns));
  values_.resize(size);
  has_.resize(size, 0);
}

void CsrBuilder::add(Index column, double value) {
  if (has_[column] != 0) {
    values_[column] += value;
    return;
  }
  has_[column] = 1;
  values_[column] = value;
  columns_.push_back(static_cast<int>(column));
}

void CsrBuilder::add(const CsrMatrix& a, Index row, double factor, Index first) {
  for (CsrMatrix::InnerIterator it(a, row); it; ++it) add(first + it.col(), factor * it.value());
}

void CsrBuilder::add_product(const CsrMatrix& a, Index row, const CsrMatrix& b) {
  for (CsrMatrix::InnerIterator it(a, row); it; ++it) add(b, it.col(), it.value());
}

void CsrBuilder::end_row() {
  if (!std::is_sorted(columns_.begin(), columns_.end())) std::sort(columns_.begin(), columns_.end());
  to_->startVec(row_);
  for (const int column : columns_) {
    to_->insertBack(row_, column) = values_[column];
    has_[column] = 0;
  }
  const double work = 20.0 * static_cast<double>(columns_.size());
  columns_.clear();
  ++row_;
  count_work(work);
}

void CsrBuilder::multiply(const CsrMatrix& a, const CsrMatrix& b, CsrMatrix& to) {
  start(to, a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    add_product(a, i, b);
    end_row();
  }
}

double asymmetry(const CsrMatrix& a) {
  std::vector<int> next;
  return asymmetry(a, next);
}

double asymmetry(const CsrMatrix& a, std::vector<int>& next) {
  if (a.rows() != a.cols()) return INFINITY;
  const int* const start = a.outerIndexPtr();
  const int* const columns = a.innerIndexPtr();
  const double* const values = a.valuePtr();
  const double largest = Eigen::Map<const Vector>(values, start[a.rows()]).lpNorm<Eigen::Infinity>();
  double difference = 0.0;
  const auto compare = [&](double entry, double opposite) {
    difference = std::max(difference, std::abs(entry - opposite));
  };
  // Every row asks the later ones for its column, so that they are asked in ascending order. Entries that
  // they skip have no partner.
  next.assign(start, start + a.rows());
  const auto skip_to = [&](int row, int column) {
    int& k = next[static_cast<std::size_t>(row)];
    for (; k < start[row + 1] && columns[k] < column; ++k) compare(values[k], 0.0);
    return k < start[row + 1] && columns[k] == column;
  };
  for (int i = 0; i < a.rows(); ++i) {
    const int end = start[i + 1], has_diagonal = skip_to(i, i);
    for (int k = next[static_cast<std::size_t>(i)] + has_diagonal; k < end; ++k) {
      const int j = columns[k];
      int& opposite = next[static_cast<std::size_t>(j)];
      const bool found = (opposite < start[j + 1] && columns[opposite] == i) || skip_to(j, i);
      compare(values[k], found ? values[opposite++] : 0.0);
    }
  }
  return largest > 0.0 ? difference / largest : 0.0;
}

CsrMatrix symmetric_part(const CsrMatrix& a) {
  CsrMatrix result, transposed;
  symmetric_part(a, result, transposed);
  return result;
}

void symmetric_part(const CsrMatrix& a, CsrMatrix& to, CsrMatrix& transposed) {
  transpose(a, transposed);
  to.resize(a.rows(), a.cols());
  to.reserve(a.nonZeros());
  for (Index i = 0; i < a.rows(); ++i) {
    to.startVec(i);
    CsrMatrix::InnerIterator left(a, i), right(transposed, i);
    while (left || right) {
      const Index column = std::min<Index>(left ? left.col() : a.cols(), right ? right.col() : a.cols());
      double& entry = to.insertBack(i, column) = 0.0;
      for (auto* side : {&left, &right})
        for (; *side && side->col() == column; ++*side) entry += 0.5 * side->value();
    }
  }
}

}  // namespace slipstick::internal

namespace slipstick {

CsrMatrix csr_from_triplets(Index rows, Index columns, std::span<const Triplet> triplets) {
  if (triplets.size() > std::numeric_limits<int>::max())
    internal::fail("a matrix cannot have {} entries; the most are {}", triplets.size(),
                   std::numeric_limits<int>::max());
  std::vector<int> next(static_cast<std::size_t>(rows) + 1, 0);  // place of the next entry of each row
  for (const Triplet& t : triplets) {
    internal::count_work(2.0);
    if (t.row < 0 || t.row >= rows || t.column < 0 || t.column >= columns)
      internal::fail("entry ({}, {}) lies outside a {} x {} matrix", t.row, t.column, rows, columns);
    ++next[t.row + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<int> order;  // by rows
  internal::resize_with_looks(order, triplets.size());
  for (std::size_t k = 0; k < triplets.size(); ++k) {
    internal::count_work(10.0);
    order[next[triplets[k].row]++] = static_cast<int>(k);
  }
  CsrMatrix result;
  internal::CsrBuilder builder;
  builder.start(result, rows, columns);
  result.reserve(static_cast<Index>(triplets.size()));
  auto place = order.begin();
  for (Index i = 0; i < rows; ++i) {
    for (; place != order.begin() + next[i]; ++place)
      builder.add(triplets[*place].column, triplets[*place].value);
    builder.end_row();
  }
  return result;
}

CsrMatrix csr_from_dense(const DenseMatrix& a) {
  CsrMatrix result = a.sparseView(0.0, 0.0);
  result.makeCompressed();
  return result;
}

}  // namespace slipstick
