// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/methods.hpp"
#include "slipstick/solvers/sweeps/cone_block.hpp"
#include "slipstick/solvers/sweeps/pjacobi.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick::internal {

/// The common base of Jacobi and GaussSeidel: sweeps over the blocks of K. Free and bounded rows are taken
/// one by one as in Pgs and Pjacobi, the rows of a cone (disk, diamond) together. See SweepSolver for the
/// stop rule and the empty rows.
///
/// Heyn 2012, eq. 12, with the correct sign and the mean diagonal of a cone's block (3 / trace) instead of 1
/// / trace; Melanz 2015 (Jacobi).
class BlockSweepSolver : public SweepSolver {
 protected:
  struct Steps {
    double relaxation;
    double damping;
    LocalStep local;
  };
  BlockSweepSolver(std::string_view method, Steps steps);

  /// Call it after begin(). It computes the steps of the cones and the data of their exact solution.
  void prepare_blocks(const Run& run);
  /// next_ <- the new x of a block whose rows depend on each other. The input is w_block_.
  void step_block(const ProductSet& K, std::size_t block, const Vector& x);
  /// x <- next_ on its rows. Returns the square of the weighted step.
  double move_block(const SetBlock& block, Vector& x);
  /// The new x_i of a single row.
  double step_row(Index i, double x, double w) const;

  Steps steps_;
  Vector w_block_;
  Vector next_;

 private:
  std::vector<ConeBlock> cones_;  // one for every block of K
  DenseMatrix block_matrix_;
};

/// Block Jacobi: every block uses the same x. One iteration is one product.
class Jacobi : public BlockSweepSolver {
 public:
  explicit Jacobi(const JacobiSettings& settings = {});

 private:
  void run(const Run& run) override;
  double sweep(const Run& run);

  JacobiRadius radius_;
  Vector product_;
};

/// Block Gauss-Seidel: every block uses the newest x. One iteration is one sweep and counts as one product.
/// With exact local steps it converges for every symmetric positive semidefinite A with a solution. With
/// projected steps it converges if omega lambda_max(B) < 2 d. omega < 2/3 is sufficient for that.
class GaussSeidel : public BlockSweepSolver {
 public:
  explicit GaussSeidel(const GaussSeidelSettings& settings = {});

 private:
  void run(const Run& run) override;
  template <class Products>
  double sweep(const Run& run, Products& rows, bool backward);

  bool symmetric_;
};

}  // namespace slipstick::internal
