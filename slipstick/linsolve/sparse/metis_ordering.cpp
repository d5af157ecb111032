// SPDX-FileCopyrightText: 2026 The Slipstick authors
// SPDX-License-Identifier: Apache-2.0
#include "slipstick/linsolve/sparse/metis_ordering.hpp"

#include "slipstick/base/error.hpp"

#if defined(SLIPSTICK_HAVE_METIS)
#include <metis.h>
#endif

namespace slipstick::internal {

#if defined(SLIPSTICK_HAVE_METIS)

bool has_metis() {
  return true;
}

std::vector<int> nested_dissection(const CsrMatrix& a) {
  const CsrMatrix both = symmetric_part(a);
  auto n = static_cast<idx_t>(both.rows());
  std::vector<idx_t> start = {0}, neighbours;
  for (Index i = 0; i < both.rows(); ++i) {
    for (CsrMatrix::InnerIterator it(both, i); it; ++it) {
      if (it.col() != i) neighbours.push_back(static_cast<idx_t>(it.col()));
    }
    start.push_back(static_cast<idx_t>(neighbours.size()));
  }
  if (neighbours.empty()) neighbours.push_back(0);  // METIS needs an array that is not empty
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  std::vector<idx_t> order(static_cast<std::size_t>(n)), position(order.size());
  const int status =
      METIS_NodeND(&n, start.data(), neighbours.data(), nullptr, options, order.data(), position.data());
  if (status != METIS_OK) fail("METIS cannot order {} rows: status {}", n, status);
  return {order.begin(), order.end()};
}

#else

bool has_metis() {
  return false;
}

std::vector<int> nested_dissection(const CsrMatrix& /*a*/) {
  fail("METIS is not linked");
}

#endif

}  // namespace slipstick::internal
