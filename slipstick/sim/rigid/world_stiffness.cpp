// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "slipstick/sim/rigid/world_work.hpp"

namespace slipstick {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using internal::RigidJoint;
using internal::StepContact;

// The part of a symmetric matrix with eigenvalues >= 0.
Matrix3d positive_part(const Matrix3d& matrix) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(matrix);
  const Matrix3d part = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
                        eigen.eigenvectors().transpose();
  return 0.5 * (part + part.transpose());
}

}  // namespace

// The stiffness of the turns of bodies under the last forces of their joints and contacts.
void World::Work::sum_stiffness() {
  std::fill(stiffness_.begin(), stiffness_.end(), Matrix3d::Zero());
  if (!scene_.stepping.geometric_stiffness) return;
  for (const RigidJoint& joint : joints_) {
    for (int side = 0; side < 2; ++side) {
      const int body = joint.bodies()[static_cast<std::size_t>(side)];
      if (body >= 0 && bodies_[static_cast<std::size_t>(body)].movable())
        stiffness_[static_cast<std::size_t>(body)] += joint.stiffness(bodies_, side);
    }
  }
  add_contact_stiffness();
  for (Matrix3d& stiffness : stiffness_)
    if (!stiffness.isZero(0.0)) stiffness = positive_part(stiffness);
}

void World::Work::add_contact_stiffness() {
  if (!(memory_step_ > 0.0)) return;
  contact_keys_.clear();
  for (const StepContact& contact : contacts_) contact_keys_.push_back(contact.key);
  memory_.recall(contact_keys_, 3, contact_impulses_);
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const StepContact& contact = contacts_[k];
    const auto impulse = contact_impulses_.x.segment<3>(3 * static_cast<Index>(k));
    if (impulse.isZero(0.0)) continue;
    const Vector3d force = internal::contact_frame(contact.normal) * impulse / memory_step_;
    for (const int side : {0, 1}) {
      const auto body = static_cast<std::size_t>(contact.bodies[static_cast<std::size_t>(side)]);
      if (!bodies_[body].movable()) continue;
      const Vector3d arm = contact.points[static_cast<std::size_t>(side)] - bodies_[body].position();
      stiffness_[body] += internal::turning_stiffness(arm, side == 0 ? force : Vector3d(-force));
    }
  }
}

}  // namespace slipstick
