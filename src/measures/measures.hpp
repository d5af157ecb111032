// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/problems/friction.hpp"
#include "slipstick/problems/problem.hpp"
#include "slipstick/problems/solution.hpp"

namespace slipstick {

/// Every error measure, computed on the problem as given. NaN: not defined for this class of problem.
struct Measures {
  static constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

  double scaled_natural_map = undefined;    ///< the ruler: ||(d_i e_i)|| / ||b||, see Ruler
  double natural_map = undefined;           ///< ||x - P(x - w)||
  double natural_map_relative = undefined;  ///< the same / ||b|| (Siconos' LCP error)
  double survey = undefined;  ///< UIC survey: sum |z_i w_i| - min(z_i, 0) - min(w_i, 0); orthant only
  double mixed = undefined;   ///< UIC survey's mixed-LCP error, with the misprints mended
  double complementarity_gap =
      undefined;                  ///< sum over rows of |distance to the bound w points away from| |w|
  double objective = undefined;   ///< 1/2 x'Ax + b'x + constant; symmetric A only
  double energy_sum = undefined;  ///< Ho 2022: sum of 1/2 A_ii e_i^2, e_i = x_i - clamp(x_i - w_i / A_ii)
  double energy_mean = undefined;
  double energy_max = undefined;
  double heyn = undefined;  ///< Heyn 2012, eq. 24: ||x - P(x - tau w)|| / tau, tau = 1 / mean diagonal
  double projected_gradient = undefined;  ///< ||free gradient + chopped gradient||; boxes, x in K
  double linear_rows = undefined;         ///< ||G x - clamp(G x)||; QPs with linear rows
  double desaxce = undefined;  ///< published contact error: relative natural map of the law in force
};

/// The measures that can be asked for by name, in the order they are printed. `judge`: small means solved.
struct MeasureName {
  std::string_view name;
  double Measures::*value;
  bool judges;
  std::string_view summary;
};
std::span<const MeasureName> measure_names();
/// nullptr where there is no such measure.
const MeasureName* find_measure(std::string_view name);

/// The ruler, prepared once per problem so that judging an iterate costs O(rows) and allocates nothing.
///
/// Scaled natural map: d_i = mean diagonal of the row's block of A (1 where that is not positive),
/// e_i = x_i - P(x_i - w_i / d_i), error = ||(d_i e_i)|| / ||b||, with 0/0 = 0. Where b = 0 but K does not
/// hold the origin, ||b|| is replaced by ||A P_K(0)||. Linear rows enter with rho = g - clamp(g - delta y), g
/// = G x, delta_i = sum_j G_ij^2 / d_j, weighted by ||G_i|| / delta_i, which is d_i e_i where G is the
/// identity.
class Ruler {
 public:
  /// Keeps a pointer to the problem.
  void prepare(const Problem& problem);
  /// w = A x + b (minus G'y where there are linear rows).
  double operator()(ConstVectorView x, ConstVectorView w) const;
  double operator()(ConstVectorView x, ConstVectorView w, ConstVectorView multipliers) const;
  /// Squared ||(d_i e_i)|| over the box rows [begin, end), for methods that judge a part.
  const Vector& scale() const { return scale_; }
  /// What the error is divided by; 0 means that only an exact zero is solved.
  double norm() const { return norm_; }

 private:
  const Problem* problem_ = nullptr;
  Vector scale_;
  Vector row_delta_;
  Vector row_weight_;
  double norm_ = 0.0;
  mutable Vector block_;     // scratch of one block
  mutable Vector activity_;  // scratch: G x
};

/// All measures of x (w = A x + b is computed into solution.w, minus G'y where there are linear rows).
/// Allocates nothing when called again with the same sizes and a kept Ruler.
void measure(const Problem& problem, const Ruler& ruler, Solution& solution, int threads, Measures& measures);

/// Contact problems: fills u from r (and v from r and l), then the scaled natural map and the published error
/// under `law`.
void measure(const LocalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures);
void measure(const GlobalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures);

/// A row (or contact) and its share d_i |e_i| / ||b|| of the scaled natural map.
struct WorstRow {
  Index index = 0;
  double error = 0.0;
};
/// The k worst rows of a problem, or contacts under a law, worst first.
std::vector<WorstRow> worst_rows(const Problem& problem, const Solution& solution, Index k);
std::vector<WorstRow> worst_contacts(const LocalContactProblem& problem, FrictionLaw law,
                                     const Solution& solution, Index k);

}  // namespace slipstick
