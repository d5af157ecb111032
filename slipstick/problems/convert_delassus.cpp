// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/convert_delassus.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "slipstick/base/interruption.hpp"
#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {
namespace {

constexpr int most_dofs = 6;

bool is_block_diagonal(const CsrMatrix& m, int dofs) {
  for (Index i = 0; i < m.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(m, i); it; ++it) {
      if (it.value() != 0.0 && it.col() / dofs != i / dofs) return false;
    }
  }
  return true;
}

}  // namespace

// Reads the one or two bodies that each contact or row of a joint acts on. Returns false if one acts on more.
// Then joins the rows of a joint.
bool BodyGraphReader::read_constraints(const GlobalContactProblem& problem, int dofs) {
  constraints_.clear();
  constraint_of_.resize(static_cast<std::size_t>(problem.H.cols()));
  for (int column = 0; column < problem.H.cols();) {
    const int rows = column < problem.contact_rows() ? problem.dimension : 1;
    std::fill_n(constraint_of_.begin() + column, rows, static_cast<int>(constraints_.size()));
    Constraint& constraint = constraints_.emplace_back();
    constraint.row = column;
    constraint.rows = rows;
    column += rows;
  }
  for (Index i = 0; i < problem.H.rows(); ++i) {
    const int body = static_cast<int>(i) / dofs;
    count_work(10.0 * (problem.H.outerIndexPtr()[i + 1] - problem.H.outerIndexPtr()[i]));
    for (CsrMatrix::InnerIterator it(problem.H, i); it; ++it) {
      if (it.value() == 0.0) continue;
      std::array<int, 2>& pair = constraints_[constraint_of_[it.col()]].body;
      if (pair[0] == body || pair[1] == body) continue;
      if (pair[1] >= 0) return false;
      pair[pair[0] >= 0] = body;
    }
  }
  auto kept = static_cast<std::size_t>(problem.contacts());
  for (std::size_t c = kept; c < constraints_.size(); ++c) {
    const Constraint row = constraints_[c];
    const bool joins = kept > static_cast<std::size_t>(problem.contacts()) &&
                       constraints_[kept - 1].body == row.body && constraints_[kept - 1].rows < most_dofs;
    if (joins) {
      ++constraints_[kept - 1].rows;
    } else {
      constraints_[kept++] = row;
    }
    constraint_of_[static_cast<std::size_t>(row.row)] = static_cast<int>(kept) - 1;
  }
  constraints_.resize(kept);
  return true;
}

// For each constraint, reads its rows of H' for the first body, then for the second, each row by row.
void BodyGraphReader::read_jacobian(const GlobalContactProblem& problem, int dofs) {
  jacobian_.assign(2 * static_cast<std::size_t>(problem.H.cols()) * dofs, 0.0);
  for (Index i = 0; i < problem.H.rows(); ++i) {
    const int body = static_cast<int>(i) / dofs;
    count_work(10.0 * (problem.H.outerIndexPtr()[i + 1] - problem.H.outerIndexPtr()[i]));
    for (CsrMatrix::InnerIterator it(problem.H, i); it; ++it) {
      if (it.value() == 0.0) continue;
      const Constraint& constraint = constraints_[constraint_of_[it.col()]];
      // The blocks of earlier constraints, the first block of this one, and the rows before.
      const auto rows_before = static_cast<std::size_t>(constraint.row + it.col() +
                                                        (constraint.body[0] == body ? 0 : constraint.rows));
      jacobian_[rows_before * dofs + static_cast<std::size_t>(i) % dofs] = it.value();
    }
  }
}

// Returns false if a block is not symmetric positive definite.
bool BodyGraphReader::read_inverse_mass(const CsrMatrix& m, int dofs) {
  const bool diagonal = is_block_diagonal(m, 1);
  inverse_mass_.clear();
  inverse_mass_.reserve(static_cast<std::size_t>(m.rows() * (diagonal ? 1 : dofs)));
  if (diagonal) {
    for (Index i = 0; i < m.rows(); ++i) {
      const double mass = entry(m, i, i);
      if (!(mass > 0.0)) return false;
      inverse_mass_.push_back(1.0 / mass);
    }
    return true;
  }
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, most_dofs, most_dofs>;
  Block block(dofs, dofs);
  for (Index start = 0; start < m.rows(); start += dofs) {
    block.setZero();
    for (int i = 0; i < dofs; ++i) {
      for (CsrMatrix::InnerIterator it(m, start + i); it; ++it) {
        if (it.value() != 0.0) block(i, it.col() - start) = it.value();
      }
    }
    const double asymmetry = (block - block.transpose()).cwiseAbs().maxCoeff();
    if (!(asymmetry <= 1e-13 * block.cwiseAbs().maxCoeff())) return false;
    const Eigen::LLT<Block> cholesky(block);
    if (cholesky.info() != Eigen::Success) return false;
    const Block solved = cholesky.solve(Block::Identity(dofs, dofs));
    const Block symmetric = 0.5 * (solved + solved.transpose());
    inverse_mass_.insert(inverse_mass_.end(), symmetric.data(), symmetric.data() + symmetric.size());
  }
  return true;
}

bool BodyGraphReader::read(const GlobalContactProblem& problem, DelassusOperator& W) {
  if (problem.H.cols() == 0 || problem.M.rows() == 0) return false;
  if (problem.H.cols() > std::numeric_limits<int>::max()) return false;
  constexpr std::array<int, most_dofs> in_space = {6, 3, 5, 4, 2, 1};
  constexpr std::array<int, most_dofs> in_plane = {3, 2, 1, 6, 5, 4};
  for (const int dofs : problem.dimension == 3 ? in_space : in_plane) {
    if (problem.M.rows() % dofs != 0 || !is_block_diagonal(problem.M, dofs)) continue;
    if (!read_constraints(problem, dofs)) continue;
    if (!read_inverse_mass(problem.M, dofs)) return false;
    read_jacobian(problem, dofs);
    if (problem.compliance.size() > 0) {
      compliance_ = problem.compliance;
    } else {
      compliance_.setZero(problem.H.cols());
    }
    W.set(dofs, problem.M.rows() / dofs, inverse_mass_, constraints_, jacobian_, compliance_);
    return true;
  }
  return false;
}

std::optional<DelassusOperator> body_graph(const GlobalContactProblem& problem) {
  std::optional<DelassusOperator> W(std::in_place);
  if (!BodyGraphReader().read(problem, *W)) W.reset();
  return W;
}

}  // namespace slipstick::internal
