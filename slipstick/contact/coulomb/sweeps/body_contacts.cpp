// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/contact/coulomb/sweeps/body_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace slipstick::internal {
namespace {

constexpr int body_entries = BodyContacts::dofs * BodyContacts::dofs;

// L <- the lower factor of a positive semidefinite matrix, row by row. A direction without inverse mass has a
// column of zeros. Returns false if the matrix is not positive semidefinite.
bool factorize_body(double* L) {
  constexpr int n = BodyContacts::dofs;
  for (int c = 0; c < n; ++c) {
    double diagonal = L[n * c + c];
    const double given = diagonal;
    for (int k = 0; k < c; ++k) diagonal -= L[n * c + k] * L[n * c + k];
    if (!(diagonal >= -1e-12 * std::abs(given))) return false;
    const double root = diagonal > 1e-14 * given ? std::sqrt(diagonal) : 0.0;
    L[n * c + c] = root;
    for (int a = c + 1; a < n; ++a) {
      double entry = L[n * a + c];
      for (int k = 0; k < c; ++k) entry -= L[n * a + k] * L[n * c + k];
      L[n * a + c] = root > 0.0 ? entry / root : 0.0;
    }
    for (int a = 0; a < c; ++a) L[n * a + c] = 0.0;
  }
  return true;
}

}  // namespace

bool BodyContacts::takes(const ContactBlocks& blocks) {
  const DelassusOperator* bodies = blocks.bodies();
  return bodies != nullptr && blocks.dimension() == 3 && bodies->dofs_per_body() == dofs &&
         !blocks.has_joints() && bodies->constraints().size() == static_cast<std::size_t>(blocks.nodes());
}

bool BodyContacts::assign(const ContactBlocks& blocks, const Island& island) {
  if (version_ == blocks.version() && begin_ == island.begin) return available_;
  version_ = blocks.version();
  begin_ = island.begin;
  const DelassusOperator& bodies = *blocks.bodies();
  available_ = find_roots(bodies);
  if (!available_) return false;
  number_.assign(static_cast<std::size_t>(bodies.bodies()), -1);
  velocities_ = 0;
  records_.resize(static_cast<std::size_t>(island.contacts()));
  for (int i = island.begin; i < island.end; ++i) {
    const auto given = static_cast<std::size_t>(blocks.given(i));
    const Constraint& constraint = bodies.constraints()[given];
    Record& record = records_[static_cast<std::size_t>(i - begin_)];
    std::fill_n(record.own, 9, 0.0);
    for (int a = 0; a < 3; ++a) record.compliance[a] = blocks.compliance(i, a);
    for (int side = 0; side < 2; ++side) {
      const int body = constraint.body[side];
      double* rows = record.rows[side];
      std::fill_n(rows, 3 * dofs, 0.0);
      record.first[side] = -1;
      if (body < 0 || !moves(body)) continue;
      int& number = number_[static_cast<std::size_t>(body)];
      if (number < 0) {
        number = static_cast<int>(velocities_);
        velocities_ += dofs;
      }
      record.first[side] = number;
      const double* J = bodies.block(given, side);
      const double* L = roots_.data() + static_cast<Index>(body_entries) * body;
      for (int a = 0; a < 3; ++a)
        for (int e = 0; e < dofs; ++e)
          for (int k = e; k < dofs; ++k) rows[dofs * a + e] += J[dofs * a + k] * L[dofs * k + e];
    }
    const bool same = record.first[0] >= 0 && record.first[0] == record.first[1];
    for (int a = 0; a < 3; ++a) {
      for (int c = 0; c < 3; ++c) {
        double& entry = record.own[3 * a + c];
        for (int e = 0; e < dofs; ++e) {
          const double left[2] = {record.rows[0][dofs * a + e], record.rows[1][dofs * a + e]};
          const double right[2] = {record.rows[0][dofs * c + e], record.rows[1][dofs * c + e]};
          entry +=
              same ? (left[0] + left[1]) * (right[0] + right[1]) : left[0] * right[0] + left[1] * right[1];
        }
      }
    }
  }
  return true;
}

bool BodyContacts::moves(int body) const {
  const auto first = roots_.begin() + static_cast<Index>(body_entries) * body;
  return std::any_of(first, first + body_entries, [](double value) { return value != 0.0; });
}

bool BodyContacts::find_roots(const DelassusOperator& bodies) {
  const auto masses = bodies.inverse_mass_values();
  const bool diagonal = masses.size() == static_cast<std::size_t>(bodies.dofs());
  roots_.assign(static_cast<std::size_t>(body_entries * bodies.bodies()), 0.0);
  for (Index body = 0; body < bodies.bodies(); ++body) {
    double* L = roots_.data() + body_entries * body;
    if (diagonal) {
      for (Index e = 0; e < dofs; ++e)
        L[(dofs + 1) * e] = std::sqrt(std::max(0.0, masses[static_cast<std::size_t>(dofs * body + e)]));
    } else {
      std::copy_n(masses.begin() + body_entries * body, body_entries, L);
      if (!factorize_body(L)) return false;
    }
  }
  return true;
}

void BodyContacts::set_velocities(const Island& island, const double* r, double* v) const {
  std::fill_n(v, velocities_, 0.0);
  for (int i = island.begin; i < island.end; ++i) push(i, r + static_cast<Index>(3) * i, v);
}

}  // namespace slipstick::internal
