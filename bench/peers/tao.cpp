// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// PETSc's TAO: its semismooth methods for complementarity problems and, if the matrix is symmetric, its
// methods for quadratic programs with bounds. Linear systems are as small as the problems, so they are
// factorized.
#include <petsctao.h>

#include <cmath>

#include "bench/peers/contest.hpp"
#include "slipstick/base/error.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr Index most_rows = 2000;

void check(PetscErrorCode code) {
  if (code != 0) fail("PETSc reports the error {}", static_cast<int>(code));
}

// Every attempt has a process of its own, which ends without a farewell.
void initialize() {
  PetscBool done = PETSC_FALSE;
  check(PetscInitialized(&done));
  if (done) return;
  check(PetscInitializeNoArguments());
  check(PetscPopSignalHandler());
}

// lower <= x <= upper complementary to F = M x + q, which for a symmetric M is the gradient of a quadratic
// program.
class TaoAttempt : public Attempt {
 public:
  TaoAttempt(const MixedLcp& mixed, TaoType method, bool quadratic)
      : quadratic_(quadratic), norm_(mixed.q.norm()), answer_(mixed.q.size()) {
    initialize();
    const auto n = static_cast<PetscInt>(mixed.q.size());
    const DenseMatrix dense(*mixed.M.assemble());
    // Dense: factorizations of sparse matrices are without pivoting, and mixed problems have empty diagonals.
    check(MatCreateSeqDense(PETSC_COMM_SELF, n, n, nullptr, &matrix_));
    for (PetscInt i = 0; i < n; ++i) {
      for (PetscInt j = 0; j < n; ++j) check(MatSetValue(matrix_, i, j, dense(i, j), INSERT_VALUES));
    }
    check(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    check(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
    check(MatDuplicate(matrix_, MAT_COPY_VALUES, &jacobian_));
    check(MatCreateVecs(matrix_, &x_, &q_));
    check(VecDuplicate(x_, &f_));
    check(VecDuplicate(x_, &lower_));
    check(VecDuplicate(x_, &upper_));
    for (PetscInt i = 0; i < n; ++i) {
      const double lower = mixed.lower[i], upper = mixed.upper[i];
      check(VecSetValue(q_, i, mixed.q[i], INSERT_VALUES));
      check(VecSetValue(lower_, i, std::isfinite(lower) ? lower : PETSC_NINFINITY, INSERT_VALUES));
      check(VecSetValue(upper_, i, std::isfinite(upper) ? upper : PETSC_INFINITY, INSERT_VALUES));
    }
    for (Vec vector : {q_, lower_, upper_}) {
      check(VecAssemblyBegin(vector));
      check(VecAssemblyEnd(vector));
    }
    create(method);
  }
  TaoAttempt(const TaoAttempt&) = delete;
  TaoAttempt& operator=(const TaoAttempt&) = delete;
  ~TaoAttempt() override {
    TaoDestroy(&tao_);
    MatDestroy(&matrix_);
    MatDestroy(&jacobian_);
    for (Vec* vector : {&x_, &q_, &f_, &lower_, &upper_}) VecDestroy(vector);
  }

  void solve(double tolerance) override {
    const double error = tolerance * norm_;
    if (quadratic_) {
      check(TaoSetTolerances(tao_, error, 0.0, 0.0));
    } else {
      // It minimizes half the square of what it looks for the zero of.
      check(TaoSetTolerances(tao_, 0.0, 0.0, 0.0));
      check(TaoSetFunctionLowerBound(tao_, 0.5 * error * error));
    }
    check(VecSet(x_, 0.0));
    check(TaoSolve(tao_));
    const PetscScalar* values = nullptr;
    check(VecGetArrayRead(x_, &values));
    for (Index i = 0; i < answer_.size(); ++i) answer_[i] = values[i];
    check(VecRestoreArrayRead(x_, &values));
  }
  const Vector& answer() const override { return answer_; }

 private:
  void create(TaoType method) {
    KSP linear_solver = nullptr;
    PC preconditioner = nullptr;
    check(TaoCreate(PETSC_COMM_SELF, &tao_));
    check(TaoSetType(tao_, method));
    check(TaoSetSolution(tao_, x_));
    check(TaoSetVariableBounds(tao_, lower_, upper_));
    check(TaoSetMaximumIterations(tao_, 1000000));
    check(TaoSetMaximumFunctionEvaluations(tao_, 100000000));
    if (quadratic_) {
      check(MatSetOption(jacobian_, MAT_SYMMETRIC, PETSC_TRUE));
      check(TaoSetObjectiveAndGradient(tao_, nullptr, objective_and_gradient, this));
      check(TaoSetHessian(tao_, jacobian_, jacobian_, fill_matrix, this));
    } else {
      check(TaoSetConstraintsRoutine(tao_, f_, function, this));
      check(TaoSetJacobianRoutine(tao_, jacobian_, jacobian_, fill_matrix, this));
    }
    check(TaoGetKSP(tao_, &linear_solver));
    if (linear_solver == nullptr) return;
    check(KSPGetPC(linear_solver, &preconditioner));
    if (quadratic_) {
      check(PCSetType(preconditioner, PCJACOBI));
    } else {
      check(KSPSetType(linear_solver, KSPPREONLY));
      check(PCSetType(preconditioner, PCLU));
    }
  }

  static PetscErrorCode function(Tao, Vec x, Vec f, void* context) {
    const TaoAttempt& self = *static_cast<const TaoAttempt*>(context);
    PetscFunctionBeginUser;
    PetscCall(MatMultAdd(self.matrix_, x, self.q_, f));
    PetscFunctionReturn(0);
  }
  static PetscErrorCode objective_and_gradient(Tao, Vec x, PetscReal* value, Vec gradient, void* context) {
    const TaoAttempt& self = *static_cast<const TaoAttempt*>(context);
    PetscReal linear = 0.0;
    PetscFunctionBeginUser;
    PetscCall(MatMultAdd(self.matrix_, x, self.q_, gradient));
    PetscCall(VecDot(gradient, x, value));
    PetscCall(VecDot(self.q_, x, &linear));
    *value = 0.5 * (*value + linear);
    PetscFunctionReturn(0);
  }
  // They write into it.
  static PetscErrorCode fill_matrix(Tao, Vec, Mat matrix, Mat, void* context) {
    const TaoAttempt& self = *static_cast<const TaoAttempt*>(context);
    PetscFunctionBeginUser;
    PetscCall(MatCopy(self.matrix_, matrix, SAME_NONZERO_PATTERN));
    PetscFunctionReturn(0);
  }

  bool quadratic_;
  double norm_;
  Vector answer_;
  Tao tao_ = nullptr;
  Mat matrix_ = nullptr, jacobian_ = nullptr;
  Vec x_ = nullptr, q_ = nullptr, f_ = nullptr, lower_ = nullptr, upper_ = nullptr;
};

Contestant contestant(const char* name, TaoType method, bool quadratic) {
  return {std::string("tao:") + name, false, false,
          [quadratic](const ContestProblem& problem) {
            const auto mixed = problem.mixed_form();
            return mixed && mixed->q.size() <= most_rows && (!quadratic || mixed->M.asymmetry() == 0.0);
          },
          [method, quadratic](const ContestProblem& problem) -> std::unique_ptr<Attempt> {
            return std::make_unique<TaoAttempt>(*problem.mixed_form(), method, quadratic);
          }};
}

}  // namespace

void add_tao(std::vector<Contestant>& contestants) {
  contestants.push_back(contestant("SSILS", TAOSSILS, false));
  contestants.push_back(contestant("SSFLS", TAOSSFLS, false));
  contestants.push_back(contestant("ASILS", TAOASILS, false));
  contestants.push_back(contestant("ASFLS", TAOASFLS, false));
  contestants.push_back(contestant("GPCG", TAOGPCG, true));
  contestants.push_back(contestant("BNTR", TAOBNTR, true));
  contestants.push_back(contestant("BNLS", TAOBNLS, true));
  contestants.push_back(contestant("TRON", TAOTRON, true));
}

}  // namespace slipstick::internal::bench
