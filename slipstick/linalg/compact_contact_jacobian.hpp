// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/matrix.hpp"

namespace slipstick::internal {

/// The Jacobian of contacts between rigid bodies in 15 numbers per contact instead of 36. The rows of G are
/// the axes of the contact, and a, b are arms. The blocks for bodies of velocity (v, omega) are
///     [G, G a x]  and  [-G, -G b x].
/// J v is G times the relative velocity of two points of the bodies, and J'x is a force at these points.
class CompactContactJacobian {
 public:
  CompactContactJacobian() = default;
  /// Empty if a block differs from that form by more than rounding. `first` and `second` are the 3 x 6 blocks
  /// of the contacts, row by row, for their first and second bodies. Blocks of the ground are not read.
  CompactContactJacobian(std::span<const Constraint> contacts, const double* first, const double* second) {
    set(contacts, first, second);
  }
  /// Sets other contacts. The storage is kept.
  void set(std::span<const Constraint> contacts, const double* first, const double* second);
  void clear() { contacts_.clear(); }

  bool empty() const { return contacts_.empty(); }
  /// Bytes that a pass reads per contact.
  static constexpr double bytes_per_contact = 15 * sizeof(double);

  /// G of a contact, row by row, and the arm of its first or second body. The ground has none: zero.
  const double* axes(std::size_t contact) const { return contacts_[contact].axes; }
  const double* arm(std::size_t contact, int side) const { return contacts_[contact].arm[side]; }

  /// v += J'x
  void scatter(std::span<const Constraint> contacts, const double* x, double* v) const;
  /// The same for one body of a contact, with the same sums. v is the velocity of that body.
  void add_impulse(Index contact, int side, const double* x, double* v) const;
  /// y = J v + C x for contacts [first, last). Without compliance C = 0, and x is not read.
  void gather(std::span<const Constraint> contacts, const double* v, const double* compliance,
              const double* x, double* y, Index first, Index last) const;

 private:
  struct Contact {
    double axes[9];    // G, row by row
    double arm[2][3];  // a, b
  };
  std::vector<Contact> contacts_;
};

}  // namespace slipstick::internal
