// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace slipstick::internal::bench {

/// The optimum of a file of the Maros-Meszaros collection, with the eight digits that are published.
struct PublishedOptimum {
  std::string_view name;
  double optimum;
  bool strictly_convex;
};
inline constexpr PublishedOptimum published_optima[] = {
    {"AUG3DC", 7.7126244e+02, true},    {"AUG3DCQP", 9.9336215e+02, true}, {"CVXQP1_S", 1.1590718e+04, false},
    {"CVXQP2_S", 8.1209405e+03, false}, {"DUAL1", 3.5012966e-02, true},    {"DUAL4", 7.4609084e-01, true},
    {"DUALC1", 6.1552508e+03, true},    {"GENHS28", 9.2717369e-01, false}, {"HS118", 6.6482045e+02, true},
    {"HS21", -9.9960000e+01, true},     {"HS35", 1.1111111e-01, true},     {"HS35MOD", 2.5000000e-01, true},
    {"HS52", 5.3266476e+00, false},     {"HS76", -4.6818182e+00, true},    {"KSIP", 5.7579794e-01, true},
    {"MOSARQP2", -1.5974821e+03, true}, {"QPTEST", 4.3718750e+00, true},   {"YAO", 1.9770426e+02, true}};

/// What the distance from an optimum is relative to: its size, but not less than this.
inline constexpr double smallest_optimum = 1e-2;

}  // namespace slipstick::internal::bench
