// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "slipstick/measures/ruler.hpp"
#include "slipstick/problems/friction.hpp"
#include "slipstick/problems/problem.hpp"
#include "slipstick/problems/solution.hpp"

namespace slipstick {

/// Every error measure, computed on the problem as given. NaN: not defined for this class of problem.
struct Measures {
  static constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

  double scaled_natural_map = undefined;    ///< the ruler: ||(d_i e_i)|| / ||b||, see Ruler
  double natural_map = undefined;           ///< ||x - P(x - w)||, with g - P(g - y) of linear rows g = G x
  double natural_map_relative = undefined;  ///< the same / ||b|| (Siconos' LCP error)
  double survey = undefined;  ///< UIC survey: sum |z_i w_i| - min(z_i, 0) - min(w_i, 0); orthant only
  double mixed = undefined;   ///< UIC survey's mixed-LCP error, with the misprints mended
  double complementarity_gap = undefined;  ///< sum over rows of |w| times the distance to its bound; |x'w| of
                                           ///< cones
  double objective = undefined;            ///< 1/2 x'Ax + b'x + constant; symmetric A only
  double energy_sum = undefined;  ///< Ho 2022: sum of 1/2 A_ii e_i^2, e_i = x_i - clamp(x_i - w_i / A_ii)
  double energy_mean = undefined;
  double energy_max = undefined;
  double heyn = undefined;  ///< Heyn 2012, eq. 24: ||x - P(x - tau w)|| / tau, tau = 1 / mean diagonal
  double projected_gradient = undefined;  ///< ||free gradient + chopped gradient||; boxes, x in K
  double linear_rows = undefined;         ///< ||G x - clamp(G x)||; QPs with linear rows
  double desaxce = undefined;  ///< published contact error: relative natural map of the law in force
};

/// What contact problems are solved by: the scaled natural map, and under Coulomb's law the published error
/// too.
inline double contact_error(const Measures& measures, FrictionLaw law) {
  return law == FrictionLaw::coulomb ? std::max(measures.scaled_natural_map, measures.desaxce)
                                     : measures.scaled_natural_map;
}

/// The measures that can be asked for by name, in the order they are printed. `judges`: small means solved.
struct MeasureName {
  std::string_view name;
  double Measures::*value;
  bool judges;
  std::string_view summary;
};
std::span<const MeasureName> measure_names();
/// nullptr where there is no such measure.
const MeasureName* find_measure(std::string_view name);

/// All measures of x (w = A x + b is computed into solution.w, minus G'y where there are linear rows).
/// Allocates nothing when called again with the same sizes and a kept Ruler.
void measure(const Problem& problem, const Ruler& ruler, Solution& solution, int threads, Measures& measures);

/// A row (or contact) and its share d_i |e_i| / ||b|| of the scaled natural map.
struct WorstRow {
  Index index = 0;
  double error = 0.0;
};
/// The k worst rows of a problem, worst first, as x and w stand. The first row of a cone, diamond or disk
/// stands for all of it. A NaN is the worst of all.
std::vector<WorstRow> worst_rows(const Problem& problem, const Solution& solution, Index k);

}  // namespace slipstick
