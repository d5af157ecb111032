// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "ours.hpp"

#include "slipstick/base/error.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/catalog/driver.hpp"

namespace slipstick::bench {
namespace {

// The driver with all it does around the method: checks, conversion, proof.
class OurAttempt : public Attempt {
 public:
  OurAttempt(const ContestProblem& problem, const std::string& solver) : problem_(problem.problem) {
    request_.solver = solver;
    request_.friction = FrictionLaw::coulomb;
    contact_ = problem.is_contact();
  }

  void solve(double tolerance) override {
    request_.settings.tolerance = tolerance;
    driver_.solve(problem_, request_, result_);
  }
  const Vector& answer() const override { return contact_ ? result_.r : result_.x; }

 private:
  const AnyProblem& problem_;
  bool contact_;
  SolveRequest request_;
  Driver driver_;
  DriverResult result_;
};

// Contact methods and solvers of convex problems have names of their own.
bool takes(const std::string& solver, const ContestProblem& problem) {
  if (solver == "auto") return true;
  if (!problem.is_contact()) return find_solver(solver) != nullptr;
  try {
    make_contact_solver(FrictionLaw::coulomb, 3, solver);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool is_known(const std::string& solver) {
  if (solver == "auto" || find_solver(solver) != nullptr) return true;
  make_contact_solver(FrictionLaw::coulomb, 3, solver);  // says what there is where it is none of them
  return true;
}

}  // namespace

void add_ours(const std::string& solver, std::vector<Contestant>& contestants) {
  if (!is_known(solver)) return;
  contestants.push_back({"slipstick:" + solver, true, false,
                         [solver](const ContestProblem& problem) { return takes(solver, problem); },
                         [solver](const ContestProblem& problem) -> std::unique_ptr<Attempt> {
                           return std::make_unique<OurAttempt>(problem, solver);
                         }});
}

}  // namespace slipstick::bench
