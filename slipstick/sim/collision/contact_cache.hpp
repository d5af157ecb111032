// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <iosfwd>
#include <vector>

namespace slipstick::internal {

/// A contact as the next step knows it again.
struct KnownContact {
  std::array<int, 2> bodies = {-1, -1};
  std::array<int, 2> shapes = {-1, -1};  ///< placed ones, by their number in the scene
  int feature = -1;                      ///< its number among the contacts of the two bodies
  /// Its place in the axes of each body.
  std::array<Eigen::Vector3d, 2> places = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  double reach = 0.0;  ///< a contact of the next step at this distance is the same; not kept
};

/// Numbers the contacts of two bodies so that a contact keeps its number from step to step: that of the
/// nearest one before, on either body, between the same shapes. New contacts have the lowest free numbers.
class ContactCache {
 public:
  /// Sets the features of contacts in the order of their bodies and shapes, and keeps them for the next call.
  /// Throws Error if two bodies have more than most_features, and then changes nothing.
  void number(std::vector<KnownContact>& contacts);

  void save(std::ostream& to) const;
  /// Throws Error if it is something else, or bodies and shapes have other numbers, and then changes nothing.
  void restore(std::istream& from, int bodies, int shapes);

 private:
  void match(std::vector<KnownContact>& contacts, std::size_t begin, std::size_t end, std::size_t old_begin,
             std::size_t old_end);

  std::vector<KnownContact> known_;  // in the order of their bodies and shapes
  std::vector<char> old_taken_, used_;
};

}  // namespace slipstick::internal
