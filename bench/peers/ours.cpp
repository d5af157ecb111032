// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/ours.hpp"

#include <optional>

#include "slipstick/catalog/catalog.hpp"
#include "slipstick/catalog/contact_methods.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal::bench {
namespace {

// The driver with all it does around the method: checks, conversion, choice, proof. It is kept, as a time
// loop would keep it, and as peers keep what they derive from a matrix.
class OurAttempt : public Attempt {
 public:
  OurAttempt(const ContestProblem& problem, const std::string& solver, const OurTerms& terms)
      : contact_(problem.is_contact()),
        cold_(terms.cold),
        problems_{problem.problem},
        request_{.solver = solver,
                 .measure = contact_ && terms.published ? "desaxce" : "scaled_natural_map",
                 .friction = FrictionLaw::coulomb} {
    if (terms.new_matrices) problems_.push_back(problem.changed().problem);
  }

  void solve(double tolerance) override {
    const bool fresh = cold_ || !driver_;
    if (fresh) driver_.emplace(request_);
    if (fresh || tolerance != settings_.tolerance) {
      settings_.tolerance = tolerance;
      driver_->set(settings_);
    }
    driver_->solve(problems_[solves_++ % problems_.size()], result_);
  }
  const Vector& answer() const override { return contact_ ? result_.r : result_.x; }
  const Vector& multipliers() const override { return result_.multipliers; }
  bool calls_solved() const override { return result_.solved(); }

 private:
  bool contact_;
  bool cold_;
  std::vector<AnyProblem> problems_;  // in turns
  std::size_t solves_ = 0;
  SolveRequest request_;
  std::optional<Driver> driver_;
  Settings settings_;
  DriverResult result_;
};

// Contact methods and solvers of convex problems have names of their own.
bool takes(const std::string& solver, const ContestProblem& problem) {
  if (solver == "auto") return true;
  return problem.is_contact() ? takes_contacts(FrictionLaw::coulomb, 2, solver)
                              : find_solver(solver) != nullptr;
}

}  // namespace

void add_ours(const std::string& solver, const OurTerms& terms, std::vector<Contestant>& contestants) {
  // If it is none of them, the message lists them.
  if (solver != "auto" && !takes_contacts(FrictionLaw::coulomb, 2, solver)) make_solver(solver);
  contestants.push_back({"slipstick:" + solver, true, false,
                         [solver](const ContestProblem& problem) { return takes(solver, problem); },
                         [solver, terms](const ContestProblem& problem) -> std::unique_ptr<Attempt> {
                           return std::make_unique<OurAttempt>(problem, solver, terms);
                         }});
}

}  // namespace slipstick::internal::bench
