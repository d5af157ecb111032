// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
// A program of its own: Debian's Ipopt brings a MUMPS without MPI, PETSc and Siconos one with it.
#include "bench/peers/contest.hpp"

namespace slipstick::internal::bench {

void add_peers(std::vector<Contestant>& contestants) {
  add_ipopt(contestants);
  add_clp(contestants);
}

}  // namespace slipstick::internal::bench
