// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "slipstick/pair_finder.hpp"
#include "slipstick/run.hpp"
#include "slipstick/scene.hpp"

namespace slipstick::internal {

/// Two bodies that touch, or may touch during the step.
struct TouchPoint {
  std::uint64_t key = 0;                              ///< contact_key(first, second, feature)
  std::array<int, 2> bodies = {-1, -1};               ///< the first number is smaller
  std::array<int, 2> materials = {-1, -1};            ///< of the shapes that touch
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< from the second body to the first
  /// Where impulses act on each body. It is one point, midway between the surfaces, unless the step brings
  /// the bodies together from afar. Then it is the place on each body that will touch.
  std::array<Eigen::Vector3d, 2> points = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  /// How far the bodies must move along the normal until they touch; negative: penetration.
  double gap = 0.0;
};

/// What a step needs to know about contacts.
struct CollisionScope {
  double time_step = 0.0;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  /// Contacts with a gap of this share of the smaller shape's extent are listed even if they cannot close.
  double margin = 0.02;
};

/// Finds the contacts of the bodies of a scene.
///
/// A contact is listed if its bodies can close the gap in the step, by their velocities and gravity, so that
/// nothing tunnels. Normals and gaps of bodies that are apart are those where they meet on their straight way
/// through the step. Bodies that pass each other farther apart than the margin are not listed. The contacts
/// are a function of the poses, the velocities and of what save() writes. They are in the order of their
/// keys. Bodies that both are immovable do not touch. Every threshold is relative to the shapes.
class Collision {
 public:
  /// The scene is complete and valid (see model/). Pairs of bodies in `excluded` do not touch. Shapes that
  /// could meet, but whose contacts this build does not find, throw Error with their names. `pairs` finds the
  /// shapes that are near each other; null: trees do.
  Collision(const Scene& scene, std::span<const std::array<int, 2>> excluded,
            std::shared_ptr<PairFinder> pairs = nullptr);
  ~Collision();
  Collision(Collision&&) noexcept;
  Collision& operator=(Collision&&) noexcept;

  /// Once the contacts have settled, a call allocates nothing of its own.
  void find(std::span<const BodyState> bodies, const CollisionScope& scope, std::vector<TouchPoint>& touches);

  /// What contacts are known by, from step to step: their keys and where they were on their bodies.
  void save(std::ostream& to) const;
  /// Reads what save() wrote. Throws Error if it is something else, and then changes nothing.
  void restore(std::istream& from);

  /// The smallest extent of a body; infinity for planes, meshes and height fields, and without shapes.
  double smallest_extent(int body) const;

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace slipstick::internal
