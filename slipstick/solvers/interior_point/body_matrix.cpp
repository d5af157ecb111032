// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/solvers/interior_point/body_matrix.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/dense_factor.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

constexpr double least_square = 1e-12;  // least l^2, relative to a unit diagonal of S A S

}  // namespace

bool BodyMatrix::suits(const Operator& A, const ConeUnknowns& unknowns) {
  const DelassusOperator* a = storage_of<DelassusOperator>(A);
  if (a == nullptr || a->dofs() >= unknowns.size()) return false;
  bounded_.assign(static_cast<std::size_t>(unknowns.size()), 0);
  for (const ConeUnknowns::Block& cone : unknowns.cones())
    std::fill_n(bounded_.begin() + cone.start, cone.size, 1);
  for (const ConeUnknowns::Bound& bound : unknowns.bounds()) bounded_[bound.unknown] = 1;
  for (Index k = 0; k < unknowns.size(); ++k) {
    if (bounded_[k] == 0 && !(a->compliance()[unknowns.rows()[k]] > 0.0)) return false;
  }
  return true;
}

bool BodyMatrix::is_prepared(const Operator& A, const ConeUnknowns& unknowns) const {
  return prepared_ && A.same_storage(operator_) && std::ranges::equal(rows_, unknowns.rows()) &&
         std::ranges::equal(blocks_, unknowns.blocks()) && scale_ == unknowns.scale().head(unknowns.size());
}

bool BodyMatrix::prepare(const Operator& A, const ConeUnknowns& unknowns) {
  if (is_prepared(A, unknowns)) return false;
  prepared_ = false;
  operator_ = A;
  rows_.assign(unknowns.rows().begin(), unknowns.rows().end());
  blocks_.assign(unknowns.blocks().begin(), unknowns.blocks().end());
  scale_ = unknowns.scale().head(unknowns.size());
  const DelassusOperator& a = *storage_of<DelassusOperator>(A);
  dofs_ = a.dofs_per_body();
  body_of_.assign(static_cast<std::size_t>(a.bodies()), -1);
  const CsrMatrix jacobian = a.jacobian_csr();
  list_touches(jacobian);
  find_pattern();
  copy_values(a, jacobian);
  prepared_ = true;
  return true;
}

// Lists the bodies of every block, numbered in the order of their first block.
void BodyMatrix::list_touches(const CsrMatrix& jacobian) {
  touches_.clear();
  touch_start_.assign(1, 0);
  int bodies = 0;
  for (const ConeUnknowns::Block& block : blocks_) {
    const auto is_known = [&](int body) {
      const auto first = touches_.begin() + static_cast<std::ptrdiff_t>(touch_start_.back());
      return std::find(first, touches_.end(), body) != touches_.end();
    };
    for (int k = 0; k < block.size; ++k) {
      for (CsrMatrix::InnerIterator it(jacobian, rows_[block.start + k]); it; ++it) {
        int& body = body_of_[static_cast<std::size_t>(it.col() / dofs_)];
        if (body < 0) body = bodies++;
        if (!is_known(body)) touches_.push_back(body);
      }
    }
    touch_start_.push_back(touches_.size());
  }
  row_step_.assign(static_cast<std::size_t>(bodies), 0);
}

// Finds the pattern, row by row of the bodies, with full blocks in the order of their columns.
void BodyMatrix::find_pattern() {
  const auto bodies = row_step_.size();
  std::vector<std::set<int>> neighbours(bodies);
  for (std::size_t i = 0; i < bodies; ++i) neighbours[i].insert(static_cast<int>(i));
  const auto for_each_pair = [&](const auto& visit) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (std::size_t s = touch_start_[b]; s < touch_start_[b + 1]; ++s) {
        for (std::size_t t = touch_start_[b]; t < touch_start_[b + 1]; ++t) visit(touches_[s], touches_[t]);
      }
    }
  };
  for_each_pair([&](int i, int j) { neighbours[i].insert(j); });

  std::size_t entries = 0;
  std::vector<std::size_t> start;  // start of the entries of a body's rows
  for (std::size_t i = 0; i < bodies; ++i) {
    row_step_[i] = static_cast<int>(neighbours[i].size()) * dofs_;
    start.push_back(entries);
    entries += static_cast<std::size_t>(row_step_[i]) * static_cast<std::size_t>(dofs_);
  }
  if (entries > static_cast<std::size_t>(1) << 31)
    fail("the matrix of the bodies has more entries than its indices can count");
  const Index n = static_cast<Index>(bodies) * dofs_;
  matrix_.resize(n, n);
  matrix_.resizeNonZeros(static_cast<Index>(entries));
  std::fill_n(matrix_.valuePtr(), entries, 0.0);
  diagonal_.resize(static_cast<std::size_t>(n));
  int place = 0;
  for (std::size_t i = 0; i < bodies; ++i) {
    for (int k = 0; k < dofs_; ++k) {
      const int row = static_cast<int>(i) * dofs_ + k;
      matrix_.outerIndexPtr()[row] = place;
      for (const int j : neighbours[i]) {
        if (j == static_cast<int>(i)) diagonal_[row] = place + k;
        for (int c = 0; c < dofs_; ++c) matrix_.innerIndexPtr()[place++] = j * dofs_ + c;
      }
    }
  }
  matrix_.outerIndexPtr()[n] = place;

  place_.clear();
  for_each_pair([&](int i, int j) {
    const auto slot = std::distance(neighbours[i].begin(), neighbours[i].find(j));
    place_.push_back(static_cast<int>(start[i]) + static_cast<int>(slot) * dofs_);
  });
  unit_.resize(n);
  on_bodies_.resize(n);
}

// Computes S J L and S C S.
void BodyMatrix::copy_values(const DelassusOperator& a, const CsrMatrix& jacobian) {
  base_.assign(3 * touches_.size() * static_cast<std::size_t>(dofs_), 0.0);
  turned_.resize(base_.size());
  compliance_.assign(blocks_.size(), ConePoint::Zero());
  inverse_factor_.resize(blocks_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (int k = 0; k < blocks_[b].size; ++k) {
      const int unknown = blocks_[b].start + k;
      compliance_[b][k] = scale_[unknown] * a.compliance()[rows_[unknown]] * scale_[unknown];
      for (CsrMatrix::InnerIterator it(jacobian, rows_[unknown]); it; ++it) {
        const int body = body_of_[static_cast<std::size_t>(it.col() / dofs_)];
        std::size_t touch = touch_start_[b];
        while (touches_[touch] != body) ++touch;
        rows_of(base_, touch)(k, it.col() % dofs_) = scale_[unknown] * it.value();
      }
    }
  }
  const CsrMatrix inverse_mass = a.inverse_mass_csr();
  std::vector<DenseMatrix> roots(row_step_.size());
  for (std::size_t i = 0; i < body_of_.size(); ++i) {
    if (body_of_[i] < 0) continue;
    const Index first = static_cast<Index>(i) * dofs_;
    roots[body_of_[i]] = semidefinite_root(DenseMatrix(inverse_mass.block(first, first, dofs_, dofs_)));
  }
  for (std::size_t t = 0; t < touches_.size(); ++t)
    rows_of(base_, t) = rows_of(base_, t).lazyProduct(roots[touches_[t]]).eval();
}

bool BodyMatrix::update(const BarrierTerms& terms) {
  std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0);
  const int* place = place_.data();
  for (std::size_t b = 0, cone = 0; b < blocks_.size(); ++b) {
    const ConeUnknowns::Block& block = blocks_[b];
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
    if (block.size > 1) frame = terms.frames[cone++];
    Eigen::Matrix3d diagonal = frame.transpose() * compliance_[b].asDiagonal() * frame;
    for (int k = 0; k < 3; ++k) {
      const double square = k < block.size ? terms.squares[block.start + k] : 1.0;
      diagonal(k, k) = std::max(diagonal(k, k) + square, least_square);
    }
    const Eigen::LLT<Eigen::Matrix3d> cholesky(diagonal);
    if (cholesky.info() != Eigen::Success || !diagonal.allFinite()) return false;
    inverse_factor_[b] = cholesky.matrixL().solve(Eigen::Matrix3d::Identity());
    const Eigen::Matrix3d turn = inverse_factor_[b] * frame.transpose();
    for (std::size_t t = touch_start_[b]; t < touch_start_[b + 1]; ++t)
      rows_of(turned_, t) = turn.lazyProduct(rows_of(std::as_const(base_), t));
    add_square(b, place);
  }
  scale_to_unit_diagonal();
  return std::all_of(matrix_.valuePtr(), matrix_.valuePtr() + matrix_.nonZeros(),
                     [](double value) { return std::isfinite(value); });
}

// Adds a block's contribution to Y'Y, from `place` on.
void BodyMatrix::add_square(std::size_t block, const int*& place) {
  for (std::size_t s = touch_start_[block]; s < touch_start_[block + 1]; ++s) {
    const ConstRows left = rows_of(std::as_const(turned_), s);
    const int step = row_step_[touches_[s]];
    for (std::size_t t = touch_start_[block]; t < touch_start_[block + 1]; ++t, ++place) {
      const ConstRows right = rows_of(std::as_const(turned_), t);
      for (Index i = 0; i < dofs_; ++i) {
        double* to = matrix_.valuePtr() + *place + i * step;
        for (int j = 0; j < dofs_; ++j) to[j] += left.col(i).dot(right.col(j));
      }
    }
  }
}

void BodyMatrix::scale_to_unit_diagonal() {
  const Index n = unit_.size();
  for (Index i = 0; i < n; ++i) unit_[i] = 1.0 / std::sqrt(1.0 + matrix_.valuePtr()[diagonal_[i]]);
  for (Index i = 0; i < n; ++i) {
    for (int p = matrix_.outerIndexPtr()[i]; p < matrix_.outerIndexPtr()[i + 1]; ++p)
      matrix_.valuePtr()[p] *= unit_[i] * unit_[matrix_.innerIndexPtr()[p]];
    matrix_.valuePtr()[diagonal_[i]] = 1.0;
  }
}

ConePoint BodyMatrix::segment(const Vector& v, const ConeUnknowns::Block& block) {
  ConePoint part = ConePoint::Zero();
  for (int k = 0; k < block.size; ++k) part[k] = v[block.start + k];
  return part;
}

// z = R^-1 r and U Y'z
void BodyMatrix::to_bodies(const Vector& r, Vector& z) {
  on_bodies_.setZero();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const ConePoint part = inverse_factor_[b] * segment(r, blocks_[b]);
    ConeUnknowns::set_segment(z, blocks_[b], part);
    for (std::size_t t = touch_start_[b]; t < touch_start_[b + 1]; ++t) {
      on_bodies_.segment(static_cast<Index>(touches_[t]) * dofs_, dofs_).noalias() +=
          rows_of(std::as_const(turned_), t).transpose() * part;
    }
  }
  on_bodies_.array() *= unit_.array();
}

// z <- R'^-1 (z - Y U t)
void BodyMatrix::from_bodies(Vector& z) {
  on_bodies_.array() *= unit_.array();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    ConePoint part = segment(z, blocks_[b]);
    for (std::size_t t = touch_start_[b]; t < touch_start_[b + 1]; ++t) {
      part.noalias() -= rows_of(std::as_const(turned_), t) *
                        on_bodies_.segment(static_cast<Index>(touches_[t]) * dofs_, dofs_);
    }
    ConeUnknowns::set_segment(z, blocks_[b], inverse_factor_[b].transpose() * part);
  }
}

}  // namespace slipstick::internal
