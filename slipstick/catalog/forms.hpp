// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/forms/condense.hpp"
#include "slipstick/contact/forms/impulse_problem.hpp"
#include "slipstick/measures/contact_measures.hpp"
#include "slipstick/measures/ruler.hpp"
#include "slipstick/problems/convert.hpp"
#include "slipstick/solve.hpp"

namespace slipstick::internal {

/// What becomes of a problem before a method takes it. Answers are judged on the problem as given.
class Form {
 public:
  virtual ~Form() = default;
  /// Turns the answer to the form into one to the problem as given, and measures it there. The default is
  /// that of a problem that is solved as given.
  virtual void certify(DriverResult& /*result*/) const {}
  virtual bool is_as_given() const { return true; }
};

/// The Karush-Kuhn-Tucker conditions of a problem with linear rows: a mixed LCP, which bound solvers take.
class KktConditions : public Form {
 public:
  KktConditions(const Problem& problem, int threads);
  const Problem& problem() const { return problem_; }
  void certify(DriverResult& result) const override;
  bool is_as_given() const override { return false; }

 private:
  const Problem& given_;
  KktForm kkt_;
  Problem problem_;
  Ruler ruler_;
  int threads_;
};

/// Contact in local form, measured under a law. The ruler is scratch.
class LocalContacts : public Form {
 public:
  LocalContacts(const LocalContactProblem& problem, FrictionLaw law, ContactRuler& ruler)
      : problem_(problem), law_(law), ruler_(ruler) {}
  void certify(DriverResult& result) const override;
  bool is_as_given() const override { return false; }

 private:
  const LocalContactProblem& problem_;
  FrictionLaw law_;
  ContactRuler& ruler_;
};

/// Contact in global form by its local one.
class CondensedContacts : public Form {
 public:
  CondensedContacts(const GlobalContactProblem& problem, FrictionLaw law, const CondensedProblem& condensed,
                    GlobalMeasureScratch& scratch)
      : problem_(problem), law_(law), condensed_(condensed), scratch_(scratch) {}
  void certify(DriverResult& result) const override;
  bool is_as_given() const override { return false; }

 private:
  const GlobalContactProblem& problem_;
  FrictionLaw law_;
  const CondensedProblem& condensed_;
  GlobalMeasureScratch& scratch_;
};

/// Contact under a convex law as one convex problem in the impulses.
class ConvexContacts : public Form {
 public:
  /// `outer` is the form of the problem as given, and `impulses` its convex problem.
  ConvexContacts(const LocalContactProblem& problem, const ImpulseProblem& impulses, const Form& outer)
      : problem_(problem), impulses_(impulses), outer_(outer) {}
  void certify(DriverResult& result) const override;
  bool is_as_given() const override { return false; }
  /// Converts a start with all impulses, or with those of the contacts. Returns false if it has another size.
  bool convert(const WarmStart& given, WarmStart& start) const;

 private:
  const LocalContactProblem& problem_;
  const ImpulseProblem& impulses_;
  const Form& outer_;
};

}  // namespace slipstick::internal
