// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <vector>

#include "slipstick/solve/options.hpp"
#include "slipstick/solvers/sweeps/cone_block.hpp"
#include "slipstick/solvers/sweeps/pjacobi.hpp"
#include "slipstick/solvers/sweeps/sweep_solver.hpp"

namespace slipstick {

/// What a sweep does to the rows of one cone, with w their rows of A x + b, B their block of A, d its mean
/// diagonal.
enum class LocalStep {
  projected,  ///< x <- P(x - omega w / d) (Heyn 2012, eq. 12)
  exact,      ///< x <- the least 1/2 (y - x)'B(y - x) / omega + w'(y - x) over the y of the cone
};

struct JacobiSettings {
  /// omega: converges below 2 / rho(D^-1 A); Heyn 2012: 0.3. 0, projected steps only: 1.9 / rho, estimated.
  double relaxation = 0.3;
  double damping = 1.0;  ///< lambda: x moves by this share of the step; (0, 1], Heyn 2012: 1
  LocalStep local = LocalStep::projected;

  static constexpr auto fields = std::tuple{
      Field{"relaxation", &JacobiSettings::relaxation, 0.0, 2.0, "omega; 0: 1.9 / rho(D^-1 A), estimated"},
      Field{"damping", &JacobiSettings::damping, 1e-6, 1.0, "lambda, the share of the step that is made"},
      Field{"local", &JacobiSettings::local, 0, 0, "step of the rows of a cone", "projected|exact"},
  };
};

struct GaussSeidelSettings {
  double relaxation = 1.0;  ///< omega in (0, 2)
  double damping = 1.0;     ///< lambda: x moves by this share of the step; (0, 1]
  LocalStep local = LocalStep::exact;
  bool symmetric = false;  ///< every second sweep runs backward

  static constexpr auto fields = std::tuple{
      Field{"relaxation", &GaussSeidelSettings::relaxation, 0.0, 2.0, "omega, between 0 and 2 (exclusive)"},
      Field{"damping", &GaussSeidelSettings::damping, 1e-6, 1.0,
            "lambda, the share of the step that is made"},
      Field{"local", &GaussSeidelSettings::local, 0, 0, "step of the rows of a cone", "projected|exact"},
      Field{"symmetric", &GaussSeidelSettings::symmetric, 0, 0, "every second sweep runs backward"},
  };
};

/// What the two share: sweeps over the blocks of K, free and bounded rows one by one as in Pgs and Pjacobi,
/// the rows of a cone (disk, diamond) together. Stop rule and empty rows: see SweepSolver.
///
/// Heyn 2012, eq. 12, with its sign mended and the mean diagonal of a cone's block (3 / trace) where the
/// print has 1 / trace; Melanz 2015 (Jacobi).
class BlockSweepSolver : public SweepSolver {
 protected:
  struct Steps {
    double relaxation;
    double damping;
    LocalStep local;
  };
  BlockSweepSolver(std::string_view method, Steps steps);

  /// After begin(): the steps of the cones and what their exact solution needs.
  void prepare_blocks(const Run& run);
  /// next_ <- the new x of a block whose rows depend on each other, from w_block_.
  void step_block(const ProductSet& K, std::size_t block, const Vector& x);
  /// x <- next_ on its rows; gives the square of the weighted step.
  double move_block(const SetBlock& block, Vector& x);
  /// The new x_i of a row of its own.
  double step_row(Index i, double x, double w) const;

  Steps steps_;
  Vector w_block_;
  Vector next_;

 private:
  std::vector<ConeBlock> cones_;  // one for every block of K
  DenseMatrix block_matrix_;
};

/// Block Jacobi: every block from the same x. One iteration is one product.
class Jacobi : public BlockSweepSolver {
 public:
  explicit Jacobi(const JacobiSettings& settings = {});

 private:
  void run(const Run& run) override;
  double sweep(const Run& run);

  JacobiRadius radius_;
  Vector product_;
};

/// Block Gauss-Seidel: every block from the newest x. One iteration is one sweep and counts as one product.
/// With exact local steps it converges for every symmetric positive semidefinite A with a solution; with
/// projected ones where omega lambda_max(B) < 2 d, which omega < 2/3 ensures.
class GaussSeidel : public BlockSweepSolver {
 public:
  explicit GaussSeidel(const GaussSeidelSettings& settings = {});

 private:
  void run(const Run& run) override;
  template <class Products>
  double sweep(const Run& run, Products& rows, bool backward);

  bool symmetric_;
};

}  // namespace slipstick
