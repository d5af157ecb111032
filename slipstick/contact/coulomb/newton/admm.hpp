// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact/coulomb/iteration_forecast.hpp"
#include "slipstick/contact/coulomb/newton/contact_system.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Alternating directions (Boyd et al. 2011) for Coulomb's law (Acary, Brogliato and Bonnefon 2024 and
/// before). The impulse has two copies, r in the equations of motion and z in the cones:
///     (W + rho D) r = rho D (z - y) - q - s,
///     z <- P(r + y),  y <- r + y - z
/// D has the ruler's mean diagonals. r is over-relaxed in the second line. s = mu ||u_T|| along the normals
/// (De Saxce and Feng 1998). Every iteration updates s from the velocity u^ = -rho D y of the multiplier. The
/// answer is z, which is in the cones and bounds.
///
/// Every rho needs one factorization. rho starts at `penalty` times sqrt(a b), with a and b the ends of the
/// spectrum of D^-1/2 W D^-1/2 on the island. A few steps of Lanczos' method from the load estimate a and b.
/// Zero eigenvalues do not count, because a load of forces has no part in them. A tenth of sqrt(a b) takes
/// fewer iterations on heaps and towers, because the impulses of small eigenvalues matter there. In the plane
/// it is a quarter. While the residuals fall tenfold between two checks, rho stays. Otherwise it follows one
/// of two rules:
/// - spectral: the curvatures of both halves over the last iterations. They are the ratios of Barzilai and
///   Borwein between the change of the multipliers and the change of r or of z. A curvature counts if the two
///   changes correlate by more than 0.2. If both count, rho is the root of their product (Xu, Figueiredo and
///   Goldstein 2017);
/// - balance: the residuals r - z and rho (z - last z) are compared in the norm of D. If they differ much,
///   rho is multiplied by the root of their ratio (He, Yang and Wang 2000).
/// Both rules change rho by powers of two, so that small changes and rounding cause no factorization. The
/// changes become more and more rare, because convergence needs a fixed rho. W is factorized as given,
/// symmetric or not. The bounds of joints are treated like cones. A row without bounds has z = r, and a small
/// share of D instead of rho D.
class Admm : public CoulombMethod {
 public:
  explicit Admm(const AdmmSettings& settings = {}, const SwitchToNewton& switch_to_newton = {},
                SharedSystem system = std::make_shared<ContactSystem>());
  std::string_view name() const override { return "admm"; }
  bool takes_products_only() const override { return true; }
  int default_max_iterations() const override { return 5000; }
  void run(const Context& context) override;

 private:
  struct Residuals {
    double primal = 0.0, dual = 0.0;  // ||D^1/2 (r - z)||, rho ||D^1/2 (z - last z)||
    double change = 0.0;              // ||D (r - z, rho (z - last z))||: approximately the error
  };
  template <int d>
  void run_in(const Context& context);
  template <int d>
  void start(const Context& context);
  template <int d>
  bool factorize(const Context& context);
  template <int d>
  void solve_motion(const Context& context);
  template <int d>
  Residuals project(const Context& context);
  double row_weight(const Context& context, int i, int a) const;
  double start_penalty(const Context& context);
  double spectral_start(const Context& context);
  bool change_penalty(const Context& context, const Residuals& residuals);
  double balanced_penalty(const Residuals& residuals) const;
  double spectral_penalty(const Context& context);
  void multiply(const Context& context, const Vector& r, Vector& u);
  double error(const Context& context);
  bool gives_up(const Context& context, const IterationForecast& forecast);

  AdmmSettings settings_;
  SwitchToNewton switch_to_newton_;
  SharedSystem shared_;
  ContactSystem& system_;
  bool proven_ = false;  // the present factor solves without refinement
  double rho_ = 1.0;
  Vector z_, y_;   // vectors of all islands
  Vector motion_;  // right side and solution of the factorized system
  // For the spectral rule, times roots of D: r, z and the multipliers of both halves. These are rho (y + r -
  // z) before the projection and rho y after it. One point is the present one, the other is from the last
  // check of rho.
  struct Point {
    Vector r, z, first, second;
  };
  Point point_, kept_;
  double last_change_ = 0.0;  // change of the residuals at the last check
  bool fresh_ = true;         // there is no kept point
  Vector u_;
};

}  // namespace slipstick::internal
