// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "slipstick/contact/coulomb/sweeps/contact_lanes.hpp"
#include "slipstick/contact/coulomb/sweeps/coulomb_contact.hpp"
#include "slipstick/measures/contact_error.hpp"
#include "slipstick/problems/problem.hpp"
#include "slipstick/solve/result.hpp"
#include "slipstick/solve/settings.hpp"

namespace slipstick {

/// Coulomb's law for a few contacts without bilateral rows,
///     u = W r + q,  r in the cone of mu, u^ = u + (mu ||u_T||, 0, 0) in its dual, r'u^ = 0,
/// with W as given. For such problems everything around a method costs more than the method: here are no
/// allocations, no clock and no observer, storage is of fixed size, and what depends on W alone is kept while
/// it is the same.
///
/// Sweeps visit the contacts whose velocity has changed since they were solved, and solve each exactly for
/// itself (see CoulombContact); u follows every change of r. Contacts that are not coupled are thus solved by
/// one visit, and those that stay open cost nothing. Where the modes of all contacts stay as they are and
/// sweeps are slow, Newton's method takes over with these modes held:
///     stick: u = 0, `d` unknowns;  open: r = 0, none;
///     slip:  u_N = 0 and h'u_T = 0 with r = (n, mu n e), h normal to e; two unknowns,
///            dr = dn (1, mu e) + s h,  h'du_T + k s + h'u_T = 0,  k = -e'u_T / (mu n)
/// (in the plane one, and the system is linear). Dense elimination leaves unknowns without a pivot as they
/// are, so that W may be singular. Where modes turn out wrong, sweeps go on.
///
/// The answer is judged by both rulers (or the published one alone, see Settings) with u = W r + q of the
/// matrix as given. Where it is not proven after a few dozen steps, other methods are needed.
template <int d>
class FewContacts {
 public:
  static constexpr int most_contacts = 16;

  /// Fills result.r, result.u and the measures where it returns true: then these are within the tolerance.
  /// Otherwise only the counts and `error` tell of what was tried. `start`: null, or a finite r.
  bool solve(const LocalContactProblem& problem, const Settings& settings, const Vector* start,
             Result& result, bool published_by_load = true);
  /// Of the last solve: the error of where it ended, by the ruler asked for.
  double error() const { return error_; }
  bool used_newton() const { return newton_steps_ > 0; }

 private:
  using Lanes = ContactLanes<d>;
  using Pack = typename Lanes::Pack;
  using Set = std::uint32_t;  // of contacts
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
  // The directions in which Newton's method moves the r of a contact, and in which its u is to vanish: those
  // of the rows, or of slip.
  struct Directions {
    int count, first;
    bool slips;
    double moves[d][d];
    double stiffness;  // k
    // u_N and h'u_T of a contact that slips, u_N of one without friction, else u; then zeros.
    Pack test(const Pack& u) const {
      if constexpr (d == 3) {
        if (slips) return Pack{u[0], moves[1][1] * u[1] + moves[1][2] * u[2], 0.0, 0.0};
        return count == d ? u : Pack{u[0], 0.0, 0.0, 0.0};
      } else {
        return count == d ? u : Pack{u[0], 0.0};
      }
    }
  };

  void prepare(const LocalContactProblem& problem);
  [[gnu::always_inline]] inline bool start(const LocalContactProblem& problem, const Vector* given);
  [[gnu::always_inline]] inline bool iterate(int most);
  [[gnu::always_inline]] inline double sweep();
  [[gnu::always_inline]] inline double visit(int i);
  void multiply();
  bool judge();
  bool newton(int& left);
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

  // Of W. The blocks of column i off the diagonal are [start_[i], start_[i + 1]).
  Operator seen_;
  int contacts_ = 0;
  std::array<CoulombContact<d>, most_contacts> local_;
  std::array<double, most_contacts> scale_;  // the ruler's d
  std::array<Block, most_contacts> diagonal_;
  std::array<Block, most_contacts * most_contacts> blocks_;
  std::array<std::uint8_t, most_contacts * most_contacts> rows_;
  std::array<int, most_contacts + 1> start_;
  std::array<Set, most_contacts> coupled_;  // those that a change of r_i moves

  // Of the problem.
  Pack q_[most_contacts];
  std::array<double, most_contacts> mu_;
  double norm_ = 0.0;
  double tolerance_ = 0.0;
  bool published_alone_ = false, published_by_load_ = true;

  // Of the iterate.
  std::array<double, most_unknowns> r_;
  Pack u_[most_contacts];
  std::array<double, most_contacts> slip_;  // see CoulombContact
  Set unsettled_ = 0;                       // u has changed since they were solved
  Set moved_ = 0;                           // r has changed since u was a product
  bool drifted_ = false;                    // r of one has changed twice
  bool modes_changed_ = false;
  // See CoulombContact: of contacts that are coupled, and of those that are not and are solved at once.
  double small_step_ = 0.0, final_step_ = 0.0;
  double scaled_ = 0.0, published_ = 0.0, error_ = 0.0;
  int sweeps_ = 0, newton_steps_ = 0;

  // Newton's system.
  std::array<Directions, most_contacts> directions_;
  int unknowns_ = 0;
  alignas(32) std::array<std::array<double, column_length>, most_unknowns + 1> system_;  // by columns
  std::array<double, most_unknowns> sizes_;                                              // of the diagonal
  std::array<double, most_unknowns> step_;
};

extern template class FewContacts<2>;
extern template class FewContacts<3>;

}  // namespace slipstick
