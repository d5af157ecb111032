// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
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

/// The ruler, prepared once per problem so that judging an iterate costs O(rows) and allocates nothing, and
/// preparing again for the same sizes neither.
///
/// Scaled natural map: d_i = mean diagonal of the row's block of A (1 where that is not positive),
/// e_i = x_i - P(x_i - w_i / d_i), error = ||(d_i e_i)|| / ||b||, with 0/0 = 0. Where b = 0 but K does not
/// hold the origin, ||b|| is replaced by ||A P_K(0)||.
/// Linear rows g = G x with multipliers y enter with rho_i = g_i - clamp(g_i - delta_i y_i),
/// delta_i = sum_j G_ij^2 / d_j, weighted by ||G_i|| / delta_i, which is d_i e_i where G is the identity;
/// ||b|| is then taken together with the so weighted distances of the rows from the origin.
/// A NaN or an infinity in x, w or y makes the error NaN.
class Ruler {
 public:
  /// Keeps a pointer to the problem.
  void prepare(const Problem& problem);
  /// w = A x + b (minus G'y where there are linear rows).
  double operator()(ConstVectorView x, ConstVectorView w) const;
  double operator()(ConstVectorView x, ConstVectorView w, ConstVectorView multipliers) const;
  /// The same in pieces, for methods that go through memory once: the share of consecutive blocks of K, and
  /// the error from the sum of all shares.
  double share(std::span<const SetBlock> blocks, ConstVectorView x, ConstVectorView w) const;
  double error_of(double shares) const {
    return norm_ > 0.0 || !(shares > 0.0) ? std::sqrt(shares) : std::numeric_limits<double>::infinity();
  }
  /// ||d (x - P(x - w / d))|| with one d for all rows of K; x and w are finite.
  double natural_map(ConstVectorView x, ConstVectorView w, double d) const;
  /// The d_i.
  const Vector& scale() const { return scale_; }
  /// Per linear row: ||G_i||, and ||G_i|| / sum_j G_ij^2 / d_j; 1 for empty rows.
  const Vector& row_length() const { return row_length_; }
  const Vector& row_weight() const { return row_weight_; }
  /// What the error is divided by; 0 means that only an exact zero is solved.
  double norm() const { return norm_; }

 private:
  void prepare_rows(const LinearRows& rows);
  // Errors are divided by the norm before they are squared, so that units do not matter.
  double weight() const { return norm_ > 0.0 ? 1.0 / norm_ : 1.0; }

  const Problem* problem_ = nullptr;
  Vector scale_;
  Vector row_length_;  // ||G_i||
  Vector row_weight_;  // ||G_i|| / delta_i
  double norm_ = 0.0;
  Vector nearest_;           // P_K(0)
  Vector shifted_;           // A P_K(0)
  mutable Vector block_;     // scratch of one block
  mutable Vector activity_;  // scratch: G x
};

/// All measures of x (w = A x + b is computed into solution.w, minus G'y where there are linear rows).
/// Allocates nothing when called again with the same sizes and a kept Ruler.
void measure(const Problem& problem, const Ruler& ruler, Solution& solution, int threads, Measures& measures);

/// Contact problems: fills u, then the scaled natural map and the published De Saxce error under `law`. r
/// (and l where there are bilateral rows) must be given. See ContactRuler for the scaled natural map.
///
/// Local form: u = W r + V l + q. De Saxce error: ||(r - P(r - u^), V'r + R l + s)|| / max(||q||, ||r||,
/// ||u||), where u^ is u of the law, P the projection on the cones; with bilateral rows (q, s) and (r, l)
/// stand for q and r.
///
/// Global form: v is taken where it is given, and else solved for; u = H'v + w. De Saxce error:
/// ||f + H r + G l - M v|| / max(||f||, ||M v||, ||H r||, ||G l||)
/// + ||(r - P(r - u^), G'v + b)|| / max(||u||, ||r||, ||b||).
/// The scaled natural map stays undefined where M is singular.
void measure(const LocalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures);
void measure(const GlobalContactProblem& problem, FrictionLaw law, Solution& solution, Measures& measures);

/// A row (or contact) and its share d_i |e_i| / ||b|| of the scaled natural map.
struct WorstRow {
  Index index = 0;
  double error = 0.0;
};
/// The k worst rows of a problem (the first row of a cone, diamond or disk stands for all of it), or contacts
/// under a law, worst first, as their x and w (or r and u) stand. A NaN is the worst of all.
std::vector<WorstRow> worst_rows(const Problem& problem, const Solution& solution, Index k);
std::vector<WorstRow> worst_contacts(const LocalContactProblem& problem, FrictionLaw law,
                                     const Solution& solution, Index k);

}  // namespace slipstick
