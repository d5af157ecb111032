// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/newton/grouped_factor.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr std::size_t highest_rank = ContactGroups::highest_rank;
using ConstVectorMap = Eigen::Map<const Vector>;

}  // namespace

bool GroupedFactor::prepare(const ContactBlocks& blocks, const Island& island) {
  if (!groups_.find(blocks, island)) return false;
  dimension_ = blocks.dimension();
  matrices_.prepare(blocks, island);
  first_.assign(1, 0);
  group_start_.assign(1, 0);
  for (const int rank : groups_.ranks()) {
    first_.push_back(first_.back() + rank);
    group_start_.push_back(group_start_.back() + static_cast<std::size_t>(rank) * rank);
  }
  contact_start_.assign(1, 0);
  for (int i = 0; i < island.nodes(); ++i)
    contact_start_.push_back(contact_start_.back() +
                             static_cast<std::size_t>(dimension_) * groups_.rank(groups_.group_of(i)));
  for (std::vector<double>* list : {&left_, &right_}) list->resize(contact_start_.back());
  for (std::vector<double>* list : {&weight_, &unit_, &weighted_}) list->resize(group_start_.back());
  stack_.resize(2 * highest_rank * highest_rank);
  block_.resize(highest_rank * highest_rank);
  for (Vector* vector : {&impulse_, &velocity_, &around_}) vector->resize(first_.back());
  lu_.analyze(groups_.start(), groups_.columns(), groups_.ranks());
  return true;
}

bool GroupedFactor::factorize(std::span<const ContactUnknowns> unknowns, std::span<const int> offset) {
  const int d = dimension_;
  const auto contacts = static_cast<int>(offset.size()) - 1;
  sign_ = matrices_.set(unknowns);
  // S is the sum of X' R A^-1 L' X.
  std::fill(weight_.begin(), weight_.end(), 0.0);
  for (int i = 0; i < contacts; ++i) {
    const ContactUnknowns& own = unknowns[i];
    const int rank = groups_.rank(groups_.group_of(i));
    const double* basis = groups_.basis(i);
    double* left = left_.data() + contact_start_[i];  // size x rank
    double* right = right_.data() + contact_start_[i];
    double* sum = weight_.data() + group_start_[groups_.group_of(i)];
    for (int c = 0; c < own.size; ++c) {
      for (int k = 0; k < rank; ++k) {
        left[rank * c + k] = own.plain ? basis[rank * c + k] : 0.0;
        right[rank * c + k] = left[rank * c + k];
      }
      for (int a = 0; a < d && !own.plain; ++a) {
        for (int k = 0; k < rank; ++k) {
          left[rank * c + k] += own.left[own.size * a + c] * basis[rank * a + k];
          right[rank * c + k] += own.right[own.size * a + c] * basis[rank * a + k];
        }
      }
    }
    for (int b = 0; b < own.size; ++b) {
      for (int c = 0; c < own.size; ++c) {
        const double inverse = matrices_.inverse(static_cast<std::size_t>(i), b, c);
        if (inverse == 0.0) continue;
        for (int j = 0; j < rank; ++j) {
          const double scaled = right[rank * b + j] * inverse;
          for (int k = 0; k < rank; ++k) sum[rank * j + k] += scaled * left[rank * c + k];
        }
      }
    }
  }
  // B and S B.
  for (int g = 0; g < groups_.groups(); ++g) {
    const int rank = groups_.rank(g), rows = 2 * rank;
    const double* sum = weight_.data() + group_start_[g];
    double* unit = unit_.data() + group_start_[g];
    double* weighted = weighted_.data() + group_start_[g];
    double trace = 0.0;
    for (int k = groups_.start()[g]; k < groups_.start()[g + 1]; ++k) {
      if (groups_.columns()[k] != g) continue;
      for (Index a = 0; a < rank; ++a) trace += groups_.block(k)[(groups_.width(g) + 1) * a];
    }
    const double scale = trace > 0.0 ? trace / rank : 1.0;
    for (int c = 0; c < rank; ++c) {
      double* column = stack_.data() + static_cast<std::ptrdiff_t>(rows) * c;
      for (int a = 0; a < rank; ++a) {
        column[a] = a == c ? 1.0 : 0.0;
        column[rank + a] = scale * sum[rank * a + c];
      }
      for (int k = 0; k < c; ++k) {
        const double* before = stack_.data() + static_cast<std::ptrdiff_t>(rows) * k;
        double dot = 0.0;
        for (int a = 0; a < rows; ++a) dot += before[a] * column[a];
        for (int a = 0; a < rows; ++a) column[a] -= dot * before[a];
      }
      double squared = 0.0;
      for (int a = 0; a < rows; ++a) squared += column[a] * column[a];
      const double inverse = 1.0 / std::sqrt(squared);
      for (int a = 0; a < rows; ++a) column[a] *= inverse;
      for (int a = 0; a < rank; ++a) {
        unit[rank * a + c] = column[a];
        weighted[rank * a + c] = column[rank + a] / scale;
      }
    }
  }
  lu_.begin(groups_.ranks());
  for (int g = 0; g < groups_.groups(); ++g) {
    for (int k = groups_.start()[g]; k < groups_.start()[g + 1]; ++k) {
      const int other = groups_.columns()[k];
      switch (groups_.rank(other)) {
        case 3:
          put_block<3>(k, g, other);
          break;
        case 5:
          put_block<5>(k, g, other);
          break;
        case 6:
          put_block<6>(k, g, other);
          break;
        default:
          put_block<0>(k, g, other);
      }
    }
  }
  return lu_.factorize();
}

// Puts W_pivots S B, plus B in a diagonal block. `fixed` is the rank of the column, or 0 for any rank.
template <int fixed>
void GroupedFactor::put_block(int entry, int row, int column) {
  const int rows = groups_.rank(row), stride = groups_.width(row);
  const int columns = fixed > 0 ? fixed : groups_.rank(column);
  const double* matrix = groups_.block(entry);
  const double* weighted = weighted_.data() + group_start_[column];
  const double* unit = unit_.data() + group_start_[column];
  double* to = block_.data();
  for (int a = 0; a < rows; ++a) {
    double sums[fixed > 0 ? fixed : highest_rank];
    for (int c = 0; c < columns; ++c) sums[c] = row == column ? unit[columns * a + c] : 0.0;
    for (int k = 0; k < columns; ++k) {
      const double value = matrix[stride * a + k];
      for (int c = 0; c < columns; ++c) sums[c] += value * weighted[columns * k + c];
    }
    to = std::copy_n(sums, columns, to);
  }
  lu_.put(static_cast<std::size_t>(entry), block_.data());
}

// to = W_pivots from
void GroupedFactor::multiply(const Vector& from, Vector& to) {
  for (int g = 0; g < groups_.groups(); ++g) {
    double* end = around_.data();
    for (int k = groups_.start()[g]; k < groups_.start()[g + 1]; ++k) {
      const int other = groups_.columns()[k];
      end = std::copy_n(from.data() + first_[other], groups_.rank(other), end);
    }
    const Index width = groups_.width(g);
    const double* matrix = groups_.block(groups_.start()[g]);
    const auto around = around_.head(width);
    for (int a = 0; a < groups_.rank(g); ++a)
      to[first_[g] + a] = ConstVectorMap(matrix + width * a, width).dot(around);
  }
}

// x <- A^-1 (x - L' X v)
void GroupedFactor::solve(std::span<const ContactUnknowns> unknowns, std::span<const int> offset,
                          VectorView x) {
  const auto contacts = static_cast<int>(offset.size()) - 1;
  double y[3] = {}, rest[3] = {};
  impulse_.setZero();
  for (int i = 0; i < contacts; ++i) {
    const int g = groups_.group_of(i), rank = groups_.rank(g);
    const double* right = right_.data() + contact_start_[i];
    matrices_.divide(static_cast<std::size_t>(i), unknowns[i].size, x.data() + offset[i], y);
    for (int c = 0; c < unknowns[i].size; ++c)
      for (int k = 0; k < rank; ++k) impulse_[first_[g] + k] += right[rank * c + k] * y[c];
  }
  multiply(impulse_, velocity_);
  lu_.solve(velocity_);
  for (int g = 0; g < groups_.groups(); ++g) {
    const int rank = groups_.rank(g);
    const double* unit = unit_.data() + group_start_[g];
    double v[highest_rank] = {};
    for (int a = 0; a < rank; ++a)
      for (int c = 0; c < rank; ++c) v[a] += unit[rank * a + c] * velocity_[first_[g] + c];
    std::copy_n(v, rank, velocity_.data() + first_[g]);
  }
  for (int i = 0; i < contacts; ++i) {
    const int g = groups_.group_of(i), rank = groups_.rank(g);
    const double* left = left_.data() + contact_start_[i];
    double* own = x.data() + offset[i];
    for (int c = 0; c < unknowns[i].size; ++c) {
      double sum = own[c];
      for (int k = 0; k < rank; ++k) sum -= left[rank * c + k] * velocity_[first_[g] + k];
      rest[c] = sum;
    }
    matrices_.divide(static_cast<std::size_t>(i), unknowns[i].size, rest, own);
  }
}

void GroupedFactor::subtract_product(std::span<const ContactUnknowns> unknowns, std::span<const int> offset,
                                     ConstVectorView x, VectorView residual) {
  const auto contacts = static_cast<int>(offset.size()) - 1;
  impulse_.setZero();
  for (int i = 0; i < contacts; ++i) {
    const int g = groups_.group_of(i), rank = groups_.rank(g);
    const double* right = right_.data() + contact_start_[i];
    for (int c = 0; c < unknowns[i].size; ++c)
      for (int k = 0; k < rank; ++k) impulse_[first_[g] + k] += right[rank * c + k] * x[offset[i] + c];
  }
  multiply(impulse_, velocity_);
  for (int i = 0; i < contacts; ++i) {
    const int g = groups_.group_of(i), rank = groups_.rank(g);
    const double* left = left_.data() + contact_start_[i];
    double* own = residual.data() + offset[i];
    matrices_.subtract_product(static_cast<std::size_t>(i), unknowns[i].size, x.data() + offset[i], own);
    for (int c = 0; c < unknowns[i].size; ++c) {
      double sum = own[c];
      for (int k = 0; k < rank; ++k) sum -= left[rank * c + k] * velocity_[first_[g] + k];
      own[c] = sum;
    }
  }
}

}  // namespace slipstick::internal
