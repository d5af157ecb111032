// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/catalog/forms.hpp"

#include "slipstick/measures/certificate.hpp"
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
  if (result.ray.size() != z.size() || result.ray.size() == given_.b.size()) return;
  // A ray of the conditions is one of x, or multipliers that contradict each other.
  const Vector ray = result.ray;
  result.ray = ray.head(kkt_.unknowns);
  result.farkas = Vector::Zero(given_.rows->G->rows());
  for (std::size_t k = 0; k < kkt_.bounded.size(); ++k)
    result.farkas[kkt_.bounded[k]] = ray[ray.size() - static_cast<Index>(kkt_.bounded.size() - k)];
  check_proof(given_, result);
}

void LocalContacts::certify(DriverResult& result) const {
  ruler_.prepare(problem_, law_, result.friction_bounds);
  measure(problem_, ruler_, result, 1, result.measures);
}

void CondensedContacts::certify(DriverResult& result) const {
  condensed_.velocity(result.r, result.v);
  measure(problem_, law_, condensed_.inverse(), condensed_.diagonal(), scratch_, result, result.measures);
}

void ConvexContacts::certify(DriverResult& result) const {
  result.r.resize(problem_.q.size());
  impulses_.expand(result.x, result.r);
  outer_.certify(result);
}

bool ConvexContacts::convert(const WarmStart& given, WarmStart& start) const {
  if (given.x.size() != problem_.q.size() && given.x.size() != problem_.contact_rows()) return false;
  start.x.setZero(static_cast<Index>(impulses_.rows.size()));
  for (std::size_t k = 0; k < impulses_.rows.size(); ++k)
    if (impulses_.rows[k] < given.x.size()) start.x[static_cast<Index>(k)] = given.x[impulses_.rows[k]];
  return true;
}

}  // namespace slipstick::internal
