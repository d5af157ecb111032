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

/// Coulomb's law on an island of a few contacts and joints, in storage of fixed size. On such islands the
/// overhead of other methods costs more than the arithmetic.
///
/// Sweeps visit the nodes whose velocity has changed since their last solution. Each contact is solved
/// exactly by itself (see CoulombContact), each joint row by row. u follows every change of r. One visit
/// therefore solves a contact without coupling, and a contact that stays open costs nothing. If the modes of
/// all contacts do not change and sweeps are slow, Newton's method takes over with fixed modes:
///     stick: u = 0, `d` unknowns;  open: r = 0, none;
///     slip:  u_N = 0 and h'u_T = 0 with r = (n, mu n e), h normal to e; two unknowns,
///            dr = dn (1, mu e) + s h,  h'du_T + k s + h'u_T = 0,  k = -e'u_T / (mu n)
/// (in the plane one, and the system is linear). Every step chooses the state of each row of a joint anew:
///     at a bound:  dr = bound - r  if r - u / d is at or beyond it;  otherwise u = 0.
/// Joints alone, or with contacts that stay open, are therefore solved without sweeps. Dense elimination
/// leaves unknowns without a pivot unchanged, so that W may be singular. If modes are found to be wrong,
/// sweeps continue.
///
/// One iteration is a sweep or a step of Newton's method. After a few dozen iterations it leaves the island
/// to other methods.
template <int d>
class FewContactsIn {
 public:
  static constexpr int most_nodes = 16;
  void run(const CoulombMethod::Context& context);

 private:
  using Lanes = ContactLanes<d>;
  using Pack = typename Lanes::Pack;
  using Set = std::uint32_t;  // set of nodes
  static constexpr int most_unknowns = d * most_nodes;
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
  // The directions in which Newton's method moves the r of a node, and the directions in which its u must
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
  double visit_joint(int i);
  [[gnu::always_inline]] inline void spread(int i, const double* change);
  void multiply();
  double judge(const CoulombTarget& target);
  void newton(const CoulombMethod::Context& context, int& left);
  bool newton_step();
  void move_contact(int i);
  void hold_rows(int i);
  void set_directions();
  void place(int i, int j, const Block& block);
  bool eliminate();
  bool keeps_modes() const;
  int mode(int i) const { return static_cast<int>(slip_[i] > 0.0) - static_cast<int>(slip_[i] < 0.0); }
  Set all() const { return (Set{1} << nodes_) - 1; }
  double* r(int i) { return r_.data() + d * i; }
  const double* r(int i) const { return r_.data() + d * i; }
  const double* u(int i) const { return reinterpret_cast<const double*>(&u_[i]); }

  auto iterate_view() const { return Eigen::Map<const Vector>(r_.data(), d * nodes_); }

  // W on the island, contacts before joints. The blocks of column i off the diagonal are [start_[i], start_[i
  // + 1]).
  std::uint64_t version_ = 0;
  int first_ = 0, contacts_ = 0, nodes_ = 0;
  std::array<CoulombContact<d>, most_nodes> local_;
  std::array<double, most_nodes> scale_, weight_;  // the ruler's d and weight of contacts
  std::array<double, most_unknowns> row_scale_;    // the ruler's d of the rows of joints
  std::array<Block, most_nodes> diagonal_;
  std::array<Block, most_nodes * most_nodes> blocks_;
  std::array<std::uint8_t, most_nodes * most_nodes> rows_;
  std::array<int, most_nodes + 1> start_;
  std::array<Set, most_nodes> coupled_;  // nodes that a change of r_i moves

  // The problem.
  Pack q_[most_nodes];
  std::array<double, most_nodes> mu_;
  std::array<double, most_unknowns> lower_, upper_;  // bounds of the rows of joints
  double squared_norm_ = 0.0;                        // squared norm of q

  // The iterate.
  std::array<double, most_unknowns> r_;
  Pack u_[most_nodes];
  std::array<double, most_nodes> slip_;  // of contacts, see CoulombContact
  Set unsettled_ = 0;                    // nodes whose u has changed since their solution
  Set moved_ = 0;                        // nodes whose r has changed since u was a product
  bool drifted_ = false;                 // r of a node has changed twice
  bool modes_changed_ = false;
  // See CoulombContact. The first is for coupled contacts, the second for contacts without coupling.
  double small_step_ = 0.0, final_step_ = 0.0;
  ContactErrors errors_;  // of the iterate that was judged last
  double error_ = 0.0;    // the same relative to the target

  // Newton's system.
  std::array<Directions, most_nodes> directions_;
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
  static constexpr int most_nodes = FewContactsIn<3>::most_nodes;
  static_assert(Islands::most_lone_contacts <= most_nodes);
  std::string_view name() const override { return "few-contacts"; }
  /// Islands of more nodes are not solved, and the status is stalled.
  void run(const Context& context) override;

 private:
  std::unique_ptr<FewContactsIn<2>> plane_;
  std::unique_ptr<FewContactsIn<3>> space_;
};

}  // namespace slipstick::internal
