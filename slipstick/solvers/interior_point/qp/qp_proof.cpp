// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/qp/qp_proof.hpp"

#include <vector>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/certificate.hpp"

namespace slipstick::internal {
namespace {

constexpr int most_proof_steps = 60;
constexpr double smallest_proof_gap = 1e-22;

void recede(Vector& lower, Vector& upper) {
  for (double& bound : lower) bound = bound == -infinity ? bound : 0.0;
  for (double& bound : upper) bound = bound == infinity ? bound : 0.0;
}

}  // namespace

// Follows the path of qp_ until its point is a proof.
bool QpProof::follow(const GoOn& go_on, const std::function<bool()>& proves) {
  system_.prepare(qp_);
  path_.prepare(qp_, system_);
  bool found = false;
  if (path_.start(1.0)) {
    for (int step = 0; !found && step < most_proof_steps && go_on(); ++step) {
      const bool moved = path_.step(2);
      found = proves();
      if (!moved || (step > 2 && path_.gap() < smallest_proof_gap)) break;
    }
  }
  factorizations_ += system_.factorizations();
  return found;
}

bool QpProof::find_contradiction(const Problem& problem, const CsrMatrix& a, const GoOn& go_on,
                                 Vector& farkas) {
  if (!problem.rows) return false;
  reduction_.reduce(problem, a, false, qp_);
  scaling_.scale(qp_);
  for (Index i = 0; i < qp_.H.nonZeros(); ++i) qp_.H.valuePtr()[i] = 0.0;
  qp_.c.setZero();
  qp_.compliance = 1.0;
  return follow(go_on, [&] {
    farkas.setZero(problem.rows->G->rows());
    for (std::size_t k = 0; k < reduction_.rows().size(); ++k) {
      const auto at = static_cast<Index>(k);
      farkas[reduction_.rows()[k]] = path_.y()[at] * scaling_.rows()[at];
    }
    return infeasibility_defect(problem, farkas) <= certain_defect;
  });
}

bool QpProof::find_direction(const Problem& problem, const CsrMatrix& a, const GoOn& go_on, Vector& ray) {
  reduction_.reduce(problem, a, false, qp_);
  scaling_.scale(qp_);
  recede(qp_.lower, qp_.upper);
  recede(qp_.row_lower, qp_.row_upper);
  // Unknowns with two bounds have no direction. Rows: those of H, then those of G.
  const Index n = qp_.unknowns();
  std::vector<Triplet> rows, identity;
  std::vector<int> columns, kept_columns(static_cast<std::size_t>(n), -1);
  for (int j = 0; j < static_cast<int>(n); ++j) {
    if (qp_.lower[j] == qp_.upper[j]) continue;
    kept_columns[static_cast<std::size_t>(j)] = static_cast<int>(columns.size());
    columns.push_back(j);
  }
  const auto count = static_cast<Index>(columns.size());
  if (count == 0) return false;
  const auto append = [&](const CsrMatrix& from, Index first) {
    for (Index i = 0; i < from.rows(); ++i) {
      for (CsrMatrix::InnerIterator it(from, i); it; ++it) {
        const int column = kept_columns[static_cast<std::size_t>(it.col())];
        if (column >= 0 && it.value() != 0.0)
          rows.push_back({static_cast<int>(first + i), column, it.value()});
      }
      count_work(4.0 * (from.outerIndexPtr()[i + 1] - from.outerIndexPtr()[i]));
    }
  };
  append(qp_.H, 0);
  append(qp_.G, n);
  StandardQp direction;
  direction.G = csr_from_triplets(n + qp_.rows(), count, rows);
  for (int k = 0; k < static_cast<int>(count); ++k) identity.push_back({k, k, 1.0});
  direction.H = csr_from_triplets(count, count, identity);
  for (Vector* vector : {&direction.c, &direction.lower, &direction.upper}) vector->resize(count);
  for (Index k = 0; k < count; ++k) {
    const int j = columns[static_cast<std::size_t>(k)];
    direction.c[k] = qp_.c[j];
    direction.lower[k] = qp_.lower[j];
    direction.upper[k] = qp_.upper[j];
  }
  direction.row_lower = Vector::Zero(n + qp_.rows());
  direction.row_upper = Vector::Zero(n + qp_.rows());
  direction.row_lower.tail(qp_.rows()) = qp_.row_lower;
  direction.row_upper.tail(qp_.rows()) = qp_.row_upper;
  // b alone, without the force of fixed unknowns, which A d = 0 makes irrelevant.
  qp_ = std::move(direction);
  return follow(go_on, [&] {
    ray.setZero(problem.b.size());
    for (Index k = 0; k < count; ++k) {
      const auto j = static_cast<std::size_t>(columns[static_cast<std::size_t>(k)]);
      ray[reduction_.columns()[j]] = path_.x()[k] * scaling_.columns()[static_cast<Index>(j)];
    }
    return unboundedness_defect(problem, ray) <= certain_defect;
  });
}

}  // namespace slipstick::internal
