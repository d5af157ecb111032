// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/scenes/rigid_contacts.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "slipstick/base/error.hpp"
#include "slipstick/linalg/operator.hpp"

namespace slipstick::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Calls visit(row, column, value) for the entries of H of one contact. The columns of each row ascend.
template <class Visit>
void visit_entries(const RigidContact& contact, int index, const Visit& visit) {
  const Matrix3d frame = contact_frame(contact.normal);
  for (const bool first : {true, false}) {
    const int body = first ? contact.first : contact.second;
    if (body < 0) continue;
    const double sign = first ? 1.0 : -1.0;
    const Vector3d& arm = first ? contact.first_arm : contact.second_arm;
    for (int k = 0; k < 3; ++k) {
      const Vector3d axis = sign * frame.col(k);
      const Vector3d moment = arm.cross(axis);
      // The arm of a sphere is along its normal, so its moment is only rounding.
      const bool has_moment = k > 0 || moment.squaredNorm() > 1e-24 * arm.squaredNorm();
      for (int d = 0; d < 3; ++d) {
        if (axis[d] != 0.0) visit(body * RigidBodies::dofs + d, 3 * index + k, axis[d]);
      }
      for (int d = 0; d < 3 && has_moment; ++d) {
        if (moment[d] != 0.0) visit(body * RigidBodies::dofs + 3 + d, 3 * index + k, moment[d]);
      }
    }
  }
}

CsrMatrix contact_matrix(const std::vector<RigidContact>& contacts, Index bodies, const char* what) {
  const int count = static_cast<int>(contacts.size());
  CsrMatrix h(bodies * RigidBodies::dofs, 3 * static_cast<Index>(count));
  std::vector<Index> start(static_cast<std::size_t>(h.rows()) + 1, 0);
  for (int c = 0; c < count; ++c)
    visit_entries(contacts[c], c, [&](int row, int, double) { ++start[row + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  if (start.back() > std::numeric_limits<int>::max())
    fail("{}: {} contacts are too many for 32-bit indices", what, count);
  h.resizeNonZeros(start.back());
  std::copy(start.begin(), start.end(), h.outerIndexPtr());
  for (int c = 0; c < count; ++c) {
    visit_entries(contacts[c], c, [&](int row, int column, double value) {
      h.innerIndexPtr()[start[row]] = column;
      h.valuePtr()[start[row]++] = value;
    });
  }
  return h;
}

}  // namespace

Matrix3d contact_frame(const Vector3d& normal) {
  Matrix3d frame;
  const bool vertical = std::abs(normal.z()) > 0.9;
  const Vector3d first =
      (vertical ? Vector3d(Vector3d::UnitY().cross(normal)) : Vector3d(Vector3d::UnitZ().cross(normal)))
          .normalized();
  frame << normal, first, normal.cross(first);
  return frame;
}

int RigidBodies::add(double mass, const Matrix3d& inertia) {
  masses_.push_back(mass);
  inertias_.push_back(inertia);
  impulses_.push_back(Vector3d::Zero());
  moments_.push_back(Vector3d::Zero());
  return count() - 1;
}

void RigidBodies::push(int body, const Vector3d& impulse) {
  impulses_[static_cast<std::size_t>(body)] += impulse;
}

void RigidBodies::move(int body, const Vector3d& velocity, const Vector3d& spin) {
  const auto b = static_cast<std::size_t>(body);
  impulses_[b] += masses_[b] * velocity;
  moments_[b] += inertias_[b] * spin;
}

GlobalContactProblem RigidBodies::problem(const std::vector<RigidContact>& contacts, double friction,
                                          const char* what) const {
  GlobalContactProblem problem;
  const Index bodies = count();
  problem.f.resize(bodies * RigidBodies::dofs);
  std::vector<Triplet> entries;
  entries.reserve(static_cast<std::size_t>(bodies * RigidBodies::dofs + RigidBodies::dofs));
  for (int body = 0; body < count(); ++body) {
    const auto b = static_cast<std::size_t>(body);
    const int row = body * RigidBodies::dofs;
    for (int d = 0; d < 3; ++d) {
      entries.push_back({row + d, row + d, masses_[b]});
      for (int e = 0; e < 3; ++e) {
        if (inertias_[b](d, e) != 0.0) entries.push_back({row + 3 + d, row + 3 + e, inertias_[b](d, e)});
      }
    }
    problem.f.segment<3>(row) = impulses_[b];
    problem.f.segment<3>(row + 3) = moments_[b];
  }
  problem.M = csr_from_triplets(bodies * RigidBodies::dofs, bodies * RigidBodies::dofs, entries);
  problem.H = contact_matrix(contacts, bodies, what);
  problem.w = Vector::Zero(problem.H.cols());
  problem.mu = Vector::Constant(static_cast<Index>(contacts.size()), friction);
  return problem;
}

}  // namespace slipstick::internal
