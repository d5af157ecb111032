// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/suites/trial_factors.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <map>

#include "slipstick/linsolve/sparse/sparse_cholesky.hpp"

namespace slipstick::internal::bench {

CsrMatrix with_fill(const CsrMatrix& a, int levels) {
  // Level of every entry (i, j), j > i, by row: 0 if A has the entry; fill through k has 1 + both levels.
  std::vector<std::map<int, int>> level(static_cast<std::size_t>(a.rows()));
  std::vector<Triplet> triplets;
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      const auto j = static_cast<int>(it.col());
      triplets.push_back({i, j, it.value()});
      if (j > i) level[static_cast<std::size_t>(i)].emplace(j, 0);
    }
  }
  for (const auto& row : level) {
    for (auto first = row.begin(); first != row.end(); ++first) {
      for (auto second = std::next(first); second != row.end(); ++second) {
        const int through = first->second + second->second + 1;
        if (through > levels) continue;
        const auto [i, j] = std::pair(first->first, second->first);
        const auto [place, added] = level[static_cast<std::size_t>(i)].emplace(j, through);
        if (!added) {
          place->second = std::min(place->second, through);
        } else {
          triplets.push_back({i, j, 0.0});
          triplets.push_back({j, i, 0.0});
        }
      }
    }
  }
  return csr_from_triplets(a.rows(), a.cols(), triplets);
}

CsrMatrix with_shift(const CsrMatrix& a, double share) {
  CsrMatrix shifted = a;
  for (int i = 0; i < a.rows(); ++i) shifted.coeffRef(i, i) *= 1.0 + share;
  return shifted;
}

double scaled_condition(const CsrMatrix& a) {
  const Vector scale = a.diagonal().cwiseSqrt().cwiseInverse();
  const CsrMatrix scaled = scale.asDiagonal() * a * scale.asDiagonal();
  CsrMatrix lower = scaled.triangularView<Eigen::Lower>();
  lower.makeCompressed();
  SparseCholesky factor;
  factor.analyze(lower);
  if (!factor.factorize(lower)) return std::numeric_limits<double>::infinity();
  const auto growth = [&](const auto& apply) {
    Vector x = Vector::LinSpaced(a.rows(), 1.0, 2.0).normalized(), y(a.rows());
    for (Index i = 1; i < x.size(); i += 2) x[i] = -x[i];
    double norm = 0.0;
    for (int pass = 0; pass < 200; ++pass) {
      apply(x, y);
      norm = y.norm();
      x = y / norm;
    }
    return norm;
  };
  const double largest = growth([&](const Vector& x, Vector& y) { multiply(scaled, x, y); });
  const double inverse = growth([&](const Vector& x, Vector& y) {
    y = x;
    factor.solve(y);
  });
  return largest * inverse;
}

void BlockImaginaryFactor::factor(const CsrMatrix& a, double floor) {
  const auto blocks = static_cast<std::size_t>(a.rows() / 3);
  // Block (j, i) below the diagonal of what is left of A, by columns i.
  std::vector<std::map<int, Block>> left(blocks);
  for (int i = 0; i < a.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(a, i); it; ++it) {
      const auto j = static_cast<int>(it.col());
      if (j / 3 < i / 3) continue;
      const auto place = left[static_cast<std::size_t>(i / 3)].try_emplace(j / 3, Block::Zero()).first;
      place->second(j % 3, i % 3) = it.value();
    }
  }
  std::vector<double> size(blocks);
  for (std::size_t k = 0; k < blocks; ++k) size[k] = left[k].begin()->second.trace() / 3.0;
  columns_.assign(blocks, {});
  inverse_root_.resize(blocks);
  entries_ = breakdowns_ = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    const Eigen::SelfAdjointEigenSolver<Block> pivot(left[k].begin()->second);
    const auto values = pivot.eigenvalues().array();
    const Eigen::Vector3d sign = (values < 0.0).select(Eigen::Array3d(-1.0), Eigen::Array3d(1.0));
    breakdowns_ += (values < 0.0).count();
    inverse_root_[k] = pivot.eigenvectors() * values.abs().max(floor * size[k]).rsqrt().matrix().asDiagonal();
    std::vector<Entry>& column = columns_[k];
    for (auto block = std::next(left[k].begin()); block != left[k].end(); ++block)
      column.push_back({block->first, block->second * inverse_root_[k] * sign.asDiagonal()});
    entries_ += 9 * static_cast<Index>(column.size());
    for (std::size_t p = 0; p < column.size(); ++p) {
      auto& target = left[static_cast<std::size_t>(column[p].row)];
      const Block factor = sign.asDiagonal() * column[p].value.transpose();
      for (std::size_t q = p; q < column.size(); ++q) {
        const auto place = target.find(column[q].row);
        if (place != target.end()) place->second -= column[q].value * factor;
      }
    }
  }
}

void BlockImaginaryFactor::solve(Vector& z) const {
  const auto part = [&](std::size_t k) { return z.segment<3>(3 * static_cast<Index>(k)); };
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Eigen::Vector3d y = inverse_root_[k].transpose() * part(k);
    part(k) = y;
    for (const Entry& entry : columns_[k]) part(static_cast<std::size_t>(entry.row)) -= entry.value * y;
  }
  for (std::size_t k = columns_.size(); k-- > 0;) {
    Eigen::Vector3d y = part(k);
    for (const Entry& entry : columns_[k])
      y -= entry.value.transpose() * part(static_cast<std::size_t>(entry.row));
    part(k) = inverse_root_[k] * y;
  }
}

}  // namespace slipstick::internal::bench
