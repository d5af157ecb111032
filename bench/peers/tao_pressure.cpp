// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// slipstick-peer-tao: the bound-constrained quadratic solvers of PETSc's TAO against ours on the UIC survey's
// pressure problem, one thread each, in turns, best of several.
//
// Our ruler stops both at the same point. A first run of TAO asks the ruler after every iteration and notes
// the iteration that meets the tolerance. The timed runs stop at that iteration without asking. Choices
// favour TAO. It gets the problem without empty rows, which would break its preconditioners. Its iterates are
// projected on the bounds before they are judged. Its time does not include the copy of the matrix into its
// own storage.
#include <fmt/format.h>
#include <petsctao.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

#include "slipstick/base/error.hpp"
#include "slipstick/base/timer.hpp"
#include "slipstick/catalog/catalog.hpp"
#include "slipstick/io/report/table_headers.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/measures/measures.hpp"
#include "slipstick/scenes/uic.hpp"

namespace slipstick::internal::bench {
namespace {

void check(PetscErrorCode code) {
  if (code != 0) fail("PETSc reports the error {}", static_cast<int>(code));
}

struct PeerOptions {
  int dimension = 3;
  int resolution = 64;
  double tolerance = 1e-8;
  int repetitions = 5;
  double time_limit = 120.0;  // of a run of TAO, in seconds
  std::uint64_t seed = 1;
};

// The problem as given, and without its empty rows in PETSc's storage.
class PetscProblem {
 public:
  explicit PetscProblem(const Problem& problem) : problem_(problem) {
    ruler_.prepare(problem);
    const auto a = problem.A.assemble();
    for (int i = 0; i < a->rows(); ++i) {
      if (entry(*a, i, i) > 0.0) rows_.push_back(i);
    }
    const CsrMatrix kept = principal_submatrix(*a, rows_);
    const PetscInt n = static_cast<PetscInt>(kept.rows());
    // PETSc works on these arrays and does not copy them.
    start_.assign(kept.outerIndexPtr(), kept.outerIndexPtr() + n + 1);
    column_.assign(kept.innerIndexPtr(), kept.innerIndexPtr() + kept.nonZeros());
    value_.assign(kept.valuePtr(), kept.valuePtr() + kept.nonZeros());
    check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, start_.data(), column_.data(), value_.data(), &A));
    check(MatSetOption(A, MAT_SPD, PETSC_TRUE));
    check(MatCreateVecs(A, &x, &b));
    check(VecDuplicate(x, &lower));
    check(VecDuplicate(x, &upper));
    check(VecDuplicate(x, &work));
    set(b, [&](int row) { return problem.b[row]; });
    set(lower, [&](int row) { return problem.K.lower()[row]; });
    full_x_ = Vector::Zero(problem.b.size());
    full_w_.resize(problem.b.size());
  }
  PetscProblem(const PetscProblem&) = delete;
  PetscProblem& operator=(const PetscProblem&) = delete;
  ~PetscProblem() {
    MatDestroy(&A);
    for (Vec* vector : {&x, &b, &lower, &upper, &work}) VecDestroy(vector);
  }

  void set_upper(double bound) {
    set(upper, [&](int row) { return std::min(bound, problem_.K.upper()[row]); });
  }
  Index rows() const { return static_cast<Index>(rows_.size()); }

  /// Our scaled natural map of PETSc's iterate, projected on the bounds.
  double error(Vec iterate) {
    const PetscScalar* values = nullptr;
    check(VecGetArrayRead(iterate, &values));
    for (std::size_t k = 0; k < rows_.size(); ++k) full_x_[rows_[k]] = values[k];
    check(VecRestoreArrayRead(iterate, &values));
    problem_.K.project(full_x_);
    problem_.A.multiply(full_x_, full_w_);
    full_w_ += problem_.b;
    return ruler_(full_x_, full_w_);
  }

  Mat A = nullptr;
  Vec x = nullptr, b = nullptr, lower = nullptr, upper = nullptr, work = nullptr;

 private:
  template <class Value>
  void set(Vec vector, const Value& value) {
    PetscScalar* values = nullptr;
    check(VecGetArray(vector, &values));
    for (std::size_t k = 0; k < rows_.size(); ++k) values[k] = value(rows_[k]);
    check(VecRestoreArray(vector, &values));
  }

  const Problem& problem_;
  Ruler ruler_;
  std::vector<int> rows_;  // of the problem that are not empty
  std::vector<PetscInt> start_;
  std::vector<PetscInt> column_;
  std::vector<PetscScalar> value_;
  Vector full_x_;
  Vector full_w_;
};

// One way to run TAO.
struct Variant {
  const char* method;          // TaoType
  const char* preconditioner;  // PCType
  double linear_tolerance;     // relative, of the linear solves; 0: TAO's own rule
  bool needs_upper;            // an interior point method cannot do without finite bounds
};
constexpr Variant variants[] = {
    {TAOGPCG, PCICC, 1e-1, false},    {TAOGPCG, PCICC, 1e-2, false},    {TAOGPCG, PCICC, 1e-5, false},
    {TAOGPCG, PCJACOBI, 1e-1, false}, {TAOGPCG, PCJACOBI, 1e-2, false}, {TAOBQPIP, PCICC, 0.0, true},
    {TAOBQPIP, PCJACOBI, 0.0, true},  {TAOBNTR, PCICC, 0.0, false},     {TAOBNLS, PCICC, 0.0, false},
    {TAOTRON, PCICC, 0.0, false},
};

std::string name(const Variant& v) {
  return v.linear_tolerance > 0.0 ? fmt::format("{} {:g}", v.preconditioner, v.linear_tolerance)
                                  : v.preconditioner;
}

// What one method did, best of its runs.
struct Record {
  std::string method;
  std::string variant;
  double seconds = std::numeric_limits<double>::infinity();
  PetscInt iterations = 0;
  PetscInt linear_iterations = 0;
  double error = std::numeric_limits<double>::infinity();
  bool reached = false;
};

struct Run {
  PetscProblem* problem;
  double tolerance;
  double time_limit;
  PetscInt last_iteration;  // stop here without asking the ruler; -1: ask it after every iteration
  Timer timer = {};
};

PetscErrorCode objective_and_gradient(Tao, Vec x, PetscReal* value, Vec gradient, void* context) {
  const PetscProblem& p = *static_cast<const PetscProblem*>(context);
  PetscReal linear = 0.0;
  PetscFunctionBeginUser;
  PetscCall(MatMult(p.A, x, gradient));
  PetscCall(VecDot(gradient, x, value));
  PetscCall(VecDot(p.b, x, &linear));
  *value = 0.5 * *value + linear;
  PetscCall(VecAXPY(gradient, 1.0, p.b));
  PetscFunctionReturn(0);
}

PetscErrorCode constant_hessian(Tao, Vec, Mat, Mat, void*) {
  PetscFunctionBeginUser;
  PetscFunctionReturn(0);
}

PetscErrorCode stop_rule(Tao tao, void* context) {
  const Run& run = *static_cast<const Run*>(context);
  PetscInt iteration = 0;
  Vec x = nullptr;
  PetscFunctionBeginUser;
  PetscCall(TaoGetIterationNumber(tao, &iteration));
  if (run.last_iteration >= 0) {
    if (iteration >= run.last_iteration) PetscCall(TaoSetConvergedReason(tao, TAO_CONVERGED_USER));
    PetscFunctionReturn(0);
  }
  PetscCall(TaoGetSolution(tao, &x));
  if (run.problem->error(x) <= run.tolerance) {
    PetscCall(TaoSetConvergedReason(tao, TAO_CONVERGED_USER));
  } else if (run.timer.seconds() > run.time_limit) {
    PetscCall(TaoSetConvergedReason(tao, TAO_DIVERGED_USER));
  }
  PetscFunctionReturn(0);
}

// A new Tao object, timed from its creation to the end of the solve.
Record run_tao(PetscProblem& problem, const Variant& variant, double upper, const PeerOptions& options,
               PetscInt last_iteration) {
  problem.set_upper(variant.needs_upper ? upper : PETSC_INFINITY);
  check(VecSet(problem.x, 0.0));
  Run run{&problem, options.tolerance, options.time_limit, last_iteration};
  Tao tao = nullptr;
  KSP linear_solver = nullptr;
  PC preconditioner = nullptr;
  check(TaoCreate(PETSC_COMM_SELF, &tao));
  check(TaoSetType(tao, variant.method));
  check(TaoSetSolution(tao, problem.x));
  check(TaoSetVariableBounds(tao, problem.lower, problem.upper));
  check(TaoSetObjectiveAndGradient(tao, nullptr, objective_and_gradient, &problem));
  check(TaoSetHessian(tao, problem.A, problem.A, constant_hessian, nullptr));
  check(TaoSetConvergenceTest(tao, stop_rule, &run));
  check(TaoGetKSP(tao, &linear_solver));
  check(KSPGetPC(linear_solver, &preconditioner));
  check(PCSetType(preconditioner, variant.preconditioner));
  if (variant.linear_tolerance > 0.0) {
    check(KSPSetTolerances(linear_solver, variant.linear_tolerance, PETSC_DEFAULT, PETSC_DEFAULT,
                           PETSC_DEFAULT));
  }
  check(TaoSolve(tao));

  Record record{variant.method, name(variant)};
  record.seconds = run.timer.seconds();
  check(TaoGetIterationNumber(tao, &record.iterations));
  check(TaoGetLinearSolveIterations(tao, &record.linear_iterations));
  record.error = problem.error(problem.x);
  record.reached = record.error <= options.tolerance;
  check(TaoDestroy(&tao));
  return record;
}

// Ours, by a new solver object or by one that has solved the same problem before.
Record run_ours(Solver& solver, const Problem& problem, const PeerOptions& options, Record record) {
  Settings settings;
  settings.tolerance = options.tolerance;
  Result result;
  const Timer timer;
  solver.solve(problem, settings, result);
  record.seconds = timer.seconds();
  record.iterations = static_cast<PetscInt>(result.counts.iterations);
  record.linear_iterations = static_cast<PetscInt>(result.counts.products);
  record.error = result.measures.scaled_natural_map;
  record.reached = result.solved();
  return record;
}

void keep_best(Record& best, const Record& record) {
  if (record.seconds < best.seconds) best = record;
}

void print_csv(const Record& r, const PeerOptions& options, Index unknowns, double ours) {
  fmt::print("uic,{},{},{},{},{},{:g},{:.6f},{},{},{:.3e},{},{:.3f}\n", options.dimension, options.resolution,
             unknowns, r.method, r.variant, options.tolerance, r.seconds, r.iterations, r.linear_iterations,
             r.error, r.reached ? "reached" : "not reached", r.seconds / ours);
}

void print_table(const std::vector<Record>& records, double ours) {
  fmt::print(stderr, "{:<10}{:<18}{:>10}{:>8}{:>10}{:>14}{:>10}\n", "method", "variant", "seconds", "iter.",
             "linear", "natural map", "ratio");
  for (const Record& r : records) {
    fmt::print(stderr, "{:<10}{:<18}{:>10.4f}{:>8}{:>10}{:>14.2e}{:>10.2f}{}\n", r.method, r.variant,
               r.seconds, r.iterations, r.linear_iterations, r.error, r.seconds / ours,
               r.reached ? "" : "  not reached");
  }
}

void compare(const PeerOptions& options) {
  UicOptions uic{.dimension = options.dimension, .resolution = options.resolution, .seed = options.seed};
  const Problem problem = uic_pressure(uic);
  PetscProblem peer(problem);

  // A first round: which variants get there, and at which iteration.
  constexpr std::string_view our_methods[] = {"mprgp", "pmprgp"};
  std::vector<std::unique_ptr<Solver>> kept;
  std::vector<Record> ours;
  double largest = 0.0;
  for (const std::string_view method : our_methods) {
    kept.push_back(make_solver(method));
    Result result;
    Settings settings;
    settings.tolerance = options.tolerance;
    kept.back()->solve(problem, settings, result);
    largest = std::max(largest, result.x.maxCoeff());
    ours.push_back({std::string(method), "new"});
    ours.push_back({std::string(method), "kept"});
  }
  const double upper = 10.0 * largest;
  std::vector<Record> theirs;
  for (const Variant& variant : variants) {
    theirs.push_back(run_tao(peer, variant, upper, options, -1));
    if (theirs.back().reached) theirs.back().seconds = std::numeric_limits<double>::infinity();
  }

  for (int repetition = 0; repetition < options.repetitions; ++repetition) {
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const std::unique_ptr<Solver> fresh = make_solver(our_methods[k]);
      keep_best(ours[2 * k], run_ours(*fresh, problem, options, ours[2 * k]));
      keep_best(ours[2 * k + 1], run_ours(*kept[k], problem, options, ours[2 * k + 1]));
    }
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      if (!theirs[k].reached) continue;
      keep_best(theirs[k], run_tao(peer, variants[k], upper, options, theirs[k].iterations));
    }
  }
  // Ratios are to pmprgp by a new solver object.
  const double reference = ours[2].seconds;
  std::vector<Record> all = ours;
  all.insert(all.end(), theirs.begin(), theirs.end());
  fmt::print("# {} rows, {} of them not empty; ratio: seconds / seconds of a new pmprgp\n", problem.b.size(),
             peer.rows());
  fmt::print("{}\n", report::tao_header);
  for (const Record& record : all) print_csv(record, options, problem.b.size(), reference);
  print_table(all, reference);
}

int run(int argc, char** argv) {
  PeerOptions options;
  CLI::App app("PETSc TAO against mprgp and pmprgp on the UIC pressure problem: CSV, and a table on stderr");
  app.add_option("--dimension", options.dimension, "2 or 3")->check(CLI::Range(2, 3))->capture_default_str();
  app.add_option("--resolution", options.resolution, "cells along an edge")
      ->check(CLI::Range(2, 1024))
      ->capture_default_str();
  app.add_option("--tolerance", options.tolerance, "of the scaled natural map")->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "turns, the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--time-limit", options.time_limit, "seconds a run of TAO may take")->capture_default_str();
  app.add_option("--seed", options.seed, "of the problem")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    check(PetscInitializeNoArguments());
    compare(options);
    check(PetscFinalize());
  } catch (const Error& error) {
    fmt::print(stderr, "slipstick-peer-tao: {}\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace slipstick::internal::bench

int main(int argc, char** argv) {
  return slipstick::internal::bench::run(argc, argv);
}
