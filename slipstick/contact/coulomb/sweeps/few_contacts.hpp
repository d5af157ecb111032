// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "slipstick/contact/coulomb/contact_lanes.hpp"
#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"
#include "slipstick/linalg/operator.hpp"
namespace slipstick::internal {

/// Coulomb's law on an island of a few contacts without joints, in storage of fixed size. On such
/// islands the overhead of other methods costs more than the arithmetic.
///
/// Sweeps visit the contacts whose velocity has changed since their last solution. Each is solved exactly by
/// itself (see CoulombContact). u follows every change of r. One visit therefore solves a contact without
/// coupling, and a contact that stays open costs nothing. If the modes of all contacts do not change and
/// sweeps are slow, Newton's method takes over with fixed modes:
///     stick: u = 0, `d` unknowns;  open: r = 0, none;
///     slip:  u_N = 0 and h'u_T = 0 with r = (n, mu n e), h normal to e; two unknowns,
///            dr = dn (1, mu e) + s h,  h'du_T + k s + h'u_T = 0,  k = -e'u_T / (mu n)
/// (in the plane one, and the system is linear). Dense elimination leaves unknowns without a pivot unchanged,
/// so that W may be singular. If modes are found to be wrong, sweeps continue.
///
/// One iteration is a sweep or a step of Newton's method. After a few dozen iterations it leaves the island
/// to other methods.
template <int d>
class FewContactsIn {
 public:
  static constexpr int most_contacts = 16;
  void run(const CoulombMethod::Context& context);

 private:
  using Lanes = ContactLanes<d>;
  using Pack = typename Lanes::Pack;
  using Set = std::uint32_t;  // set of contacts
  static constexpr int most_unknowns = d * most_contacts;
  static constexpr int column_length = most_unknowns + 4;  // packs are written whole

  // A block of W by columns.
  struct Block {
    Pack columns[d];
    Pack times(const double* x) const {
      Pack sum = columns[0] * x[0];
      for (int a = 1; a < d; ++a) sum += columns[a] * x[a];
      return sum;
    }
  };
  // The directions in which Newton's method moves the r of a contact, and the directions in which its u must
  // vanish. They are the axes, or the directions of slip.
  struct Directions {
    int count, first;
    bool slips;
    double moves[d][d];
    double stiffness;  // k
    // u_N and h'u_T of a contact that slips, u_N of a contact without friction, otherwise u. Then zeros.
    Pack test(const Pack& u) const {
      if constexpr (d == 3) {
        if (slips) return Pack{u[0], moves[1][1] * u[1] + moves[1][2] * u[2], 0.0, 0.0};
        return count == d ? u : Pack{u[0], 0.0, 0.0, 0.0};
      } else {
        return count == d ? u : Pack{u[0], 0.0};
      }
    }
  };

  void load(const ContactBlocks& blocks, const Island& island);
  void start(const CoulombMethod::Context& context);
  void iterate(const CoulombMethod::Context& context);
  [[gnu::always_inline]] inline double sweep();
  [[gnu::always_inline]] inline double visit(int i);
  void multiply();
  double judge(const CoulombTarget& target);
  void newton(const CoulombMethod::Context& context, int& left);
  bool newton_step();
  void set_directions();
  void place(int i, int j, const Block& block);
  bool eliminate();
  bool keeps_modes() const;
  int mode(int i) const { return static_cast<int>(slip_[i] > 0.0) - static_cast<int>(slip_[i] < 0.0); }
  Set all() const { return (Set{1} << contacts_) - 1; }
  double* r(int i) { return r_.data() + d * i; }
  const double* r(int i) const { return r_.data() + d * i; }
  const double* u(int i) const { return reinterpret_cast<const double*>(&u_[i]); }

  auto iterate_view() const { return Eigen::Map<const Vector>(r_.data(), d * contacts_); }

  // W on the island. The blocks of column i off the diagonal are [start_[i], start_[i + 1]).
  std::uint64_t version_ = 0;
  int first_ = 0, contacts_ = 0;
  std::array<CoulombContact<d>, most_contacts> local_;
  std::array<double, most_contacts> scale_;  // the ruler's d
  std::array<Block, most_contacts> diagonal_;
  std::array<Block, most_contacts * most_contacts> blocks_;
  std::array<std::uint8_t, most_contacts * most_contacts> rows_;
  std::array<int, most_contacts + 1> start_;
  std::array<Set, most_contacts> coupled_;  // contacts that a change of r_i moves

  // The problem.
  Pack q_[most_contacts];
  std::array<double, most_contacts> mu_;
  double squared_norm_ = 0.0;  // squared norm of q

  // The iterate.
  std::array<double, most_unknowns> r_;
  Pack u_[most_contacts];
  std::array<double, most_contacts> slip_;  // see CoulombContact
  Set unsettled_ = 0;                       // contacts whose u has changed since their solution
  Set moved_ = 0;                           // contacts whose r has changed since u was a product
  bool drifted_ = false;                    // r of a contact has changed twice
  bool modes_changed_ = false;
  // See CoulombContact. The first is for coupled contacts, the second for contacts without coupling.
  double small_step_ = 0.0, final_step_ = 0.0;
  ContactErrors errors_;  // of the iterate that was judged last
  double error_ = 0.0;    // the same relative to the target

  // Newton's system.
  std::array<Directions, most_contacts> directions_;
  int unknowns_ = 0;
  alignas(32) std::array<std::array<double, column_length>, most_unknowns + 1> system_;  // by columns
  std::array<double, most_unknowns> sizes_;  // sizes of the diagonal
  std::array<double, most_unknowns> step_;
};

extern template class FewContactsIn<2>;
extern template class FewContactsIn<3>;

/// The same in the plane or in space.
class FewContacts : public CoulombMethod {
 public:
  static constexpr int most_contacts = FewContactsIn<3>::most_contacts;
  static_assert(Islands::most_lone_contacts <= most_contacts);
  std::string_view name() const override { return "few-contacts"; }
  /// Islands of more contacts, or with joints, are not solved, and the status is stalled.
  void run(const Context& context) override;

 private:
  std::unique_ptr<FewContactsIn<2>> plane_;
  std::unique_ptr<FewContactsIn<3>> space_;
};

}  // namespace slipstick::internal
