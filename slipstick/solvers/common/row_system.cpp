// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/common/row_system.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "slipstick/base/interruption.hpp"
#include "slipstick/solvers/common/dense_copy.hpp"

namespace slipstick::internal {
namespace {

// Reciprocal condition below which a scaled system counts as singular.
constexpr double singular_rcond = 1e-15;
// Block LU is accurate enough if a right-hand side with entries of about 1 has an answer of at most this
// size, and a residual of at most this share of it. One refinement then gives nearly all digits.
constexpr double largest_test_answer = 1e10;
constexpr double test_accuracy = 1e-11;
// If rounding spoils the factors of a damped system, its damping grows by this factor.
constexpr double damping_growth = 100.0;

bool is_dense(Index n, Index nonzeros, Index dense_rows) {
  return n <= dense_rows || nonzeros > n * n / 8;
}

}  // namespace

void RowSystem::prepare(const Operator& A) {
  if (n_ > 0 && A.same_storage(operator_)) return;
  operator_ = no_operator();  // until the system is complete
  n_ = A.rows();
  row_scale_.resize(n_);
  column_scale_.resize(n_);
  right_side_.resize(n_);
  scaled_.resize(n_);
  correction_.resize(n_);
  if (const auto* dense = storage_of<DenseMatrix>(A)) {
    dense_ = true;
    a_ = *dense;
    operator_ = A;
    return;
  }
  const std::shared_ptr<const CsrMatrix> sparse = A.assemble();
  dense_ = is_dense(n_, sparse->nonZeros(), dense_rows_);
  if (dense_) {
    dense_form(sparse, a_);
  } else {
    sparse_a_ = sparse;
    build_sparse(*sparse);
  }
  operator_ = A;
}

// Builds the pattern of J if the pattern of A is new.
void RowSystem::build_sparse(const CsrMatrix& a) {
  const int* start = a.outerIndexPtr();
  const int* columns = a.innerIndexPtr();
  if (pattern_.matches(a)) return;
  pattern_.clear();
  source_.clear();
  const Index most = a.nonZeros() + n_;  // with the diagonal
  sparse_jacobian_.resize(n_, n_);
  sparse_jacobian_.reserve(most);
  source_.reserve(static_cast<std::size_t>(most));
  for (int i = 0; i < n_; ++i) {
    count_work(20.0 * (start[i + 1] - start[i]));
    sparse_jacobian_.startVec(i);
    const auto append = [&](int column, int source) {
      sparse_jacobian_.insertBack(i, column) = 0.0;
      source_.push_back(source);
    };
    bool diagonal = false;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      if (!diagonal && columns[k] > i) append(i, -1);
      diagonal = diagonal || columns[k] >= i;
      append(columns[k], k);
    }
    if (!diagonal) append(i, -1);
  }
  sparse_jacobian_.finalize();
  sparse_augmented_.resize(0, 0);
  pattern_.set(a);
}

// Builds the pattern of the lower triangle of [I, J; J', -mu I].
void RowSystem::build_damped() {
  if (sparse_augmented_.rows() == 2 * n_) return;
  const CsrMatrix& j = sparse_jacobian_;
  const int n = static_cast<int>(n_);
  std::vector<Triplet> triplets;
  for (int i = 0; i < n; ++i) {
    count_work(20.0 * (j.outerIndexPtr()[i + 1] - j.outerIndexPtr()[i]));
    triplets.push_back({i, i, 0.0});
    triplets.push_back({n + i, n + i, 0.0});
    for (CsrMatrix::InnerIterator it(j, i); it; ++it)
      triplets.push_back({n + static_cast<int>(it.col()), i, 0.0});
  }
  sparse_augmented_ = csr_from_triplets(2 * n_, 2 * n_, triplets);
  lower_place_.resize(static_cast<std::size_t>(j.nonZeros()));
  // The columns of the lower half are filled row by row.
  std::vector<int> next(static_cast<std::size_t>(n));
  for (int c = 0; c < n; ++c) next[static_cast<std::size_t>(c)] = sparse_augmented_.outerIndexPtr()[n + c];
  for (int k = 0; k < j.nonZeros(); ++k)
    lower_place_[static_cast<std::size_t>(k)] = next[static_cast<std::size_t>(j.innerIndexPtr()[k])]++;
  signs_.assign(static_cast<std::size_t>(n), 1);
  signs_.resize(static_cast<std::size_t>(2 * n), -1);
  damped_factor_.analyze(sparse_augmented_);
}

void RowSystem::set_values(const Vector& s, const Vector& t) {
  assert(s.size() == n_ && t.size() == n_);
  if (dense_) {
    jacobian_.resize(n_, n_);
    for (Index j = 0; j < n_; ++j) {
      jacobian_.col(j) = t.cwiseProduct(a_.col(j));
      jacobian_(j, j) += s[j];
      count_work(4.0 * static_cast<double>(n_));
    }
    return;
  }
  const CsrMatrix& j = sparse_jacobian_;
  for (Index i = 0; i < n_; ++i) {
    for (int k = j.outerIndexPtr()[i]; k < j.outerIndexPtr()[i + 1]; ++k) {
      const int from = source_[static_cast<std::size_t>(k)];
      const double a = from >= 0 ? sparse_a_->valuePtr()[from] : 0.0;
      sparse_jacobian_.valuePtr()[k] = t[i] * a + (j.innerIndexPtr()[k] == i ? s[i] : 0.0);
    }
    count_work(4.0 * (j.outerIndexPtr()[i + 1] - j.outerIndexPtr()[i]));
  }
}

// Scales the columns, then the rows of J to a largest entry of 1.
void RowSystem::scale() {
  column_scale_.setZero();
  row_scale_.setZero();
  if (dense_) {
    for (Index j = 0; j < n_; ++j) {
      const double largest = jacobian_.col(j).cwiseAbs().maxCoeff();
      column_scale_[j] = largest > 0.0 ? 1.0 / largest : 1.0;
      jacobian_.col(j) *= column_scale_[j];
      row_scale_ = row_scale_.cwiseMax(jacobian_.col(j).cwiseAbs());
      count_work(4.0 * static_cast<double>(n_));
    }
  } else {
    double* values = sparse_jacobian_.valuePtr();
    const int* columns = sparse_jacobian_.innerIndexPtr();
    const Index entries = sparse_jacobian_.nonZeros();
    for (Index k = 0; k < entries; ++k) {
      column_scale_[columns[k]] = std::max(column_scale_[columns[k]], std::abs(values[k]));
    }
    for (double& largest : column_scale_) largest = largest > 0.0 ? 1.0 / largest : 1.0;
    for (Index i = 0; i < n_; ++i) {
      for (CsrMatrix::InnerIterator it(sparse_jacobian_, i); it; ++it) {
        it.valueRef() *= column_scale_[it.col()];
        row_scale_[i] = std::max(row_scale_[i], std::abs(it.value()));
      }
      count_work(4.0 * (sparse_jacobian_.outerIndexPtr()[i + 1] - sparse_jacobian_.outerIndexPtr()[i]));
    }
  }
  for (double& largest : row_scale_) largest = largest > 0.0 ? 1.0 / largest : 1.0;
}

bool RowSystem::factorize(const Vector& s, const Vector& t) {
  damped_ = false;
  set_values(s, t);
  scale();
  if (dense_) {
    for (Index j = 0; j < n_; ++j) {
      jacobian_.col(j).array() *= row_scale_.array();
      count_work(static_cast<double>(n_));
    }
    return dense_lu_.factorize(jacobian_) && dense_lu_.rcond() > singular_rcond;
  }
  for (Index i = 0; i < n_; ++i) {
    for (CsrMatrix::InnerIterator it(sparse_jacobian_, i); it; ++it) it.valueRef() *= row_scale_[i];
    count_work(sparse_jacobian_.outerIndexPtr()[i + 1] - sparse_jacobian_.outerIndexPtr()[i]);
  }
  by_blocks_ = factorize_blocks();
  return by_blocks_ || (sparse_lu_.factorize(sparse_jacobian_) && sparse_lu_.rcond() > singular_rcond);
}

// Returns false if a pivot was replaced, or if a test shows a poor answer or a nearly singular matrix.
bool RowSystem::factorize_blocks() {
  const CsrMatrix& j = sparse_jacobian_;
  const auto n = static_cast<std::size_t>(n_), entries = static_cast<std::size_t>(j.nonZeros());
  ones_.assign(n, 1);
  block_lu_.analyze({j.outerIndexPtr(), n + 1}, {j.innerIndexPtr(), entries}, ones_);
  block_lu_.begin(ones_);
  for (std::size_t k = 0; k < entries; ++k) block_lu_.put(k, j.valuePtr() + k);
  if (!block_lu_.factorize() || block_lu_.perturbed() > 0) return false;
  for (Index i = 0; i < n_; ++i) right_side_[i] = (i % 2 == 0 ? 1.0 : -1.0) * (1.0 + double(i) / double(n_));
  scaled_ = right_side_;
  block_lu_.solve(scaled_);
  const double size = scaled_.lpNorm<Eigen::Infinity>();
  double residual = 0.0;
  for (Index i = 0; i < n_; ++i)
    residual = std::max(residual, std::abs(right_side_[i] - row_dot(j, i, scaled_.data())));
  return size <= largest_test_answer && residual <= test_accuracy * size;
}

bool RowSystem::factorize_damped(const Vector& s, const Vector& t, double mu) {
  damped_ = true;
  set_values(s, t);
  scale();
  work_.resize(2 * n_);
  if (dense_) {
    augmented_.resize(2 * n_, 2 * n_);
    augmented_.setZero();
    augmented_.diagonal().head(n_).setOnes();
    augmented_.diagonal().tail(n_).setConstant(-mu);
    augmented_.topRightCorner(n_, n_) = jacobian_;
    augmented_.bottomLeftCorner(n_, n_) = jacobian_.transpose();
    return dense_damped_lu_.factorize(augmented_);
  }
  const Eigen::Map<const Vector> entries(sparse_jacobian_.valuePtr(), sparse_jacobian_.nonZeros());
  if (!entries.allFinite()) return false;
  build_damped();
  double* values = sparse_augmented_.valuePtr();
  for (Index k = 0; k < sparse_jacobian_.nonZeros(); ++k)
    values[lower_place_[static_cast<std::size_t>(k)]] = sparse_jacobian_.valuePtr()[k];
  for (Index i = 0; i < n_; ++i) values[sparse_augmented_.outerIndexPtr()[i]] = 1.0;
  do {
    for (Index i = 0; i < n_; ++i) values[sparse_augmented_.outerIndexPtr()[n_ + i + 1] - 1] = -mu;
    if (damped_factor_.factorize(sparse_augmented_, signs_)) return true;
    mu *= damping_growth;
  } while (std::isfinite(mu));
  return false;
}

void RowSystem::solve(ConstVectorView r, VectorView p) {
  if (damped_) {
    work_.head(n_) = r;
    work_.tail(n_).setZero();
    if (dense_) {
      dense_damped_lu_.solve(work_);
    } else {
      damped_factor_.solve(work_);
    }
    p = column_scale_.cwiseProduct(work_.tail(n_));
    return;
  }
  right_side_ = row_scale_.cwiseProduct(r);
  scaled_ = right_side_;
  if (dense_) {
    dense_lu_.solve(scaled_);
    dense_lu_.refine(jacobian_, right_side_, scaled_);
  } else {
    const auto solve_and_refine = [&](const auto& lu) {
      lu.solve(scaled_);
      for (Index i = 0; i < n_; ++i)
        correction_[i] = right_side_[i] - row_dot(sparse_jacobian_, i, scaled_.data());
      lu.solve(correction_);
      scaled_ += correction_;
    };
    if (by_blocks_) {
      solve_and_refine(block_lu_);
    } else {
      solve_and_refine(sparse_lu_);
    }
  }
  p = column_scale_.cwiseProduct(scaled_);
}

void RowSystem::multiply_transposed(const Vector& s, const Vector& t, const Vector& y, Vector& g) {
  g = s.cwiseProduct(y);
  // False alarm of the analyzer: it assumes that a vector may be a null pointer.
  // NOLINTNEXTLINE(clang-analyzer-core.*,clang-analyzer-unix.Malloc)
  if (dense_) {
    scaled_ = t.cwiseProduct(y);
    g.noalias() += a_.transpose() * scaled_;
    return;
  }
  for (Index i = 0; i < n_; ++i) {
    const double weight = t[i] * y[i];
    if (weight == 0.0) continue;
    for (CsrMatrix::InnerIterator it(*sparse_a_, i); it; ++it) g[it.col()] += it.value() * weight;
  }
}

}  // namespace slipstick::internal
