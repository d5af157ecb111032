// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/contest.hpp"

namespace slipstick::internal::bench {

void add_peers(std::vector<Contestant>& contestants) {
  add_siconos(contestants);
  add_bullet(contestants);
  add_tao(contestants);
}

}  // namespace slipstick::internal::bench
