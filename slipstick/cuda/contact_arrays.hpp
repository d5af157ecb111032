// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

// What crosses the border between the host's code and the kernels' files: plain numbers. The kernels' files
// do not see Eigen, which would multiply the time to compile them.
namespace slipstick::internal {

/// How much a contact needs to know about its bodies. A kernel for less reads less.
enum class ContactShape {
  spheres,  ///< every arm is along the normal, and of one length per body; inertia is one number
  arms,     ///< two arms per contact; inertia is one number
  general,  ///< two arms, full inertia tensors, compliance, rows of joints
};

inline constexpr int contact_tile = 256;        ///< contacts are padded to a multiple of this
inline constexpr int heavy_body_contacts = 96;  ///< more of them are added by a whole block

/// The arrays of a ContactLayout, and those of a problem in its order.
struct ContactArrays {
  ContactShape shape = ContactShape::spheres;
  bool compliant = false;                  ///< the compliance of some contact or row is not zero
  int bodies = 0, contacts = 0, rows = 0;  // contacts: padded
  std::span<const int> pairs = {}, row_pairs = {};
  std::span<const int> first_start = {}, second_start = {}, second_list = {}, row_start = {}, row_list = {},
                       heavy = {};
  // In the order of colours alone: the contacts of a body as the first one, and the starts of colours.
  std::span<const int> first_list = {}, colour_start = {}, row_colour_start = {};
  std::span<const double> first_arms = {}, second_arms = {}, row_jacobians = {}, masses = {};
  std::span<const double> axes = {};        // (normal, mu)
  std::span<const double> load = {};        // b in world axes
  std::span<const double> scale = {};       // d by contact, then by row
  std::span<const double> compliance = {};  // (normal, tangents) by contact, then by row
  std::span<const double> bounds = {};      // (lower, upper) by row

  /// Numbers of a vector over contacts and rows.
  std::size_t size() const {
    return 3 * static_cast<std::size_t>(contacts) + static_cast<std::size_t>((rows + 1) / 2 * 2);
  }
};

}  // namespace slipstick::internal
