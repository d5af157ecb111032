// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/problem.hpp"

namespace slipstick::internal::bench {

/// A problem that all contestants get.
struct ContestProblem {
  std::string name;
  AnyProblem problem;
  std::optional<double> optimum = {};  ///< published objective

  ProblemClass problem_class() const { return classify(problem); }
  Index contacts() const;
  bool is_contact() const;
  bool is_qp() const { return problem_class() == ProblemClass::qp; }
  /// A QP with bounds and linear rows, and without cones.
  bool is_smooth_qp() const;
  /// An LCP or a mixed LCP as a mixed LCP; nothing if it is neither.
  std::optional<MixedLcp> mixed_form() const;
  /// The same problem with another matrix and another right-hand side: both differ in the twelfth digit.
  ContestProblem changed() const;
};

/// The problem and, if it is in global form, its local form as a second problem. All contestants that take
/// the local form, also ours, are timed without the condensation.
std::vector<ContestProblem> contest_problems(std::string name, AnyProblem problem);

/// A solver with one problem in the storage that it likes best.
class Attempt {
 public:
  virtual ~Attempt() = default;
  /// Whether every solve needs a new copy of everything, made by renew().
  virtual bool wears_out() const { return false; }
  /// Not timed.
  virtual void renew() {}
  /// Solves from zero; what is timed. The tolerance is one of the solver's own measure, 0 its default.
  virtual void solve(double tolerance) = 0;
  /// What the last solve found: impulses of contact problems, else z (or x).
  virtual const Vector& answer() const = 0;
  /// Of the linear rows of a QP; else empty.
  virtual const Vector& multipliers() const {
    static const Vector none;
    return none;
  }
  /// Whether the solver itself calls the last answer solved.
  virtual bool calls_solved() const { return true; }
};

/// A solver that takes part.
struct Contestant {
  std::string name;
  bool ours = false;
  bool direct = false;  ///< its own tolerance is no stop rule: it is tried with its default first
  std::function<bool(const ContestProblem&)> takes;
  std::function<std::unique_ptr<Attempt>(const ContestProblem&)> prepare;
};

/// The contestant with a new matrix and a new right-hand side in every solve: it has the problem and the
/// changed problem by turns.
Contestant with_new_matrices(const Contestant& contestant);

/// Errors of an answer on the problem as given.
struct Verdict {
  /// De Saxce error of contact problems. QPs with linear rows: the distance of the objective from the
  /// published optimum if there is one, relative to it. Else the complementarity gap, relative to the
  /// objective (or to 1 if that is larger): the error of the objective if x is feasible. Others:
  /// ||z - P(z - w)|| / ||q||.
  double published = 0.0;
  double natural_map = 0.0;   ///< our scaled natural map
  bool called_solved = true;  ///< by the solver
};
Verdict judge(const ContestProblem& problem, const Vector& answer, const Vector& multipliers = {});

/// Adds the peers of the program: those for contact and complementarity, or those for QPs.
void add_peers(std::vector<Contestant>& contestants);
void add_siconos(std::vector<Contestant>& contestants);
void add_bullet(std::vector<Contestant>& contestants);
void add_tao(std::vector<Contestant>& contestants);
void add_ipopt(std::vector<Contestant>& contestants);
void add_clp(std::vector<Contestant>& contestants);

/// Seeded problems of our generators: LCPs, mixed ones and packings of spheres.
std::vector<ContestProblem> generated_problems();
/// QPs with linear rows of all families at three sizes, with about 200 to 1,000, 2,000 to 5,000 and 10,000 to
/// 20,000 rows. Some families have few rows and as many unknowns. Those with random data have two seeds.
std::vector<ContestProblem> generated_qps();

}  // namespace slipstick::internal::bench
