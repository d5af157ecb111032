// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "slipstick/linalg/csr_matrix.hpp"

namespace slipstick::internal {

/// How narrow the band of the cut matrix is (Melanz 2015: drop small entries far from the main diagonal).
struct DropOffSettings {
  /// The entries outside the band may have this share of ||A||_F; [0, 1]. 0 keeps all nonzero entries.
  double share = 0.0;
  /// Upper bound of the half-bandwidth. It has priority over the share; [0, inf).
  Index max_half_bandwidth = 1 << 30;
};

struct DropOff {
  Index half_bandwidth = 0;
  double dropped = 0.0;  ///< ||entries outside of the band||_F / ||A||_F; 0 for A = 0
};

/// The narrowest band that the settings allow. `squares` is scratch that the caller keeps.
DropOff choose_band(const CsrMatrix& a, const DropOffSettings& settings, std::vector<double>& squares);

}  // namespace slipstick::internal
