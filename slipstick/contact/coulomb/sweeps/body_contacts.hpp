// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "slipstick/base/cache_lines.hpp"
#include "slipstick/contact/coulomb/contact_blocks.hpp"
#include "slipstick/linalg/delassus_operator.hpp"

namespace slipstick::internal {

/// The contacts of rigid bodies in space, for sweeps through the bodies.
/// Each contact has a record. With M^-1 = L L' for every body, a record has its rows of J L. Then W = (J L)(J
/// L)' + C, and the velocities are L^-1 v. A record takes half the memory of the blocks of a contact with
/// five neighbours on each body.
class BodyContacts {
 public:
  static constexpr int dofs = 6;
  /// True if the blocks belong to such bodies. There may be no joints.
  static bool takes(const ContactBlocks& blocks);
  /// Reads the contacts of an island. Does nothing if neither blocks.version() nor the island has changed.
  /// Returns false if an inverse mass is not positive semidefinite.
  bool assign(const ContactBlocks& blocks, const Island& island);

  /// Numbers in a vector of scaled velocities.
  Index velocities() const { return velocities_; }
  /// v = (J L)' r
  void set_velocities(const Island& island, const double* r, double* v) const;
  /// u = J L v + C r + q of contact i.
  void contact_velocity(int i, const double* v, const double* r, const double* q, double* u) const {
    const Record& record = at(i);
    double own[3];
    product(record, v, own);
    for (int a = 0; a < 3; ++a) u[a] = q[a] + own[a] + record.compliance[a] * r[a];
  }
  /// b += the contribution of the other contacts to contact i.
  void add_others(Index i, const double* v, const double* r, double* b) const {
    const Record& record = at(i);
    double all[3];
    product(record, v, all);
    for (int a = 0; a < 3; ++a)
      b[a] +=
          all[a] - (record.own[3 * a] * r[0] + record.own[3 * a + 1] * r[1] + record.own[3 * a + 2] * r[2]);
  }
  /// v += (J L)' change
  void push(Index i, const double* change, double* v) const {
    const Record& record = at(i);
    for (int side = 0; side < 2; ++side) {
      if (record.first[side] < 0) continue;
      double* to = v + record.first[side];
      const double* rows = record.rows[side];
      for (int e = 0; e < dofs; ++e)
        to[e] += rows[e] * change[0] + rows[dofs + e] * change[1] + rows[2 * dofs + e] * change[2];
    }
  }

 private:
  struct Record {
    double rows[2][3 * dofs];  // J L for both bodies, row by row
    double own[9];             // the block of (J L)(J L)', row by row
    double compliance[3];
    int first[2];  // of the bodies' velocities; -1: the body does not move
  };
  const Record& at(Index i) const { return records_[static_cast<std::size_t>(i - begin_)]; }
  static void product(const Record& record, const double* v, double* u) {
    static constexpr double rest[dofs] = {};
    const double* v0 = record.first[0] < 0 ? rest : v + record.first[0];
    const double* v1 = record.first[1] < 0 ? rest : v + record.first[1];
    for (int a = 0; a < 3; ++a) {
      const double* j0 = record.rows[0] + dofs * a;
      const double* j1 = record.rows[1] + dofs * a;
      double even = 0.0, odd = 0.0;
      for (int e = 0; e < dofs; e += 2) {
        even += j0[e] * v0[e] + j1[e] * v1[e];
        odd += j0[e + 1] * v0[e + 1] + j1[e + 1] * v1[e + 1];
      }
      u[a] = even + odd;
    }
  }
  bool find_roots(const DelassusOperator& bodies);
  bool moves(int body) const;

  std::uint64_t version_ = 0;
  int begin_ = -1;
  bool available_ = false;
  Index velocities_ = 0;
  std::vector<double> roots_;  // L of every body, row by row
  std::vector<int> number_;    // of a body's velocities in this island, -1 if it has none
  std::vector<Record, CacheLines<Record>> records_;
};

/// The rows of W for a sweep over BodyContacts (see sweep_contacts). The velocities follow r.
class BodyRows {
 public:
  BodyRows(const BodyContacts& contacts, double* velocities) : contacts_(&contacts), v_(velocities) {}
  template <bool backward>
  void add(Index i, const double* r, double* b) const {
    contacts_->add_others(i, v_, r + 3 * i, b);
  }
  void changed(Index i, const double* change) const { contacts_->push(i, change, v_); }

 private:
  const BodyContacts* contacts_;
  double* v_;
};

}  // namespace slipstick::internal
