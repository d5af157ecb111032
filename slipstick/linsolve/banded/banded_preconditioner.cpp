// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/banded/banded_preconditioner.hpp"

#include <cassert>
#include <cmath>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/base/interruption.hpp"
#include "slipstick/linsolve/banded/cuthill_mckee.hpp"

namespace slipstick::internal {

bool BandedPreconditioner::factorize(const CsrMatrix& a) {
  arrange(a);
  return settings_.single_precision ? single_.factorize(reordered_, band_.half_bandwidth, settings_.spike)
                                    : double_.factorize(reordered_, band_.half_bandwidth, settings_.spike);
}

void BandedPreconditioner::arrange(const CsrMatrix& a) {
  if (a.rows() != a.cols()) fail("a preconditioner needs a square matrix, not {} x {}", a.rows(), a.cols());
  if (!a.isCompressed()) fail("a preconditioner needs a compressed matrix");
  if (!(settings_.compensation >= 0.0 && settings_.compensation <= 1.0)) {
    fail("the compensation of dropped entries must be in [0, 1], not {}", settings_.compensation);
  }
  const bool known = analyzed_ && pattern_.matches(a);
  const bool match = settings_.match && (!known || settings_.rematch);
  analyzed_ = known;
  if (match) matching_.find(a);
  if (!known || (match && matching_.row_of_column() != matched_row_)) analyze(a);
  structural_rank_ = settings_.match ? matching_.structural_rank() : a.rows();
  load(a);
  band_ = choose_band(reordered_, settings_.drop_off, squares_);
  if (settings_.compensation > 0.0) compensate();
}

// Finds the order of C, and the source of each entry of C in A.
void BandedPreconditioner::analyze(const CsrMatrix& a) {
  ++analyses_;
  analyzed_ = false;
  const auto n = static_cast<int>(a.rows());
  pattern_.set(a);
  if (settings_.match) {
    matched_row_ = matching_.row_of_column();
  } else {
    matched_row_.resize(static_cast<std::size_t>(n));
    std::iota(matched_row_.begin(), matched_row_.end(), 0);
  }

  // Row j of Q A is row matched_row_[j] of A. The values are the positions in A, plus one, because a
  // CsrMatrix may drop zeros. A double holds 2^31 positions exactly.
  CsrBuilder builder;
  const auto rows_in_order = [&](const std::vector<int>& row, const std::vector<int>& place) {
    CsrMatrix result;
    builder.start(result, n, n);
    result.reserve(a.nonZeros());
    for (int i = 0; i < n; ++i) {
      for (int p = pattern_.start()[row[i]]; p < pattern_.start()[row[i] + 1]; ++p)
        builder.add(place[pattern_.columns()[p]], 1.0 + p);
      builder.end_row();
    }
    return result;
  };
  std::vector<int> place(static_cast<std::size_t>(n));
  std::iota(place.begin(), place.end(), 0);
  column_ = settings_.reorder ? narrow_order(rows_in_order(matched_row_, place)) : place;
  row_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    row_[i] = matched_row_[column_[i]];
    place[column_[i]] = i;
  }
  reordered_ = rows_in_order(row_, place);
  source_.resize(pattern_.columns().size());
  for (std::size_t p = 0; p < source_.size(); ++p) {
    source_[p] = static_cast<int>(reordered_.valuePtr()[p] - 1.0);
  }
  work_.resize(n);
  analyzed_ = true;
}

// Computes the values of C.
void BandedPreconditioner::load(const CsrMatrix& a) {
  const Index n = a.rows();
  row_scale_.setOnes(n);
  column_scale_.setOnes(n);
  if (settings_.match) {
    for (Index i = 0; i < n; ++i) {
      row_scale_[i] = matching_.row_scale()[row_[i]];
      column_scale_[i] = matching_.column_scale()[column_[i]];
    }
  }
  for (Index i = 0; i < n; ++i) {
    for (int p = reordered_.outerIndexPtr()[i]; p < reordered_.outerIndexPtr()[i + 1]; ++p) {
      const double value = a.valuePtr()[source_[p]];
      if (!std::isfinite(value)) fail("a preconditioner needs finite entries; one in row {} is not", row_[i]);
      reordered_.valuePtr()[p] = row_scale_[i] * value * column_scale_[reordered_.innerIndexPtr()[p]];
    }
    count_work(10.0 * (reordered_.outerIndexPtr()[i + 1] - reordered_.outerIndexPtr()[i]));
  }
}

void BandedPreconditioner::compensate() {
  for (Index i = 0; i < rows(); ++i) {
    double dropped = 0.0;
    double* diagonal = nullptr;
    for (int p = reordered_.outerIndexPtr()[i]; p < reordered_.outerIndexPtr()[i + 1]; ++p) {
      const Index distance = std::abs(reordered_.innerIndexPtr()[p] - i);
      if (distance == 0) diagonal = reordered_.valuePtr() + p;
      if (distance > band_.half_bandwidth) dropped += std::abs(reordered_.valuePtr()[p]);
    }
    if (diagonal != nullptr) *diagonal += std::copysign(settings_.compensation * dropped, *diagonal);
    count_work(4.0 * (reordered_.outerIndexPtr()[i + 1] - reordered_.outerIndexPtr()[i]));
  }
}

void BandedPreconditioner::solve(ConstVectorView r, VectorView z) const {
  assert(r.size() == rows() && z.size() == rows());
  for (Index i = 0; i < rows(); ++i) work_[i] = row_scale_[i] * r[row_[i]];
  if (settings_.single_precision) {
    single_.solve(work_);
  } else {
    double_.solve(work_);
  }
  for (Index i = 0; i < rows(); ++i) z[column_[i]] = column_scale_[i] * work_[i];
}

int BandedPreconditioner::partitions() const {
  return settings_.single_precision ? single_.partitions() : double_.partitions();
}

Index BandedPreconditioner::boosted_pivots() const {
  return settings_.single_precision ? single_.boosted_pivots() : double_.boosted_pivots();
}

}  // namespace slipstick::internal
