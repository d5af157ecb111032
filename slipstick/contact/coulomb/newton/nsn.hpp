// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/newton/contact_system.hpp"
#include "slipstick/contact/coulomb/sweeps/nsgs.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Semismooth Newton method on Coulomb's law. With x = r - rho u, rho_N = 1 / W_NN and rho_T = 1 / the
/// largest eigenvalue of W_TT, contact by contact,
///     r_N = max(0, x_N),  r_T = the projection of x_T on the disk of radius mu max(0, x_N)
/// (Alart and Curnier 1991), or on the disk of radius mu max(0, r_N) (Jean and Moreau 1987). The active
/// branch of these equations determines the unknowns of a contact:
///     open    none:  r = 0
///     sticks  r with u = 0
///     slides  r_N and the impulse across the sliding direction d = x_T / ||x_T||, the one along it is
///             mu r_N: u_N = 0 and t'u_T + (1 - k) / (k rho_T) t'r_T = 0, k = radius / ||x_T||.
/// Under the law of boxes each tangent has such an equation of its own, with an interval for the disk: it
/// sticks, or it is mu r_N on one side.
/// The row of a joint has r = the projection of r - u / W_ii on its bounds. It is at a bound, or it is an
/// unknown with u = 0.
///
/// W is often singular. Therefore u + alpha D (r - r_k) replaces u. D has the mean diagonal of each contact's
/// block. The added term vanishes in the limit. The merit is the residual of the equations in the energy norm
/// of their diagonal. Alpha falls if the merit falls, and goes through a schedule if not.
///
/// A watchdog makes the method global. Steps start from the best iterate. Each goes to the best of the full
/// step, shorter steps, and the projected step followed by Gauss-Seidel sweeps, even if none improves. After
/// a few steps without a new best iterate, the next alpha starts from the best one. Gauss-Seidel sweeps come
/// first and are accepted without a test.
class Nsn : public CoulombMethod {
 public:
  explicit Nsn(const NsnSettings& settings = {}, SharedSystem system = std::make_shared<ContactSystem>(),
               SharedSweeps sweeps = std::make_shared<SweepWorkspace>())
      : settings_(settings), shared_(std::move(system)), system_(*shared_), sweeper_({}, std::move(sweeps)) {}
  std::string_view name() const override { return "nsn"; }
  bool takes_products_only() const override { return settings_.sweeps == 0 && settings_.escape_sweeps == 0; }
  void run(const Context& context) override;

 protected:
  // A point with its velocities. The vectors have all islands.
  struct Point {
    Vector r, u;
    double merit = 0.0;
    double error = 0.0;
  };
  // Data that depend only on W.
  struct Contact {
    double normal = 1.0;   // 1 / rho_N
    double tangent = 1.0;  // 1 / rho_T
  };
  template <int d>
  void iterate(const Context& context);
  template <int d>
  void prepare(const Context& context);
  template <int d>
  bool find_step(const Context& context, double alpha);
  template <int d>
  void choose_unknowns(const Context& context, double alpha);
  template <int d>
  bool choose_rows(const Context& context, double alpha);
  template <int d>
  void take_step(const Context& context);
  void blend(const Context& context, double length);
  template <int d>
  void project_step(const Context& context);
  void sweep(const Context& context, Point& point, int count);
  static void set_velocities(const Context& context, Point& point);
  template <int d>
  void judge(const Context& context, Point& point);
  template <int d>
  double merit(const Context& context, const Point& point, double alpha) const;
  static void copy(const Context& context, const Point& from, Point& to);

  NsnSettings settings_;
  SharedSystem shared_;
  ContactSystem& system_;
  Nsgs sweeper_;
  std::vector<Contact> contacts_;
  Point now_, best_, step_, trial_, candidate_;
  Vector centre_;
  Vector fixed_, load_;  // impulses at bounds, and u of them alone
  Vector right_side_;
  double least_error_ = 0.0;
};

/// Proximal point method (Rockafellar 1976): a sequence of problems with u + alpha D (r - r_k) instead of u.
/// The Newton steps of Nsn solve each to a tenth of its first merit, with the best of the full step and
/// shorter steps. The answer is the next centre r_k. Alpha falls and changes as in Nsn.
class Prox : public Nsn {
 public:
  explicit Prox(const ProxSettings& settings = {}, SharedSystem system = std::make_shared<ContactSystem>(),
                SharedSweeps sweeps = std::make_shared<SweepWorkspace>());
  std::string_view name() const override { return "prox"; }
  bool takes_products_only() const override { return false; }
  void run(const Context& context) override;

 private:
  template <int d>
  void iterate(const Context& context);
  template <int d>
  bool follow(const Context& context);
  template <int d>
  bool solve_proximal(const Context& context, double alpha);

  int inner_steps_;
  int restarts_;
  int factorizations_ = 0;
  // The factorization and the error at which the error was last halved.
  int halved_at_ = 0;
  double halved_error_ = 0.0;
};

}  // namespace slipstick::internal
