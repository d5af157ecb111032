// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// Bullet's solvers of mixed linear complementarity problems, in double precision: A x = b + w with
// lo <= x <= hi, so b = -q. They take dense matrices and have no tolerance.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <cmath>

#include "bench/peers/contest.hpp"

namespace slipstick::internal::bench {
namespace {

constexpr Index most_rows = 2000;

bool is_lcp(const MixedLcp& mixed) {
  return (mixed.lower.array() == 0.0).all() && (mixed.upper.array() > 1e300).all();
}

template <class Solver>
class BulletAttempt : public Attempt {
 public:
  explicit BulletAttempt(const MixedLcp& mixed) {
    const int n = static_cast<int>(mixed.q.size());
    const DenseMatrix dense(*mixed.M.assemble());
    matrix_.resize(n, n);
    rhs_.resize(n);
    x_.resize(n);
    lower_.resize(n);
    upper_.resize(n);
    dependency_.resize(n, -1);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) matrix_.setElem(i, j, dense(i, j));
      rhs_[i] = -mixed.q[i];
      lower_[i] = std::isfinite(mixed.lower[i]) ? mixed.lower[i] : -BT_INFINITY;
      upper_[i] = std::isfinite(mixed.upper[i]) ? mixed.upper[i] : BT_INFINITY;
    }
    answer_.resize(n);
    // Without bounds above, Lemke's algorithm works on the problem itself and not on one of twice its size.
    if constexpr (requires { solver_.m_useLoHighBounds; }) {
      solver_.m_useLoHighBounds = !is_lcp(mixed);
      solver_.m_maxLoops = 100000;
      solver_.m_maxValue = BT_INFINITY;
    }
  }

  void solve(double tolerance) override {
    x_.setZero();
    int sweeps = 1;
    if constexpr (requires { solver_.m_leastSquaresResidualThreshold; }) {
      // The squared length of a sweep's change.
      solver_.m_leastSquaresResidualThreshold = tolerance * tolerance;
      sweeps = 100000000;
    }
    solver_.solveMLCP(matrix_, rhs_, x_, lower_, upper_, dependency_, sweeps);
    for (int i = 0; i < x_.rows(); ++i) answer_[i] = x_[i];
  }
  const Vector& answer() const override { return answer_; }

 private:
  Solver solver_;
  btMatrixXu matrix_;
  btVectorXu rhs_;
  btVectorXu x_;
  btVectorXu lower_;
  btVectorXu upper_;
  btAlignedObjectArray<int> dependency_;
  Vector answer_;
};

// Its guard against solutions above 1000 looks at the starting point and is of no consequence.
template <class Solver>
Contestant contestant(const char* name) {
  return {std::string("bullet:") + name, false, false,
          [](const ContestProblem& problem) {
            const auto mixed = problem.mixed_form();
            return mixed && mixed->q.size() <= most_rows;
          },
          [](const ContestProblem& problem) -> std::unique_ptr<Attempt> {
            return std::make_unique<BulletAttempt<Solver>>(*problem.mixed_form());
          }};
}

}  // namespace

void add_bullet(std::vector<Contestant>& contestants) {
  contestants.push_back(contestant<btDantzigSolver>("Dantzig"));
  contestants.push_back(contestant<btLemkeSolver>("Lemke"));
  contestants.push_back(contestant<btSolveProjectedGaussSeidel>("PGS"));
}

}  // namespace slipstick::internal::bench
