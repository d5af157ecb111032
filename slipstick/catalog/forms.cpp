// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/forms.hpp"

#include "slipstick/measures/contact_measures.hpp"

namespace slipstick::internal {

KktConditions::KktConditions(const Problem& problem, int threads)
    : given_(problem), kkt_(to_kkt(problem)), problem_(to_problem(kkt_.mixed)), threads_(threads) {
  ruler_.prepare(problem);
}

void KktConditions::certify(DriverResult& result) const {
  const Vector z = result.x;
  kkt_.recover(given_, z, result);
  measure(given_, ruler_, result, threads_, result.measures);
}

void LocalContacts::certify(DriverResult& result) const {
  ruler_.prepare(problem_, law_);
  measure(problem_, ruler_, result, 1, result.measures);
}

void CondensedContacts::certify(DriverResult& result) const {
  condensed_.velocity(result.r, result.l, result.v);
  measure(problem_, law_, condensed_.inverse(), condensed_.diagonal(), scratch_, result, result.measures);
}

ConvexContacts::ConvexContacts(const LocalContactProblem& problem, const ImpulseProblem& impulses,
                               const Form& outer)
    : rows_(problem.q.size()),
      bilateral_(problem.bilateral ? problem.bilateral->s.size() : 0),
      impulses_(impulses),
      outer_(outer) {}

void ConvexContacts::certify(DriverResult& result) const {
  result.r.resize(rows_);
  result.l.resize(bilateral_);
  impulses_.expand(result.x, result.r, result.l);
  outer_.certify(result);
}

bool ConvexContacts::convert(const WarmStart& given, WarmStart& start) const {
  const bool complete = given.x.size() == rows_ + bilateral_;
  if (given.x.size() != rows_ && !complete) return false;
  impulses_.restrict_impulses(given.x.head(rows_), given.x.tail(complete ? bilateral_ : 0), start.x);
  return true;
}

}  // namespace slipstick::internal
