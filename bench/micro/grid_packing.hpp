// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/cuda/contact_layout.hpp"
#include "slipstick/problem.hpp"

namespace slipstick::internal {

/// Spheres on a jittered grid, numbered along a Morton curve. Those that are near enough touch: about three
/// contacts per sphere. It is made in seconds for ten million contacts, where a packing that rests would take
/// hours. Arms: contact points beside the line of centres. General: also full inertia tensors, a joint of
/// five rows for every hundredth sphere, and contacts of the lowest layer with the ground.
class GridPacking {
 public:
  GridPacking(int contacts, ContactShape shape, ContactOrder order);
  const ContactLayout& layout() const { return layout_; }
  /// All arrays of the problem.
  ContactArrays arrays() const;

 private:
  void lay(const WorldContacts& world, const Vector& mu, ContactOrder order);

  ContactLayout layout_;
  std::vector<double> axes_, load_, scale_, compliance_, bounds_;
};

}  // namespace slipstick::internal
