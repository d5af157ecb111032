// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/active_set/saddle_matrix.hpp"

namespace slipstick::internal {

void SaddleMatrix::prepare(const Problem& problem, const ActiveSet& set, double row_shift, bool assembled) {
  const std::shared_ptr<const CsrMatrix> g = problem.rows ? problem.rows->G : nullptr;
  if (version_ == 0 || !problem.A.same_storage(a_) || g != g_) {
    ++version_;
    a_ = no_operator();  // until it is complete
    banded_a_ = storage_of<BandedMatrix>(problem.A);
    sparse_a_ = assembled && (banded_a_ == nullptr || g != nullptr) ? problem.A.assemble() : nullptr;
    a_ = problem.A;
    g_ = g;
    if (g != nullptr) banded_a_ = nullptr;
    if (g != nullptr) transposed_g_ = g->transpose();
  }
  unknowns_ = problem.b.size();
  shift_.resize(set.size());
  shift_.head(unknowns_).setZero();
  for (Index k = unknowns_; k < set.size(); ++k)
    shift_[k] = row_shift * set.force_scale(k) / set.value_scale(k);
}

void SaddleMatrix::shift_unknowns(const ActiveSet& set, double share) {
  for (Index k = 0; k < unknowns_; ++k) shift_[k] = share * set.value_scale(k);
}

void SaddleMatrix::multiply(ConstVectorView z, VectorView q, int threads) const {
  a_.multiply(z.head(unknowns_), q.head(unknowns_), threads);
  q.head(unknowns_) += shift_.head(unknowns_).cwiseProduct(z.head(unknowns_));
  if (g_ == nullptr) return;
  for (Index i = 0; i < g_->rows(); ++i) {
    const double force = z[unknowns_ + i];
    double activity = 0.0;
    for (CsrMatrix::InnerIterator it(*g_, i); it; ++it) {
      activity += it.value() * z[it.col()];
      q[it.col()] += it.value() * force;
    }
    q[unknowns_ + i] = activity;
  }
}

}  // namespace slipstick::internal
