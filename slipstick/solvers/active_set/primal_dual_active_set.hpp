// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "slipstick/solve/solver.hpp"
#include "slipstick/solvers/active_set/saddle_factor.hpp"

namespace slipstick::internal {

/// The primal-dual active-set method (PDASM; Litven 2013, Alg. 2.2; Hintermueller, Ito and Kunisch 2002) for
///
///     minimize 1/2 x'Ax + b'x  over bounds of x and  lower <= G x <= upper,   A positive semidefinite.
///
/// An iteration solves the equality-constrained problem of the working set. The signs give the next set (eq.
/// 2.12): violated constraints are held, and held constraints whose multiplier has the wrong sign are
/// dropped. The method ends if the set does not change. pdasm and schurpa solve the systems in different
/// ways, but visit the same sets.
///
/// Additions to the thesis:
/// - Two bounds per constraint, and equalities, which are always held.
/// - The thesis names two difficulties, cycles and singular systems. If a set appears again, or after twenty
///   iterations without fewer violations, only the violated constraint of least index changes. If A is
///   definite and the rows are independent, this cannot cycle (Murty 1974). All constraints change again when
///   fewer are violated than ever before (Judice and Pires 1994).
/// - Dependent rows: the factor belongs to the system shifted by -D (SaddleMatrix). Refinement removes the
///   effect of the shift. The multipliers of contradicting rows become large, and their signs show which rows
///   to drop.
/// - A singular A: if the factorization or the refinement fails, A is shifted by R. The problem then has the
///   proximal term 1/2 ||x - x_ref||_R^2 (Rockafellar 1976). When the set no longer changes, the reference
///   moves to x.
class PrimalDualActiveSet : public Solver {
 public:
  std::string explain_unsupported(const Problem& problem) const override;

  /// Work of the linear algebra in the last solve. Times are in seconds of the processor.
  struct Work {
    std::int64_t factorizations = 0;
    std::int64_t solves = 0;  ///< right-hand sides of the factor
    double factor_seconds = 0.0;
    double solve_seconds = 0.0;
  };
  const Work& work() const { return work_; }

 protected:
  explicit PrimalDualActiveSet(std::string_view name) : name_(name) {}
  void run(const Run& run) override;

  /// r <- the inverse of the system of the set inside() times r. r is zero outside. Returns false if the
  /// system is singular.
  virtual bool solve_system(VectorView r) = 0;
  /// Drops the data kept between sets. Returns true if there was more than the factor of the present set.
  virtual bool forget_systems() = 0;
  /// True if the kept data serve the next problem with the same matrix too.
  virtual bool keeps_systems() const { return false; }

  /// The matrix is taken again by the next solve.
  void forget_matrix() { factor_version_ = 0; }
  /// Takes matrix() after it has changed. The host's factor is made here.
  virtual void take_matrix() { factor_ = make_saddle_factor(matrix_); }
  /// product = M z
  virtual void multiply_matrix(ConstVectorView z, VectorView product, int threads) {
    matrix_.multiply(z, product, threads);
  }
  /// True if rows of matrix() may be read. A few moves of z are then added to the product row by row. If
  /// false, the matrix is not assembled on the host.
  virtual bool reads_rows() const { return true; }

  const std::vector<char>& inside() const { return inside_; }
  const SaddleMatrix& matrix() const { return matrix_; }
  /// Makes the factor of the set `inside` and counts it.
  bool factorize(const std::vector<char>& inside);
  /// The two halves of a solve with the factor. The first half is counted.
  void solve_lower(MatrixView x);
  void solve_upper(VectorView x);
  const SaddleFactor& factor() const { return *factor_; }
  Work& count() { return work_; }

 private:
  void prepare(const Run& run);
  double choose_start(const Run& run);
  void multiply(const Run& run);
  bool solve_set(const Run& run);
  void put_on_bounds();
  bool refine(const Run& run);
  std::pair<double, double> residual();
  double judge(const Run& run);
  void find_values_and_forces();
  bool revise_set();
  bool move_reference(double error);
  void take_answer(const Run& run);

  std::string_view name_;
  ActiveSet set_;
  SaddleMatrix matrix_;
  int factor_version_ = 0;
  std::unique_ptr<SaddleFactor> factor_;
  Work work_;

  std::vector<char> inside_;  // free unknowns, and multipliers of held rows
  Vector z_, product_;        // (x, -y) and M z
  bool product_is_current_ = false;
  bool solvable_ = false;
  Vector constant_;  // the right-hand side of the whole system
  Vector reference_;
  Vector residual_, values_, forces_, w_, y_, best_x_, best_y_;
  double size_ = 0.0;  // size of the forces, the reference for rounding
  double best_error_ = 0.0;
  double reference_error_ = 0.0;
  bool shifted_ = false;

  // History of the set since the last move of the reference.
  VisitedSets visited_;
  Index fewest_violations_ = 0;
  int stalled_ = 0;  // iterations without fewer violations
  bool one_by_one_ = false;
};

}  // namespace slipstick::internal
