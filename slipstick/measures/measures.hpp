// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "slipstick/measures/ruler.hpp"
#include "slipstick/problem.hpp"
#include "slipstick/result.hpp"

namespace slipstick::internal {

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
/// nullptr if there is no such measure.
const MeasureName* find_measure(std::string_view name);

/// All measures of x (w = A x + b is computed into solution.w, minus G'y if there are linear rows).
/// Allocates nothing when called again with the same sizes and a kept Ruler.
void measure(const Problem& problem, const Ruler& ruler, Solution& solution, int threads, Measures& measures);

/// How far the complementarity of x with w, and that of the rows with y, is from zero, in the units of the
/// objective: see Measures::complementarity_gap.
double complementarity_gap(const Problem& problem, const Vector& x, const Vector& w, const Vector& y);

/// A row (or contact) and its share d_i |e_i| / ||b|| of the scaled natural map.
struct WorstRow {
  Index index = 0;
  double error = 0.0;
};
/// The k worst rows of a problem, worst first, as x and w stand. The first row of a cone, diamond or disk
/// stands for all of it. A NaN is the worst of all.
std::vector<WorstRow> worst_rows(const Problem& problem, const Solution& solution, Index k);

}  // namespace slipstick::internal
