// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/problems/convert_delassus.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/delassus_operator.hpp"

#include <Eigen/Dense>
#include <array>
#include <limits>
#include <utility>
#include <vector>

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

// The one or two bodies that each contact acts on; empty where one acts on more.
std::vector<Constraint> constraints_of(const GlobalContactProblem& problem, int dofs) {
  std::vector<Constraint> constraints(static_cast<std::size_t>(problem.contacts()));
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    constraints[c].row = static_cast<int>(c) * problem.dimension;
    constraints[c].rows = problem.dimension;
  }
  for (Index i = 0; i < problem.H.rows(); ++i) {
    const int body = static_cast<int>(i) / dofs;
    for (CsrMatrix::InnerIterator it(problem.H, i); it; ++it) {
      if (it.value() == 0.0) continue;
      std::array<int, 2>& pair = constraints[it.col() / problem.dimension].body;
      if (pair[0] == body || pair[1] == body) continue;
      if (pair[1] >= 0) return {};
      pair[pair[0] >= 0] = body;
    }
  }
  return constraints;
}

// Per constraint its rows of H' for the first body, then for the second, each row by row.
std::vector<double> jacobian_of(const GlobalContactProblem& problem, int dofs,
                                const std::vector<Constraint>& constraints) {
  const std::size_t block = static_cast<std::size_t>(problem.dimension) * dofs;
  std::vector<double> jacobian(2 * block * constraints.size(), 0.0);
  for (Index i = 0; i < problem.H.rows(); ++i) {
    const int body = static_cast<int>(i) / dofs;
    for (CsrMatrix::InnerIterator it(problem.H, i); it; ++it) {
      if (it.value() == 0.0) continue;
      const std::size_t c = static_cast<std::size_t>(it.col()) / problem.dimension;
      const std::size_t side = constraints[c].body[0] == body ? 0 : 1;
      const std::size_t row = static_cast<std::size_t>(it.col()) % problem.dimension;
      jacobian[(2 * c + side) * block + row * dofs + static_cast<std::size_t>(i) % dofs] = it.value();
    }
  }
  return jacobian;
}

bool is_diagonal(const CsrMatrix& m) {
  return is_block_diagonal(m, 1);
}

// Empty where a block is not symmetric positive definite.
std::vector<double> inverse_mass_of(const CsrMatrix& m, int dofs) {
  std::vector<double> inverse;
  if (is_diagonal(m)) {
    inverse.reserve(static_cast<std::size_t>(m.rows()));
    for (Index i = 0; i < m.rows(); ++i) {
      const double mass = entry(m, i, i);
      if (!(mass > 0.0)) return {};
      inverse.push_back(1.0 / mass);
    }
    return inverse;
  }
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Block block(dofs, dofs);
  inverse.reserve(static_cast<std::size_t>(m.rows()) * dofs);
  for (Index start = 0; start < m.rows(); start += dofs) {
    block.setZero();
    for (int i = 0; i < dofs; ++i) {
      for (CsrMatrix::InnerIterator it(m, start + i); it; ++it) {
        if (it.value() != 0.0) block(i, it.col() - start) = it.value();
      }
    }
    const double asymmetry = (block - block.transpose()).cwiseAbs().maxCoeff();
    if (!(asymmetry <= 1e-13 * block.cwiseAbs().maxCoeff())) return {};
    const Eigen::LLT<Block> cholesky(block);
    if (cholesky.info() != Eigen::Success) return {};
    const Block solved = cholesky.solve(Block::Identity(dofs, dofs));
    const Block symmetric = 0.5 * (solved + solved.transpose());
    inverse.insert(inverse.end(), symmetric.data(), symmetric.data() + symmetric.size());
  }
  return inverse;
}

}  // namespace

std::optional<DelassusOperator> body_graph(const GlobalContactProblem& problem) {
  if (problem.bilateral || problem.contacts() == 0 || problem.M.rows() == 0) return std::nullopt;
  if (problem.H.cols() > std::numeric_limits<int>::max()) return std::nullopt;
  constexpr std::array<int, most_dofs> in_space = {6, 3, 5, 4, 2, 1};
  constexpr std::array<int, most_dofs> in_plane = {3, 2, 1, 6, 5, 4};
  for (const int dofs : problem.dimension == 3 ? in_space : in_plane) {
    if (problem.M.rows() % dofs != 0 || !is_block_diagonal(problem.M, dofs)) continue;
    std::vector<Constraint> constraints = constraints_of(problem, dofs);
    if (constraints.empty()) continue;
    std::vector<double> inverse_mass = inverse_mass_of(problem.M, dofs);
    if (inverse_mass.empty()) return std::nullopt;
    std::vector<double> jacobian = jacobian_of(problem, dofs, constraints);
    return DelassusOperator(dofs, problem.M.rows() / dofs, std::move(inverse_mass), std::move(constraints),
                            std::move(jacobian), Vector::Zero(problem.H.cols()));
  }
  return std::nullopt;
}

}  // namespace slipstick::internal
