// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "slipstick/cuda/body_order.hpp"
#include "slipstick/cuda/contact_arrays.hpp"
#include "slipstick/cuda/world_contacts.hpp"

namespace slipstick::internal {

enum class ContactOrder { bodies, colours };

/// Contacts and bodies in the order in which kernels read them.
///
/// Bodies that no impulse moves become one resting body, the last. The others are numbered so that bodies in
/// contact are near each other. In every contact the first body has the lower number; if that takes a swap,
/// the contact's axes change their sign. Contacts are sorted by their bodies. The contacts of a body as the
/// first one are then a range, and only the others need a list. Arrays are padded to whole tiles with
/// contacts of the resting body, which do nothing.
class ContactLayout {
 public:
  /// `compliant`: C is not zero. The result does not depend on `threads`, which later copies use, too.
  void set(const WorldContacts& world, bool compliant, ContactOrder order = ContactOrder::bodies,
           int threads = 1);
  void set_threads(int threads) { threads_ = threads; }

  static constexpr int most_colours = 64;
  /// False if the contacts of a body need more colours than there may be.
  bool has_colours() const { return has_colours_; }

  ContactShape shape() const { return shape_; }
  int bodies() const { return bodies_; }  ///< without the resting one
  int contacts() const { return contacts_; }
  int padded_contacts() const { return padded_; }
  int rows() const { return static_cast<int>(rows_.size()); }
  /// Numbers of a vector over contacts and rows: three per padded contact, then the rows, padded to two.
  Index size() const { return 3 * Index{padded_} + (rows() + 1) / 2 * 2; }

  /// The arrays that depend on contacts and bodies alone. Per contact a pair has two numbers, an arm three.
  /// Jacobians have twelve numbers per row. Lists of rows have 2 row + side. Masses have (1/m, inverse
  /// inertia) per body in the first two shapes, the latter of the velocity r omega for spheres. In the
  /// general shape they have 1/m and the inverse inertia, then m and the inertia. Directions that nothing
  /// moves have mass 0.
  ContactArrays arrays() const;

  /// (normal, mu) by contact. K is the set of the problem. `scratch` is kept by the caller.
  void copy_axes(const ProductSet& K, std::vector<double>& scratch, std::vector<double>& to) const;
  /// A vector of the problem in world axes, with zeros in the padding. `to` has size() numbers.
  void to_world(const Vector& from, double* to) const;
  /// The inverse. Does not read the padding.
  void from_world(const double* from, Vector& to) const;
  /// The number of a contact or row, from its first row in a vector of the problem; `padding` elsewhere. `to`
  /// has padded_contacts() + rows() numbers.
  void copy_first(const Vector& from, double padding, double* to) const;
  /// The compliance of contacts, (normal, tangents), then that of rows.
  void copy_compliance(const Vector& compliance, std::vector<double>& to) const;
  /// The bounds of rows, (lower, upper).
  void copy_bounds(const ProductSet& K, std::vector<double>& to) const;

 private:
  struct Placed {
    int first, second;  // numbers of the bodies, first < second
    int contact;        // in the order of the problem
    bool swapped;
  };
  struct PlacedAxes {
    double axes[9];  // with the sign of the layout
    int row, rows;   // in the problem
  };
  void sort_contacts(const WorldContacts& world);
  void sort_by_colour();
  void sort_rows_by_colour();
  void place_contacts(const WorldContacts& world);
  void list_sides();
  bool find_radii();
  void set_masses(const WorldContacts& world);
  int numbers_per_mass() const { return shape_ == ContactShape::general ? 14 : 2; }

  ContactShape shape_ = ContactShape::spheres;
  ContactOrder order_ = ContactOrder::bodies;
  bool has_colours_ = false, compliant_ = false;
  int bodies_ = 0, contacts_ = 0, padded_ = 0;
  int threads_ = 1;
  BodyOrder body_order_;
  std::vector<Placed> placed_;
  std::vector<PlacedAxes> axes_;  // by place
  std::vector<WorldRow> rows_;
  std::vector<double> radius_;
  std::vector<int> next_;  // scratch, as the next one
  std::vector<Placed> sorted_;
  std::vector<int> pairs_, row_pairs_, first_start_, second_start_, second_list_, row_start_, row_list_,
      heavy_;
  std::vector<int> first_list_, colour_start_, row_colour_start_;
  std::vector<double> first_arms_, second_arms_, row_jacobians_, masses_;
};

}  // namespace slipstick::internal
