// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Clp: its primal simplex method and its barrier method for QPs. The latter is called by itself and by way of
// initialSolve, which scales first.
#include <ClpCholeskyBase.hpp>
#include <ClpInterior.hpp>
#include <ClpSimplex.hpp>
#include <ClpSolve.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>

#include "bench/peers/contest.hpp"
#include "slipstick/linalg/csr_matrix.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal::bench {
namespace {

// Bounds as Clp has them.
std::vector<double> clp_bounds(const auto& values) {
  std::vector<double> bounds(static_cast<std::size_t>(values.size()));
  for (std::size_t k = 0; k < bounds.size(); ++k)
    bounds[k] = std::clamp(values[static_cast<Index>(k)], -COIN_DBL_MAX, COIN_DBL_MAX);
  return bounds;
}

// A QP in Clp's storage. It is loaded for every solve, because a solve changes it.
class ClpData {
 public:
  explicit ClpData(const Problem& problem) : b_(problem.b) {
    const CsrMatrix& g = *problem.rows->G;
    rows_ = CoinPackedMatrix(false, static_cast<int>(g.cols()), static_cast<int>(g.rows()),
                             static_cast<CoinBigIndex>(g.nonZeros()), g.valuePtr(), g.innerIndexPtr(),
                             g.outerIndexPtr(), nullptr);
    lower_ = clp_bounds(problem.K.lower());
    upper_ = clp_bounds(problem.K.upper());
    row_lower_ = clp_bounds(problem.rows->lower);
    row_upper_ = clp_bounds(problem.rows->upper);
    // The lower triangle, column by column, is the upper one of the symmetric matrix, row by row.
    const CsrMatrix a = *problem.A.assemble();
    start_.push_back(0);
    for (Index i = 0; i < a.rows(); ++i) {
      for (CsrMatrix::InnerIterator entry(a, i); entry; ++entry) {
        if (entry.col() < i) continue;
        index_.push_back(static_cast<int>(entry.col()));
        value_.push_back(entry.value());
      }
      start_.push_back(static_cast<CoinBigIndex>(index_.size()));
    }
  }

  void load(auto& model, double tolerance) const {
    model.setLogLevel(0);
    model.loadProblem(rows_, lower_.data(), upper_.data(), b_.data(), row_lower_.data(), row_upper_.data());
    if (!value_.empty())
      model.loadQuadraticObjective(static_cast<int>(b_.size()), start_.data(), index_.data(), value_.data());
    if (tolerance > 0.0) {
      model.setPrimalTolerance(std::clamp(tolerance, 1e-12, 1e-2));
      model.setDualTolerance(std::clamp(tolerance, 1e-12, 1e-2));
    }
  }

 private:
  Vector b_;
  CoinPackedMatrix rows_;
  std::vector<double> lower_, upper_, row_lower_, row_upper_;
  std::vector<CoinBigIndex> start_;
  std::vector<int> index_;
  std::vector<double> value_;
};

enum class ClpMethod { barrier, initial_barrier, primal };

class ClpAttempt : public Attempt {
 public:
  ClpAttempt(const Problem& problem, ClpMethod method) : data_(problem), method_(method) {}

  void solve(double tolerance) override {
    if (method_ == ClpMethod::barrier) {
      ClpInterior model;
      data_.load(model, tolerance);
      auto* cholesky = new ClpCholeskyBase();  // the model deletes it
      cholesky->setKKT(true);                  // as Clp does for quadratic objectives
      model.setCholesky(cholesky);
      model.primalDual();
      keep(model);
    } else {
      ClpSimplex model;
      data_.load(model, tolerance);
      if (method_ == ClpMethod::primal) {
        model.primal();
      } else {
        ClpSolve options;
        options.setSolveType(ClpSolve::useBarrierNoCross);
        options.setPresolveType(ClpSolve::presolveOff);
        model.initialSolve(options);
      }
      keep(model);
    }
  }
  const Vector& answer() const override { return x_; }
  const Vector& multipliers() const override { return multipliers_; }
  bool calls_solved() const override { return solved_; }

 private:
  void keep(const ClpModel& model) {
    x_ = Eigen::Map<const Vector>(model.primalColumnSolution(), model.numberColumns());
    multipliers_ = Eigen::Map<const Vector>(model.dualRowSolution(), model.numberRows());
    solved_ = model.isProvenOptimal();
  }

  ClpData data_;
  ClpMethod method_;
  Vector x_;
  Vector multipliers_;
  bool solved_ = false;
};

Contestant clp(const char* name, ClpMethod method) {
  return {name, false, false, [](const ContestProblem& problem) { return problem.is_smooth_qp(); },
          [method](const ContestProblem& problem) -> std::unique_ptr<Attempt> {
            return std::make_unique<ClpAttempt>(std::get<Problem>(problem.problem), method);
          }};
}

}  // namespace

void add_clp(std::vector<Contestant>& contestants) {
  contestants.push_back(clp("clp:barrier", ClpMethod::barrier));
  contestants.push_back(clp("clp:initial-barrier", ClpMethod::initial_barrier));
  contestants.push_back(clp("clp:primal", ClpMethod::primal));
}

}  // namespace slipstick::internal::bench
