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
/// An iteration solves the equality-constrained problem of the working set and takes the next set from the
/// signs: violated constraints are held, held ones whose multiplier has the wrong sign are let go (eq. 2.12).
/// It ends where the set repeats itself. How the systems are solved is left to pdasm and schurpa, which visit
/// the same sets.
///
/// Beyond the thesis:
/// - Two bounds per constraint, and equalities, which are always held.
/// - The thesis names two pitfalls, cycles and singular systems. A set that was met before, or twenty
///   iterations without fewer violations, are answered by moving the violated constraint of the least index
///   alone, which cannot cycle where A is definite and the rows are independent (Murty 1974), until fewer
///   constraints are violated than ever before (Judice and Pires 1994).
/// - Dependent rows: the factor is that of the system shifted by -D (SaddleMatrix), and refinement takes the
///   shift away. The multipliers of rows that contradict each other grow large that way, and their signs say
///   which to let go.
/// - A singular A: where the factorization, or the refinement, says so, A is shifted by R, and what is solved
///   is the QP with the proximal term 1/2 ||x - x_ref||_R^2 (Rockafellar 1976). Where the set comes to rest,
///   the reference moves there.
class PrimalDualActiveSet : public Solver {
 public:
  std::string explain_unsupported(const Problem& problem) const override;

  /// What the linear algebra of the last solve took, in seconds of the processor.
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

  /// r <- the inverse of the system of the set inside() times r, which is zero outside; false where the
  /// system is singular.
  virtual bool solve_system(VectorView r) = 0;
  /// Forgets what was kept between sets; whether that was more than the factor of the set at hand.
  virtual bool forget_systems() = 0;
  /// Whether what was kept serves the next problem with the same matrix too.
  virtual bool keeps_systems() const { return false; }

  const std::vector<char>& inside() const { return inside_; }
  const SaddleMatrix& matrix() const { return matrix_; }
  /// The factor of the set `inside`, counted.
  bool factorize(const std::vector<char>& inside);
  /// The two halves of a solve with it, the first one counted.
  void solve_lower(MatrixView x);
  void solve_upper(VectorView x);
  const SaddleFactor& factor() const { return *factor_; }

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

  std::vector<char> inside_;  // unknowns not held, multipliers of rows held
  Vector z_, product_;        // (x, -y) and M z
  bool product_is_current_ = false;
  bool solvable_ = false;
  Vector constant_;  // the right-hand side of the whole system
  Vector reference_;
  Vector residual_, values_, forces_, w_, y_, best_x_, best_y_;
  double size_ = 0.0;  // of the forces, by which roundings are told
  double best_error_ = 0.0;
  double reference_error_ = 0.0;
  bool shifted_ = false;

  // Of the set's way since the reference moved.
  VisitedSets visited_;
  Index fewest_violations_ = 0;
  int stalled_ = 0;  // iterations without fewer violations
  bool one_by_one_ = false;
};

}  // namespace slipstick::internal
