// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slipstick/contact/coulomb/coulomb_method.hpp"
#include "slipstick/contact_methods.hpp"

namespace slipstick::internal {

/// Extragradient method (Korpelevich 1976; step rule of Khobotov 1987, Marcotte 1991 and Han 2003) on the
/// variational inequality of Coulomb's law. Find r in K with F(r)'(p - r) >= 0 for all p in K. F(r) = W r + q
/// + mu ||u_T|| along the normals (De Saxce and Feng 1998):
///     r' = P(r - rho D^-1 F(r)),  r <- P(r - rho D^-1 F(r')).
/// D has the ruler's d. The step rule uses the norms of D and D^-1. The rows of joints are components with
/// bounds. An iteration takes two products.
class Extragradient : public CoulombMethod {
 public:
  explicit Extragradient(const ExtragradientSettings& settings = {});
  std::string_view name() const override { return "eg"; }
  bool takes_products_only() const override { return true; }
  int default_max_iterations() const override { return 20000; }
  void run(const Context& context) override;

 private:
  // An r with its F. The vectors have all islands.
  struct Point {
    Vector r, F;
  };
  template <int d>
  void run_in(const Context& context);
  void prepare(const Context& context);
  double evaluate(const Context& context, Point& point, bool with_error);
  template <int d>
  void step(const Context& context, double rho, const Point& from, const Point& slope, Point& to) const;
  double change_ratio(const Context& context, const Point& a, const Point& b) const;

  ExtragradientSettings settings_;
  Point now_, middle_;
};

}  // namespace slipstick::internal
